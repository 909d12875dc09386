"""Rims and belts: mass that a tyre adds to its wheel (Andres 2009, section 3.4), and how the tread
is carried by the rim (section 3.10).

The contract of belts:

1. ``carry`` says how the belt moves over the road, from the patch that the rim would have with
   a rigid belt: contact, slip and forces are then those of the belt.
2. ``answer`` says what the rim gets of the forces on the belt, and the rates of the states.
3. Velocities among the states are those in the road, along axes that turn with the wheel, for
   a component knows no accelerations: the road must not accelerate.
4. Forces and velocities are dual by construction: what the contact does on the belt goes to
   the rim, into ``energy``, or into dampers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from axletree.components.bodies import revolution_problems
from axletree.components.contract import Inertia
from axletree.components.edges import Variable
from axletree.components.fields import Part, parameter, positive
from axletree.components.frames import Frame
from axletree.expr import NULL, ZERO, Expr, Matrix, Vector
from axletree.wheel.contact_dynamics import POINT_STATES, RimLoads, SprungPoint
from axletree.wheel.contact_geometry import Patch


@dataclass(frozen=True)
class BeltAnswer:
    """What the rim gets, and what the belt does."""

    loads: RimLoads
    rates: tuple[Expr, ...] = ()
    energy: Expr = ZERO  # [J], stored in the belt
    starts: tuple[Expr, ...] = ()  # of the states: the belt moves with the rim


class Belt(Part, ABC):
    """A belt on a rim."""

    needs_flat_ground: ClassVar[bool] = False
    moves_vertically: ClassVar[bool] = False  # whether its height is a state of its own

    def states(self) -> tuple[Variable, ...]:
        """What changes in the belt by itself; none of a belt that does not.

        Example:
        >>> import axletree as at
        >>> [f"{state.suffix} [{state.unit}]" for state in at.QuadBelt().states()[:3]]
        ['belt_x [m]', 'belt_z [m]', 'belt_twist [rad]']
        """
        return ()

    @abstractmethod
    def carry(self, rim: Patch, states: Sequence[Expr], p: Any) -> Patch:
        """The patch of the belt, from that of the rim, states and parameters by name.

        Example:
        >>> import axletree as at
        >>> from axletree.expr.vectors import IDENTITY, NULL
        >>> from axletree.wheel.contact_geometry import WheelOnPlane
        >>> (x, y, z), belt = IDENTITY, at.TorsionBelt()
        >>> rolls = WheelOnPlane(z, 0.3, x * 20.0, NULL, y, 66.0, 0.31)  # 20 m/s, 66 rad/s
        >>> tread = belt.carry(at.PlanarDisc().patch(rolls, {}), (0.0, 60.0), belt.numbers)
        >>> print(tread.sliding_speed(0.3))  # m/s: 20 - 60 * 0.3
        2
        """

    @abstractmethod
    def answer(self, rim: Patch, load: RimLoads, states: Sequence[Expr], p: Any) -> BeltAnswer:
        """From what the contact exerts at the belt's centre; vectors in carrier components.

        Example:
        >>> import axletree as at
        >>> from axletree.expr.vectors import IDENTITY, NULL
        >>> from axletree.wheel.contact_geometry import WheelOnPlane
        >>> from axletree.wheel.contact_dynamics import RimLoads
        >>> (x, y, z), belt = IDENTITY, at.TorsionBelt(stiffness=2e5)  # N m/rad
        >>> rim = at.PlanarDisc().patch(WheelOnPlane(z, 0.3, x * 20.0, NULL, y, 66.0, 0.31), {})
        >>> brakes = RimLoads(x * -1000.0, y * 300.0, 300.0)  # N, N m, N m about the axle
        >>> print(belt.answer(rim, brakes, (0.001, 66.0), belt.numbers).loads.torque)  # 2e5 * 0.001
        200
        """


def gyroscopic_moment(rim: Patch, momentum: Expr) -> Vector:
    """The moment [N m] that turns the axis of a ring with this momentum [N m s] about it."""
    return rim.wheel.angular_velocity.cross(rim.wheel.axis) * momentum


# A belt that is one with the rim (Andres 2009, section 3.10.2).


@dataclass(frozen=True)
class RigidBelt(Belt):
    """No dynamics of its own.

    Example:
    >>> import axletree as at
    >>> at.RigidBelt().states()
    ()
    """

    summary: ClassVar[str] = "none: the belt is one with the rim"

    def carry(self, rim: Patch, states: Sequence[Expr], p: Any) -> Patch:
        return rim

    def answer(self, rim: Patch, load: RimLoads, states: Sequence[Expr], p: Any) -> BeltAnswer:
        return BeltAnswer(load)


# A belt that twists on its rim (Andres 2009, section 3.10.3).

TWIST = Variable("belt_twist", "rad", "angle by which the belt is ahead of the rim")
_RATE = Variable("belt_rate", "rad/s", "angular velocity of the belt in the road about the axle")


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

    inertia: float = positive("kg*m^2", "inertia of the belt about the axle", default=1.0)
    stiffness: float = positive("N*m/rad", "stiffness against twist", default=2e5)
    damping: float = parameter("N*m*s/rad", "damping of twist", default=1e3, lower=0.0)

    def states(self) -> tuple[Variable, ...]:
        return (TWIST, _RATE)

    def carry(self, rim: Patch, states: Sequence[Expr], p: Any) -> Patch:
        return replace(rim, turning=states[1])

    def answer(self, rim: Patch, load: RimLoads, states: Sequence[Expr], p: Any) -> BeltAnswer:
        twist, rate = states
        twisting = rate - rim.turning
        passed = p["stiffness"] * twist + p["damping"] * twisting
        turned = gyroscopic_moment(rim, p["inertia"] * rate)
        moment = load.moment + rim.wheel.axis * (passed - load.torque) - turned
        return BeltAnswer(
            loads=RimLoads(load.force, moment, passed),
            rates=(twisting, (load.torque - passed) / p["inertia"]),
            energy=0.5 * (p["inertia"] * rate * rate + p["stiffness"] * twist * twist),
            starts=(ZERO, rim.turning),
        )


# A belt that moves along and across the rim (Andres 2009, section 3.10.4).


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

    mass: float = positive("kg", "mass of the belt", default=5.0)
    longitudinal_stiffness: float = parameter("N/m", "stiffness along", default=1e5, lower=0.0)
    lateral_stiffness: float = parameter("N/m", "stiffness across", default=1e5, lower=0.0)
    longitudinal_damping: float = parameter("N*s/m", "damping along", default=1e4, lower=0.0)
    lateral_damping: float = parameter("N*s/m", "damping across", default=1e4, lower=0.0)

    def states(self) -> tuple[Variable, ...]:
        return tuple(replace(v, suffix=f"belt_{v.suffix}") for v in POINT_STATES)

    def carry(self, rim: Patch, states: Sequence[Expr], p: Any) -> Patch:
        sideways = rim.lateral_speed - rim.wheel.velocity.dot(rim.y_C)  # of the point below
        return replace(rim, centre_speed=states[2], lateral_speed=states[3] + sideways)

    def answer(self, rim: Patch, load: RimLoads, states: Sequence[Expr], p: Any) -> BeltAnswer:
        v, F = rim.wheel.velocity, load.force
        velocity = (rim.centre_speed, v.dot(rim.y_C))
        point = SprungPoint(states, p, rim.yaw_rate, velocity, rim.gravity_along)
        found = point.under(F.dot(rim.x_C), F.dot(rim.y_C))
        force = rim.x_C * found.passed[0] + rim.y_C * found.passed[1]
        force = force + rim.n_C * F.dot(rim.n_C)
        moment = load.moment + rim.yawing * found.yaw_moment
        loads, starts = RimLoads(force, moment, load.torque), (ZERO, ZERO, *velocity)
        return BeltAnswer(loads, found.rates, found.energy, starts)


# A ring on four springs (Andres 2009, section 3.10.5).

RING_STATES = (
    Variable("belt_x", "m", "how far the belt's centre is ahead of the rim's"),
    Variable("belt_z", "m", "how far it is above, in the wheel plane"),
    TWIST,
    Variable("belt_vx", "m/s", "velocity of the belt's centre in the road, forward"),
    Variable("belt_vz", "m/s", "the same, up in the wheel plane"),
    _RATE,
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

    mass: float = positive("kg", "mass of the ring", default=5.0)
    inertia: float = positive("kg*m^2", "inertia of the ring about the axle", default=1.0)
    stiffness: float = positive("N/m", "stiffness c of each spring", default=3e5)
    damping: float = parameter("N*s/m", "damping d of each damper", default=1.0, lower=0.0)
    free_length: float = parameter("m", "length of a free spring", default=0.04, lower=0.0)
    side_wall: float = positive("m", "height of the side wall: length of a spring, l", default=0.05)
    rim_radius: float = positive("m", "radius of the rim, r", default=0.1778)
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

    def answer(self, rim: Patch, load: RimLoads, states: Sequence[Expr], p: Any) -> BeltAnswer:
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
        loads = RimLoads(
            force=rim.x_C * Px + up * Pz + u * aside,
            moment=moment - gyroscopic_moment(rim, p["inertia"] * rate),
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
        starts = (ZERO, ZERO, ZERO, rim.centre_speed, v.dot(up), rim.turning)
        return BeltAnswer(loads, rates, 0.5 * (kinetic + elastic), starts)

    def _stiffnesses(self, p: Any) -> tuple[Expr, Expr]:
        """In the plane [N/m] and against twist [N m/rad]."""
        length, radius = p["side_wall"], p["rim_radius"]
        pull = p["stiffness"] * (length - p["free_length"]) / length
        return 2.0 * (p["stiffness"] + pull), 4.0 * pull * radius * (radius + length)


def _out_of_plane(rim: Patch, x: Expr, z: Expr) -> Expr:
    """The velocity of the belt's centre along the axle [m/s]."""
    v: Vector = rim.wheel.velocity
    return v.dot(rim.wheel.axis) + x * rim.upright_rate - z * rim.lean_rate


class Rim(Part, ABC):
    """What the wheel weighs beside its body."""

    @abstractmethod
    def inertias(self, wheel: Frame, axis: int, p: Any) -> tuple[Inertia, ...]:
        """Fixed to the wheel's frame, whose coordinate axis of this number is its axis.

        Example:
        >>> import axletree as at
        >>> wheel, rim = at.RigidBody("wheel", 10.0, (0.3, 0.5, 0.3)), at.SpokedRim(mass="7 kg")
        >>> (found,) = rim.inertias(wheel.main_frame, 1, rim.numbers)  # its axis is y
        >>> found.mass, [float(found.tensor[k][k]) for k in range(3)]  # kg, kg m^2
        (7.0, [0.15, 0.25, 0.15])
        """


@dataclass(frozen=True)
class NoRim(Rim):
    """The body that the axle carries has all the mass.

    Example:
    >>> import axletree as at
    >>> at.NoRim().inertias(None, 1, {})
    ()
    """

    summary: ClassVar[str] = "none: the wheel's body has all the mass"

    def inertias(self, wheel: Frame, axis: int, p: Any) -> tuple[Inertia, ...]:
        return ()


@dataclass(frozen=True)
class SpokedRim(Rim):
    """A body of revolution at the wheel's centre, whose spin angle does not count.

    Mass and axial inertia are the defaults of Andres 2009; the transverse inertia there, a fifth
    of the axial one, is one that no body has.

    Example:
    >>> import axletree as at
    >>> rim = at.SpokedRim(mass="7 kg")
    >>> rim.mass, rim.axial_inertia  # kg, kg m^2
    (7.0, 0.25)
    """

    summary: ClassVar[str] = "a rim of revolution: mass and inertias beside those of the body"

    mass: float = positive("kg", "mass", default=6.0)
    axial_inertia: float = parameter("kg*m^2", "inertia about the axle", default=0.25, lower=0.0)
    transverse_inertia: float = parameter(
        "kg*m^2", "inertia about any line normal to the axle", default=0.15, lower=0.0
    )

    def problems(self) -> list[str]:
        return revolution_problems(self)

    def inertias(self, wheel: Frame, axis: int, p: Any) -> tuple[Inertia, ...]:
        about = [p["axial_inertia"] if k == axis else p["transverse_inertia"] for k in range(3)]
        tensor = Matrix([about[i] if i == j else 0.0 for j in range(3)] for i in range(3))
        return (Inertia(wheel, p["mass"], NULL, tensor, axis),)
