"""A mass that moves in the road's plane, on springs and dampers to a point of the wheel.

The springs lie along the ISO axes x and y of the contact, which turn about the normal at the
yaw rate s. With e the deflection, V the mass's velocity in the road, v that of the point, F
the force on the mass with its weight, and S that of springs and dampers on it, all along x, y:

    de_x/dt = V_x - v_x + s e_y        m dV_x/dt = F_x + S_x + m s V_y
    de_y/dt = V_y - v_y - s e_x        m dV_y/dt = F_y + S_y - m s V_x

The wheel gets -S at the point, and as a moment that works on s what S does on the turning of
its axes, S_x e_y - S_y e_x.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from axletree.core.expr import Expr
from axletree.library.edge import Variable

POINT_STATES = (
    Variable("x", "m", "how far it is deflected forward"),
    Variable("y", "m", "how far it is deflected to the left"),
    Variable("vx", "m/s", "its velocity in the road, forward"),
    Variable("vy", "m/s", "its velocity in the road, to the left"),
)


@dataclass(frozen=True)
class PointAnswer:
    """What a sprung mass does under a force."""

    passed: tuple[Expr, Expr]  # -S [N], on the wheel
    yaw_moment: Expr  # [N m], on the wheel; its power is that on the yaw rate
    rates: tuple[Expr, ...]
    energy: Expr  # [J]


@dataclass(frozen=True)
class SprungPoint:
    """The mass, its springs and the motion of the point that they are fixed to."""

    states: Sequence[Expr]
    parameters: Mapping[str, Expr]
    yaw_rate: Expr  # s [rad/s]
    velocity: tuple[Expr, Expr]  # v [m/s]
    gravity: tuple[Expr, Expr]  # [m/s^2]

    def under(self, Fx: Expr, Fy: Expr) -> PointAnswer:
        """The answer to a force [N] beside the weight."""
        p, m, s = self.parameters, self.parameters["mass"], self.yaw_rate
        x, y, Vx, Vy = self.states
        along = Vx - self.velocity[0] + s * y
        across = Vy - self.velocity[1] - s * x
        c_x, c_y = p["longitudinal_stiffness"], p["lateral_stiffness"]
        Px = c_x * x + p["longitudinal_damping"] * along
        Py = c_y * y + p["lateral_damping"] * across
        forward = (Fx - Px) / m + self.gravity[0] + s * Vy
        sideways = (Fy - Py) / m + self.gravity[1] - s * Vx
        kinetic, elastic = m * (Vx * Vx + Vy * Vy), c_x * (x * x) + c_y * (y * y)
        rates = (along, across, forward, sideways)
        return PointAnswer((Px, Py), Py * x - Px * y, rates, 0.5 * (kinetic + elastic))
