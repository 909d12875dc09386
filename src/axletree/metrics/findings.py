"""Findings: the results of a manoeuvre, and the diagrams that they are read from.

A finding is a number with a name and a unit, found in the records of a run. A diagram has the
curves that findings are read from and marks where on them each of them is; it is data, and is
drawn by ``plot``.
"""

from __future__ import annotations

import enum
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from axletree.core.text_table import TextTable
from axletree.core.units import UnitError, parse_unit, printed_unit

STILL = 1e-3  # [m/s], slower than which a vehicle does not advance
_ROUND_OFF = 1e-9  # in any unit of findings, below which a number is printed as 0
_LEAST_SHARE = 1e-3  # likewise in %: what solvers leave of what has died away
_MOST_SHOWN = 8  # findings in a few lines
_WRITTEN_IN_FULL = 1e7  # what is less has no exponent
YES_NO = "yes/no"  # the unit of findings that are 1 or 0
Column = NDArray[np.float64]

# Names that findings had in files of runs and sweeps before, and those that they have.
FORMER_NAMES = {
    "cones": "cones_hit",
    "greatest_acceleration": "maximum_acceleration",
    "greatest_articulation_rate": "peak_articulation_rate",
    "greatest_lateral_acceleration": "maximum_lateral_acceleration",
    "greatest_pull": "maximum_drawbar_pull",
    "greatest_turn": "maximum_heading_change",
    "greatest_yaw_moment": "maximum_yaw_moment",
    "greatest_yaw_rate": "peak_yaw_rate",
    "immobile": "immobilisation_time",
    "least_speed": "minimum_speed",
    "least_wheel_load": "minimum_wheel_load",
    "offset": "maximum_path_deviation",
    "path_deviation": "lateral_displacement",
    "pull_of_wheels": "wheel_pull",
    "slip_at_greatest_pull": "slip_at_maximum_pull",
    "slope": "maximum_slope",
    "speed_at_end": "final_speed",
    "start": "start_time",
    "stop": "stop_time",
    "swing_frequency": "articulation_frequency",
    "turn": "heading_change",
    "way": "distance",
    "way_to_speed": "distance_to_speed",
}
# Beginnings of their descriptions, by which names that a metric of one's own may have are known.
FORMER_DESCRIPTIONS = {
    "cones": ("cones hit or not passed",),
    "offset": ("farthest from the path",),
    "slope": ("steepest slope on which it advanced",),
    "start": ("time at which it advances",),
    "stop": ("time from which on it stands",),
    "turn": ("change of the heading within",),
    "way": ("way at the end", "farthest way"),
}
# Ends of names: loads by tyre, and what sweeps find of any column.
FORMER_ENDS = {
    "_least_load": "_minimum_load",
    ".least": ".minimum",
    ".greatest": ".maximum",
    ".last": ".final",
}


def new_name(name: str) -> str:
    """The name of a finding today, by the one that it may have had before.

    Example:
    >>> from axletree.metrics.findings import new_name
    >>> [new_name(name) for name in ("greatest_turn", "stopping_time")]
    ['maximum_heading_change', 'stopping_time']
    """
    for former, end in FORMER_ENDS.items():
        if name.endswith(former):
            return name.removesuffix(former) + end
    return FORMER_NAMES.get(name, name)


@dataclass(frozen=True)
class Finding:
    """One number, in the unit given; nan where the run does not show it."""

    name: str
    value: float
    unit: str
    description: str

    @property
    def in_words(self) -> str:
        return finding_in_words(self, 6)


def read_finding(name: str, value: float, unit: str, description: str) -> Finding:
    """As a file has it, which may be one of before.

    Example:
    >>> from axletree.metrics.findings import read_finding
    >>> read_finding("stop", 3.0, "s", "time from which on it stands").name
    'stop_time'
    """
    known = FORMER_DESCRIPTIONS.get(name)
    is_former = known is None or description.startswith(known)
    return Finding(new_name(name) if is_former else name, value, unit, description)


def yes_no(name: str, holds: bool, description: str) -> Finding:
    """A finding that something holds, or does not."""
    return Finding(name, float(holds), YES_NO, description)


def finding_in_words(found: Finding, digits: int) -> str:
    """Its value with so many digits, and its unit; none where the run does not show it."""
    if math.isnan(found.value):
        return "none"
    return f"{value_in_words(found.value, found.unit, digits)} {unit_in_words(found.unit)}".rstrip()


def value_in_words(value: float, unit: str, digits: int = 6) -> str:
    """As tables have it beside its unit; in full up to seven digits before the point.

    Example:
    >>> from axletree.metrics.findings import value_in_words
    >>> value_in_words(20563.6, "N*m", 4), value_in_words(3.2e9, "Pa", 4)
    ('20560', '3.2e+09')
    """
    if math.isnan(value):
        return "none"
    if unit == YES_NO:
        return "yes" if value else "no"
    least = _LEAST_SHARE if unit == "%" else _ROUND_OFF
    rounded = f"{0.0 if abs(value) < least else value:.{digits}g}"
    return f"{float(rounded):.0f}" if "e+" in rounded and abs(value) < _WRITTEN_IN_FULL else rounded


def unit_in_words(unit: str) -> str:
    """Nothing for pure numbers, and for what is yes or no."""
    return "" if unit in ("1", YES_NO) else unit


def shown_findings(heading: str, findings: Sequence[Finding]) -> str:
    """A heading, and the first findings below it, a line each.

    Example:
    >>> from axletree.metrics.findings import Finding, shown_findings
    >>> print(shown_findings("Turns of 'sedan'", [Finding("gain", 0.3853, "1/s", "yaw rate gain")]))
    Turns of 'sedan'
      yaw rate gain 0.3853 1/s
    """
    lines = [f"  {one.description} {finding_in_words(one, 4)}" for one in findings[:_MOST_SHOWN]]
    if len(findings) > _MOST_SHOWN:
        lines.append(f"  and {len(findings) - _MOST_SHOWN} more")
    return "\n".join([heading, *lines])


def findings_html(heading: str, findings: Sequence[Finding]) -> str:
    """All of them as the table of a notebook."""
    rows = tuple((one.description, printed_unit(finding_in_words(one, 4))) for one in findings)
    return TextTable(heading, ("finding:", "value"), rows).html()


class Columns(Protocol):
    """What a run recorded."""

    @property
    def time(self) -> Column: ...

    def __getitem__(self, name: str) -> Column: ...

    def __contains__(self, name: object) -> bool: ...


def travelled_distance(run: Columns, speed: str) -> Column:
    """The distance [m] since the first record, by trapezia over speeds [m/s]."""
    return distance_over(run.time, run[speed])


def distance_over(time: Column, speed: Column) -> Column:
    """Likewise of speeds at times [s]."""
    steps = 0.5 * (speed[1:] + speed[:-1]) * np.diff(time)
    return np.concatenate([[0.0], np.cumsum(steps)])


def first_record(holds: NDArray[np.bool_]) -> int | None:
    """The first record at which it holds."""
    found = np.flatnonzero(holds)
    return int(found[0]) if found.size else None


def first_record_for_good(holds: NDArray[np.bool_]) -> int | None:
    """The first record from which on it holds to the end."""
    broken = np.flatnonzero(~holds)
    first = int(broken[-1]) + 1 if broken.size else 0
    return first if first < len(holds) else None


def time_of(run: Columns, record: int | None) -> float:
    """The time [s] of a record; nan of none."""
    return math.nan if record is None else float(run.time[record])


NO_BREAK = "\N{NO-BREAK SPACE}"  # between a value and its unit
NUMBER_AND_UNIT = re.compile(r"(?<=\d) (?=(?:m|s|%|km/h)(?:\W|$))")


class MarkKind(enum.Enum):
    """What a mark is drawn as."""

    POINT = "a dot on a curve"
    LEVEL = "a line across"
    MOMENT = "a line upwards"
    SPAN = "an arrow along the horizontal axis"


@dataclass(frozen=True)
class Mark:
    """A position in a diagram, in the units of its axes, and its label.

    For a level, x is where its label stands best, for a moment y; a span goes from ``start`` to x.
    """

    kind: MarkKind
    x: float
    y: float
    said: Finding | str
    start: float = math.nan

    @property
    def is_known(self) -> bool:
        """Whether the run shows it."""
        values = [self.x, self.y] + ([self.start] if self.kind is MarkKind.SPAN else [])
        if isinstance(self.said, Finding):
            values.append(self.said.value)
        return all(math.isfinite(value) for value in values)

    def words(self, title: str = "", units: Sequence[str] = ()) -> str:
        """The finding and its value, in that of the units of the axes which is of its dimension.

        What it says before a colon or a comma is left out where the title of the diagram says it.
        """
        if isinstance(self.said, str):
            return self.said
        text = self.said.description
        if text.lower().startswith((f"{title}: ".lower(), f"{title}, ".lower())):
            text = text[len(title) + 2 :]
        text = NUMBER_AND_UNIT.sub(NO_BREAK, text.partition("; ")[0])
        if self.said.unit == YES_NO:
            return f"{text}:{NO_BREAK}{value_in_words(self.said.value, YES_NO)}"
        read = _read_in(self.said, units)
        rounded = float(value_in_words(read.value, read.unit, 3))
        value = f"{rounded:g} {printed_unit(read.unit)}".removesuffix(" 1")
        return f"{text} {value.replace(' ', NO_BREAK)}"


def _read_in(found: Finding, units: Sequence[str]) -> Finding:
    """In the first of these units that is of its dimension, if none is its own."""
    if printed_unit(found.unit) in map(printed_unit, units):
        return found
    for unit in units:
        try:
            own, other = parse_unit(found.unit), parse_unit(unit)
        except UnitError:  # such as "dB", or an exponent that is not whole
            continue
        if own == other:  # 1/s of a gain are no Hz
            continue
        if own.dimension == other.dimension and any(own.dimension):
            return replace(found, value=found.value * float(own.factor / other.factor), unit=unit)
    return found


@dataclass(frozen=True, eq=False)
class Trace:
    """A curve; a guide is one to read another by, such as a straight line through its points."""

    label: str
    x: Column
    y: Column
    is_guide: bool = False


@dataclass(frozen=True, eq=False)
class Diagram:
    """One set of axes, labelled with units."""

    title: str
    x_label: str
    y_label: str
    traces: tuple[Trace, ...]
    marks: tuple[Mark, ...] = ()
    is_logarithmic: bool = False  # the horizontal axis


def point(x: float, y: float, said: Finding | str) -> Mark:
    return Mark(MarkKind.POINT, x, y, said)


def point_at(x: Column, y: Column, k: int, said: Finding | str) -> Mark:
    """A point of a curve, by its number."""
    return point(float(x[k]), float(y[k]), said)


def peak_point(x: Column, y: Column, said: Finding | str) -> Mark:
    """The point of a curve that is farthest from 0."""
    return point_at(x, y, int(np.argmax(np.abs(y))), said)


def level(x: float, y: float, said: Finding | str) -> Mark:
    return Mark(MarkKind.LEVEL, x, y, said)


def moment(x: float, y: float, said: Finding | str) -> Mark:
    return Mark(MarkKind.MOMENT, x, y, said)


def span(start: float, x: float, y: float, said: Finding | str) -> Mark:
    return Mark(MarkKind.SPAN, x, y, said, start)


def over_time(
    title: str,
    unit: str,
    time: Column,
    courses: dict[str, Column],
    marks: Iterable[Mark] = (),
    guides: Iterable[Trace] = (),
    within: tuple[float, float] = (-math.inf, math.inf),
) -> Diagram:
    """Courses over the times within two [s]; those without a name are the only ones."""
    shown = (time >= within[0]) & (time <= within[1])
    traces = [Trace(name, time[shown], np.asarray(y)[shown]) for name, y in courses.items()]
    return Diagram(title, "time [s]", f"[{unit}]", (*traces, *guides), tuple(marks))


def by_name(findings: Iterable[Finding]) -> dict[str, Finding]:
    return {found.name: found for found in findings}
