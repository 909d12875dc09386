"""Runs laid over one another in one page: curves, their differences, and what they came to.

What is overlaid is a label and columns along one axis, time or the distance along a path: runs,
measurements, models of other fidelity. Differences are those from the first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from axletree.analysis.studies.comparison import (
    EQUAL,
    ComparedRun,
    ComparisonError,
    comparison_table,
    differences,
    distance_table,
    is_equal,
    printed_share,
    shared_quantities,
    shared_range,
)
from axletree.core.arguments import check_arguments
from axletree.core.arrays import FloatArray
from axletree.core.text_table import TextTable
from axletree.core.units import printed_unit, to_si
from axletree.plot.panels import Panel, PanelCurve, greatest_magnitude, is_wide
from axletree.plot.style import plotted_unit
from axletree.reports.analysis_report import PageSection, write_analysis_page
from axletree.reports.analysis_verdicts import comparison_verdict
from axletree.simulation.trajectory import Trajectory

TIME_AXIS = "time [s]"
_PLACES = (("vehicle.x", "vehicle.y"), ("chassis.x", "chassis.y"))  # of paths in the plane
_MOST_QUANTITIES = 40


@dataclass(frozen=True, eq=False)
class Overlaid:
    """Columns along an axis that rises, in SI units, under one label.

    Example:
    >>> import numpy as np
    >>> from axletree.reports.comparison_report import Overlaid
    >>> time = np.linspace(0.0, 1.0, 11)  # s
    >>> Overlaid("measured", time, {"vehicle.vx": 20.0 - time}, {"vehicle.vx": "m/s"}).label
    'measured'
    """

    label: str
    axis: FloatArray  # [s] or [m]
    columns: Mapping[str, FloatArray]
    units: Mapping[str, str]
    is_points: bool = False  # whether samples are shown as they are, not joined by a line


def overlaid_run(one: ComparedRun) -> Overlaid:
    """A run along its time."""
    return Overlaid(one.label, one.run.time, one.run.columns, one.run.units)


def overlay_sections(
    overlaid: Sequence[Overlaid],
    names: Sequence[str],
    *,
    axis: str = TIME_AXIS,
    tolerance: float = EQUAL,
) -> list[PageSection]:
    """Curves beside their differences, a table of these, and apart from them what is equal.

    Quantities are equal that differ by less than the share ``tolerance`` of their range.

    Example:
    >>> import numpy as np
    >>> from axletree.reports.comparison_report import Overlaid, overlay_sections
    >>> time, units = np.linspace(0.0, 1.0, 11), {"x": "m", "y": "m"}  # s
    >>> runs = [Overlaid(f"{v} m/s", time, {"x": v * time, "y": time}, units) for v in (10, 11)]
    >>> [section.title for section in overlay_sections(runs, ["x", "y"])]
    ['Curves and differences', 'Equal quantities']
    """
    first, *others = overlaid
    shown, same, rows = [], [], []
    for name in names[:_MOST_QUANTITIES]:
        panel, factor, unit = _overlay(overlaid, name, axis)
        apart = [
            differences(first.axis, first.columns[name], one.axis, one.columns[name])
            for one in others
        ]
        reach = shared_range([one.columns[name] for one in overlaid])
        if all(is_equal(_greatest(gap), reach, tolerance) for _, gap in apart):
            same.append(panel)
            continue
        curves = [
            PanelCurve(one.label, at, factor * gap)
            for one, (at, gap) in zip(others, apart, strict=True)
        ]
        title = f"{name}: difference from {first.label}"
        shown += [panel, Panel(title, axis, panel.y_label, tuple(curves))]
        for one, (at, gap) in zip(others, apart, strict=True):
            rows.append(
                (name, one.label, *_difference_row(at, gap, factor, reach, tolerance), unit)
            )
    path = next((place for place in _PLACES if set(place) <= set(names)), None)
    plan = [] if path is None else [PageSection("Path", [_plan(overlaid, *path)])]
    percent = f"{100.0 * tolerance:g} %"
    heads = ("quantity:", "run:", "largest difference", "of the range", "at", "RMS", "unit:")
    table = TextTable(f"Differences from {first.label}", heads, tuple(rows))
    found = [
        PageSection("Curves and differences", shown, [table] if rows else [],
                    _left_out(names, tolerance=percent, any_differs=bool(rows))),
        PageSection("Equal quantities", same, notes=[f"Equal within {percent} of their range."],
                    is_folded=True),
    ]  # fmt: skip
    return [*plan, *(found if same else found[:1])]


def _left_out(names: Sequence[str], *, tolerance: str, any_differs: bool) -> list[str]:
    left = len(names) - _MOST_QUANTITIES
    notes = [] if any_differs else [f"All quantities are equal within {tolerance} of their range."]
    return [*notes, f"{left} more quantities are not shown."] if left > 0 else notes


def write_comparison(
    path: Path,
    runs: Sequence[ComparedRun],
    names: Sequence[str],
    *,
    title: str = "",
    tolerance: float = EQUAL,
) -> Path:
    """The page of runs over time: what each came to, side by side, then the curves.

    Example:
    >>> from pathlib import Path
    >>> import axletree as at
    >>> from axletree.analysis.studies.comparison import ComparedRun
    >>> from axletree.reports.comparison_report import write_comparison
    >>> pendulum = at.read_model("pendulum").formulate()
    >>> runs = [ComparedRun(f"{h} s", pendulum.simulate(1.0, step=h)) for h in (0.1, 0.01)]
    >>> write_comparison(Path("comparison.html"), runs, ["pin.rate"]).name
    'comparison.html'
    """
    found = comparison_table(runs, tolerance)
    sections = [PageSection("Findings", tables=[found])] if found is not None else []
    sections += overlay_sections([overlaid_run(one) for one in runs], names, tolerance=tolerance)
    named = title or " and ".join(one.label for one in runs)
    verdict = comparison_verdict(runs, names, tolerance)
    return write_analysis_page(path, f"Comparison: {named}", sections, verdict=verdict)


@dataclass(frozen=True, eq=False)
class RunComparison:
    """Runs side by side: tables of findings and of distances between curves, and a page.

    Example:
    >>> import axletree as at
    >>> pendulum = at.read_model("pendulum").formulate()
    >>> runs = {f"{h} s": pendulum.simulate(1.0, step=h, watch=False) for h in (0.1, 0.01)}
    >>> found = at.compare(runs, ["pin.angle"])
    >>> found.findings is None, found.distances.title
    (True, 'Greatest distances')
    """

    runs: tuple[ComparedRun, ...]
    names: tuple[str, ...]  # of the quantities that are compared
    tolerance: float  # share of a range below which runs are called equal

    @property
    def findings(self) -> TextTable | None:
        """What the runs came to, side by side; None if no run says."""
        return comparison_table(self.runs, self.tolerance)

    @property
    def distances(self) -> TextTable | None:
        """How far the curves lie apart, by quantity."""
        return distance_table(self.runs, list(self.names), self.tolerance)

    def __repr__(self) -> str:
        tables = (self.findings, self.distances)
        return "\n\n".join(table.text() for table in tables if table is not None)

    def _repr_html_(self) -> str:
        tables = (self.findings, self.distances)
        return "".join(table.html() for table in tables if table is not None)

    def report(self, path: str | Path) -> Path:
        """The page that ``axletree compare`` leaves.

        Example:
        >>> import axletree as at
        >>> pendulum = at.read_model("pendulum").formulate()
        >>> runs = {f"{h} s": pendulum.simulate(1.0, step=h, watch=False) for h in (0.1, 0.01)}
        >>> at.compare(runs).report("comparison.html").name
        'comparison.html'
        """
        return write_comparison(Path(path), self.runs, self.names, tolerance=self.tolerance)


def compare(
    runs: Mapping[str, Trajectory],
    quantities: Sequence[str] = (),
    *,
    tolerance: float | str = EQUAL,
) -> RunComparison:
    """Compare runs, given by their labels, as ``axletree compare`` does.

    ``quantities`` are names or patterns such as "*_tyre.Fy"; left out, what tells the motion of a
    vehicle, or all that the runs share. ``tolerance`` is the share of a range below which runs
    are called equal, as 0.001 or "0.1 %".

    Example:
    >>> import axletree as at
    >>> pendulum = at.read_model("pendulum").formulate()
    >>> runs = {f"{h} s": pendulum.simulate(1.0, step=h, watch=False) for h in (0.1, 0.01)}
    >>> comparison = at.compare(runs, ["pin.angle"], tolerance="1 %")
    >>> comparison.names, comparison.report("comparison.html").name
    (('pin.angle',), 'comparison.html')
    """
    check_arguments(compare, locals())
    if len(runs) < 2:
        raise ComparisonError(
            "one run alone cannot be compared; give two or more by their labels: "
            'compare({"before": run, "after": other})'
        )
    if others := [f"{label!r} is {run!r}" for label, run in runs.items()
                  if not isinstance(run, Trajectory)]:  # fmt: skip
        raise ComparisonError(f"runs are compared, and {', '.join(others)}; give trajectories")
    compared = tuple(ComparedRun(label, run, run.findings) for label, run in runs.items())
    names = tuple(shared_quantities(compared, quantities))
    return RunComparison(compared, names, to_si(tolerance, expected="1"))


def _overlay(overlaid: Sequence[Overlaid], name: str, axis: str) -> tuple[Panel, float, str]:
    """The panel, with the factor from SI and the unit that it shows."""
    courses = [one.columns[name] for one in overlaid]
    unit, factor = plotted_unit(overlaid[0].units.get(name, "1"), greatest_magnitude(courses))
    curves = tuple(
        PanelCurve(one.label, one.axis, factor * course, is_points=one.is_points)
        for one, course in zip(overlaid, courses, strict=True)
    )
    return Panel(name, axis, f"[{unit}]", curves), factor, "" if unit == "1" else printed_unit(unit)


def _plan(overlaid: Sequence[Overlaid], x: str, y: str) -> Panel:
    curves = tuple(
        PanelCurve(one.label, one.columns[x], one.columns[y], is_points=one.is_points)
        for one in overlaid
    )
    return Panel("Path", "x [m]", "y [m]", curves, over_time=False, is_plan=is_wide(curves))


def _difference_row(
    at: FloatArray, gap: FloatArray, factor: float, reach: float, tolerance: float
) -> tuple[str, ...]:
    if not len(gap):
        return ("not at the same time", "", "", "")
    most = int(np.argmax(np.abs(gap)))
    if is_equal(_greatest(gap), reach, tolerance):
        return ("equal", "", "", "")
    mean = float(np.sqrt(np.mean(gap**2)))
    return (f"{factor * gap[most]:.3g}", printed_share(abs(gap[most]) / reach),
            f"{at[most]:.4g}", f"{factor * mean:.3g}")  # fmt: skip


def _greatest(gap: FloatArray) -> float:
    """Not known where nothing is shared."""
    return float(np.abs(gap).max()) if len(gap) else np.inf
