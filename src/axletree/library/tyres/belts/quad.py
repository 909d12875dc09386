"""A ring on four springs (Andres 2009, section 3.10.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from axletree.core.expr import Expr
from axletree.core.vectors import Vector
from axletree.library.edge import Variable
from axletree.library.fields import parameter
from axletree.library.tyres.belts.contract import Belt, BeltAnswer, gyroscopic
from axletree.library.tyres.belts.torsion import RATE, TWIST
from axletree.library.tyres.patch import Patch
from axletree.library.tyres.wheel_loads import WheelLoads

RING_STATES = (
    Variable("belt_x", "m", "how far the belt's centre is ahead of the rim's"),
    Variable("belt_z", "m", "how far it is above, in the wheel plane"),
    TWIST,
    Variable("belt_vx", "m/s", "velocity of the belt's centre in the road, forward"),
    Variable("belt_vz", "m/s", "the same, up in the wheel plane"),
    RATE,
)


@dataclass(frozen=True)
class QuadBelt(Belt):
    """A rigid ring on four stretched springs, each with a damper, a quarter turn apart.

    They run outward from the rim and turn with it. In sum they do not tell directions: to the
    second order in the deflections, stiffness and damping are the same at every spin angle,

        in the plane 2 (c + T / l) and 2 d,    against twist 4 T r (r + l) / l

    with l the height of the side wall, r the radius of the rim, T = c (l - free length) the
    tension. Dampers feel the velocity relative to the rim as it spins. The ring follows the rim
    out of the wheel plane: its weight is carried in full, its mass counts in that plane alone.
    Its inertia about the axle is no part of the wheel's.

    Example:
    >>> import axletree as at
    >>> belt = at.QuadBelt()
    >>> tension = belt.stiffness * (belt.side_wall - belt.free_length)  # N
    >>> print(f"{2 * (belt.stiffness + tension / belt.side_wall):.0f} N/m in the wheel plane")
    720000 N/m in the wheel plane
    """

    summary: ClassVar[str] = "a ring on four springs that moves in the wheel plane and twists"
    needs_flat_ground: ClassVar[bool] = True
    moves_vertically: ClassVar[bool] = True

    mass: float = parameter("kg", "mass of the ring", default=5.0, lower=0.0, above=True)
    inertia: float = parameter(
        "kg*m^2", "inertia of the ring about the axle", default=1.0, lower=0.0, above=True
    )
    stiffness: float = parameter(
        "N/m", "stiffness c of each spring", default=3e5, lower=0.0, above=True
    )
    damping: float = parameter("N*s/m", "damping d of each damper", default=1.0, lower=0.0)
    free_length: float = parameter("m", "length of a free spring", default=0.04, lower=0.0)
    side_wall: float = parameter(
        "m", "height of the side wall: length of a spring, l", default=0.05, lower=0.0, above=True
    )
    rim_radius: float = parameter(
        "m", "radius of the rim, r", default=0.1778, lower=0.0, above=True
    )
    twist_damping: float = parameter("N*m*s/rad", "damping of twist", default=0.0, lower=0.0)

    def problems(self) -> list[str]:
        if self.free_length < self.side_wall:
            return []
        return ["the free_length must be less than the side_wall, or the springs hold no twist"]

    def states(self) -> tuple[Variable, ...]:
        return RING_STATES

    def carry(self, rim: Patch, states: Sequence[Expr], p: Any) -> Patch:
        x, z, _, Vx, Vz, rate = states
        sine, cosine = rim.sin_inclination, rim.cos_inclination
        height = rim.height + z * cosine
        Vu = _out_of_plane(rim, x, z)
        return replace(
            rim,
            height=height,
            loaded_radius=rim.section.loaded_radius(height, rim.lean),
            climb=Vz * cosine + Vu * sine,
            centre_speed=Vx,
            lateral_speed=Vu * cosine - Vz * sine + height * rim.lean_rate,
            turning=rate,
        )

    def answer(self, rim: Patch, load: WheelLoads, states: Sequence[Expr], p: Any) -> BeltAnswer:
        x, z, twist, Vx, Vz, rate = states
        u, up, v = rim.wheel.axis, rim.up_C, rim.wheel.velocity
        ahead, above, s = Vx - rim.centre_speed, Vz - v.dot(up), rim.swivelling
        stiffness, torsional = self._stiffnesses(p)
        damping, twisting = 2.0 * p["damping"], rate - rim.turning
        Px = stiffness * x + damping * (ahead - rim.turning * z)
        Pz = stiffness * z + damping * (above + rim.turning * x)
        turn = torsional * twist + p["twist_damping"] * twisting
        F, g = load.force, rim.wheel.gravity
        aside = F.dot(u) + p["mass"] * g.dot(u)
        passed = turn + Px * z - Pz * x
        moment = load.moment + u * (passed - load.torque) + (up * x - rim.x_C * z) * aside
        loads = WheelLoads(
            force=rim.x_C * Px + up * Pz + u * aside,
            moment=moment - gyroscopic(rim, p["inertia"] * rate),
            torque=passed,
        )
        rates = (
            ahead - s * z,
            above + s * x,
            twisting,
            (F.dot(rim.x_C) - Px) / p["mass"] + g.dot(rim.x_C) - s * Vz,
            (F.dot(up) - Pz) / p["mass"] + g.dot(up) + s * Vx,
            (load.torque - turn) / p["inertia"],
        )
        kinetic = p["mass"] * (Vx * Vx + Vz * Vz) + p["inertia"] * rate * rate
        elastic = stiffness * (x * x + z * z) + torsional * twist * twist
        return BeltAnswer(loads, rates, 0.5 * (kinetic + elastic))

    def _stiffnesses(self, p: Any) -> tuple[Expr, Expr]:
        """In the plane [N/m] and against twist [N m/rad]."""
        length, radius = p["side_wall"], p["rim_radius"]
        pull = p["stiffness"] * (length - p["free_length"]) / length
        return 2.0 * (p["stiffness"] + pull), 4.0 * pull * radius * (radius + length)


def _out_of_plane(rim: Patch, x: Expr, z: Expr) -> Expr:
    """The velocity of the belt's centre along the axle [m/s]."""
    v: Vector = rim.wheel.velocity
    return v.dot(rim.wheel.axis) + x * rim.upright_rate - z * rim.lean_rate
