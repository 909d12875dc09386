"""No overturning torque."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.friction.grip import Grip
from axletree.library.friction.overturning_torques.contract import OverturningTorque
from axletree.library.tyres.contract import Contact, Parameters, Value


@dataclass(frozen=True)
class NoOverturningTorque(OverturningTorque):
    """The load acts at the contact point.

    Example:
    >>> import axletree as at
    >>> law = at.ComposedFriction(at.DryFriction(), overturning_torque=at.NoOverturningTorque())
    >>> law(at.Contact(4000.0, 0.0, 0.0, inclination=0.1, patch_width=0.2)).Mx  # N m
    0.0
    """

    summary: ClassVar[str] = "no overturning torque"

    def moment(self, contact: Contact, grip: Grip, p: Parameters) -> Value:
        return 0.0
