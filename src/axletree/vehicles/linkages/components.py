"""A linkage as components of a model: bodies, joints, springs, and hubs that wheels turn on.

With all coordinates zero it stands as it is designed, its loops closed. A link's main frame has its
origin on the joint that carries it: on the hinge of an arm, x along it and y towards what it
carries; in the lower ball joint of an upright, z towards another joint. So most offsets have one
component that is not zero, and equations are short. Links that no hinge or slide carries turn by
angles from the body (``Free``), which are shorter than chains of angles.

Where bushings are modelled, each takes the place of its joint, and a bar with a stiffness is a
spring.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from axletree.components.bodies import FramedBody, MasslessBody, RigidBody
from axletree.components.contract import Component
from axletree.components.drivers import RotationDriver, TranslationDriver
from axletree.components.frames import Frame
from axletree.components.gears import AngleSum
from axletree.components.joints import (
    Free,
    PointOnLine,
    PointOnPlane,
    Prismatic,
    Revolute,
    Rod,
    Spherical,
    Universal,
)
from axletree.components.motion_laws import XYZ
from axletree.components.sensors import TravelSensor
from axletree.components.signals import Constant, TimeFunction
from axletree.components.springs import (
    ActingSide,
    Bushing,
    LinkTorsionBar,
    MatrixRows,
    RotationalSpringDamper,
    SpringDamper,
    TabulatedSpringDamper,
)
from axletree.components.steering_gears import ArmSteeringGear, RackSteeringGear
from axletree.core.arrays import FloatArray, euclidean_norm, ordered_product
from axletree.core.errors import ModelError
from axletree.expr import Expr, Value, as_expr
from axletree.model.model import Model
from axletree.vehicles.controls import HAND
from axletree.vehicles.linkages.contract import LinkedSuspension
from axletree.vehicles.linkages.curves.axle_curves import hub_axes
from axletree.vehicles.linkages.curves.forces import design_forces, spring_pushes
from axletree.vehicles.linkages.linkage import (
    BODY,
    RACK,
    AxleLinkage,
    Ball,
    Bar,
    Coil,
    Cross,
    Hinge,
    HingeCoupling,
    Link,
    LinkJoint,
    Mount,
    Plane,
    Point,
    Sleeve,
    Slide,
    TorsionBar,
    WheelCarrier,
    axes_with_z,
)
from axletree.vehicles.linkages.parts.mounts import elastic_linkage
from axletree.vehicles.pieces import Steering
from axletree.vehicles.suspensions import SIDES, AxlePlace

_X, _Y, _Z = XYZ
_TINY = 1e-13  # m or 1, of what is rounding


@dataclass(frozen=True)
class AxleComponents:
    """What of an axle's components others join or measure, by side."""

    hubs: Mapping[str, Frame]  # y along the spin axis, to the left; not spinning
    kingpins: Mapping[str, tuple[Frame, Frame]]  # lower point, upper point; of real ball joints
    springs: Mapping[str, tuple[Frame, Frame]]  # ends of coils, by their names
    steers: Prismatic | Revolute | None = None  # the joint of the rack, or of the pitman arm


def add_linkage(
    model: Model,
    at: AxlePlace,
    suspension: LinkedSuspension,
    steering: Steering | None,
    *,
    bushings: bool = False,
    hand: Expr = HAND,
    wheel: Callable[[Model, Steering, Component, Value], None] | None = None,
) -> AxleComponents:
    """Add the links of an axle to a model that has its body; the rack follows an angle [rad], that
    of the driver's steering wheel unless ``hand`` is given. ``wheel`` adds a steering wheel that
    torques turn, by the joint of what steers and the angle of the pinion [rad]."""
    found = place_linkage(model, at, suspension, bushings=bushings)
    if steering is not None and found.steers is not None:
        if wheel is not None:
            wheel(model, steering, found.steers, _pinion(steering, hand))
        _add_steering(model, at, found.steers, steering, hand)
    linkage = suspension.kinematics.linkage
    for side, hub in found.hubs.items():
        x, y, z = linkage.carriers[side].centre
        place = at.body.point(
            at.x + x, y, at.z + z - suspension.wheel_centre_height, f"{at.name}_{side}_design"
        )
        model.add(TravelSensor(f"{at.name}_{side}_suspension", place, hub))
    return found


def place_linkage(
    model: Model, at: AxlePlace, suspension: LinkedSuspension, *, bushings: bool = False
) -> AxleComponents:
    """The same with a rack or a pitman arm that is free to move."""
    linkage = suspension.kinematics.linkage
    if bushings:
        linkage = elastic_linkage(linkage)
    forces = design_forces(suspension.kinematics, at.carried)
    for name, more in spring_pushes(suspension.kinematics, at.seats).items():
        forces[name] += more
    builder = _Builder(model, at, linkage, suspension.wheel_centre_height, bushings)
    builder.add_links()
    builder.add_joints()
    for coupling in linkage.couplings:
        builder.add_coupling(coupling)
    springs = {coil.name: builder.add_coil(coil, forces[coil.name]) for coil in linkage.coils}
    for bar in linkage.bars:
        builder.add_torsion_bar(bar)
    hubs = {side: builder.hub(side, linkage.carriers[side]) for side in SIDES}
    kingpins = {
        side: builder.kingpin(side, carrier)
        for side, carrier in linkage.carriers.items()
        if carrier.kingpin is not None
    }
    return AxleComponents(hubs, kingpins, springs, builder.steers())


def _add_steering(
    model: Model, at: AxlePlace, joint: Prismatic | Revolute, steering: Steering, hand: Expr
) -> None:
    """The steering wheel moves the rack or the pitman arm, through the torsion bar of the column if
    it has one."""
    assert steering.travel is not None
    column, pinion = steering.column, _pinion(steering, hand)
    name, slides = f"{at.name}_steer", isinstance(joint, Prismatic)
    if steering.column_stiffness is None:
        moved = TimeFunction(steering.travel * pinion)
        model.add((TranslationDriver if slides else RotationDriver)(name, joint, moved))
        return
    gear = RackSteeringGear if slides else ArmSteeringGear
    geared = gear(
        name, joint, model.ground.main_frame, at.body.main_frame,
        angle=TimeFunction(pinion), hand=TimeFunction(hand),
        hand_ratio=Constant(1.0) if column is None else TimeFunction(column.slope(hand)),
        ratio=steering.travel, stiffness=steering.column_stiffness,
        damping=steering.column_damping,
        assist=None if steering.assist is None else steering.assist.both_ways(),
        share=steering.assist_over_speed,
        friction=steering.rack_friction if slides else steering.arm_friction,
        column_friction=steering.column_friction,
    )  # fmt: skip
    model.add(geared)


def _pinion(steering: Steering, hand: Expr) -> Expr:
    """Its angle [rad] by that of the steering wheel."""
    return hand if steering.column is None else as_expr(steering.column.pinion_angle(hand))


@dataclass(frozen=True, eq=False)
class _Placed:
    """A link of the model: its main frame in the axle's axes at design."""

    body: FramedBody
    origin: FloatArray  # [m]
    axes: FloatArray  # by columns

    def place(self, at: Point) -> Point:
        """Of a point in the axle's axes, in the main frame."""
        return _plain(ordered_product(self.axes.T, np.array(at) - self.origin))


@dataclass(eq=False)
class _Builder:
    """Adds the parts of a linkage one after another."""

    model: Model
    at: AxlePlace
    linkage: AxleLinkage
    wheel_height: float  # [m] above the road at design
    bushings: bool
    placed: dict[str, _Placed] = field(default_factory=dict)
    carried_by: dict[str, LinkJoint] = field(default_factory=dict)  # links by their joints

    def __post_init__(self) -> None:
        # The body's main frame is its centre of mass; that of the axle's axes is on the road.
        origin = -np.array([self.at.x, 0.0, self.at.z - self.wheel_height])
        self.placed[BODY] = _Placed(self.at.body, origin, np.eye(3))

    def name(self, word: str) -> str:
        return f"{self.at.name}_{word}"

    def steers(self) -> Prismatic | Revolute | None:
        """The joint that is moved to steer."""
        if not self.linkage.steers:
            return None
        word = self.linkage.steering_hinge or next(
            joint.name
            for joint in self.linkage.joints
            if isinstance(joint, Slide) and joint.second == RACK
        )
        joint = self.model[self.name(word)]
        assert isinstance(joint, Prismatic | Revolute)
        return joint

    # -- links -------------------------------------------------------------------------------
    def add_links(self) -> None:
        """Those that hinges and slides carry first, then what hangs on them."""
        waiting = {link.name: link for link in self.linkage.links}
        while waiting:
            link, joint = self._next(waiting)
            self._add_link(link, joint)
            del waiting[link.name]

    def _next(self, waiting: Mapping[str, Link]) -> tuple[Link, LinkJoint | None]:
        for kind in (Hinge, Slide, Cross, Ball, Sleeve, Bar):
            for joint in self.linkage.joints:
                if isinstance(joint, kind):
                    for link, other in ((joint.second, joint.first), (joint.first, joint.second)):
                        if link in waiting and other in self.placed:
                            return waiting[link], joint
        return next(iter(waiting.values())), None

    def _add_link(self, link: Link, joint: LinkJoint | None) -> None:
        origin, axes = self._frame_of(link, joint)
        name = self.name(link.name)
        if link.mass:
            J = ordered_product(ordered_product(axes.T, _tensor(link)), axes)
            J[np.abs(J) < 1e-12 * np.abs(J).max()] = 0.0
            inertia = (J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2])
            centre = _plain(ordered_product(axes.T, np.array(link.centre) - origin))
            body: FramedBody = RigidBody(name, link.mass, inertia, centre)
        else:
            body = MasslessBody(name)
        self.placed[link.name] = _Placed(self.model.add(body), origin, axes)
        if isinstance(joint, Hinge | Slide) and not self._is_soft(joint):
            self.carried_by[link.name] = joint
            return
        tail = self.frame(BODY, origin, axes, link.name)
        self.model.add(Free(f"{name}_turn", tail, body.main_frame))

    def _frame_of(self, link: Link, joint: LinkJoint | None) -> tuple[FloatArray, FloatArray]:
        points = [np.array(p) for p in _points_on(self.linkage, link.name)]
        if isinstance(joint, Hinge):
            return _hinge_frame(joint, points)
        if isinstance(joint, Ball | Cross | Sleeve):
            origin = np.array(joint.at)
        elif isinstance(joint, Bar):
            origin = np.array(joint.ends[0 if joint.first == link.name else 1])
        else:
            return np.zeros(3), np.eye(3)
        z = max((p - origin for p in points), key=lambda arm: abs(float(arm[2])))
        arm = euclidean_norm(z)
        return origin, np.eye(3) if arm < _SHORT else axes_with_z(z / arm)

    def frame(self, link: str, origin: FloatArray, axes: FloatArray, label: str) -> Frame:
        """A frame of a link by its place in the axle's axes; the main frame where it is that."""
        own = self.placed[link]
        position = _plain(ordered_product(own.axes.T, origin - own.origin))
        turn = ordered_product(own.axes.T, axes)
        if link == BODY:
            label = self.name(label)
        if np.abs(turn - np.eye(3)).max() < _TINY:
            if position == (0.0, 0.0, 0.0):
                return own.body.main_frame
            return own.body.point(*position, label)
        return own.body.frame_with_axes(label, position, _clean(turn).tolist())

    def point(self, link: str, at: Point, label: str) -> Frame:
        """A point of a link, with the axes of the link."""
        return self.frame(link, np.array(at), self.placed[link].axes, label)

    # -- joints ------------------------------------------------------------------------------
    def add_joints(self) -> None:
        for joint in self.linkage.joints:
            if self._is_soft(joint):
                self._add_bushings(joint)
            else:
                self._add_rigid(joint)

    def _is_soft(self, joint: LinkJoint) -> bool:
        if not self.bushings:
            return False
        match joint:
            case Hinge():
                return joint.mounts is not None
            case Bar():
                return joint.stiffness is not None
            case Ball() | Cross():
                return joint.mount is not None
            case _:
                return False

    def _add_rigid(self, joint: LinkJoint) -> None:
        name = self.name(joint.name)
        match joint:
            case Hinge():
                origin, axes = self._hinge_axes(joint)
                tail, head = self._both(joint, origin, axes)
                self.model.add(Revolute(name, tail, head, axis=_X))
            case Slide():
                tail, head = self._both(joint, np.zeros(3), np.eye(3))
                self.model.add(Prismatic(name, tail, head, axis=joint.direction))
            case Ball():
                origin, axes = np.array(joint.at), self.placed[joint.second].axes
                tail = self.point(joint.first, joint.at, joint.name)
                self.model.add(
                    Spherical(name, tail, self.frame(joint.second, origin, axes, joint.name))
                )
            case Bar():
                tail, head = self._ends(joint)
                self.model.add(Rod(name, tail, head, length=_distance(joint.ends)))
            case Cross():
                first, second = (np.array(axis) for axis in joint.axes)
                tail, head = self._both(joint, np.array(joint.at), _cross_axes(first, second))
                self.model.add(Universal(name, tail, head, first_axis=_X, second_axis=_Y))
            case Plane():
                normal = np.array(joint.normal)
                axes = axes_with_z(normal / euclidean_norm(normal))
                tail = self.frame(joint.second, np.array(joint.at), axes, joint.name)
                head = self.point(joint.first, joint.at, joint.name)
                self.model.add(PointOnPlane(name, tail, head, normal=_Z))
            case Sleeve():
                line = np.subtract(joint.along, joint.at)
                axes = axes_with_z(line / euclidean_norm(line))
                tail = self.frame(joint.second, np.array(joint.at), axes, joint.name)
                head = self.point(joint.first, joint.at, joint.name)
                self.model.add(PointOnLine(name, tail, head, axis=_Z))

    def _both(self, joint: LinkJoint, origin: FloatArray, axes: FloatArray) -> tuple[Frame, Frame]:
        first, second = (
            self.frame(link, origin, axes, joint.name) for link in (joint.first, joint.second)
        )
        return first, second

    def _ends(self, joint: Bar | Coil) -> tuple[Frame, Frame]:
        first, second = (
            self.point(link, at, joint.name)
            for link, at in zip((joint.first, joint.second), joint.ends, strict=True)
        )
        return first, second

    def _hinge_axes(self, joint: Hinge) -> tuple[FloatArray, FloatArray]:
        """Those of the link that it carries."""
        for link in (joint.second, joint.first):
            if self.carried_by.get(link) is joint:
                return self.placed[link].origin, self.placed[link].axes
        return _hinge_frame(joint, [])

    def _add_bushings(self, joint: LinkJoint) -> None:
        name = self.name(joint.name)
        if isinstance(joint, Bar):
            tail, head = self._ends(joint)
            assert joint.stiffness is not None
            free = _distance(joint.ends)
            spring = SpringDamper(name, tail, head, joint.stiffness, joint.damping, free)
            self.model.add(spring)
        elif isinstance(joint, Ball | Cross):
            assert joint.mount is not None
            self._add_bushing(name, joint, joint.at, joint.mount, joint.name)
        elif isinstance(joint, Hinge):
            assert joint.mounts is not None
            ends = zip(("front", "rear"), joint.ends, joint.mounts, strict=True)
            for word, at, mount in ends:
                self._add_bushing(f"{name}_{word}", joint, at, mount, f"{joint.name}_{word}")

    def _add_bushing(
        self, name: str, joint: LinkJoint, at: Point, mount: Mount, label: str
    ) -> None:
        tail, head = (
            self.frame(link, np.array(at), mount.axes, label)
            for link in (joint.first, joint.second)
        )
        bushing = Bushing(
            name,
            tail,
            head,
            _diagonal(mount.stiffness),
            _diagonal(mount.rotational_stiffness),
            damping=_diagonal(mount.damping),
            rotational_damping=_diagonal(mount.rotational_damping),
            **mount.curves,  # type: ignore[arg-type]
        )
        self.model.add(bushing)

    def add_coupling(self, coupling: HingeCoupling) -> None:
        a, b, c, d = (self.model[self.name(hinge)] for hinge in coupling.hinges)
        by, *factors = coupling.factors
        second, third, fourth = (factor / by for factor in factors)
        self.model.add(AngleSum(self.name(coupling.name), a, b, c, d, second, third, fourth))

    # -- springs -----------------------------------------------------------------------------
    def add_coil(self, coil: Coil, force: float) -> tuple[Frame, Frame]:
        """With the force that pushes its ends apart at design [N], its gas apart."""
        name, (tail, head) = self.name(coil.name), self._ends(coil)
        at_design = _distance(coil.ends)
        damping = 0.0 if coil.damper is not None else coil.damping
        if coil.stiffness or damping or force or coil.gas_force:
            free = at_design + force / coil.stiffness if coil.stiffness else at_design
            if free < 0.0:
                raise ModelError(
                    f"{name}: it would pull with {-force:.4g} N at design, for which a spring of "
                    f"{coil.stiffness:.4g} N/m is too long at {1e3 * at_design:.4g} mm: its length "
                    "hardly changes with the wheel's travel, it stands upside down, or its gas "
                    "force carries more than the vehicle weighs"
                )
            push = coil.gas_force + (0.0 if coil.stiffness else force)
            spring = SpringDamper(name, tail, head, coil.stiffness, damping, free, -push)
            self.model.add(spring)
        if coil.damper is not None:
            pulls = coil.damper.turned()
            damper = TabulatedSpringDamper(f"{name}_damper", tail, head, force_at_speed=pulls)
            self.model.add(damper)
        stops = (
            ("bump", coil.bump_clearance, -1.0, ActingSide.BELOW),
            ("rebound", coil.rebound_clearance, 1.0, ActingSide.ABOVE),
        )
        for word, clearance, sign, acts in stops:
            if clearance is not None:
                stop = SpringDamper(
                    f"{name}_{word}_stop", tail, head, coil.stop_stiffness,
                    free_length=at_design + sign * clearance, side=acts,
                )  # fmt: skip
                self.model.add(stop)
        return tail, head

    def add_torsion_bar(self, bar: TorsionBar) -> None:
        name = self.name(bar.name)
        if name in self.model:  # the hinge that it turns in has its name
            name = f"{name}_torsion"
        if len(bar.hinges) == 1 and self._is_soft(self.linkage.hinge(bar.hinges[0])):
            return  # the torsion is that of the bushings
        first, *others = (self.model[self.name(hinge)] for hinge in bar.hinges)
        if not others:
            self.model.add(RotationalSpringDamper(name, first, bar.stiffness, bar.damping))
        for second in others:
            self.model.add(LinkTorsionBar(name, first, second, bar.stiffness, bar.damping))

    # -- wheels ------------------------------------------------------------------------------
    def hub(self, side: str, carrier: WheelCarrier) -> Frame:
        label = "hub" if side in carrier.link else f"{side}_hub"
        return self.frame(carrier.link, np.array(carrier.centre), hub_axes(carrier), label)

    def kingpin(self, side: str, carrier: WheelCarrier) -> tuple[Frame, Frame]:
        assert carrier.kingpin is not None
        links = carrier.kingpin_links or (carrier.link, carrier.link)
        labels = f"{side}_kingpin_lower", f"{side}_kingpin_upper"
        lower, upper = map(self.point, links, carrier.kingpin, labels)
        return lower, upper


_SHORT = 1e-6  # m, of what has no direction


def _points_on(linkage: AxleLinkage, link: str) -> list[Point]:
    """Where joints are on a link, those of springs left out."""
    found: list[Point] = []
    for joint in linkage.joints:
        match joint:
            case Ball() | Sleeve() | Cross() | Plane() if link in (joint.first, joint.second):
                found.append(joint.at)
            case Bar() if link in (joint.first, joint.second):
                found.append(joint.ends[0 if joint.first == link else 1])
            case Hinge() if link in (joint.first, joint.second):
                found.extend(joint.ends)
            case _:
                pass
    found += [c.centre for c in linkage.carriers.values() if c.link == link]
    return found


def _hinge_frame(joint: Hinge, points: list[FloatArray]) -> tuple[FloatArray, FloatArray]:
    """x along the hinge, from its first end; y towards the joint that is farthest from it; the
    origin at the foot of that."""
    front, rear = (np.array(end) for end in joint.ends)
    x = (rear - front) / euclidean_norm(rear - front)
    arms = [(p - rear) - x * ordered_product(x, p - rear) for p in points]
    longest = max(arms, key=euclidean_norm, default=np.zeros(3))
    if euclidean_norm(longest) < _SHORT:
        z = axes_with_z(x)[:, 0]
        return rear, np.column_stack([x, np.cross(z, x), z])
    foot = next(p for p, arm in zip(points, arms, strict=True) if arm is longest) - longest
    y = longest / euclidean_norm(longest)
    return foot, np.column_stack([x, y, np.cross(x, y)])


def _cross_axes(first: FloatArray, second: FloatArray) -> FloatArray:
    x = first / euclidean_norm(first)
    y = second - x * ordered_product(x, second)
    y /= euclidean_norm(y)
    return np.column_stack([x, y, np.cross(x, y)])


def _diagonal(values: Point) -> MatrixRows:
    x, y, z = values
    return (x, 0.0, 0.0), (0.0, y, 0.0), (0.0, 0.0, z)


def _distance(ends: tuple[Point, Point]) -> float:
    return euclidean_norm(np.subtract(*ends))


def _tensor(link: Link) -> FloatArray:
    xx, yy, zz, xy, xz, yz = link.inertia
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _plain(values: FloatArray) -> Point:
    """Without what is rounding."""
    x, y, z = (0.0 if abs(v) < _TINY else float(v) for v in values)
    return x, y, z


def _clean(R: FloatArray) -> FloatArray:
    """Zeros and ones in place of what is rounding, so that they are structural."""
    whole = np.round(R)
    return np.where(np.abs(R - whole) < _TINY, whole, R)
