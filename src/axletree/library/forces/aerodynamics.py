"""Forces and moments of the air on a body that moves through it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import absolute, atan2, sqrt
from axletree.core.vectors import Vector
from axletree.library.contract import Component, Computed, Instant, Load, Response
from axletree.library.edge import Basis
from axletree.library.fields import parameter
from axletree.library.frame import Frame, frame
from axletree.library.signal import Signal, signal

STANDARD_DENSITY = 1.225  # kg/m^3, of the standard atmosphere at sea level
LEAST_SPEED = 1e-3  # m/s, of a root that has no slope at zero


@dataclass(frozen=True, eq=False)
class Aerodynamics(Component):
    """Drag, side force, lift and three moments, by coefficients and the dynamic pressure.

    Axes are x forward, y left, z up of the head. With its speed v through the air along x and y,
    q = rho v^2 / 2 and the angle beta by which the air comes from the right, the forces at its
    origin are

        Fx = -q A C_D cos(beta),  Fy = q A C_Y beta,  Fz = q A C_L

    and the moments q A L (C_Mx beta, C_My, C_Mz beta) with the reference length L.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> car = model.add(at.RigidBody("car", mass=1000.0))
    >>> way = model.add(at.Prismatic("way", model.ground, car))
    >>> air = model.add(at.Aerodynamics("air", model.ground, car, area=2.0, drag=0.3))  # m^2, 1
    >>> rates = model.formulate().rhs({"way.position": 0.0, "way.speed": 40.0})
    >>> print(f"{rates['way.speed']:.4f} m/s^2")  # -1.225 / 2 * 40^2 * 2 * 0.3 / 1000
    -0.5880 m/s^2
    """

    summary: ClassVar[str] = "drag, lift, side force and moments of the air"

    name: str
    ground: Frame = frame("frame in which the air rests, or blows by the wind")
    head: Frame = frame("frame of the body at the point that the coefficients are about")
    area: float = parameter("m^2", "frontal area, A", lower=0.0, above=True)
    drag: float = parameter("1", "C_D, against the motion", lower=0.0)
    lift: float = parameter("1", "C_L, positive upward", default=0.0)
    side: float = parameter("1/rad", "C_Y by angle, positive away from the wind", default=0.0)
    roll_moment: float = parameter("1/rad", "C_Mx by angle, about x", default=0.0)
    pitch_moment: float = parameter("1", "C_My, about y: nose down if positive", default=0.0)
    yaw_moment: float = parameter("1/rad", "C_Mz by angle, about z", default=0.0)
    length: float = parameter("m", "reference length of moments, L", default=1.0, lower=0.0)
    density: float = parameter("kg/m^3", "density of the air", default=STANDARD_DENSITY, lower=0.0)
    wind_x: Signal = signal("m/s", "speed of the wind along x of the ground", default=0.0)
    wind_y: Signal = signal("m/s", "speed of the wind along y of the ground", default=0.0)

    def measures(self) -> tuple[tuple[Frame, Frame], ...]:
        return ((self.ground, self.head),)

    def respond(self, now: Instant) -> Response:
        motion = now.motions[0]
        wind = motion.R_tail_head.T @ Vector((self.signal("wind_x"), self.signal("wind_y"), 0.0))
        through = motion.velocity_head - wind  # velocity of the body through the air, head axes
        square = through[0] * through[0] + through[1] * through[1]
        speed = sqrt(square + LEAST_SPEED * LEAST_SPEED)
        beta = atan2(-through[1], absolute(through[0]) + LEAST_SPEED)
        pushed = (0.5 * self.symbol("density")) * square * self.symbol("area")
        along = pushed * self.symbol("drag") * (through[0] / speed)
        force = Vector((-along, pushed * self.symbol("side") * beta, pushed * self.symbol("lift")))
        lever = pushed * self.symbol("length")
        turns = (
            self.symbol("roll_moment") * beta,
            self.symbol("pitch_moment"),
            self.symbol("yaw_moment") * beta,
        )
        moment = Vector(lever * turn for turn in turns)
        load = Load(self.ground, self.head, force, moment, Basis.HEAD)
        return Response(
            loads=(load,),
            outputs=(
                Computed("drag_force", "N", "force of the air, backward", along),
                Computed("side_force", "N", "force of the air, to the left", force[1]),
                Computed("lift_force", "N", "force of the air, upward", force[2]),
                Computed("power", "W", "power of the air on the body", load.power(motion)),
            ),
        )
