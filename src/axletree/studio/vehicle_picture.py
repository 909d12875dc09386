"""A vehicle as it is described, in three dimensions: without equations, quick enough to follow
every change.

It stands level on its tyres, its origin on the ground below the body's centre of mass: x forward,
y left, z up (ISO 8855). Hard points can be moved in it: each knows where in the file it stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from axletree.components.fields import Part
from axletree.components.file_entries import declared_fields
from axletree.reports.animation.animation import scene_data
from axletree.reports.animation.body_shapes import BodyMeasures, body_shape
from axletree.reports.animation.mesh import EMPTY_MESH, Mesh, ball, bar, rim_mesh, tyre_mesh
from axletree.reports.animation.scene import (
    Actor,
    GroundMesh,
    Scene,
    ShownPiece,
    ShownTie,
    wheel_colour,
)
from axletree.vehicles.linkages.contract import LinkedSuspension, PointAxes
from axletree.vehicles.linkages.linkage import BODY, RACK, AxleLinkage, Bar, Hinge, Sleeve
from axletree.vehicles.statics import wheel_heights
from axletree.vehicles.units import Axle, VehicleUnit, full_name
from axletree.vehicles.vehicle import Vehicle

_ROD: Final = 0.028  # m, thickness of links
_WIDTH: Final = 0.6  # radii, of a tyre whose width is not said
_GLASS: Final = 0.22  # opacity of bodies, behind which links are seen
_THIN: Final = 0.4  # of tyres likewise, where links have hard points
_LONGEST_SPRING: Final = 0.8  # m; leaves count as springs of a metre, of which the foot is drawn
_AROUND: Final = 12.0  # m of ground
_OVERHANG: Final = 1.2  # radii of wheels, of a body beyond them
_LEAST_HEIGHT: Final = 2.2  # radii of wheels, of a body above their centres
_MIDDLE: Final = 0.4  # of the way from the ground to the top, where one looks


@dataclass(frozen=True)
class HardPoint:
    """A point that a file gives, and where it is in the picture [m]."""

    path: tuple[str, ...]  # keys in the file
    about: str
    position: tuple[float, float, float]
    forward: float  # m, from the axes that the file has it in to those of the picture

    def as_json(self) -> dict[str, Any]:
        return {
            "path": list(self.path), "about": self.about, "position": list(self.position),
            "forward": self.forward,
        }  # fmt: skip


def vehicle_picture(vehicle: Vehicle, title: str) -> dict[str, Any]:
    """What a page draws of a vehicle: a scene as animations have it, and its hard points.

    Example:
    >>> import axletree as at
    >>> from axletree.studio.vehicle_picture import vehicle_picture
    >>> car = at.read_model("pushrod-formula-student").described["vehicle"]
    >>> points = {one["path"][-1]: one for one in vehicle_picture(car, "car")["points"]}
    >>> points["lower_arm_front"]["position"], points["lower_arm_front"]["forward"]  # m
    ([-0.614, 0.2, 0.12], -0.744)
    """
    made = _Picture(vehicle)
    return {
        "scene": scene_data(made.scene(title)),
        "points": [point.as_json() for point in made.points],
    }


class _Picture:
    """Gathers what is seen of all units."""

    def __init__(self, vehicle: Vehicle) -> None:
        self.vehicle = vehicle
        self.heights = wheel_heights(vehicle)
        self.actors: list[Actor] = []
        self.ties: list[ShownTie] = []
        self.points: list[HardPoint] = []
        linked = (isinstance(axle.suspension, LinkedSuspension) for axle in vehicle.axles.values())
        self._tyres_seen = _THIN if any(linked) else 1.0
        self.low, self.high = np.full(3, np.inf), np.full(3, -np.inf)
        behind = 0.0
        for k, (name, unit) in enumerate(vehicle.units.items()):
            hitch = getattr(unit, "hitch", None)
            behind += 0.0 if hitch is None else hitch.position - hitch.coupling
            place = ("vehicle", "trailers", name) if name else ("vehicle",)
            self._add_unit(unit, name, place, behind, towed=k > 0)

    def scene(self, title: str) -> Scene:
        size = float(np.linalg.norm((self.high - self.low)[:2]))
        middle = 0.5 * (self.low + self.high)
        middle[2] = _MIDDLE * self.high[2]
        return Scene(
            title=title, time=np.zeros(1), up=(0.0, 0.0, 1.0), size=size,
            main=self.actors[0].name, actors=tuple(self.actors), focus=middle[None, :],
            ties=tuple(self.ties), grounds=(_ground(middle, size),), view=(0.6, 0.35),
        )  # fmt: skip

    def _add_unit(
        self, unit: VehicleUnit, name: str, place: tuple[str, ...], x: float, *, towed: bool
    ) -> None:
        wheels, links = [], EMPTY_MESH
        for key, axle in unit.axles.items():
            own = full_name(name, key)
            found = _AxlePlace(axle, x + axle.position, self.heights[own])
            wheels += [(*centre, axle.wheel.radius) for centre, _ in found.wheels]
            for side, (centre, spin) in zip(("left", "right"), found.wheels, strict=True):
                self._add_wheel(f"{own}_{side}", axle, centre, spin)
            links += self._add_suspension(axle, found)
            self.points += _hard_points(axle, (*place, "axles", key, "suspension"), found.forward)
        hitch = getattr(unit, "hitch", None)
        if hitch is not None:  # from the coupling to the first axle
            coupling = np.array([x + hitch.coupling, 0.0, hitch.height])
            links += _rod(coupling, np.array([max(w[0] for w in wheels), 0.0, hitch.height]))
        pieces = _body(unit, wheels, x, towed=towed, tows=len(self.vehicle.units) > 1)
        self._see(np.concatenate([piece.mesh.points for piece in pieces]))
        thin = [ShownPiece(piece.mesh, piece.colour, _GLASS) for piece in pieces]
        self._add(full_name(name, "body"), [ShownPiece(links, "part"), *thin], (0.0, 0.0, 0.0))

    def _add_suspension(self, axle: Axle, place: _AxlePlace) -> Mesh:
        """Links, and springs as ties."""
        if place.linkage is None:
            for centre, _ in place.wheels:
                top = np.array(centre) + [0.0, 0.0, 1.6 * axle.wheel.radius]
                self._tie(np.array(centre), top)
            inner = [np.array(centre) * [1.0, 0.85, 1.0] for centre, _ in place.wheels]
            return bar(inner[0], inner[1], _ROD)
        moved = np.array([place.forward, 0.0, 0.0])
        for coil in place.linkage.coils:
            upper, lower = (np.array(end) + moved for end in coil.ends)
            away = upper - lower
            part = min(1.0, _LONGEST_SPRING / float(np.linalg.norm(away)))
            self._tie(lower + part * away, lower)
        return sum(
            (_rod(np.array(a) + moved, np.array(b) + moved) for a, b in _lines(place.linkage)),
            EMPTY_MESH,
        )

    def _tie(self, start: np.ndarray, end: np.ndarray) -> None:
        self.ties.append(ShownTie(start[None, :], end[None, :]))

    def _add_wheel(
        self, name: str, axle: Axle, centre: Sequence[float], spin: Sequence[float]
    ) -> None:
        axis, radius = np.array(spin), axle.wheel.radius
        width = axle.wheel.width or _WIDTH * radius
        number = sum(actor.name.endswith(("_left", "_right")) for actor in self.actors)
        pieces = [
            ShownPiece(tyre_mesh(axis, radius, width), "tyre", self._tyres_seen),
            ShownPiece(rim_mesh(axis, radius, width), wheel_colour(number)),
        ]
        self._see(np.array([centre]) + radius * np.array([[1.0, 0.0, 1.0], [-1.0, 0.0, -1.0]]))
        self._add(name, pieces, centre)

    def _add(self, name: str, pieces: Sequence[ShownPiece], at: Sequence[float]) -> None:
        still = np.array([[1.0, 0.0, 0.0, 0.0]])
        self.actors.append(Actor(name, tuple(pieces), np.array([at], dtype=float), still))

    def _see(self, points: np.ndarray) -> None:
        self.low = np.minimum(self.low, points.min(axis=0))
        self.high = np.maximum(self.high, points.max(axis=0))


class _AxlePlace:
    """Where the wheels of an axle are, and its links."""

    def __init__(self, axle: Axle, x: float, height: float) -> None:
        suspension = axle.suspension
        self.linkage: AxleLinkage | None = None
        self.forward = x
        if not isinstance(suspension, LinkedSuspension):
            half = 0.5 * axle.track
            self.wheels = [((x, y, height), (0.0, 1.0, 0.0)) for y in (half, -half)]
            return
        self.linkage = suspension.drawn()
        if suspension.axes is PointAxes.VEHICLE:
            self.forward = x - axle.position
        self.wheels = [
            ((one.centre[0] + self.forward, *one.centre[1:]), one.spin_axis)
            for one in (self.linkage.carriers[side] for side in ("left", "right"))
        ]


def _rod(start: np.ndarray, end: np.ndarray) -> Mesh:
    return bar(start, end, _ROD) + ball(start, 0.8 * _ROD, 8) + ball(end, 0.8 * _ROD, 8)


def _lines(linkage: AxleLinkage) -> Iterator[tuple[Any, Any]]:
    """Between the points of each link: from those it turns about on the body to the others, or
    from the first to all others; rods, and what slides, along themselves."""
    held: dict[str, list[Any]] = {link.name: [] for link in linkage.links}
    hinged: dict[str, list[Any]] = {link.name: [] for link in linkage.links}
    for joint in linkage.joints:
        if isinstance(joint, Bar):
            yield joint.ends
        points = _points_of(joint)
        for link in (joint.first, joint.second):
            if link in held and link not in (BODY, RACK):
                is_base = isinstance(joint, Hinge) and BODY in (joint.first, joint.second)
                own = points if not isinstance(joint, Bar) else _own_end(joint, link)
                (hinged if is_base else held)[link] += own
    for coil in linkage.coils:
        for link, end in zip((coil.first, coil.second), coil.ends, strict=True):
            if link in held:
                held[link].append(end)
    for carrier in linkage.carriers.values():
        held[carrier.link].append(carrier.centre)
    for name, others in held.items():
        base = hinged[name]
        if not base:
            base, others = others[-1:], others[:-1]
        yield from ((a, b) for a in base for b in others if tuple(a) != tuple(b))


def _own_end(joint: Bar, link: str) -> list[Any]:
    return [joint.ends[0] if joint.first == link else joint.ends[1]]


def _points_of(joint: Any) -> list[Any]:
    if isinstance(joint, Hinge):
        return list(joint.ends)
    if isinstance(joint, Sleeve):
        return [joint.at, joint.along]
    return [joint.at] if hasattr(joint, "at") else []


def _hard_points(axle: Axle, place: tuple[str, ...], forward: float) -> Iterator[HardPoint]:
    if isinstance(axle.suspension, LinkedSuspension):
        yield from _points_within(axle.suspension, place, forward)


def _points_within(held: Part, place: tuple[str, ...], forward: float) -> Iterator[HardPoint]:
    """Of a piece, and of pieces in it: places in metres."""
    for key, item in declared_fields(type(held)).items():
        value = getattr(held, item.field)
        if isinstance(value, Part):
            yield from _points_within(value, (*place, key), forward)
        elif item.kind.word == "vector" and item.kind.unit == "m" and value is not None:
            x, y, z = value
            where = (round(x + forward, 9), y, z)
            yield HardPoint((*place, key), item.kind.description, where, forward)


def _body(
    unit: VehicleUnit, wheels: Sequence[tuple[float, ...]], x: float, *, towed: bool, tows: bool
) -> list[ShownPiece]:
    """In the axes of the picture."""
    radius = max(wheel[3] for wheel in wheels)
    half = _half_box(unit.body.mass, unit.body.inertia)
    ends = [wheel[0] for wheel in wheels]
    side = max(abs(wheel[1]) for wheel in wheels) + 0.5 * _WIDTH * radius
    centre = unit.body.centre_height
    low = np.array([min(x - half[0], min(ends) - _OVERHANG * radius), -side, 0.0])
    top = max(centre + half[2], _LEAST_HEIGHT * radius + radius)
    high = np.array([max(x + half[0], max(ends) + _OVERHANG * radius), side, top])
    low[2] = min(wheel[2] for wheel in wheels) - 0.2 * radius
    places = tuple((wheel[0], wheel[2], wheel[3]) for wheel in wheels)
    return body_shape(BodyMeasures(low, high, places, 0.0, unit.body.mass, towed, tows))


def _half_box(mass: float, inertia: Sequence[float]) -> np.ndarray:
    """Half of each side of the box of the same inertia [m]."""
    xx, yy, zz = inertia[:3]
    squares = 6.0 / mass * np.array([yy + zz - xx, xx + zz - yy, xx + yy - zz])
    return np.asarray(0.5 * np.sqrt(np.maximum(squares, 0.0)))


def _ground(middle: np.ndarray, size: float) -> GroundMesh:
    reach = max(_AROUND, size)
    x, y = np.meshgrid(middle[0] + [-reach, reach], [-reach, reach], indexing="ij")
    return GroundMesh("road", "road", x, y, np.zeros_like(x), endless=True)
