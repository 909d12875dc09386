"""Frequency response of yaw rate and lateral acceleration to steering."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from axletree.components.fields import fixed_number
from axletree.metrics.contract import Metric
from axletree.metrics.findings import (
    Column,
    Columns,
    Diagram,
    Finding,
    Trace,
    level,
    point,
    point_at,
)
from axletree.metrics.vehicle_signals import (
    LATERAL,
    STEERING,
    YAW_RATE,
    falls_to,
    lateral_acceleration,
)

ComplexColumn = NDArray[np.complex128]
_POINTS = 200  # frequencies between the lowest and the highest
LATERAL_RESPONSE = "lateral acceleration"
BANDWIDTH = 20.0 * math.log10(math.sqrt(2.0))  # dB below the first gain, where a band ends


def transform(time: Column, values: Column, frequencies: Column) -> ComplexColumn:
    """The Fourier integral of values at frequencies [Hz], by trapezia between records.

    Exact in the limit for what begins and ends at rest: pulses, and sweeps that have rung out.
    """
    weights = np.gradient(time)
    weights[[0, -1]] *= 0.5
    weighted = (values - values[0]) * weights
    return np.array([np.sum(weighted * np.exp(-2j * np.pi * f * time)) for f in frequencies])


def response_of_run(run: Columns, frequencies: Column) -> Mapping[str, ComplexColumn]:
    """Yaw rate [1/s] and lateral acceleration [(m/s^2)/rad] over the steering wheel's angle.

    Example:
    >>> import numpy as np
    >>> from axletree.metrics.steering_response import response_of_run
    >>> from axletree.simulation.trajectory import Trajectory
    >>> time = np.linspace(0.0, 4.0, 401)  # s
    >>> steering = 0.1 * np.exp(-10 * (time - 2.0) ** 2)  # rad
    >>> columns = {"driver.steering": steering, "vehicle.yaw_rate": 0.3 * steering}  # rad/s
    >>> columns |= {"vehicle.forward_speed": 20.0 + 0 * time, "vehicle.lateral_speed": 0 * time}
    >>> run = Trajectory("car", time, columns, {}, ())
    >>> found = response_of_run(run, np.array([0.5]))  # Hz
    >>> {name: round(float(abs(gain[0])), 3) for name, gain in found.items()}  # 20 m/s * 0.3 1/s
    {'vehicle.yaw_rate': 0.3, 'lateral acceleration': 6.0}
    """
    signals = {YAW_RATE: run[YAW_RATE], LATERAL_RESPONSE: lateral_acceleration(run)}
    steering = transform(run.time, run[STEERING], frequencies)
    return {name: transform(run.time, y, frequencies) / steering for name, y in signals.items()}


def bandwidth(frequencies: Column, gain: Column) -> float:
    """The lowest frequency [Hz] at which a gain is 3 dB (1 / sqrt 2) below that at the first.

    A gain that is 0 at the first has none.

    Example:
    >>> import numpy as np
    >>> from axletree.metrics.steering_response import bandwidth
    >>> frequencies = np.linspace(0.01, 3.0, 300)  # Hz
    >>> lag = 1.0 / (1.0 + 2j * np.pi * frequencies * 0.1)  # of 0.1 s
    >>> print(f"{bandwidth(frequencies, abs(lag)):.2f} Hz")  # 1 / (2 pi * 0.1)
    1.59 Hz
    """
    return falls_to(frequencies, gain, gain[0] / math.sqrt(2.0)) if gain[0] else math.nan


@dataclass(frozen=True)
class SteeringResponse(Metric):
    """Gains and bandwidths from a run whose steering holds all frequencies of a range.

    Gains refer to the lowest frequency. The run begins straight and ends when it has rung out.

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> from axletree.simulation.trajectory import Trajectory
    >>> time = np.linspace(0.0, 10.0, 10001)  # s
    >>> steps = [np.maximum(time - begin, 0.0) for begin in (1.0, 1.2)]  # a pulse is two steps
    >>> columns = {name: 20.0 + 0.0 * time for name in at.SteeringResponse.needs}
    >>> columns["driver.steering"] = 0.1 * (np.sign(steps[0]) - np.sign(steps[1]))  # rad
    >>> columns["vehicle.yaw_rate"] = 0.03 * (np.exp(-10 * steps[1]) - np.exp(-10 * steps[0]))
    >>> found = at.SteeringResponse().findings(Trajectory("car", time, columns, {}, ()))
    >>> print(f"{found[2].value:.1f} {found[2].unit}")  # of a lag of 0.1 s: 1 / (2 pi * 0.1)
    1.6 Hz
    """

    summary: ClassVar[str] = (
        "frequency response to steering: gains, bandwidths and yaw rate resonance"
    )
    needs: ClassVar[tuple[str, ...]] = (STEERING, *LATERAL)

    lowest: float = fixed_number("Hz", "lowest frequency", default=0.2, lower=0.0, above=True)
    highest: float = fixed_number("Hz", "highest frequency", default=3.0, lower=0.0, above=True)

    def problems(self) -> list[str]:
        if self.lowest >= self.highest:
            return [f"lowest is {self.lowest:g} Hz and highest {self.highest:g} Hz"]
        return []

    def findings(self, run: Columns) -> tuple[Finding, ...]:
        if not np.ptp(run[STEERING]):
            return ()
        frequencies = np.geomspace(self.lowest, self.highest, _POINTS)
        found = response_of_run(run, frequencies)
        yaw, side = np.abs(found[YAW_RATE]), np.abs(found[LATERAL_RESPONSE])
        top = int(np.argmax(yaw))
        rises = bool(0 < top < _POINTS - 1)
        peak = float(frequencies[top]) if rises else math.nan
        return (
            Finding("yaw_rate_gain", float(yaw[0]), "1/s", "yaw rate gain at the lowest frequency"),
            Finding("lateral_acceleration_gain", float(side[0]) * math.radians(1.0), "(m/s^2)/deg",
                    "lateral acceleration gain at the lowest frequency"),
            Finding("yaw_rate_bandwidth", bandwidth(frequencies, yaw), "Hz",
                    "yaw rate: bandwidth to -3 dB"),
            Finding("lateral_acceleration_bandwidth", bandwidth(frequencies, side), "Hz",
                    "lateral acceleration: bandwidth to -3 dB"),
            Finding("yaw_rate_peak_frequency", peak, "Hz", "yaw rate: resonance frequency"),
            Finding("yaw_rate_peak_ratio", float(yaw[top] / yaw[0]), "1",
                    "yaw rate: peak over the gain at the lowest frequency"),
        )  # fmt: skip

    def _drawn(self, run: Columns, found: Mapping[str, Finding]) -> tuple[Diagram, ...]:
        frequencies = np.geomspace(self.lowest, self.highest, _POINTS)
        drawn = []
        for name, values in response_of_run(run, frequencies).items():
            word = "yaw rate" if name == YAW_RATE else name
            key = word.replace(" ", "_")
            size = np.abs(values)
            gain = 20.0 * np.log10(size / size[0])
            marks = [
                point(self.lowest, 0.0, found[f"{key}_gain"]),
                level(1.5 * self.lowest, -BANDWIDTH, "-3 dB"),
                point(found[f"{key}_bandwidth"].value, -BANDWIDTH, found[f"{key}_bandwidth"]),
            ]
            if name == YAW_RATE:
                names = ("yaw_rate_peak_ratio", "yaw_rate_peak_frequency")
                top = int(np.argmax(gain))
                marks += [point_at(frequencies, gain, top, found[name]) for name in names]
            label = "gain re lowest frequency [dB]"
            drawn.append(Diagram(word.capitalize(), "frequency [Hz]", label,
                                 (Trace("", frequencies, gain),), tuple(marks), True))  # fmt: skip
        return tuple(drawn)
