"""Carpet plots: a quantity over two variables, each line of which is shifted beside the last.

Curves of one level run over x; the curves of the next level are moved to the right, and points
of equal x are joined, so that a value between levels can be read off.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from axletree.core.plot_style import BLUE, GREY, PAPER, SMALL, in_style
from axletree.model.benches.contract import Carpet
from axletree.report.plot_panels import Shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NODES = 10  # at most, values of x whose points are joined
SHIFT = 0.25  # from level to level, of the width of a curve
_CLEAR = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.6}  # of lines behind words


@in_style
def draw_carpet(carpet: Carpet, runs: Mapping[str, Shown], title: str = "") -> Figure:
    """One carpet; ``runs`` are those that the levels name."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.0, 5.2), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    levels = sorted(carpet.levels, key=lambda name: carpet.levels[name])
    first = runs[levels[0]]
    width = max(float(np.ptp(runs[name].columns[carpet.x])) for name in levels)
    nodes = _nodes(carpet, runs)
    corners = np.full((len(levels), len(nodes)), np.nan)
    for k, name in enumerate(levels):
        x, y = _rising(runs[name].columns[carpet.x], runs[name].columns[carpet.y])
        shift = k * SHIFT * width
        axes.plot(x + shift, y, color=BLUE, linewidth=1.4)
        corners[k] = np.interp(nodes, x, y)
        axes.annotate(name, (x[-1] + shift, y[-1]), fontsize=SMALL, color=BLUE,
                      xytext=(4, 0), textcoords="offset points", bbox=_CLEAR)  # fmt: skip
    _join(axes, nodes, corners, SHIFT * width)
    axes.set_title(f"{title}: {carpet.y} as a carpet" if title else carpet.y)
    axes.set_ylabel(f"{carpet.y} [{first.units[carpet.y]}]")
    axes.set_xlabel(f"{carpet.x} [{first.units[carpet.x]}], shifted for each {carpet.quantity}")
    axes.set_xticks([])
    axes.grid(visible=False, axis="x")
    axes.margins(x=0.08)
    return figure


def _nodes(carpet: Carpet, runs: Mapping[str, Shown]) -> np.ndarray:
    """Round values of x that all runs have."""
    from matplotlib.ticker import MaxNLocator

    columns = [runs[name].columns[carpet.x] for name in carpet.levels]
    least, greatest = max(c.min() for c in columns), min(c.max() for c in columns)
    ticks = MaxNLocator(NODES).tick_values(least, greatest)
    return np.array([x for x in ticks if least <= x <= greatest])


def _rising(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    order = np.argsort(x, kind="stable")
    return x[order], y[order]


def _join(axes: Any, nodes: np.ndarray, corners: np.ndarray, shift: float) -> None:
    """Lines of equal x, with their values at the first level."""
    places = np.arange(len(corners)) * shift
    for k, x in enumerate(nodes):
        axes.plot(x + places, corners[:, k], color=GREY, linewidth=0.9)
        axes.annotate(f"{x:.3g}", (x, corners[0, k]), fontsize=SMALL, color=GREY, xytext=(0, 5),
                      textcoords="offset points", ha="center", bbox=_CLEAR)  # fmt: skip
