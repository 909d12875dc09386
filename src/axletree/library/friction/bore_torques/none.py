"""No bore torque."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.friction.bore_torques.contract import BoreTorque
from axletree.library.friction.grip import Grip
from axletree.library.tyres.contract import Contact, Parameters, Value


@dataclass(frozen=True)
class NoBoreTorque(BoreTorque):
    """Nothing resists turning about the normal.

    Example:
    >>> import axletree as at
    >>> law = at.ComposedFriction(at.DryFriction(), bore_torque=at.NoBoreTorque())
    >>> law(at.Contact(4000.0, 0.0, 0.0, bore_rate=1.0, patch_length=0.2)).Mz  # N m
    0.0
    """

    summary: ClassVar[str] = "no bore torque"

    def moment(self, contact: Contact, grip: Grip, p: Parameters) -> Value:
        return 0.0
