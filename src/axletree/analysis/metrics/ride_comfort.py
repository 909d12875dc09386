"""How vibration is felt, after ISO 2631-1: weighted acceleration."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from axletree.analysis.metrics.vehicle_signals import (
    LATERAL,
    LONGITUDINAL_ACCELERATION,
    PITCH,
    ROLL,
    VERTICAL_SPEED,
    lateral_acceleration,
    longitudinal_acceleration,
)
from axletree.library.fields import fixed_number
from axletree.model.manoeuvres.diagram import Diagram, by_name, level, over_time, point
from axletree.model.manoeuvres.findings import Column, Columns, Finding
from axletree.model.manoeuvres.metric import Metric

Polynomial = NDArray[np.float64]  # of p = i omega, highest power first
FLAT = math.sqrt(0.5)  # quality of a filter of Butterworth


@dataclass(frozen=True)
class Weighting:
    """A frequency weighting: limits of the band, a transition, and for some a step upwards.

    Frequencies are in Hz, qualities of 1, as in the table of parameters of annex A.

    Example:
    >>> from axletree.analysis.metrics.ride_comfort import WD, WK
    >>> [round(float(one.gain(5.0)), 2) for one in (WK, WD)]  # vertical and horizontal, at 5 Hz
    [1.04, 0.41]
    """

    transition: float
    transition_quality: float
    step: tuple[float, float, float, float] | None  # f5, Q5, f6, Q6
    lowest: float = 0.4
    highest: float = 100.0

    def polynomials(self) -> tuple[Polynomial, Polynomial]:
        """Numerator and denominator of the whole.

        Example:
        >>> from axletree.analysis.metrics.ride_comfort import WD
        >>> above, below = WD.polynomials()
        >>> len(above) - 1, len(below) - 1  # degrees
        (3, 6)
        """
        high, low = _second(self.lowest, FLAT), _second(self.highest, FLAT)
        w1, w3 = 2.0 * math.pi * self.lowest, 2.0 * math.pi * self.transition
        above = np.polymul([1.0 / w1**2, 0.0, 0.0], [1.0 / w3, 1.0])
        below = np.polymul(high, low)
        below = np.polymul(below, _second(self.transition, self.transition_quality))
        if self.step is not None:
            f5, Q5, f6, Q6 = self.step
            above = np.polymul(above, (f5 / f6) ** 2 * _second(f5, Q5))
            below = np.polymul(below, _second(f6, Q6))
        return np.asarray(above), np.asarray(below)

    def gain(self, frequencies: Column) -> Column:
        """At frequencies [Hz].

        Example:
        >>> from axletree.analysis.metrics.ride_comfort import WK
        >>> WK.gain([0.1, 1.0, 10.0]).round(3).tolist()
        [0.031, 0.482, 0.988]
        """
        p = 2j * np.pi * np.asarray(frequencies)
        above, below = self.polynomials()
        return np.asarray(np.abs(np.polyval(above, p) / np.polyval(below, p)))


WK = Weighting(12.5, 0.63, (2.37, 0.91, 3.35, 0.91))  # vertical, of people who sit
WD = Weighting(2.0, 0.63, None)  # horizontal


def _second(frequency: float, quality: float) -> Polynomial:
    w = 2.0 * math.pi * frequency
    return np.array([1.0 / w**2, 1.0 / (quality * w), 1.0])


def weighted(time: Column, acceleration: Column, weighting: Weighting = WK) -> Column:
    """The acceleration [m/s^2] as it is felt, from rest; straight lines between even records."""
    from scipy.signal import lsim

    even = np.linspace(time[0], time[-1], len(time))
    _, felt, _ = lsim(weighting.polynomials(), np.interp(even, time, acceleration), even - even[0])
    return np.asarray(felt)


def weighted_rms(time: Column, acceleration: Column, weighting: Weighting = WK) -> float:
    """The root of the mean square of the weighted acceleration [m/s^2].

    Example:
    >>> import numpy as np
    >>> from axletree.analysis.metrics.ride_comfort import WK, weighted_rms
    >>> time = np.linspace(0.0, 20.0, 10001)  # s
    >>> sine = np.sin(10 * np.pi * time)  # m/s^2, of 5 Hz
    >>> print(f"{weighted_rms(time, sine, WK):.2f} m/s^2")
    0.73 m/s^2
    """
    return _root_mean_square(weighted(time, acceleration, weighting))


def _root_mean_square(values: Column) -> float:
    """nan of no values: a run that ends before it is measured."""
    return float(np.sqrt(np.mean(values**2))) if values.size else math.nan


def _so_far(
    time: Column, late: NDArray[np.bool_], felt: Sequence[Column], found: dict[str, Finding]
) -> tuple[Diagram, Diagram]:
    """What a run had come to at each time: its last values are those of the run."""
    total, dose = found["vibration_total_value"], found["vibration_dose_value"]
    counted = np.arange(1, int(late.sum()) + 1)
    squares = [np.cumsum(values**2) / counted for values in felt]
    courses = {"vertical": squares[0], "longitudinal": squares[1], "lateral": squares[2],
               "all": np.sum(squares, axis=0)}  # fmt: skip
    fourth = np.cumsum(felt[0] ** 4 * np.gradient(time)[late]) ** 0.25
    end = float(time[-1])
    return (
        over_time("Root of the mean square so far, weighted", "m/s^2", time[late],
                  {name: np.sqrt(values) for name, values in courses.items()},
                  [point(end, total.value, total)]),
        over_time("Vibration dose so far", dose.unit, time[late], {"": fourth},
                  [point(end, dose.value, dose)]),
    )  # fmt: skip


@dataclass(frozen=True)
class RideComfort(Metric):
    """Acceleration of a seat, weighted by Wk upwards and by Wd along and across.

    The seat is a place of the body: ``ahead`` and ``left`` of its centre of mass, for angles that
    are small; left out, it is the centre of mass itself, as descriptions say. The vibration total
    value is the root of the sum of the three squares, each with a factor of 1, as clause 8.2.2 has
    it for comfort on a seat.

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> from axletree.simulation.trajectory import Trajectory
    >>> time = np.linspace(0.0, 20.0, 20001)  # s
    >>> columns = {name: 0.0 * time for name in at.RideComfort.needs}
    >>> columns["vehicle.vertical_speed"] = np.sin(10 * np.pi * time) / (10 * np.pi)  # 1 m/s^2
    >>> felt, plain = at.RideComfort().findings(Trajectory("car", time, columns, {}, ()))[:2]
    >>> print(f"{felt.value:.2f} {felt.unit}, {plain.value:.2f} {plain.unit}")  # Wk(5 Hz) is 1.04
    0.73 m/s^2, 0.71 m/s^2
    """

    summary: ClassVar[str] = "acceleration as it is felt, by ISO 2631-1"
    needs: ClassVar[tuple[str, ...]] = (
        VERTICAL_SPEED, PITCH, ROLL, *LATERAL, LONGITUDINAL_ACCELERATION,
    )  # fmt: skip

    ahead: float = fixed_number("m", "of the seat before the centre of mass", default=0.0)
    left: float = fixed_number("m", "of the seat to the left of it", default=0.0)
    begin: float = fixed_number("s", "time from which on records count", default=0.0, lower=0.0)

    def findings(self, run: Columns) -> tuple[Finding, ...]:
        time, late = run.time, run.time >= self.begin
        up = self._upwards(run)
        along, across = longitudinal_acceleration(run), lateral_acceleration(run)
        felt = [
            _root_mean_square(weighted(time, values, weighting)[late])
            for values, weighting in ((along, WD), (across, WD), (up, WK))
        ]
        dose = weighted(time, up, WK)[late]
        fourth = float(np.sum(dose**4 * np.gradient(time)[late]) ** 0.25)
        fourth = fourth if dose.size else math.nan
        plain = _root_mean_square(up[late])
        root = "root of the mean square"
        return (
            Finding("weighted_vertical_acceleration", felt[2], "m/s^2",
                    f"vertical acceleration {self._place}, weighted by Wk, {root}"),
            Finding("vertical_acceleration", plain, "m/s^2",
                    f"vertical acceleration {self._place}, {root}"),
            Finding("weighted_longitudinal_acceleration", felt[0], "m/s^2",
                    f"longitudinal acceleration, weighted by Wd, {root}"),
            Finding("weighted_lateral_acceleration", felt[1], "m/s^2",
                    f"lateral acceleration, weighted by Wd, {root}"),
            Finding("vibration_total_value", math.hypot(*felt), "m/s^2", "vibration total value"),
            Finding("vibration_dose_value", fourth, "m/s^1.75",
                    f"vibration dose value of vertical acceleration {self._place}"),
        )  # fmt: skip

    def diagrams(self, run: Columns) -> tuple[Diagram, ...]:
        found, late = by_name(self.findings(run)), run.time >= self.begin
        if not late.any():
            return ()
        time, up = run.time[late], self._upwards(run)
        felt = weighted(run.time, up, WK)[late]
        along, across = (
            weighted(run.time, values, WD)[late]
            for values in (longitudinal_acceleration(run), lateral_acceleration(run))
        )
        upwards = {"as it is": up[late], "weighted by Wk": felt}
        flat = {"longitudinal": along, "lateral": across}
        names = ("weighted_vertical_acceleration", "vertical_acceleration",
                 "weighted_longitudinal_acceleration", "weighted_lateral_acceleration")  # fmt: skip
        levels = [
            level(float(time[0] + share * np.ptp(time)), found[name].value, found[name])
            for name, share in zip(names, (0.25, 0.75, 0.25, 0.75), strict=True)
        ]
        return (
            over_time(f"Vertical acceleration {self._place}", "m/s^2", time, upwards, levels[:2]),
            over_time("Horizontal acceleration, weighted by Wd", "m/s^2", time, flat, levels[2:]),
            *_so_far(run.time, late, (felt, along, across), found),
        )

    @property
    def _place(self) -> str:
        return "of the seat" if self.ahead or self.left else "of the centre of mass"

    def _upwards(self, run: Columns) -> Column:
        """The vertical acceleration there [m/s^2]."""
        rate = run[VERTICAL_SPEED]
        if self.ahead or self.left:
            turned = self.left * run[ROLL] - self.ahead * run[PITCH]
            rate = rate + np.gradient(turned, run.time)
        return np.asarray(np.gradient(rate, run.time))
