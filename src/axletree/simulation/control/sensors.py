"""Sensors: what of a quantity a controller sees, and when.

A sample is taken at each instant of the sensor: the value, plus the bias, plus the noise, within
the range, rounded to the resolution. A controller is given the newest sample that is as old as the
delay; before there is one, the first of the run.
"""

from __future__ import annotations

import math
import zlib
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from axletree.core.units import UnitError, to_si
from axletree.simulation.problem import SettingsError

_ALMOST: Final = 1e-9  # s, by which an instant may be off through rounding


@dataclass(frozen=True)
class Sensor:
    """What lies between a quantity and a controller; all in SI units of the quantity, or with unit.

    Parameters
    ----------
    interval: s between its samples, a whole number of steps of the run; that of the loop if None.
    delay: s until a sample reaches the controller, less than the run lasts.
    bias: what is added to every sample.
    noise: standard deviation of Gaussian noise without memory from sample to sample.
    resolution: to a whole number of which samples are rounded, halves to the even one; 0: not.
    lower, upper: the range, beyond which a sample stays at its end; None: without one.
    seed: of the noise, which is the same in every run; sensors of other names have other noise.

    Example:
    >>> import axletree as at
    >>> gyro = at.Sensor(delay="10 ms", noise="0.1 deg/s", resolution="0.05 deg/s", seed=3)
    >>> samples = gyro.signal("yaw_rate", "rad/s")
    >>> samples.take(0.0, 0.2)
    >>> print(f"{samples.newest(0.01):.4f} rad/s")
    0.2016 rad/s
    """

    interval: float | str | None = None
    delay: float | str = 0.0
    bias: float | str = 0.0
    noise: float | str = 0.0
    resolution: float | str = 0.0
    lower: float | str | None = None
    upper: float | str | None = None
    seed: int = 0

    def signal(self, name: str, unit: str) -> SensorSignal:
        """The samples of a run, of what a controller knows by this name and has this unit.

        Example:
        >>> import axletree as at
        >>> samples = at.Sensor(bias="1 km/h").signal("speed", "m/s")
        >>> samples.take(0.0, 20.0)
        >>> print(f"{samples.newest(0.0):.3f} m/s")
        20.278 m/s
        """
        problems = list(self._problems(name, unit))
        if problems:
            raise SettingsError(*problems)
        own = self._in_si(unit)
        seed = np.random.default_rng([self.seed, zlib.crc32(name.encode())])
        return SensorSignal(
            seed, own.get("interval"), own["delay"], bias=own["bias"], noise=own["noise"],
            resolution=own["resolution"], lower=own.get("lower", -math.inf),
            upper=own.get("upper", math.inf),
        )  # fmt: skip

    def _in_si(self, unit: str) -> dict[str, float]:
        """What is given."""
        given = {name: getattr(self, name) for name in (*_TIMES, *_OF_QUANTITY)}
        return {
            name: to_si(value, expected="s" if name in _TIMES else unit)
            for name, value in given.items()
            if value is not None
        }

    def _problems(self, name: str, unit: str) -> Iterator[str]:
        where = f"the sensor of {name!r}"
        try:
            own = self._in_si(unit)
        except UnitError as error:
            yield f"{where}: {error}"
            return
        for field in ("delay", "noise", "resolution"):
            if own[field] < 0.0:
                yield f"{where}: {field} is {own[field]:g}; expected 0 or more"
        if own.get("interval", 1.0) <= 0.0:
            yield f"{where}: interval is {own['interval']:g} s; expected more than 0"
        if own.get("lower", -math.inf) > own.get("upper", math.inf):
            yield f"{where}: lower is above upper"
        if isinstance(self.seed, bool) or not isinstance(self.seed, int) or self.seed < 0:
            yield f"{where}: seed is {self.seed!r}; expected a number such as 3"


_TIMES: Final = ("interval", "delay")
_OF_QUANTITY: Final = ("bias", "noise", "resolution", "lower", "upper")


class SensorSignal:
    """The samples of a sensor in a run."""

    def __init__(
        self,
        random: np.random.Generator,
        interval: float | None,
        delay: float,
        *,
        bias: float,
        noise: float,
        resolution: float,
        lower: float,
        upper: float,
    ) -> None:
        """All in the units of the quantity, and s."""
        self.interval = interval
        self._random, self._delay, self._bias, self._noise = random, delay, bias, noise
        self._resolution, self._range = resolution, (lower, upper)
        self._samples: deque[tuple[float, float]] = deque()  # time [s], value; the oldest is in use

    def take(self, t: float, value: float) -> None:
        """A sample at t [s].

        Example:
        >>> import axletree as at
        >>> samples = at.Sensor(resolution=0.25).signal("speed", "m/s")
        >>> samples.take(0.0, 20.2)
        >>> samples.newest(0.0)  # m/s
        20.25
        """
        sample = value + self._bias
        if self._noise:
            sample += self._noise * float(self._random.standard_normal())
        sample = min(max(sample, self._range[0]), self._range[1])
        if self._resolution:
            sample = self._resolution * float(np.round(sample / self._resolution))
        self._samples.append((t, sample))

    def newest(self, t: float) -> float:
        """Of the samples that have come through by t [s].

        Example:
        >>> import axletree as at
        >>> samples = at.Sensor(delay="20 ms").signal("speed", "m/s")
        >>> for k in range(5):
        ...     samples.take(0.01 * k, 20.0 + k)
        >>> samples.newest(0.04)  # that of 0.02 s
        22.0
        """
        arrived = t - self._delay + _ALMOST
        while len(self._samples) > 1 and self._samples[1][0] <= arrived:
            self._samples.popleft()
        return self._samples[0][1]
