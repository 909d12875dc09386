"""Overturning torque in proportion to the lean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.fields import parameter
from axletree.library.friction.grip import Grip
from axletree.library.friction.overturning_torques.contract import OverturningTorque
from axletree.library.tyres.contract import Contact, Parameters, Value


@dataclass(frozen=True)
class LinearOverturningTorque(OverturningTorque):
    """The side that the wheel leans to is deflected more, and rights it: -c b^2 / 12 gamma.

    Andres 2009, eqs. (3.52) and (3.53), with the sign of the text: against the lean. b is the
    width of the patch.

    Example:
    >>> import axletree as at
    >>> torque = at.LinearOverturningTorque(radial_stiffness="300 kN/m")
    >>> law = at.ComposedFriction(at.DryFriction(), overturning_torque=torque)
    >>> leans = at.Contact(4000.0, 0.0, 0.0, inclination=0.1, patch_width=0.2)
    >>> print(f"{law(leans).Mx:.1f} N m")  # -3e5 * 0.2^2 / 12 * 0.1
    -100.0 N m
    """

    summary: ClassVar[str] = "in proportion to the lean, against it"

    radial_stiffness: float = parameter(
        "N/m", "stiffness of the patch against deflection, c_R", default=1e5, lower=0.0
    )

    def moment(self, contact: Contact, grip: Grip, p: Parameters) -> Value:
        width = contact.patch_width
        stiffness = p["radial_stiffness"] / 12.0 * width * width  # (3.52)
        return -stiffness * contact.inclination
