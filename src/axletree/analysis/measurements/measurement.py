"""``read_measurement``: channels of a file over one common time, in SI units, ISO 8855 signs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from axletree.analysis.measurements.channel_sources import (
    TIME_NAMES,
    MeasurementError,
    read_file_columns,
)
from axletree.analysis.measurements.filters import ZeroPhaseButterworth, filter_of
from axletree.core.arguments import check_arguments
from axletree.core.arrays import FloatArray
from axletree.core.column_files import FileColumn
from axletree.core.errors import AxletreeError, ModelError
from axletree.core.problems import Problems
from axletree.core.registry import few_names, unknown_name
from axletree.core.units import LARGEST_VALUE, UnitError, parse_unit, to_si, units_in
from axletree.model_files.channel_file import (
    Channel,
    ChannelMap,
    Tolerance,
    channel_unit,
    read_channels,
    unit_spelling,
)
from axletree.simulation.trajectory import Trajectory

_EVEN: Final = 1e-6  # of an interval, within which intervals are alike
_LEAST_RECORDS: Final = 2
_MOST_RECORDS: Final = 10_000_000
_LONG_INTERVAL: Final = 10.0  # times the usual one: records are missing there


@dataclass(frozen=True, eq=False, repr=False)
class Measurement:
    """Measured channels over one time; ``measurement["vehicle.yaw_rate"]`` is an array in SI units.

    Example:
    >>> import axletree as at
    >>> run = at.read_model("pendulum").formulate().simulate(1.0, step=0.1)
    >>> measured = at.read_measurement(run.to_csv("measured.csv"))
    >>> measured["pin.angle", "deg"].shape, measured.units["pin.rate"]
    ((11,), 'rad/s')
    """

    source: str  # the file
    time: FloatArray  # [s]
    columns: Mapping[str, FloatArray]
    units: Mapping[str, str]
    tolerances: Mapping[str, Tolerance]  # of channels for which one is stated
    filter: ZeroPhaseButterworth | None = None  # that is asked for; see ``filtered``
    notes: tuple[str, ...] = ()  # what was done with the columns of the file

    def __getitem__(self, name: str | tuple[str, str]) -> FloatArray:
        if isinstance(name, tuple):
            return units_in(name[1], self.units[name[0]]) * self[name[0]]
        if name == "time":
            return self.time
        if name not in self.columns:
            raise MeasurementError(str(unknown_name("channel", name, self.columns, self.source)))
        return self.columns[name]

    def __contains__(self, name: object) -> bool:
        return name in self.columns or name == "time"

    def __len__(self) -> int:
        return len(self.time)

    def __repr__(self) -> str:
        return (
            f"Measurement of {self.source!r}: {len(self)} values from {self.time[0]:g} s to "
            f"{self.time[-1]:g} s\n  {len(self.columns)} channels: {few_names(self.columns, 6)}"
        )

    @property
    def names(self) -> tuple[str, ...]:
        """Of all channels."""
        return tuple(self.columns)

    @property
    def interval(self) -> float:
        """The usual time [s] from one value to the next."""
        return float(np.median(np.diff(self.time)))

    @property
    def trajectory(self) -> Trajectory:
        """The same as a trajectory, for plots and metrics."""
        name = Path(self.source).stem
        return Trajectory(name, self.time, self.columns, self.units, (), method="measured")

    def shifted(self, delay: float | str) -> Measurement:
        """With all times earlier by a delay [s], by which the measurement comes late.

        Example:
        >>> import axletree as at
        >>> run = at.read_model("pendulum").formulate().simulate(1.0, step=0.1)
        >>> float(at.read_measurement(run.to_csv("measured.csv")).shifted("500 ms").time[0])  # s
        -0.5
        """
        seconds = to_si(delay, expected="s")
        return replace(self, time=self.time - seconds) if seconds else self

    def resampled(self, interval: float | str) -> Measurement:
        """At even intervals [s], by straight lines between values.

        Example:
        >>> import axletree as at
        >>> run = at.read_model("pendulum").formulate().simulate(1.0, step=0.1)
        >>> len(at.read_measurement(run.to_csv("measured.csv")).resampled("50 ms"))
        21
        """
        time = even_time(self.time[0], self.time[-1], to_si(interval, expected="s"))
        columns = {name: np.interp(time, self.time, y) for name, y in self.columns.items()}
        return replace(self, time=time, columns=columns)

    def between(self, first: float | str, last: float | str) -> Measurement:
        """The values from one time to another, both included [s].

        Example:
        >>> import axletree as at
        >>> run = at.read_model("pendulum").formulate().simulate(1.0, step=0.1)
        >>> len(at.read_measurement(run.to_csv("measured.csv")).between("200 ms", "0.5 s"))
        4
        """
        begin, end = (to_si(instant, expected="s") for instant in (first, last))
        slack = 1e-9 * max(abs(begin), abs(end), 1e-3)
        kept = (self.time >= begin - slack) & (self.time <= end + slack)
        if kept.sum() < _LEAST_RECORDS:
            raise MeasurementError(
                f"{self.source} has {int(kept.sum())} values from {begin:g} s to {end:g} s; it "
                f"lasts from {self.time[0]:g} s to {self.time[-1]:g} s"
            )
        columns = {name: values[kept] for name, values in self.columns.items()}
        return replace(self, time=self.time[kept], columns=columns)

    def filtered(self, by: ZeroPhaseButterworth) -> Measurement:
        """All channels through a filter, at even intervals.

        Example:
        >>> import axletree as at
        >>> run = at.read_model("pendulum").formulate().simulate(1.0, step=0.01)
        >>> measured = at.read_measurement(run.to_csv("measured.csv"))
        >>> smooth = measured.filtered(at.ZeroPhaseButterworth(order=4, cutoff=10.0))  # Hz
        >>> smooth.notes[-1]
        'measured through a Butterworth filter of order 4, forward and backward, -3 dB at 10 Hz'
        """
        even = self if is_even(self.time) else self.resampled(self.interval)
        columns = {name: by(values, even.interval) for name, values in even.columns.items()}
        said = f"measured through a {by.in_words}"
        return replace(even, columns=columns, notes=(*self.notes, said), filter=None)


def is_even(time: FloatArray) -> bool:
    """Whether times come at even intervals."""
    steps = np.diff(time)
    return bool(len(steps) and np.ptp(steps) <= _EVEN * np.median(steps) + 1e-12 * abs(time[-1]))


def even_time(begin: float, end: float, interval: float) -> FloatArray:
    """From one time to at most another, at even intervals [s]."""
    if interval <= 0.0:
        raise MeasurementError(f"an interval of {interval:g} s is none; expected more than 0 s")
    count = (end - begin) / interval * (1.0 + 1e-12) + 1e-9
    if not count <= _MOST_RECORDS:
        raise MeasurementError(
            f"{end - begin:.4g} s at an interval of {interval:.3g} s are {count:.3g} values; at "
            f"most {_MOST_RECORDS} are made"
        )
    if count < 0.0:
        return np.empty(0)
    return np.asarray(begin + interval * np.arange(int(count) + 1), dtype=float)


def read_measurement(
    path: str | Path, channels: str | Path | Mapping[str, Any] | ChannelMap | None = None
) -> Measurement:
    """Read measured channels from a table of text, or an MDF, MATLAB, Parquet or NPZ file.

    ``channels`` is a channel file (YAML) or its content: for each quantity of Axletree the column
    it stands in, with unit, sign, delay and offset; in short ``{"vehicle.yaw_rate": "YawRate"}``.
    Without one, columns have the names and units
    that Axletree writes. Channels with times of their own, or with delays, are brought to one time
    by straight lines, while all of them last. Every problem is named, in one ModelError.

    Example:
    >>> from pathlib import Path
    >>> import axletree as at
    >>> written = Path("drive.csv").write_text("t;YawRate\\nms;deg/s\\n0;0\\n10;-9\\n20;-18\\n")
    >>> said = "channels: {vehicle.yaw_rate: {column: YawRate, sign: -1}}"
    >>> written = Path("map.yaml").write_text(said)
    >>> measured = at.read_measurement("drive.csv", channels="map.yaml")
    >>> measured.time.tolist(), measured["vehicle.yaw_rate"].round(3).tolist()  # s, rad/s
    ([0.0, 0.01, 0.02], [0.0, 0.157, 0.314])
    """
    check_arguments(read_measurement, locals())
    file = Path(path)
    given = channels if isinstance(channels, ChannelMap | None) else read_channels(channels)
    wanted = None
    if given is not None:
        times = [given.time_column] if given.time_column else []
        wanted = [*(one.column for one in given.channels), *times]
    columns, known = read_file_columns(file, wanted)
    if given is None:
        given = ChannelMap(
            tuple(Channel(one.name, one.name) for one in columns if not _is_time(one.name))
        )
    return _Reading(file, given, columns, known).measurement()


def _is_time(name: str) -> bool:
    return name.strip().lower() in TIME_NAMES


@dataclass(frozen=True)
class _Course:
    """A channel before it comes to the common time."""

    time: FloatArray  # [s]
    values: FloatArray  # in SI units
    unit: str
    notes: tuple[str, ...]


class _Reading:
    """A file by a map of its channels."""

    def __init__(
        self,
        file: Path,
        given: ChannelMap,
        columns: Sequence[FileColumn],
        known: Sequence[str],
    ) -> None:
        self._file, self._map, self._known = file, given, known
        self._columns = {one.name: one for one in columns}
        self._problems = Problems(given.file or str(file))
        self._notes: list[str] = []  # of the time

    def measurement(self) -> Measurement:
        shared = self._shared_time()
        courses: dict[str, _Course] = {}
        for channel in self._map.channels:
            line = self._map.lines.get(channel.name, 0)
            try:
                courses[channel.name] = self._course(channel, shared)
            except AxletreeError as error:
                texts = error.problems if isinstance(error, ModelError) else [str(error)]
                for text in texts:
                    self._problems.add(line, (channel.name,), text)
        self._problems.raise_any()
        if not courses:
            raise MeasurementError(f"{self._file} has no channel beside its time")
        time = self._common_time(courses)
        return Measurement(
            str(self._file), time,
            {n: _at_times(time, one.time, one.values) for n, one in courses.items()},
            {n: one.unit for n, one in courses.items()},
            {c.name: c.tolerance for c in self._map.channels if c.tolerance is not None},
            filter_of(self._map.filter),
            (*self._notes, *(note for one in courses.values() for note in one.notes)),
        )  # fmt: skip

    def _shared_time(self) -> FloatArray | None:
        """[s], of all columns that have none of their own; None where there is none."""
        name = self._map.time_column
        if name and name not in self._columns:
            error = unknown_name("column", name, self._known, str(self._file))
            raise MeasurementError(f"time: {error}")
        found = name or next((n for n in self._columns if _is_time(n)), "")
        if not found:
            return None
        column = self._columns[found]
        stated = self._map.time_unit or column.unit
        if not stated:
            self._notes.append(f"{found} is taken in seconds, as the file says no unit of it")
        unit = unit_spelling(stated or "s")
        try:
            seconds = column.values / units_in(unit, "s")
        except AxletreeError as error:
            raise MeasurementError(f"{self._file}, column {found}: {error}") from None
        _check_times(seconds, f"{self._file}, column {found}")
        return seconds

    def _course(self, channel: Channel, shared: FloatArray | None) -> _Course:
        if channel.column not in self._columns:
            raise unknown_name("column", channel.column, self._known, str(self._file))
        column = self._columns[channel.column]
        if column.time is not None:
            time = column.time
            _check_times(time, f"{self._file}, times of {channel.column}")
        elif shared is None:
            raise MeasurementError(
                f"{self._file} has no column called time; name it in the channel file: "
                "time: {column: ..., unit: ms}"
            )
        else:
            time = shared
        if len(time) != len(column.values):
            raise MeasurementError(
                f"{len(column.values)} values of {channel.column} for {len(time)} times"
            )
        sizes = np.abs(column.values[np.isfinite(column.values)])
        if len(sizes) and sizes.max() > LARGEST_VALUE:
            raise MeasurementError(f"a value of {sizes.max():g} is beyond computing")
        unit, factor, notes = self._unit(channel, column)
        values = factor * channel.sign * (column.values - channel.offset) + 0.0
        time, values, bridged = self._without_gaps(channel.name, time, values)
        if channel.delay:
            notes.append(f"{channel.name}: earlier by {1e3 * channel.delay:.4g} ms, as stated")
        return _Course(time - channel.delay, values, unit, (*notes, *bridged))

    def _unit(self, channel: Channel, column: FileColumn) -> tuple[str, float, list[str]]:
        stated = channel.unit or column.unit
        if not stated:
            raise MeasurementError(
                f"{self._file} says no unit of {channel.column}; state it in the channel file: "
                f"{channel.name}: {{column: {channel.column}, unit: ...}} (unit: 1 for a number)"
            )
        unit, factor = channel_unit(channel.name, stated)
        notes = []
        if channel.unit and column.unit and not _same_unit(column.unit, channel.unit):
            notes.append(
                f"{channel.name}: {channel.column} is taken in {channel.unit}, as the channel file "
                f"says; the file itself says {column.unit}"
            )
        return unit, factor, notes

    def _without_gaps(
        self, name: str, time: FloatArray, values: FloatArray
    ) -> tuple[FloatArray, FloatArray, list[str]]:
        """Without records that hold no number; an error where they leave gaps that are too long."""
        known = np.isfinite(values)
        if known.sum() < _LEAST_RECORDS:
            raise MeasurementError(f"{int(known.sum())} of {len(values)} values are numbers")
        usual = float(np.median(np.diff(time)))
        t, y = time[known], values[known]
        missing = np.concatenate([np.diff(np.flatnonzero(known)) > 1])
        gaps = np.flatnonzero(missing | (np.diff(t) > _LONG_INTERVAL * usual))
        if not gaps.size:
            return t, y, []
        widths = np.diff(t)[gaps]
        longest = int(np.argmax(widths))
        begin = t[gaps[longest]]
        if widths[longest] > self._map.bridge * (1.0 + 1e-9):
            raise MeasurementError(
                f"{gaps.size} gap(s) without numbers, the longest from {begin:g} s to "
                f"{begin + widths[longest]:g} s; state how long a gap may be that a straight line "
                "goes over, in the channel file: bridge: 0.1 s; or leave that part out"
            )
        return (
            t,
            y,
            [f"{name}: straight lines over {gaps.size} gap(s) of up to {widths[longest]:.3g} s"],
        )

    def _common_time(self, courses: Mapping[str, _Course]) -> FloatArray:
        begin = max(one.time[0] for one in courses.values())
        end = min(one.time[-1] for one in courses.values())
        finest = max(courses.values(), key=lambda one: len(one.time)).time
        if self._map.interval:
            time = even_time(begin, end, self._map.interval)
        else:
            slack = 1e-9 * max(abs(begin), abs(end))
            time = finest[(finest >= begin - slack) & (finest <= end + slack)]
        if len(time) < _LEAST_RECORDS:
            spans = ", ".join(
                f"{name} from {one.time[0]:g} s to {one.time[-1]:g} s"
                for name, one in list(courses.items())[:6]
            )
            raise MeasurementError(f"{self._file}: its channels have no time in common: {spans}")
        return time


def _same_unit(one: str, other: str) -> bool:
    if unit_spelling(one) == unit_spelling(other):
        return True
    try:
        return parse_unit(unit_spelling(one)) == parse_unit(unit_spelling(other))
    except UnitError:
        return False


def _at_times(time: FloatArray, own: FloatArray, values: FloatArray) -> FloatArray:
    if len(time) == len(own) and np.array_equal(time, own):
        return values
    return np.interp(time, own, values)


def _check_times(time: FloatArray, place: str) -> None:
    bad = np.flatnonzero(~np.isfinite(time))
    if bad.size:
        raise MeasurementError(f"{place}: there is no time in record {bad[0] + 1}")
    if len(time) < _LEAST_RECORDS:
        raise MeasurementError(f"{place}: {len(time)} records are too few")
    back = np.flatnonzero(np.diff(time) <= 0.0)
    if back.size:
        k = int(back[0])
        raise MeasurementError(
            f"{place}: time has to rise, but {time[k]:.10g} s in record {k + 1} is followed by "
            f"{time[k + 1]:.10g} s; are two records of one drive in the file, or is it no time?"
        )
