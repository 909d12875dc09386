"""All seven effects: a ready composition of friction."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from axletree.library.friction.aligning_torques.contract import AligningTorque
from axletree.library.friction.aligning_torques.rill import RillAligningTorque
from axletree.library.friction.bore_torques.combined import CombinedBoreTorque
from axletree.library.friction.bore_torques.contract import BoreTorque
from axletree.library.friction.cambers.combined_speed import CombinedCamberSpeed
from axletree.library.friction.cambers.contract import CamberEffect
from axletree.library.friction.load_influences.contract import LoadInfluence
from axletree.library.friction.load_influences.quadratic import QuadraticLoadInfluence
from axletree.library.friction.overturning_torques.contract import OverturningTorque
from axletree.library.friction.overturning_torques.linear import LinearOverturningTorque
from axletree.library.friction.rolling_resistances.contract import RollingResistance
from axletree.library.friction.rolling_resistances.speed_dependent import (
    SpeedDependentRollingResistance,
)
from axletree.library.friction.slips.combined import CombinedFriction
from axletree.library.friction.slips.contract import FrictionSlip
from axletree.library.part import part
from axletree.library.tyres.composed_friction import ComposedFriction


@dataclass(frozen=True)
class AdvancedFriction(ComposedFriction):
    """Composed friction of the richest choice of each effect.

    The combination AdvancedFriction of Andres 2009 with its numbers: among them a gain of camber
    of 1 per metre, at which camber does little; 20 per metre is that of the effect by itself.
    Each effect can be replaced as in any composed friction.

    Example:
    >>> import axletree as at
    >>> law = at.AdvancedFriction()
    >>> print(f"{law(at.Contact(4000.0, 0.0, 0.1, forward_speed=20.0)).Fy:.0f} N")
    -2939 N
    """

    summary: ClassVar[str] = "composed: the richest choice of each of the seven effects"
    example: ClassVar[dict[str, Any]] = {"slip": "combined"}

    slip: FrictionSlip = part("FRICTION_SLIPS", "forces of sliding", default=CombinedFriction)
    rolling_resistance: RollingResistance = part(
        "ROLLING_RESISTANCES", "moment against spin", default=SpeedDependentRollingResistance
    )
    bore_torque: BoreTorque = part(
        "BORE_TORQUES", "moment against turning about the normal", default=CombinedBoreTorque
    )
    camber: CamberEffect = part(
        "CAMBER_EFFECTS", "sliding that a lean adds", default=partial(CombinedCamberSpeed, gain=1.0)
    )
    load_influence: LoadInfluence = part(
        "LOAD_INFLUENCES", "factor on friction by the load", default=QuadraticLoadInfluence
    )
    overturning_torque: OverturningTorque = part(
        "OVERTURNING_TORQUES", "moment against a lean", default=LinearOverturningTorque
    )
    aligning_torque: AligningTorque = part(
        "ALIGNING_TORQUES", "moment of the side force", default=RillAligningTorque
    )
