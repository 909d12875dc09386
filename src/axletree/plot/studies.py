"""Figures of studies: sweeps, sensitivities, the ladder of fidelities, runs over one another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from axletree.analysis.studies.comparison import ComparedRun
from axletree.analysis.studies.fidelity_ladder import Ladder, Rung
from axletree.analysis.studies.sensitivity import Sensitivity
from axletree.analysis.studies.sweep import Sweep, SweepRow
from axletree.analysis.studies.sweep_plan import SweepError, Variation
from axletree.core.registry import unknown_name
from axletree.core.units import printed_unit
from axletree.metrics.findings import Column, Finding, new_name
from axletree.metrics.vehicle_signals import (
    FORWARD_SPEED,
    ROLL,
    SIDESLIP,
    STEERING,
    YAW_RATE,
    X,
    Y,
    lateral_acceleration,
)
from axletree.plot.panels import (
    NO_CHANGE,
    NOISE,
    Panel,
    PanelCurve,
    draw_panels,
    greatest_magnitude,
    is_wide,
    without_zeros,
)
from axletree.plot.style import (
    GREY,
    PAPER,
    colour,
    hatch,
    in_style,
    label_axes,
    legend_below,
    marker,
    new_figure,
    panels_across,
    plotted_unit,
    shades,
    with_unit,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Findings of a sweep over a parameter, one panel each; other parameters tell curves apart.

SweptColumn = NDArray[np.float64]

MOST_SWEEP_PANELS = 24
_MOST_CURVES = 12  # that a legend tells apart
_ACROSS = 3


@in_style
def plot_sweep(
    found: Sweep, along: str | None = None, findings: Sequence[str] | None = None
) -> Figure:
    """Findings over ``along``, by default the first parameter with numbers.

    ``findings`` are names of them; by default all that change. Points that failed leave a gap.
    Where a parameter has words, they stand below the axis. Of too many curves some are drawn.

    Example:
    >>> import axletree as at
    >>> from axletree.plot.studies import plot_sweep
    >>> found = at.sweep("pendulum", {"rod.mass": "1,2 kg"}, duration=0.1, workers=1)
    >>> plot_sweep(found).axes[0].get_xlabel()
    'rod.mass [kg]'
    """
    first = _chosen(found, along)
    shown = _telling(found) if findings is None else _named(found, findings)
    every = _curves(found, first)
    curves = _spread(every)
    title = f"{found.model}: {found.manoeuvre or 'run'}"
    figure, axes = panels_across(len(shown), _ACROSS, title)
    colours = shades(np.arange(max(len(curves), 2))).to_rgba(np.arange(len(curves)))
    along_axis = with_unit(first.name, first.shown_unit)
    for panel, finding in zip(axes, shown, strict=True):
        for k, (label, members) in enumerate(curves.items()):
            x = [_shown(first, row) for row in members]
            y = [row.finding(finding.name) for row in members]
            style = {"marker": marker(k), "color": colours[k], "label": label}
            panel.plot(x, y, markersize=4, linewidth=1.3, **style)
        heading = finding.description[:1].upper() + finding.description[1:]
        label_axes(panel, heading, along_axis, f"[{finding.unit}]")
    if len(curves) > 1:
        note = f"{len(curves)} of {len(every)} curves" if len(curves) < len(every) else None
        legend_below(figure, axes[0], columns=4, title=note)
    return figure


def sweep_panels(found: Sweep) -> list[Panel]:
    """As ``plot_sweep`` draws them; words along the axis are numbered in their order.

    Example:
    >>> import axletree as at
    >>> from axletree.plot.studies import sweep_panels
    >>> found = at.sweep("pendulum", {"rod.mass": "1,2 kg"}, duration=0.1, workers=1)
    >>> sweep_panels(found)[0].x_label
    'rod.mass [kg]'
    """
    first = _chosen(found, None)
    shown, curves = _telling(found), _spread(_curves(found, first))
    along = with_unit(first.name, first.shown_unit)
    words = list(dict.fromkeys(_shown(first, row) for rows in curves.values() for row in rows))
    if any(isinstance(word, str) for word in words):
        listed = (f"{k}: {word}" for k, word in enumerate(words, start=1))
        along = f"{first.name} ({', '.join(listed)})"
    panels = []
    for one in shown:
        lines = []
        for label, rows in curves.items():
            x = [_shown(first, row) for row in rows]
            places = [words.index(v) + 1 if isinstance(v, str) else v for v in x]
            values = np.array([row.finding(one.name) for row in rows], dtype=float)
            lines.append(PanelCurve(label, np.array(places, dtype=float), values))
        heading = one.description[:1].upper() + one.description[1:]
        panels.append(Panel(heading, along, f"[{one.unit}]", tuple(lines), over_time=False))
    return panels


def _shown(first: Variation, row: SweepRow) -> float | str:
    """Along the axis: in the unit that was given, or as a word."""
    value = row.point.values[first.name]
    return value if isinstance(value, str) else first.shown(value)


def _chosen(found: Sweep, along: str | None) -> Variation:
    if along is not None:
        matching = [one for one in found.variations if one.name == along]
        if not matching:
            names = ", ".join(one.name for one in found.variations)
            raise SweepError(f"the sweep does not vary {along!r}; it varies {names}")
        return matching[0]
    numbers = [one for one in found.variations if one.is_number and len(one.values) > 1]
    return (numbers or list(found.variations))[0]


def _telling(found: Sweep) -> list[Finding]:
    """Findings that some point has; if some change, those that do."""
    telling = [one for one in found.findings if np.isfinite(found[one.name]).any()]
    if not telling:
        raise SweepError("no point of the sweep found anything that can be plotted")
    changing = [one for one in telling if _changes(found[one.name])]
    return (changing or telling)[:MOST_SWEEP_PANELS]


def _named(found: Sweep, names: Sequence[str]) -> list[Finding]:
    known = {one.name: one for one in found.findings}
    for name in names:
        if name not in known:
            raise unknown_name("finding", name, known, "the sweep", new_name(name))
    return [known[name] for name in names]


def _changes(column: SweptColumn) -> bool:
    values = column[np.isfinite(column)]
    return bool(np.ptp(values) > NO_CHANGE * np.abs(values).max() and np.ptp(values) > NOISE)


def _spread(curves: dict[str, list[SweepRow]]) -> dict[str, list[SweepRow]]:
    """As many of them as can be distinguished: the first, the last, and some between."""
    names, count = list(curves), min(len(curves), _MOST_CURVES)
    places = np.linspace(0.0, len(names) - 1.0, count).round().astype(int)
    return {names[k]: curves[names[k]] for k in places}


def _curves(found: Sweep, first: Variation) -> dict[str, list[SweepRow]]:
    """The points with the same values of all other parameters, sorted along the first."""
    curves: dict[str, list[SweepRow]] = {}
    for row in found.rows:
        others = (one for one in found.variations if one is not first)
        words = (one.in_words(one.values.index(row.point.values[one.name])) for one in others)
        curves.setdefault(", ".join(words), []).append(row)
    if first.is_number:
        for members in curves.values():
            members.sort(key=lambda row: float(row.point.values[first.name]))
    return curves


# The picture of sensitivities: percent of each finding by percent of each value.

_ROW = 0.2  # inches of a finding, and of each bar a third of it
_NEGLIGIBLE = 1e-6  # of 1, below which no finding is shown


@in_style
def plot_sensitivity(found: Sensitivity) -> Figure:
    """A group of bars for each finding that changes, a colour for each value.

    Example:
    >>> from axletree.analysis.studies import sensitivity as result
    >>> from axletree.metrics.findings import Finding
    >>> from axletree.plot.studies import plot_sensitivity
    >>> gain = Finding("gain", 0.4, "1/s", "yaw rate by steering angle")
    >>> slopes = (result.FindingSlope(gain, -1e-4, False),)
    >>> mass = result.SensitivityColumn("body.mass", 1500.0, "kg", slopes)
    >>> figure = plot_sensitivity(result.Sensitivity("car", "turn", (gain,), (mass,)))
    >>> print(f"{figure.axes[0].patches[0].get_width():.3f} % by %")
    -0.375 % by %
    """
    relative = found.relative
    table = np.array([[relative[name][f.name] for f in found.findings] for name in relative])
    matters = np.nan_to_num(np.abs(table), nan=0.0, posinf=0.0).max(axis=0) > _NEGLIGIBLE
    listed = zip(found.findings, matters, strict=True)
    names = [printed_unit(f.description) for f, shown in listed if shown]
    size = 9.0, 1.8 + _ROW * max(len(names), 1) * (1.0 + len(relative) / 3.0)
    figure, (panel,) = new_figure(1, 1, f"{found.model}: {found.what}", size)
    places = np.arange(len(names))
    height = 0.8 / len(relative)
    for k, (name, row) in enumerate(zip(relative, table[:, matters], strict=True)):
        shift = (k - 0.5 * (len(relative) - 1)) * height
        style = {"color": colour(k), "hatch": hatch(k), "edgecolor": PAPER, "linewidth": 0.0}
        panel.barh(places + shift, row, height=0.9 * height, label=name, **style)
    panel.axvline(0.0, color=GREY, linewidth=0.9)
    panel.set_yticks(places, names)
    panel.set_ylim(len(names) - 0.4, -0.6)
    legend_below(figure, panel, columns=2)
    label_axes(panel, "Relative sensitivity", "change of finding per change of parameter [%/%]", "")
    return figure


_LEAST = 1e-6  # of a unit that is shown; less than that is rounding
CHANGES = 0.2  # of the first speed; less than that is what a turn takes


def plot_ladder(ladder: Ladder, title: str = "") -> Figure:
    """Steering, yaw rate, lateral acceleration, sideslip, roll and path, a curve for each model.

    Models in the plane have no curve of roll. Speed is shown where it changes, and nothing that is
    0 throughout.

    Example:
    >>> import axletree as at
    >>> from axletree.plot.studies import plot_ladder
    >>> from axletree.vehicles.vehicle import Fidelity
    >>> found = at.drive_ladder("sedan", "step-steer", "20 m/s", [Fidelity.LINEAR])
    >>> [axes.get_ylabel() for axes in plot_ladder(found).axes]
    ['[deg]', '[deg/s]', '[m/s²]', '[deg]', 'y [m]']
    """
    speed = f"{3.6 * ladder.speed:.4g} km/h"
    shown = ladder_panels(ladder)
    return draw_panels(shown, title or f"{ladder.model}: {ladder.manoeuvre} at {speed}")


def ladder_panels(ladder: Ladder) -> list[Panel]:
    """Those of the figure, and of the page."""
    panels = [
        _ladder_panel(ladder, "Forward speed", "km/h", _changing_speed),
        _ladder_panel(ladder, "Steering wheel", "deg", lambda rung: np.degrees(rung.run[STEERING])),
        _ladder_panel(ladder, "Yaw rate", "deg/s", lambda rung: np.degrees(rung.run[YAW_RATE])),
        _ladder_panel(ladder, "Lateral acceleration", "m/s^2",
                   lambda rung: lateral_acceleration(rung.run)),
        _ladder_panel(ladder, "Sideslip angle", "deg", lambda rung: np.degrees(rung.run[SIDESLIP])),
        _ladder_panel(ladder, "Roll angle", "deg", _roll),
        _ladder_path(ladder),
    ]  # fmt: skip
    return [panel for panel in panels if panel.greatest > _LEAST]


def _changing_speed(rung: Rung) -> Column | None:
    speed = rung.run[FORWARD_SPEED]
    return 3.6 * speed if np.ptp(speed) > CHANGES * speed[0] else None


def _roll(rung: Rung) -> Column | None:
    return None if rung.fidelity.is_planar else np.degrees(rung.run[ROLL])


def _ladder_panel(
    ladder: Ladder, title: str, unit: str, column: Callable[[Rung], Column | None]
) -> Panel:
    columns = [(rung, column(rung)) for rung in ladder.rungs]
    curves = [PanelCurve(r.fidelity.value, r.run.time, y) for r, y in columns if y is not None]
    return Panel(title, "time [s]", f"[{unit}]", tuple(curves))


def _ladder_path(ladder: Ladder) -> Panel:
    curves = [PanelCurve(rung.fidelity.value, rung.run[X], rung.run[Y]) for rung in ladder.rungs]
    return Panel("Path", "x [m]", "y [m]", tuple(curves), over_time=False)


# Runs over one another: a panel for each quantity, a curve for each run.

MOST_COMPARED_PANELS: Final = 18
_PLACES: Final = (("vehicle.x", "vehicle.y"), ("chassis.x", "chassis.y"))  # of paths in the plane


def plot_comparison(runs: Sequence[ComparedRun], names: Sequence[str], title: str = "") -> Figure:
    """The quantities over time, and the path if they have one; what is 0 throughout is left out.

    Example:
    >>> import axletree as at
    >>> from axletree.analysis.studies.comparison import ComparedRun
    >>> from axletree.plot.studies import plot_comparison
    >>> run = at.read_model("pendulum").formulate().simulate(1.0, step=0.1)
    >>> plot_comparison([ComparedRun("swing", run)], ["pin.rate"]).axes[0].get_ylabel()
    '[deg/s]'
    """
    path = next((place for place in _PLACES if set(place) <= set(names)), ())
    panels = without_zeros([_compared_panel(runs, name) for name in names if name not in path])
    if path:
        panels.insert(0, _compared_path(runs, *path))
    return draw_panels(panels[:MOST_COMPARED_PANELS], title)


def _compared_panel(runs: Sequence[ComparedRun], name: str) -> Panel:
    courses = [one.run[name] for one in runs]
    unit, factor = plotted_unit(runs[0].run.units[name], greatest_magnitude(courses))
    curves = tuple(
        PanelCurve(one.label, one.run.time, factor * course)
        for one, course in zip(runs, courses, strict=True)
    )
    return Panel(name, "time [s]", f"[{unit}]", curves)


def _compared_path(runs: Sequence[ComparedRun], x: str, y: str) -> Panel:
    curves = tuple(PanelCurve(one.label, one.run[x], one.run[y]) for one in runs)
    is_plan = is_wide(curves)  # else it is a line in one scale
    return Panel("Path", f"{x} [m]", f"{y} [m]", curves, over_time=False, is_plan=is_plan)
