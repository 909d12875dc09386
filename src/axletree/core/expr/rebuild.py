"""A node built anew on other operands, by the same rules as the first time."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Final, cast

from axletree.core.expr.expression import (
    ONE,
    Expr,
    add,
    apply,
    atan2,
    compare,
    extremum,
    multiply,
    power,
    reciprocal,
    special,
    symbol,
    where,
)  # fmt: skip
from axletree.core.expr.table import Table, interpolate

_BUILDERS: Final[dict[str, Callable[..., Expr]]] = {
    "add": add, "mul": multiply, "inv": reciprocal, "pow": power,
    "atan2": atan2, "where": where,
}  # fmt: skip


def rebuild(operation: str, operands: Sequence[Expr], data: Hashable) -> Expr:
    """The operation on these operands."""
    if operation in _BUILDERS:
        return _BUILDERS[operation](*operands)
    if operation in ("min", "max"):
        return extremum(operation, *operands)
    if operation in ("lt", "le"):
        return compare(operation, *operands)
    if operation == "one":
        return ONE
    if operation == "symbol":
        return symbol(cast(str, data))
    if operation == "table":
        return interpolate(cast(Table, data), operands[0])
    if operation in ("call", "output"):
        return special(operation, tuple(operands), data)
    return apply(operation, operands[0])
