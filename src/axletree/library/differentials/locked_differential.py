"""The locked differential, or none at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.core.expr import Expr
from axletree.core.expr.expression import ZERO
from axletree.library.differentials.contract import AxleDifferential


@dataclass(frozen=True)
class LockedDifferential(AxleDifferential):
    """Both half shafts turn as one, as on the rear axle of a kart.

    Example:
    >>> from axletree.library.differentials.locked_differential import LockedDifferential
    >>> LockedDifferential().locked  # both half shafts turn as one
    True
    """

    summary: ClassVar[str] = "both half shafts turn as one"
    locked: ClassVar[bool] = True

    def capacity(self, torque: Expr, p: Any) -> Expr:
        return ZERO
