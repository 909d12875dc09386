"""Jacobians in numbers: exact where every call can be differentiated, else by differences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from axletree.core.errors import ExpressionError
from axletree.core.expr import Expr, evaluate, jacobian

Values = Mapping[Expr, float]
Slopes = Callable[[Values], np.ndarray]

SPACING = 6e-6  # about the cube root of the machine precision, best for central differences


def slopes_of(expressions: Sequence[Expr], symbols: Sequence[Expr]) -> Slopes:
    """A function from values of all symbols to d expressions / d symbols, dense."""
    try:
        entries = jacobian(expressions, symbols)
    except ExpressionError:  # a call without a derivative rule, such as a user's C function
        return lambda values: _by_differences(expressions, symbols, values)
    places, wanted = np.array(list(entries)).reshape(-1, 2), list(entries.values())

    def exact(values: Values) -> np.ndarray:
        matrix = np.zeros((len(expressions), len(symbols)))
        matrix[places[:, 0], places[:, 1]] = evaluate(wanted, values)
        return matrix

    return exact


def _by_differences(
    expressions: Sequence[Expr], symbols: Sequence[Expr], values: Values
) -> np.ndarray:
    matrix = np.zeros((len(expressions), len(symbols)))
    for column, symbol in enumerate(symbols):
        around = values[symbol]
        width = SPACING * max(1.0, abs(around))
        above = evaluate(expressions, {**values, symbol: around + width})
        below = evaluate(expressions, {**values, symbol: around - width})
        matrix[:, column] = (np.array(above) - np.array(below)) / (2.0 * width)
    return matrix
