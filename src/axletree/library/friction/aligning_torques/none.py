"""No self-aligning torque."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.friction.aligning_torques.contract import AligningTorque
from axletree.library.friction.grip import Grip
from axletree.library.tyres.contract import Contact, Parameters, Value


@dataclass(frozen=True)
class NoAligningTorque(AligningTorque):
    """The side force acts at the contact point.

    Example:
    >>> import axletree as at
    >>> law = at.ComposedFriction(at.DryFriction(), aligning_torque=at.NoAligningTorque())
    >>> law(at.Contact(4000.0, 0.0, 0.1, forward_speed=20.0, patch_length=0.2)).Mz  # N m
    0.0
    """

    summary: ClassVar[str] = "no self-aligning torque"

    def moment(self, contact: Contact, grip: Grip, p: Parameters) -> Value:
        return 0.0
