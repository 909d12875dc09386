"""Bore torque of a wheel whose tread slides at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import absolute, maximum
from axletree.library.fields import parameter
from axletree.library.friction.bore_torques.contract import BoreTorque, boring_moment
from axletree.library.friction.grip import Grip
from axletree.library.tyres.contract import Contact, Parameters, Value


@dataclass(frozen=True)
class LinearBoreTorque(BoreTorque):
    """In proportion to the bore rate over the rolling speed, up to a limit.

    Andres 2009, eq. (3.42), with |Omega R|: the moment is against the bore rate whichever way
    the wheel rolls. Below ``lowest_speed`` it is as if rolling at this speed, so that the
    moment on a wheel that stands has no jump.

    Example:
    >>> import axletree as at
    >>> law = at.ComposedFriction(at.DryFriction(), bore_torque=at.LinearBoreTorque(friction=0.8))
    >>> turns = at.Contact(4000.0, 0.0, 0.0, bore_rate=9.0, patch_length=0.16, patch_width=0.12)
    >>> print(f"{law(turns).Mz:.1f} N m")  # -0.8 * 4000 * 0.2 / 4: it slides all over
    -160.0 N m
    """

    summary: ClassVar[str] = "by the bore rate over the rolling speed"

    friction: float = parameter("1", "friction coefficient mu_Turn", default=0.8, lower=0.0)
    lowest_speed: float = parameter(
        "m/s", "rolling speed that counts at least", default=0.1, lower=0.0, above=True
    )

    def moment(self, contact: Contact, grip: Grip, p: Parameters) -> Value:
        speed = maximum(absolute(grip.sliding.rolling_speed), p["lowest_speed"])
        return boring_moment(contact, grip, p["friction"], speed)
