"""Surfaces as pictures: the relief in three dimensions, and a map of height and friction.

Heights are mostly small beside lengths; the relief is exaggerated by a round factor, which is
written above it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from axletree.core.errors import ModelError
from axletree.ground.surfaces import Surface
from axletree.plot.style import SMALL, WIDTH, in_style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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
        xs, ys = (
            np.linspace(*limits, n) for limits, n in zip((self.x, self.y), counts, strict=True)
        )
        x, y = np.meshgrid(xs, ys, indexing="ij")
        return x, y

    def heights(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """x, y and z [m] on the grid."""
        x, y = self.points()
        z = self.surface.height(x, y, self.surface.numbers)
        return x, y, np.broadcast_to(np.asarray(z, dtype=float), x.shape)

    def friction(self) -> np.ndarray:
        """The factor on friction [1] on the grid."""
        x, y = self.points()
        found = self.surface.friction(x, y, self.surface.numbers)
        return np.broadcast_to(np.asarray(found, dtype=float), x.shape)


@in_style
def draw_surface(ground: ShownSurface) -> Figure:
    """The relief and a map with lines of height; colours show friction where it varies."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, 4.2), layout="constrained")
    _canvas(figure)
    _relief(figure.add_subplot(1, 2, 1, projection="3d"), ground)
    _map(figure, figure.add_subplot(1, 2, 2), ground)
    return figure


@in_style
def draw_gallery(grounds: Sequence[ShownSurface]) -> Figure:
    """The reliefs of several surfaces."""
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    if not grounds:
        raise ModelError("no surface was given; expected at least one")
    columns = min(_COLUMNS, len(grounds))
    rows = math.ceil(len(grounds) / columns)
    # Labels in depth have no extent for the layout: at the right there is room for them.
    layout = ConstrainedLayoutEngine(rect=(0.0, 0.0, 0.97, 1.0))
    figure = Figure(figsize=(WIDTH / _COLUMNS * columns, 2.3 * rows), layout=layout)
    _canvas(figure)
    for k, ground in enumerate(grounds, start=1):
        _relief(figure.add_subplot(rows, columns, k, projection="3d"), ground)
    return figure


def _canvas(figure: Any) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    FigureCanvasAgg(figure)


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
        figure.colorbar(coloured, ax=axes, label="factor on friction [1]", shrink=0.8)
    elif uneven:
        coloured = axes.contourf(x, y, z, 24, cmap="viridis")
        figure.colorbar(coloured, ax=axes, label="z [m]", shrink=0.8)
    if uneven:
        lines = axes.contour(x, y, z, 6, colors="black", linewidths=0.6)
        axes.clabel(lines, fontsize=SMALL, fmt="%.3g")
    axes.set_aspect("equal")
    axes.set_xlabel("x [m]")
    axes.set_ylabel("y [m]")
    axes.set_title("lines of equal height" if uneven else "flat")
