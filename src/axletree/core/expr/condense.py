"""Fewer operations for the same values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from axletree.core.expr.expression import Expr
from axletree.core.expr.pairs import share_pairs
from axletree.core.expr.regroup import regroup


def condensed(expressions: Sequence[Expr], late: Iterable[Expr]) -> list[Expr]:
    """The same expressions with pairs of terms shared, and gathered what does not depend on
    the ``late`` symbols; values change by rounding alone."""
    late = list(late)
    return regroup(share_pairs(regroup(expressions, late)), late)
