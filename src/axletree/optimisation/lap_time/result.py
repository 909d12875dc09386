"""A lap, whatever found it: where the car is on the track, how fast, and how long it takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.core.errors import ModelError
from axletree.core.registry import unknown_name
from axletree.core.units import units_in
from axletree.optimisation.lap_time.track import Track

LAP_UNITS: Final = {
    "station": "m", "time": "s", "speed": "m/s", "offset": "m", "heading_error": "rad",
    "curvature": "1/m", "lateral_acceleration": "m/s^2", "acceleration": "m/s^2",
    "throttle": "1", "brake": "1", "steering": "rad", "yaw_rate": "rad/s", "x": "m", "y": "m",
    "heading": "rad", "height": "m", "load_factor": "1", "energy": "J", "tyre_energy": "J",
}  # fmt: skip
SECTORS: Final = 3


@dataclass(frozen=True)
class Sector:
    """A part of a lap."""

    name: str
    begin: float  # m
    end: float
    time: float  # s
    slowest: float  # m/s
    fastest: float


@dataclass(frozen=True)
class TimedLap:
    """Columns over the station along the centre line [m], in SI units.

    Example:
    >>> import axletree as at
    >>> lap = at.lap("van", "lindenring", method="centre-line")
    >>> print(f"{lap.time:.2f} s, at most {max(lap['speed', 'km/h']):.0f} km/h")
    48.10 s, at most 111 km/h
    """

    car: str
    method: str
    track: Track = field(repr=False)
    columns: Mapping[str, FloatArray] = field(repr=False)
    notes: tuple[str, ...] = ()
    sensitivities: Mapping[str, float] = field(default_factory=dict, repr=False)  # s per SI unit
    parameters: Mapping[str, float] = field(default_factory=dict, repr=False)  # their values

    @property
    def time(self) -> float:
        """The lap time [s]."""
        return float(self.columns["time"][-1])

    @property
    def heading(self) -> FloatArray:
        """Of the car, to the left of the x axis [rad]: that of the path, with sideslip where the
        lap has it.

        Example:
        >>> import axletree as at
        >>> lap = at.lap("van", "lindenring", method="centre-line")
        >>> print(f"{(lap.heading[-1] - lap.heading[0]) / 6.2832:.2f} turns")
        1.00 turns
        """
        if "heading_error" in self.columns:
            own: FloatArray = self.track.at("heading", self["station"]) + self["heading_error"]
            return own
        rates = (np.gradient(self[one], self["time"], edge_order=2) for one in ("y", "x"))
        return np.unwrap(np.arctan2(*rates))

    def __getitem__(self, asked: str | tuple[str, str]) -> FloatArray:
        name, unit = asked if isinstance(asked, tuple) else (asked, None)
        if name not in self.columns:
            raise unknown_name("column", name, self.columns, "the lap")
        values = self.columns[name]
        return values if unit is None else np.asarray(values * units_in(unit, LAP_UNITS[name]))

    def sectors(self, count: int = SECTORS) -> tuple[Sector, ...]:
        """Parts of equal length along the centre line.

        Example:
        >>> import axletree as at
        >>> lap = at.lap("van", "lindenring", method="centre-line")
        >>> [round(one.time, 1) for one in lap.sectors(2)]  # s
        [23.2, 24.9]
        """
        ends = np.linspace(0.0, self.track.length, count + 1)
        times = np.interp(ends, self["station"], self["time"])
        found = []
        for k in range(count):
            inside = (self["station"] >= ends[k]) & (self["station"] <= ends[k + 1])
            speeds = self["speed"][inside]
            found.append(
                Sector(
                    f"sector {k + 1}", float(ends[k]), float(ends[k + 1]),
                    float(times[k + 1] - times[k]), float(speeds.min()), float(speeds.max()),
                )
            )  # fmt: skip
        return tuple(found)

    def behind(self, other: TimedLap, s: FloatArray | None = None) -> FloatArray:
        """How much later [s] than another lap it is at stations [m] of the same track.

        Example:
        >>> import axletree as at
        >>> slow = at.lap("van", "lindenring", method="centre-line")
        >>> fast = at.lap("van", "lindenring", method="minimum-curvature")
        >>> bool(slow.behind(fast)[-1] > 1.0)  # s
        True
        """
        if abs(self.track.length - other.track.length) > 1e-6 * self.track.length:
            raise ModelError(
                f"laps of {self.track.name} and {other.track.name} are of different tracks: "
                f"{self.track.length:.1f} m and {other.track.length:.1f} m"
            )
        places = self["station"] if s is None else s
        own = np.interp(places, self["station"], self["time"])
        return np.asarray(own - np.interp(places, other["station"], other["time"]))


def columns_of(
    track: Track, station: FloatArray, offset: FloatArray, given: Mapping[str, FloatArray]
) -> dict[str, FloatArray]:
    """With the places on the ground."""
    x, y = track.places(station, offset)
    height = {} if track.relief is None else {"height": track.heights(station, offset)}
    return {"station": station, "offset": offset, **given, "x": x, "y": y, **height}
