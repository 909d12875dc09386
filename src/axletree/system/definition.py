"""What a system computes beside its rates."""

from __future__ import annotations

from dataclasses import dataclass

from axletree.core.expr import Expr
from axletree.core.quantity import Quantity


@dataclass(frozen=True)
class Definition:
    """A quantity that is computed: an intermediate variable or an output."""

    quantity: Quantity
    expression: Expr
