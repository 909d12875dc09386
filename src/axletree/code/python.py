"""A program as Python, for machines without a C compiler.

The text is the same for two arithmetics. Plain floats and ``math`` are quick, but raise
where C goes on with an infinity or NaN; then the routine runs once more on NumPy scalars,
which follow IEEE 754 as C does.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from axletree.code.program import CallGroup, Program, Routine
from axletree.code.schedule import schedule
from axletree.code.special import tables_and_functions
from axletree.code.text import Dialect, Speller
from axletree.core.expr import CalledFunction, ExpressionFunction, ExternalFunction, Table

PYTHON: Final = Dialect(
    functions={
        **{
            name: f"{name}({{0}})"
            for name in (
                "sqrt", "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan",
                "sinh", "cosh", "tanh",
            )
        },
        "pow": "pow({0}, {1})",
        "atan2": "atan2({0}, {1})",
        "abs": "abs({0})",
        "sign": "axl_sign({0})",
        "min": "axl_min({0}, {1})",
        "max": "axl_max({0}, {1})",
        "lt": "({0} < {1})*1.0",
        "le": "({0} <= {1})*1.0",
    },
    where="({1} if {0} else {2})",
    number=lambda value: repr(float(value)) if math.isfinite(value) else f"float('{value}')",
)  # fmt: skip

Function = Callable[..., list[float]]


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


def python_functions(program: Program) -> dict[str, Function]:
    """The routines of a program, by name; each takes its arguments and returns a list.

    The text that is executed holds numbers, our own names and identifiers made from model
    names by ``identifier``, nothing that a model file could have written.
    """
    code = compile(print_python(program), f"<axletree {len(program.states)} states>", "exec")
    quick, careful = _namespace(program, _MATH), _namespace(program, _NUMPY)
    exec(code, quick)
    exec(code, careful)
    return {r.name: _with_fallback(quick[r.name], careful[r.name]) for r in program.routines}


def _with_fallback(quick: Function, careful: Function) -> Function:
    def routine(*arguments: float | Sequence[float]) -> list[float]:
        plain = [a if isinstance(a, float | list) else np.asarray(a).tolist() for a in arguments]
        try:
            return quick(*plain)
        except (ArithmeticError, ValueError):
            with np.errstate(all="ignore"):
                return [float(v) for v in careful(*[_as_numpy(a) for a in plain])]

    return routine


def _as_numpy(argument: float | Sequence[float]) -> Any:
    return np.float64(argument) if isinstance(argument, float) else np.array(argument, dtype=float)


def _print_routine(
    routine: Routine, tables: Mapping[object, str], functions: Mapping[CalledFunction, str]
) -> str:
    speller = Speller(PYTHON, routine.references, routine.names, tables)
    lines = [f"def {routine.name}({', '.join(routine.arguments)}):"]
    lines.append(f"    {routine.result} = [0.0]*{routine.size}")
    for block in routine.blocks:
        for statement in block.statements:
            node = statement.node
            group = statement.group
            if isinstance(group, CallGroup):
                name = functions[group.function]
                for lane, call in enumerate(group.members):
                    arguments = ", ".join(_arguments(group, lane, speller))
                    lines.append(f"    {routine.names[call]} = {name}({arguments})")
            elif group is not None:
                for member in group.members:
                    lines.append(f"    {routine.names[member]} = {speller.definition(member)}")
            elif node is None:
                target = f"{routine.result}[{statement.index}]"
                lines.append(f"    {target} = {speller.spell(statement.expression)}")
            else:
                lines.append(f"    {routine.names[node]} = {speller.definition(node)}")
    return "\n".join([*lines, f"    return {routine.result}"])


def _arguments(group: CallGroup, lane: int, speller: Speller) -> Iterator[str]:
    for position, operand in enumerate(group.members[lane].operands):
        if position in group.prepared:
            yield f"c[{group.place(position, lane)}]"
        else:
            yield speller.spell(operand)


def _namespace(program: Program, functions: Mapping[str, Any]) -> dict[str, Any]:
    namespace: dict[str, Any] = {"__builtins__": {"float": float}, **functions}
    tables, called = tables_and_functions(program)
    for table, name in tables.items():
        assert isinstance(table, Table)
        namespace[name] = table_function(table)
    for function, name in called.items():
        if isinstance(function, ExternalFunction):
            namespace[name] = _called(function)
    return namespace


def _called(function: ExternalFunction) -> Callable[..., tuple[float, ...]]:
    return lambda *arguments: function.evaluate(arguments)


def table_function(table: Table) -> Callable[[float], float]:
    """A table as a function of floats; operation by operation what the C code does."""
    breaks, rows = table.breakpoints, table.coefficients

    def lookup(v: float) -> float:
        if v != v:
            return v
        row = bisect.bisect_right(breaks, v)
        local = v - breaks[max(row - 1, 0)]
        value = rows[row][-1]
        for coefficient in rows[row][-2::-1]:
            value = value * local + coefficient
        return value

    return lookup


def _sign(v: float) -> float:
    return ((v > 0.0) - (v < 0.0)) * 1.0 if v == v else v


def _minimum(a: float, b: float) -> float:
    least = a if a < b else b
    return least if a == a else a


def _maximum(a: float, b: float) -> float:
    most = a if a > b else b
    return most if a == a else a


_OWN: Final = {"abs": abs, "axl_sign": _sign, "axl_min": _minimum, "axl_max": _maximum}
_MATH: Final = {
    **{name: getattr(math, name) for name in (
        "sqrt", "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan",
        "sinh", "cosh", "tanh", "pow", "atan2",
    )},
    **_OWN,
}  # fmt: skip
_NUMPY: Final = {
    **{name: getattr(np, name) for name in (
        "sqrt", "exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh",
    )},
    "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
    "pow": np.power, "atan2": np.arctan2, **_OWN,
}  # fmt: skip
