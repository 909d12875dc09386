"""From the contact point to the wheel's centre: dynamics of the point, and the lever.

The contact point may move by itself (Andres 2009, section 3.7), as a mass on springs and dampers in
the road's plane; the lever (section 3.8) takes its forces to the wheel, whose carrier and axle get
them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from axletree.components.edges import Variable
from axletree.components.fields import Part, parameter, positive
from axletree.expr import NULL, ZERO, Expr, Vector
from axletree.wheel.contact_geometry import Patch
from axletree.wheel.contract import Forces


@dataclass(frozen=True)
class RimLoads:
    """At the wheel's centre; vectors in carrier components.

    Their power is force . velocity + moment . angular velocity of the carrier + torque . rate
    of the axle: the moment has all of what acts on the wheel, about its axis too.
    """

    force: Vector  # [N]
    moment: Vector  # [N m]
    torque: Expr  # [N m]

    def __add__(self, other: RimLoads) -> RimLoads:
        return RimLoads(
            self.force + other.force, self.moment + other.moment, self.torque + other.torque
        )


def loads_at(patch: Patch, Fz: Expr, f: Forces, left: Expr, below: Expr) -> RimLoads:
    """Of forces at a point beside and below the centre, at (0, left, -below) [m] in ISO axes.

    Morency 2007, eq. (3.41).
    """
    M = Vector((f.Mx + left * Fz + below * f.Fy, f.My - below * f.Fx, f.Mz - left * f.Fx))
    force = patch.x_C * f.Fx + patch.y_C * f.Fy + patch.n_C * Fz
    moment = patch.x_C * M[0] + patch.y_C * M[1] + patch.n_C * M[2]
    torque = M[1] * patch.cos_inclination + M[2] * patch.sin_inclination
    return RimLoads(force, moment, torque)


NO_LOADS = RimLoads(NULL, NULL, ZERO)


@dataclass(frozen=True)
class ContactAnswer:
    """What the wheel gets of the law's forces, and what the contact point does."""

    forces: Forces  # at the contact point
    beside: RimLoads = NO_LOADS  # at the wheel's centre
    rates: tuple[Expr, ...] = ()
    energy: Expr = ZERO  # [J]
    starts: tuple[Expr, ...] = ()  # of the states: the point moves with the belt


class ContactDynamics(Part, ABC):
    """What lies between the road and the tread's contact point."""

    needs_flat_ground: ClassVar[bool] = False

    def states(self) -> tuple[Variable, ...]:
        """What changes between road and tread by itself.

        Example:
        >>> import axletree as at
        >>> len(at.SecondOrderContact().states()), len(at.NoContactDynamics().states())
        (4, 0)
        """
        return ()

    @abstractmethod
    def move(self, patch: Patch, states: Sequence[Expr], p: Any) -> Patch:
        """The patch that slides on the road, from that of the belt.

        Example:
        >>> import axletree as at
        >>> from axletree.expr.vectors import IDENTITY, NULL
        >>> from axletree.wheel.contact_geometry import WheelOnPlane
        >>> (x, y, z), point = IDENTITY, at.SecondOrderContact()
        >>> rim = at.PlanarDisc().patch(WheelOnPlane(z, 0.3, x * 20.0, NULL, y, 66.0, 0.31), {})
        >>> print(point.move(rim, (0.0, 0.0, 20.0, 0.5), point.numbers).lateral_speed)  # m/s
        0.5
        """

    @abstractmethod
    def answer(self, patch: Patch, forces: Forces, states: Sequence[Expr], p: Any) -> ContactAnswer:
        """From the patch of the belt and the forces of the road.

        Example:
        >>> import axletree as at
        >>> from axletree.expr.vectors import IDENTITY, NULL
        >>> from axletree.wheel.contact_geometry import WheelOnPlane
        >>> (x, y, z), point = IDENTITY, at.SecondOrderContact(lateral_stiffness=1e5)  # N/m
        >>> rim = at.PlanarDisc().patch(WheelOnPlane(z, 0.3, x * 20.0, NULL, y, 66.0, 0.31), {})
        >>> road = at.Forces(Fx=0.0, Fy=-500.0, Mx=0.0, My=0.0, Mz=0.0)  # N
        >>> print(point.answer(rim, road, (0.0, -0.004, 20.0, 0.0), point.numbers).forces.Fy)  # N
        -400
        """


@dataclass(frozen=True)
class NoContactDynamics(ContactDynamics):
    """The contact point belongs to the belt.

    Example:
    >>> import axletree as at
    >>> at.NoContactDynamics().states()
    ()
    """

    summary: ClassVar[str] = "none: the contact point is one with the belt"

    def move(self, patch: Patch, states: Sequence[Expr], p: Any) -> Patch:
        return patch

    def answer(self, patch: Patch, forces: Forces, states: Sequence[Expr], p: Any) -> ContactAnswer:
        return ContactAnswer(forces)


@dataclass(frozen=True)
class SecondOrderContact(ContactDynamics):
    """A mass at the contact point on springs and dampers, along the road's plane.

    ``sprung_point`` has its equations; the point that it is fixed to is the contact point of
    the geometric wheel, which does not spin. Treads run through it: the force of the road
    turns the wheel at once, and moves it through the springs. So the power of slip is that of
    the law's own velocities. Mass and weight count along the plane alone.

    Example:
    >>> import axletree as at
    >>> [f"{state.suffix} [{state.unit}]" for state in at.SecondOrderContact().states()]
    ['contact_x [m]', 'contact_y [m]', 'contact_vx [m/s]', 'contact_vy [m/s]']
    """

    summary: ClassVar[str] = "a mass at the contact point on springs, on flat ground"
    needs_flat_ground: ClassVar[bool] = True

    mass: float = positive("kg", "mass at the contact point", default=5.0)
    longitudinal_stiffness: float = parameter("N/m", "stiffness along", default=1e5, lower=0.0)
    lateral_stiffness: float = parameter("N/m", "stiffness across", default=1e5, lower=0.0)
    longitudinal_damping: float = parameter("N*s/m", "damping along", default=1e4, lower=0.0)
    lateral_damping: float = parameter("N*s/m", "damping across", default=1e4, lower=0.0)

    def states(self) -> tuple[Variable, ...]:
        return tuple(replace(v, suffix=f"contact_{v.suffix}") for v in POINT_STATES)

    def move(self, patch: Patch, states: Sequence[Expr], p: Any) -> Patch:
        ahead = states[2] - patch.rolling_speed(patch.loaded_radius)
        return replace(patch, centre_speed=patch.centre_speed + ahead, lateral_speed=states[3])

    def answer(self, patch: Patch, forces: Forces, states: Sequence[Expr], p: Any) -> ContactAnswer:
        rolling = patch.rolling_speed(patch.loaded_radius)
        velocity = (rolling, patch.lateral_speed)
        point = SprungPoint(states, p, patch.yaw_rate, velocity, patch.gravity_along)
        found = point.under(forces.Fx, forces.Fy)
        Px, Py = found.passed
        # What the springs pass turns the wheel by its lever; the rest of the road's force does so.
        reach = patch.reach(patch.loaded_radius)
        torque = (reach.ring - reach.lift * patch.cos_inclination) * (Px - forces.Fx)
        moment = patch.spinning * torque + patch.yawing * found.yaw_moment
        return ContactAnswer(
            forces=replace(forces, Fx=Px, Fy=Py),
            beside=RimLoads(NULL, moment, torque),
            rates=found.rates,
            energy=found.energy,
            starts=(ZERO, ZERO, *velocity),
        )


# A mass that moves in the road's plane, on springs and dampers to a point of the wheel.
#
# The springs lie along the ISO axes x and y of the contact, which turn about the normal at the
# yaw rate s. With e the deflection, V the mass's velocity in the road, v that of the point, F
# the force on the mass with its weight, and S that of springs and dampers on it, all along x, y:
#
#     de_x/dt = V_x - v_x + s e_y        m dV_x/dt = F_x + S_x + m s V_y
#     de_y/dt = V_y - v_y - s e_x        m dV_y/dt = F_y + S_y - m s V_x
#
# The wheel gets -S at the point, and as a moment that works on s what S does on the turning of
# its axes, S_x e_y - S_y e_x.

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


class Lever(Part, ABC):
    """Where on the wheel the forces of the contact act."""

    @abstractmethod
    def loads(self, patch: Patch, Fz: Expr, forces: Forces) -> RimLoads:
        """At the wheel's centre in carrier components, from normal force [N] and law's forces.

        Example:
        >>> import axletree as at
        >>> from axletree.expr.vectors import IDENTITY, NULL
        >>> from axletree.wheel.contact_geometry import WheelOnPlane
        >>> x, y, z = IDENTITY  # forward, left, up
        >>> wheel = WheelOnPlane(z, 0.3, x * 20.0, NULL, y, 66.0, 0.31)  # 0.3 m above the road
        >>> drives = at.Forces(Fx=1000.0, Fy=0.0, Mx=0.0, My=0.0, Mz=0.0)  # N
        >>> loads = at.RigidLever().loads(at.PlanarDisc().patch(wheel, {}), 4000.0, drives)
        >>> print(*loads.force, loads.torque)  # N, and N m about the axle
        1000 0 4000 -300
        """


@dataclass(frozen=True)
class RigidLever(Lever):
    """The forces act at the contact point: they turn the wheel.

    Example:
    >>> import axletree as at
    >>> at.read_model("quarter-car")["tyre"].lever  # unless another one is asked for
    RigidLever()
    """

    summary: ClassVar[str] = "forces act at the contact point"

    def loads(self, patch: Patch, Fz: Expr, forces: Forces) -> RimLoads:
        return loads_at(patch, Fz, forces, patch.offset, patch.height)


@dataclass(frozen=True)
class NoLever(Lever):
    """The forces act at the wheel's centre: a slider that does not roll, for comparison.

    What they do work on is then not the velocity that slip is formed of, so that energy does
    not balance while the wheel spins.

    Example:
    >>> import axletree as at
    >>> slides = {"components": {"tyre": {"lever": "none"}}}
    >>> system = at.read_model("quarter-car", slides).formulate()
    >>> print(system.states[2].name, system.derivatives[2])  # rad/s^2: no force turns the wheel
    axle.rate 0
    """

    summary: ClassVar[str] = "none: forces act at the wheel's centre and do not turn it"

    def loads(self, patch: Patch, Fz: Expr, forces: Forces) -> RimLoads:
        return loads_at(patch, Fz, forces, ZERO, ZERO)
