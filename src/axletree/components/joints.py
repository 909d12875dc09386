"""Joints: a tail, a head, a translational and a rotational edge (Morency 2007, tables 2.2 and 2.3).

Weld, free, revolute, prismatic, cylindrical, universal, spherical, planar, rod, point on line,
point on plane, and the wheel guide: a suspension by what it does to a wheel over its travel. Last
come the fields that name a joint, for components that drive, load or couple its freedom.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.components.contract import Component
from axletree.components.edges import (
    ROTATION,
    TRANSLATION,
    Domain,
    Edge,
    MotionLaw,
    RotationLaw,
    TranslationLaw,
    Variable,
)
from axletree.components.fields import (
    axis,
    chosen,
    parameter,
    part_fields,
    positive,
    structure,
    vector_parameter,
)
from axletree.components.frames import Frame, Turn, frame, turn_matrix
from axletree.components.motion_laws import (
    AboutAxes,
    AlongAxes,
    AlongPath,
    AtDistance,
    Axis,
    FixedOffset,
    FixedTurn,
    Orientation,
    Speeds,
    TravelFunction,
    TurnsOnPath,
    free_rotation,
    free_translation,
    normals,
)
from axletree.components.signals import Curve, curve
from axletree.core.errors import ModelError
from axletree.expr import ZERO, Expr, Matrix, interpolate


@dataclass(frozen=True, eq=False)
class Joint(Component):
    """A joint between two frames; without translation or rotation law that edge is absent.

    Example:
    >>> import axletree as at
    >>> tube = at.Cylindrical("tube", at.Model().ground, at.RigidBody("rod", mass=2.0))
    >>> [len(law.coordinates) for law in (tube.translation(), tube.rotation())]
    [1, 1]
    """

    tail: Frame = frame("frame that the motion is measured in")
    head: Frame = frame("frame that moves")

    def translation(self) -> TranslationLaw | None:
        """How the head's origin moves in the tail: coordinates [m] and speeds [m/s], most of
        them in tail axes. None: there is no such edge.

        Example:
        >>> import axletree as at
        >>> slide = at.Prismatic("slide", at.Model().ground, at.RigidBody("sledge", 20.0))
        >>> law = slide.translation()
        >>> [f"{q.suffix} [{q.unit}]" for q in (*law.coordinates, *law.speeds)]
        ['position [m]', 'speed [m/s]']
        """
        return None

    def rotation(self) -> RotationLaw | None:
        """How the head turns in the tail: coordinates, most of them angles [rad], and speeds
        [rad/s]. None: there is no such edge.

        Example:
        >>> import axletree as at
        >>> law = at.Universal("cross", at.Model().ground, at.RigidBody("shaft", 3.0)).rotation()
        >>> [f"{q.suffix} [{q.unit}]" for q in law.coordinates]
        ['first_angle [rad]', 'second_angle [rad]']
        """
        return None

    def problems(self) -> list[str]:
        if self.tail.body == self.head.body:
            return [f"joins {self.tail.name} and {self.head.name}, two frames of one body"]
        return []

    def edges(self) -> tuple[Edge, ...]:
        laws = ((TRANSLATION, self.translation()), (ROTATION, self.rotation()))
        ends = self.tail.name, self.head.name
        return tuple(
            Edge(self.name, f"{domain.prefix}1", domain, *ends, law)
            for domain, law in laws
            if law is not None
        )


def _checked_turn(value: Any) -> tuple[Any, ...]:
    turn_matrix(value)
    return tuple(tuple(item) for item in value)


@dataclass(frozen=True, eq=False)
class Weld(Joint):
    """A rigid arm between two bodies: the head stands fixed in the tail.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> cart, box = (model.add(at.RigidBody(name, mass=2.0)) for name in ("cart", "box"))  # kg
    >>> way = model.add(at.Prismatic("way", model.ground, cart))
    >>> arm = model.add(at.Weld("arm", cart, box, offset=(1.0, 0.0, 0.0)))  # m
    >>> push = model.add(at.JointForce("push", way))
    >>> print(model.formulate().derivatives[0])  # of way.speed, m/s^2
    push.force/(box.mass + cart.mass)
    """

    summary: ClassVar[str] = "rigid arm between two bodies"

    offset: tuple[float, ...] = vector_parameter(
        "m", "position of the head in the tail", default=(0.0, 0.0, 0.0)
    )
    turn: tuple[Any, ...] = structure(
        "turns",
        "rotations [axis, angle] from tail to head, one after another",
        _checked_turn,
        default=(),
    )

    def translation(self) -> TranslationLaw:
        return FixedOffset(self.vector("offset"))

    def rotation(self) -> RotationLaw:
        matrix: Turn = turn_matrix(self.turn)
        return FixedTurn(Matrix(matrix))


@dataclass(frozen=True, eq=False)
class Free(Joint):
    """No constraint: three positions and an orientation (Morency 2007, section 2.4.5).

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> body = model.add(at.RigidBody("body", mass=1.0, inertia=(0.1, 0.1, 0.1)))
    >>> free = model.add(at.Free("free", model.ground, body))
    >>> [f"{state.name} [{state.unit}]" for state in model.formulate().states][::3]
    ['free.vx [m/s]', 'free.wx [rad/s]', 'free.x [m]', 'free.yaw [rad]']
    """

    summary: ClassVar[str] = "six freedoms: positions and an orientation"

    orientation: Orientation = chosen(Orientation.EULER_321, "angles that describe the orientation")
    speeds: Speeds = chosen(Speeds.BODY, "rates of the coordinates, or body components")

    def translation(self) -> TranslationLaw:
        return free_translation(self.speeds)

    def rotation(self) -> RotationLaw:
        return free_rotation(self.orientation, self.speeds)


JOINT_ANGLE = Variable("angle", "rad", "angle of the head in the tail about the axis")
JOINT_RATE = Variable("rate", "rad/s", "rate of the angle")


@dataclass(frozen=True, eq=False)
class Revolute(Joint):
    """A hinge: the origins coincide, the head turns about an axis.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> rod = model.add(at.RigidBody("rod", mass=1.0, inertia=(0.1, 0.1, 0.1)))
    >>> hinge = model.add(at.Revolute("hinge", model.ground, rod, axis="z"))
    >>> [f"{state.name} [{state.unit}]" for state in model.formulate().states]
    ['hinge.rate [rad/s]', 'hinge.angle [rad]']
    """

    summary: ClassVar[str] = "hinge: one angle about an axis"

    axis: tuple[float, float, float] = axis(
        "axis of the hinge, the same in both frames", default="z"
    )

    def translation(self) -> TranslationLaw:
        return AlongAxes()

    def rotation(self) -> RotationLaw:
        return AboutAxes((self.axis,), (JOINT_ANGLE,), (JOINT_RATE,))


JOINT_POSITION = Variable("position", "m", "position of the head in the tail along the axis")
JOINT_SPEED = Variable("speed", "m/s", "rate of the position")


@dataclass(frozen=True, eq=False)
class Prismatic(Joint):
    """A slide: the orientations are the same, the head moves along an axis of the tail.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> way = model.add(at.Prismatic("way", model.ground, model.add(at.RigidBody("cart", 1.0))))
    >>> [f"{state.name} [{state.unit}]" for state in model.formulate().states]
    ['way.speed [m/s]', 'way.position [m]']
    """

    summary: ClassVar[str] = "slide: one position along an axis"

    axis: tuple[float, float, float] = axis("direction of the slide in the tail", default="x")

    def translation(self) -> TranslationLaw:
        return AlongAxes((self.axis,), (JOINT_POSITION,), (JOINT_SPEED,))

    def rotation(self) -> RotationLaw:
        return AboutAxes()


@dataclass(frozen=True, eq=False)
class Cylindrical(Joint):
    """A sleeve on a shaft: the head slides along an axis and turns about it.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> sleeve = model.add(at.RigidBody("sleeve", mass=1.0, inertia=(0.1, 0.1, 0.1)))
    >>> shaft = model.add(at.Cylindrical("shaft", model.ground, sleeve))
    >>> [f"{state.name} [{state.unit}]" for state in model.formulate().states]
    ['shaft.speed [m/s]', 'shaft.rate [rad/s]', 'shaft.position [m]', 'shaft.angle [rad]']
    """

    summary: ClassVar[str] = "sleeve on a shaft: a position along and an angle about one axis"

    axis: tuple[float, float, float] = axis(
        "axis of the shaft, the same in both frames", default="z"
    )

    def translation(self) -> TranslationLaw:
        return AlongAxes((self.axis,), (JOINT_POSITION,), (JOINT_SPEED,))

    def rotation(self) -> RotationLaw:
        return AboutAxes((self.axis,), (JOINT_ANGLE,), (JOINT_RATE,))


@dataclass(frozen=True, eq=False)
class Universal(Joint):
    """A cross: the head turns about an axis of the tail, then about one of its own.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> shaft = model.add(at.RigidBody("shaft", mass=1.0, inertia=(0.1, 0.1, 0.1)))
    >>> cross = model.add(at.Universal("cross", model.ground, shaft))
    >>> [f"{state.name} [{state.unit}]" for state in model.formulate().states][2:]
    ['cross.first_angle [rad]', 'cross.second_angle [rad]']
    """

    summary: ClassVar[str] = "cross: two angles about two axes normal to one another"

    first_axis: tuple[float, float, float] = axis("axis fixed in the tail", default="x")
    second_axis: tuple[float, float, float] = axis("axis fixed in the head", default="y")

    def problems(self) -> list[str]:
        found = super().problems()
        product = sum(a * b for a, b in zip(self.first_axis, self.second_axis, strict=True))
        if abs(product) > 1e-9:
            found.append("first_axis and second_axis must be normal to one another")
        return found

    def translation(self) -> TranslationLaw:
        return AlongAxes()

    def rotation(self) -> RotationLaw:
        order = ("first", "second")
        angles = tuple(Variable(f"{k}_angle", "rad", f"angle about the {k} axis") for k in order)
        rates = tuple(Variable(f"{k}_rate", "rad/s", f"rate of the {k} angle") for k in order)
        return AboutAxes((self.first_axis, self.second_axis), angles, rates)


@dataclass(frozen=True, eq=False)
class Spherical(Joint):
    """A ball joint: the origins coincide, the head turns freely.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> top = model.add(at.RigidBody("top", mass=1.0, inertia=(0.1, 0.1, 0.1)))
    >>> ball = model.add(at.Spherical("ball", model.ground, top))
    >>> [f"{state.name} [{state.unit}]" for state in model.formulate().states[3:]]
    ['ball.yaw [rad]', 'ball.pitch [rad]', 'ball.roll [rad]']
    """

    summary: ClassVar[str] = "ball joint: three rotations"

    orientation: Orientation = chosen(Orientation.EULER_321, "angles that describe the orientation")
    speeds: Speeds = chosen(Speeds.BODY, "rates of the angles, or body components")

    def translation(self) -> TranslationLaw:
        return AlongAxes()

    def rotation(self) -> RotationLaw:
        return free_rotation(self.orientation, self.speeds)


@dataclass(frozen=True, eq=False)
class Planar(Joint):
    """A plate on a table: two positions in a plane of the tail and an angle about its normal.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> plate = model.add(at.RigidBody("plate", mass=1.0, inertia=(0.1, 0.1, 0.1)))
    >>> table = model.add(at.Planar("table", model.ground, plate))
    >>> [f"{state.name} [{state.unit}]" for state in model.formulate().states[3:]]
    ['table.x [m]', 'table.y [m]', 'table.angle [rad]']
    """

    summary: ClassVar[str] = "plate on a table: two positions and an angle"

    normal: tuple[float, float, float] = axis(
        "normal of the plane, the same in both frames", default="z"
    )

    def translation(self) -> TranslationLaw:
        return in_plane(self.normal)

    def rotation(self) -> RotationLaw:
        return AboutAxes((self.normal,), (JOINT_ANGLE,), (JOINT_RATE,))


def in_plane(normal: tuple[float, float, float]) -> AlongAxes:
    """Free in the plane through the tail's origin with this normal."""
    letters = ("x", "y") if normal == (0.0, 0.0, 1.0) else ("first", "second")
    positions = tuple(Variable(k, "m", f"{k} position of the head in the plane") for k in letters)
    speeds = tuple(
        Variable(f"v{k}" if len(k) == 1 else f"{k}_speed", "m/s", f"rate of the {k} position")
        for k in letters
    )
    return AlongAxes(normals((normal,)), positions, speeds)


@dataclass(frozen=True, eq=False)
class Rod(Joint):
    """A massless link with a ball at each end: the origins keep their distance.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> bob = model.add(at.RigidBody("bob", mass=1.0, inertia=(0.1, 0.1, 0.1)))
    >>> rod = model.add(at.Rod("rod", model.ground, bob, length="1 m"))
    >>> model.start = {"bob.z": -1.0}
    >>> model.formulate().degrees_of_freedom  # six less one
    5
    """

    summary: ClassVar[str] = "massless link: two points at a fixed distance"

    length: float = positive("m", "distance of the two points")

    def translation(self) -> TranslationLaw:
        free = free_translation(Speeds.DERIVATIVES)
        return AtDistance(self.symbol("length"), free.coordinates, free.speeds)


@dataclass(frozen=True, eq=False)
class PointOnLine(Joint):
    """The head's origin stays on a line through the tail's origin; rotation is free.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> bead = model.add(at.RigidBody("bead", mass=1.0, inertia=(0.1, 0.1, 0.1)))
    >>> wire = model.add(at.PointOnLine("wire", model.ground, bead, axis="x"))
    >>> model.formulate().degrees_of_freedom  # one along the wire, three rotations
    4
    """

    summary: ClassVar[str] = "a point of one body on a line of another"

    axis: tuple[float, float, float] = axis("direction of the line in the tail", default="x")

    def translation(self) -> TranslationLaw:
        return AlongAxes((self.axis,), (JOINT_POSITION,), (JOINT_SPEED,))


@dataclass(frozen=True, eq=False)
class PointOnPlane(Joint):
    """The head's origin stays on a plane through the tail's origin; rotation is free.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> puck = model.add(at.RigidBody("puck", mass=1.0, inertia=(0.1, 0.1, 0.1)))
    >>> ice = model.add(at.PointOnPlane("ice", model.ground, puck))
    >>> model.formulate().degrees_of_freedom  # two in the plane, three rotations
    5
    """

    summary: ClassVar[str] = "a point of one body on a plane of another"

    normal: tuple[float, float, float] = axis("normal of the plane in the tail", default="z")

    def translation(self) -> AlongAxes:
        return in_plane(self.normal)


TRAVEL = Variable("travel", "m", "of the head along z of the tail, up in bump")
TRAVEL_SPEED = Variable("speed", "m/s", "rate of the travel")


@dataclass(frozen=True, eq=False)
class WheelGuide(Joint):
    """One freedom, the vertical travel; track, wheelbase, toe, camber and caster change with it.

    The tail is on the body where the wheel's centre is at travel zero, the head on the wheel
    carrier; axes are x forward, y left, z up for wheels of both sides. Angles turn the carrier
    about z (toe), then x (camber), then y (caster), each by its static value and its curve. A
    spring along the travel has wheel rates.

    Example:
    >>> import axletree as at
    >>> model = at.Model(gravity=(0, 0, 0))
    >>> hub = model.add(at.RigidBody("hub", mass=30.0, inertia=(1, 1, 1)))
    >>> wider = at.Curve((-0.1, 0.1), (0.02, -0.02), "linear")  # m over m of travel
    >>> guide = model.add(at.WheelGuide("guide", model.ground, hub, left=wider))
    >>> bumped = model.formulate().trim({"guide.travel": "50 mm"})
    >>> print(f"{bumped['hub.position.y']:.3f} m, {bumped['hub.position.z']:.3f} m")
    -0.010 m, 0.050 m
    """

    summary: ClassVar[str] = "suspension by curves over its vertical travel"

    static_toe: float = parameter(
        "rad", "turn about z at any travel, left if positive", default=0.0
    )
    static_camber: float = parameter(
        "rad", "turn about x at any travel: the wheel's top to the right if positive", default=0.0
    )
    left: Curve | None = curve("m", "m", "way to the left over travel", default=None)
    forward: Curve | None = curve("m", "m", "way forward over travel", default=None)
    toe: Curve | None = curve("m", "rad", "turn about z over travel", default=None)
    camber: Curve | None = curve("m", "rad", "turn about x over travel", default=None)
    caster: Curve | None = curve("m", "rad", "turn about y over travel", default=None)

    def translation(self) -> TranslationLaw:
        return AlongPath((TRAVEL,), (TRAVEL_SPEED,), _function(self.forward), _function(self.left))

    def rotation(self) -> RotationLaw:
        return TurnsOnPath(
            _function(self.toe, self.symbol("static_toe")),
            _function(self.camber, self.symbol("static_camber")),
            _function(self.caster),
        )


def _function(points: Curve | None, static: Expr = ZERO) -> TravelFunction:
    if points is None:
        return lambda travel: static
    return lambda travel: static + interpolate(points.table, travel)


_WANTED = {
    TRANSLATION: "one position: a prismatic, cylindrical or point-on-line joint",
    ROTATION: "one angle: a revolute, cylindrical or planar joint",
}


def sliding_joint(description: str) -> Any:
    """A field that names a joint with one position.

    Example:
    >>> import axletree as at
    >>> from axletree.components.fields import kind_of
    >>> from axletree.components.joints import sliding_joint
    >>> field = kind_of(sliding_joint("slide with a seal"))
    >>> bore = at.Prismatic("bore", at.Model().ground, at.RigidBody("piston", 2.0))
    >>> field.description, field.check(bore).name
    ('slide with a seal', 'bore')
    """
    return _joint_reference(TRANSLATION, description)


def turning_joint(description: str) -> Any:
    """A field that names a joint with one angle.

    Example:
    >>> import axletree as at
    >>> from axletree.components.fields import kind_of
    >>> from axletree.components.joints import turning_joint
    >>> field = kind_of(turning_joint("shaft that turns it"))
    >>> field.check(at.read_model("pendulum")["pin"]).name
    'pin'
    """
    return _joint_reference(ROTATION, description)


class OnJoints(Component):
    """A component that works on the freedoms of the joints that it names."""

    def measured_joints(self) -> tuple[str, ...]:
        named = ((getattr(self, name), kind.freedom) for name, kind in part_fields(self))
        return tuple(
            _single_freedom(joint, domain)[0].name for joint, domain in named if domain in _WANTED
        )


def _joint_reference(domain: Domain, description: str) -> Any:
    def check(value: Any) -> Component:
        if not isinstance(value, Component):
            raise ModelError(f"expected a joint with {_WANTED[domain]}; got {value!r}")
        if _freedom(value, domain) is None:
            raise ModelError(f"{value.name} has no single freedom; expected {_WANTED[domain]}")
        return value

    return structure("component", description, check, freedom=domain)


def slide_of(joint: Component) -> tuple[Edge, Axis]:
    """The edge of a joint's one position, and the axis that it runs along.

    Example:
    >>> import axletree as at
    >>> from axletree.components.joints import slide_of
    >>> bore = at.Prismatic("bore", at.Model().ground, at.RigidBody("piston", 2.0), axis="x")
    >>> edge, axis = slide_of(bore)
    >>> print(edge.name, axis)
    bore.T1 (1.0, 0.0, 0.0)
    """
    return _single_freedom(joint, TRANSLATION)


def turn_of(joint: Component) -> tuple[Edge, Axis]:
    """The edge of a joint's one angle, and the axis that it turns about.

    Example:
    >>> import axletree as at
    >>> from axletree.components.joints import turn_of
    >>> edge, axis = turn_of(at.read_model("pendulum")["pin"])
    >>> print(edge.name, axis)
    pin.R1 (0.0, 1.0, 0.0)
    """
    return _single_freedom(joint, ROTATION)


def _single_freedom(joint: Component, domain: Domain) -> tuple[Edge, Axis]:
    found = _freedom(joint, domain)
    if found is None:
        raise ModelError(f"{joint.name} has no single freedom; expected {_WANTED[domain]}")
    return found


def _freedom(joint: Component, domain: Domain) -> tuple[Edge, Axis] | None:
    for edge in joint.edges():
        law = edge.law
        if edge.domain == domain and isinstance(law, MotionLaw) and law.dimension == 1:
            axis = law.freedom
            if axis is not None:
                x, y, z = (float(c) for c in axis)
                return edge, (x, y, z)
    return None
