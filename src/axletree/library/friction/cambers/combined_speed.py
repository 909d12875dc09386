"""Camber that goes with combined friction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import absolute, sin
from axletree.library.fields import parameter
from axletree.library.friction.cambers.contract import (
    CamberEffect,
    deflection_over_squared_length,
)
from axletree.library.tyres.contract import Contact, Parameters, Value


@dataclass(frozen=True)
class CombinedCamberSpeed(CamberEffect):
    """The deflection of the tread times |Omega R| and a gain.

    Andres 2009, eq. (3.49), after Zimmer and Otter 2009, with |Omega R| and a sign that takes the
    force to the side of the lean in both rolling directions. The gain is one over a length.

    Example:
    >>> import axletree as at
    >>> law = at.ComposedFriction(at.DryFriction(), camber=at.CombinedCamberSpeed())
    >>> patch = {"forward_speed": 20.0, "deflection": 0.02, "patch_length": 0.2}  # m/s, m, m
    >>> leans = at.Contact(4000.0, 0.0, 0.0, inclination=0.1, **patch)  # to the right
    >>> print(f"{law(leans).Fy:.0f} N")
    -3080 N
    """

    summary: ClassVar[str] = "deflection of the tread by the rolling speed"

    gain: float = parameter("1/m", "camberGain, to fit measurements", default=20.0, lower=0.0)

    def lateral_speed(self, contact: Contact, rolling_speed: Value, p: Parameters) -> Value:
        length = contact.patch_length
        deflection = deflection_over_squared_length(contact) * length * length  # (3.44)
        return p["gain"] * deflection * sin(contact.inclination) * absolute(rolling_speed)
