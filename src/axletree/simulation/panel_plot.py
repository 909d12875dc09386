"""Panels as a figure: small multiples with legends above the axes, where no curve runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from axletree.core.plot_style import INK, SMALL, WIDTH, colour, dash, in_style
from axletree.core.plotted_unit import plotted_label
from axletree.simulation.mark_plot import draw_marks
from axletree.simulation.panels import NOISE, STILL, Curve, Panel
from axletree.simulation.thinning import thinned

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HEIGHT: Final = 2.5  # inches of a panel, its legend not counted
HEIGHT_ALONE: Final = 3.6  # inches of a panel that is the only one
ROOM_FOR_WORDS: Final = 0.7  # inches more, of panels with marks
LEGEND_LINE: Final = 0.155  # inches
TITLE: Final = 0.34  # inches
MOST_DIVIDED: Final = 300.0  # last over first number of an axis whose decades are divided
FEW: Final = 12  # panels that stand two beside one another; more of them are three
# Inches around axes, for numbers, labels and the title of a panel. To measure these in each figure
# takes as long as to draw it.
LEFT, RIGHT, BELOW, HEADING = 0.86, 0.16, 0.54, 0.32
CHARACTER, SAMPLE = 0.068, 0.48  # inches of a legend: of a letter, of a line and the gaps about it


@in_style
def draw_panels(panels: Sequence[Panel], title: str = "", columns: int | None = None) -> Figure:
    """Two or three panels side by side, as many below one another as it takes.

    Example:
    >>> import numpy as np
    >>> from axletree.simulation.panel_plot import draw_panels
    >>> from axletree.simulation.panels import Curve, Panel
    >>> time = np.linspace(0.0, 1.0, 11)  # s
    >>> panel = Panel("Speed", "time [s]", "[m/s]", (Curve("car", time, 20.0 - time),))
    >>> draw_panels([panel]).axes[0].get_ylabel()
    '[m/s]'
    """
    # A figure of its own needs no display and leaves pyplot's state alone.
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    across = columns or (1 if len(panels) == 1 else 2 if len(panels) <= FEW else 3)
    rows = [panels[k : k + across] for k in range(0, len(panels), across)]
    of_axes = HEIGHT if len(panels) > 1 else HEIGHT_ALONE
    of_axes += ROOM_FOR_WORDS if any(panel.marks for panel in panels) else 0.0
    heights = [of_axes + LEGEND_LINE * max(_legend_lines(p, across) for p in row) for row in rows]
    height = max(sum(heights) + (TITLE if title else 0.1), 1.0)
    figure = Figure(figsize=(WIDTH, height))
    FigureCanvasAgg(figure)
    if title:
        figure.suptitle(title, y=1.0 - 0.42 * TITLE / height, verticalalignment="center")
    ends = [sum(heights[k + 1 :]) for k in range(len(rows))]
    wide = WIDTH / across
    for row, low, size in zip(rows, ends, heights, strict=True):
        above = HEADING + LEGEND_LINE * max(_legend_lines(p, across) for p in row)
        for k, panel in enumerate(row):
            box = (k * wide + LEFT, low + BELOW, wide - LEFT - RIGHT, size - BELOW - above)
            parts = (box[0] / WIDTH, box[1] / height, box[2] / WIDTH, box[3] / height)
            _draw(figure.add_axes(parts), panel, across)
    return figure


def _draw(axes: Any, panel: Panel, across: int) -> None:
    for k, curve in enumerate(panel.curves):
        x, y = (curve.x, curve.y) if not panel.over_time else thinned(curve.x, curve.y)
        axes.plot(x, y, label=plotted_label(curve.label) or None, **_line(curve, k))
    axes.set_title(panel.title, pad=_pad(panel, across))
    axes.set_xlabel(plotted_label(panel.x_label))
    axes.set_ylabel(plotted_label(panel.y_label))
    _move_exponent(axes)
    if panel.is_plan:
        axes.set_aspect("equal", adjustable="datalim")
    else:
        _keep_noise_small(axes, panel.curves)
    if panel.is_logarithmic:
        axes.set_xscale("log")
        divide_decades(axes.xaxis)
    if _legend_lines(panel, across):
        _name_curves(axes, panel, across)
    draw_marks(axes, panel.title, panel.marks)


def _line(curve: Curve, k: int) -> dict[str, Any]:
    """Curves that lie on one another show through the gaps of the later ones."""
    if curve.is_guide:
        return {"color": INK, "linewidth": 1.1, "linestyle": dash(1)}
    return {"color": colour(k), "linewidth": 1.9 - 0.15 * min(k, 5), "linestyle": dash(k)}


def divide_decades(axis: Any) -> None:
    """Of a logarithmic axis: numbers as people write them, three in a decade if it has few."""
    from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

    low, high = axis.get_view_interval()
    few = high < MOST_DIVIDED * low
    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if few else (1.0,)))
    axis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axis.set_minor_formatter(NullFormatter())


def _move_exponent(axes: Any) -> None:
    """A common factor of the numbers stands above the right end, away from the legend."""
    factor = axes.yaxis.get_offset_text()
    factor.set(x=1.0, horizontalalignment="right", fontsize=SMALL)


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
    """As few as the same number of lines takes: four names are two and two."""
    names = len(_labels(panel))
    longest = SAMPLE + CHARACTER * max(len(label) for label in _labels(panel))
    room = WIDTH / across - LEFT - RIGHT
    most = max(1, min(names, int(room // longest)))
    return -(-names // -(-names // most))


def _labels(panel: Panel) -> list[str]:
    """Of a panel with more than one curve those that have a name."""
    return [curve.label for curve in panel.curves if curve.label] if len(panel.curves) > 1 else []


def _legend_lines(panel: Panel, across: int) -> int:
    labels = _labels(panel)
    return -(-len(labels) // _legend_columns(panel, across)) if labels else 0


def _pad(panel: Panel, across: int) -> float:
    """Points between title and axes: the legend stands there."""
    return 5.0 + 72.0 * LEGEND_LINE * _legend_lines(panel, across)


def _name_curves(axes: Any, panel: Panel, across: int) -> None:
    axes.legend(
        loc="lower left",
        bbox_to_anchor=(-0.01, 1.0),
        ncols=_legend_columns(panel, across),
        borderpad=0.1,
        borderaxespad=0.2,
        handlelength=2.2,
        columnspacing=1.2,
        labelspacing=0.25,
    )
