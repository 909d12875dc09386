"""Camber by the mean speed of the tread across the patch."""

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
class SimpleCamberSpeed(CamberEffect):
    """The deflection of the tread over twice its time of contact l / |Omega R|.

    Andres 2009, eqs. (3.44) to (3.48), with |Omega R| and a sign that takes the force to the side
    of the lean in both rolling directions.

    Example:
    >>> import axletree as at
    >>> law = at.ComposedFriction(at.DryFriction(), camber=at.SimpleCamberSpeed())
    >>> patch = {"forward_speed": 20.0, "deflection": 0.02, "patch_length": 0.2}  # m/s, m, m
    >>> leans = at.Contact(4000.0, 0.0, 0.0, inclination=0.1, **patch)  # to the right
    >>> print(f"{law(leans).Fy:.0f} N")
    -2112 N
    """

    summary: ClassVar[str] = "deflection of the tread over its time of contact"

    gain: float = parameter("1", "camberGain, to fit measurements", default=1.0, lower=0.0)

    def lateral_speed(self, contact: Contact, rolling_speed: Value, p: Parameters) -> Value:
        per_length = deflection_over_squared_length(contact) * contact.patch_length
        leaning = 0.5 * p["gain"] * per_length * sin(contact.inclination)
        return leaning * absolute(rolling_speed)
