"""Jacobians in numbers: exact where every call can be differentiated, else by differences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from axletree.core.errors import ExpressionError
from axletree.core.expr import Expr, directional_derivative, evaluate, symbol
from axletree.core.expr.evaluate import Evaluator

Values = Mapping[Expr, float]
Slopes = Callable[[Values], np.ndarray]

SPACING = 6e-6  # about the cube root of the machine precision, best for central differences


def slopes_of(expressions: Sequence[Expr], symbols: Sequence[Expr]) -> Slopes:
    """A function from values of all symbols to d expressions / d symbols, dense.

    One derivative along a direction is formed, and evaluated along all axes at once: an
    array stands for each component of the direction. So the work to form it grows with the
    expressions alone, however many symbols there are.
    """
    along = [symbol(f"slope along {variable.name}") for variable in symbols]
    try:
        formed = directional_derivative(expressions, dict(zip(symbols, along, strict=True)))
    except ExpressionError:  # a call without a derivative rule, such as a user's C function
        return lambda values: _by_differences(expressions, symbols, values)
    axes = dict(zip(along, np.eye(len(symbols)), strict=True))
    evaluated = Evaluator(formed)

    def exact(values: Values) -> np.ndarray:
        rows = evaluated({**values, **axes})
        shape = len(expressions), len(symbols)
        return np.array([np.broadcast_to(row, shape[1]) for row in rows]).reshape(shape)

    return exact


def _by_differences(
    expressions: Sequence[Expr], symbols: Sequence[Expr], values: Values
) -> np.ndarray:
    matrix = np.zeros((len(expressions), len(symbols)))
    for column, variable in enumerate(symbols):
        around = values[variable]
        width = SPACING * max(1.0, abs(around))
        above = evaluate(expressions, {**values, variable: around + width})
        below = evaluate(expressions, {**values, variable: around - width})
        matrix[:, column] = (np.array(above) - np.array(below)) / (2.0 * width)
    return matrix
