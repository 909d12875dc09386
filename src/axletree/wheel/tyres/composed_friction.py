"""Friction composed of seven effects, each of them exchangeable, and two ready compositions.

Numbers of equations are those of Andres 2009; ``wheel.friction_slips`` has axes and signs of that
work.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass
from functools import partial
from typing import Any, ClassVar

from axletree.components.fields import Parameters, part, within
from axletree.wheel.contract import Contact, Forces, TyreLaw, example_fields, with_velocities
from axletree.wheel.friction_effects import (
    AligningTorque,
    BoreTorque,
    CamberEffect,
    CombinedBoreTorque,
    CombinedCamberSpeed,
    ConstantRollingResistance,
    LinearLoadInfluence,
    LinearOverturningTorque,
    LoadInfluence,
    NoAligningTorque,
    NoBoreTorque,
    NoCamberEffect,
    NoOverturningTorque,
    NoRollingResistance,
    OverturningTorque,
    QuadraticLoadInfluence,
    RillAligningTorque,
    RollingResistance,
    SpeedDependentRollingResistance,
)
from axletree.wheel.friction_slips import (
    CombinedFriction,
    DryFriction,
    FrictionGrip,
    FrictionSlip,
    Sliding,
)

_EFFECTS = {  # the section of the catalogue, and what the effect is
    "slip": ("FRICTION_SLIPS", "forces of sliding"),
    "rolling_resistance": ("ROLLING_RESISTANCES", "moment against spin"),
    "bore_torque": ("BORE_TORQUES", "moment against turning about the normal"),
    "camber": ("CAMBER_EFFECTS", "sliding that a lean adds"),
    "load_influence": ("LOAD_INFLUENCES", "factor on friction by the load"),
    "overturning_torque": ("OVERTURNING_TORQUES", "moment against a lean"),
    "aligning_torque": ("ALIGNING_TORQUES", "moment of the side force"),
}


def _effect(name: str, default: Any = MISSING) -> Any:
    """A field with one of the effects."""
    catalogue_section, description = _EFFECTS[name]
    return part(catalogue_section, description, default=default)


@dataclass(frozen=True)
class ComposedFriction(TyreLaw):
    """Slip, and six more effects that are left out unless asked for (section 3.5).

    A lean adds a lateral sliding speed (3.13); slip makes forces of the sliding velocity, in
    proportion to load, influence of the load and friction of the surface; the moments are
    those of overturning, rolling resistance, bore torque and alignment (3.14 to 3.16).

    Example:
    >>> import axletree as at
    >>> law = at.ComposedFriction(at.DryFriction(), at.ConstantRollingResistance(0.015))
    >>> rolls = at.Contact(4000.0, 0.0, 0.0, forward_speed=20.0, radius=0.3)  # N, m/s, m
    >>> print(f"{law(rolls).My:.1f} N m")  # -4000 * 0.015 * 0.3
    -18.0 N m
    """

    summary: ClassVar[str] = "seven exchangeable effects: slip, rolling resistance, camber, ..."
    takes_slip: ClassVar[bool] = False
    example: ClassVar[Mapping[str, Any]] = example_fields("composed")

    slip: FrictionSlip = _effect("slip")
    rolling_resistance: RollingResistance = _effect("rolling_resistance", NoRollingResistance)
    bore_torque: BoreTorque = _effect("bore_torque", NoBoreTorque)
    camber: CamberEffect = _effect("camber", NoCamberEffect)
    load_influence: LoadInfluence = _effect("load_influence", LinearLoadInfluence)
    overturning_torque: OverturningTorque = _effect("overturning_torque", NoOverturningTorque)
    aligning_torque: AligningTorque = _effect("aligning_torque", NoAligningTorque)

    def problems(self) -> list[str]:
        of_side_slip = {"camber": NoCamberEffect, "aligning_torque": NoAligningTorque}
        return [
            f"{field} needs a side slip, which this slip holds at zero; leave {field} out"
            for field, none in of_side_slip.items()
            if self.holds_lateral and not isinstance(getattr(self, field), none)
        ]

    @property
    def holds_lateral(self) -> bool:
        return self.slip.holds_lateral

    @property
    def holds_longitudinal(self) -> bool:
        return self.slip.holds_longitudinal

    @property
    def knows_friction(self) -> bool:
        return True

    def forces(self, contact: Contact, p: Parameters) -> Forces:
        known = with_velocities(contact)
        grip = self._grip(known, p)
        boring = self.bore_torque.moment(known, grip, within(p, "bore_torque"))
        aligning = self.aligning_torque.moment(known, grip, within(p, "aligning_torque"))
        return Forces(
            Fx=grip.Fx,
            Fy=grip.Fy,
            Mx=self.overturning_torque.moment(known, grip, within(p, "overturning_torque")),
            My=self.rolling_resistance.moment(known, grip, within(p, "rolling_resistance")),
            Mz=boring + aligning,  # (3.15)
        )

    def _grip(self, contact: Contact, p: Parameters) -> FrictionGrip:
        rolling = contact.rolling_speed
        leaning = self.camber.lateral_speed(contact, rolling, within(p, "camber"))
        lateral = contact.lateral_speed + leaning  # (3.13)
        sliding = Sliding(contact.sliding_speed, lateral, rolling)
        found = self.slip.coefficients(sliding, within(p, "slip"))
        influence = self.load_influence.factor(contact.normal_load, within(p, "load_influence"))
        factor = influence * contact.friction
        limit = contact.normal_load * factor
        return FrictionGrip(
            sliding=sliding,
            Fx=limit * found.longitudinal,
            Fy=limit * found.lateral,
            adhesion_speed=found.adhesion_speed,
            full_sliding_speed=found.full_sliding_speed,
            factor=factor,
        )


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

    slip: FrictionSlip = _effect("slip", DryFriction)
    rolling_resistance: RollingResistance = _effect("rolling_resistance", ConstantRollingResistance)


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

    slip: FrictionSlip = _effect("slip", CombinedFriction)
    rolling_resistance: RollingResistance = _effect(
        "rolling_resistance", SpeedDependentRollingResistance
    )
    bore_torque: BoreTorque = _effect("bore_torque", CombinedBoreTorque)
    camber: CamberEffect = _effect("camber", partial(CombinedCamberSpeed, gain=1.0))
    load_influence: LoadInfluence = _effect("load_influence", QuadraticLoadInfluence)
    overturning_torque: OverturningTorque = _effect("overturning_torque", LinearOverturningTorque)
    aligning_torque: AligningTorque = _effect("aligning_torque", RillAligningTorque)
