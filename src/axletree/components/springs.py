"""Springs and dampers: between two points, along and about the freedom of a joint, and bushings.

A characteristic, linear or tabulated, says how hard they pull back and what they store. The
anti-roll bar is a spring between the travels of two joints, the bushing an elastic mount with six
by six stiffness and damping.
"""

from __future__ import annotations

import enum
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from axletree.components.contract import (
    BetweenFrames,
    Component,
    Instant,
    JointLoad,
    Load,
    NamedOutput,
    Response,
)
from axletree.components.edges import TRANSLATION, Domain, Variable
from axletree.components.fields import chosen, matrix_parameter, parameter
from axletree.components.frames import Frame, frame
from axletree.components.joints import OnJoints, sliding_joint, turning_joint
from axletree.components.motion_laws import sine_vector
from axletree.components.signals import Curve, curve, integral
from axletree.expr import ZERO, Expr, interpolate, maximum, minimum, sqrt, where
from axletree.expr.vectors import IDENTITY, UNIT, Matrix, Vector


class ActingSide(enum.Enum):
    """On which side of its free length or angle a spring-damper acts."""

    BOTH = "both"
    ABOVE = "above"  # it can only pull: a rope, a rebound stop
    BELOW = "below"  # it can only push: a bump stop with clearance


@dataclass(frozen=True)
class Pull:
    """What opposes growth of a length or travel [N or N m], and the energy stored [J]."""

    effort: Expr
    energy: Expr


_NOTHING = "stiffness, damping and preload are all zero; give at least one of them"


class LinearSpring(Component):
    """Stiffness, damping and preload; one-sided, it neither sticks nor acts out of touch.

    On its one side a spring-damper that leaves faster than its spring follows lets go: the
    damper cannot turn the push of a bump stop into a pull.
    """

    free: ClassVar[str]  # the field that has the length or travel without spring force
    stiffness: float
    damping: float
    preload: float
    side: ActingSide

    def problems(self) -> list[str]:
        found = []
        if not (self.stiffness or self.damping or self.preload):
            found.append(_NOTHING)
        if self.side is ActingSide.ABOVE and self.preload < 0.0:
            found.append(f"preload {self.preload:g} pushes, but with side: above it can only pull")
        if self.side is ActingSide.BELOW and self.preload > 0.0:
            found.append(f"preload {self.preload:g} pulls, but with side: below it can only push")
        return found

    def problems_with(self, values: Mapping[str, float]) -> list[str]:
        """As of every component; but a run may leave nothing of a spring, to see it without."""
        return [text for text in super().problems_with(values) if not text.endswith(_NOTHING)]

    def pull(self, travel: Expr, rate: Expr) -> Pull:
        """At a length or travel that grows at a rate."""
        stiffness, preload = self.symbol("stiffness"), self.symbol("preload")
        deflection = travel - self.symbol(self.free)
        elastic = stiffness * deflection + preload
        effort = elastic + self.symbol("damping") * rate
        energy = (0.5 * stiffness * deflection + preload) * deflection
        if self.side is ActingSide.BOTH:
            return Pull(effort, energy)
        if self.side is ActingSide.ABOVE:
            in_touch, effort = deflection > 0.0, maximum(effort, ZERO)
        else:
            in_touch, effort = deflection < 0.0, minimum(effort, ZERO)
        return Pull(where(in_touch, effort, ZERO), where(in_touch, energy, ZERO))


class TabulatedSpring(Component):
    """A table over the length or travel and one over its rate; both, or one of them."""

    tables: ClassVar[tuple[str, str]]  # the fields that have them

    def problems(self) -> list[str]:
        if any(getattr(self, name) is not None for name in self.tables):
            return []
        return ["neither {} nor {} is given; give one or both".format(*self.tables)]

    def pull(self, travel: Expr, rate: Expr) -> Pull:
        """At a length or travel that grows at a rate."""
        over_travel, over_rate = (getattr(self, name) for name in self.tables)
        effort, energy = ZERO, ZERO
        if over_travel is not None:
            table = over_travel.table
            effort, energy = interpolate(table, travel), interpolate(integral(table), travel)
        if over_rate is not None:
            effort = effort + interpolate(over_rate.table, rate)
        return Pull(effort, energy)


_SHORTEST = 1e-9  # [m]; below it the line has no direction, and the force fades to zero


@dataclass(frozen=True, eq=False)
class BetweenPoints(BetweenFrames):
    """A massless element between two origins; the force on the head points to the tail."""

    measured_domains: ClassVar[tuple[Domain, ...]] = (TRANSLATION,)

    tail: Frame = frame("frame at one end")
    head: Frame = frame("frame at the other end")

    @abstractmethod
    def pull(self, length: Expr, rate: Expr) -> Pull:
        """The pull [N] at a length [m] that grows at a rate [m/s].

        Example:
        >>> import axletree as at
        >>> from axletree.expr import number
        >>> ground, bob = at.Model().ground, at.RigidBody("bob", mass=1.0)
        >>> curve = at.Curve((0.2, 0.4), (0.0, 800.0), "linear")  # m, N
        >>> rope = at.TabulatedSpringDamper("rope", ground, bob, force_at_length=curve)
        >>> print(f"{float(rope.pull(number(0.3), number(0.0)).effort):.1f} N")
        400.0 N
        """

    def respond(self, now: Instant) -> Response:
        r, v = now.motions[0].displacement, now.motions[0].velocity
        # The floor keeps length and slopes finite where the points meet.
        length = sqrt(maximum(r.dot(r), _SHORTEST**2))
        rate = r.dot(v) / length
        pull = self.pull(length, rate)
        return Response(
            loads=(Load(self.tail, self.head, force=r * (-pull.effort / length)),),
            potential_energy=pull.energy,
            outputs=(
                NamedOutput("length", "m", "distance of the two points", length),
                NamedOutput("length_rate", "m/s", "rate of the distance", rate),
                NamedOutput("force", "N", "force that pulls the points together", pull.effort),
                NamedOutput("power", "W", "power delivered to the bodies", -pull.effort * rate),
            ),
        )


class OnJoint(OnJoints):
    """A massless element that works on the angle or the position of a joint."""

    joint: Component
    effort: ClassVar[Variable]  # on the head

    @abstractmethod
    def pull(self, travel: Expr, rate: Expr) -> Pull:
        """The torque [N m] or force [N] against the angle [rad] or position [m], which grows at a
        rate [rad/s or m/s].

        Example:
        >>> import axletree as at
        >>> from axletree.expr import symbol
        >>> pin = at.read_model("pendulum")["pin"]
        >>> spring = at.RotationalSpringDamper("spring", pin, stiffness="40 N*m/rad")
        >>> print(spring.pull(symbol("angle"), symbol("rate")).energy)  # J
        0.5*angle*angle*spring.stiffness
        """

    def respond(self, now: Instant) -> Response:
        travel, own = now.travels[0], self.effort
        pull = self.pull(travel.travel, travel.rate)
        power = NamedOutput(
            "power", "W", "power delivered to the bodies", -pull.effort * travel.rate
        )
        return Response(
            joint_loads=(JointLoad(self.measured_joints()[0], -pull.effort),),
            potential_energy=pull.energy,
            outputs=(NamedOutput(own.suffix, own.unit, own.description, -pull.effort), power),
        )


@dataclass(frozen=True, eq=False)
class AboutTurn(OnJoint):
    """A massless element that works on the angle of a joint."""

    effort: ClassVar[Variable] = Variable("torque", "N*m", "torque on the head about the axis")

    joint: Component = turning_joint("joint whose angle it works on")


@dataclass(frozen=True, eq=False)
class AlongSlide(OnJoint):
    """A massless element that works on the position of a joint."""

    effort: ClassVar[Variable] = Variable("force", "N", "force on the head along the axis")

    joint: Component = sliding_joint("joint whose position it works on")


@dataclass(frozen=True, eq=False)
class SpringDamper(LinearSpring, BetweenPoints):
    """A spring and a damper side by side between two points.

    The pull is ``stiffness * (length - free_length) + damping * rate + preload``.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> block = model.add(at.RigidBody("block", mass=3.0))
    >>> way = model.add(at.Prismatic("way", model.ground, block, axis="-z"))
    >>> spring = at.SpringDamper("spring", model.ground, block, stiffness="1 kN/m", free_length=0.2)
    >>> steady = model.extended(spring).formulate().trim(start={"way.position": 0.2})
    >>> print(f"{steady['way.position']:.5f} m")  # hangs at 0.2 + 3 * 9.80665 / 1000
    0.22942 m
    """

    summary: ClassVar[str] = "spring and damper between two points; one-sided on request"
    free: ClassVar[str] = "free_length"

    stiffness: float = parameter("N/m", "stiffness", lower=0.0, default=0.0)
    damping: float = parameter("N*s/m", "damping", lower=0.0, default=0.0)
    free_length: float = parameter("m", "length without spring force", lower=0.0, default=0.0)
    preload: float = parameter("N", "pull at the free length; negative for a push", default=0.0)
    side: ActingSide = chosen(ActingSide.BOTH, "side of the free_length on which it acts")


@dataclass(frozen=True, eq=False)
class TabulatedSpringDamper(TabulatedSpring, BetweenPoints):
    """A spring and a damper between two points, by their measured curves.

    The pull is the sum of a curve over the length and a curve over its rate. A one-sided
    spring is a curve that is zero on the other side.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> block = model.add(at.RigidBody("block", mass="5 kg"))
    >>> way = model.add(at.Prismatic("way", model.ground, block, axis="-z"))
    >>> pull = at.Curve((0.1, 0.2, 0.3), (-100.0, 0.0, 100.0), "linear")  # N over m
    >>> spring = model.add(at.TabulatedSpringDamper("spring", model.ground, block, pull))
    >>> hangs = model.formulate().trim(start={"way.position": 0.22})
    >>> print(f"{hangs['way.position']:.5f} m")  # 0.2 + 5 * 9.80665 / 1000
    0.24903 m
    """

    summary: ClassVar[str] = "spring and damper between two points, by tables"
    tables: ClassVar[tuple[str, str]] = ("force_at_length", "force_at_speed")

    force_at_length: Curve | None = curve(
        "m", "N", "pull of the spring over the length", default=None
    )
    force_at_speed: Curve | None = curve(
        "m/s", "N", "pull of the damper over the rate of the length", default=None
    )


@dataclass(frozen=True, eq=False)
class RotationalSpringDamper(LinearSpring, AboutTurn):
    """A torsion spring and a rotational damper about the axis of a joint.

    The torque against the angle is ``stiffness * (angle - free_angle) + damping * rate +
    preload``. The angle is the joint's own: it counts whole turns.

    Example:
    >>> import axletree as at
    >>> model = at.read_model("pendulum", {"gravity": [0, 0, 0]})
    >>> spring = model.add(at.RotationalSpringDamper("spring", model["pin"], 2.0, free_angle=0.5))
    >>> model.formulate().trim()["pin.angle"]  # rad
    0.5
    """

    summary: ClassVar[str] = "torsion spring and damper about a joint's axis; one-sided on request"
    free: ClassVar[str] = "free_angle"

    stiffness: float = parameter("N*m/rad", "stiffness", lower=0.0, default=0.0)
    damping: float = parameter("N*m*s/rad", "damping", lower=0.0, default=0.0)
    free_angle: float = parameter("rad", "angle of the joint without spring torque", default=0.0)
    preload: float = parameter("N*m", "torque against the angle at the free angle", default=0.0)
    side: ActingSide = chosen(ActingSide.BOTH, "side of the free_angle on which it acts")


@dataclass(frozen=True, eq=False)
class TabulatedRotationalSpringDamper(TabulatedSpring, AboutTurn):
    """A torsion spring and a rotational damper about a joint's axis, by their measured curves.

    The torque against the angle is the sum of a curve over the angle, which counts whole
    turns, and a curve over its rate.

    Example:
    >>> import axletree as at
    >>> model = at.read_model("pendulum", {"gravity": [0, 0, 0]})
    >>> torque = at.Curve((0.1, 0.3, 0.5), (-4.0, 0.0, 8.0), "linear")  # N m over rad
    >>> spring = model.add(at.TabulatedRotationalSpringDamper("spring", model["pin"], torque))
    >>> print(f"{model.formulate().trim()['pin.angle']:.3f} rad")  # where it has no torque
    0.300 rad
    """

    summary: ClassVar[str] = "torsion spring and damper about the axis of a joint, by tables"
    tables: ClassVar[tuple[str, str]] = ("torque_at_angle", "torque_at_speed")

    torque_at_angle: Curve | None = curve(
        "rad", "N*m", "torque against the angle over the angle", default=None
    )
    torque_at_speed: Curve | None = curve(
        "rad/s", "N*m", "torque against the angle over its rate", default=None
    )


@dataclass(frozen=True, eq=False)
class SlideSpringDamper(LinearSpring, AlongSlide):
    """A spring and a damper along the axis of a sliding joint.

    The force against the position is ``stiffness * (position - free_position) + damping *
    rate + preload``.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> way = model.add(at.Prismatic("way", model.ground, model.add(at.RigidBody("cart", 2.0))))
    >>> spring = model.add(at.SlideSpringDamper("spring", way, stiffness=50.0, damping=4.0))
    >>> print(model.formulate().derivatives[0])  # of way.speed, m/s^2
    -(spring.damping*way.speed + way.position*spring.stiffness)/cart.mass
    """

    summary: ClassVar[str] = "spring and damper along a joint's axis; one-sided on request"
    free: ClassVar[str] = "free_position"

    stiffness: float = parameter("N/m", "stiffness", lower=0.0, default=0.0)
    damping: float = parameter("N*s/m", "damping", lower=0.0, default=0.0)
    free_position: float = parameter("m", "position of the joint without spring force", default=0.0)
    preload: float = parameter("N", "force against the position at the free position", default=0.0)
    side: ActingSide = chosen(ActingSide.BOTH, "side of the free_position on which it acts")


@dataclass(frozen=True, eq=False)
class TabulatedSlideSpringDamper(TabulatedSpring, AlongSlide):
    """A spring and a damper along the axis of a sliding joint, by their measured curves.

    The force against the position is the sum of a curve over it and a curve over its rate.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> block = model.add(at.RigidBody("block", mass="5 kg"))
    >>> way = model.add(at.Prismatic("way", model.ground, block, axis="-z"))
    >>> pull = at.Curve((0.0, 0.1), (0.0, 100.0), "linear")  # N over m
    >>> spring = model.add(at.TabulatedSlideSpringDamper("spring", way, pull))
    >>> print(f"{model.formulate().trim()['way.position']:.5f} m")  # 5 * 9.80665 / 1000
    0.04903 m
    """

    summary: ClassVar[str] = "spring and damper along the axis of a sliding joint, by tables"
    tables: ClassVar[tuple[str, str]] = ("force_at_position", "force_at_speed")

    force_at_position: Curve | None = curve(
        "m", "N", "force against the position over it", default=None
    )
    force_at_speed: Curve | None = curve(
        "m/s", "N", "force against the position over its rate", default=None
    )


@dataclass(frozen=True, eq=False)
class AntiRollBar(OnJoints):
    """A force between two wheels of an axle in proportion to the difference of their travels.

    Against the travel of the left one acts ``stiffness * (left - right) + damping * rate``, and the
    opposite on the right one. Where both go together the bar turns freely. An axle of track t that
    rolls by an angle has the roll stiffness ``stiffness * t^2`` of it, beside the springs.

    Example:
    >>> import axletree as at
    >>> model = at.Model(gravity=(0, 0, 0))
    >>> wheels = [model.add(at.RigidBody(k, 20.0)) for k in ("left", "right")]
    >>> ways = [model.add(at.Prismatic(f"{w.name}_way", model.ground, w, axis="z")) for w in wheels]
    >>> bar = model.add(at.AntiRollBar("bar", *ways, stiffness=1e4))  # N/m
    >>> print(model.formulate().derivatives[0])  # of left_way.speed, m/s^2
    (right_way.position - left_way.position)*bar.stiffness/left.mass
    """

    summary: ClassVar[str] = "a spring between the travels of two wheels"

    left: Component = sliding_joint("guide of the left wheel")
    right: Component = sliding_joint("guide of the right wheel")
    stiffness: float = parameter("N/m", "force at each wheel by the difference of travels", lower=0)
    damping: float = parameter("N*s/m", "the same by its rate", default=0.0, lower=0.0)

    def respond(self, now: Instant) -> Response:
        left, right = now.travels
        twist, rate = left.travel - right.travel, left.rate - right.rate
        force = self.symbol("stiffness") * twist + self.symbol("damping") * rate
        at_left, at_right = self.measured_joints()
        return Response(
            joint_loads=(JointLoad(at_left, -force), JointLoad(at_right, force)),
            potential_energy=0.5 * self.symbol("stiffness") * twist * twist,
            outputs=(
                NamedOutput("force", "N", "force against the travel of the left wheel", force),
                NamedOutput("power", "W", "power delivered to the bodies", -force * rate),
            ),
        )


@dataclass(frozen=True, eq=False)
class LinkTorsionBar(OnJoints):
    """A torsion bar between two links that turn about one line, each in a hinge of its own.

    Against the angle of the second hinge acts ``stiffness * (second - first) + damping * rate``,
    and the opposite on the first one. Where both turn together the bar does nothing.

    Example:
    >>> import axletree as at
    >>> model = at.Model(gravity=(0, 0, 0))
    >>> arms = [model.add(at.RigidBody(k, 2.0, (0.1, 0.1, 0.1))) for k in ("left", "right")]
    >>> pins = [model.add(at.Revolute(f"{a.name}_pin", model.ground, a, axis="y")) for a in arms]
    >>> bar = model.add(at.LinkTorsionBar("bar", *pins, stiffness=800.0))  # N m/rad
    >>> print(model.formulate().derivatives[0])  # of left_pin.rate, rad/s^2
    (right_pin.angle - left_pin.angle)*bar.stiffness/left.inertia.yy
    """

    summary: ClassVar[str] = "a torsion spring between the angles of two links"

    first: Component = turning_joint("hinge of the first link")
    second: Component = turning_joint("hinge of the second link")
    stiffness: float = parameter("N*m/rad", "torque by the difference of angles", lower=0.0)
    damping: float = parameter("N*m*s/rad", "the same by its rate", default=0.0, lower=0.0)

    def respond(self, now: Instant) -> Response:
        first, second = now.travels
        twist, rate = second.travel - first.travel, second.rate - first.rate
        torque = self.symbol("stiffness") * twist + self.symbol("damping") * rate
        at_first, at_second = self.measured_joints()
        return Response(
            joint_loads=(JointLoad(at_first, torque), JointLoad(at_second, -torque)),
            potential_energy=0.5 * self.symbol("stiffness") * twist * twist,
            outputs=(
                NamedOutput("torque", "N*m", "torque against the twist", torque),
                NamedOutput("power", "W", "power delivered to the bodies", -torque * rate),
            ),
        )


MatrixRows = tuple[tuple[float, ...], ...]


def _matrix(unit: str, description: str) -> Any:
    return matrix_parameter(unit, description, 3, default=(0.0, 0.0, 0.0))


def _force_curve(axis: str) -> Any:
    told = f"force along {axis} over the displacement along it, beside that of K"
    return curve("m", "N", told, default=None)


def _moment_curve(axis: str) -> Any:
    told = f"moment about {axis} over the rotation about it, beside that of H"
    return curve("rad", "N*m", told, default=None)


BUSHING_FORCES = ("force_x", "force_y", "force_z")
BUSHING_MOMENTS = ("moment_x", "moment_y", "moment_z")


@dataclass(frozen=True, eq=False)
class Bushing(BetweenFrames):
    """A mount that is at rest where the two frames coincide.

    With d the displacement of the head and phi its rotation vector, both in tail
    components, the stored energy is half of ``(d, phi) [[K, G], [G^T, H]] (d, phi)``.
    The rotation vector is taken as the sine of the angle times the axis, and the moment is
    the exact gradient of the energy, so that nothing is gained on a round trip. This is for
    small angles: about one axis the moment is H sin(2 angle) / 2, which lacks 1 % at 7
    degrees and 5 % at 16, and falls beyond 45.

    A curve ``force_x`` and so on adds its force along one axis over the displacement along it,
    ``moment_x`` its moment over that component of the rotation vector: rubber that stiffens, a
    stop with clearance.

    A head that nothing in H and G resists about just one coordinate axis, the axis about which it
    may spin, has any angle about it: phi is then the tilt of that axis, the sine of the angle
    between the two frames' axes times the normal of both. Without spin this is the same. So a
    wheel in such a mount has the same moments however far it has turned, and one in a mount with
    stiffness about its axis is held by it.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> box = model.add(at.RigidBody("box", mass="10 kg", inertia=(1, 1, 1)))
    >>> mount = model.add(at.Bushing("mount", model.ground, box, (1e5, 1e5, 2e5), (9, 9, 9)))
    >>> sunk = model.formulate().trim()["box.position.z"]  # K in N/m, H in N m/rad
    >>> print(f"{1e6 * sunk:.2f} um")  # -10 * 9.80665 / 2e5
    -490.33 um
    """

    summary: ClassVar[str] = "elastic mount: six by six stiffness and damping"

    tail: Frame = frame("frame that the stiffness is given in")
    head: Frame = frame("frame that moves")
    stiffness: MatrixRows = _matrix("N/m", "force per displacement, K")
    rotational_stiffness: MatrixRows = _matrix("N*m/rad", "moment per rotation, H")
    coupling_stiffness: MatrixRows = _matrix("N/rad", "force per rotation, G")
    damping: MatrixRows = _matrix("N*s/m", "force per velocity")
    rotational_damping: MatrixRows = _matrix("N*m*s/rad", "moment per angular velocity")
    coupling_damping: MatrixRows = _matrix("N*s/rad", "force per angular velocity")
    force_x: Curve | None = _force_curve("x")
    force_y: Curve | None = _force_curve("y")
    force_z: Curve | None = _force_curve("z")
    moment_x: Curve | None = _moment_curve("x")
    moment_y: Curve | None = _moment_curve("y")
    moment_z: Curve | None = _moment_curve("z")

    @property
    def frames_stay_close(self) -> bool:
        """A curve's slope where the frames coincide is not that at a stop."""
        return all(getattr(self, name) is None for name in (*BUSHING_FORCES, *BUSHING_MOMENTS))

    @property
    def is_stiff(self) -> bool:
        return True

    def problems(self) -> list[str]:
        found = []
        for name in ("stiffness", "damping"):
            prefixes = ("", "rotational_", "coupling_")
            K, H, G = (np.array(getattr(self, prefix + name)) for prefix in prefixes)
            whole = np.block([[K, G], [G.T, H]])
            if not np.allclose(whole, whole.T, rtol=1e-9, atol=0.0):
                found.append(f"{name} and rotational_{name} must be symmetric matrices")
            elif np.linalg.eigvalsh(whole)[0] < -1e-9 * np.abs(whole).max(initial=0.0):
                found.append(
                    f"the six by six {name} has a negative eigenvalue; "
                    "such a mount would be a source of energy"
                )
        return found

    def respond(self, now: Instant) -> Response:
        motion = now.motions[0]
        d, v, w = motion.displacement, motion.velocity, motion.angular_velocity
        K, G, H = (self._matrix(name) for name in STIFFNESSES)
        C, E, D = (self._matrix(name) for name in DAMPINGS)
        phi, carrier = _rotation_vector(motion.R_tail_head, self._axis_of_spin(H, G))
        elastic_force, elastic_moment = K @ d + G @ phi, G.T @ d + H @ phi
        forces, stored = self._by_curves(BUSHING_FORCES, d)
        moments, stored_in_turn = self._by_curves(BUSHING_MOMENTS, phi)
        force = -(elastic_force + forces + C @ v + E @ w)
        moment = -(carrier.T @ (elastic_moment + moments) + E.T @ v + D @ w)
        load = Load(self.tail, self.head, force, moment)
        return Response(
            loads=(load,),
            potential_energy=0.5 * (d.dot(elastic_force) + phi.dot(elastic_moment))
            + (stored + stored_in_turn),
            outputs=(
                *_components("F", "N", "force on the head", load.force),
                *_components("M", "N*m", "moment on the head", load.moment),
                NamedOutput("power", "W", "power delivered to the bodies", load.power(motion)),
            ),
        )

    def _matrix(self, name: str) -> Matrix:
        numbers = self.numbers(name)
        return Matrix((numbers[0:3], numbers[3:6], numbers[6:9]))

    def _by_curves(self, names: tuple[str, ...], along: Vector) -> tuple[Vector, Expr]:
        """What curves add along the axes, and what they store."""
        found, energy = [ZERO, ZERO, ZERO], ZERO
        for k, name in enumerate(names):
            if (points := getattr(self, name)) is not None:
                found[k] = interpolate(points.table, along[k])
                energy = energy + interpolate(integral(points.table), along[k])
        return Vector(found), energy

    def _axis_of_spin(self, H: Matrix, G: Matrix) -> int | None:
        """The one coordinate axis about which nothing resists; None without, or with more."""
        columns = [[row[k] for M in (H, G) for row in M] for k in range(3)]
        free = [
            k
            for k, column in enumerate(columns)
            if getattr(self, BUSHING_MOMENTS[k]) is None and all(entry.is_zero for entry in column)
        ]
        return free[0] if len(free) == 1 else None


def _rotation_vector(R: Matrix, spin: int | None) -> tuple[Vector, Matrix]:
    """phi of a rotation, and the matrix A of d(phi)/dt = A w, whose transpose carries moments to w.

    ``spin`` is the place of an axis e about which any angle may be. Then phi = e x n with n = R e,
    and d(phi)/dt = e x (w x n) = (e . n) w - n (e . w).
    """
    if spin is None:
        trace = IDENTITY.scaled(R[0][0] + R[1][1] + R[2][2])
        return sine_vector(R), (trace - R).scaled(0.5)
    e, n = UNIT[spin], Vector(row[spin] for row in R)
    swept = Matrix(Vector(n[i] if j == spin else ZERO for j in range(3)) for i in range(3))
    return e.cross(n), IDENTITY.scaled(n[spin]) - swept


STIFFNESSES = ("stiffness", "coupling_stiffness", "rotational_stiffness")
DAMPINGS = ("damping", "coupling_damping", "rotational_damping")


def _components(letter: str, unit: str, what: str, vector: Vector) -> tuple[NamedOutput, ...]:
    return tuple(
        NamedOutput(f"{letter}{axis}", unit, f"{axis} component of the {what}, tail axes", value)
        for axis, value in zip("xyz", vector, strict=True)
    )
