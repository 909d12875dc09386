"""On-centre handling: weave and transition about straight ahead (ISO 13674-1 and -2)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from axletree.analysis.procedures.contract import (
    Evaluation,
    Procedure,
    ProcedureStage,
    StageRow,
    condition,
    speed_of_all_runs,
)
from axletree.analysis.procedures.proving_ground import BOTH_SIDES, ProvingGround, whole_span
from axletree.metrics.findings import Column, Diagram, Finding, Trace, point
from axletree.metrics.vehicle_signals import LATERAL, STEERING, YAW_RATE, lateral_acceleration
from axletree.runs.steering import RampSteer, SineSteer
from axletree.simulation.trajectory import Trajectory
from axletree.vehicles.steer_estimate import steering_wheel_angle

_CYCLES = 3  # of the weave; the last one is evaluated
_TRANSITION = math.radians(5.0)  # rad/s, of the steering wheel
_TRANSITION_TO = 2.0  # m/s^2
_READ_AT = (0.5, 1.0, 1.5)  # m/s^2, of the transition
_TRIES = 3  # runs by which the amplitude of the weave is found


@dataclass(frozen=True)
class OnCentre(Procedure):
    """A weave of 0.2 Hz to 1 m/s^2 and a slow transition off straight ahead, at 100 km/h, in the
    manner of ISO 13674-1 and -2.

    In the last cycle of the weave the steering wheel's angle is drawn over lateral acceleration:
    its slope at 0 is the inverse of the steering sensitivity there, the width of the loop at 0 the
    hysteresis, and the fundamental gives gain and lag of the yaw rate. The transition turns the
    steering wheel by 5 deg/s to each side.

    Example:
    >>> import axletree as at
    >>> at.OnCentre().frequency  # Hz
    0.2
    """

    summary: ClassVar[str] = "sensitivity, hysteresis and lags about straight ahead"
    standard: ClassVar[str] = "ISO 13674-1 and -2"
    steering: ClassVar[str] = "the steering wheel turns by a weave and a slow ramp"

    speed: float = speed_of_all_runs(100.0)
    frequency: float = condition("Hz", "of the weave", 0.2)
    level: float = condition("m/s^2", "peak lateral acceleration of the weave", 1.0)

    def carry_out(self, ground: ProvingGround) -> Evaluation:
        key = ("weave_sensitivity", "weave_hysteresis", "weave_yaw_rate_gain", "weave_lag",
               "transition_sensitivity")  # fmt: skip
        return Evaluation((self._weave(ground), self._transition(ground)), key=key)

    def _weave(self, ground: ProvingGround) -> ProcedureStage:
        period = 1.0 / self.frequency
        amplitude = steering_wheel_angle(ground.vehicle, self.speed, self.level)
        weave = replace(
            ground.known("sine-steer", SineSteer), speed=self.speed, amplitude=amplitude,
            period=period, periods=None, duration=whole_span(_CYCLES * period), metrics=(),
        )  # fmt: skip
        start = ground.start(weave)
        for _ in range(_TRIES):  # the response is all but linear, so that few are enough
            run = ground.drive(weave, "weave", start=start, outputs=(*LATERAL, STEERING))
            last = run.time >= run.time[-1] - period - 1e-9
            peak = float(np.max(np.abs(lateral_acceleration(run)[last])))
            if abs(peak - self.level) < 1e-3 * self.level:
                break
            amplitude *= self.level / peak
            weave = replace(weave, amplitude=amplitude)
        found = weave_findings(run, self.frequency)
        angle, side = np.degrees(run[STEERING][last]), lateral_acceleration(run)[last]
        drawn = (
            Diagram("Weave: steering wheel", "lateral acceleration [m/s^2]", "[deg]",
                    (Trace("", side, angle),), (point(0.0, 0.5 * found[1].value, found[1]),)),
            Diagram("Weave: yaw rate", "steering wheel angle [deg]", "[deg/s]",
                    (Trace("", angle, np.degrees(run[YAW_RATE][last])),)),
        )  # fmt: skip
        words = (
            f"{3.6 * self.speed:.4g} km/h, {self.frequency:g} Hz, {math.degrees(amplitude):.4g} deg"
            f" for {self.level:g} m/s²"
        )
        return ProcedureStage("Weave", words, (), found, drawn)

    def _transition(self, ground: ProvingGround) -> ProcedureStage:
        angle = 1.1 * steering_wheel_angle(ground.vehicle, self.speed, _TRANSITION_TO)
        rise = angle / _TRANSITION
        ramp = replace(
            ground.known("ramp-steer", RampSteer), speed=self.speed, angle=angle, rise=rise,
            duration=whole_span(1.0 + rise), metrics=(),
        )  # fmt: skip
        start, rows, traces = ground.start(ramp), [], []
        for side, sign in BOTH_SIDES.items():
            run = ground.drive(
                replace(ramp, angle=sign * angle), f"transition to the {side}", start=start,
                outputs=(*LATERAL, STEERING),
            )  # fmt: skip
            turned, lateral = sign * np.degrees(run[STEERING]), sign * lateral_acceleration(run)
            rows.append(StageRow(side, _transition_row(turned, lateral)))
            traces.append(Trace(side, turned, lateral))
        values = [row.findings[-1].value for row in rows]
        mean = Finding("transition_sensitivity", float(np.mean(values)), "(m/s^2)/deg",
                       "steering sensitivity from 0.5 m/s² to 1.5 m/s²")  # fmt: skip
        drawn = Diagram(
            "Transition", "steering wheel angle [deg]", "lateral acceleration [m/s^2]",
            tuple(traces),
        )  # fmt: skip
        words = f"{3.6 * self.speed:.4g} km/h, {math.degrees(_TRANSITION):g} deg/s"
        return ProcedureStage("Transition", words, tuple(rows), (mean,), (drawn,))


def weave_findings(run: Trajectory, frequency: float) -> tuple[Finding, ...]:
    """Of the last cycle of a weave.

    The sensitivity is read from both crossings of straight ahead, by differences of records around
    them; gain and lag are those of the fundamental, by its Fourier coefficients.
    """
    period = 1.0 / frequency
    last = (run.time > run.time[-1] - period + 1e-9) & (run.time <= run.time[-1] + 1e-9)
    time, angle = run.time[last], np.degrees(run[STEERING][last])
    side, yaw = lateral_acceleration(run)[last], np.degrees(run[YAW_RATE][last])
    swing = np.exp(-2j * np.pi * frequency * time)
    wheel, turn, push = (np.mean(values * swing) for values in (angle, yaw, side))
    lag, side_lag = (
        -float(np.angle(one / wheel)) / (2.0 * np.pi * frequency) for one in (turn, push)
    )
    return (
        Finding("weave_sensitivity", _slope_at_zero(angle, side), "(m/s^2)/deg",
                "steering sensitivity at 0"),
        Finding("weave_hysteresis", _width_at_zero(side, angle), "deg",
                "steering hysteresis at 0 lateral acceleration"),
        Finding("weave_yaw_rate_gain", float(abs(turn / wheel)), "1/s", "yaw rate gain"),
        Finding("weave_lag", lag, "s", "lag of the yaw rate"),
        Finding("weave_lateral_lag", side_lag, "s", "lag of the lateral acceleration"),
    )  # fmt: skip


def _crossings(values: Column) -> list[int]:
    """Records before a change of sign, round the cycle."""
    after = np.roll(values, -1)
    return [int(k) for k in np.flatnonzero((values < 0.0) != (after < 0.0))]


def _slope_at_zero(angle: Column, side: Column) -> float:
    """d side / d angle where the angle crosses 0, mean of both."""
    slopes = []
    for k in _crossings(angle):
        n = (k + 1) % len(angle)
        slopes.append((side[n] - side[k]) / (angle[n] - angle[k]))
    return float(np.mean(slopes)) if slopes else math.nan


def _width_at_zero(side: Column, angle: Column) -> float:
    """Between the angles at which lateral acceleration crosses 0."""
    found = []
    for k in _crossings(side):
        n = (k + 1) % len(side)
        share = -side[k] / (side[n] - side[k])
        found.append(angle[k] + share * (angle[n] - angle[k]))
    return float(np.ptp(found)) if len(found) > 1 else math.nan


def _transition_row(turned: Column, lateral: Column) -> tuple[Finding, ...]:
    """Angles [deg] at levels, and the slope between the first and the last of these."""
    rising = np.maximum.accumulate(lateral)
    angles = [float(np.interp(level, rising, turned)) for level in _READ_AT]
    known = [angle if rising[-1] >= level else math.nan
             for angle, level in zip(angles, _READ_AT, strict=True)]  # fmt: skip
    slope = (_READ_AT[-1] - _READ_AT[0]) / (known[-1] - known[0])
    found = [
        Finding(f"angle_{k}", angle, "deg", f"angle at {level:g} m/s²")
        for k, (angle, level) in enumerate(zip(known, _READ_AT, strict=True), start=1)
    ]
    return (*found, Finding("sensitivity", slope, "(m/s^2)/deg", "sensitivity"))
