"""Rolling resistance that grows with the speed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import absolute
from axletree.library.fields import parameter
from axletree.library.friction.grip import Grip
from axletree.library.friction.rolling_resistances.contract import (
    RollingResistance,
    resisting_moment,
)
from axletree.library.tyres.contract import Contact, Parameters, Value

REFERENCE_SPEED = 100.0 / 3.6  # m/s


@dataclass(frozen=True)
class SpeedDependentRollingResistance(RollingResistance):
    """f_R = f_R0 + f_R1 x + f_R4 x^4 with x = |Omega R| over 100 km/h.

    Andres 2009, eqs. (3.40) and (3.41), after Mitschke and Wallentowitz 2003.

    Example:
    >>> import axletree as at
    >>> law = at.ComposedFriction(at.DryFriction(), at.SpeedDependentRollingResistance())
    >>> fast = at.Contact(4000.0, 0.0, 0.0, forward_speed=100 / 3.6, radius=0.3)
    >>> print(f"{law(fast).My:.1f} N m")  # -4000 * (0.01 + 0.002 + 0.001) * 0.3
    -15.6 N m
    """

    summary: ClassVar[str] = "in proportion to the load, growing with speed"

    constant_coefficient: float = parameter("1", "f_R0, at rest", default=0.01, lower=0.0)
    linear_coefficient: float = parameter(
        "1", "f_R1, growth with the speed over 100 km/h", default=0.002, lower=0.0
    )
    quartic_coefficient: float = parameter(
        "1", "f_R4, growth with its fourth power", default=0.001, lower=0.0
    )

    def moment(self, contact: Contact, grip: Grip, p: Parameters) -> Value:
        x = absolute(grip.sliding.rolling_speed) / REFERENCE_SPEED
        quartic = p["quartic_coefficient"] * (x * x) * (x * x)
        coefficient = p["constant_coefficient"] + p["linear_coefficient"] * x + quartic  # (3.41)
        return resisting_moment(contact, grip, coefficient)
