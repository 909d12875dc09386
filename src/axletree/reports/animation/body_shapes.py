"""Bodies that look like what they are: a car, a van, a truck, a trailer, a racing car.

They are shaped from what the model knows: the box of the body's inertia and track, where its wheels
are and how large, its mass. A side view with arches for the wheels is drawn out to the width; above
it stands a cabin of dark glass with a roof. The physics know nothing of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np

from axletree.reports.animation.mesh import EMPTY_MESH, Mesh, ball, bar, box, frustum
from axletree.reports.animation.scene import ShownPiece

_PAINT: Final = {"car": "#0072b2", "suv": "#009e73", "van": "#7a5cc0", "truck": "#d55e00",
                 "racing car": "#d55e00", "trailer": "#8a939c"}  # fmt: skip
_GLASS, _DARK, _LAMP, _TAIL = "glass", "tyre", "lamp", "force"  # words of the page's theme
_HEAVY, _LIGHT = 3500.0, 500.0  # kg, from which on a body is a truck's, below which a racing car's
_TALL, _HIGH = 0.68, 0.8  # heights of inertia boxes over widths, of an SUV and of a van
_OVER_BOX: Final = 1.32  # height of a body over that of the box of its inertia
_ARCH: Final = 1.13  # radii of wheels
_AROUND: Final = 9  # corners of an arch


class BodyKind(Enum):
    """What a body on wheels looks like."""

    CAR = "car"
    SUV = "suv"
    VAN = "van"
    TRUCK = "truck"
    RACING_CAR = "racing car"
    TRAILER = "trailer"


@dataclass(frozen=True)
class BodyMeasures:
    """Of a body, in its axes [m]: a box around it, the wheels that carry it, the ground below."""

    low: np.ndarray
    high: np.ndarray
    wheels: tuple[tuple[float, float, float], ...]  # x, z of centres, and radii
    ground: float
    mass: float  # kg
    towed: bool = False
    tows: bool = False

    @property
    def kind(self) -> BodyKind:
        """By mass, and height over width.

        Example:
        >>> import numpy as np
        >>> from axletree.reports.animation.body_shapes import BodyMeasures
        >>> low, high = np.array([-2.1, -0.9, -0.3]), np.array([2.1, 0.9, 0.5])
        >>> BodyMeasures(low, high, ((1.3, -0.2, 0.3), (-1.3, -0.2, 0.3)), -0.5, 1400.0).kind
        <BodyKind.CAR: 'car'>
        """
        if self.towed:
            return BodyKind.TRAILER
        if self.mass > _HEAVY:
            return BodyKind.TRUCK
        if self.mass < _LIGHT:
            return BodyKind.RACING_CAR
        tall = (self.high[2] - self.ground) / (self.high[1] - self.low[1])
        return BodyKind.VAN if tall > _HIGH else BodyKind.SUV if tall > _TALL else BodyKind.CAR


# Of cars, in parts of the length from the front: the foot of the windscreen, the front and the rear
# of the roof, the end of the cabin; the waist, in parts of the height.
_CABINS: Final = {
    BodyKind.CAR: (0.28, 0.43, 0.76, 0.90, 0.58),
    BodyKind.SUV: (0.26, 0.38, 0.94, 0.99, 0.57),
    BodyKind.VAN: (0.13, 0.25, 0.985, 0.995, 0.55),
}


def body_shape(measures: BodyMeasures) -> list[ShownPiece]:
    """The pieces of a body, in its axes."""
    kind = measures.kind
    if kind is BodyKind.TRAILER:
        return _trailer(measures)
    if kind is BodyKind.TRUCK:
        return _truck(measures)
    if kind is BodyKind.RACING_CAR:
        return _racing_car(measures)
    return _car(measures, kind)


def _car(measures: BodyMeasures, kind: BodyKind) -> list[ShownPiece]:
    low, high = measures.low.copy(), measures.high.copy()
    overhang = 0.04 * (high[0] - low[0])
    low[0], high[0] = low[0] - overhang, high[0] + overhang
    length, half = high[0] - low[0], 0.5 * (high[1] - low[1])
    top = measures.ground + max(
        _OVER_BOX * (high[2] - measures.ground), 0.75 * (high[1] - low[1])
    )  # fmt: skip
    floor = _floor(measures)
    height = top - floor
    foot, front, rear, end, waist = _CABINS[kind]

    def x(part: float) -> float:
        return float(high[0] - part * length)

    def z(part: float) -> float:
        return float(floor + part * height)

    nose = 0.40 if kind is not BodyKind.VAN else 0.46
    outline = [
        (x(1.0), z(0.10)), *_arches(measures, z(0.0)), (x(0.0) - 0.01 * length, z(0.06)),
        (x(0.0), z(0.16)), (x(0.0), z(nose - 0.06)), (x(0.02), z(nose)),
        (x(foot - 0.02), z(waist - 0.04)), (x(foot), z(waist)), (x(end), z(waist)),
        (x(0.985), z(waist - 0.03)), (x(1.0), z(waist - 0.12)),
    ]  # fmt: skip
    paint = _PAINT[kind.value]
    side = 0.90 * half
    cabin = frustum(
        ((x(end), x(foot)), (-side, side), z(waist)),
        ((x(rear), x(front)), (-0.76 * half, 0.76 * half), z(0.97)),
    )
    roof = box((x(rear), -0.75 * half, z(0.955)), (x(front), 0.75 * half, z(1.0)))
    pieces = [
        ShownPiece(drawn_out(outline, half, 0.05 * half), paint),
        ShownPiece(cabin, _GLASS),
        ShownPiece(roof, paint),
    ]
    if kind is BodyKind.VAN:
        closed = frustum(
            ((x(end), x(0.40)), (-0.915 * half, 0.915 * half), z(waist - 0.01)),
            ((x(rear), x(0.41)), (-0.78 * half, 0.78 * half), z(0.985)),
        )
        pieces.append(ShownPiece(closed, paint))
    return [*pieces, *_lamps(x(0.0), x(1.0), half, z(nose - 0.10), z(waist - 0.16))]


def _truck(measures: BodyMeasures) -> list[ShownPiece]:
    """A frame, a cab over the front axle, and a box behind it unless it tows."""
    low, half = measures.low, 0.5 * (measures.high[1] - measures.low[1])
    radius = max(r for _, _, r in measures.wheels)
    deck = max(z for _, z, _ in measures.wheels) + 1.15 * radius
    first = max(x for x, _, _ in measures.wheels)
    front, back = first + 1.35, first - 0.75
    top = measures.ground + 2.9
    outline = [
        (back, deck - 0.05), (back, measures.ground + 0.75 * radius + 0.35),
        (first - _ARCH * radius, measures.ground + 0.75 * radius + 0.35),
        *_arc(first, _level(measures, first), _ARCH * radius),
        (front, measures.ground + 0.45), (front, top - 1.15), (front - 0.22, top - 0.05),
        (front - 0.45, top), (back, top),
    ]  # fmt: skip
    cab = drawn_out(outline, half, 0.04 * half)
    screen = frustum(
        ((front - 0.03, front + 0.012), (-0.86 * half, 0.86 * half), top - 1.10),
        ((front - 0.24, front - 0.195), (-0.80 * half, 0.80 * half), top - 0.14),
    )
    windows = box(
        (first - 0.35, -1.012 * half, top - 1.05), (front - 0.32, 1.012 * half, top - 0.3)
    )
    frame = box((low[0], -0.38 * half, deck - 0.42), (back, 0.38 * half, deck - 0.12))
    paint = _PAINT[BodyKind.TRUCK.value]
    pieces = [ShownPiece(cab, paint), ShownPiece(screen, _GLASS), ShownPiece(windows, _GLASS)]
    pieces.append(ShownPiece(frame, _DARK))
    if not measures.tows:
        cargo = box((low[0], -half, deck), (back - 0.12, half, top + 0.15))
        pieces.append(ShownPiece(cargo, "plate"))
    return [*pieces, *_lamps(front, low[0], half, measures.ground + 0.75, deck - 0.3)]


def _trailer(measures: BodyMeasures) -> list[ShownPiece]:
    low, high, half = measures.low, measures.high, 0.5 * (measures.high[1] - measures.low[1])
    radius = max(r for _, _, r in measures.wheels)
    half = min(half, 1.25)
    floor = max(float(low[2]), measures.ground + (1.2 * radius if measures.mass > _HEAVY else 0.35))
    top = max(float(high[2]), floor + 1.9)
    paint = "plate" if measures.mass > _HEAVY else "part"
    if measures.mass > _HEAVY:
        floor = measures.ground + 2.3 * radius
        top = max(float(high[2]), floor + 2.5)
        shape = box((low[0], -half, floor), (high[0], half, top))
        frame = box((low[0], -0.35 * half, floor - 0.25), (high[0], 0.35 * half, floor))
        return [ShownPiece(shape, paint), ShownPiece(frame, _DARK),
                *_lamps(high[0], low[0], half, floor, floor - 0.1)[1:]]  # fmt: skip
    lower = _arches(measures, floor)
    outline = [
        (low[0], floor), *lower, (high[0] - 0.15, floor), (high[0], floor + 0.4),
        (high[0] - 0.25, top - 0.1), (high[0] - 0.5, top), (low[0] + 0.15, top),
        (low[0], top - 0.25),
    ]  # fmt: skip
    window = box(
        (low[0] + 0.9, -1.004 * half, top - 0.85), (high[0] - 1.2, 1.004 * half, top - 0.4)
    )
    pieces = [ShownPiece(drawn_out(outline, half, 0.04), "floor"), ShownPiece(window, _GLASS)]
    return [*pieces, *_lamps(high[0], low[0], half, floor, floor + 0.35)[1:]]


def _racing_car(measures: BodyMeasures) -> list[ShownPiece]:
    """A slim monocoque between open wheels, with wings and a roll hoop."""
    xs = [x for x, _, _ in measures.wheels]
    front, rear = max(xs), min(xs)
    base, g = front - rear, measures.ground
    half = 0.21 * (measures.high[1] - measures.low[1])
    outline = [
        (rear - 0.12 * base, g + 0.18), (rear + 0.1 * base, g + 0.06), (front, g + 0.07),
        (front + 0.36 * base, g + 0.16), (front + 0.36 * base, g + 0.26),
        (front, g + 0.50), (rear + 0.62 * base, g + 0.60), (rear + 0.60 * base, g + 0.46),
        (rear + 0.36 * base, g + 0.46), (rear + 0.32 * base, g + 0.74),
        (rear - 0.10 * base, g + 0.50),
    ]  # fmt: skip
    pods = box(
        (rear + 0.18 * base, -2.0 * half, g + 0.06), (rear + 0.52 * base, 2.0 * half, g + 0.34)
    )
    span = 0.5 * (measures.high[1] - measures.low[1])
    tip = front + 0.40 * base
    nose_wing = box((tip - 0.22, -span, g + 0.07), (tip + 0.04, span, g + 0.10))
    tail = rear - 0.30 * base
    wing = box((tail - 0.02, -0.75 * span, g + 0.86), (tail + 0.34, 0.75 * span, g + 0.90))
    plates = EMPTY_MESH
    for side in (-1.0, 1.0):
        y = 0.75 * span * side
        plates += box((tail - 0.06, y - 0.012, g + 0.60), (tail + 0.36, y + 0.012, g + 0.98))
        plates += bar(
            (rear, 0.5 * half * side, g + 0.4), (tail + 0.15, 0.5 * half * side, g + 0.87), 0.03
        )
    hoop = EMPTY_MESH
    foot, peak = rear + 0.34 * base, g + 1.08
    for side in (-1.0, 1.0):
        hoop += bar((foot, 0.8 * half * side, g + 0.6), (foot, 0.35 * half * side, peak), 0.03)
    hoop += bar((foot, -0.35 * half, peak), (foot, 0.35 * half, peak), 0.03)
    helmet = ball((foot + 0.24, 0.0, g + 0.80), 0.14)
    paint = _PAINT[BodyKind.RACING_CAR.value]
    return [
        ShownPiece(drawn_out(outline, half, 0.3 * half), paint), ShownPiece(pods, paint),
        ShownPiece(nose_wing + wing + plates + hoop, _DARK), ShownPiece(helmet, _LAMP),
    ]  # fmt: skip


def _lamps(front: float, rear: float, half: float, ahead: float, behind: float) -> list[ShownPiece]:
    """Tail lamps come last."""
    white, red = EMPTY_MESH, EMPTY_MESH
    for side in (-1.0, 1.0):
        inner, outer = sorted((0.55 * half * side, 0.92 * half * side))
        white += box((front - 0.06, inner, ahead - 0.055), (front + 0.012, outer, ahead + 0.055))
        red += box((rear - 0.012, inner, behind - 0.05), (rear + 0.05, outer, behind + 0.05))
    return [ShownPiece(white, _LAMP), ShownPiece(red, _TAIL)]


def _floor(measures: BodyMeasures) -> float:
    """The underside: above the ground by half a wheel's radius."""
    return measures.ground + 0.55 * max(r for _, _, r in measures.wheels)


def _level(measures: BodyMeasures, x: float) -> float:
    return min(measures.wheels, key=lambda wheel: abs(wheel[0] - x))[1]


def _arches(measures: BodyMeasures, floor: float) -> list[tuple[float, float]]:
    """Along the underside from the rear to the front, around each axle's wheels."""
    axles = {round(x, 2): (x, z, r) for x, z, r in measures.wheels}
    found: list[tuple[float, float]] = []
    for x, z, r in sorted(axles.values()):
        reach = _ARCH * r
        if found and x - reach <= found[-1][0]:
            continue  # wheels that stand close have one arch
        drop = max(floor, z - reach + 1e-3)
        along = float(np.sqrt(max(reach**2 - (drop - z) ** 2, 0.0)))
        found += [(x - along, floor), *_arc(x, z, reach, drop), (x + along, floor)]
    return found


def _arc(x: float, z: float, reach: float, drop: float | None = None) -> list[tuple[float, float]]:
    """From the rear over the wheel to the front."""
    low = np.arcsin(np.clip(((z if drop is None else drop) - z) / reach, -1.0, 1.0))
    angles = np.linspace(np.pi - low, low, _AROUND)
    return [(float(x + reach * np.cos(a)), float(z + reach * np.sin(a))) for a in angles]


def drawn_out(outline: Sequence[tuple[float, float]], half: float, bevel: float) -> Mesh:
    """A side view x, z [m], anticlockwise seen from the right, from -half to half along y.

    Its edges are broken by a bevel: towards both sides the outline is drawn in a little.

    Example:
    >>> from axletree.reports.animation.body_shapes import drawn_out
    >>> brick = drawn_out([(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0)], 0.5, 0.1)  # m
    >>> float(brick.points[:, 1].max()), len(brick.triangles)
    (0.5, 28)
    """
    corners = np.array(outline)
    middle = 0.5 * (corners.min(axis=0) + corners.max(axis=0))
    size = 0.5 * np.ptp(corners, axis=0)
    drawn_in = middle + (corners - middle) * (1.0 - 0.6 * bevel / size)
    n = len(corners)
    layers = [
        (-half, drawn_in),
        (-half + bevel, corners),
        (half - bevel, corners),
        (half, drawn_in),
    ]
    points = np.concatenate(
        [np.column_stack([ring[:, 0], np.full(n, y), ring[:, 1]]) for y, ring in layers]
    )
    triangles: list[tuple[int, int, int]] = []
    for layer in range(len(layers) - 1):
        for k in range(n):
            a, b = layer * n + k, layer * n + (k + 1) % n
            triangles += [(a, b, b + n), (a, b + n, a + n)]
    faces = triangulated(corners)
    last = (len(layers) - 1) * n
    triangles += [(a, c, b) for a, b, c in faces]
    triangles += [(last + a, last + b, last + c) for a, b, c in faces]
    lines = [(ring * n + k, ring * n + (k + 1) % n) for ring in (1, 2) for k in range(n)]
    return Mesh(points, np.array(triangles), np.array(lines))


def triangulated(corners: np.ndarray) -> list[tuple[int, int, int]]:
    """A polygon without crossings as triangles, by cutting ears (Meisters 1975).

    Example:
    >>> import numpy as np
    >>> from axletree.reports.animation.body_shapes import triangulated
    >>> triangulated(np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]))
    [(3, 0, 1), (1, 2, 3)]
    """
    left = list(range(len(corners)))
    turn = np.sign(_twice_area(corners))
    found: list[tuple[int, int, int]] = []
    while len(left) > 3:
        ear = next((k for k in range(len(left)) if _is_ear(corners, left, k, turn)), 0)
        a, b, c = left[ear - 1], left[ear], left[(ear + 1) % len(left)]
        found.append((a, b, c))
        del left[ear]
    return [*found, (left[0], left[1], left[2])]


def _twice_area(corners: np.ndarray) -> float:
    x, z = corners.T
    return float(np.sum(x * np.roll(z, -1) - np.roll(x, -1) * z))


def _is_ear(corners: np.ndarray, left: Sequence[int], k: int, turn: float) -> bool:
    """Whether the corner points outwards and holds no other one."""
    trio = left[k - 1], left[k], left[(k + 1) % len(left)]
    a, b, c = (corners[i] for i in trio)
    if turn * _cross(b - a, c - b) <= 0.0:
        return False
    others = (corners[i] for i in left if i not in trio)
    edges = ((a, b), (b, c), (c, a))
    return not any(all(turn * _cross(q - p, o - p) >= 0.0 for p, q in edges) for o in others)


def _cross(u: np.ndarray, v: np.ndarray) -> float:
    return float(u[0] * v[1] - u[1] * v[0])
