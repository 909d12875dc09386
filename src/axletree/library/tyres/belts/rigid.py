"""A belt that is one with the rim (Andres 2009, section 3.10.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.core.expr import Expr
from axletree.library.tyres.belts.contract import Belt, BeltAnswer
from axletree.library.tyres.patch import Patch
from axletree.library.tyres.wheel_loads import WheelLoads


@dataclass(frozen=True)
class RigidBelt(Belt):
    """No dynamics of its own.

    Example:
    >>> import axletree as at
    >>> at.RigidBelt().states()
    ()
    """

    summary: ClassVar[str] = "none: the belt is one with the rim"

    def carry(self, rim: Patch, states: Sequence[Expr], p: Any) -> Patch:
        return rim

    def answer(self, rim: Patch, load: WheelLoads, states: Sequence[Expr], p: Any) -> BeltAnswer:
        return BeltAnswer(load)
