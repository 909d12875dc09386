"""The open differential."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.core.expr import Expr
from axletree.core.expr.expression import ZERO
from axletree.library.differentials.contract import AxleDifferential


@dataclass(frozen=True)
class OpenDifferential(AxleDifferential):
    """Equal torques, whatever the wheels do.

    Example:
    >>> from axletree.library.differentials.open_differential import OpenDifferential
    >>> float(OpenDifferential().capacity(1000.0, {}))  # N m, from one half shaft to the other
    0.0
    """

    summary: ClassVar[str] = "equal torques on both half shafts"

    def capacity(self, torque: Expr, p: Any) -> Expr:
        return ZERO
