"""Bodies: which of them hang together and carry wheels, and what they look like.

They are drawn as links between their joints, boxes and discs of the same inertia. Here is also
where joints are seen, how large wheels are, and what ground is below them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from axletree.components.bodies import BodyOfRevolution, RigidBody
from axletree.components.contract import Component
from axletree.components.edges import MotionLaw
from axletree.components.frames import GROUND, Frame
from axletree.components.joints import Prismatic
from axletree.model.model import Model
from axletree.reports.animation.body_shapes import BodyMeasures, body_shape
from axletree.reports.animation.mesh import EMPTY_MESH, Mesh, ball, bar, box, disc
from axletree.reports.animation.motion import BodyPoint, BodyPoses, RunValues
from axletree.reports.animation.rover_shape import RoverMeasures, is_rover, rover_shape
from axletree.reports.animation.scene import Actor, ShownPiece, body_colour, quaternions
from axletree.reports.animation.single_track import single_track_pieces
from axletree.vehicles.units import full_name
from axletree.vehicles.vehicle import Vehicle
from axletree.wheel.wheel import Wheel, wheels_of

GLASS = 0.3  # opacity of hulls, behind which wheels are seen
INSIDE = 0.5  # of half the width of a vehicle, nearer to whose middle wheels are behind its sides
CLEARANCE = 0.45  # radii of wheels, below a hull
SLIM = 0.6  # of the box of the same inertia, of what has its wheels in line
BULKY, HEAVY = 6.0, 0.06  # widths of bars, and part of the mass, of what is more than its bars
_SAME = 1e-6  # of the scene's size: points that are one
_SMALL = 1.2  # radii of wheels: bodies whose joints are nearer to one another are not named


@dataclass(frozen=True)
class _Hull:
    """A body on wheels: their centres [m] in its axes at the first instant, and their sizes."""

    centres: np.ndarray
    sizes: Sequence[WheelSize]

    @property
    def radius(self) -> float:
        return max(size.radius for size in self.sizes)

    @property
    def half_width(self) -> float:
        pairs = zip(self.centres, self.sizes, strict=True)
        return max(float(abs(c[1])) + 0.5 * s.width for c, s in pairs)


@dataclass(frozen=True)
class _Look:
    colour: str
    thin: float  # [m], of bars
    crowded: bool  # one sees through what is solid
    heavy: bool  # a cab or an engine, of what is on wheels


def body_actors(model: Model, poses: BodyPoses, size: float) -> list[Actor]:
    """All bodies but wheels; those of nothing that can be drawn are left out."""
    turning = {wheel.rim_frame.body for wheel in wheels_of(model)}
    carried = {body: _hull(body, own, model, poses) for body, own in hulls(model).items()}
    mass = masses(model)
    known = single_track_pieces(model, poses)
    radii = [hull.radius for hull in carried.values()]
    radius = max(radii, default=0.0)
    thin = 0.13 * radius if radii else 0.03 * size
    actors: list[Actor] = []
    named = 0
    for body in poses.position:
        if body not in model or body in turning:
            continue
        points = joint_points(model, poses, body, _SAME * size)
        reach = float(np.linalg.norm(np.ptp(points, axis=0))) if len(points) else 0.0
        small = body not in carried and reach < _SMALL * radius
        own = body_colour(named, len(turning))
        crowded = _is_crowded(body, poses, thin)
        heavy = bool(carried) and mass.get(body, 0.0) > HEAVY * sum(mass.values())
        look = _Look("part" if small else own, thin, crowded, heavy)
        pieces = known.get(body) or _pieces(model, model[body], points, carried.get(body), look)
        if pieces:
            named += not small
            turns = quaternions(poses.turn[body])
            actors.append(Actor(body, tuple(pieces), poses.position[body], turns))
    return actors


def _is_crowded(body: str, poses: BodyPoses, near: float) -> bool:
    """Whether another body is in the same place at first, and would be hidden."""
    own = poses.position[body][0]
    others = (path[0] for name, path in poses.position.items() if name not in (body, GROUND.body))
    return any(np.linalg.norm(other - own) < near for other in others)


def _hull(body: str, wheels: Sequence[Wheel], model: Model, poses: BodyPoses) -> _Hull:
    places = np.stack([poses.place(wheel.carrier)[0] for wheel in wheels])
    centres = (places - poses.position[body][0]) @ poses.turn[body][0]
    return _Hull(centres, [wheel_size(wheel, model, poses.courses) for wheel in wheels])


def _pieces(
    model: Model, body: Component, points: np.ndarray, hull: _Hull | None, look: _Look
) -> list[ShownPiece]:
    colour, thin = look.colour, look.thin
    centre = np.array(body.centre_of_mass) if isinstance(body, RigidBody) else np.zeros(3)
    links = _links(points, centre, thin)
    if isinstance(body, BodyOfRevolution):
        return [ShownPiece(_disc(body, thin), colour)]
    if not isinstance(body, RigidBody):
        return [ShownPiece(links, colour)] if len(links.points) else []
    half = _inertia_box(body, thin)
    if hull is not None:
        return _hull_pieces(model, body, hull, half, points, look)
    if len(points) > 1:
        bulky = look.heavy and bool(np.min(2.0 * half) > BULKY * thin)
        solid = box(centre - half, centre + half)
        return [ShownPiece(links, colour), *([ShownPiece(solid, colour, GLASS)] if bulky else [])]
    if colour == "part":
        half = np.minimum(half, thin)
    solid = box(centre - half, centre + half)
    inside = bool(np.all((points >= centre - half) & (points <= centre + half)))
    opacity = GLASS if look.crowded and colour != "part" else 1.0
    return [ShownPiece(solid if inside else solid + links, colour, opacity)]


def _links(points: np.ndarray, centre: np.ndarray, thin: float) -> Mesh:
    """A bar between two points; of one or of many, bars to the centre of mass."""
    if len(points) < 2 and not np.any(points != centre):
        return EMPTY_MESH
    ends = [(points[0], points[1])] if len(points) == 2 else [(point, centre) for point in points]
    bars = [bar(start, end, thin) for start, end in ends]
    return sum([*bars, *(ball(point, 0.8 * thin) for point in points)], EMPTY_MESH)


def _disc(body: BodyOfRevolution, thin: float) -> Mesh:
    """The cylinder of the same inertia."""
    square = 2.0 * body.axial_inertia / body.mass
    across = 12.0 * body.transverse_inertia / body.mass - 3.0 * square
    radius = max(math.sqrt(square), thin)
    width = max(math.sqrt(max(across, 0.0)), 0.15 * radius, 0.5 * thin)
    return disc(np.array(body.axis, dtype=float), radius, width)


def _inertia_box(body: RigidBody, thin: float) -> np.ndarray:
    """Half of each side of the box of the same inertia [m]."""
    xx, yy, zz = (0.0,) * 3 if body.inertia_frame else body.inertia[:3]
    squares = 6.0 / body.mass * np.array([yy + zz - xx, xx + zz - yy, xx + yy - zz])
    return np.asarray(0.5 * np.maximum(np.sqrt(np.maximum(squares, 0.0)), thin))


def _hull_pieces(
    model: Model, body: RigidBody, hull: _Hull, half: np.ndarray, points: np.ndarray, look: _Look
) -> list[ShownPiece]:
    """A box that lets its wheels be seen, and bars to joints beyond it."""
    centre, r = np.array(body.centre_of_mass), hull.radius
    low, high = centre - half, centre + half
    floor = float(hull.centres[:, 2].min())
    if "vehicle" in model.described:
        low[0] = min(low[0], hull.centres[:, 0].min() - 1.2 * r)
        high[0] = max(high[0], hull.centres[:, 0].max() + 1.2 * r)
        side = max(hull.half_width, 0.15 * (high[0] - low[0]))
        low[1], high[1] = -side, side
        low[2] = floor - 0.2 * r
        high[2] = max(high[2], floor + 2.2 * r)
    if is_rover(len(hull.centres), body.mass) and "vehicle" not in model.described:
        return rover_shape(RoverMeasures(low, high, r, hull.half_width))
    if bool(np.all(np.abs(hull.centres[:, 1]) < 0.5 * r)) and len(points) > 1:
        solid = box(centre - SLIM * half, centre + SLIM * half)
        links = ShownPiece(_links(points, centre, look.thin), look.colour)
        return [ShownPiece(solid, look.colour, GLASS), links]
    low[2] = max(low[2], floor - (1.0 - CLEARANCE) * r)
    if "vehicle" in model.described and body.name != "body":
        low[2] = max(low[2], _deck(points, hull, high[0]))
    high[2] = max(high[2], low[2] + r)
    vehicle = model.described.get("vehicle")
    if isinstance(vehicle, Vehicle):
        shown = _vehicle_pieces(body, vehicle, hull, low, high)
    else:
        shown = [ShownPiece(box(low, high), look.colour, GLASS)]
    bars = EMPTY_MESH
    for point in points:
        inner = np.clip(point, low, high)
        if np.linalg.norm(point[:2] - inner[:2]) > look.thin:
            bars += bar(inner, point, look.thin) + ball(point, 0.8 * look.thin)
    return [*shown, ShownPiece(bars, look.colour)] if len(bars.points) else shown


def _vehicle_pieces(
    body: RigidBody, vehicle: Vehicle, hull: _Hull, low: np.ndarray, high: np.ndarray
) -> list[ShownPiece]:
    """What a vehicle by body and axles looks like; one sees through it where links or wheels are
    inside of it."""
    radii = [size.radius for size in hull.sizes]
    measures = BodyMeasures(
        low, high,
        tuple((c[0], c[2], radius) for c, radius in zip(hull.centres, radii, strict=True)),
        ground=float(np.mean(hull.centres[:, 2] - radii)),
        mass=body.mass,
        towed=body.name != "body",
        tows=len(vehicle.units) > 1,
    )  # fmt: skip
    inside = bool(np.any(np.abs(hull.centres[:, 1]) < INSIDE * high[1]))
    opacity = GLASS if vehicle.fidelity.has_links or inside else 1.0
    return [replace(piece, opacity=opacity) for piece in body_shape(measures)]


def _deck(points: np.ndarray, hull: _Hull, front: float) -> float:
    """Below a trailer's front lies what tows it, where the coupling is behind that front [m]."""
    ahead = hull.centres[:, 0].max() + hull.radius
    return max((float(p[2]) for p in points if ahead < p[0] < front), default=-math.inf)


LEAST_SHARE = 0.15  # of the mass of all that hangs together, of a body that counts as a hull


def masses(model: Model) -> dict[str, float]:
    """By body [kg]."""
    return {c.name: c.mass for c in model if isinstance(c, RigidBody | BodyOfRevolution)}


def neighbours(model: Model) -> dict[str, set[str]]:
    """By body: those that it is joined to; the ground and tyres join nothing."""
    of_frame = {frame.name: frame.body for frame in model.frames.values()}
    found: dict[str, set[str]] = {body: set() for body in of_frame.values() if body != GROUND.body}
    for component in model:
        if isinstance(component, Wheel):
            continue
        for edge in component.edges():
            a, b = of_frame.get(edge.tail), of_frame.get(edge.head)
            if a in found and b in found and a != b:
                found[a].add(b)
                found[b].add(a)
    return found


def together(body: str, joined: Mapping[str, set[str]]) -> list[str]:
    """The bodies that hang on a body, the nearest first and itself before them."""
    order, seen = [body], {body}
    for one in order:
        further = sorted(joined.get(one, set()) - seen)
        seen.update(further)
        order += further
    return order


def hulls(model: Model) -> dict[str, list[Wheel]]:
    """By heavy body: the wheels that carry it; of a vehicle by axles, its body and trailers'."""
    joined, mass = neighbours(model), masses(model)
    vehicle = model.described.get("vehicle")  # whose tractor may be light beside its trailer
    described = vehicle.units if isinstance(vehicle, Vehicle) else ()
    units = {full_name(unit, "body") for unit in described}
    turning = {wheel.rim_frame.body for wheel in wheels_of(model)}
    found: dict[str, list[Wheel]] = {}
    for wheel in wheels_of(model):
        group = together(wheel.rim_frame.body, joined)
        whole = sum(mass.get(body, 0.0) for body in group)
        heavy = (b for b in group if b not in turning and mass.get(b, 0.0) > LEAST_SHARE * whole)
        body = next((b for b in group if b in units), None) or next(heavy, None)
        if body is not None:
            found.setdefault(body, []).append(wheel)
    return found


# Widths of tyres of unknown width, in radii, and kg up to which two wheels are a bicycle's.
USUAL, IN_LINE, SLIMMEST, LIGHT = 0.55, 0.4, 0.12, 130.0


@dataclass(frozen=True)
class WheelSize:
    """[m]."""

    radius: float
    width: float


def wheel_size(wheel: Wheel, model: Model, courses: RunValues) -> WheelSize:
    """As it was in the run."""
    values = courses.facts.parameters
    radius, width = wheel.drawn_radius(values), wheel.drawn_width(values)
    return WheelSize(radius, width or _described_width(wheel.name, model) or _usual(model) * radius)


def _usual(model: Model) -> float:
    """Two wheels in line are slimmer than those of cars, and slimmest of a bicycle."""
    if len(wheels_of(model)) > 2:
        return USUAL
    return IN_LINE if sum(masses(model).values()) > LIGHT else SLIMMEST


def _described_width(name: str, model: Model) -> float | None:
    vehicle = model.described.get("vehicle")
    if not isinstance(vehicle, Vehicle):
        return None
    for unit, described in vehicle.units.items():
        for axle, own in described.axles.items():
            if name.startswith(f"{full_name(unit, axle)}_"):
                return own.wheel.width
    return None


def joint_points(model: Model, poses: BodyPoses, body: str, same: float) -> np.ndarray:
    """Where joints and force elements are on a body, each place once [m]."""
    used = {name for c in model for e in c.edges() for name in (e.tail, e.head) if c.name != body}
    used |= {frame.name for c in model for pair in c.measures() for frame in pair}
    frames = [f for f in model.frames.values() if f.body == body and f.name in used]
    points: list[np.ndarray] = []
    for frame in frames:
        place = joint_place(model, poses, frame)
        if all(np.linalg.norm(place - other) > same for other in points):
            points.append(place)
    return np.array(points).reshape(-1, 3)


def joint_place(model: Model, poses: BodyPoses, frame: Frame) -> np.ndarray:
    """A joint may be described anywhere along its axis.

    Where that is below the wheels' centres, as of a steering axis on the road, it is shown where
    the axis is nearest to the body's centre of mass.
    """
    offset, body = poses.courses.offset(frame), model[frame.body]
    heights = [
        (poses.place(w.carrier)[0][2], w) for w in wheels_of(model) if w.carrier.body in poses
    ]
    if not heights or not isinstance(body, RigidBody):
        return offset
    centre, wheel = min(heights, key=lambda pair: pair[0])
    radius = wheel_size(wheel, model, poses.courses).radius
    axis = _axis_through(model, frame)
    if axis is None or poses.place(frame)[0][2] > centre - 0.5 * radius:
        return offset
    along = np.array(frame.turn, dtype=float) @ axis
    return np.asarray(offset + along * (along @ (np.array(body.centre_of_mass) - offset)))


def _axis_through(model: Model, frame: Frame) -> np.ndarray | None:
    for component in model:
        for edge in component.edges():
            law = edge.law
            if frame.name in (edge.tail, edge.head) and isinstance(law, MotionLaw):
                axis = law.freedom if law.dimension == 1 else None
                if axis is not None:
                    return np.array([float(c) for c in axis])
    return None


def slides(model: Model, poses: BodyPoses) -> list[tuple[BodyPoint, BodyPoint]]:
    """Telescopes: between the places of a sliding joint on both of its bodies."""
    found = []
    for joint in model:
        if isinstance(joint, Prismatic) and GROUND not in (joint.tail, joint.head):
            ends = [frame for frame in (joint.tail, joint.head) if frame.body in poses]
            if len(ends) == 2 and GROUND.body not in (ends[0].body, ends[1].body):
                start, end = (BodyPoint(f.body, joint_place(model, poses, f)) for f in ends)
                found.append((start, end))
    return found


def on_ground(wheel: Wheel, points: np.ndarray, poses: BodyPoses) -> np.ndarray:
    """Places straight below or above points, on the wheel's ground; instants by points by 3."""
    R, road = poses.axes(wheel.road), poses.place(wheel.road)
    local = np.einsum("tji,tkj->tki", R, points - road[:, None, :])
    numbers = wheel.values_of("surface", poses.courses.facts.parameters)
    height = wheel.surface.height(local[..., 0], local[..., 1], numbers)
    local[..., 2] = np.broadcast_to(np.asarray(height, dtype=float), local.shape[:-1])
    return np.asarray(road[:, None, :] + np.einsum("tij,tkj->tki", R, local))
