"""Runs side by side: what each came to, and how far their quantities lie apart."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.core.errors import AxletreeError
from axletree.core.files import read_json
from axletree.core.registry import unknown_name
from axletree.core.text_table import TextTable
from axletree.metrics.findings import YES_NO, Finding, read_finding, unit_in_words, value_in_words
from axletree.simulation.trajectory import Trajectory

RESULTS = ("run.npz", "run.csv", "run.mat")
_METRICS = "metrics.json"
# What every vehicle has, at every fidelity.
VEHICLE = ("vehicle.*", "driver.steering", "driver.throttle", "driver.brake")


class ComparisonError(AxletreeError):
    """Runs that cannot be compared."""


@dataclass(frozen=True, eq=False)
class ComparedRun:
    """A run with a label and what it came to.

    Example:
    >>> import numpy as np
    >>> from axletree.analysis.studies.comparison import ComparedRun
    >>> from axletree.simulation.trajectory import Trajectory
    >>> run = Trajectory("car", np.array([0.0, 1.0]), {"speed": np.array([20.0, 18.0])}, {}, ())
    >>> braked = ComparedRun("braked", run)
    >>> print(braked.label, braked.run["speed"][-1])
    braked 18.0
    """

    label: str
    run: Trajectory
    findings: tuple[Finding, ...] = ()


def read_result(folder: Path, label: str) -> ComparedRun:
    """What ``axletree run`` left in a folder."""
    found = [folder / name for name in RESULTS if (folder / name).is_file()]
    if not found:
        raise ComparisonError(
            f"{folder} has no results of a run; expected one of {', '.join(RESULTS)} in it, as "
            "`axletree run` writes them"
        )
    metrics = folder / _METRICS
    return ComparedRun(label, Trajectory.read(found[0]), _findings(metrics))


def _findings(path: Path) -> tuple[Finding, ...]:
    if not path.is_file():
        return ()
    try:
        rows = read_json(path)["metrics"].items()
        return tuple(finding_from_json({**row, "name": name}) for name, row in rows)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ComparisonError(f"{path} has no metrics that can be read: {error}") from None


def finding_from_json(content: Mapping[str, Any]) -> Finding:
    """What ``finding_as_json`` wrote."""
    value = math.nan if content["value"] is None else float(content["value"])
    texts = [content[key] for key in ("name", "unit", "description")]
    if not all(isinstance(text, str) for text in texts):
        raise TypeError(f"expected texts as name, unit and description, got {texts}")
    name, unit, description = texts
    return read_finding(name, value, unit, description)


def finding_as_json(finding: Finding) -> dict[str, Any]:
    return {**asdict(finding), "value": number_as_json(finding.value)}


def number_as_json(value: float) -> float | str | None:
    """None for nan, a text for what is infinite: JSON has neither."""
    if math.isnan(value):
        return None
    return value if math.isfinite(value) else str(value)


def finding_value(findings: Iterable[Finding], name: str) -> float:
    """Of the finding of a name; nan without one."""
    return next((found.value for found in findings if found.name == name), math.nan)


def shared_quantities(runs: Sequence[ComparedRun], chosen: Sequence[str] = ()) -> list[str]:
    """Columns that all runs have: those that match, or what tells the motion of vehicles."""
    first, *others = [one.run for one in runs]
    shared = [name for name in first.names if all(name in other for other in others)]
    if not shared:
        raise ComparisonError("the runs have no quantity in common; nothing can be compared")
    for name in shared:
        units = {one.run.units[name] for one in runs}
        if len(units) > 1:
            raise ComparisonError(f"{name} is in {' here and in '.join(sorted(units))} there")
    for pattern in chosen:
        if not any(fnmatchcase(name, pattern) for name in shared):
            raise unknown_name("quantity", pattern, shared, "what all runs have")
    own = [name for name in shared if any(fnmatchcase(name, p) for p in chosen or VEHICLE)]
    return own or shared


EQUAL = 1e-3  # share of the range, or of a finding: what differs by less is called equal
_STILL = 1e-9  # of a value: what moves by less stands still
_NOTHING = 1e-9  # in SI units: what solvers leave of zero


def is_equal(apart: float, reach: float, tolerance: float = EQUAL) -> bool:
    """Whether a distance is nothing beside a range, or nothing at all.

    Example:
    >>> from axletree.analysis.studies.comparison import is_equal
    >>> [is_equal(apart, reach) for apart, reach in ((0.5, 1000.0), (2.0, 1000.0), (1e-12, 1e-12))]
    [True, False, True]
    """
    return apart <= max(tolerance * reach, _NOTHING)


def comparison_table(runs: Sequence[ComparedRun], tolerance: float = EQUAL) -> TextTable | None:
    """What the runs came to, side by side; None if no run says.

    Findings that differ by less than the share ``tolerance`` are called equal.
    """
    known: dict[str, Finding] = {}
    for one in runs:
        for found in one.findings:
            known.setdefault(found.name, found)
    if not known:
        return None
    heads = ("finding:", *(one.label for one in runs), "unit:")
    rows = []
    for name, found in known.items():
        values = [finding_value(one.findings, name) for one in runs]
        texts = [value_in_words(value, found.unit, 5) for value in values]
        changes = [""] * (len(runs) - 1) if found.unit == YES_NO else _changes(values, tolerance)
        rows.append((found.description, *texts, unit_in_words(found.unit), *changes))
    heads += tuple(f"{one.label}, change" for one in runs[1:])
    return TextTable("Findings", heads, tuple(rows))


def _changes(values: Sequence[float], tolerance: float) -> list[str]:
    """Of the others from the first, as parts of it."""
    first = values[0]
    return [_change(first, value, tolerance) for value in values[1:]]


def _change(first: float, value: float, tolerance: float) -> str:
    if math.isnan(first) or math.isnan(value):
        return ""
    if is_equal(abs(value - first), max(abs(value), abs(first)), tolerance):
        return "equal"
    return f"{100.0 * (value - first) / abs(first):+.2f} %" if first else ""


def distance_table(
    runs: Sequence[ComparedRun], names: Sequence[str], tolerance: float = EQUAL
) -> TextTable:
    """How far quantities lie apart at the most, while both runs last.

    Between records quantities go along straight lines. Parts are those of the range of all runs, or
    of the value of what stands still; what is less than ``tolerance`` of it is called equal.

    Example:
    >>> import numpy as np
    >>> from axletree.analysis.studies.comparison import ComparedRun, distance_table
    >>> from axletree.simulation.trajectory import Trajectory
    >>> time, units = np.linspace(0.0, 1.0, 11), {"x": "m"}  # s
    >>> runs = [Trajectory("car", time, {"x": v * time}, units, ()) for v in (10.0, 11.0)]
    >>> pair = [ComparedRun(name, run) for name, run in zip(("slow", "fast"), runs)]
    >>> print(distance_table(pair, ["x"]).text())
    Greatest distances
    quantity  fast from slow  unit
    x              1 (9.1 %)  m
    """
    first, *others = runs
    heads = ("quantity:", *(f"{one.label} from {first.label}" for one in others), "unit:")
    rows = []
    for name in names:
        apart = [distance(first.run, one.run, name) for one in others]
        reach = shared_range([one.run[name] for one in runs])
        texts = [_distance_in_words(d, reach, tolerance) for d in apart]
        unit = first.run.units[name]
        rows.append((name, *texts, "" if unit == "1" else unit))
    return TextTable("Greatest distances", heads, tuple(rows))


def shared_range(courses: Sequence[FloatArray]) -> float:
    """From the least to the greatest value of all; of what stands still in each, its value.

    Example:
    >>> import numpy as np
    >>> from axletree.analysis.studies.comparison import shared_range
    >>> shared_range([np.array([0.0, 2.0]), np.array([-1.0, 1.0]), np.empty(0)])  # m
    3.0
    >>> shared_range([np.array([5.0, 5.0]), np.array([5.1, 5.1])])  # m
    5.1
    """
    known = [course for course in courses if len(course)]
    if not known:
        return 0.0
    size = float(max(np.abs(course).max() for course in known))
    if max(map(np.ptp, known)) <= _STILL * size:
        return size
    return float(max(map(np.max, known)) - min(map(np.min, known)))


def _distance_in_words(apart: float, reach: float, tolerance: float) -> str:
    if is_equal(apart, reach, tolerance):
        return "equal"
    return f"{apart:.3g} ({printed_share(apart / reach)})" if reach > _NOTHING else f"{apart:.3g}"


def printed_share(share: float) -> str:
    """A part of a range, in percent to one decimal.

    Example:
    >>> from axletree.analysis.studies.comparison import printed_share
    >>> printed_share(0.0654321)
    '6.5 %'
    """
    return f"{100.0 * share:.1f} %"


def distance(one: Trajectory, other: Trajectory, name: str) -> float:
    """The greatest distance of a quantity at the records of either run while both last."""
    _, gaps = differences(one.time, one[name], other.time, other[name])
    return float(np.abs(gaps).max()) if len(gaps) else math.nan


def differences(
    axis: FloatArray, values: FloatArray, other_axis: FloatArray, other_values: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """How far the second lies above the first, at all places of either axis that both reach.

    Between places both go along straight lines; axes rise.

    Example:
    >>> import numpy as np
    >>> from axletree.analysis.studies.comparison import differences
    >>> time, late = np.array([0.0, 1.0, 2.0]), np.array([0.5, 2.5])  # s
    >>> at, gaps = differences(time, 2.0 * time, late, 2.0 * late + 1.0)
    >>> at.tolist(), gaps.tolist()
    ([0.5, 1.0, 2.0], [1.0, 1.0, 1.0])
    """
    if not len(axis) or not len(other_axis):
        return np.empty(0), np.empty(0)
    low, high = max(axis[0], other_axis[0]), min(axis[-1], other_axis[-1])
    places = np.union1d(axis, other_axis)
    places = places[(places >= low) & (places <= high)]
    gaps = np.interp(places, other_axis, other_values) - np.interp(places, axis, values)
    return places, gaps
