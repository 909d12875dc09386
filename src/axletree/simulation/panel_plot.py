"""Panels as a figure: small multiples with legends above the axes, where no curve runs."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from axletree.simulation.panels import NOISE, STILL, Curve, Panel
from axletree.simulation.thinning import thinned

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH: Final = 11.0  # inches
HEIGHT: Final = 2.3  # inches of a panel, its legend not counted
HEIGHT_ALONE: Final = 3.4  # inches of a panel that is the only one
LEGEND_LINE: Final = 0.17  # inches
WIDE_LEGEND: Final = 40  # characters in a line of a legend, of a panel half as wide as the page
STYLES: Final = ("-", "--", "-.", ":", (0, (6, 2, 1, 2, 1, 2)), (0, (2, 1)))


def draw_panels(panels: Sequence[Panel], title: str = "", columns: int | None = None) -> Figure:
    """Two or three panels side by side, as many below one another as it takes."""
    # A figure of its own needs no display and leaves pyplot's state alone.
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    across = columns or (1 if len(panels) == 1 else 2 if len(panels) <= 6 else 3)
    rows = [panels[k : k + across] for k in range(0, len(panels), across)]
    of_axes = HEIGHT if len(panels) > 1 else HEIGHT_ALONE
    heights = [of_axes + LEGEND_LINE * max(_legend_lines(p, across) for p in row) for row in rows]
    height = sum(heights) + (0.4 if title else 0.1)
    figure = Figure(figsize=(WIDTH, max(height, 1.0)), layout="constrained")
    FigureCanvasAgg(figure)
    if title:
        figure.suptitle(title, fontsize=12)
    if not panels:
        return figure
    grid = figure.subplots(len(rows), across, squeeze=False, height_ratios=heights).ravel()
    for axes, panel in itertools.zip_longest(grid, panels):
        if panel is None:
            axes.axis("off")
        else:
            _draw(axes, panel, across)
    return figure


def _draw(axes: Any, panel: Panel, across: int) -> None:
    for k, curve in enumerate(panel.curves):
        x, y = (curve.x, curve.y) if not panel.over_time else thinned(curve.x, curve.y)
        # Curves that lie on one another show through the gaps of the later ones.
        width = 1.8 - 0.15 * min(k, 5)
        axes.plot(x, y, label=curve.label, linewidth=width, linestyle=STYLES[k % len(STYLES)])
    axes.set_title(panel.title, fontsize=9, fontweight="bold", loc="left", pad=_pad(panel, across))
    axes.set_xlabel(panel.x_label, fontsize=8)
    axes.set_ylabel(panel.y_label, fontsize=8)
    axes.tick_params(labelsize=7.5)
    axes.grid(visible=True, alpha=0.3)
    _move_exponent(axes)
    if panel.is_plan:
        axes.set_aspect("equal", adjustable="datalim")
    else:
        _keep_noise_small(axes, panel.curves)
    if len(panel.curves) > 1:
        _name_curves(axes, panel, across)


def _move_exponent(axes: Any) -> None:
    """A common factor of the numbers stands above the right end, away from the legend."""
    factor = axes.yaxis.get_offset_text()
    factor.set(x=1.0, horizontalalignment="right", fontsize=7.5)


def _keep_noise_small(axes: Any, curves: Sequence[Curve]) -> None:
    """A line that should be straight is drawn straight, not as its rounding errors."""
    filled = [curve.y for curve in curves if len(curve.y)]
    if not filled:
        return
    low, high = min(y.min() for y in filled), max(y.max() for y in filled)
    level = max(abs(low), abs(high))
    if level <= NOISE:
        axes.set_ylim(-1.0, 1.0)
    elif high - low <= STILL * level:
        axes.set_ylim(low - 0.05 * level, high + 0.05 * level)


def _legend_columns(panel: Panel, across: int) -> int:
    longest = max(len(curve.label) for curve in panel.curves) + 5
    room = WIDE_LEGEND * 2 * 2 // across
    return max(1, min(len(panel.curves), room // longest))


def _legend_lines(panel: Panel, across: int) -> int:
    if len(panel.curves) < 2:
        return 0
    return -(-len(panel.curves) // _legend_columns(panel, across))


def _pad(panel: Panel, across: int) -> float:
    """Points between title and axes: the legend stands there."""
    return 5.0 + 72.0 * LEGEND_LINE * _legend_lines(panel, across)


def _name_curves(axes: Any, panel: Panel, across: int) -> None:
    axes.legend(
        loc="lower left",
        bbox_to_anchor=(-0.01, 1.0),
        ncols=_legend_columns(panel, across),
        fontsize=7.5,
        frameon=False,
        borderpad=0.1,
        borderaxespad=0.2,
        handlelength=2.2,
        columnspacing=1.2,
        labelspacing=0.25,
    )
