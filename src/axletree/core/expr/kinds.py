"""Which of the kinds of values a formula is given: floats, arrays, expressions or SymPy's."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from axletree.core.expr.expression import Expr

Value = Any  # float, numpy.ndarray, Expr or a SymPy expression
PLAIN: Final = frozenset({float, int, bool, np.float64, np.bool_})


def is_sympy(value: object) -> bool:
    return type(value).__module__.partition(".")[0] == "sympy"


def sympy_module() -> Any:
    import sympy

    return sympy


def richest_kind(*values: Value) -> type:
    """The richest of the kinds given: expressions, then SymPy, then arrays, then floats."""
    kinds = set(map(type, values))
    if Expr in kinds:
        return Expr
    if kinds <= PLAIN:
        return float
    if any(is_sympy(v) for v in values):
        return object
    return np.ndarray if any(isinstance(v, np.ndarray) for v in values) else float
