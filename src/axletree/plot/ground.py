"""Figures of the ground: surfaces, and the way of a vehicle along its path.

A surface is a relief in three dimensions, and a map of height and friction. Heights are mostly
small beside lengths; the relief is exaggerated by a round factor, which is written above it. A path
is seen from above: lanes, cones, and what the vehicle covers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from axletree.core.arrays import FloatArray
from axletree.core.errors import ModelError
from axletree.ground.paths import Path, Swept
from axletree.ground.surfaces import Surface
from axletree.metrics.findings import Columns
from axletree.plot.panels import Panel, PanelCurve, is_wide
from axletree.plot.style import (
    BLUE,
    COLOURS,
    GREY,
    INK,
    LEGEND_ABOVE,
    SMALL,
    VERMILION,
    WIDTH,
    blank_figure,
    dash,
    in_style,
    label_axes,
    plotted_label,
)
from axletree.runs.follow_path import FollowPath

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LEFT, _RIGHT, _BELOW, _ABOVE = 0.7, 0.14, 0.52, 0.45  # inches about the axes, without the legend
_LEGEND_LINE, LEGEND_COLUMNS = 0.16, 4  # inches, and words in a line
_LOWEST, _HIGHEST = 1.9, 6.5  # inches of the axes
_ROOM: Final = 1.0  # m about all that is drawn, at least
_AROUND: Final = 0.02  # of its size, likewise
LARGER: Final = (1, 2, 5, 10, 20, 50)  # how many times as large as x, y is drawn
MOST_OUTLINES: Final = 1500  # that an area is drawn by
_INSTANTS: Final = 12  # at which outlines are drawn
_PANEL_INSTANTS: Final = 40  # likewise where they can be zoomed
_UNITS: Final = (BLUE, COLOURS[2], COLOURS[3])  # colours of a vehicle and its trailers
_CONE: Final = COLOURS[4]
_LIGHT: Final = 0.8  # of white in the colour of an area


@dataclass(frozen=True)
class _View:
    """What is seen [m], and how many times as large as x, y is drawn."""

    low: FloatArray
    high: FloatArray
    larger: int
    height: float  # inches of the axes


def path_panel(manoeuvre: FollowPath, run: Columns) -> Panel:
    """The path as a page draws it: lanes, cones, the way of each unit and its outline at instants.

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> from axletree.plot.ground import path_panel
    >>> from axletree.simulation.trajectory import Trajectory
    >>> lap = at.FollowPath(speed=20.0, path=at.StraightPath(length=100.0))  # m/s, m
    >>> time = np.linspace(0.0, 5.0, 51)  # s
    >>> columns = {name: 0.0 * time for name in ("vehicle.y", "vehicle.heading", "driver.offset")}
    >>> columns |= {"vehicle.x": 20.0 * time, "driver.station": 20.0 * time}  # m
    >>> panel = path_panel(lap, Trajectory("car", time, columns, {}, ()))
    >>> [curve.label for curve in panel.curves]
    ['target path', 'centre of mass of the vehicle', 'outline of the vehicle']
    """
    swept, path = manoeuvre.swept(run), manoeuvre.path
    curves = [_line("target path", _target(path), is_guide=True)]
    for k, points in enumerate(path.boundaries()):
        curves.append(_line("" if k else "lane boundaries", points, is_guide=True))
    for name, one in swept.items():
        few = one.corners[_evenly(one, _PANEL_INSTANTS)]
        closed = np.concatenate([few, few[:, :1], np.full_like(few[:, :1], np.nan)], axis=1)
        curves.append(PanelCurve(f"centre of mass of the {name}", one.x, one.y))
        curves.append(_line(f"outline of the {name}", closed.reshape(-1, 2)))
    if path.cones():
        places, hit = _cone_places(manoeuvre, swept)
        for chosen, label in ((~hit, "cones"), (hit, "cones hit or missed")):
            if chosen.any():
                curves.append(replace(_line(label, places[chosen]), is_points=True))
    wide = is_wide(curves)
    return Panel("Path", "x [m]", "y [m]", tuple(curves), over_time=False, is_plan=wide)


def _line(label: str, points: FloatArray, *, is_guide: bool = False) -> PanelCurve:
    """Through places x, y [m] in rows."""
    return PanelCurve(label, points[:, 0], points[:, 1], is_guide)


def _cone_places(
    manoeuvre: FollowPath, swept: Mapping[str, Swept]
) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Places x, y [m] of cones, and which of them were hit or missed."""
    places = np.array([(cone.x, cone.y) for cone in manoeuvre.path.cones()])
    near = manoeuvre.cone_clearance(swept)
    return places, np.logical_or.reduce([~(one >= 0.0) for one in near.values()])


@in_style
def draw_path(manoeuvre: FollowPath, run: Columns, title: str = "") -> Figure:
    """The path with its cones and lanes, and what a run of the manoeuvre covers of the ground.

    Both axes have one scale, unless the path is so long and narrow that y is drawn larger, which
    is said then.

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> from axletree.plot.ground import draw_path
    >>> from axletree.simulation.trajectory import Trajectory
    >>> lap = at.FollowPath(speed=20.0, path=at.StraightPath(length=100.0))  # m/s, m
    >>> time = np.linspace(0.0, 5.0, 51)  # s
    >>> columns = {name: 0.0 * time for name in ("vehicle.y", "vehicle.heading", "driver.offset")}
    >>> columns |= {"vehicle.x": 20.0 * time, "driver.station": 20.0 * time}  # m
    >>> figure = draw_path(lap, Trajectory("car", time, columns, {}, ()))
    >>> figure.axes[0].get_xlabel()
    'x [m]'
    """
    swept = manoeuvre.swept(run)
    view = _view(manoeuvre, swept)
    figure = blank_figure(WIDTH, WIDTH)  # its height follows from what is drawn
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    _draw_path(axes, manoeuvre)
    _draw_cones(axes, manoeuvre, swept)
    _draw_ways(axes, swept)
    _draw_areas(axes, swept)
    lines = -(-len(axes.get_legend_handles_labels()[1]) // LEGEND_COLUMNS)
    height = view.height + _BELOW + _ABOVE + _LEGEND_LINE * lines
    figure.set_size_inches(WIDTH, height)
    wide = WIDTH - _LEFT - _RIGHT
    axes.set_position((_LEFT / WIDTH, _BELOW / height, wide / WIDTH, view.height / height))
    _label(axes, view, title or "Path", lines)
    return figure


def _view(manoeuvre: FollowPath, swept: Mapping[str, Swept]) -> _View:
    """About all that is drawn, as high as it takes to be read."""
    path = manoeuvre.path
    cones = np.array([(cone.x, cone.y) for cone in path.cones()]).reshape(-1, 2)
    corners = (one.corners.reshape(-1, 2) for one in swept.values())
    points = np.vstack([*corners, _target(path), *path.boundaries(), cones])
    points = points[np.isfinite(points).all(axis=1)]
    low, high = points.min(axis=0), points.max(axis=0)
    room = np.maximum(_ROOM, _AROUND * (high - low))
    low, high = low - room, high + room
    natural = (WIDTH - _LEFT - _RIGHT) * float((high[1] - low[1]) / (high[0] - low[0]))
    larger = next((n for n in LARGER if n * natural >= _LOWEST), LARGER[-1])
    return _View(low, high, larger, float(np.clip(larger * natural, _LOWEST, _HIGHEST)))


def _draw_path(axes: Any, manoeuvre: FollowPath) -> None:
    path = manoeuvre.path
    for k, points in enumerate(path.boundaries()):
        label = "lane boundaries" if k == 0 else None
        axes.plot(*points.T, color=GREY, linewidth=1.0, label=label, zorder=2)
    target = _target(path)
    axes.plot(*target.T, "--", color=INK, linewidth=1.0, label="target path", zorder=4)


def _target(path: Path) -> FloatArray:
    """Places x, y [m] of the line that is followed, up to the finish."""
    before = path.line.station <= path.finish
    return np.array([path.line.x[before], path.line.y[before]]).T


def _draw_cones(axes: Any, manoeuvre: FollowPath, swept: Mapping[str, Swept]) -> None:
    if not manoeuvre.path.cones():
        return
    places, hit = _cone_places(manoeuvre, swept)
    kinds: Sequence[tuple[NDArray[np.bool_], dict[str, Any]]] = (
        (~hit, {"marker": "^", "color": _CONE, "ms": 5.0, "label": "cones"}),
        (hit, {"marker": "X", "color": VERMILION, "ms": 7.5, "label": "cones hit or missed"}),
    )
    for chosen, style in kinds:
        if chosen.any():
            axes.plot(*places[chosen].T, linestyle="none", zorder=6, **style)


def _draw_areas(axes: Any, swept: Mapping[str, Swept]) -> None:
    """What is covered, those behind first; and outlines at some instants."""
    from matplotlib.collections import PolyCollection

    for k, (name, one) in reversed(list(enumerate(swept.items()))):
        corners, colour = one.corners, _UNITS[k % len(_UNITS)]
        shade = _lightened(colour)
        dense = list(corners[_evenly(one, MOST_OUTLINES)])
        area = PolyCollection(dense, facecolors=shade, edgecolors=shade, linewidths=0.3, zorder=1)
        area.set_label(f"area swept by the {name}")
        axes.add_collection(area)
        few = list(corners[_evenly(one, _INSTANTS)])
        axes.add_collection(
            PolyCollection(few, facecolors="none", edgecolors=colour, linewidths=0.5, zorder=3)
        )


def _lightened(colour: str) -> tuple[float, ...]:
    from matplotlib.colors import to_rgb

    return tuple(_LIGHT + (1.0 - _LIGHT) * part for part in to_rgb(colour))


def _evenly(swept: Swept, most: int) -> NDArray[np.int_]:
    """Records with even ways between them."""
    steps = np.hypot(np.diff(swept.x), np.diff(swept.y))
    way = np.concatenate([[0.0], np.cumsum(steps)])
    found = np.searchsorted(way, np.linspace(0.0, way[-1], most))
    return np.unique(np.minimum(found, len(way) - 1))


def _draw_ways(axes: Any, swept: Mapping[str, Swept]) -> None:
    for k, (name, one) in enumerate(swept.items()):
        colour, label = _UNITS[k % len(_UNITS)], f"centre of mass of the {name}"
        line = dash(2) if k else dash(0)  # the target line is dashed
        axes.plot(one.x, one.y, color=colour, linestyle=line, linewidth=1.4, label=label, zorder=5)


def _label(axes: Any, view: _View, title: str, lines: int) -> None:
    axes.set(xlim=(view.low[0], view.high[0]), ylim=(view.low[1], view.high[1]))
    axes.set_aspect(view.larger, adjustable="datalim" if view.height < _HIGHEST else "box")
    pad = 8.0 + 72.0 * _LEGEND_LINE * lines
    label_axes(axes, title, "x [m]", "y [m]", pad)
    if view.larger > 1:
        note = f"y axis stretched {view.larger} times"
        axes.set_title(note, loc="right", pad=pad, fontsize=SMALL, fontweight="normal")
    axes.legend(ncols=LEGEND_COLUMNS, **LEGEND_ABOVE)


SURFACE_POINTS = 161  # along the longer side
_FRICTION = "cividis"  # its colours: dark is slippery, in grey print and to all eyes
_LEAST = 12  # along the shorter one
_COLUMNS = 3  # of a gallery
_RELIEF = 0.25  # height of a relief beside its longer side
FLATTER, NARROWER = 0.24, 0.5  # beside the longer side: room for two numbers along it
_FACTORS = (1.0, 2.0, 5.0)  # of exaggeration, times powers of ten


@dataclass(frozen=True)
class ShownSurface:
    """A surface and the part of it that is shown, from the first to the last x and y [m]."""

    surface: Surface
    x: tuple[float, float]
    y: tuple[float, float]
    title: str = ""

    def __post_init__(self) -> None:
        for axis, (first, last) in (("x", self.x), ("y", self.y)):
            if not first < last:
                raise ModelError(f"{axis} from {first:g} m to {last:g} m shows nothing")

    def points(self) -> tuple[np.ndarray, np.ndarray]:
        """Places on a grid, rows along x."""
        sides = self.x[1] - self.x[0], self.y[1] - self.y[0]
        counts = [max(_LEAST, round(SURFACE_POINTS * side / max(sides))) for side in sides]
        grid = (np.linspace(*side, n) for side, n in zip((self.x, self.y), counts, strict=True))
        x, y = np.meshgrid(*grid, indexing="ij")
        return x, y

    def heights(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """x, y and z [m] on the grid."""
        return *self.points(), self._values(self.surface.height)

    def friction(self) -> np.ndarray:
        """The factor on friction [1] on the grid."""
        return self._values(self.surface.friction)

    def _values(self, law: Callable[..., Any]) -> np.ndarray:
        x, y = self.points()
        return np.broadcast_to(np.asarray(law(x, y, self.surface.numbers), dtype=float), x.shape)


@in_style
def draw_surface(ground: ShownSurface) -> Figure:
    """The relief and a map with lines of height; colours show friction where it varies."""
    figure = blank_figure(WIDTH, 4.2, "constrained")
    _relief(figure.add_subplot(1, 2, 1, projection="3d"), ground)
    _map(figure, figure.add_subplot(1, 2, 2), ground)
    return figure


@in_style
def draw_gallery(grounds: Sequence[ShownSurface]) -> Figure:
    """The reliefs of several surfaces."""
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    if not grounds:
        raise ModelError("no surface was given; expected at least one")
    columns = min(_COLUMNS, len(grounds))
    rows = math.ceil(len(grounds) / columns)
    # Labels in depth have no extent for the layout: at the right there is room for them.
    layout = ConstrainedLayoutEngine(rect=(0.0, 0.0, 0.97, 1.0))
    figure = blank_figure(WIDTH / _COLUMNS * columns, 2.3 * rows, layout)
    for k, ground in enumerate(grounds, start=1):
        _relief(figure.add_subplot(rows, columns, k, projection="3d"), ground)
    return figure


def exaggeration(height: float, length: float) -> float:
    """The round factor by which a relief of this height is drawn over this length."""
    if height <= 0.0:
        return 1.0
    wanted = max(1.0, _RELIEF * length / height)
    power = 10.0 ** math.floor(math.log10(wanted))
    return float(max(f * power for f in _FACTORS if f * power <= wanted * (1.0 + 1e-9)))


def _relief(axes: Any, ground: ShownSurface) -> None:
    x, y, z = ground.heights()
    friction = ground.friction()
    varies = float(np.ptp(friction)) > 0.0
    sides = float(np.ptp(x)), float(np.ptp(y))
    factor = exaggeration(float(np.ptp(z)), max(sides))
    colours = _lit(friction if varies else z, varies, x, y, factor * z)
    axes.plot_surface(x, y, z, facecolors=colours, rstride=1, cstride=1, linewidth=0, shade=False,
                      antialiased=False)  # fmt: skip
    tall = max(float(np.ptp(z)), 0.02 * max(sides) / factor)  # flat ground is drawn, too
    middle = (z.min() + z.max()) / 2.0
    axes.set_zlim(middle - tall / 2.0, middle + tall / 2.0)
    axes.set_box_aspect((*sides, factor * tall), zoom=0.92)
    for name, side in zip("xy", sides, strict=True):
        shown = _numbers(getattr(ground, name), 5, side > NARROWER * max(sides))
        getattr(axes, f"set_{name}ticks")(shown)
        getattr(axes, f"set_{name}label")(f"{name} [m]", labelpad=12)
    axes.set_zticks(_numbers(axes.get_zlim(), 3, factor * tall > FLATTER * max(sides)))
    axes.set_zlabel("z [m]", labelpad=4)
    notes = [f"heights times {factor:g}"] if factor > 1.0 else []
    if varies:
        notes.append(f"friction {friction.min():.3g} (dark) to {friction.max():.3g}")
    axes.set_title(ground.title, y=0.98, loc="center")
    axes.text2D(0.5, 0.93, ", ".join(notes), transform=axes.transAxes, fontsize=SMALL,
                ha="center", va="top")  # fmt: skip


def _numbers(limits: tuple[float, float], count: int, is_long: bool) -> list[float]:
    """Round ones along an axis; the first and the last of them where there is no room for more."""
    from matplotlib.ticker import MaxNLocator

    low, high = limits
    ticks = MaxNLocator(count, steps=(1, 2, 5, 10)).tick_values(low, high)
    within = [float(tick) for tick in ticks if low <= tick <= high]
    return within if is_long else [*within[:1], *within[1:][-1:]]


def _lit(
    shown: np.ndarray, friction: bool, x: np.ndarray, y: np.ndarray, z: np.ndarray
) -> np.ndarray:
    """Colours of the values, in light that falls from the left onto the exaggerated relief."""
    from matplotlib import colormaps
    from matplotlib.colors import Normalize

    scale = Normalize(shown.min(), shown.max() if np.ptp(shown) else shown.min() + 1.0)
    colours: np.ndarray = colormaps[_FRICTION if friction else "viridis"](scale(shown))
    along, across = np.gradient(z, x[:, 0], y[0])
    light = np.array([-0.4, 0.2, 0.9])
    cosine = (light[2] - light[0] * along - light[1] * across) / np.sqrt(1 + along**2 + across**2)
    colours[..., :3] *= np.clip(0.45 + 0.55 * cosine / light[2], 0.3, 1.0)[..., None]
    return colours


def _map(figure: Any, axes: Any, ground: ShownSurface) -> None:
    x, y, z = ground.heights()
    friction = ground.friction()
    uneven = float(np.ptp(z)) > 0.0
    if np.ptp(friction) > 0.0:
        coloured = axes.pcolormesh(x, y, friction, cmap=_FRICTION, shading="gouraud", alpha=0.7)
        figure.colorbar(
            coloured, ax=axes, label=plotted_label("factor on friction [1]"), shrink=0.8
        )
    elif uneven:
        coloured = axes.contourf(x, y, z, 24, cmap="viridis")
        figure.colorbar(coloured, ax=axes, label="z [m]", shrink=0.8)
    if uneven:
        lines = axes.contour(x, y, z, 6, colors="black", linewidths=0.6)
        axes.clabel(lines, fontsize=SMALL, fmt="%.3g")
    axes.set_aspect("equal")
    label_axes(axes, "lines of equal height" if uneven else "flat", "x [m]", "y [m]")
