"""A belt that moves along and across the rim (Andres 2009, section 3.10.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from axletree.core.expr import Expr
from axletree.library.edge import Variable
from axletree.library.fields import parameter
from axletree.library.tyres.belts.contract import Belt, BeltAnswer
from axletree.library.tyres.patch import Patch
from axletree.library.tyres.sprung_point import POINT_STATES, SprungPoint
from axletree.library.tyres.wheel_loads import WheelLoads


@dataclass(frozen=True)
class LongitudinalLateralBelt(Belt):
    """A mass on springs and dampers to the rim's centre, along the road's plane.

    The belt keeps the rim's height and its turns. Its mass and weight count along the plane
    alone: along the normal the wheel weighs what it does without. ``sprung_point`` has the
    equations.

    Example:
    >>> import axletree as at
    >>> [f"{state.suffix} [{state.unit}]" for state in at.LongitudinalLateralBelt().states()]
    ['belt_x [m]', 'belt_y [m]', 'belt_vx [m/s]', 'belt_vy [m/s]']
    """

    summary: ClassVar[str] = "a mass that moves along and across the rim, on flat ground"
    needs_flat_ground: ClassVar[bool] = True

    mass: float = parameter("kg", "mass of the belt", default=5.0, lower=0.0, above=True)
    longitudinal_stiffness: float = parameter("N/m", "stiffness along", default=1e5, lower=0.0)
    lateral_stiffness: float = parameter("N/m", "stiffness across", default=1e5, lower=0.0)
    longitudinal_damping: float = parameter("N*s/m", "damping along", default=1e4, lower=0.0)
    lateral_damping: float = parameter("N*s/m", "damping across", default=1e4, lower=0.0)

    def states(self) -> tuple[Variable, ...]:
        return tuple(replace(v, suffix=f"belt_{v.suffix}") for v in POINT_STATES)

    def carry(self, rim: Patch, states: Sequence[Expr], p: Any) -> Patch:
        sideways = rim.lateral_speed - rim.wheel.velocity.dot(rim.y_C)  # of the point below
        return replace(rim, centre_speed=states[2], lateral_speed=states[3] + sideways)

    def answer(self, rim: Patch, load: WheelLoads, states: Sequence[Expr], p: Any) -> BeltAnswer:
        v, F = rim.wheel.velocity, load.force
        velocity = (rim.centre_speed, v.dot(rim.y_C))
        point = SprungPoint(states, p, rim.yaw_rate, velocity, rim.gravity_along)
        found = point.under(F.dot(rim.x_C), F.dot(rim.y_C))
        force = rim.x_C * found.passed[0] + rim.y_C * found.passed[1]
        return BeltAnswer(
            loads=WheelLoads(
                force=force + rim.n_C * F.dot(rim.n_C),
                moment=load.moment + rim.yawing * found.yaw_moment,
                torque=load.torque,
            ),
            rates=found.rates,
            energy=found.energy,
        )
