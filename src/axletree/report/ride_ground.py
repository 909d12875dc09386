"""The ground under a drive: its profile from the side, its mesh with numbers from elsewhere."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import numpy as np

from axletree.core.plot_style import GREY, SMALL
from axletree.report.ride_frames import RideFrames
from axletree.report.ride_view import View

LINE: Final = "#b9b3a6"
LINES: Final = 13  # at most, of the mesh across; along it they are as far apart
MOST: Final = 60  # lines along it
ROUND: Final = (1.0, 2.0, 5.0, 10.0)  # times powers of ten: distances between lines
MARGIN: Final = 2.0  # radii of wheels around the path
NUMBERS: Final = 10  # at most, along the longer side
EVERY: Final = (1, 2, 5, 10)  # so many lines one of them has its number
AWAY: Final = 4.0  # points between the mesh and its numbers; axes have their names at four of it

Points = np.ndarray


def draw_ground(axes: Any, ride: RideFrames, view: View, chosen: Sequence[int]) -> None:
    """Under all that is shown. From above there is nothing to see but a plan, which axes have."""
    low, high = _limits(ride, chosen)
    if view.labels is None:
        _draw_mesh(axes, ride, view, low, high)
    elif view.labels[1].endswith("z"):
        depths = np.linspace(low[1], high[1], LINES), np.linspace(low[0], high[0], LINES)
        fine = np.linspace(low[0], high[0], 400), np.linspace(low[1], high[1], 400)
        for y in depths[0] if view.labels[0].endswith("x") else ():
            _draw_line(axes, ride, view, fine[0], np.full(400, y), 0.8)
        for x in depths[1] if view.labels[0].endswith("y") else ():
            _draw_line(axes, ride, view, np.full(400, x), fine[1], 0.8)


def _limits(ride: RideFrames, chosen: Sequence[int]) -> tuple[Points, Points]:
    margin = MARGIN * max(wheel.radius for wheel in ride.wheels)
    places = np.concatenate([w.contact[min(chosen) : max(chosen) + 1] for w in ride.wheels])
    return places.min(axis=0)[:2] - margin, places.max(axis=0)[:2] + margin


def _draw_mesh(axes: Any, ride: RideFrames, view: View, low: Points, high: Points) -> None:
    sides = high - low
    spacing = _rounded(max(float(sides.max()) / MOST, float(sides.min()) / LINES))
    first, last = np.floor(low / spacing), np.ceil(high / spacing)
    xs, ys = (spacing * np.arange(a, b + 1) for a, b in zip(first, last, strict=True))
    fine_x, fine_y = np.linspace(xs[0], xs[-1], 400), np.linspace(ys[0], ys[-1], 200)
    for y in ys:
        _draw_line(axes, ride, view, fine_x, np.full_like(fine_x, y), 0.5)
    for x in xs:
        _draw_line(axes, ride, view, np.full_like(fine_y, x), fine_y, 0.5)

    count = max(len(xs), len(ys)) / NUMBERS
    step = spacing * next(n for n in EVERY if n >= count or n == EVERY[-1])
    for name, lines, across in (("x", xs, ys), ("y", ys, xs)):
        edges = [partial(_place, ride, view, name, float(end)) for end in across[[0, -1]]]
        centre = _place(ride, view, name, float(across.mean()), float(lines.mean()))
        _number(axes, name, lines, step, centre, edges)


def _place(ride: RideFrames, view: View, name: str, across: float, along: float) -> Points:
    """On the paper, of a point of the ground by its number along the axis of this name."""
    x, y = (along, across) if name == "x" else (across, along)
    return np.asarray(view.project(_on_ground(ride, np.array([x]), np.array([y])))[0])


def _number(
    axes: Any,
    name: str,
    lines: Points,
    step: float,
    centre: Points,
    edges: Sequence[Callable[[float], Points]],
) -> None:
    """At that edge which is lower on the paper, or at the right one; with the name of the axis."""
    middles = [edge(float(lines.mean())) for edge in edges]
    level = abs(middles[1][1] - middles[0][1]) < 1e-6
    k = int(np.argmax([m[0] for m in middles]) if level else np.argmin([m[1] for m in middles]))
    edge, middle = edges[k], middles[k]
    along = edge(float(lines[-1])) - edge(float(lines[0]))
    out = np.array([along[1], -along[0]]) / np.linalg.norm(along)
    out = out if out @ (middle - centre) > 0.0 else -out
    aside = "center" if abs(out[0]) < 0.5 else "left" if out[0] > 0.0 else "right"
    upright = "center" if abs(out[1]) < 0.5 else "bottom" if out[1] > 0.0 else "top"
    words = {"textcoords": "offset points", "ha": aside, "va": upright, "fontsize": SMALL}
    ticks = step * np.arange(math.ceil(lines[0] / step), math.floor(lines[-1] / step) + 1)
    for tick in ticks:
        text = f"{tick + 0.0:.6g}".replace("-", "\N{MINUS SIGN}")
        axes.annotate(text, edge(float(tick)), xytext=AWAY * out, color=GREY, **words)
    axes.annotate(f"{name} [m]", middle, xytext=4.0 * AWAY * out, **words)


def _draw_line(axes: Any, ride: RideFrames, view: View, x: Points, y: Points, width: float) -> None:
    points = view.project(_on_ground(ride, x, y))
    axes.plot(*points.T, color=LINE, linewidth=width, zorder=1)


def _on_ground(ride: RideFrames, x: Points, y: Points) -> Points:
    z = ride.surface.height(x, y, ride.surface.numbers)
    return np.stack([x, y, np.broadcast_to(np.asarray(z, dtype=float), x.shape)], axis=-1)


def _rounded(distance: float) -> float:
    """The next greater round one."""
    power = 10.0 ** math.floor(math.log10(distance))
    return next(f * power for f in ROUND if f * power >= distance * (1.0 - 1e-9))
