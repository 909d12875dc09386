"""Values that are functions of themselves, by a fixed number of Newton's steps."""

from __future__ import annotations

from collections.abc import Sequence

from axletree.core.errors import ExpressionError
from axletree.core.expr import (
    Expr,
    absolute,
    jacobian,
    linear_solve,
    maximum,
    substitute,
)
from axletree.core.expr.expression import ONE, ZERO

SPACING = 6e-6  # about the cube root of the machine precision, best for central differences


def fixed_point(
    variables: Sequence[Expr], values: Sequence[Expr], start: Sequence[Expr], steps: int
) -> dict[Expr, Expr]:
    """x = f(x), of variables x by their symbols and values f(x).

    Each step solves (1 - df/dx) dx = f(x) - x with the exact slopes of f, so that one is
    enough where f is linear, and the error of others is squared. Of functions that have no
    derivative the slopes are differences.
    """
    slopes = _slopes(values, variables)
    size = len(variables)
    matrix = [
        (ONE if i == j else ZERO) - slopes.get((i, j), ZERO)
        for i in range(size)
        for j in range(size)
    ]
    lacking = [value - x for value, x in zip(values, variables, strict=True)]
    found = substitute(start, dict.fromkeys(variables, ZERO))
    for _ in range(steps):
        at = dict(zip(variables, found, strict=True))
        entries = substitute([*matrix, *lacking], at)
        moves: Sequence[Expr] = entries[size * size :]
        if slopes:
            moves = linear_solve([entries[size * i : size * (i + 1)] for i in range(size)], moves)
        found = [x + move for x, move in zip(found, moves, strict=True)]
    return dict(zip(variables, found, strict=True))


def _slopes(values: Sequence[Expr], variables: Sequence[Expr]) -> dict[tuple[int, int], Expr]:
    """df/dx, entries that are not zero."""
    try:
        return jacobian(values, variables)
    except ExpressionError:  # a call without a derivative rule, such as a user's C function
        return _differences(values, variables)


def _differences(values: Sequence[Expr], variables: Sequence[Expr]) -> dict[tuple[int, int], Expr]:
    found = {}
    for j, x in enumerate(variables):
        width = SPACING * maximum(absolute(x), 1.0)
        above, below = (substitute(values, {x: x + side}) for side in (width, -width))
        for i, (high, low) in enumerate(zip(above, below, strict=True)):
            if high != low:
                found[i, j] = (high - low) / (2.0 * width)
    return found
