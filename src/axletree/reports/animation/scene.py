"""The scene: all that an animation shows, at the instants that it shows, and in which colours.

Places and directions are in the axes of the ground, first indices of arrays are instants.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from axletree.plot.style import COLOURS, DARK
from axletree.reports.animation.mesh import Mesh


@dataclass(frozen=True, eq=False)
class ShownPiece:
    """A mesh in one colour: a number like #0072b2, or a word that the page's theme knows."""

    mesh: Mesh
    colour: str
    opacity: float = 1.0


@dataclass(frozen=True, eq=False)
class Actor:
    """Something rigid that moves."""

    name: str
    pieces: tuple[ShownPiece, ...]  # in its own axes
    position: np.ndarray  # by 3 [m], of its origin
    rotation: np.ndarray  # by 4, quaternion w, x, y, z from its axes to those of the ground
    axis: tuple[float, ...] = (0.0, 0.0, 1.0)  # that it spins about, in its axes
    spin: np.ndarray | None = None  # [rad], turned on top of the rotation

    @property
    def colour(self) -> str:
        return next((p.colour for p in self.pieces if p.colour.startswith("#")), COLOURS[-1])


@dataclass(frozen=True, eq=False)
class ShownForce:
    """A force of the ground on a wheel."""

    name: str
    point: np.ndarray  # by 3 [m], where it acts
    vector: np.ndarray  # by 3 [N]


@dataclass(frozen=True, eq=False)
class ShownLine:
    """A line through given places: the way of a body, or a spring between two points."""

    name: str
    colour: str
    points: np.ndarray  # by 3 [m]


@dataclass(frozen=True, eq=False)
class ShownTie:
    """A spring or another force element, between two points that move."""

    start: np.ndarray  # by 3 [m]
    end: np.ndarray


@dataclass(frozen=True, eq=False)
class Rut:
    """What a wheel leaves in soft ground."""

    name: str
    top: np.ndarray  # by 2 by 3 [m]: right and left edge on the ground
    floor: np.ndarray  # likewise, at the depth of the wheel
    sinkage: np.ndarray  # [m]


@dataclass(frozen=True, eq=False)
class GroundMesh:
    """A piece of ground on a rectangular grid."""

    label: str
    colour: str  # word of the theme
    x: np.ndarray  # along rows and columns [m]
    y: np.ndarray
    z: np.ndarray
    endless: bool = False  # a level plane that goes on past its edges

    @property
    def mesh(self) -> Mesh:
        rows, columns = self.x.shape
        first = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
        a, b, c, d = first, first + columns, first + columns + 1, first + 1
        triangles = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
        points = np.stack([self.x.ravel(), self.y.ravel(), self.z.ravel()], axis=1)
        return Mesh(points, triangles, np.zeros((0, 2), dtype=int))


@dataclass(frozen=True)
class ShownSignal:
    """A number beside the picture."""

    label: str
    unit: str
    values: np.ndarray
    owner: str = ""  # the wheel that it belongs to
    colour: str = ""  # of that wheel


@dataclass(frozen=True)
class Scene:
    """What is shown."""

    title: str
    time: np.ndarray  # [s]
    up: tuple[float, ...]  # against gravity
    size: float  # [m], of what moves
    main: str  # the actor that the camera follows
    actors: tuple[Actor, ...]
    focus: np.ndarray  # by 3 [m], where a camera looks that goes along
    forces: tuple[ShownForce, ...] = ()
    trails: tuple[ShownLine, ...] = ()
    lines: tuple[
        ShownLine, ...
    ] = ()  # on the ground, such as a path; colours are words of the theme
    ties: tuple[ShownTie, ...] = ()
    ruts: tuple[Rut, ...] = ()
    grounds: tuple[GroundMesh, ...] = ()
    fixed: Sequence[ShownPiece] = ()  # what does not move
    signals: tuple[ShownSignal, ...] = ()
    view: tuple[float, float] = (-0.7, 0.35)  # azimuth and elevation of the eye [rad]
    note: str = ""  # why the run ended early, or is not to be relied on
    spread: np.ndarray | None = None  # how many times farther off a camera sees all that moves

    def actor(self, name: str) -> Actor:
        return next(actor for actor in self.actors if actor.name == name)

    @property
    def metres_per_newton(self) -> float:
        """Of arrows, so that most are half as long as what moves, and none much longer than it."""
        sizes = [np.linalg.norm(force.vector, axis=1) for force in self.forces]
        usual = max((float(np.percentile(size, 95)) for size in sizes), default=0.0)
        greatest = max((float(size.max()) for size in sizes), default=0.0)
        return self.size / max(usual / 0.42, greatest / 0.9) if usual > 0.0 else 0.0


def quaternions(turns: np.ndarray) -> np.ndarray:
    """Of rotation matrices, n by 3 by 3; each is on the side of the one before it.

    The rows of 4 q q^T are multiples of q; that of its greatest part is taken (Shepperd 1978).
    """
    R = np.moveaxis(np.asarray(turns, dtype=float), 0, 2)
    xx, yy, zz = R[0, 0], R[1, 1], R[2, 2]
    wx, wy, wz = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]
    xy, xz, yz = R[0, 1] + R[1, 0], R[0, 2] + R[2, 0], R[1, 2] + R[2, 1]
    products = np.array([
        [1.0 + xx + yy + zz, wx, wy, wz],
        [wx, 1.0 + xx - yy - zz, xy, xz],
        [wy, xy, 1.0 - xx + yy - zz, yz],
        [wz, xz, yz, 1.0 - xx - yy + zz],
    ])  # fmt: skip
    largest = np.argmax(np.einsum("iin->in", products), axis=0)
    found = products[largest, :, np.arange(products.shape[2])]
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    flips = np.where(np.sum(found[1:] * found[:-1], axis=1) < 0.0, -1.0, 1.0)
    found[1:] *= np.cumprod(flips)[:, None]
    return np.asarray(found)


def turned(rotation: np.ndarray, vector: Sequence[float] | np.ndarray) -> np.ndarray:
    """A vector, or one for each instant, turned by quaternions."""
    w, u = rotation[:, :1], rotation[:, 1:]
    v = np.broadcast_to(np.asarray(vector, dtype=float), u.shape)
    twice = 2.0 * np.cross(u, v)
    return np.asarray(v + w * twice + np.cross(u, twice))


# A wheel has the colour of its curve in plots; past those come the same ones, deeper. Grey is left
# to bodies.
_HUES = COLOURS[:-1]
_DEEP = ("#00395a", "#7a3000", "#00563d", "#8a2f63", "#8a5a00", "#1c6d99", "#3f2685")
WHEELS = (*_HUES, *_DEEP)
GREYS = (COLOURS[-1], "#3f4954", "#b4bbc2", "#66707b")

# Each with that which it has on dark paper.
ON_DARK = {
    **{colour: DARK[colour] for colour in COLOURS},
    **dict(zip(_DEEP, ("#b9dcf5", "#ffcfae", "#a9f0da", "#fbd7ea", "#fce6b5", "#d6edfb", "#ddd2ff"),
               strict=True)),
    **dict(zip(GREYS[1:], ("#dde3e8", "#7d8893", "#c3ccd5"), strict=True)),
}  # fmt: skip


def wheel_colour(k: int) -> str:
    """Of the wheel with this number, from 0; no two of 14 are alike."""
    return WHEELS[k % len(WHEELS)]


def body_colour(k: int, wheels: int) -> str:
    """Of the body with this number, from 0, beside so many wheels: a grey or what no wheel has."""
    if not wheels:
        return COLOURS[k % len(COLOURS)]
    free = (GREYS[0], *reversed(_HUES[wheels:]), *GREYS[1:])
    return free[k % len(free)]
