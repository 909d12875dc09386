"""No rolling resistance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.friction.grip import Grip
from axletree.library.friction.rolling_resistances.contract import RollingResistance
from axletree.library.tyres.contract import Contact, Parameters, Value


@dataclass(frozen=True)
class NoRollingResistance(RollingResistance):
    """Nothing resists rolling.

    Example:
    >>> import axletree as at
    >>> law = at.ComposedFriction(at.DryFriction(), at.NoRollingResistance())
    >>> law(at.Contact(4000.0, 0.0, 0.0, forward_speed=20.0)).My  # N m
    0.0
    """

    summary: ClassVar[str] = "no rolling resistance"

    def moment(self, contact: Contact, grip: Grip, p: Parameters) -> Value:
        return 0.0
