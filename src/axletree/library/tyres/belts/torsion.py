"""A belt that twists on its rim (Andres 2009, section 3.10.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from axletree.core.expr import Expr
from axletree.library.edge import Variable
from axletree.library.fields import parameter
from axletree.library.tyres.belts.contract import Belt, BeltAnswer, gyroscopic
from axletree.library.tyres.patch import Patch
from axletree.library.tyres.wheel_loads import WheelLoads

TWIST = Variable("belt_twist", "rad", "angle by which the belt is ahead of the rim")
RATE = Variable("belt_rate", "rad/s", "angular velocity of the belt in the road about the axle")


@dataclass(frozen=True)
class TorsionBelt(Belt):
    """A ring that turns about the axle against a spring and a damper.

    Its inertia about the axle is no part of the wheel's; mass and transverse inertia are. With
    T the torque of the contact about the axle and W the angular velocity of the ring:

        d(twist)/dt = W - w . u - axle rate,   I dW/dt = T - c twist - d d(twist)/dt

    The rim gets the torque of spring and damper, the carrier what turns the ring's axis.

    Example:
    >>> import axletree as at
    >>> [f"{state.suffix} [{state.unit}]" for state in at.TorsionBelt().states()]
    ['belt_twist [rad]', 'belt_rate [rad/s]']
    """

    summary: ClassVar[str] = "a ring that twists on the rim"

    inertia: float = parameter(
        "kg*m^2", "inertia of the belt about the axle", default=1.0, lower=0.0, above=True
    )
    stiffness: float = parameter(
        "N*m/rad", "stiffness against twist", default=2e5, lower=0.0, above=True
    )
    damping: float = parameter("N*m*s/rad", "damping of twist", default=1e3, lower=0.0)

    def states(self) -> tuple[Variable, ...]:
        return (TWIST, RATE)

    def carry(self, rim: Patch, states: Sequence[Expr], p: Any) -> Patch:
        return replace(rim, turning=states[1])

    def answer(self, rim: Patch, load: WheelLoads, states: Sequence[Expr], p: Any) -> BeltAnswer:
        twist, rate = states
        twisting = rate - rim.turning
        passed = p["stiffness"] * twist + p["damping"] * twisting
        turned = gyroscopic(rim, p["inertia"] * rate)
        moment = load.moment + rim.wheel.axis * (passed - load.torque) - turned
        return BeltAnswer(
            loads=WheelLoads(load.force, moment, passed),
            rates=(twisting, (load.torque - passed) / p["inertia"]),
            energy=0.5 * (p["inertia"] * rate * rate + p["stiffness"] * twist * twist),
        )
