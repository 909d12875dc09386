"""A linkage of an axle at design: its links, what joins them, what pushes between them.

Points are in the axle's axes, which are fixed to the body: x forward, y left, z up (ISO 8855),
origin on the road at y = 0 below the design wheel centres. With the linkage at design all links
have these axes, so that a point of a link is given by where it is then.

Two links have names that all linkages share: the body, which is held on a rig and moves in a
vehicle, and the rack, which the steering moves along y.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from axletree.components.signals import Curve
from axletree.core.arrays import FloatArray, euclidean_norm, ordered_product
from axletree.core.errors import ModelError
from axletree.vehicles.suspensions import CARRIER_INERTIA

BODY, RACK = "body", "rack"
Point = tuple[float, float, float]  # [m], in the axle's axes at design
InertiaEntries = tuple[float, float, float, float, float, float]  # [kg m^2], xx, yy, zz, xy, xz, yz
_SHORTEST = 1e-6  # [m], below which a length is a slip
_ROD_RADIUS = 0.015  # [m] of the rods that a link is made of
ARM_SECTION = 4.0  # [kg/m] of a stamped or forged arm, along the lines between its points


@dataclass(frozen=True)
class Link:
    """A rigid part of a linkage; one without mass is a constraint."""

    name: str
    mass: float = 0.0  # [kg]
    centre: Point = (0.0, 0.0, 0.0)
    inertia: InertiaEntries = (0.0,) * 6  # about the centre

    def with_hub(self, mass: float, at: Point) -> Link:
        """With hub and brake at a point of it.

        Two masses m and M whose centres are d apart have about their common centre the inertia of
        each about its own, and m M / (m + M) (d . d 1 - d d^T).
        """
        whole = self.with_point_mass(mass, at)
        return replace(whole, inertia=_added(whole.inertia, CARRIER_INERTIA * mass * np.eye(3)))

    def with_point_mass(self, mass: float, at: Point) -> Link:
        """With a point mass; a negative one takes it away again."""
        total = self.mass + mass
        d = np.subtract(at, self.centre)
        x, y, z = (np.array(self.centre) + mass / total * d).tolist()
        J = self.mass * mass / total * (d @ d * np.eye(3) - np.outer(d, d))
        return Link(self.name, total, (x, y, z), _added(self.inertia, J))


@dataclass(frozen=True)
class Mount:
    """Stiffness and damping of a bushing in place of an ideal joint, along axes x, y, z of it.

    ``axis`` is the direction of its z, the bushing's own axis, in the axle's axes; ``across`` says
    where its x points, and is made normal to z. Left out, x is normal to z and to y of the axle, or
    forward where z is along y. Curves are those of the component ``bushing``, by their names.
    """

    stiffness: tuple[float, float, float]  # [N/m]
    rotational_stiffness: tuple[float, float, float]  # [N m/rad]
    damping: tuple[float, float, float] = (0.0, 0.0, 0.0)  # [N s/m]
    rotational_damping: tuple[float, float, float] = (0.0, 0.0, 0.0)  # [N m s/rad]
    axis: Point = (1.0, 0.0, 0.0)
    across: Point | None = None
    curves: Mapping[str, Curve] = field(default_factory=dict)

    @property
    def axes(self) -> FloatArray:
        """x, y, z of it at design by columns, in the axle's axes."""
        z = np.array(self.axis) / euclidean_norm(np.array(self.axis))
        if self.across is None:
            return axes_with_z(z)
        x = np.array(self.across) - z * ordered_product(z, np.array(self.across))
        x /= euclidean_norm(x)
        return np.column_stack([x, np.cross(z, x), z])


def axes_with_z(z: FloatArray) -> FloatArray:
    """By columns: x normal to z and to y of the axle, or forward where z is along y."""
    y = np.array([0.0, 1.0, 0.0])
    x = np.cross(y, z) if abs(z[1]) < _ALONG else np.array([1.0, 0.0, 0.0])
    x = x - z * ordered_product(x, z)
    x /= euclidean_norm(x)
    return np.column_stack([x, np.cross(z, x), z])


_ALONG = 0.9  # cosine of the angle from which an axis counts as along y


@dataclass(frozen=True)
class Ball:
    """A ball joint between two links."""

    name: str
    first: str
    second: str
    at: Point
    mount: Mount | None = None  # what takes its place where bushings are modelled


@dataclass(frozen=True)
class Hinge:
    """Two links turn about the line through two points; each end may have a bushing."""

    name: str
    first: str
    second: str
    ends: tuple[Point, Point]
    mounts: tuple[Mount, Mount] | None = None


@dataclass(frozen=True)
class Bar:
    """A massless rod with a ball at each end: a point of each link at a fixed distance."""

    name: str
    first: str
    second: str
    ends: tuple[Point, Point]  # on the first link, on the second
    stiffness: float | None = None  # [N/m] along it, where bushings are modelled
    damping: float = 0.0  # [N s/m] likewise
    mounts: tuple[Mount | None, Mount | None] = (None, None)  # of its ends, likewise
    mass: float = 0.0  # [kg] of a rod that has mounts; with the second link where it is ideal


@dataclass(frozen=True)
class Sleeve:
    """A point of the first link stays on a line of the second one, which is free to turn."""

    name: str
    first: str
    second: str
    at: Point
    along: Point  # a second point of the line at design
    mount: Mount | None = None  # between the point and a rod that slides, where modelled
    mass: float = 0.0  # [kg] of this rod; with the second link where it is ideal


@dataclass(frozen=True)
class Cross:
    """Two links with a point in common, and a cross between them: one turns about the first axis,
    which is fixed to the first link, the other about the second axis, normal to it (``Universal``).
    """

    name: str
    first: str
    second: str
    at: Point
    axes: tuple[Point, Point]
    mount: Mount | None = None


@dataclass(frozen=True)
class Plane:
    """A point of the first link stays on a plane of the second one (``PointOnPlane``)."""

    name: str
    first: str
    second: str
    at: Point
    normal: Point


@dataclass(frozen=True)
class HingeCoupling:
    """The angles of hinges, each times a factor, sum up to zero; the angle of a hinge is that of
    its second link in the first one, about the line from its first end to its second one.

    No joint component stands for it: it holds freedoms of ``Revolute`` joints together.
    """

    name: str
    hinges: tuple[str, ...]
    factors: tuple[float, ...]


@dataclass(frozen=True)
class Slide:
    """The second link moves along a direction of the first and does not turn."""

    name: str
    first: str
    second: str
    direction: Point


@dataclass(frozen=True)
class Coil:
    """A spring with damper and stops between a point of one link and a point of another.

    At design it has the length between its ends, and the force that carries the axle's share of
    the vehicle. Stops act where its length is so much below or above that of design.
    """

    name: str
    first: str
    second: str
    ends: tuple[Point, Point]
    stiffness: float = 0.0  # [N/m]
    damping: float = 0.0  # [N s/m]
    damper: Curve | None = None  # force [N] over speed [m/s], bump positive
    gas_force: float = 0.0  # [N], with which the damper pushes its ends apart
    bump_clearance: float | None = None  # [m]
    rebound_clearance: float | None = None  # [m]
    stop_stiffness: float = 0.0  # [N/m]
    is_spring: bool = True  # whether it carries a share of the vehicle at design


@dataclass(frozen=True)
class TorsionBar:
    """A torsion spring between two links that turn about one axis in a third, or, of one hinge,
    between the links that it joins; free at design."""

    name: str
    hinges: tuple[str, str] | tuple[str]
    stiffness: float  # [N m/rad]
    damping: float = 0.0  # [N m s/rad]


LinkJoint = Ball | Hinge | Bar | Sleeve | Slide | Cross | Plane


@dataclass(frozen=True)
class WheelCarrier:
    """What a wheel turns on: a link, the wheel's centre, and its axle.

    ``spin_axis`` points to the left on both sides, with toe and camber as they are set. The kingpin
    is given by two points of the carrier, the lower one first; those of virtual kingpins are left
    out, and the bar is named whose length steers the wheel. ``kingpin_links`` are the links that
    have these points where it is not the carrier: the top of a strut is the body's.
    """

    link: str
    centre: Point
    spin_axis: Point
    kingpin: tuple[Point, Point] | None = None
    toe_link: str | None = None
    kingpin_links: tuple[str, str] | None = None


@dataclass(frozen=True)
class AxleLinkage:
    """All of an axle but its wheels; ``carriers`` are by side."""

    links: tuple[Link, ...]
    joints: tuple[LinkJoint, ...]
    carriers: Mapping[str, WheelCarrier]  # left, right
    coils: tuple[Coil, ...] = ()
    bars: tuple[TorsionBar, ...] = ()
    steers: bool = False  # whether it has a rack, or a hinge that steers
    steering_hinge: str | None = None  # whose angle steers in place of the rack's travel
    notes: tuple[str, ...] = ()  # what looks wrong with its points
    couplings: tuple[HingeCoupling, ...] = ()

    def __post_init__(self) -> None:
        if problems := list(_problems(self)):
            raise ModelError(problems)

    def hinge(self, name: str) -> Hinge:
        """The hinge of this name."""
        return next(j for j in self.joints if isinstance(j, Hinge) and j.name == name)

    def has_bushings(self) -> bool:
        """Whether a joint of it may give."""
        return any(
            joint.stiffness is not None or any(joint.mounts) if isinstance(joint, Bar)
            else joint.mounts is not None if isinstance(joint, Hinge)
            else joint.mount is not None if isinstance(joint, Ball | Sleeve | Cross)
            else False
            for joint in self.joints
        )  # fmt: skip

    def moving(self) -> Iterator[str]:
        """Names of the links that move in the body."""
        return (link.name for link in self.links)


def _problems(linkage: AxleLinkage) -> Iterator[str]:
    """Links that are not there, and what has no length."""
    links = {BODY, *linkage.moving()}
    for one in (*linkage.joints, *linkage.coils):
        for link in (one.first, one.second):
            if link not in links:
                yield f"{one.name} joins {link}, which is not a link of this axle"
        ends = _ends_of(one)
        if ends and math.dist(*ends) < _SHORTEST:
            yield f"{one.name} has no length: both of its points are at {list(ends[0])} m"
    for coil in linkage.coils:
        long, clearance = math.dist(*coil.ends), coil.bump_clearance or 0.0
        if _SHORTEST < long <= clearance:
            yield (
                f"{coil.name}: bump_clearance: {1e3 * clearance:.4g} mm, but it is "
                f"{1e3 * long:.4g} mm long at design and cannot shorten so far"
            )
    hinges = {joint.name for joint in linkage.joints if isinstance(joint, Hinge)}
    used: list[TorsionBar | HingeCoupling] = [*linkage.bars, *linkage.couplings]
    for part in used:
        for name in part.hinges:
            if name not in hinges:
                yield f"{part.name} acts on {name}, which is not a hinge of this axle"
    if linkage.steering_hinge is not None and linkage.steering_hinge not in hinges:
        yield f"{linkage.steering_hinge} is to steer and is not a hinge of this axle"


def _ends_of(one: LinkJoint | Coil) -> tuple[Point, Point] | None:
    if isinstance(one, Hinge | Bar | Coil):
        return one.ends
    return (one.at, one.along) if isinstance(one, Sleeve) else None


def moved_forward(linkage: AxleLinkage, way: float) -> AxleLinkage:
    """With all of its points moved along x [m]."""

    def moved(part: Any) -> Any:
        places = {k: _moved_point(v, way) for k, v in vars(part).items() if k in _PLACES and v}
        return replace(part, **places)

    return replace(
        linkage,
        links=tuple(moved(link) for link in linkage.links),
        joints=tuple(moved(joint) for joint in linkage.joints),
        coils=tuple(moved(coil) for coil in linkage.coils),
        carriers={side: moved(carrier) for side, carrier in linkage.carriers.items()},
    )


_PLACES = ("at", "along", "ends", "centre", "kingpin")  # fields that are points or hold some


def _moved_point(held: Any, way: float) -> Any:
    if isinstance(held[0], tuple):
        return tuple(_moved_point(one, way) for one in held)
    return (held[0] + way, held[1], held[2])


def mirrored_point(point: Point) -> Point:
    """On the other side of the vehicle."""
    x, y, z = point
    return (x, -y, z)


def mirrored_inertia(inertia: InertiaEntries) -> InertiaEntries:
    xx, yy, zz, xy, xz, yz = inertia
    return (xx, yy, zz, -xy, xz, -yz)


def spin_axis(side: float, toe: float, camber: float) -> Point:
    """Of a wheel on the left (1) or right (-1), to the left, by toe-in and camber [rad]."""
    outward = np.array(
        [np.sin(toe) * np.cos(camber), np.cos(toe) * np.cos(camber), -np.sin(camber)]
    )
    x, y, z = (outward * [side, 1.0, side]).tolist()
    return (x, y, z)


def rod_link(name: str, mass: float, ends: tuple[Point, Point]) -> Link:
    """A slender rod between two points."""
    return frame_link(name, mass, (ends,))


def frame_link(
    name: str,
    mass: float | None,
    lines: Iterable[tuple[Point, Point]],
    section: float = ARM_SECTION,
) -> Link:
    """A frame of round rods of one cross-section along lines between points; without a mass it has
    this section [kg/m].

    A rod of mass m, radius r and length l along e has about its middle the inertia
    m l^2 / 12 (1 - e e^T) + m r^2 / 4 (1 + e e^T), and m (c . c 1 - c c^T) more about a point at c
    from there. Without the radius a link whose lines are one would have none about it.
    """
    ends = np.array(list(lines), dtype=float)
    along, middles = ends[:, 1] - ends[:, 0], ends.mean(axis=1)
    lengths = np.linalg.norm(along, axis=1)
    total = section * float(lengths.sum()) if mass is None else mass
    masses = total * lengths / lengths.sum() if lengths.sum() > 0.0 else 0.0 * lengths
    centre = masses @ middles / total if total else middles.mean(axis=0)
    J = np.zeros((3, 3))
    for m, line, c in zip(masses, along, middles - centre, strict=True):
        e = line / np.linalg.norm(line) if line.any() else line
        J += m / 12.0 * (line @ line * np.eye(3) - np.outer(line, line))
        J += 0.25 * m * _ROD_RADIUS**2 * (np.eye(3) + np.outer(e, e))
        J += m * (c @ c * np.eye(3) - np.outer(c, c))
    x, y, z = centre.tolist()
    return Link(name, total, (x, y, z), _added((0.0,) * 6, J))


def _added(inertia: InertiaEntries, J: FloatArray) -> InertiaEntries:
    xx, yy, zz, xy, xz, yz = inertia
    a, b, c, d, e, f = J[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]].tolist()
    return (xx + a, yy + b, zz + c, xy + d, xz + e, yz + f)
