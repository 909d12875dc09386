"""Rolling resistance in proportion to the load."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.fields import parameter
from axletree.library.friction.grip import Grip
from axletree.library.friction.rolling_resistances.contract import (
    RollingResistance,
    resisting_moment,
)
from axletree.library.tyres.contract import Contact, Parameters, Value


@dataclass(frozen=True)
class ConstantRollingResistance(RollingResistance):
    """A coefficient that does not depend on the speed (Andres 2009, eq. 3.40).

    Example:
    >>> import axletree as at
    >>> law = at.ComposedFriction(at.DryFriction(), at.ConstantRollingResistance(0.02))
    >>> rolls = at.Contact(4000.0, 0.0, 0.0, forward_speed=20.0, radius=0.3)
    >>> print(f"{law(rolls).My:.1f} N m")  # -4000 * 0.02 * 0.3
    -24.0 N m
    """

    summary: ClassVar[str] = "in proportion to the load"

    coefficient: float = parameter(
        "1", "distance of the load ahead of the contact point over the radius, f_R0", default=0.01,
        lower=0.0,
    )  # fmt: skip

    def moment(self, contact: Contact, grip: Grip, p: Parameters) -> Value:
        return resisting_moment(contact, grip, p["coefficient"])
