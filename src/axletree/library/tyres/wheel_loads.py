"""Force and moments on a wheel, as its carrier and its axle get them."""

from __future__ import annotations

from dataclasses import dataclass

from axletree.core.expr import Expr
from axletree.core.vectors import Vector
from axletree.library.tyres.contract import Forces
from axletree.library.tyres.patch import Patch


@dataclass(frozen=True)
class WheelLoads:
    """At the wheel's centre; vectors in carrier components.

    Their power is force . velocity + moment . angular velocity of the carrier + torque . rate
    of the axle: the moment has all of what acts on the wheel, about its axis too.
    """

    force: Vector  # [N]
    moment: Vector  # [N m]
    torque: Expr  # [N m]

    def __add__(self, other: WheelLoads) -> WheelLoads:
        return WheelLoads(
            self.force + other.force, self.moment + other.moment, self.torque + other.torque
        )


def loads_at(patch: Patch, Fz: Expr, f: Forces, left: Expr, below: Expr) -> WheelLoads:
    """Of forces at a point beside and below the centre, at (0, left, -below) [m] in ISO axes.

    Morency 2007, eq. (3.41).
    """
    M = Vector((f.Mx + left * Fz + below * f.Fy, f.My - below * f.Fx, f.Mz - left * f.Fx))
    force = patch.x_C * f.Fx + patch.y_C * f.Fy + patch.n_C * Fz
    moment = patch.x_C * M[0] + patch.y_C * M[1] + patch.n_C * M[2]
    torque = M[1] * patch.cos_inclination + M[2] * patch.sin_inclination
    return WheelLoads(force, moment, torque)
