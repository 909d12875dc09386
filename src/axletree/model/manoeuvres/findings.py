"""What manoeuvres are driven for: numbers with a name, found in a run."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

STILL = 1e-3  # [m/s], slower than which a vehicle does not advance
ROUND_OFF = 1e-9  # in any unit of findings, below which a number is printed as 0
LEAST_SHARE = 1e-3  # likewise in %: what solvers leave of what has died away
YES_NO = "yes/no"  # the unit of findings that are 1 or 0
Column = NDArray[np.float64]


@dataclass(frozen=True)
class Finding:
    """One number, in the unit given; nan where the run does not tell."""

    name: str
    value: float
    unit: str
    description: str

    @property
    def in_words(self) -> str:
        if math.isnan(self.value):
            return "none"
        return f"{value_in_words(self.value, self.unit)} {unit_in_words(self.unit)}".rstrip()


def yes_no(name: str, holds: bool, description: str) -> Finding:
    """A finding that something holds, or does not."""
    return Finding(name, float(holds), YES_NO, description)


def value_in_words(value: float, unit: str, digits: int = 6) -> str:
    """As tables have it beside its unit."""
    if math.isnan(value):
        return "none"
    if unit == YES_NO:
        return "yes" if value else "no"
    least = LEAST_SHARE if unit == "%" else ROUND_OFF
    return f"{0.0 if abs(value) < least else value:.{digits}g}"


def unit_in_words(unit: str) -> str:
    """Nothing for pure numbers, and for what is yes or no."""
    return "" if unit in ("1", YES_NO) else unit


class Columns(Protocol):
    """What a run recorded."""

    @property
    def time(self) -> Column: ...

    def __getitem__(self, name: str) -> Column: ...

    def __contains__(self, name: object) -> bool: ...


def way_of(run: Columns, speed: str) -> Column:
    """The way [m] since the first record, with straight lines between speeds [m/s]."""
    v = run[speed]
    steps = 0.5 * (v[1:] + v[:-1]) * np.diff(run.time)
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
