"""A linkage of an axle at design: its links, what joins them, what pushes between them.

Points are in the axle's axes, which are fixed to the body: x forward, y left, z up (ISO 8855),
origin on the road at y = 0 below the design wheel centres. With the linkage at design all links
have these axes, so that a point of a link is given by where it is then.

Two links have names that all linkages share: the body, which is held on a rig and moves in a
vehicle, and the rack, which the steering moves along y.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from axletree.components.signals import Curve

BODY, RACK = "body", "rack"
Point = tuple[float, float, float]  # [m], in the axle's axes at design
Inertia = tuple[float, float, float, float, float, float]  # [kg m^2], xx, yy, zz, xy, xz, yz


@dataclass(frozen=True)
class Link:
    """A rigid part of a linkage; one without mass is a constraint."""

    name: str
    mass: float = 0.0  # [kg]
    centre: Point = (0.0, 0.0, 0.0)
    inertia: Inertia = (0.0,) * 6  # about the centre


@dataclass(frozen=True)
class Mount:
    """Stiffness and damping of a bushing in place of an ideal joint, along axes x, y, z of it.

    ``axis`` is the direction of its z, the bushing's own axis, in the axle's axes.
    """

    stiffness: tuple[float, float, float]  # [N/m]
    rotational_stiffness: tuple[float, float, float]  # [N m/rad]
    damping: tuple[float, float, float] = (0.0, 0.0, 0.0)  # [N s/m]
    rotational_damping: tuple[float, float, float] = (0.0, 0.0, 0.0)  # [N m s/rad]
    axis: Point = (1.0, 0.0, 0.0)


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


@dataclass(frozen=True)
class Sleeve:
    """A point of the first link stays on a line of the second one, which is free to turn."""

    name: str
    first: str
    second: str
    at: Point
    along: Point  # a second point of the line at design
    mount: Mount | None = None  # between the point and a link without mass that slides


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
    """A torsion spring between two links that turn about one axis in a third; free at design."""

    name: str
    hinges: tuple[str, str]
    stiffness: float  # [N m/rad]
    damping: float = 0.0  # [N m s/rad]


Joint = Ball | Hinge | Bar | Sleeve | Slide


@dataclass(frozen=True)
class WheelCarrier:
    """What a wheel turns on: a link, the wheel's centre, and its axle.

    ``spin_axis`` points to the left on both sides, with toe and camber as they are set. The kingpin
    is given by two points of the carrier, the lower one first; those of virtual kingpins are left
    out.
    """

    link: str
    centre: Point
    spin_axis: Point
    kingpin: tuple[Point, Point] | None = None


@dataclass(frozen=True)
class AxleLinkage:
    """All of an axle but its wheels; ``carriers`` are by side."""

    links: tuple[Link, ...]
    joints: tuple[Joint, ...]
    carriers: Mapping[str, WheelCarrier]  # left, right
    coils: tuple[Coil, ...] = ()
    bars: tuple[TorsionBar, ...] = ()
    steers: bool = False  # whether it has a rack
    notes: tuple[str, ...] = ()  # what looks wrong with its points

    def moving(self) -> Iterator[str]:
        """Names of the links that move in the body."""
        return (link.name for link in self.links)


def held_rack(linkage: AxleLinkage) -> AxleLinkage:
    """The linkage with tie rods on the body, as an axle has it that is not steered."""
    if not linkage.steers:
        return linkage
    joints = tuple(
        replace(joint, first=_held(joint.first), second=_held(joint.second))
        for joint in linkage.joints
        if not (isinstance(joint, Slide) and RACK in (joint.first, joint.second))
    )
    links = tuple(link for link in linkage.links if link.name != RACK)
    return replace(linkage, links=links, joints=joints, steers=False)


def _held(link: str) -> str:
    return BODY if link == RACK else link


def mirrored_point(point: Point) -> Point:
    """On the other side of the vehicle."""
    x, y, z = point
    return (x, -y, z)


def mirrored_inertia(inertia: Inertia) -> Inertia:
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
    a, b = (np.array(end) for end in ends)
    along = b - a
    J = mass / 12.0 * (along @ along * np.eye(3) - np.outer(along, along))
    x, y, z = (0.5 * (a + b)).tolist()
    inertia = (J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2])
    return Link(name, mass, (x, y, z), tuple(float(v) for v in inertia))  # type: ignore[arg-type]
