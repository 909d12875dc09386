"""Driving cycles: a speed over time from a file, and the manoeuvre that follows it.

A file is a table of text with a column of time and one of speed, each with its unit, in brackets
behind the name or in a row below: ``time [s], speed [km/h]``. Between its points the speed is
linear; lines that begin with ``#`` are passed over.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from axletree.core.arguments import check_arguments
from axletree.core.arrays import FloatArray
from axletree.core.column_files import TEXT_SUFFIXES, FileColumn, read_column_text
from axletree.core.errors import ModelError
from axletree.core.problems import Problems, shown
from axletree.core.registry import few_names, section, unknown_name
from axletree.core.units import UnitError, parse_unit
from axletree.core.yaml_document import resource
from axletree.expr import Beyond, Table
from axletree.metrics.vehicle_signals import BRAKE
from axletree.model.manoeuvre import DrivenSignal
from axletree.runs.follow_speed import PEDAL_EFFORT, WANTED_SPEED, FollowSpeed

MOST_ACCELERATION = 12.0  # m/s^2, more than tyres of cars hold: a unit or a time base is wrong
FASTEST = 120.0  # m/s
_TIMES, _SPEEDS = ("time", "t"), ("speed", "v", "velocity")


@dataclass(frozen=True, eq=False)
class DriveCycle:
    """A speed over time, from time 0 on.

    Example:
    >>> from axletree.runs.drive_cycle import DriveCycle
    >>> cycle = DriveCycle("hop", (0.0, 10.0, 20.0), (0.0, 10.0, 0.0))  # s, m/s
    >>> cycle.duration, cycle.distance  # s, m
    (20.0, 100.0)
    """

    name: str
    time: tuple[float, ...]  # s
    speed: tuple[float, ...]  # m/s

    def __post_init__(self) -> None:
        for word in ("time", "speed"):
            object.__setattr__(self, word, self._numbers(word))
        if problems := list(_problems(np.array(self.time), np.array(self.speed))):
            raise ModelError([f"driving cycle {self.name}: {text}" for text in problems])

    def _numbers(self, word: str) -> tuple[float, ...]:
        try:
            found = tuple(float(one) for one in getattr(self, word))
        except (TypeError, ValueError):
            found = (float("nan"),)
        if np.isfinite(found).all():
            return found
        raise ModelError(
            f"driving cycle {self.name}: {word} is {shown(getattr(self, word))}; expected finite "
            "numbers in SI units"
        )

    @property
    def duration(self) -> float:
        """[s]"""
        return self.time[-1]

    @property
    def distance(self) -> float:
        """[m]"""
        return float(np.trapezoid(self.speed, self.time))

    @property
    def in_words(self) -> str:
        """Its length in time and in space, and its greatest speed.

        Example:
        >>> import axletree as at
        >>> at.read_drive_cycle("ece-urban").in_words
        '195 s, 1.01 km, up to 50 km/h'
        """
        length = f"{self.duration:.4g} s, {1e-3 * self.distance:.3g} km"
        return f"{length}, up to {3.6 * max(self.speed):.3g} km/h"

    def repeated(self, times: int) -> DriveCycle:
        """Several one after the other.

        Example:
        >>> import axletree as at
        >>> at.read_drive_cycle("ece-urban").repeated(4).duration  # s
        780.0
        """
        if times < 1:
            raise ModelError(f"a cycle is driven once or more, not {times} times")
        if times > 1 and self.speed[0] != self.speed[-1]:
            raise ModelError(
                f"driving cycle {self.name} begins at {3.6 * self.speed[0]:g} km/h and ends at "
                f"{3.6 * self.speed[-1]:g} km/h; one that is repeated ends as it begins"
            )
        time, speed = np.array(self.time), np.array(self.speed)
        parts = [time[(k > 0) :] + k * self.duration for k in range(times)]
        speeds = [speed[(k > 0) :] for k in range(times)]
        joined = tuple(np.concatenate(parts).tolist()), tuple(np.concatenate(speeds).tolist())
        return DriveCycle(self.name if times == 1 else f"{self.name} x {times}", *joined)

    @property
    def table(self) -> Table:
        """[m/s] over [s], held beyond its end."""
        return Table.linear(self.time, self.speed, Beyond.VALUE_HELD)

    def speed_at(self, time: FloatArray) -> FloatArray:
        """[m/s], held beyond its end.

        Example:
        >>> import numpy as np
        >>> from axletree.runs.drive_cycle import DriveCycle
        >>> cycle = DriveCycle("ramp", (0.0, 10.0), (0.0, 10.0))  # s, m/s
        >>> cycle.speed_at(np.array([2.5, 30.0])).tolist()  # m/s
        [2.5, 10.0]
        """
        found: FloatArray = np.interp(time, self.time, self.speed)
        return found

    def bounds_at(self, time: FloatArray, within: float) -> tuple[FloatArray, FloatArray]:
        """The least and the greatest speed [m/s] less than so long [s] before and after.

        Example:
        >>> import numpy as np
        >>> from axletree.runs.drive_cycle import DriveCycle
        >>> cycle = DriveCycle("ramp", (0.0, 10.0), (0.0, 10.0))  # s, m/s
        >>> [float(v[0]) for v in cycle.bounds_at(np.array([5.0]), 1.0)]
        [4.0, 6.0]
        """
        corners, speeds = np.array(self.time), np.array(self.speed)
        low, high = (np.vstack([self.speed_at(time + s) for s in (-within, 0.0, within)])
                     for _ in range(2))  # fmt: skip
        least, greatest = low.min(axis=0), high.max(axis=0)
        first = np.searchsorted(corners, time - within)
        last = np.searchsorted(corners, time + within)
        for k in np.flatnonzero(last > first):
            inside = speeds[first[k] : last[k]]
            least[k] = min(least[k], inside.min())
            greatest[k] = max(greatest[k], inside.max())
        return least, greatest


def _problems(time: FloatArray, speed: FloatArray) -> list[str]:
    if len(time) < 2 or len(time) != len(speed):
        return [f"{len(time)} times and {len(speed)} speeds; expected two points or more"]
    found = []
    if time[0] != 0.0:
        found.append(f"it begins at {time[0]:g} s; expected 0")
    if (falling := np.flatnonzero(np.diff(time) <= 0.0)).size:
        k = int(falling[0])
        found.append(
            f"time {time[k]:g} s is followed by {time[k + 1]:g} s; expected times that rise"
        )
    if (backward := np.flatnonzero(speed < 0.0)).size:
        k = int(backward[0])
        found.append(f"the speed at {time[k]:g} s is {speed[k]:g} m/s; expected none below 0")
    if speed.max() > FASTEST:
        found.append(
            f"the speed goes up to {speed.max():.4g} m/s, {3.6 * speed.max():.4g} km/h; is its "
            "unit right?"
        )
    if not found:
        rate = np.diff(speed) / np.diff(time)
        k = int(np.abs(rate).argmax())
        if abs(rate[k]) > MOST_ACCELERATION:
            found.append(
                f"between {time[k]:g} s and {time[k + 1]:g} s the speed changes by "
                f"{abs(rate[k]):.3g} m/s^2, more than tyres hold; are its units right?"
            )
        if speed.max() == 0.0:
            found.append("it stands all the time")
    return found


def read_drive_cycle(source: str | Path) -> DriveCycle:
    """A driving cycle of the package by its name, or of a file.

    Example:
    >>> import axletree as at
    >>> urban = at.read_drive_cycle("ece-urban")
    >>> print(f"{urban.duration:.0f} s, {urban.distance / 1e3:.3f} km")
    195 s, 1.015 km
    """
    check_arguments(read_drive_cycle, locals())
    known = section("CYCLES")
    if str(source) in known:
        return _of_file(Path(str(resource(known[str(source)]))), str(source))
    path = Path(source)
    if path.suffix.lower() not in TEXT_SUFFIXES:
        if path.suffix or path.exists():
            raise ModelError(
                f"{source}: expected a table of text ({', '.join(TEXT_SUFFIXES)}), with columns "
                "time and speed"
            )
        raise ModelError(str(unknown_name("driving cycle", str(source), known, "the package")))
    if not path.is_file():
        raise ModelError(f"there is no file {source}; the package has {few_names(list(known), 8)}")
    return _of_file(path, path.stem)


def _of_file(path: Path, name: str) -> DriveCycle:
    columns = read_column_text(path)
    problems = Problems(str(path))
    found = [
        _column(columns, words, unit, problems) for words, unit in ((_TIMES, "s"), (_SPEEDS, "m/s"))
    ]
    problems.raise_any()
    time, speed = (one for one in found if one is not None)
    return DriveCycle(name, tuple((time - time[0]).tolist()), tuple(speed.tolist()))


def _column(
    columns: tuple[FileColumn, ...], words: tuple[str, ...], unit: str, problems: Problems
) -> FloatArray | None:
    """In SI units; what is wrong with it is added to the problems."""
    named = [one for one in columns if one.name.strip().lower() in words]
    heads = ", ".join(one.name for one in columns)
    if len(named) != 1:
        what = "no column" if not named else f"{len(named)} columns"
        problems.add(0, (), f"{what} {words[0]} among {heads}; expected one called {words[0]}")
        return None
    (one,) = named
    if not one.unit:
        problems.add(
            0, (), f"column {one.name} has no unit; write it behind the name, as in "
            f"{words[0]} [{'s' if unit == 's' else 'km/h'}]",
        )  # fmt: skip
        return None
    try:
        given = parse_unit(one.unit)
        wanted = parse_unit(unit)
    except UnitError as error:
        problems.add(0, (), f"column {one.name}: {error}")
        return None
    if given.dimension != wanted.dimension:
        problems.add(0, (), f"column {one.name} is in {one.unit}; expected a unit such as {unit}")
        return None
    if (holes := np.flatnonzero(~np.isfinite(one.values))).size:
        problems.add(0, (), f"column {one.name} has no number in its row {holes[0] + 1}")
        return None
    scaled: FloatArray = one.values * float(given.factor)
    return scaled


@dataclass(frozen=True, kw_only=True)
class FollowCycle(FollowSpeed):
    """Pedals follow a driving cycle; one that begins at rest begins with the vehicle at rest, held
    by the brake pedal where its engine would move it."""

    summary: ClassVar[str] = "a driving cycle, by pedals in the equations"

    cycle: DriveCycle
    pedal: float = 0.0  # of the brake, that holds it at rest

    def own_signals(self) -> dict[str, DrivenSignal]:
        return {WANTED_SPEED: self.cycle.table}

    @property
    def changes(self) -> dict[str, Any]:
        return {"vehicle": {"driver": {"speed": max(self.cycle.speed)}}}

    def first_states(self, levels: Mapping[str, float]) -> dict[str, float]:
        if self.speed:
            return super().first_states(levels)
        return {BRAKE: self.pedal, PEDAL_EFFORT: -self.pedal} if self.pedal else {}

    def held_states(self) -> dict[str, float]:
        return {BRAKE: self.pedal} if self.pedal and not self.speed else {}

    def problems(self) -> list[str]:
        return []
