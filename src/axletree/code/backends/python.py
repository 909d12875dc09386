"""Generated Python that runs, for machines without a C compiler.

The text is the same for two arithmetics. Plain floats and ``math`` are quick, but raise
where C goes on with an infinity or NaN; then the routine runs once more on NumPy scalars,
which follow IEEE 754 as C does.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from axletree.code.called_functions import tables_and_functions
from axletree.code.printers.dialect import ELEMENTARY
from axletree.code.printers.python import print_python
from axletree.code.program import Program
from axletree.expr import ExternalFunction, Table

PythonFunction = Callable[..., list[float]]


def python_functions(program: Program) -> dict[str, PythonFunction]:
    """The routines of a program, by name; each takes its arguments and returns a list.

    The text that is executed holds numbers, our own names and identifiers made from model
    names by ``identifier``, nothing that a model file could have written.
    """
    code = compile(print_python(program), f"<axletree {len(program.states)} states>", "exec")
    quick, careful = _namespace(program, _MATH), _namespace(program, _NUMPY)
    exec(code, quick)
    exec(code, careful)
    return {r.name: _with_fallback(quick[r.name], careful[r.name]) for r in program.routines}


def _with_fallback(quick: PythonFunction, careful: PythonFunction) -> PythonFunction:
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


def _namespace(program: Program, functions: Mapping[str, Any]) -> dict[str, Any]:
    namespace: dict[str, Any] = {"__builtins__": {"float": float}, **functions}
    tables, called = tables_and_functions(program)
    namespace |= {name: table_function(table) for table, name in tables.items()}
    for function, name in called.items():
        if isinstance(function, ExternalFunction):
            namespace[name] = lambda *arguments, called=function: called.evaluate(arguments)
    return namespace


def table_function(table: Table) -> Callable[[float], float]:
    """A table as a function of floats; operation by operation what the C code does."""
    breaks = [float(x) for x in table.breakpoints]
    rows = [[float(x) for x in row] for row in table.coefficients]

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
    return float(v > 0.0) - float(v < 0.0) if v == v else v


def _minimum(a: float, b: float) -> float:
    least = a if a < b else b
    return least if a == a else a


def _maximum(a: float, b: float) -> float:
    most = a if a > b else b
    return most if a == a else a


_OWN: Final = {"abs": abs, "axl_sign": _sign, "axl_min": _minimum, "axl_max": _maximum}
_MATH: Final = {**{name: getattr(math, name) for name in ELEMENTARY}, **_OWN}
_NUMPY: Final = {
    **{name: getattr(np, name, None) for name in ELEMENTARY},
    "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
    "pow": np.power, "atan2": np.arctan2, **_OWN,
}  # fmt: skip
