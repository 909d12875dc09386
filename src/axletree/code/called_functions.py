"""The tables and functions that a program uses, each once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from axletree.code.identifiers import OWN_PREFIX, unused
from axletree.code.program import CallGroup, FunctionGroup, Program, Routine, Statement
from axletree.core.errors import ExpressionError
from axletree.expr import (
    CalledFunction,
    ExpressionFunction,
    ExternalFunction,
    Table,
    topological_order,
)


def tables_and_functions(
    program: Program,
) -> tuple[dict[Table, str], dict[CalledFunction, str]]:
    """The tables and functions of a program in order of appearance, each with its name.

    The names are different. An external function has the name that its C text gives it.
    Functions of expressions of one name, such as tyre laws of one kind with different
    terms, are numbered.
    """
    data = _data(program)
    tables = dict.fromkeys(d for d in data if isinstance(d, Table))
    functions = dict.fromkeys(d for d in data if isinstance(d, CalledFunction))
    return {table: f"{OWN_PREFIX}table_{k}" for k, table in enumerate(tables)}, _named(functions)


def _named(functions: Iterable[CalledFunction]) -> dict[CalledFunction, str]:
    names: dict[CalledFunction, str] = {}
    for function in functions:
        if isinstance(function, ExternalFunction):
            if function.name in names.values():
                raise ExpressionError(
                    f"two different external functions are called {function.name!r}; "
                    "rename one of them, or use the same object for both"
                )
            names[function] = function.name
    for function in functions:
        if function not in names:
            names[function] = unused(f"{OWN_PREFIX}{function.name}", set(names.values()))
    return names


LaneVariant = tuple[CalledFunction, int, tuple[int, ...], int]


def variants_of(
    program: Program, names: Mapping[CalledFunction, str]
) -> dict[LaneVariant, tuple[str, CallGroup]]:
    """The texts that functions of expressions need: their names, and a group that calls each.

    One text serves one number of lanes and one way of handing over the arguments.
    """
    found: dict[LaneVariant, tuple[str, CallGroup]] = {}
    taken = set(names.values())
    for group in call_groups_of(*program.routines):
        if isinstance(group.function, ExpressionFunction) and group.variant not in found:
            lanes = f"_x{group.lanes}" if group.lanes > 1 else ""
            name = unused(f"{names[group.function]}{lanes}", taken)
            taken.add(name)
            found[group.variant] = (name, group)
    return found


def lane_loops_of(program: Program) -> list[tuple[str, int]]:
    """The functions that a program evaluates side by side, and for how many lanes."""
    groups = (statement.group for statement in _statements(program.routines))
    found = {(g.operation, g.lanes): None for g in groups if isinstance(g, FunctionGroup)}
    return list(found)


def call_groups_of(*routines: Routine) -> list[CallGroup]:
    """The calls of a routine or of several, in order."""
    groups = (statement.group for statement in _statements(routines))
    return [group for group in groups if isinstance(group, CallGroup)]


def _statements(routines: Iterable[Routine]) -> Iterator[Statement]:
    return (s for routine in routines for block in routine.blocks for s in block.statements)


def _data(program: Program) -> list[object]:
    expressions = [statement.expression for statement in _statements(program.routines)]
    data = [node.data for node in topological_order(expressions)]
    inside = [e for d in data if isinstance(d, ExpressionFunction) for e in d.expressions]
    return [*data, *(node.data for node in topological_order(inside))]
