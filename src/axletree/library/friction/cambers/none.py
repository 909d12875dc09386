"""No effect of camber."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.friction.cambers.contract import CamberEffect
from axletree.library.tyres.contract import Contact, Parameters, Value


@dataclass(frozen=True)
class NoCamberEffect(CamberEffect):
    """A leaning wheel slides as an upright one.

    Example:
    >>> import axletree as at
    >>> law = at.ComposedFriction(at.DryFriction(), camber=at.NoCamberEffect())
    >>> leans = at.Contact(4000.0, 0.0, 0.0, inclination=0.1, forward_speed=20.0)
    >>> abs(law(leans).Fy)  # N
    0.0
    """

    summary: ClassVar[str] = "no effect of camber"

    def lateral_speed(self, contact: Contact, rolling_speed: Value, p: Parameters) -> Value:
        return 0.0
