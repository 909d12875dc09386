"""``agreement``: a run and a measurement over one another, their residuals and statistics.

With simulated values s_k and measured values m_k at the same N even times, e_k = s_k - m_k and the
mean M of the measured ones:

    mean error             sum e_k / N
    RMS error              sqrt(sum e_k^2 / N)
    maximum error          max |e_k|
    normalised RMS error   RMS error / (max m_k - min m_k)
    correlation            sum (s_k - S) (m_k - M) / sqrt(sum (s_k - S)^2 sum (m_k - M)^2)
    determination R^2      1 - sum e_k^2 / sum (m_k - M)^2
    time shift             by which the measured values are late, by cross-correlation

R^2 is 1 for equal records, 0 for a simulation no better than the mean, and negative for worse.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from axletree.analysis.measurements.alignment import LONGEST_SHIFT, find_delay, require_delay
from axletree.analysis.measurements.boundaries import Boundary, boundary
from axletree.analysis.measurements.channel_sources import MeasurementError
from axletree.analysis.measurements.filters import ZeroPhaseButterworth
from axletree.analysis.measurements.measurement import (
    Measurement,
    even_time,
    is_even,
    read_measurement,
)
from axletree.core.arguments import check_arguments
from axletree.core.arrays import FloatArray
from axletree.core.registry import few_names, unknown_name
from axletree.core.text_table import TextTable
from axletree.core.units import parse_unit, to_si, units_in
from axletree.metrics.findings import unit_in_words
from axletree.model_files.channel_file import Tolerance
from axletree.simulation.trajectory import Trajectory

_MOST_SHOWN: Final = 8  # channels in a few lines
_LEAST_RECORDS: Final = 10
_ROUNDING: Final = 1e-12  # of the greatest measured value: less is what rounding leaves
_PRINTED: Final = {"rad": "deg", "rad/s": "deg/s", "rad/s^2": "deg/s^2"}


@dataclass(frozen=True)
class Statistics:
    """How far simulated values are from measured ones; the module says by which formulas."""

    mean_error: float  # in the unit of the values, as the next two
    rms_error: float
    maximum_error: float
    maximum_at: float  # [s]
    normalised_rms: float  # [1]; NaN where the measured value does not change
    correlation: float  # [1]; NaN where either does not change
    determination: float  # R^2 [1]; NaN where the measured value does not change
    time_shift: float  # [s], by which the measured values are late; NaN where it has no effect


def statistics(time: FloatArray, simulated: FloatArray, measured: FloatArray) -> Statistics:
    """Of values at the same even times [s].

    Example:
    >>> import numpy as np
    >>> from axletree.analysis.measurements.agreement import statistics
    >>> time = np.linspace(0.0, 1.0, 101)  # s
    >>> found = statistics(time, time + 0.1, time)
    >>> round(found.rms_error, 6), round(found.normalised_rms, 6), round(found.correlation, 6)
    (0.1, 0.1, 1.0)
    """
    error = simulated - measured
    rms, worst = math.sqrt(float(np.mean(error**2))), int(np.argmax(np.abs(error)))
    s, m = simulated - simulated.mean(), measured - measured.mean()
    changes = [_changes(one) for one in (simulated, measured)]
    shift = find_delay(time, simulated, time, measured) if all(changes) else None
    return Statistics(
        mean_error=float(error.mean()),
        rms_error=rms,
        maximum_error=float(abs(error[worst])),
        maximum_at=float(time[worst]),
        normalised_rms=rms / float(np.ptp(measured)) if changes[1] else math.nan,
        correlation=float(s @ m) / math.sqrt(float(s @ s) * float(m @ m))
        if all(changes)
        else math.nan,
        determination=1.0 - float(error @ error) / float(m @ m) if changes[1] else math.nan,
        time_shift=math.nan if shift is None else shift.delay,
    )


def _changes(values: FloatArray) -> bool:
    return bool(np.ptp(values) > 1e-12 * max(float(np.abs(values).max()), 1e-300))


@dataclass(frozen=True, eq=False)
class ChannelAgreement:
    """One quantity, simulated and measured, over the common time."""

    name: str
    unit: str
    simulated: FloatArray
    measured: FloatArray
    statistics: Statistics

    @property
    def residual(self) -> FloatArray:
        """Simulated less measured."""
        return self.simulated - self.measured


@dataclass(frozen=True, eq=False, repr=False)
class Agreement:
    """A run and a measurement over one another.

    Example:
    >>> import axletree as at
    >>> run = at.read_model("pendulum").formulate().simulate(2.0, step=0.01)
    >>> late = at.read_measurement(run.to_csv("measured.csv")).shifted("-30 ms")
    >>> found = at.agreement(run, late, align="pin.angle", names=["pin.angle"])
    >>> print(f"{1e3 * found.delay:.1f} ms, R^2 {found['pin.angle'].statistics.determination:.6f}")
    30.0 ms, R^2 1.000000
    """

    time: FloatArray  # [s], that of the run
    channels: Mapping[str, ChannelAgreement]
    delay: float  # [s], by which the measurement was taken to be late
    tolerances: Mapping[str, Tolerance]  # that are stated
    notes: tuple[str, ...]  # what was done with both

    def __getitem__(self, name: str) -> ChannelAgreement:
        if name not in self.channels:
            raise unknown_name("channel", name, self.channels, "what is compared")
        return self.channels[name]

    def __repr__(self) -> str:
        table = self.table()
        more = len(table.rows) - _MOST_SHOWN
        if more <= 0:
            return table.text()
        return f"{replace(table, rows=table.rows[:_MOST_SHOWN]).text()}\nand {more} more"

    def _repr_html_(self) -> str:
        return f'<div style="overflow-x: auto">{self.table().html()}</div>'

    def over_time(self, name: str, time_tolerance: float | str = 0.0) -> Boundary:
        """The boundary about a simulated course, with a tolerance of time [s].

        Example:
        >>> import axletree as at
        >>> run = at.read_model("pendulum").formulate().simulate(2.0, step=0.01)
        >>> found = at.agreement(run, at.read_measurement(run.to_csv("measured.csv")))
        >>> found.over_time("pin.angle").is_met
        True
        """
        one, width = self[name], Tolerance(to_si(time_tolerance, expected="s"))
        names = "time", name
        return boundary(
            names, (self.time, one.simulated), (self.time, one.measured),
            (width, self.tolerances.get(name)),
        )  # fmt: skip

    def cross_plot(self, x: str, y: str) -> Boundary:
        """The boundary about a simulated curve of one quantity over another.

        Example:
        >>> import axletree as at
        >>> run = at.read_model("pendulum").formulate().simulate(2.0, step=0.01)
        >>> found = at.agreement(run, at.read_measurement(run.to_csv("measured.csv")))
        >>> found.cross_plot("pin.angle", "pin.rate").share_within
        1.0
        """
        along, up = self[x], self[y]
        return boundary(
            (x, y), (along.simulated, up.simulated), (along.measured, up.measured),
            (self.tolerances.get(x), self.tolerances.get(y)),
        )  # fmt: skip

    def table(self) -> TextTable:
        """The statistics of all channels.

        Example:
        >>> import axletree as at
        >>> run = at.read_model("pendulum").formulate().simulate(2.0, step=0.01, outputs=[])
        >>> found = at.agreement(run, at.read_measurement(run.to_csv("measured.csv")))
        >>> found.table().headings[:3], len(found.table().rows)
        (('quantity', 'RMS error', 'maximum'), 2)
        """
        heads = (
            "quantity:", "RMS error", "maximum", "mean error", "unit:", "normalised RMS", "R^2",
            "correlation", "time shift",
        )  # fmt: skip
        rows = []
        for one in self.channels.values():
            found, unit = one.statistics, _PRINTED.get(one.unit, one.unit)
            scale = units_in(unit, one.unit)
            size = float(np.abs(one.measured).max(initial=0.0))
            errors = (
                0.0 if abs(error) <= _ROUNDING * size else scale * error
                for error in (found.rms_error, found.maximum_error, found.mean_error)
            )
            rows.append((
                one.name, *(f"{error:.3g}" for error in errors), unit_in_words(unit),
                _text(100.0 * found.normalised_rms, ".2f", " %"),
                _text(found.determination, ".4f"), _text(found.correlation, ".4f"),
                _text(1e3 * found.time_shift, ".1f", " ms"),
            ))  # fmt: skip
        return TextTable("Agreement, simulated less measured", heads, tuple(rows), self.notes)


def _text(value: float, form: str, unit: str = "") -> str:
    """Without the sign of what is printed as zero."""
    text = f"{value:{form}}"
    return "" if math.isnan(value) else (text.lstrip("-") if float(text) == 0.0 else text) + unit


def agreement(
    run: Trajectory,
    measured: Measurement | str | Path,
    *,
    names: Sequence[str] = (),
    align: str | None = None,
    delay: float | str = 0.0,
    longest: float | str = LONGEST_SHIFT,
    smoothing: ZeroPhaseButterworth | None = None,
) -> Agreement:
    """Lay a measurement, or the file of one, over a run; without ``names``, all quantities that
    both have.

    ``delay`` [s] is by how much the measurement as a whole comes late; ``align`` names a quantity
    by whose cross-correlation the delay is found instead, up to ``longest`` [s]. ``smoothing``, or
    the filter that the channel file states, goes over both, so that neither lags. Without one
    nothing is filtered. Values are compared at even times, by straight lines between records.

    Example:
    >>> import axletree as at
    >>> run = at.read_model("pendulum").formulate().simulate(2.0, step=0.01)
    >>> found = at.agreement(run, at.read_measurement(run.to_csv("measured.csv")))
    >>> found["pin.angle"].statistics.determination
    1.0
    """
    check_arguments(agreement, locals())
    if not isinstance(measured, Measurement):
        measured = read_measurement(measured)
    shared = _shared(run, measured, names)
    notes = list(measured.notes)
    late = to_si(delay, expected="s")
    if align is not None:
        if late:
            raise MeasurementError("a delay is given and is to be found: leave one of them out")
        late = _found_delay(run, measured, align, to_si(longest, expected="s"), notes)
    elif late:
        notes.append(f"the measurement is taken {1e3 * late:.4g} ms earlier, as stated")
    moved = measured.shifted(late)
    time = _common_times(run, moved)
    chosen = smoothing or measured.filter
    interval = float(time[1] - time[0])
    channels = {}
    for name in shared:
        both = np.interp(time, run.time, run[name]), np.interp(time, moved.time, moved[name])
        if chosen is not None:
            both = chosen(both[0], interval), chosen(both[1], interval)
        found = statistics(time, *both)
        channels[name] = ChannelAgreement(name, run.units[name], *both, found)
    filtered = "no filter over both" if chosen is None else f"both through a {chosen.in_words}"
    notes.append(
        f"{len(time)} values every {1e3 * interval:.4g} ms from {_text(time[0], '.3f')} s to "
        f"{_text(time[-1], '.3f')} s; {filtered}"
    )
    return Agreement(time, channels, late, measured.tolerances, tuple(notes))


def _shared(run: Trajectory, measured: Measurement, names: Sequence[str]) -> list[str]:
    for name in names:
        if name not in run:
            raise unknown_name("quantity", name, run.names, "the run")
        measured[name]  # says so where it has it not
    found = list(names) or [name for name in measured.names if name in run]
    if not found:
        raise MeasurementError(
            f"no channel of {measured.source} is in the run: it has "
            f"{few_names(measured.names, 8)}, the run {few_names(run.names, 8)}; name its columns "
            "in a channel file"
        )
    for name in found:
        units = run.units[name], measured.units[name]
        if parse_unit(units[0]).dimension != parse_unit(units[1]).dimension:
            raise MeasurementError(
                f"{name} is in {units[0]} in the run and in {units[1]} in {measured.source}"
            )
    return found


def _found_delay(
    run: Trajectory, measured: Measurement, name: str, longest: float, notes: list[str]
) -> float:
    _shared(run, measured, [name])
    courses = run.time, run[name], measured.time, measured[name]
    found = require_delay(find_delay(*courses, longest), name)
    notes.append(
        f"the measurement is taken {1e3 * found.delay:.4g} ms earlier, as found by "
        f"cross-correlation of {name} (correlation {found.correlation:.4f})"
    )
    return found.delay


def _common_times(run: Trajectory, measured: Measurement) -> FloatArray:
    """Those of the measurement while both last, made even where they are not."""
    if len(run) < _LEAST_RECORDS:
        raise MeasurementError(f"the run has {len(run)} records; that is too few to compare")
    slack = 1e-9 * max(abs(run.time[-1]), measured.interval)
    begin = max(run.time[0], measured.time[0])
    end = min(run.time[-1], measured.time[-1])
    inside = (measured.time >= begin - slack) & (measured.time <= end + slack)
    time = measured.time[inside]
    if len(time) >= _LEAST_RECORDS and not is_even(time):
        time = even_time(begin, end, measured.interval)
    if len(time) < _LEAST_RECORDS:
        raise MeasurementError(
            f"the run lasts from {run.time[0]:g} s to {run.time[-1]:g} s and the measurement from "
            f"{measured.time[0]:g} s to {measured.time[-1]:g} s: too little in common; give a "
            "delay, or align by a channel"
        )
    return np.asarray(time, dtype=float)
