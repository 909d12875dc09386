"""Panels: which curves are read together in one set of axes, and panels as a figure.

A figure is small multiples with legends above the axes, where no curve runs. Of a long run it
has as many points as a picture can show.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os.path import commonprefix
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from axletree.metrics.findings import Mark
from axletree.plot.labels import draw_marks
from axletree.plot.style import (
    INK,
    LEGEND_ABOVE,
    WIDTH,
    blank_figure,
    colour,
    dash,
    in_style,
    label_axes,
    marker,
    plotted_label,
    plotted_unit,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CurveValues = NDArray[np.float64]

MOST_CURVES: Final = 6  # in one set of axes
LEAST_PART: Final = 0.05  # of the height of a panel that a curve must use to be read
FAR_APART: Final = 10.0  # times the way that a curve makes: curves farther away go elsewhere
NO_CHANGE: Final = 1e-9  # relative: a curve that moves by less stands still
NOISE: Final = 1e-12  # of the greatest value beside it, or of 1 in SI units: rounding


@dataclass(frozen=True)
class PanelCurve:
    """One line of a panel; a guide is thin and grey, for another to be read by.

    Where x or y is nan the line has a gap.
    """

    label: str
    x: CurveValues
    y: CurveValues
    is_guide: bool = False
    is_points: bool = False  # that no line joins


@dataclass(frozen=True)
class Panel:
    """One set of axes."""

    title: str
    x_label: str
    y_label: str
    curves: tuple[PanelCurve, ...]
    over_time: bool = True
    is_plan: bool = False  # both axes are lengths of one plan, in one scale
    marks: tuple[Mark, ...] = ()
    is_logarithmic: bool = False  # the horizontal axis

    @property
    def greatest(self) -> float:
        """The greatest value, without its sign."""
        return greatest_magnitude([curve.y for curve in self.curves])


def greatest_magnitude(courses: Iterable[CurveValues]) -> float:
    """The greatest value of all courses, without its sign; 0 of none."""
    return max((float(np.nanmax(np.abs(y), initial=0.0)) for y in courses), default=0.0)


def is_wide(curves: Sequence[PanelCurve]) -> bool:
    """Whether a path can be read in one scale: it goes to the side far enough to be seen."""
    ahead = max((_span(curve.x) for curve in curves if len(curve.x)), default=0.0)
    aside = max((_span(curve.y) for curve in curves if len(curve.y)), default=0.0)
    return bool(aside > LEAST_PART * ahead)


def _span(values: CurveValues) -> float:
    """From the least to the greatest, gaps apart."""
    return float(np.nanmax(values) - np.nanmin(values))


def without_zeros(panels: Sequence[Panel]) -> list[Panel]:
    """The panels that show more than zero, or more than rounding beside others of their unit."""
    scales: dict[str, float] = {}
    for panel in panels:
        scales[panel.y_label] = max(scales.get(panel.y_label, 1.0), panel.greatest)
    return [p for p in panels if not p.over_time or p.greatest > NOISE * scales[p.y_label]]


def automatic_panels(
    time: CurveValues,
    columns: Mapping[str, CurveValues],
    units: Mapping[str, str],
    time_label: str = "time [s]",
) -> list[Panel]:
    """Panels of all columns: of one unit, and where these are many, of one quantity or component.

    What would be a flat line beside the others gets a panel of its own. Angles are in degrees.
    """
    panels = []
    for members in _families(list(columns), units):
        for group in _readable(members, columns):
            for few in _divided(group):
                title, labels = titled(few)
                courses = [columns[name] for name in few]
                unit, factor = plotted_unit(units.get(few[0], "1"), greatest_magnitude(courses))
                curves = (
                    PanelCurve(label, time, factor * course)
                    for label, course in zip(labels, courses, strict=True)
                )
                panels.append(Panel(title, time_label, f"[{unit}]", tuple(curves)))
    return panels


def _families(names: Sequence[str], units: Mapping[str, str]) -> list[list[str]]:
    """Names that may stand together."""
    unit_of = {name: units.get(name, "1") for name in names}
    of_unit = Counter(unit_of.values())
    alike = Counter((unit_of[name], _quantity(name)) for name in names)
    families: dict[tuple[str, str], list[str]] = {}
    for name, unit in unit_of.items():
        if of_unit[unit] <= MOST_CURVES:
            common = ""
        else:
            common = _quantity(name) if alike[unit, _quantity(name)] > 1 else _component(name)
        families.setdefault((unit, common), []).append(name)
    return list(families.values())


def _component(name: str) -> str:
    return name.partition(".")[0]


def _quantity(name: str) -> str:
    return name.partition(".")[2] or name


def titled(names: Sequence[str]) -> tuple[str, list[str]]:
    """What all names share, and what each has beyond that."""
    if len(names) == 1:
        return names[0], list(names)
    quantities, components = map(_quantity, names), list(map(_component, names))
    if all("." in name for name in names) and len(set(quantities)) == 1:
        shared = _shared_ending(components)
        title = ".".join(part for part in (shared.strip("_"), _quantity(names[0])) if part)
        return title, [component.removesuffix(shared) for component in components]
    if all("." in name for name in names) and len(set(components)) == 1:
        return components[0], [_quantity(name) for name in names]
    return "", list(names)


def _shared_ending(words: Sequence[str]) -> str:
    """Of names that differ before an underscore: ``_strut`` of front_strut and rear_strut."""
    backwards = [word.split("_")[:0:-1] for word in words]
    return "".join(f"_{part}" for part in reversed(commonprefix(backwards)))


def _readable(members: Sequence[str], columns: Mapping[str, CurveValues]) -> list[list[str]]:
    """Members in groups, in each of which every curve that moves can be seen to."""
    pending, groups = list(members), []
    while pending:
        lows, highs = _ends(pending, columns)
        ways = highs - lows
        levels = np.maximum(np.abs(lows), np.abs(highs))
        moves = ways > np.maximum(NO_CHANGE * levels, NOISE * levels.max())
        small = moves & (ways < LEAST_PART * (highs.max() - lows.min()))
        if small[moves].all() and moves.any():  # they move little and are far apart
            most = int(ways.argmax())
            near = FAR_APART * ways[most]
            small = (highs < lows[most] - near) | (lows > highs[most] + near)
            small[most] = False
        groups.append([name for name, out in zip(pending, small, strict=True) if not out])
        pending = [name for name, out in zip(pending, small, strict=True) if out]
    return groups


def _ends(
    names: Sequence[str], columns: Mapping[str, CurveValues]
) -> tuple[CurveValues, CurveValues]:
    """The least and the greatest value of each column; 0 for those without values."""
    filled = [columns[name] if len(columns[name]) else np.zeros(1) for name in names]
    return np.array([y.min() for y in filled]), np.array([y.max() for y in filled])


def _divided(group: Sequence[str]) -> Iterator[Sequence[str]]:
    """Into parts of nearly equal size, none with too many curves."""
    count = -(-len(group) // MOST_CURVES)
    size = -(-len(group) // count)
    for k in range(0, len(group), size):
        yield group[k : k + size]


_HEIGHT: Final = 2.5  # inches of a panel, its legend not counted
HEIGHT_ALONE: Final = 3.6  # inches of a panel that is the only one
ROOM_FOR_WORDS: Final = 0.7  # inches more, of panels with marks
_LEGEND_LINE: Final = 0.155  # inches
TITLE: Final = 0.34  # inches
MOST_DIVIDED: Final = 300.0  # last over first number of an axis whose decades are divided
_FEW: Final = 12  # panels that stand two beside one another; more of them are three
# Inches around axes, for numbers, labels and the title of a panel. To measure these in each figure
# takes as long as to draw it.
_LEFT, _RIGHT, _BELOW, _HEADING = 0.86, 0.16, 0.54, 0.32
CHARACTER, SAMPLE = 0.068, 0.48  # inches of a legend: of a letter, of a line and the gaps about it


@in_style
def draw_panels(panels: Sequence[Panel], title: str = "", columns: int | None = None) -> Figure:
    """Two or three panels side by side, as many below one another as it takes.

    Example:
    >>> import numpy as np
    >>> from axletree.plot.panels import draw_panels
    >>> from axletree.plot.panels import Panel, PanelCurve
    >>> time = np.linspace(0.0, 1.0, 11)  # s
    >>> panel = Panel("Speed", "time [s]", "[m/s]", (PanelCurve("car", time, 20.0 - time),))
    >>> draw_panels([panel]).axes[0].get_ylabel()
    '[m/s]'
    """
    across = columns or (1 if len(panels) == 1 else 2 if len(panels) <= _FEW else 3)
    rows = [panels[k : k + across] for k in range(0, len(panels), across)]
    of_axes = _HEIGHT if len(panels) > 1 else HEIGHT_ALONE
    of_axes += ROOM_FOR_WORDS if any(panel.marks for panel in panels) else 0.0
    heights = [of_axes + _LEGEND_LINE * max(_legend_lines(p, across) for p in row) for row in rows]
    height = max(sum(heights) + (TITLE if title else 0.1), 1.0)
    figure = blank_figure(WIDTH, height)
    if title:
        figure.suptitle(title, y=1.0 - 0.42 * TITLE / height, verticalalignment="center")
    ends = [sum(heights[k + 1 :]) for k in range(len(rows))]
    wide = WIDTH / across
    for row, low, size in zip(rows, ends, heights, strict=True):
        above = _HEADING + _LEGEND_LINE * max(_legend_lines(p, across) for p in row)
        for k, panel in enumerate(row):
            box = (k * wide + _LEFT, low + _BELOW, wide - _LEFT - _RIGHT, size - _BELOW - above)
            parts = (box[0] / WIDTH, box[1] / height, box[2] / WIDTH, box[3] / height)
            _draw_panel(figure.add_axes(parts), panel, across)
    return figure


def _draw_panel(axes: Any, panel: Panel, across: int) -> None:
    for k, curve in enumerate(panel.curves):
        x, y = (curve.x, curve.y) if not panel.over_time else thinned(curve.x, curve.y)
        label = plotted_label(curve.label)
        if label.startswith("_"):  # which legends leave out
            label = f" {label}"
        axes.plot(x, y, label=label or None, **_draw_curve(curve, k))
    pad = 5.0 + 72.0 * _LEGEND_LINE * _legend_lines(panel, across)  # the legend stands there
    label_axes(axes, panel.title, panel.x_label, panel.y_label, pad)
    if panel.is_plan:
        axes.set_aspect("equal", adjustable="datalim")
    else:
        _keep_noise_small(axes, panel.curves)
    if panel.is_logarithmic:
        set_logarithmic(axes, "x")
    if _legend_lines(panel, across):
        axes.legend(ncols=_legend_columns(panel, across), handlelength=2.2, **LEGEND_ABOVE)
    draw_marks(axes, panel.title, panel.marks)


def _draw_curve(curve: PanelCurve, k: int) -> dict[str, Any]:
    """Curves that lie on one another show through the gaps of the later ones."""
    if curve.is_guide:
        return {"color": INK, "linewidth": 1.1, "linestyle": dash(1)}
    if curve.is_points:
        return {"color": colour(k), "linestyle": "none", "marker": marker(k), "markersize": 3.5}
    return {"color": colour(k), "linewidth": 1.9 - 0.15 * min(k, 5), "linestyle": dash(k)}


def set_logarithmic(axes: Any, name: str) -> None:
    """The axis x or y, with numbers as people write them, three in a decade if it has few."""
    from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

    axes.set(**{f"{name}scale": "log"})
    axis = getattr(axes, f"{name}axis")
    low, high = axis.get_view_interval()
    few = high < MOST_DIVIDED * low
    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if few else (1.0,)))
    axis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axis.set_minor_formatter(NullFormatter())


def _keep_noise_small(axes: Any, curves: Sequence[PanelCurve]) -> None:
    """A line that should be straight is drawn straight, not as its rounding errors."""
    filled = [curve.y for curve in curves if len(curve.y)]
    if not filled:
        return
    low, high = min(y.min() for y in filled), max(y.max() for y in filled)
    level = max(abs(low), abs(high))
    if level <= NOISE:
        axes.set_ylim(-1.0, 1.0)
    elif high - low <= NO_CHANGE * level:
        axes.set_ylim(low - 0.05 * level, high + 0.05 * level)


def _legend_columns(panel: Panel, across: int) -> int:
    """As few as the same number of lines takes: four names are two and two."""
    names = len(_labels(panel))
    longest = SAMPLE + CHARACTER * max(len(label) for label in _labels(panel))
    room = WIDTH / across - _LEFT - _RIGHT
    most = max(1, min(names, int(room // longest)))
    return -(-names // -(-names // most))


def _labels(panel: Panel) -> list[str]:
    """Of a panel with more than one curve those that have a name."""
    return [curve.label for curve in panel.curves if curve.label] if len(panel.curves) > 1 else []


def _legend_lines(panel: Panel, across: int) -> int:
    labels = _labels(panel)
    return -(-len(labels) // _legend_columns(panel, across)) if labels else 0


MOST_CURVE_POINTS = 4000  # of a curve; a picture is less than half as many pixels wide


def thinned(
    time: np.ndarray, values: np.ndarray, most: int = MOST_CURVE_POINTS
) -> tuple[np.ndarray, np.ndarray]:
    """The first and the last point, and of each stretch between the least and the greatest."""
    count = len(time)
    if count <= most:
        return time, values
    length = -(-2 * count // most)
    whole = count - count % length
    firsts = np.arange(0, whole, length)
    stretches = values[:whole].reshape(-1, length)
    kept = [firsts + stretches.argmin(axis=1), firsts + stretches.argmax(axis=1), [0, count - 1]]
    if whole < count:
        kept.append([whole + values[whole:].argmin(), whole + values[whole:].argmax()])
    indices = np.unique(np.concatenate(kept))
    return time[indices], values[indices]
