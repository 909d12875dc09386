"""Frequency response of yaw rate and lateral acceleration to steering, by transforms of runs that
ring out, and by spectral estimation from random ones."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from axletree.components.fields import field_of, fixed_number
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
        return _response_findings(frequencies, response_of_run(run, frequencies))

    def _drawn(self, run: Columns, found: Mapping[str, Finding]) -> tuple[Diagram, ...]:
        frequencies = np.geomspace(self.lowest, self.highest, _POINTS)
        return _gain_diagrams(frequencies, response_of_run(run, frequencies), found)


def _response_findings(
    frequencies: Column, response: Mapping[str, ComplexColumn]
) -> tuple[Finding, ...]:
    yaw, side = np.abs(response[YAW_RATE]), np.abs(response[LATERAL_RESPONSE])
    top = int(np.argmax(yaw))
    rises = bool(0 < top < len(frequencies) - 1)
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


def _gain_diagrams(
    frequencies: Column, response: Mapping[str, ComplexColumn], found: Mapping[str, Finding]
) -> tuple[Diagram, ...]:
    drawn, lowest = [], float(frequencies[0])
    for name, values in response.items():
        word = "yaw rate" if name == YAW_RATE else name
        key = word.replace(" ", "_")
        size = np.abs(values)
        gain = 20.0 * np.log10(size / size[0])
        marks = [
            point(lowest, 0.0, found[f"{key}_gain"]),
            level(1.5 * lowest, -BANDWIDTH, "-3 dB"),
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


@dataclass(frozen=True, eq=False)
class SpectralEstimate:
    """Frequency responses of a random run and how far the steering explains them.

    Example:
    >>> import numpy as np
    >>> from axletree.metrics.steering_response import SpectralEstimate
    >>> one = np.ones(2)
    >>> found = SpectralEstimate(np.array([0.5, 1.0]), {"yaw": 0.3 * one}, {"yaw": one})
    >>> found.coherence["yaw"].tolist()
    [1.0, 1.0]
    """

    frequencies: Column  # [Hz]
    response: Mapping[str, ComplexColumn]  # over the steering wheel's angle, by signal
    coherence: Mapping[str, Column]  # from 0 to 1, by signal; nan where that does not move

    @property
    def least_coherence(self) -> float:
        """Of all signals that move; nan if none does."""
        known = np.concatenate([values[np.isfinite(values)] for values in self.coherence.values()])
        return float(known.min()) if len(known) else math.nan


def estimate_response(
    run: Columns, lowest: float, highest: float, segment: float
) -> SpectralEstimate:
    """Cross spectrum with the steering over the steering's own (H1), and the coherence.

    By the method of Welch (1967): segments of this length [s] that overlap by half, under a Hann
    window, their means taken away; frequencies [Hz] within the range.

    Example:
    >>> import numpy as np
    >>> from axletree.metrics.steering_response import estimate_response
    >>> from axletree.simulation.trajectory import Trajectory
    >>> time = np.arange(0.0, 60.0, 0.01)  # s
    >>> steering = np.sin(7.0 * time) + np.sin(2.0 * time**1.5)  # rad
    >>> columns = {"driver.steering": steering, "vehicle.yaw_rate": 0.3 * steering}  # rad/s
    >>> columns |= {"vehicle.forward_speed": 20.0 + 0 * time, "vehicle.lateral_speed": 0 * time}
    >>> found = estimate_response(Trajectory("car", time, columns, {}, ()), 0.2, 2.0, 10.0)
    >>> print(f"{np.ptp(np.abs(found.response['vehicle.yaw_rate'])):.6f} 1/s")
    0.000000 1/s
    """
    from scipy.signal import csd

    step = float(np.median(np.diff(run.time)))
    even = run.time[0] + step * np.arange(int((run.time[-1] - run.time[0]) / step + 1e-6) + 1)
    count = min(round(segment / step), len(even))

    def spectrum(one: Column, other: Column) -> tuple[Column, ComplexColumn]:
        found, density = csd(one, other, 1.0 / step, nperseg=count, detrend="constant")
        within = (found >= lowest - 1e-9) & (found <= highest + 1e-9)
        return found[within], density[within]

    steering = np.interp(even, run.time, run[STEERING])
    frequencies, own = spectrum(steering, steering)
    responses, coherences = {}, {}
    signals = {YAW_RATE: run[YAW_RATE], LATERAL_RESPONSE: lateral_acceleration(run)}
    for name, values in signals.items():
        answer = np.interp(even, run.time, values)
        cross, other = spectrum(steering, answer)[1], spectrum(answer, answer)[1]
        responses[name] = cross / own
        power, nothing = own.real * other.real, np.full(len(own), np.nan)
        coherences[name] = np.divide(np.abs(cross) ** 2, power, out=nothing, where=power > 0.0)
    return SpectralEstimate(frequencies, responses, coherences)


@dataclass(frozen=True)
class RandomResponse(Metric):
    """Gains, bandwidths and coherence from a run with random steering, by spectral estimation.

    Gains refer to the lowest frequency. A coherence below 1 says that something else than the
    steering moves the vehicle, or that it does not answer in proportion.

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> from axletree.simulation.trajectory import Trajectory
    >>> time = np.arange(0.0, 100.0, 0.01)  # s
    >>> steering = 0.1 * np.random.default_rng(1).standard_normal(len(time))  # rad
    >>> columns = {name: 20.0 + 0.0 * time for name in at.RandomResponse.needs}
    >>> columns |= {"driver.steering": steering, "vehicle.yaw_rate": 0.3 * steering}  # rad/s
    >>> found = at.RandomResponse().findings(Trajectory("car", time, columns, {}, ()))
    >>> found[0].in_words, found[-1].name, found[-1].in_words
    ('0.3 1/s', 'coherence', '1')
    """

    summary: ClassVar[str] = "frequency response to random steering: gains, bandwidths, coherence"
    needs: ClassVar[tuple[str, ...]] = (STEERING, *LATERAL)

    lowest: float = field_of(SteeringResponse, "lowest")
    highest: float = field_of(SteeringResponse, "highest")
    segment: float = fixed_number(
        "s", "length of a segment that is transformed", default=20.0, lower=0.0, above=True
    )

    def problems(self) -> list[str]:
        if self.lowest >= self.highest:
            return [f"lowest is {self.lowest:g} Hz and highest {self.highest:g} Hz"]
        return []

    def findings(self, run: Columns) -> tuple[Finding, ...]:
        if not np.ptp(run[STEERING]):
            return ()
        found = self._estimate(run)
        if not len(found.frequencies):
            return ()
        least = found.least_coherence
        return (
            *_response_findings(*_between(found)),
            Finding("coherence", least, "1", "least coherence with yaw rate and acceleration"),
        )

    def _estimate(self, run: Columns) -> SpectralEstimate:
        return estimate_response(run, self.lowest, self.highest, self.segment)

    def _drawn(self, run: Columns, found: Mapping[str, Finding]) -> tuple[Diagram, ...]:
        seen = self._estimate(run)
        words = {YAW_RATE: "yaw rate", LATERAL_RESPONSE: LATERAL_RESPONSE}
        lags = tuple(
            Trace(words[name], seen.frequencies, np.degrees(np.unwrap(np.angle(values))))
            for name, values in seen.response.items()
        )
        shares = tuple(
            Trace(words[name], seen.frequencies, values)
            for name, values in seen.coherence.items()
            if np.isfinite(values).all()
        )
        least = tuple(
            point_at(trace.x, trace.y, int(np.argmin(trace.y)), found["coherence"])
            for trace in shares
            if trace.y.min() == found["coherence"].value
        )
        return (
            *_gain_diagrams(*_between(seen), found),
            Diagram("Phase", "frequency [Hz]", "[deg]", lags, (), True),
            Diagram("Coherence", "frequency [Hz]", "share explained [1]", shares, least, True),
        )


def _between(seen: SpectralEstimate) -> tuple[Column, Mapping[str, ComplexColumn]]:
    """As many frequencies as of other runs, and responses on straight lines between estimates."""
    frequencies = np.geomspace(seen.frequencies[0], seen.frequencies[-1], _POINTS)
    return frequencies, {
        name: np.interp(frequencies, seen.frequencies, values)
        for name, values in seen.response.items()
    }
