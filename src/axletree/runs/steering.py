"""Steering manoeuvres: ramp, step, pulse, sine, sine with dwell, rising frequency and random."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from axletree.components.fields import fixed_number, optional_parameter, parameter
from axletree.components.signals import TIME
from axletree.core.arrays import FloatArray
from axletree.expr import Beyond, Expr, Table, cos, exp, maximum, minimum, sin
from axletree.model.manoeuvre import Aim, DrivenSignal, Manoeuvre, driven_inputs


@dataclass(frozen=True, kw_only=True)
class RampSteer(Manoeuvre):
    """Angles go from 0 to ``angle`` in a straight line and stay there.

    If it is slow, the vehicle passes through steady states, as in the test at constant speed of
    ISO 4138.

    Example:
    >>> import axletree as at
    >>> ramp = at.RampSteer(speed=20.0, steering=["steer"], angle="1.5 rad", begin=1.0, rise=10.0)
    >>> print(ramp.signals["steer"])  # rad
    1.5*min(max(0.1*(time - 1), 0), 1)
    """

    summary: ClassVar[str] = "steering that rises evenly, through steady states if slowly"

    steering: tuple[str, ...] = driven_inputs("rad", "inputs that follow the ramp")
    angle: float = parameter("rad", "angle at the end, to the left if positive")
    begin: float = parameter("s", "start time", default=1.0, lower=0.0)
    rise: float = parameter("s", "time to the whole angle", default=15.0, lower=0.0, above=True)
    duration: float = parameter("s", "length of the run", default=16.0, lower=0.0, above=True)

    def own_signals(self) -> dict[str, DrivenSignal]:
        s = minimum(maximum((TIME - self.begin) * (1.0 / self.rise), 0.0), 1.0)
        return dict.fromkeys(self.steering, self.angle * s)


@dataclass(frozen=True, kw_only=True)
class StepSteer(Manoeuvre):
    """Angles go from 0 to ``angle`` within ``rise`` and stay there.

    In between they follow s^3 (10 - 15 s + 6 s^2) with s from 0 to 1: rate and acceleration
    begin and end at 0, so that no force jumps.

    Example:
    >>> import axletree as at
    >>> from axletree.expr import evaluate
    >>> step = at.StepSteer(speed=20.0, steering=["steer"], angle="2 deg", begin=1.0, rise=0.2)
    >>> angles = (evaluate([step.signals["steer"]], {at.TIME: t})[0] for t in (0.5, 1.1, 2.0))
    >>> [round(float(angle), 4) for angle in angles]  # rad: before, half way, after
    [0.0, 0.0175, 0.0349]
    """

    summary: ClassVar[str] = "steering in a step, without a jump in acceleration"

    steering: tuple[str, ...] = driven_inputs("rad", "inputs that follow the step")
    angle: float = parameter("rad", "angle after the step, to the left if positive")
    begin: float = parameter("s", "time at which the step begins", default=1.0, lower=0.0)
    rise: float = parameter("s", "rise time", default=0.2, lower=0.0, above=True)
    level: float | None = optional_parameter(
        "m/s^2", "lateral acceleration of the last second, that the angle is found for; then it is "
        "a first guess", lower=0.0, above=True,
    )  # fmt: skip

    @property
    def aim(self) -> Aim | None:
        return None if self.level is None else Aim(self.level, self.duration - 1.0, self.duration)

    def own_signals(self) -> dict[str, DrivenSignal]:
        s = minimum(maximum((TIME - self.begin) * (1.0 / self.rise), 0.0), 1.0)
        course = self.angle * s * s * s * (10.0 + s * (6.0 * s - 15.0))
        return dict.fromkeys(self.steering, course)


@dataclass(frozen=True, kw_only=True)
class PulseSteer(Manoeuvre):
    """Angles go from 0 to ``angle`` and back within ``width``: angle (1 - cos(2 pi s)) / 2.

    The pulse of ISO 7401 is a triangle of 0.3 s to 0.5 s; this one has no corners, so that no rate
    jumps.

    Example:
    >>> import axletree as at
    >>> from axletree.expr import evaluate
    >>> pulse = at.PulseSteer(speed=20.0, steering=["steer"], angle=0.1, begin=1.0, width=0.4)
    >>> evaluate([pulse.signals["steer"]], {at.TIME: 1.2})  # rad, at its top
    [0.1]
    """

    summary: ClassVar[str] = "steering in a pulse without corners"

    steering: tuple[str, ...] = driven_inputs("rad", "inputs that follow the pulse")
    angle: float = parameter("rad", "amplitude, to the left if positive")
    begin: float = parameter("s", "start time", default=1.0, lower=0.0)
    width: float = parameter("s", "time of the pulse", default=0.4, lower=0.0, above=True)

    def own_signals(self) -> dict[str, DrivenSignal]:
        s = minimum(maximum((TIME - self.begin) * (1.0 / self.width), 0.0), 1.0)
        course = 0.5 * self.angle * (1.0 - cos(2.0 * math.pi * s))
        return dict.fromkeys(self.steering, course)


@dataclass(frozen=True, kw_only=True)
class SineSteer(Manoeuvre):
    """Angles follow ``amplitude sin(2 pi t / period)``: one period is a lane change.

    The rate of the angle is greatest at the very start (Morency 2007, figures 5.6 and 5.18).

    Example:
    >>> import axletree as at
    >>> from axletree.expr import evaluate
    >>> swerve = at.SineSteer(speed="72 km/h", steering=["steer"], amplitude=0.05, period=2.0)
    >>> evaluate([swerve.signals["steer"]], {at.TIME: 0.5})  # rad, after a quarter of the period
    [0.05]
    """

    summary: ClassVar[str] = "steering in a sine"

    steering: tuple[str, ...] = driven_inputs("rad", "inputs that follow the sine")
    amplitude: float = parameter("rad", "amplitude, first to the left if positive")
    period: float = parameter("s", "time of one period", lower=0.0, above=True)
    periods: float | None = optional_parameter(
        "1", "number of periods; left out: to the end", lower=0.0, above=True
    )

    def own_signals(self) -> dict[str, DrivenSignal]:
        time = TIME if self.periods is None else minimum(TIME, self.periods * self.period)
        angle = self.amplitude * sin(2.0 * math.pi / self.period * time)
        return dict.fromkeys(self.steering, angle)


@dataclass(frozen=True, kw_only=True)
class SineWithDwell(Manoeuvre):
    """One period of a sine that stands still for ``dwell`` after three quarters.

    The defaults are those of FMVSS 126, which ISO 19365 simulates: 0.7 Hz and 0.5 s.

    Example:
    >>> import axletree as at
    >>> from axletree.expr import evaluate
    >>> swerve = at.SineWithDwell(speed="80 km/h", steering=["steer"], amplitude=1.0)
    >>> dwells = 1.0 + 0.75 / 0.7 + 0.25  # s
    >>> print(f"{evaluate([swerve.signals['steer']], {at.TIME: dwells})[0]:.3f} rad")
    -1.000 rad
    """

    summary: ClassVar[str] = "steering in one sine that dwells at its second peak"

    steering: tuple[str, ...] = driven_inputs("rad", "inputs that follow the sine")
    amplitude: float = parameter("rad", "amplitude, first to the left if positive")
    frequency: float = parameter("Hz", "of the sine", default=0.7, lower=0.0, above=True)
    dwell: float = parameter("s", "time at the second peak", default=0.5, lower=0.0)
    begin: float = parameter("s", "start time", default=1.0, lower=0.0)

    def own_signals(self) -> dict[str, DrivenSignal]:
        period = 1.0 / self.frequency
        first = minimum(maximum(TIME - self.begin, 0.0), 0.75 * period)
        again = self.begin + 0.75 * period + self.dwell
        last = minimum(maximum(TIME - again, 0.0), 0.25 * period)
        angle = self.amplitude * sin(2.0 * math.pi * self.frequency * (first + last))
        return dict.fromkeys(self.steering, angle)


class RisingFrequency(Manoeuvre):
    """A sine from one frequency to a higher one, which fades in and out."""

    first: float  # [Hz]
    last: float  # [Hz]
    begin: float  # [s]
    sweep: float  # [s], from the first to the last
    fade: float  # [s]

    def problems(self) -> list[str]:
        if self.first >= self.last:
            return [f"first is {self.first:g} Hz and last {self.last:g} Hz; it has to rise"]
        return super().problems()

    @property
    def _since(self) -> Expr:
        """The time of the sweep [s]."""
        since: Expr = minimum(maximum(TIME - self.begin, 0.0), self.sweep)
        return since

    def _swept(self) -> tuple[Expr, Expr]:
        """The phase [rad], with as much time for every octave, and frequency over the first."""
        octaves = math.log(self.last / self.first)
        grown = exp(octaves / self.sweep * self._since)
        return 2.0 * math.pi * self.first * self.sweep / octaves * (grown - 1.0), grown

    def _faded(self, course: Expr) -> Expr:
        return course * self._smooth(self._since) * self._smooth(self.sweep - self._since)

    def _smooth(self, t: Expr) -> Expr:
        """From 0 to 1 within the time of fading, with rate and acceleration 0 at both ends."""
        s = minimum(t * (1.0 / self.fade), 1.0)
        share: Expr = s * s * s * (10.0 + s * (6.0 * s - 15.0))
        return share


@dataclass(frozen=True, kw_only=True)
class FrequencySweep(RisingFrequency):
    """Every octave takes the same time; amplitudes fade in and out, so that no rate jumps.

    With f the first frequency, T the time of the sweep and k = ln(last / first), the phase is
    2 pi f T / k (exp(k t / T) - 1). The continuous sine of ISO 7401 covers 0.2 Hz to 2 Hz or more.

    Example:
    >>> import axletree as at
    >>> from axletree.expr import evaluate
    >>> sweep = at.FrequencySweep(speed=20.0, steering=["steer"], amplitude=0.02)  # m/s, rad
    >>> sweep.first, sweep.last, evaluate([sweep.signals["steer"]], {at.TIME: 0.5})  # Hz, Hz, rad
    (0.1, 4.0, [0.0])
    """

    summary: ClassVar[str] = "steering in a sine whose frequency rises"

    steering: tuple[str, ...] = driven_inputs("rad", "inputs that follow the sweep")
    amplitude: float = parameter("rad", "amplitude, first to the left if positive")
    first: float = parameter("Hz", "frequency at its start", default=0.1, lower=0.0, above=True)
    last: float = parameter("Hz", "frequency at its end", default=4.0, lower=0.0, above=True)
    begin: float = parameter("s", "start time", default=0.5, lower=0.0)
    sweep: float = parameter("s", "time from the first to the last", default=45.0, lower=0.0,
                             above=True)  # fmt: skip
    fade: float = parameter("s", "time of fading in, and out", default=1.0, lower=0.0, above=True)
    duration: float = parameter("s", "length of the run", default=50.0, lower=0.0, above=True)

    def own_signals(self) -> dict[str, DrivenSignal]:
        phase, _ = self._swept()
        return dict.fromkeys(self.steering, self._faded(self.amplitude * sin(phase)))


_POINTS = 8  # of a random course, in a period of its highest frequency: cubics are off by 0.1 %


@dataclass(frozen=True, kw_only=True)
class RandomSteer(Manoeuvre):
    """Angles follow a random course with the same power at all frequencies from one to another.

    It is the sum of waves of one amplitude and random phases, one for each whole number of periods
    in the run. It fades in, so that no rate jumps, and goes on to the end. Each ``realisation`` is
    another course, the same on every machine. The random input of ISO 7401 (clause 12 of 2011) is
    of this kind.

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> steer = at.RandomSteer(speed=20.0, steering=["steer"], deviation="2 deg")  # m/s
    >>> course = steer.signals["steer"].evaluate(np.arange(5.0, 120.0, 0.01))  # rad
    >>> print(f"{np.degrees(np.std(course)):.2f} deg")
    2.01 deg
    """

    summary: ClassVar[str] = "steering at random, with even power over a range of frequencies"

    steering: tuple[str, ...] = driven_inputs("rad", "inputs that follow the course")
    deviation: float = parameter("rad", "standard deviation of the angle", lower=0.0)
    first: float = parameter("Hz", "lowest frequency", default=0.1, lower=0.0, above=True)
    last: float = parameter("Hz", "highest frequency", default=4.0, lower=0.0, above=True)
    fade: float = parameter("s", "time of fading in", default=1.0, lower=0.0, above=True)
    duration: float = parameter("s", "length of the run", default=120.0, lower=0.0, above=True)
    realisation: float = fixed_number(
        "1", "number of the random course", default=1, lower=0.0, whole=True
    )

    def problems(self) -> list[str]:
        if len(self._frequencies()) < 2:
            return [f"between {self.first:g} Hz and {self.last:g} Hz there are no waves that fit "
                    f"{self.duration:g} s; take a wider range or a longer run"]  # fmt: skip
        return super().problems()

    def own_signals(self) -> dict[str, DrivenSignal]:
        return dict.fromkeys(self.steering, self._course)

    def _frequencies(self) -> FloatArray:
        """[Hz]"""
        lowest, highest = (round(one * self.duration) for one in (self.first, self.last))
        return np.arange(max(lowest, 1), highest + 1) / self.duration

    def _driven_names(self) -> Collection[str]:
        return self.steering

    @cached_property
    def _course(self) -> Table:
        """[rad] over time [s], with the slopes of the waves at its points."""
        waves = self._frequencies()
        # Raw bits, which are the same in every version of NumPy, other than its distributions.
        bits = np.random.PCG64(int(self.realisation)).random_raw(len(waves))
        phases = 2.0 * np.pi * (bits >> np.uint64(11)) / 2.0**53
        count = math.ceil(_POINTS * self.last * self.duration)
        time = np.linspace(0.0, self.duration, count + 1)
        size = self.deviation / math.sqrt(2.0 * len(waves)) * count
        spectrum = np.zeros((2, count // 2 + 1), dtype=complex)
        spectrum[:, np.rint(waves * self.duration).astype(int)] = (
            size * np.exp(1j * phases) * np.array([np.ones_like(waves), 2j * np.pi * waves])
        )
        course, rate = (np.append(one, one[0]) for one in np.fft.irfft(spectrum, count))
        s = np.minimum(time / self.fade, 1.0)
        share = s**3 * (10.0 + s * (6.0 * s - 15.0))
        share_rate = 30.0 * (s * (1.0 - s)) ** 2 / self.fade
        slopes = share * rate + share_rate * course
        return Table.hermite(time.tolist(), (share * course).tolist(), slopes.tolist(),
                             Beyond.VALUE_HELD)  # fmt: skip
