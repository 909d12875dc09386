"""Derivatives of findings along the derivatives of what they are found in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from axletree.model.manoeuvres.findings import Column, Columns, Finding

SHARE = 1e-6  # of the value, to both sides: formulas are smooth, and nothing is solved anew
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
    width = SHARE * (size or 1.0)
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
class Shifted:
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
