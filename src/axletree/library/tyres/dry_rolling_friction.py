"""Dry friction and rolling resistance: a ready composition of friction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.library.friction.rolling_resistances.constant import ConstantRollingResistance
from axletree.library.friction.rolling_resistances.contract import RollingResistance
from axletree.library.friction.slips.contract import FrictionSlip
from axletree.library.friction.slips.dry import DryFriction
from axletree.library.part import part
from axletree.library.tyres.composed_friction import ComposedFriction


@dataclass(frozen=True)
class DryRollingFriction(ComposedFriction):
    """Composed friction of dry friction and constant rolling resistance.

    The combination DryFrictionRollRes of Andres 2009 with its numbers. Each effect can be
    replaced as in any composed friction.

    Example:
    >>> import axletree as at
    >>> law = at.DryRollingFriction()
    >>> print(f"{law(at.Contact(4000.0, 0.0, 0.0, forward_speed=20.0)).My:.1f} N m")
    -12.0 N m
    """

    summary: ClassVar[str] = "composed: dry friction and rolling resistance"
    example: ClassVar[dict[str, Any]] = {"slip": "dry"}

    slip: FrictionSlip = part("FRICTION_SLIPS", "forces of sliding", default=DryFriction)
    rolling_resistance: RollingResistance = part(
        "ROLLING_RESISTANCES", "moment against spin", default=ConstantRollingResistance
    )
