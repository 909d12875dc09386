"""Bore torque that goes with combined friction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.fields import parameter
from axletree.library.friction.bore_torques.contract import BoreTorque, boring_moment
from axletree.library.friction.grip import Grip
from axletree.library.tyres.contract import Contact, Parameters, Value


@dataclass(frozen=True)
class CombinedBoreTorque(BoreTorque):
    """In proportion to the bore rate over v_Ad, the sliding speed at which adhesion ends.

    Andres 2009, eq. (3.43), after Zimmer and Otter 2009. Meant for combined friction, whose v_Ad
    grows with the rolling speed.

    Example:
    >>> import axletree as at
    >>> law = at.ComposedFriction(at.DryFriction(), bore_torque=at.CombinedBoreTorque(friction=0.8))
    >>> turns = at.Contact(4000.0, 0.0, 0.0, bore_rate=9.0, patch_length=0.16, patch_width=0.12)
    >>> print(f"{law(turns).Mz:.1f} N m")  # -0.8 * 4000 * 0.2 / 4: it slides all over
    -160.0 N m
    """

    summary: ClassVar[str] = "by the bore rate over the speed of adhesion"

    friction: float = parameter("1", "friction coefficient mu_Turn", default=0.8, lower=0.0)

    def moment(self, contact: Contact, grip: Grip, p: Parameters) -> Value:
        return boring_moment(contact, grip, p["friction"], grip.adhesion_speed)
