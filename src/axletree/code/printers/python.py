"""A program as Python, for machines without a C compiler.

The text is the same for two arithmetics, see ``code.backends.python``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Final

from axletree.code.called_functions import tables_and_functions
from axletree.code.printers.dialect import ELEMENTARY, Dialect, Speller, spelled
from axletree.code.program import CallGroup, Program, Routine
from axletree.code.schedule import schedule
from axletree.expr import CalledFunction, ExpressionFunction, Table

PYTHON_DIALECT: Final = Dialect(
    functions={
        **spelled((*ELEMENTARY, "abs")),
        "sign": "axl_sign({0})",
        "min": "axl_min({0}, {1})",
        "max": "axl_max({0}, {1})",
        "lt": "({0} < {1})*1.0",
        "le": "({0} <= {1})*1.0",
    },
    where="({1} if {0} else {2})",
    number=lambda value: repr(float(value)) if math.isfinite(value) else f"float('{value}')",
)


def print_python(program: Program) -> str:
    """The Python source of a program: one function for each routine."""
    tables, functions = tables_and_functions(program)
    called = [_body(f, name) for f, name in functions.items() if isinstance(f, ExpressionFunction)]
    printed = [_print_routine(r, tables, functions) for r in (*called, *program.routines)]
    return "\n\n".join(printed) + "\n"


def _body(function: ExpressionFunction, name: str) -> Routine:
    """A function of expressions as a routine that takes its arguments one by one."""
    texts = {e: f"a{k}" for k, e in enumerate(function.arguments)}
    return schedule(name, tuple(texts.values()), "f", function.expressions, texts, {})


def _print_routine(
    routine: Routine, tables: Mapping[Table, str], functions: Mapping[CalledFunction, str]
) -> str:
    speller = Speller(PYTHON_DIALECT, routine.references, routine.names, tables)
    lines = [f"def {routine.name}({', '.join(routine.arguments)}):"]
    lines.append(f"    {routine.result} = [0.0]*{routine.size}")
    for block in routine.blocks:
        for statement in block.statements:
            group = statement.group
            if isinstance(group, CallGroup):
                name = functions[group.function]
                for lane, call in enumerate(group.members):
                    arguments = ", ".join(_arguments(group, lane, speller))
                    lines.append(f"    {routine.names[call]} = {name}({arguments})")
            elif statement.index is not None:
                target = f"{routine.result}[{statement.index}]"
                lines.append(f"    {target} = {speller.spell(statement.expression)}")
            else:
                for node in statement.defined:
                    lines.append(f"    {routine.names[node]} = {speller.definition(node)}")
    return "\n".join([*lines, f"    return {routine.result}"])


def _arguments(group: CallGroup, lane: int, speller: Speller) -> Iterator[str]:
    for position, operand in enumerate(group.members[lane].operands):
        if position in group.prepared:
            yield f"c[{group.place(position, lane)}]"
        else:
            yield speller.spell(operand)
