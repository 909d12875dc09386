"""The tables and external functions that a program uses, each once."""

from __future__ import annotations

from axletree.code.identifier import OWN_PREFIX
from axletree.code.program import Program
from axletree.core.errors import ExpressionError
from axletree.core.expr import ExternalFunction, Table, topological_order


def tables_of(program: Program) -> dict[object, str]:
    """The tables of a program in order of appearance, with the names of their functions."""
    tables = dict.fromkeys(data for data in _data(program) if isinstance(data, Table))
    return {table: f"{OWN_PREFIX}table_{k}" for k, table in enumerate(tables)}


def functions_of(program: Program) -> tuple[ExternalFunction, ...]:
    """The external functions of a program; their names are different."""
    functions = dict.fromkeys(d for d in _data(program) if isinstance(d, ExternalFunction))
    names: set[str] = set()
    for function in functions:
        if function.name in names:
            raise ExpressionError(
                f"two different external functions are called {function.name!r}; "
                "rename one of them, or use the same object for both"
            )
        names.add(function.name)
    return tuple(functions)


def _data(program: Program) -> list[object]:
    expressions = [
        statement.expression
        for routine in program.routines
        for block in routine.blocks
        for statement in block.statements
    ]
    return [node.data for node in topological_order(expressions)]
