"""Instants of a scene as pictures, drawn with matplotlib: PNG of some, GIF of all; and which
instants.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from axletree.core.files import whole_file
from axletree.plot.figure_files import write_figure
from axletree.plot.style import FAINT, SMALL, blank_figure, in_style
from axletree.reports.animation.mesh import Mesh
from axletree.reports.animation.scene import Actor, GroundMesh, Scene, turned

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PANELS = 4
_WIDTH, _HEIGHT = 5.2, 3.4  # inches of a panel
SHARP = 100  # dots per inch, of a film
FRAMES, FRAME_RATE = 80, 20.0  # of a film: at most, and a second
REACH = 2.2  # sizes of the scene between eye and focus
FIELD = 0.52  # half the height that is seen, over the distance
LIGHT_DIRECTION = np.array([0.3, -0.45, 0.84])
_COLOURS = {
    "tyre": "#3a4048", "mark": "#ffffff", "plate": "#8d97a3", "part": "#7d8792", "road": "#c3cad2",
    "soil": "#cdb88c", "patch": "#a8803f", "ice": "#8cc3e4", "floor": "#d3dae1",
    "edge": "#1b2733", "bound": "#69747f", "glass": "#33404d", "force": "#c2185b",
    "lamp": "#ffffff",
}  # fmt: skip
_FINENESS = 240  # pixels per inch, of the picture of all solids
FORCE, _TIE, RUT = "#c2185b", "#5b6470", "#8a6d3f"


def write_png(scene: Scene, path: Path) -> Path:
    """Instants beside one another."""
    return write_figure(draw_instants(scene, unlike_instants(scene, PANELS)), path)


def write_gif(scene: Scene, path: Path) -> Path:
    """A film as long as the run, or shorter where the run is long."""
    from PIL import Image

    span = float(scene.time[-1] - scene.time[0])
    count = int(np.clip(span * FRAME_RATE, 2, FRAMES))
    pictures = [Image.open(content) for content in _frames(scene, even_instants(scene, count))]
    pause = max(20, min(200, round(1000.0 * span / count)))
    with whole_file(path) as stream:
        pictures[0].save(
            stream, format="GIF", save_all=True, append_images=pictures[1:], duration=pause, loop=0
        )
    return path


def _frames(scene: Scene, instants: Sequence[int]) -> Iterator[io.BytesIO]:
    for k in instants:
        stream = io.BytesIO()
        _film_frame(scene, k).savefig(stream, format="png", dpi=SHARP)
        yield stream


@in_style
def _film_frame(scene: Scene, k: int) -> Figure:
    """One panel, at places that need not be sought anew for each."""
    figure = blank_figure(_WIDTH, _HEIGHT)
    _draw(figure.add_axes((0.01, 0.02, 0.98, 0.84)), scene, k, SHARP)
    figure.suptitle(_heading(scene), fontsize=SMALL, y=0.985)
    return figure


@in_style
def draw_instants(scene: Scene, instants: Sequence[int]) -> Figure:
    """A panel for each instant, in rows of two; the eye goes along with what moves."""
    columns = min(2, len(instants))
    rows = math.ceil(len(instants) / columns)
    figure = blank_figure(_WIDTH * columns, _HEIGHT * rows, "constrained")
    for axes, k in zip(figure.subplots(rows, columns, squeeze=False).flat, instants, strict=False):
        _draw(axes, scene, k)
    figure.suptitle(_heading(scene))
    return figure


def _heading(scene: Scene) -> str:
    if not scene.metres_per_newton:
        return scene.title
    force = 1 / scene.metres_per_newton  # with two digits that count
    said = f"{force / 1e3:.2g} kN" if force >= 1e3 else f"{float(f'{force:.2g}'):g} N"
    return f"{scene.title}; arrows: force of the ground on a wheel, 1 m is {said}"


class _Eye:
    """Perspective from the scene's view onto its focus at an instant."""

    def __init__(self, scene: Scene, k: int) -> None:
        azimuth, elevation = scene.view
        up = np.array(scene.up)
        first = np.eye(3)[0] - up[0] * up
        first /= np.linalg.norm(first)
        second = np.cross(up, first)
        level = math.cos(azimuth) * first + math.sin(azimuth) * second
        self.back = math.cos(elevation) * level + math.sin(elevation) * up
        self.right = np.cross(up, level)
        self.up = np.cross(self.back, self.right)
        self.spread = 1.0 if scene.spread is None else float(scene.spread[k])
        self.distance = REACH * scene.size * self.spread
        self.place = scene.focus[k] + self.distance * self.back

    def seen(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Right and up on the paper [focus is 0], and the depth [m]."""
        way = points - self.place
        depth = -way @ self.back
        near = np.maximum(depth, 0.05 * self.distance)
        flat = np.stack([way @ self.right, way @ self.up], axis=-1)
        return flat * (self.distance / near)[..., None], depth


def _draw(axes: Any, scene: Scene, k: int, fineness: int = _FINENESS) -> None:
    eye = _Eye(scene, k)
    half = FIELD * eye.distance / 2.0
    axes.set_xlim(-half * _WIDTH / _HEIGHT, half * _WIDTH / _HEIGHT)
    axes.set_ylim(-half, half)
    axes.set_aspect("equal")
    axes.set_xticks([])
    axes.set_yticks([])
    for spine in axes.spines.values():
        spine.set(visible=True, color=FAINT)
    for ground in scene.grounds:
        _draw_ground(axes, eye, ground, scene, k)
    for rut in scene.ruts:
        ends = np.concatenate([rut.floor[: k + 1, 0], rut.floor[: k + 1, 1][::-1]])
        axes.fill(*eye.seen(ends)[0].T, color=RUT, alpha=0.55, linewidth=0, zorder=2)
    for line in scene.lines:
        near = line.points[np.linalg.norm(line.points - scene.focus[k], axis=1) < 3.0 * scene.size]
        axes.plot(*eye.seen(near)[0].T, color=_COLOURS[line.colour], lw=0.7, zorder=2)
    for trail in scene.trails:
        axes.plot(*eye.seen(trail.points[: k + 1])[0].T, color=trail.colour, lw=1.0, zorder=3)
    _draw_solids(axes, eye, scene, k, fineness)
    for tie in scene.ties:
        ends = np.stack([tie.start[k], tie.end[k]])
        axes.plot(*eye.seen(ends)[0].T, color=_TIE, lw=1.2, zorder=4)
    _draw_forces(axes, eye, scene, k)
    if len(scene.time) > 1:
        axes.set_title(f"t = {scene.time[k]:.2f} s", fontsize=SMALL, pad=3)


def _draw_ground(axes: Any, eye: _Eye, ground: GroundMesh, scene: Scene, k: int) -> None:
    """Lines of its grid near the focus; a level plane has as many."""
    from matplotlib.collections import LineCollection

    points = np.stack([ground.x, ground.y, ground.z], axis=-1)
    if ground.endless:
        gap = 10.0 ** round(math.log10(scene.size / 4.0))
        middle = np.round(scene.focus[k][:2] / (5 * gap)) * (5 * gap)
        ticks = np.arange(-6, 7) * 5.0 * gap
        x, y = np.meshgrid(middle[0] + ticks, middle[1] + ticks, indexing="ij")
        points = np.stack([x, y, np.full_like(x, points[..., 2].mean())], axis=-1)
    far = np.linalg.norm(points - scene.focus[k], axis=-1) > 3.0 * scene.size
    flat = np.where(far[..., None] & (not ground.endless), np.nan, eye.seen(points)[0])
    colour = _COLOURS[ground.colour]
    step = 1 if ground.endless else max(1, len(points) // 60)
    aside = 1 if ground.endless else max(1, points.shape[1] // 40)
    lines = [*flat[::step], *np.swapaxes(flat, 0, 1)[::aside]]
    axes.add_collection(
        LineCollection(lines, colors=colour, linewidths=0.6, zorder=1), autolim=False
    )


def _draw_solids(axes: Any, eye: _Eye, scene: Scene, k: int, fineness: int) -> None:
    """A picture of all faces, nearer ones before those behind them."""
    from matplotlib.collections import LineCollection
    from matplotlib.colors import to_rgb

    faces, depths, colours = [], [], []
    for points, mesh, colour, opacity in _meshes(scene, k):
        if opacity < 1.0:
            edges = list(eye.seen(points[mesh.lines])[0])
            shown = _COLOURS.get(colour, colour)
            lines = LineCollection(edges, colors=shown, linewidths=0.9, zorder=6)
            axes.add_collection(lines, autolim=False)
        corners = points[mesh.triangles]
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
        shade = 0.62 + 0.38 * np.abs(normals @ LIGHT_DIRECTION)
        flat, depth = eye.seen(corners)
        faces.append(flat)
        depths.append(depth)
        rgb = np.clip(np.outer(shade, to_rgb(_COLOURS.get(colour, colour))), 0.0, 1.0)
        colours.append(np.column_stack([rgb, np.full(len(rgb), opacity)]))
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    columns, rows = round(_WIDTH * fineness), round(_HEIGHT * fineness)
    scale = np.array([columns / (right - left), -rows / (high - low)])
    pixels = (np.concatenate(faces) - (left, high)) * scale - 0.5
    picture = face_picture(pixels, np.concatenate(depths), np.concatenate(colours), (rows, columns))
    axes.imshow(picture, extent=(left, right, low, high), zorder=5)


def _meshes(scene: Scene, k: int) -> Iterator[tuple[np.ndarray, Mesh, str, float]]:
    for piece in scene.fixed:
        yield piece.mesh.points, piece.mesh, piece.colour, piece.opacity
    for actor in scene.actors:
        for piece in actor.pieces:
            points = placed(actor, piece.mesh.points, k)
            yield points, piece.mesh, piece.colour, piece.opacity


def face_picture(
    pixels: np.ndarray, depths: np.ndarray, colours: np.ndarray, size: tuple[int, int]
) -> np.ndarray:
    """Rows by columns by red, green, blue, opacity: of triangles by their corners in pixels (column
    and row) and their depths there [m], each pixel has the colour of the nearest: a depth buffer.

    What is seen through lies over what is behind it, from the farthest to the nearest.

    Example:
    >>> import numpy as np
    >>> from axletree.reports.animation.pictures import face_picture
    >>> near = np.array([[0.0, 0.0], [9.0, 0.0], [0.0, 9.0]])  # px
    >>> depths = np.array([[1.0, 1.0, 1.0], [2.0, 2.0, 2.0]])  # m
    >>> colours = np.array([[1.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 1.0]])
    >>> face_picture(np.stack([near, near]), depths, colours, (10, 10))[2, 2].tolist()
    [1.0, 0.0, 0.0, 1.0]
    """
    picture = np.ones((*size, 4))
    picture[..., 3] = 0.0
    nearness = np.zeros(size)  # one over the depth, which goes evenly along a plane's picture
    solid = colours[:, 3] == 1.0
    order = [
        *np.flatnonzero(solid),
        *sorted(np.flatnonzero(~solid), key=lambda n: -depths[n].mean()),
    ]
    for n in order:
        covered = _covered(pixels[n], 1.0 / np.maximum(depths[n], _NEAREST), size)
        if covered is None:
            continue
        part, inside, near = covered
        ahead = inside & (near > nearness[part])
        if solid[n]:
            nearness[part][ahead] = near[ahead]
            picture[part][ahead] = colours[n]
        else:
            over, under = colours[n], picture[part][ahead]
            opacity = over[3] + under[:, 3] * (1.0 - over[3])
            mixed = over[:3] * over[3] + under[:, :3] * under[:, 3:] * (1.0 - over[3])
            picture[part][ahead] = np.column_stack([mixed / opacity[:, None], opacity])
    return picture


_NEAREST = 1e-6  # m, of a depth


def _covered(
    corners: np.ndarray, nearness: np.ndarray, size: tuple[int, int]
) -> tuple[tuple[slice, slice], np.ndarray, np.ndarray] | None:
    """A part of the picture, which of its pixels a triangle covers, and how near it is there."""
    low = np.maximum(np.ceil(corners.min(axis=0)), 0.0).astype(int)
    high = np.minimum(np.floor(corners.max(axis=0)) + 1.0, size[::-1]).astype(int)
    (ax, ay), (bx, by), (cx, cy) = corners
    area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
    if np.any(high <= low) or area == 0.0:
        return None
    x, y = np.arange(low[0], high[0]), np.arange(low[1], high[1])[:, None]
    b = ((x - ax) * (cy - ay) - (cx - ax) * (y - ay)) / area
    c = ((bx - ax) * (y - ay) - (x - ax) * (by - ay)) / area
    inside = (b >= 0.0) & (c >= 0.0) & (b + c <= 1.0)
    near = nearness[0] + b * (nearness[1] - nearness[0]) + c * (nearness[2] - nearness[0])
    return (slice(low[1], high[1]), slice(low[0], high[0])), inside, near


def placed(actor: Actor, points: np.ndarray, k: int) -> np.ndarray:
    """Points on an actor, at an instant, in the axes of the ground [m]."""
    if actor.spin is not None:
        half, axis = 0.5 * float(actor.spin[k]), np.array(actor.axis)
        spin = np.concatenate([[math.cos(half)], math.sin(half) * axis])
        points = turned(np.tile(spin, (len(points), 1)), points)
    turns = np.tile(actor.rotation[k], (len(points), 1))
    return np.asarray(actor.position[k] + turned(turns, points))


def _draw_forces(axes: Any, eye: _Eye, scene: Scene, k: int) -> None:
    scale = scene.metres_per_newton
    look = {"arrowstyle": "-|>", "color": FORCE, "linewidth": 1.4, "shrinkA": 0, "shrinkB": 0}
    for force in scene.forces:
        way = force.vector[k] * scale
        if np.linalg.norm(way) > 0.01 * scene.size:
            foot, tip = eye.seen(np.stack([force.point[k], force.point[k] + way]))[0]
            axes.annotate("", tip, foot, arrowprops=look, zorder=7)


_ASIDE = 0.15  # of the run, from an even place in time
PULL = 0.05  # sizes of the scene, by which instants have to differ more to be taken from so far off


def even_instants(scene: Scene, count: int) -> list[int]:
    """As far apart from one another in time as they can be."""
    return [int(np.argmin(np.abs(scene.time - t))) for t in _even(scene, count)]


def unlike_instants(scene: Scene, count: int) -> list[int]:
    """Near even ones, but each as unlike those before it as can be.

    What swings would be shown in one and the same place if instants were whole periods apart.
    """
    looks = np.concatenate([_look(actor, scene) for actor in scene.actors], axis=1)
    reach = _ASIDE * float(scene.time[-1] - scene.time[0])
    chosen = [0]
    for t in _even(scene, count)[1:]:
        away = np.abs(scene.time - t)
        near = np.flatnonzero(away <= max(reach, float(away.min())))
        gaps = np.linalg.norm(looks[near, None] - looks[None, chosen], axis=2).min(axis=1)
        chosen.append(int(near[np.argmax(gaps - PULL * away[near] / (reach or 1.0))]))
    return chosen


def _even(scene: Scene, count: int) -> np.ndarray:
    return np.linspace(scene.time[0], scene.time[-1], count)


def _look(actor: Actor, scene: Scene) -> np.ndarray:
    """Where an actor's origin and its axes' ends are before the camera, in sizes of the scene."""
    points = np.concatenate([piece.mesh.points for piece in actor.pieces])
    reach = float(np.linalg.norm(points, axis=1).max())
    ends = [turned(actor.rotation, reach * axis) for axis in np.eye(3)]
    return np.concatenate([actor.position - scene.focus, *ends], axis=1) / scene.size
