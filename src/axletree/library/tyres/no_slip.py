"""Rolling without slip: the contact point rests on the road, whatever force that takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.errors import ModelError
from axletree.library.tyres.contract import Contact, Forces, Parameters, TyreLaw


@dataclass(frozen=True)
class NoSlip(TyreLaw):
    """An ideal wheel: both velocities of the contact point are held at zero.

    There is no force over slip, for there is no slip: Fx and Fy are the reactions of two
    constraints on velocities, which no constraint on positions stands behind. Nothing
    limits them.

    Example:
    >>> import axletree as at
    >>> at.NoSlip().holds  # the contact point, in place of forces over slip
    True
    """

    summary: ClassVar[str] = "no slip: the velocity of the contact point is held at zero"
    holds: ClassVar[bool] = True

    def forces(self, contact: Contact, p: Parameters) -> Forces:
        raise ModelError(
            "no-slip has no forces over slip: they are reactions, which only a model with the "
            "wheel in it has; take another law to plot, compare or fit"
        )
