"""Sine with dwell: the test of electronic stability control of FMVSS 126 and UN R140."""

from __future__ import annotations

import math
from collections.abc import Sequence
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
    stopped_check,
    worst_check,
)
from axletree.analysis.procedures.proving_ground import (
    BOTH_SIDES,
    ProvingGround,
    found_value,
    whole_span,
)
from axletree.core.errors import SimulationError
from axletree.metrics.findings import Column, Diagram, Finding, Mark, Trace, level, point
from axletree.metrics.steering_transients import RATIOS, DwellStability
from axletree.metrics.vehicle_signals import (
    FORWARD_SPEED,
    LATERAL,
    STEERING,
    YAW_RATE,
    lateral_acceleration,
)
from axletree.metrics.verdict import Check, Comparison, Criterion
from axletree.model.model import STANDARD_GRAVITY
from axletree.runs.steering import RampSteer, SineWithDwell
from axletree.simulation.trajectory import Trajectory
from axletree.vehicles.steer_estimate import steering_wheel_angle

_REFERENCE, _REGRESSION = 0.3, (0.1, 0.375)  # g, of the angle A and of the records it is read from
_RAMP_TO = 0.55  # g, that the slow ramp is to reach
_FIRST, _STEP, _LAST = 1.5, 0.5, 6.5  # times A
_LARGE, _LARGEST = 270.0, 300.0  # deg, of the final run
_DISPLACEMENT_FROM = 5.0  # times A, from which on lateral displacement is judged
_HEAVY, _LIGHT_WAY, _HEAVY_WAY = 3500.0, 1.83, 1.52  # kg; m
_BEGIN_OF_STEER = 5.0  # deg
_DURATION = 6.5  # s, of a run: 1 s, some 1.93 s of steering, 1.75 s and a little
_SAME = 0.02  # times A, closer than which two amplitudes are one


@dataclass(frozen=True)
class StabilityControl(Procedure):
    """Slowly increasing steer, then sines with dwell of rising amplitude to both sides.

    The steering wheel turns by 13.5 deg/s at 80 km/h to the left and to the right (S7.6). A is its
    angle at 0.3 g on the straight line through the records from 0.1 g to 0.375 g, the mean of both
    sides, to 0.1 deg. Then it follows a sine of 0.7 Hz that dwells for 0.5 s at its second peak,
    from 1.5 A in steps of 0.5 A to the greater of 6.5 A and 270 deg, but 300 deg at most (S7.9), at
    a throttle of 0. The yaw rate is at most 35 % of its peak after the reversal 1.0 s after the
    end of steering, and 20 % after 1.75 s (S5.2.1, S5.2.2); from 5 A on, lateral displacement
    1.07 s after the steering wheel has turned by 5 deg is at least 1.83 m, or 1.52 m for a vehicle
    of more than 3500 kg (S5.2.3). UN R140 asks for the same. Each run is driven once, for all
    repetitions would be alike; the mass of the vehicle as it is stands for its permitted mass.

    Example:
    >>> import axletree as at
    >>> at.StabilityControl().amplitudes(30.0)[-3:]  # deg, with A = 30 deg
    (240.0, 255.0, 270.0)
    """

    summary: ClassVar[str] = "stability and responsiveness in a series of sines with dwell"
    standard: ClassVar[str] = "FMVSS 126 / UN R140"
    steering: ClassVar[str] = "the steering wheel turns by a slow ramp and sines with dwell"

    speed: float = speed_of_all_runs(80.0)
    ramp: float = condition("rad/s", "rate of the slowly increasing steer", math.radians(13.5))

    def amplitudes(self, reference: float) -> tuple[float, ...]:
        """Of the steering wheel [deg] for the angle A [deg], in the order of the runs.

        Example:
        >>> import axletree as at
        >>> at.StabilityControl().amplitudes(60.0)  # deg: 5 A would be the last below 300 deg
        (90.0, 120.0, 150.0, 180.0, 210.0, 240.0, 270.0, 300.0)
        """
        final = max(_LAST * reference, _LARGE) if _LAST * reference <= _LARGEST else _LARGEST
        steps = np.arange(_FIRST, final / reference, _STEP) * reference
        below = [float(angle) for angle in steps if final - angle > _SAME * reference]
        return (*below, final)

    def carry_out(self, ground: ProvingGround) -> Evaluation:
        slow, reference = self._slow_steer(ground)
        series = self._series(ground, reference)
        runs = [run for side in series.values() for _, run in side]
        way = _HEAVY_WAY if ground.vehicle.train_mass > _HEAVY else _LIGHT_WAY
        stages = [_series_stage(side, found, reference, way) for side, found in series.items()]
        checks = _checks(series, reference, way)
        stopped = stopped_check(self.standard, [run.complete for run in runs])
        summary = ProcedureStage(
            "All runs", "", findings=tuple(_worst(check) for check in checks),
            diagrams=_over_amplitude(series, way),
        )  # fmt: skip
        return Evaluation((slow, *stages, summary), (*checks, *stopped), ("reference_angle",))

    def _slow_steer(self, ground: ProvingGround) -> tuple[ProcedureStage, float]:
        """The stage, and A [deg]."""
        vehicle = ground.vehicle
        known = replace(ground.known("ramp-steer", RampSteer), speed=self.speed, metrics=())
        most = 1.3 * steering_wheel_angle(vehicle, self.speed, _RAMP_TO * STANDARD_GRAVITY)
        rise = most / self.ramp
        span = whole_span(1.0 + rise)
        rows, found, traces, marks = [], [], [], []
        start = None
        for side, sign in BOTH_SIDES.items():
            ramp = replace(known, angle=sign * most, rise=rise, duration=span)
            start = start or ground.start(ramp)
            run = ground.drive(
                ramp, f"slowly increasing steer to the {side}", start=start,
                outputs=(*LATERAL, STEERING),
            )  # fmt: skip
            angle, line = reference_angle(run, sign)
            found.append(angle)
            rows.append(StageRow(side, _of_ramp(run, sign, angle)))
            x, y = (
                sign * np.degrees(run[STEERING]),
                sign * lateral_acceleration(run) / STANDARD_GRAVITY,
            )
            traces += [Trace(side, x, y), Trace(f"{side}, regression", *line, is_guide=True)]
            marks.append(point(angle, _REFERENCE, f"{side}: {angle:.1f} deg"))
        reference = round(float(np.mean(found)), 1)
        finding = Finding("reference_angle", reference, "deg", "steering wheel angle A at 0.3 g")
        drawn = Diagram(
            "Slowly increasing steer", "steering wheel angle [deg]", "lateral acceleration [g]",
            tuple(traces), tuple(marks),
        )  # fmt: skip
        words = (
            f"{3.6 * self.speed:.4g} km/h, {math.degrees(self.ramp):.4g} deg/s; regression from "
            f"{_REGRESSION[0]:g} g to {_REGRESSION[1]:g} g"
        )
        stage = ProcedureStage("Slowly increasing steer", words, tuple(rows), (finding,), (drawn,))
        return stage, reference

    def _series(
        self, ground: ProvingGround, reference: float
    ) -> dict[str, list[tuple[float, Trajectory]]]:
        """Runs with their amplitudes [deg], by side."""
        way = _HEAVY_WAY if ground.vehicle.train_mass > _HEAVY else _LIGHT_WAY
        metric = DwellStability(way=way, begin_angle=math.radians(_BEGIN_OF_STEER))
        swerve = replace(
            ground.known("sine-with-dwell", SineWithDwell), speed=self.speed, amplitude=0.0,
            duration=_DURATION, metrics=(metric,),
        )  # fmt: skip
        start, found = ground.start(swerve), {}
        for side, sign in BOTH_SIDES.items():
            found[side] = [
                (
                    angle,
                    ground.drive(
                        replace(swerve, amplitude=sign * math.radians(angle)),
                        f"sine with dwell to the {side}, {angle:.4g} deg",
                        start=start,
                        outputs=(FORWARD_SPEED,),
                    ),
                )
                for angle in self.amplitudes(reference)
            ]
        return found


def reference_angle(run: Trajectory, sign: float) -> tuple[float, tuple[Column, Column]]:
    """A [deg] of a slow ramp to the left (1) or right (-1), and the line: angles [deg], levels [g].

    The angle at 0.3 g of the straight line by least squares of lateral acceleration over the angle
    of the steering wheel, up to the first record beyond 0.375 g.
    """
    angle, side = sign * np.degrees(run[STEERING]), sign * lateral_acceleration(run)
    share = side / STANDARD_GRAVITY
    low, high = _REGRESSION
    beyond = np.flatnonzero(share > high)
    if not beyond.size:
        raise SimulationError(
            f"the vehicle comes to {float(share.max()):.3g} g in the slowly increasing steer, and "
            f"the angle A is read from {low:g} g to {high:g} g; a vehicle that slides or tips "
            "before is not tested by this procedure"
        )
    counts = np.arange(len(share)) < beyond[0]
    counts &= share >= low
    slope, offset = np.polyfit(angle[counts], share[counts], 1)
    levels = np.array([0.0, high])
    return float((_REFERENCE - offset) / slope), ((levels - offset) / slope, levels)


def _of_ramp(run: Trajectory, sign: float, angle: float) -> tuple[Finding, ...]:
    share = sign * lateral_acceleration(run) / STANDARD_GRAVITY
    used = slice(0, int(np.argmax(share > _REGRESSION[1])) + 1)
    speed = 3.6 * run[FORWARD_SPEED][used]
    return (
        Finding("angle", angle, "deg", "angle at 0.3 g"),
        Finding("final_speed", float(speed[-1]), "km/h", "speed at 0.375 g"),
    )


def _series_stage(
    side: str, runs: Sequence[tuple[float, Trajectory]], reference: float, way: float
) -> ProcedureStage:
    rows = tuple(
        StageRow(
            f"{angle / reference:.2f} A",
            (Finding("amplitude", angle, "deg", "amplitude"), *_shown(run, angle, reference)),
        )
        for angle, run in runs
    )
    traces = tuple(
        Trace(f"{angle / reference:.2f} A", run.time, np.degrees(run[YAW_RATE]))
        for angle, run in runs
    )
    drawn = Diagram(f"Yaw rate, first to the {side}", "time [s]", "[deg/s]", traces)
    words = (
        f"0.7 Hz, dwell of 0.5 s, throttle closed; displacement of at least {way:g} m from "
        f"{_DISPLACEMENT_FROM:g} A on"
    )
    return ProcedureStage(f"Sine with dwell, first to the {side}", words, rows, (), (drawn,))


def _shown(run: Trajectory, angle: float, reference: float) -> tuple[Finding, ...]:
    words = {
        "yaw_rate_ratio_1": "yaw rate at 1.0 s", "yaw_rate_ratio_2": "yaw rate at 1.75 s",
        "lateral_displacement": "displacement at 1.07 s",
    }  # fmt: skip
    units = {"lateral_displacement": "m"}
    return tuple(
        Finding(name, found_value(run.findings, name), units.get(name, "%"), said)
        for name, said in words.items()
    )


def _checks(
    series: dict[str, list[tuple[float, Trajectory]]], reference: float, way: float
) -> tuple[Check, ...]:
    every = [pair for side in series.values() for pair in side]
    large = [pair for pair in every if pair[0] >= (_DISPLACEMENT_FROM - _SAME) * reference]
    found = []
    for k, (wait, most) in enumerate(RATIOS, start=1):
        limit = Criterion(
            f"yaw_rate_ratio_{k}", f"largest yaw rate {wait:g} s after the end of steering",
            Comparison.AT_MOST, 100.0 * most, "%", f"FMVSS 126, S5.2.{k}",
        )  # fmt: skip
        name = limit.finding
        found.append(worst_check(limit, [found_value(run.findings, name) for _, run in every]))
    limit = Criterion(
        "lateral_displacement", "least lateral displacement from 5 A on", Comparison.AT_LEAST, way,
        "m", "FMVSS 126, S5.2.3",
    )  # fmt: skip
    ways = [found_value(run.findings, limit.finding) for _, run in large]
    return (*found, worst_check(limit, ways))


def _worst(check: Check) -> Finding:
    one = check.criterion
    return Finding(one.finding, check.value, one.unit, one.description)


def _over_amplitude(
    series: dict[str, list[tuple[float, Trajectory]]], way: float
) -> tuple[Diagram, ...]:
    ratios, ways = [], []
    for side, runs in series.items():
        angles = np.array([angle for angle, _ in runs])

        def values(name: str, runs: list[tuple[float, Trajectory]] = runs) -> Column:
            return np.array([found_value(run.findings, name) for _, run in runs])

        ratios += [
            Trace(f"{side}, {wait:g} s", angles, values(f"yaw_rate_ratio_{k}"))
            for k, (wait, _) in enumerate(RATIOS, start=1)
        ]
        ways.append(Trace(side, angles, values("lateral_displacement")))
    first = float(ratios[0].x[0])
    limits: tuple[Mark, ...] = tuple(
        level(first, 100.0 * most, f"limit at {wait:g} s") for wait, most in RATIOS
    )
    wide = (level(first, way, "limit from 5 A on"),)
    x = "amplitude of the steering wheel [deg]"
    return (
        Diagram("Yaw rate over its peak", x, "[%]", tuple(ratios), limits),
        Diagram("Lateral displacement", x, "[m]", tuple(ways), wide),
    )
