"""Loads on bodies and joints: given over time, of the air, of a linear axle, of a speed keeper, and
of contacts with a plane: a point with dry friction, unilateral, and a ball that rolls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from axletree.components.contract import (
    BetweenFrames,
    Component,
    Instant,
    JointLoad,
    Load,
    NamedOutput,
    RelativeMotion,
    Response,
    SetValued,
    VelocityConstraint,
    creep_limit,
    reaction_symbol,
)
from axletree.components.edges import ROTATION, TRANSLATION, Basis, Domain, Variable
from axletree.components.fields import axis, chosen, parameter, positive
from axletree.components.frames import Frame, frame
from axletree.components.joints import OnJoints, sliding_joint, turning_joint
from axletree.components.signals import Signal, signal
from axletree.expr import (
    ONE,
    ZERO,
    Expr,
    Value,
    Vector,
    absolute,
    as_expr,
    atan2,
    maximum,
    sqrt,
    where,
)
from axletree.expr.vectors import UNIT


@dataclass(frozen=True, eq=False)
class ForceDriver(BetweenFrames):
    """A force at the head's origin; the body of the tail gets the opposite force there.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> cart = model.add(at.RigidBody("cart", mass=2.0))
    >>> way = model.add(at.Prismatic("way", model.ground, cart))
    >>> push = model.add(at.ForceDriver("push", model.ground, cart, direction="x", force="5 N"))
    >>> print(model.formulate().derivatives[0])  # of way.speed, m/s^2
    push.force/cart.mass
    """

    measured_domains: ClassVar[tuple[Domain, ...]] = (TRANSLATION,)

    summary: ClassVar[str] = "a force along a direction of the tail or of the head"

    tail: Frame = frame("frame whose body takes the reaction")
    head: Frame = frame("frame that the force acts on")
    direction: tuple[float, float, float] = axis("direction of the force on the head", default="x")
    force: Signal = signal("N", "force on the head along the direction")
    basis: Basis = chosen(Basis.TAIL, "whose axes the direction is given in")

    def respond(self, now: Instant) -> Response:
        force = Vector(self.direction) * self.signal("force")
        load = Load(self.tail, self.head, force=force, basis=self.basis)
        return _given_load(self, load, now, "force")


@dataclass(frozen=True, eq=False)
class TorqueDriver(BetweenFrames):
    """A moment on the head; the tail gets the opposite moment.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> rotor = model.add(at.RigidBody("rotor", mass=1.0, inertia=(0.1, 0.1, 0.1)))
    >>> hinge = model.add(at.Revolute("hinge", model.ground, rotor))
    >>> twist = model.add(at.TorqueDriver("twist", model.ground, rotor, axis="z"))
    >>> print(model.formulate().derivatives[0])  # of hinge.rate, rad/s^2
    twist.torque/rotor.inertia.zz
    """

    measured_domains: ClassVar[tuple[Domain, ...]] = (ROTATION,)

    summary: ClassVar[str] = "a moment about an axis of the tail or of the head"

    tail: Frame = frame("frame whose body takes the reaction")
    head: Frame = frame("frame that the moment acts on")
    axis: tuple[float, float, float] = axis("axis of the moment on the head", default="z")
    torque: Signal = signal("N*m", "moment on the head about the axis")
    basis: Basis = chosen(Basis.TAIL, "whose axes the axis is given in")

    def respond(self, now: Instant) -> Response:
        moment = Vector(self.axis) * self.signal("torque")
        load = Load(self.tail, self.head, moment=moment, basis=self.basis)
        return _given_load(self, load, now, "moment")


@dataclass(frozen=True, eq=False)
class LoadDriver(BetweenFrames):
    """Three forces at the head's origin and three moments; the tail gets the opposite.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> plate = model.add(at.RigidBody("plate", mass=2.0, inertia=(0.1, 0.1, 0.1)))
    >>> table = model.add(at.Planar("table", model.ground, plate))
    >>> load = model.add(at.LoadDriver("load", model.ground, plate, Mz="0.5 N*m"))
    >>> print(model.formulate().derivatives[2])  # of table.rate, rad/s^2
    load.Mz/plate.inertia.zz
    """

    summary: ClassVar[str] = "three forces and three moments in the axes of the tail or the head"

    tail: Frame = frame("frame whose body takes the reaction")
    head: Frame = frame("frame that the load acts on")
    Fx: Signal = signal("N", "x component of the force on the head, in the axes of the basis")
    Fy: Signal = signal("N", "y component of the force on the head, in the axes of the basis")
    Fz: Signal = signal("N", "z component of the force on the head, in the axes of the basis")
    Mx: Signal = signal("N*m", "x component of the moment on the head, in the axes of the basis")
    My: Signal = signal("N*m", "y component of the moment on the head, in the axes of the basis")
    Mz: Signal = signal("N*m", "z component of the moment on the head, in the axes of the basis")
    basis: Basis = chosen(Basis.HEAD, "whose axes the components are along")

    def respond(self, now: Instant) -> Response:
        force = Vector(self.signal(name) for name in ("Fx", "Fy", "Fz"))
        moment = Vector(self.signal(name) for name in ("Mx", "My", "Mz"))
        load = Load(self.tail, self.head, force, moment, self.basis)
        return _given_load(self, load, now, "load")


def _given_load(driver: Component, load: Load, now: Instant, what: str) -> Response:
    power = NamedOutput("power", "W", f"power of the {what}", load.power(now.motions[0]))
    return Response(loads=(load,), outputs=(*driver.signal_outputs(), power))


class GivenEffort(OnJoints):
    """A force or a torque, given by a signal, along the freedom of a joint."""

    given: ClassVar[str]  # the field that has it

    def respond(self, now: Instant) -> Response:
        effort = self.signal(self.given)
        power = NamedOutput(
            "power", "W", f"power of the {self.given}", effort * now.travels[0].rate
        )
        return Response(
            joint_loads=(JointLoad(self.measured_joints()[0], effort),),
            outputs=(*self.signal_outputs(), power),
        )


@dataclass(frozen=True, eq=False)
class JointForce(GivenEffort):
    """A force on the head of a joint along its axis, driving its position up.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> way = model.add(at.Prismatic("way", model.ground, model.add(at.RigidBody("cart", 2.0))))
    >>> push = model.add(at.JointForce("push", way, force="6*t"))  # N
    >>> print(model.formulate().derivatives[0])  # of way.speed, m/s^2
    6*time/cart.mass
    """

    summary: ClassVar[str] = "a force along the axis of a sliding joint"
    given: ClassVar[str] = "force"

    joint: Component = sliding_joint("joint that the force acts along")
    force: Signal = signal("N", "force on the head along the joint's axis")


@dataclass(frozen=True, eq=False)
class JointTorque(GivenEffort):
    """A torque on the head of a joint about its axis, driving its angle up.

    Example:
    >>> import axletree as at
    >>> model = at.read_model("pendulum")
    >>> motor = model.add(at.JointTorque("motor", model["pin"]))
    >>> trim = model.formulate().trim({"pin.angle": "90 deg"}, find=["motor.torque"])
    >>> print(f"{trim.inputs['motor.torque']:.4f} N m")  # holds the rod level: m g l
    4.9033 N m
    """

    summary: ClassVar[str] = "a torque about the axis of a turning joint"
    given: ClassVar[str] = "torque"

    joint: Component = turning_joint("joint that the torque acts about")
    torque: Signal = signal("N*m", "torque on the head about the joint's axis")


@dataclass(frozen=True, eq=False)
class SpeedKeeper(BetweenFrames):
    """Along the x axis of a body in the plane: what it takes that turning does not slow it down.

    With v the lateral speed of the head, r the yaw rate and c the place of the centre of mass ahead
    of the head, the speed u along x obeys m (du/dt - r v - c r^2) = Fx + ..., and the force is
    Fx = -m (r v + c r^2). Where nothing else acts along x, u is constant.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> plate = model.add(at.RigidBody("plate", mass=2.0, inertia=(0.1, 0.1, 0.1)))
    >>> table = model.add(at.Planar("table", model.ground, plate))
    >>> keeper = model.add(at.SpeedKeeper("keeper", model.ground, plate, mass=2.0))
    >>> system = model.formulate()
    >>> rates = system.rhs(system.state({"table.vy": 3.0, "table.rate": 0.5}))
    >>> print(f"{rates['table.vx']:.2f} m/s^2")  # -r v: along the body its speed stays
    -1.50 m/s^2
    """

    summary: ClassVar[str] = "force along x by which a body keeps its speed in turns"

    ground: Frame = frame("frame of the road, z up")
    head: Frame = frame("frame of the body, x forward through its centre of mass")
    mass: float = positive("kg", "mass of the body")
    centre: float = parameter("m", "centre of mass ahead of the head", default=0.0)

    def respond(self, now: Instant) -> Response:
        motion = now.motions[0]
        v, r = motion.velocity_head[1], motion.angular_velocity_head[2]
        force = -self.symbol("mass") * r * (v + self.symbol("centre") * r)
        load = Load(self.ground, self.head, Vector((force, 0.0, 0.0)), basis=Basis.HEAD)
        return Response(
            loads=(load,),
            outputs=(
                NamedOutput("force", "N", "force along x of the body", force),
                NamedOutput("power", "W", "power delivered to the body", load.power(motion)),
            ),
        )


STANDARD_DENSITY = 1.225  # kg/m^3, of the standard atmosphere at sea level
LEAST_AIR_SPEED = 1e-3  # m/s, of a root that has no slope at zero


@dataclass(frozen=True, eq=False)
class Aerodynamics(BetweenFrames):
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

    ground: Frame = frame("frame in which the air rests, or blows by the wind")
    head: Frame = frame("frame of the body at the point that the coefficients are about")
    area: float = positive("m^2", "frontal area, A")
    drag: float = parameter("1", "C_D, against the motion", lower=0.0)
    lift: float = parameter("1", "C_L, positive upward", default=0.0)
    side: float = parameter("1/rad", "C_Y by angle, positive away from the wind", default=0.0)
    roll_moment: float = parameter("1/rad", "C_Mx by angle, about x", default=0.0)
    pitch_moment: float = parameter("1", "C_My, about y: nose down if positive", default=0.0)
    yaw_moment: float = parameter(
        "1/rad", "C_Mz by angle, about z: nose away from the wind if positive", default=0.0
    )
    length: float = parameter("m", "reference length of moments, L", default=1.0, lower=0.0)
    density: float = parameter("kg/m^3", "density of the air", default=STANDARD_DENSITY, lower=0.0)
    wind_x: Signal = signal("m/s", "speed of the wind along x of the ground", default=0.0)
    wind_y: Signal = signal("m/s", "speed of the wind along y of the ground", default=0.0)

    def respond(self, now: Instant) -> Response:
        motion = now.motions[0]
        wind = motion.R_tail_head.T @ Vector((self.signal("wind_x"), self.signal("wind_y"), 0.0))
        through = motion.velocity_head - wind  # velocity of the body through the air, head axes
        square = through[0] * through[0] + through[1] * through[1]
        speed = sqrt(square + LEAST_AIR_SPEED * LEAST_AIR_SPEED)
        beta = atan2(-through[1], absolute(through[0]) + LEAST_AIR_SPEED)
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
                NamedOutput("drag_force", "N", "force of the air, backward", along),
                NamedOutput("side_force", "N", "force of the air, to the left", force[1]),
                NamedOutput("lift_force", "N", "force of the air, upward", force[2]),
                NamedOutput("power", "W", "power of the air on the body", load.power(motion)),
            ),
        )


LEAST_ROLLING_SPEED = 0.1  # m/s; a slower axle slips as at this speed


@dataclass(frozen=True, eq=False)
class LinearAxle(BetweenFrames):
    """Wheels of an axle as in the linear single-track model (Riekert and Schunck 1940).

    Angles are small. With u and v the speeds of the head along its x and y axes,

        slip_angle = (v - u angle) / |u|,  Fy = -cornering_stiffness slip_angle,  Mz = -trail Fy,

    along the y axis of the head and about its z axis, wherever the wheels point; in reverse the
    trail is towards the front. There is no limit of adhesion and no force along x.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> body = model.add(at.RigidBody("body", mass=1000.0, inertia=(1, 1, 1)))
    >>> plane = model.add(at.Planar("plane", model.ground, body))
    >>> axle = model.add(at.LinearAxle("axle", model.ground, body, 8e4, angle="1 deg"))  # N/rad
    >>> system = model.formulate()
    >>> rates = system.rhs(system.state({"plane.vx": 20.0}))
    >>> print(f"{rates['plane.vy']:.4f} m/s^2")  # 8e4 * 0.01745 / 1000
    1.3963 m/s^2
    """

    summary: ClassVar[str] = "side force in proportion to the slip angle, small angles"

    ground: Frame = frame("frame of the road, z up")
    head: Frame = frame("frame of the body in the middle of the axle, x forward, y left")
    cornering_stiffness: float = parameter(
        "N/rad", "of both tyres: slope of -Fy against the slip angle", lower=0.0
    )
    trail: float = parameter("m", "of the force behind the head as it moves forward", default=0.0)
    angle: Signal = signal("rad", "steering angle of the wheels, left if positive")

    def respond(self, now: Instant) -> Response:
        motion, stiffness = now.motions[0], self.symbol("cornering_stiffness")
        slip, heading = _linear_slip(motion, self.signal("angle"))
        side = -stiffness * slip
        turn = -self.symbol("trail") * heading * side
        load = Load(
            self.ground, self.head, Vector((0.0, side, 0.0)), Vector((0.0, 0.0, turn)), Basis.HEAD
        )
        return Response(
            loads=(load,),
            outputs=(
                NamedOutput("slip_angle", "rad", "direction of the axle's velocity to the left of "
                         "its wheels", slip),
                NamedOutput("Fy", "N", "side force, to the left", side),
                NamedOutput("Mz", "N*m", "moment about the head, to the left", turn),
                NamedOutput("power", "W", "power of the axle on the body", load.power(motion)),
                *self.signal_outputs(),
            ),
        )  # fmt: skip


def linear_side_force(motion: RelativeMotion, angle: Expr, stiffness: Expr) -> tuple[Expr, Expr]:
    """Of a ``LinearAxle`` [N], and the sense in which it rolls, 1 forwards."""
    slip, heading = _linear_slip(motion, angle)
    return -stiffness * slip, heading


def _linear_slip(motion: RelativeMotion, angle: Expr) -> tuple[Expr, Expr]:
    u, v = motion.velocity_head[0], motion.velocity_head[1]
    across = v - u * angle  # speed across the wheels
    speed = maximum(absolute(u), LEAST_ROLLING_SPEED)
    return as_expr(across / speed), as_expr(u / speed)


_NORMAL = Variable("normal_force", "N", "force on the point along z of the plane, not negative")
_ALONG = Variable("friction_force", "N", "force on the point along the direction of sliding")
_ACROSS = Variable("side_force", "N", "force on the point across that direction")
_CREEPS = (
    "it slides for a second or more, slower than slow_speed, where the friction of smooth methods "
    "is in proportion to the speed, and what it should hold creeps; take a smaller slow_speed, or "
    "method='complementarity', which holds it"
)
_SLIDES = 1e-9  # m/s above which a velocity has a direction
FULL = 1.0 - 1e-12  # of the square of the friction: beyond it rounding alone leaves something
_LEAST = 1e-200  # N^2, against a division by zero


@dataclass(frozen=True, eq=False)
class PointContact(Component):
    """A point of a body touches the xy plane of a frame, which may move, and slides on it.

    Forces are set-valued: a method that solves for them ("complementarity") keeps the point from
    sinking in, lets it bounce by ``restitution`` (Newton's law), and holds it where friction is
    enough: up to ``friction`` times the normal force of the same step, in any direction. Where
    it slides friction is against the sliding at the beginning of the step.

    For all other methods the plane gives, by ``stiffness`` and ``damping``, and friction is in
    proportion to the velocity below ``slow_speed``.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> ball = model.add(at.RigidBody("ball", mass=1.0))
    >>> way = model.add(at.Prismatic("way", model.ground, ball, axis="z"))
    >>> floor = model.add(at.PointContact("floor", ball, model.ground, stiffness="1 kN/mm"))
    >>> rests = model.formulate().trim(start={"way.position": -1e-6})
    >>> print(f"{1e6 * rests['way.position']:.2f} um")  # -1 * 9.80665 / 1e6, smoothed
    -9.81 um
    """

    summary: ClassVar[str] = "a point that touches a plane, bounces, sticks and slides"
    measured_domains: ClassVar[tuple[Domain, ...]] = (TRANSLATION,)

    point: Frame = frame("frame whose origin is the point")
    plane: Frame = frame("frame whose xy plane is touched, from the side of its z axis")
    friction: float = parameter("1", "coefficient of dry friction", default=0.0, lower=0.0)
    restitution: float = parameter(
        "1", "speed after an impact over that before", default=0.0, lower=0.0, upper=1.0
    )
    stiffness: float = positive("N/m", "of the plane, for methods that need one", default=1e6)
    damping: float = parameter(
        "N*s/m", "of the plane, for methods that need one", default=1e3, lower=0.0
    )
    slow_speed: float = positive(
        "m/s", "speed below which friction is in proportion to it, for methods that need one",
        default=0.01,
    )  # fmt: skip

    def measures(self) -> tuple[tuple[Frame, Frame], ...]:
        return ((self.plane, self.point),)

    def respond(self, now: Instant) -> Response:
        motion = now.motions[0]
        v, gap = motion.velocity, motion.displacement[2]
        given = -self.symbol("stiffness") * gap - self.symbol("damping") * v[2]
        normal = SetValued(
            _NORMAL,
            velocity=v[2],
            lower=ZERO,
            upper=None,
            smooth=where(gap < 0.0, maximum(given, 0.0), ZERO),
            loads=(self._unit(UNIT[2]),),
            position=gap,
            restitution=self.symbol("restitution"),
        )
        height = NamedOutput("gap", "m", "height of the point above the plane", gap)
        rubbing = () if self.symbol("friction").is_zero else self._rubbing(v, gap)
        forces = (normal, *rubbing)
        work = sum((reaction_symbol(self.name, f.reaction) * f.velocity for f in forces), ZERO)
        power = NamedOutput("power", "W", "power of the contact on the body and its plane", work)
        return Response(set_valued=forces, outputs=(height, power))

    def _unit(self, direction: Vector) -> Load:
        return Load(self.plane, self.point, direction)

    def _rubbing(self, v: Vector, gap: Expr) -> tuple[SetValued, ...]:
        """Along the sliding, and across it, where what slides has nothing left.

        Of a point at rest the axes are those of the plane, and forces that would be beyond the
        circle are cut back to it, in their direction.
        """
        bound = self.symbol("friction") * reaction_symbol(self.name, _NORMAL)
        taken = [reaction_symbol(self.name, reaction) for reaction in (_ALONG, _ACROSS)]
        square = v[0] * v[0] + v[1] * v[1]
        speed = sqrt(maximum(square, _SLIDES**2))  # with a slope at rest, too
        slides = square > _SLIDES**2
        cosine, sine = where(slides, v[0] / speed, ONE), where(slides, v[1] / speed, ZERO)
        along, across = Vector((cosine, sine, ZERO)), Vector((-sine, cosine, ZERO))
        left = maximum(bound - absolute(taken[0]), 0.0)
        resistance = bound / maximum(speed, self.symbol("slow_speed"))
        limits = [where(slides, at, _share(k, taken, bound)) for k, at in enumerate((bound, left))]
        first = self._side(_ALONG, along, v, limits[0], resistance)
        creep = creep_limit(sqrt(square), self.symbol("slow_speed"), _CREEPS, holds=-gap)
        return (
            replace(first, smooth_limits=(creep,)),
            self._side(_ACROSS, across, v, limits[1], resistance),
        )

    def _side(
        self, reaction: Variable, direction: Vector, v: Vector, bound: Expr, resistance: Expr
    ) -> SetValued:
        rate = direction.dot(v)
        return SetValued(
            reaction,
            velocity=rate,
            lower=-bound,
            upper=bound,
            smooth=-resistance * rate,
            loads=(self._unit(direction),),
        )


def _share(index: int, forces: Sequence[Expr], bound: Expr) -> Value:
    """The bound, or where forces reach the circle that part of it in their direction."""
    square = forces[0] * forces[0] + forces[1] * forces[1]
    part = absolute(forces[index]) / sqrt(maximum(square, _LEAST))
    return bound * where(square < FULL * bound * bound, ONE, part)


_FX = Variable("Fx", "N", "x component, in the axes of the road, of the force on the ball")
_FY = Variable("Fy", "N", "y component, in the axes of the road, of the force on the ball")
_FZ = Variable("Fz", "N", "normal force on the ball, negative where it has to pull")


@dataclass(frozen=True, eq=False)
class RollingSphere(Component):
    """A sphere around a point of a body rolls on the xy plane of a frame, which may move.

    It may turn about the normal. Its height is held, and the two velocities of its lowest
    point in the plane; forces in the axes of the road are the reactions.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> ball = model.add(at.RigidBody("ball", mass=1.0, inertia=(0.1, 0.1, 0.1)))
    >>> rolls = model.add(at.RollingSphere("rolls", ball, model.ground, radius="0.5 m"))
    >>> model.start = {"ball.z": 0.5}
    >>> state = model.formulate().state({"ball.pitch_rate": 4.0})
    >>> print(f"{state['ball.vx']:.3f} m/s")
    2.000 m/s
    """

    summary: ClassVar[str] = "a ball that rolls on a plane without slip"

    centre: Frame = frame("frame whose origin is the centre of the sphere")
    road: Frame = frame("frame whose xy plane is the road, z up")
    radius: float = positive("m", "radius of the sphere")

    def measures(self) -> tuple[tuple[Frame, Frame], ...]:
        return ((self.road, self.centre),)

    def respond(self, now: Instant) -> Response:
        motion, R = now.motions[0], self.symbol("radius")
        v, w = motion.velocity, motion.angular_velocity
        along = Load(self.road, self.centre, Vector((1.0, 0.0, 0.0)), Vector((0.0, -R, 0.0)))
        across = Load(self.road, self.centre, Vector((0.0, 1.0, 0.0)), Vector((R, 0.0, 0.0)))
        up = Load(self.road, self.centre, Vector((0.0, 0.0, 1.0)))
        return Response(
            constraints=(
                VelocityConstraint(_FX, v[0] - R * w[1], (along,)),
                VelocityConstraint(_FY, v[1] + R * w[0], (across,)),
                VelocityConstraint(_FZ, v[2], (up,), position=motion.displacement[2] - R),
            )
        )
