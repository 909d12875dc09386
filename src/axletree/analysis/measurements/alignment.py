"""The shift in time at which two records of one quantity are most alike.

The correlation of the records over each shift, at even intervals, of the part in which both last:

    r(tau) = sum (a(t) - A) (b(t + tau) - B) / sqrt(sum (a(t) - A)^2 sum (b(t + tau) - B)^2)

with the means A and B.

Its maximum over whole intervals is refined between them, where the mean square of the difference
a(t) - b(t + tau) is least, with straight lines between records.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from axletree.analysis.measurements.channel_sources import MeasurementError
from axletree.analysis.measurements.measurement import even_time
from axletree.core.arrays import FloatArray

LONGEST_SHIFT: Final = 5.0  # s, that is looked for where nothing else is said
_LEAST_SHARE: Final = 0.5  # of the shorter record, that has to be in both
_LEAST_RECORDS: Final = 10
_STILL: Final = 1e-12  # of the greatest value, below which a record does not change
_MOST_RECORDS: Final = 20_000
_DISTINCT: Final = 0.02  # by which the correlation is less at both ends


@dataclass(frozen=True)
class TimeShift:
    """By how much a record comes late, and how alike the two are then."""

    delay: float  # [s]
    correlation: float  # [1]


def find_delay(
    time: FloatArray,
    values: FloatArray,
    late_time: FloatArray,
    late_values: FloatArray,
    longest: float = LONGEST_SHIFT,
) -> TimeShift | None:
    """By how much [s] the second record is behind the first; None where no shift is distinct.

    Example:
    >>> import numpy as np
    >>> from axletree.analysis.measurements.alignment import find_delay
    >>> time = np.linspace(0.0, 10.0, 1001)  # s
    >>> def pulse(t):
    ...     return np.exp(-((t - 5.0) ** 2))
    >>> print(f"{find_delay(time, pulse(time), time, pulse(time - 0.25)).delay:.4f} s")
    0.2500 s
    """
    first = max(time[0], late_time[0] - longest)
    last = min(time[-1], late_time[-1] + longest)
    step = max(
        min(float(np.median(np.diff(time))), float(np.median(np.diff(late_time)))),
        (time[-1] - time[0]) / _MOST_RECORDS,
    )
    if last - first < _LEAST_RECORDS * step:
        return None
    here, there = even_time(time[0], time[-1], step), even_time(late_time[0], late_time[-1], step)
    a, b = np.interp(here, time, values), np.interp(there, late_time, late_values)
    if any(np.ptp(one) <= _STILL * max(float(np.abs(one).max()), 1e-300) for one in (a, b)):
        return None
    shifts, likeness = _correlations(a, b)
    delays = (there[0] - here[0]) + step * shifts
    if not _is_distinct(likeness):
        return None
    usable = np.isfinite(likeness) & (np.abs(delays) <= longest * (1.0 + 1e-12))
    if not usable.any():
        return None
    best = int(np.argmax(np.where(usable, likeness, -np.inf)))
    delay = _refined((time, values), (late_time, late_values), float(delays[best]), step)
    return TimeShift(delay, float(likeness[best]))


def _is_distinct(likeness: FloatArray) -> bool:
    """Whether records are less alike where they are shifted as far as can be to either side: those
    that rise evenly are alike at any shift."""
    known = likeness[np.isfinite(likeness)]
    return bool(len(known) and max(known[0], known[-1]) <= known.max() - _DISTINCT)


def _correlations(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    """For every shift k by whole intervals: that of a[i] and b[i + k], while both last."""
    from scipy.signal import correlate

    n, m = len(a), len(b)
    a, b = a - a.mean(), b - b.mean()
    shifts = np.arange(-(n - 1), m)
    products = correlate(b, a, mode="full", method="fft")
    begin, end = np.maximum(0, -shifts), np.minimum(n, m - shifts)  # of i
    count = end - begin

    def sums(values: FloatArray, first: FloatArray, past: FloatArray) -> FloatArray:
        total = np.concatenate([[0.0], np.cumsum(values)])
        return np.asarray(total[past] - total[first], dtype=float)

    sum_a, sum_b = sums(a, begin, end), sums(b, begin + shifts, end + shifts)
    square_a = sums(a * a, begin, end) - sum_a**2 / count
    square_b = sums(b * b, begin + shifts, end + shifts) - sum_b**2 / count
    enough = count >= max(_LEAST_RECORDS, _LEAST_SHARE * min(n, m))
    rounding = 1e-9 * (float(a @ a) + 1e-300), 1e-9 * (float(b @ b) + 1e-300)
    enough &= (square_a > rounding[0]) & (square_b > rounding[1])
    found = np.full(len(shifts), np.nan)
    top = products[enough] - sum_a[enough] * sum_b[enough] / count[enough]
    found[enough] = top / np.sqrt(square_a[enough] * square_b[enough])
    return shifts.astype(float), found


def _refined(
    one: tuple[FloatArray, FloatArray],
    late: tuple[FloatArray, FloatArray],
    delay: float,
    step: float,
) -> float:
    from scipy.optimize import minimize_scalar

    def apart(tau: float) -> float:
        times = late[0] - tau
        both = (times >= one[0][0]) & (times <= one[0][-1])
        if not both.any():
            return math.inf
        difference = late[1][both] - np.interp(times[both], *one)
        return float(np.var(difference))  # a bias is no shift

    bounds = (delay - step, delay + step)
    found = minimize_scalar(apart, bounds=bounds, method="bounded", options={"xatol": 1e-6 * step})
    return float(found.x) if apart(float(found.x)) <= apart(delay) else delay


def require_delay(found: TimeShift | None, name: str) -> TimeShift:
    if found is None:
        raise MeasurementError(
            f"no shift in time can be found by {name}: it does not change, or changes evenly, in "
            "the run or in the measurement, or they have too little in common; give the delay "
            "instead, or align by another channel"
        )
    return found
