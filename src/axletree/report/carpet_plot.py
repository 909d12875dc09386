"""Carpet plots: a quantity over two variables, each line of which is shifted beside the last.

Curves of one level run over x; the curves of the next level are moved to the right, and points
of equal x are joined, so that a value between levels can be read off.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from axletree.core.plot_style import BLUE, GREY, INK, PAPER, SMALL, in_style
from axletree.core.plotted_unit import plotted_label, plotted_unit
from axletree.model.benches.contract import Carpet
from axletree.report.plot_panels import Shown
from axletree.simulation.panels import greatest

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NODES = 10  # at most, values of x whose points are joined
SHIFT = 0.25  # from level to level, of the width of a curve
WORD = 0.07, 0.05  # of the width and height of the axes, that a name takes
_CLEAR = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.6}  # of lines behind words


@in_style
def draw_carpet(carpet: Carpet, runs: Mapping[str, Shown], title: str = "") -> Figure:
    """One carpet; ``runs`` are those that the levels name. Angles are in degrees."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.0, 5.2), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    levels = sorted(carpet.levels, key=lambda name: carpet.levels[name])
    x_unit, xs = _plotted(carpet.x, [runs[name] for name in levels])
    y_unit, ys = _plotted(carpet.y, [runs[name] for name in levels])
    shift = SHIFT * max(float(np.ptp(x)) for x in xs)
    nodes = _nodes(xs)
    corners = np.full((len(levels), len(nodes)), np.nan)
    curves = []
    for k, (one, other) in enumerate(zip(xs, ys, strict=True)):
        x, y = _rising(one, other)
        axes.plot(x + k * shift, y, color=BLUE, linewidth=1.4)
        corners[k] = np.interp(nodes, x, y)
        curves.append(np.stack([x + k * shift, y], axis=1))
    _join(axes, nodes, corners, shift)
    axes.margins(x=0.08)
    _name_levels(axes, levels, curves)
    axes.set_title(f"{title}: {carpet.y} as a carpet" if title else carpet.y)
    axes.set_ylabel(plotted_label(f"{carpet.y} [{y_unit}]"))
    axes.set_xlabel(
        plotted_label(f"{carpet.x} [{x_unit}], shifted for each {carpet.quantity}"),
    )
    axes.set_xticks([])
    axes.grid(visible=False, axis="x")
    return figure


def _plotted(name: str, runs: Sequence[Shown]) -> tuple[str, list[np.ndarray]]:
    """The unit of an axis and what it shows of each run."""
    courses = [run.columns[name] for run in runs]
    unit, factor = plotted_unit(runs[0].units[name], greatest(courses))
    return unit, [factor * course for course in courses]


def _name_levels(axes: Any, levels: Sequence[str], curves: Sequence[np.ndarray]) -> None:
    """At those ends of curves, all left or all right, where fewer points of others are near."""
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    size = np.array([WORD[0] * (right - left), WORD[1] * (high - low)])

    def crowd(end: int, side: int) -> int:
        middles = np.array([curve[end] for curve in curves]) + (0.55 * side * size[0], 0.0)
        points = np.concatenate(curves)
        near = np.abs(points[None] - middles[:, None]) < 0.5 * size
        return int(near.all(axis=2).sum())

    end, side = min(((-1, 1), (0, -1)), key=lambda pair: crowd(*pair))
    for name, curve in zip(levels, curves, strict=True):
        axes.annotate(name, curve[end], fontsize=SMALL, color=BLUE, xytext=(5 * side, 0),
                      textcoords="offset points", ha="left" if side > 0 else "right", va="center",
                      bbox=_CLEAR)  # fmt: skip


def _nodes(columns: Sequence[np.ndarray]) -> np.ndarray:
    """Round values of x that all runs have."""
    from matplotlib.ticker import MaxNLocator

    least, greatest = max(c.min() for c in columns), min(c.max() for c in columns)
    ticks = MaxNLocator(NODES).tick_values(least, greatest)
    return np.array([x for x in ticks if least <= x <= greatest])


def _rising(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    order = np.argsort(x, kind="stable")
    return x[order], y[order]


def _join(axes: Any, nodes: np.ndarray, corners: np.ndarray, shift: float) -> None:
    """Lines of equal x, with their values at the first level, on the side where no line goes."""
    places = np.arange(len(corners)) * shift
    for k, x in enumerate(nodes):
        axes.plot(x + places, corners[:, k], color=GREY, linewidth=0.9, marker=".", markersize=4)
        rises = corners[-1, k] > corners[0, k]
        axes.annotate(f"{x:.3g}", (x, corners[0, k]), fontsize=SMALL, color=INK,
                      xytext=(0, -5 if rises else 5), textcoords="offset points", ha="center",
                      va="top" if rises else "bottom", bbox=_CLEAR)  # fmt: skip
