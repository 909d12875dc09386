"""What bodies look like: links between their joints, boxes and discs of the same inertia."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from axletree.components.bodies import BodyOfRevolution, RigidBody
from axletree.components.contract import Component
from axletree.components.frames import GROUND
from axletree.model.model import Model
from axletree.report.animation.mesh import NOTHING, Mesh, ball, bar, box, disc, frustum
from axletree.report.animation.motion import BodyPoses
from axletree.report.animation.scene import Actor, ShownPiece, body_colour, quaternions
from axletree.report.animation.structure import WheelSize, hulls, joint_points, masses, wheel_size
from axletree.wheel.wheel import Wheel, wheels_of

GLASS = 0.3  # opacity of hulls, behind which wheels are seen
CLEARANCE = 0.45  # radii of wheels, below a hull
SLIM = 0.6  # of the box of the same inertia, of what has its wheels in line
BULKY, HEAVY = 6.0, 0.06  # widths of bars, and part of the mass, of what is more than its bars
SAME = 1e-6  # of the scene's size: points that are one
SMALL = 1.2  # radii of wheels: bodies whose joints are nearer to one another are not named


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
    radii = [hull.radius for hull in carried.values()]
    radius = max(radii, default=0.0)
    thin = 0.13 * radius if radii else 0.03 * size
    actors: list[Actor] = []
    named = 0
    for body in poses.position:
        if body not in model or body in turning:
            continue
        points = joint_points(model, poses, body, SAME * size)
        small = body not in carried and _reach(points) < SMALL * radius
        own = body_colour(named, len(turning))
        crowded = _is_crowded(body, poses, thin)
        heavy = bool(carried) and mass.get(body, 0.0) > HEAVY * sum(mass.values())
        look = _Look("part" if small else own, thin, crowded, heavy)
        pieces = _pieces(model, model[body], points, carried.get(body), look)
        if pieces:
            named += not small
            turns = quaternions(poses.turn[body])
            actors.append(Actor(body, tuple(pieces), poses.position[body], turns))
    return actors


def _is_crowded(body: str, poses: BodyPoses, near: float) -> bool:
    """Whether another body is in the same place at first, and would be hidden."""
    gaps = [
        np.linalg.norm(path[0] - poses.position[body][0])
        for other, path in poses.position.items()
        if other not in (body, GROUND.body)
    ]
    return bool(gaps) and bool(min(gaps) < near)


def _reach(points: np.ndarray) -> float:
    return float(np.linalg.norm(np.ptp(points, axis=0))) if len(points) else 0.0


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
    low, high = _inertia_box(body, thin)
    if hull is not None:
        return _hull_pieces(model, body, hull, (low, high), points, look)
    if len(points) > 1:
        bulky = look.heavy and bool(np.min(high - low) > BULKY * thin)
        solid = box(centre + low, centre + high)
        return [ShownPiece(links, colour), *([ShownPiece(solid, colour, GLASS)] if bulky else [])]
    if colour == "part":
        low, high = np.maximum(low, -thin), np.minimum(high, thin)
    solid = box(centre + low, centre + high)
    inside = all(np.all(p >= centre + low) and np.all(p <= centre + high) for p in points)
    opacity = GLASS if look.crowded and colour != "part" else 1.0
    return [ShownPiece(solid if inside else solid + links, colour, opacity)]


def _links(points: np.ndarray, centre: np.ndarray, thin: float) -> Mesh:
    """A bar between two points; of one or of many, bars to the centre of mass."""
    mesh = NOTHING
    if len(points) == 2:
        mesh = bar(points[0], points[1], thin)
    elif len(points):
        for point in points:
            mesh += bar(point, centre, thin)
    for point in points:
        mesh += ball(point, 0.8 * thin)
    return mesh if len(points) > 1 or np.any(points != centre) else NOTHING


def _disc(body: BodyOfRevolution, thin: float) -> Mesh:
    """The cylinder of the same inertia."""
    square = 2.0 * body.axial_inertia / body.mass
    across = 12.0 * body.transverse_inertia / body.mass - 3.0 * square
    radius = max(math.sqrt(square), thin)
    width = max(math.sqrt(max(across, 0.0)), 0.15 * radius, 0.5 * thin)
    return disc(np.array(body.axis, dtype=float), radius, width)


def _inertia_box(body: RigidBody, thin: float) -> tuple[np.ndarray, np.ndarray]:
    """Corners of the box of the same inertia, from the centre of mass [m]."""
    xx, yy, zz = (0.0,) * 3 if body.inertia_frame else body.inertia[:3]
    squares = 6.0 / body.mass * np.array([yy + zz - xx, xx + zz - yy, xx + yy - zz])
    half = 0.5 * np.maximum(np.sqrt(np.maximum(squares, 0.0)), thin)
    return -half, half


def _hull_pieces(
    model: Model,
    body: RigidBody,
    hull: _Hull,
    corners: tuple[np.ndarray, np.ndarray],
    points: np.ndarray,
    look: _Look,
) -> list[ShownPiece]:
    """A box that lets its wheels be seen, and bars to joints beyond it."""
    centre, r = np.array(body.centre_of_mass), hull.radius
    low, high = centre + corners[0], centre + corners[1]
    floor = float(hull.centres[:, 2].min())
    if "vehicle" in model.described:
        low[0] = min(low[0], hull.centres[:, 0].min() - 1.2 * r)
        high[0] = max(high[0], hull.centres[:, 0].max() + 1.2 * r)
        half = max(hull.half_width, 0.15 * (high[0] - low[0]))
        low[1], high[1] = -half, half
        low[2] = floor - 0.2 * r
        high[2] = max(high[2], floor + 2.2 * r)
    if bool(np.all(np.abs(hull.centres[:, 1]) < 0.5 * r)) and len(points) > 1:
        solid = box(centre + SLIM * corners[0], centre + SLIM * corners[1])
        links = ShownPiece(_links(points, centre, look.thin), look.colour)
        return [ShownPiece(solid, look.colour, GLASS), links]
    low[2] = max(low[2], floor - (1.0 - CLEARANCE) * r)
    if "vehicle" in model.described and body.name != "body":
        low[2] = max(low[2], _deck(points, hull, high[0]))
    high[2] = max(high[2], low[2] + r)
    if "vehicle" in model.described and body.name == "body":
        shape = _car(low, high)
    else:
        shape = box(low, high)
    bars = NOTHING
    for point in points:
        inner = np.clip(point, low, high)
        if np.linalg.norm(point[:2] - inner[:2]) > look.thin:
            bars += bar(inner, point, look.thin) + ball(point, 0.8 * look.thin)
    pieces = [ShownPiece(shape, look.colour, GLASS)]
    return [*pieces, ShownPiece(bars, look.colour)] if len(bars.points) else pieces


def _deck(points: np.ndarray, hull: _Hull, front: float) -> float:
    """Below a trailer's front lies what tows it, where the coupling is behind that front [m]."""
    ahead = hull.centres[:, 0].max() + hull.radius
    return max((float(p[2]) for p in points if ahead < p[0] < front), default=-math.inf)


def _car(low: np.ndarray, high: np.ndarray) -> Mesh:
    """A body below, and a cabin that is narrower above."""
    length, (left, right), waist = high[0] - low[0], (low[1], high[1]), 0.55
    middle = low[2] + waist * (high[2] - low[2])
    below = box(low, (high[0], right, middle))
    inset = 0.14 * (right - left)
    rear, front = low[0] + 0.1 * length, high[0] - 0.27 * length
    cabin = frustum(
        ((rear, front), (left + 0.25 * inset, right - 0.25 * inset), middle),
        ((rear + 0.12 * length, front - 0.15 * length), (left + inset, right - inset), high[2]),
    )
    return below + cabin
