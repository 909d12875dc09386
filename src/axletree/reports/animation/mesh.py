"""Meshes of simple solids: points, triangles and the lines that are drawn on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

AROUND = 32  # corners of what is round
SPOKES = 5
RIM = 0.64  # radius of a rim, in radii of the tyre
_FACES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
_EDGES = ((0, 1), (2, 3), (4, 5), (6, 7), (0, 2), (1, 3), (4, 6), (5, 7), (0, 4), (1, 5), (2, 6),
          (3, 7))  # fmt: skip

MeshPoint = Sequence[float] | np.ndarray
Rectangle = tuple[tuple[float, float], tuple[float, float], float]  # x, y from and to, z [m]


@dataclass(frozen=True, eq=False)
class Mesh:
    """A surface of triangles, in the axes of what carries it."""

    points: np.ndarray  # by 3 [m]
    triangles: np.ndarray  # by 3, indices of points
    lines: np.ndarray  # by 2, likewise

    def __add__(self, other: Mesh) -> Mesh:
        shift = len(self.points)
        return Mesh(
            np.concatenate([self.points, other.points]),
            np.concatenate([self.triangles, other.triangles + shift]),
            np.concatenate([self.lines, other.lines + shift]),
        )

    def placed(self, turn: np.ndarray, position: MeshPoint) -> Mesh:
        """Turned by a rotation matrix, then moved [m]."""
        points = self.points @ np.asarray(turn).T + np.asarray(position)
        return Mesh(points, self.triangles, self.lines)


EMPTY_MESH = Mesh(np.zeros((0, 3)), np.zeros((0, 3), dtype=int), np.zeros((0, 2), dtype=int))


def frustum(low: Rectangle, high: Rectangle) -> Mesh:
    """Between two rectangles."""
    corners = []
    for k in range(8):
        xs, ys, z = (low, high)[k & 1]
        corners.append((xs[k >> 2 & 1], ys[k >> 1 & 1], z))
    triangles = [t for a, b, c, d in _FACES for t in ((a, b, c), (a, c, d))]
    return Mesh(np.array(corners, dtype=float), np.array(triangles), np.array(_EDGES))


def box(low: MeshPoint, high: MeshPoint) -> Mesh:
    """Between two opposite corners [m]."""
    (x0, y0, z0), (x1, y1, z1) = (tuple(map(float, corner)) for corner in (low, high))
    return frustum(((x0, x1), (y0, y1), z0), ((x0, x1), (y0, y1), z1))


def bar(start: MeshPoint, end: MeshPoint, thickness: float) -> Mesh:
    """A square bar from point to point [m]."""
    way = np.asarray(end, dtype=float) - np.asarray(start, dtype=float)
    length, half = float(np.linalg.norm(way)), 0.5 * thickness
    if not length:
        return EMPTY_MESH
    return box((-half, -half, 0.0), (half, half, length)).placed(axes_along(way / length), start)


def ball(centre: MeshPoint, radius: float, around: int = 16) -> Mesh:
    """A sphere [m]."""
    heights = np.linspace(-1.0, 1.0, around // 2 + 1)
    profile = [(radius * np.sqrt(1.0 - h * h), radius * h) for h in np.sin(heights * np.pi / 2.0)]
    return lathe(profile, around, closed=False).placed(np.eye(3), centre)


def disc(axis: np.ndarray, radius: float, width: float) -> Mesh:
    """A cylinder about an axis through its middle [m], with a line that shows its turn."""
    half = 0.5 * width
    profile = [(0.0, -half), (radius, -half), (radius, half), (0.0, half)]
    mark = box((0.0, -0.06 * radius, -1.06 * half), (0.9 * radius, 0.06 * radius, 1.06 * half))
    return (lathe(profile, AROUND, closed=False) + mark).placed(axes_along(axis), (0, 0, 0))


def lathe(profile: Sequence[tuple[float, float]], around: int, *, closed: bool) -> Mesh:
    """Points by radius and height [m], turned about z."""
    angles = 2.0 * np.pi * np.arange(around) / around
    r, z = np.array(profile).T
    rings = np.stack(
        [np.outer(np.cos(angles), r), np.outer(np.sin(angles), r), np.tile(z, (around, 1))], axis=2
    )
    n = len(profile)
    triangles = []
    for k in range(around):
        here, there = k * n, (k + 1) % around * n
        for i in range(n if closed else n - 1):
            j = (i + 1) % n
            triangles += [(here + i, there + i, there + j), (here + i, there + j, here + j)]
    return Mesh(rings.reshape(-1, 3), np.array(triangles), EMPTY_MESH.lines)


def axes_along(axis: np.ndarray) -> np.ndarray:
    """A rotation that takes z to the axis, a unit vector."""
    across = np.eye(3)[int(np.argmin(np.abs(axis)))]
    first = np.cross(across, axis)
    first /= np.linalg.norm(first)
    return np.stack([first, np.cross(axis, first), axis], axis=1)


def tyre_mesh(axis: np.ndarray, radius: float, width: float) -> Mesh:
    """The tyre of a wheel about an axis through its centre."""
    half = 0.5 * width
    side = [(RIM * radius, half), (0.93 * radius, half), (radius, 0.7 * half)]
    profile = [*side, *((r, -z) for r, z in reversed(side))]
    return lathe(profile, AROUND, closed=True).placed(axes_along(axis), (0, 0, 0))


def rim_mesh(axis: np.ndarray, radius: float, width: float) -> Mesh:
    """Hub and spokes."""
    hub = 0.16 * radius
    mesh = lathe([(0, -0.3 * width), (hub, -0.3 * width), (hub, 0.3 * width), (0, 0.3 * width)],
                 12, closed=False)  # fmt: skip
    half, thick = 0.07 * radius, 0.2 * width
    spoke = box((0.5 * hub, -half, -thick), (1.02 * RIM * radius, half, thick))
    for angle in 2.0 * np.pi * np.arange(SPOKES) / SPOKES:
        c, s = np.cos(angle), np.sin(angle)
        mesh += spoke.placed(np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]), (0, 0, 0))
    return mesh.placed(axes_along(axis), (0, 0, 0))


def rim_mark(axis: np.ndarray, radius: float, width: float) -> Mesh:
    """A mark across the tread and both sides, by which turns are seen."""
    half, reach = 0.075 * radius, 0.51 * width
    mark = box((0.7 * radius, -half, -reach), (0.92 * radius, half, reach))
    tread = box((0.95 * radius, -half, -0.34 * width), (1.006 * radius, half, 0.34 * width))
    return (mark + tread).placed(axes_along(axis), (0, 0, 0))
