"""The mechanism at a few instants: bodies as lines and areas between their frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from axletree.core.plot_style import GREY, INK, PAPER, in_style
from axletree.report.mechanism_parts import Part, mechanism_parts
from axletree.report.mechanism_poses import Poses

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INSTANTS = 4
PANEL_WIDTH, PANEL_ALONE = 2.5, 5.2  # inches, of one that stands among others and of a single one
LEGEND_SAMPLE, LEGEND_LETTER = 0.7, 0.07  # inches of an entry: of its line, and of each letter
VIEWS = ((0, 2), (0, 1), (1, 2))  # axes to the right and up: side, top, front
FLAT = 0.02  # a mechanism thinner than this part of its size is drawn in one view
FOLLOW = 4.0  # sizes of the mechanism that it may travel before the view follows it


@in_style
def draw_mechanism(poses: Poses) -> Figure:
    """A row of instants for each view that shows something; the paths of bodies are faint."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    views, chosen = _views(poses), _telling_instants(poses)
    width = PANEL_WIDTH if len(chosen) > 1 else PANEL_ALONE
    heights = [_panel_height(poses, view, chosen, width) for view in views]
    wide = width * len(chosen) + 0.6
    parts = mechanism_parts(poses)
    longest = max(len(part.name) for part in parts)
    columns = max(1, int(wide // (LEGEND_SAMPLE + LEGEND_LETTER * longest)))
    legend = 0.3 + 0.2 * ((len(parts) - 1) // columns)
    layout = ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.12)
    figure = Figure(figsize=(wide, sum(heights) + legend), layout=layout)
    FigureCanvasAgg(figure)
    grid = figure.subplots(len(views), len(chosen), squeeze=False, height_ratios=heights)
    for row, view in zip(grid, views, strict=True):
        for axes, k in zip(row, chosen, strict=True):
            _draw_instant(axes, poses, parts, view, k)
            axes.set_title(f"t = {poses.time[k]:.3g} s")
        row[0].set_ylabel(f"{'xyz'[view[1]]} [m]")
    _name_parts(figure, parts, columns)
    return figure


def _telling_instants(poses: Poses) -> list[int]:
    """The first instant, then those that look least like the ones before; in order of time."""
    paths = [path.reshape(len(path), -1) for path in poses.bodies.values()]
    shapes = np.concatenate(paths, axis=1)
    chosen = [0]
    gap = np.linalg.norm(shapes - shapes[0], axis=1)
    while len(chosen) < INSTANTS and gap.max() > 0.0:
        chosen.append(int(np.argmax(gap)))
        gap = np.minimum(gap, np.linalg.norm(shapes - shapes[chosen[-1]], axis=1))
    return sorted(chosen)


def _panel_height(
    poses: Poses, view: tuple[int, int], chosen: Sequence[int], width: float
) -> float:
    """As high as the drawing is for its width, within reason; titles and ticks on top."""
    spans = [high - low for low, high in (_limits(poses, view, k) for k in chosen)]
    ratio = max(float(span[1] / span[0]) for span in spans)
    return float(np.clip(width * ratio, 0.9, 3.2)) + 0.75


def _views(poses: Poses) -> Sequence[tuple[int, int]]:
    """The plane of a plane mechanism; side and top view of any other."""
    spread = np.ptp(poses.every_point, axis=0)
    thin = int(np.argmin(spread))
    if spread[thin] <= FLAT * spread.max():
        return [view for view in VIEWS if thin not in view]
    return VIEWS[:2]


def _draw_instant(
    axes: Any, poses: Poses, parts: Sequence[Part], view: tuple[int, int], k: int
) -> None:
    for part in parts:
        main = part.paths[0][:, 0][:, view]
        axes.plot(main[:, 0], main[:, 1], color=part.colour, alpha=0.25, linewidth=1.0)
        for path in part.paths:
            _draw_body(axes, path[k][:, view], part, 6.0 if poses.wheels else 11.0)
    for wheel in poses.wheels:
        outline = _hull(wheel[k][:, view])
        axes.fill(*outline.T, facecolor=INK, alpha=0.25)
        axes.plot(*np.vstack([outline, outline[:1]]).T, color=INK, linewidth=3.0)
    for tie in poses.ties:
        axes.plot(*tie[k][:, view].T, color=GREY, linestyle=(0, (1, 1)), linewidth=1.4)
    if len(poses.fixed):
        axes.plot(*poses.fixed[:, view].T, marker="^", markersize=9, linestyle="", color=INK)
    axes.set_aspect("equal", adjustable="box")
    axes.set_xlabel(f"{'xyz'[view[0]]} [m]")
    low, high = _limits(poses, view, k)
    axes.set_xlim(low[0], high[0])
    axes.set_ylim(low[1], high[1])


def _draw_body(axes: Any, points: np.ndarray, part: Part, size: float) -> None:
    outline, tint = _hull(points), part.colour
    if len(outline) == 1:
        axes.plot(*outline.T, marker="s", markersize=size, color=tint, alpha=0.8)
    elif len(outline) == 2:
        axes.plot(*outline.T, color=tint, linestyle=part.dash, linewidth=4.0,
                  solid_capstyle="round", alpha=0.85)  # fmt: skip
    else:
        axes.fill(*outline.T, facecolor=tint, alpha=0.25)
        closed = np.vstack([outline, outline[:1]])
        axes.plot(*closed.T, color=tint, linestyle=part.dash, linewidth=2.0)
    if len(points) > 1:
        axes.plot(
            *points.T, marker="o", markersize=4, linestyle="", color=PAPER, markeredgecolor=tint
        )


def _hull(points: np.ndarray) -> np.ndarray:
    """The corners of the convex hull in order; two for a line, one for a point."""
    scale = float(np.ptp(points, axis=0).max()) or 1.0
    unique = np.unique(np.round(points / scale, 6), axis=0) * scale
    if len(unique) < 3:
        return np.asarray(unique)

    def chain(ordered: Sequence[np.ndarray]) -> list[np.ndarray]:
        corners: list[np.ndarray] = []
        for point in ordered:
            while len(corners) > 1 and _turn(corners[-2], corners[-1], point) <= 1e-6 * scale**2:
                corners.pop()
            corners.append(point)
        return corners[:-1]

    return np.array(chain(list(unique)) + chain(list(unique[::-1])))


def _turn(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


def _limits(poses: Poses, view: tuple[int, int], k: int) -> tuple[np.ndarray, np.ndarray]:
    """Of all instants, or around this one where the mechanism travels far."""
    every = poses.every_point[:, view]
    together = np.concatenate([*poses.bodies.values(), *poses.wheels], axis=1)[:, :, view]
    size = float(np.ptp(together, axis=1).max())
    if size > 0.0 and np.ptp(every, axis=0).max() > FOLLOW * size:
        middle = 0.5 * (together[k].min(axis=0) + together[k].max(axis=0))
        return middle - 0.75 * size, middle + 0.75 * size
    pad = 0.08 * max(float(np.ptp(every, axis=0).max()), 1e-2)
    return every.min(axis=0) - pad, every.max(axis=0) + pad


def _name_parts(figure: Figure, parts: Sequence[Part], columns: int) -> None:
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], color=part.colour, linestyle=part.dash, linewidth=4.0, label=part.name)
        for part in parts
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=columns)
