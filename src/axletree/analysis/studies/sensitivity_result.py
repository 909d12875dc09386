"""Findings with their derivatives by values: along the derivatives of the run that they are found
in.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from axletree.metrics.findings import Column, Columns, Finding


@dataclass(frozen=True)
class SensitivityColumn:
    """The derivatives of all findings by one value."""

    name: str
    value: float
    unit: str
    slopes: tuple[FindingSlope, ...]


@dataclass(frozen=True)
class Sensitivity:
    """Findings, and their derivatives; ``found.by["body.mass"]["yaw_rate_gain"]`` is one.

    Example:
    >>> from axletree.analysis.studies import sensitivity_result as result
    >>> from axletree.metrics.findings import Finding
    >>> gain = Finding("gain", 0.4, "1/s", "yaw rate by steering angle")
    >>> slopes = (result.FindingSlope(gain, -1e-4, False),)
    >>> mass = result.SensitivityColumn("body.mass", 1500.0, "kg", slopes)
    >>> found = result.Sensitivity("car", "turn", (gain,), (mass,))
    >>> print(f"{found.relative['body.mass']['gain']:.3f} % by %")  # -1e-4 * 1500 / 0.4
    -0.375 % by %
    """

    model: str
    what: str  # the name of the manoeuvre
    findings: tuple[Finding, ...]
    columns: tuple[SensitivityColumn, ...]
    remarks: tuple[str, ...] = ()

    @property
    def by(self) -> dict[str, dict[str, float]]:
        """In the units of findings by those of values."""
        return {
            column.name: {one.finding.name: one.slope for one in column.slopes}
            for column in self.columns
        }

    @property
    def relative(self) -> dict[str, dict[str, float]]:
        """Percent of a finding by percent of a value."""
        return {
            column.name: {one.finding.name: _relative(one, column.value) for one in column.slopes}
            for column in self.columns
        }


def _relative(one: FindingSlope, value: float) -> float:
    return one.slope * value / one.finding.value if one.finding.value else math.nan


_SHARE = 1e-6  # of the value, to both sides: formulas are smooth, and nothing is solved anew
WIDER = 10.0  # times of that, where round-off is so much less
CORNER = 1e-3  # share of a slope by which those to both sides differ at a corner
SMOOTH = 1e-5  # share of a slope by which one over a wider range differs without a corner there

SLOPE = "_slope"  # ends the names of columns that hold derivatives


@dataclass(frozen=True)
class FindingSlope:
    """A finding and its derivative by a value."""

    finding: Finding
    slope: float  # in the unit of the finding by that of the value; nan if it does not tell
    corner: bool  # whether it is another one for greater values than for smaller ones


def slopes_of_findings(
    findings: Callable[[float], Sequence[Finding]], size: float
) -> list[FindingSlope]:
    """``findings`` are those at a step of the value, whose own size is given.

    By differences of fourth order over a range that is wide for round-off, or those next to the
    value where a formula has a corner within that range.
    """
    width = _SHARE * (size or 1.0)
    places = (-2.0 * WIDER, -WIDER, -1.0, 1.0, WIDER, 2.0 * WIDER)
    rows = [{one.name: one.value for one in findings(k * width)} for k in places]
    found = []
    for one in findings(0.0):
        far, wide, low, high, *above = (row.get(one.name, np.nan) for row in rows)
        ahead, back = (high - one.value) / width, (one.value - low) / width
        slope = 0.5 * (ahead + back)
        noise = 1e-9 * abs(one.value) / width
        apart = abs(ahead - back) > max(CORNER * max(abs(ahead), abs(back)), noise)
        over = (8.0 * (above[0] - wide) - (above[1] - far)) / (12.0 * WIDER * width)
        if not apart and abs(over - slope) <= SMOOTH * abs(slope):
            slope = over
        found.append(FindingSlope(one, float(slope), bool(apart)))
    return found


@dataclass(frozen=True)
class ShiftedRun:
    """A run with all its columns moved along their derivatives."""

    run: Columns  # with columns of derivatives by a value
    step: float  # of the value

    @property
    def time(self) -> Column:
        return self.run.time

    def __getitem__(self, name: str) -> Column:
        return np.asarray(self.run[name] + self.step * self.run[name + SLOPE])

    def __contains__(self, name: object) -> bool:
        return f"{name}{SLOPE}" in self.run
