"""Steady-state cornering by the three methods of ISO 4138."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from axletree.analysis.procedures.contract import (
    Evaluation,
    Procedure,
    ProcedureStage,
    StageRow,
    condition,
)
from axletree.analysis.procedures.proving_ground import (
    BOTH_SIDES,
    KMH,
    ProvingGround,
    found_value,
    whole_span,
)
from axletree.metrics.findings import Diagram, Finding, Trace
from axletree.metrics.steady_cornering import SteadyCornering
from axletree.metrics.vehicle_signals import (
    ADDED_ANGLE,
    FORWARD_SPEED,
    LATERAL,
    ROLL,
    SIDESLIP,
    STEERING,
    YAW_RATE,
    lateral_acceleration,
    steering_angle,
)
from axletree.runs.follow_path import FollowPath
from axletree.runs.steering import RampSteer, StepSteer
from axletree.simulation.trajectory import Trajectory
from axletree.vehicles.steer_estimate import SAFE_SHARE, rigid_rollover_acceleration
from axletree.vehicles.steer_estimate import steering_wheel_angle as estimated_angle

_LEVEL = 4.0  # m/s^2, up to which lateral acceleration rises
_FITTED = (0.5, 2.0)  # m/s^2, of the straight line
_SLOW = math.radians(5.0)  # rad/s of the steering wheel, at most
_HELD_SPEEDS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)  # of the speed, at one steering wheel angle
_HELD_LEVEL = 2.0  # m/s^2, at the last of these
_NEEDED = (STEERING, SIDESLIP, ROLL, *LATERAL)


@dataclass(frozen=True)
class SteadyCircle(Procedure):
    """Understeer, sideslip and roll gradients by a constant radius, a constant steering-wheel
    angle and a constant speed, in the manner of ISO 4138.

    On the circle of 100 m a driver lets the speed rise slowly; at the constant speed the steering
    wheel turns slowly, to both sides; at the constant angle the vehicle settles at one speed after
    another. Gradients are of the straight line from 0.5 m/s^2 to 2 m/s^2, where the three agree.

    Example:
    >>> import axletree as at
    >>> f"{3.6 * at.SteadyCircle().speed:.0f} km/h"
    '100 km/h'
    """

    summary: ClassVar[str] = "understeer, sideslip and roll gradients by three methods"
    standard: ClassVar[str] = "ISO 4138"
    path: ClassVar[str] = "the circle of the method at constant radius"

    speed: float = condition("m/s", "of the method at constant speed", 100.0 * KMH)

    def carry_out(self, ground: ProvingGround) -> Evaluation:
        stages = (self._radius(ground), self._angle(ground), self._speed(ground))
        values = [stage.findings[0].value for stage in stages]
        spread = Finding(
            "understeer_spread", float(np.ptp(values)), "deg/(m/s^2)",
            "difference of the understeer gradients of the three methods",
        )  # fmt: skip
        whole = ProcedureStage("All methods", "", findings=(spread,))
        key = ("understeer_constant_radius", "understeer_constant_angle",
               "understeer_constant_speed", "roll_gradient_constant_speed")  # fmt: skip
        return Evaluation((*stages, whole), key=key)

    def _metric(self, ground: ProvingGround) -> SteadyCornering:
        vehicle = ground.vehicle
        ratio = next(a.steering.ratio for a in vehicle.axles.values() if a.steering is not None)
        low, high = _FITTED
        return SteadyCornering(vehicle.wheelbase, ratio, least=low, greatest=high)

    def _radius(self, ground: ProvingGround) -> ProcedureStage:
        known = ground.known("iso-4138-constant-radius", FollowPath)
        metric: Any = (self._metric(ground),)
        rows, traces = [], []
        for side, sign in BOTH_SIDES.items():
            path: Any = known.path
            circle = replace(known, path=replace(path, radius=sign * path.radius), metrics=metric)
            run = ground.drive(circle, f"constant radius, {side}", outputs=_NEEDED)
            rows.append(StageRow(side, _gradients(run)))
            traces.append(_beyond_ackermann(run, self._metric(ground), side, sign))
        path = known.path
        words = f"radius {abs(path.radius):g} m; speed rises slowly"
        return _stage("Constant radius", words, rows, traces, "constant_radius")

    def _speed(self, ground: ProvingGround) -> ProcedureStage:
        vehicle = ground.vehicle
        level = min(_LEVEL, SAFE_SHARE * rigid_rollover_acceleration(vehicle))
        angle = estimated_angle(vehicle, self.speed, level)
        rise = max(angle / _SLOW, 10.0)
        ramp = replace(
            ground.known("ramp-steer", RampSteer), speed=self.speed, angle=angle, rise=rise,
            duration=whole_span(1.0 + rise), metrics=(self._metric(ground),),
        )  # fmt: skip
        start, rows, traces = ground.start(ramp), [], []
        for side, sign in BOTH_SIDES.items():
            run = ground.drive(
                replace(ramp, angle=sign * angle), f"constant speed, {side}", start=start,
                outputs=_NEEDED,
            )  # fmt: skip
            rows.append(StageRow(side, _gradients(run)))
            traces.append(_beyond_ackermann(run, self._metric(ground), side, sign))
        words = f"{3.6 * self.speed:.4g} km/h; the steering wheel turns by {angle / rise:.3g} rad/s"
        return _stage("Constant speed", words, rows, traces, "constant_speed")

    def _angle(self, ground: ProvingGround) -> ProcedureStage:
        """The states at which the vehicle settles, as one run over speeds."""
        vehicle, metric = ground.vehicle, self._metric(ground)
        angle = estimated_angle(vehicle, self.speed, _HELD_LEVEL)
        rows, traces = [], []
        for side, sign in BOTH_SIDES.items():
            states = [self._held(ground, side, sign * angle, share) for share in _HELD_SPEEDS]
            columns = {name: np.array([one[name] for one in states]) for name in states[0]}
            settled = Trajectory(ground.model.name, np.arange(float(len(states))), columns, {}, ())
            found = metric.findings(settled)
            rows.append(StageRow(side, _chosen(found)))
            traces.append(_beyond_ackermann(settled, metric, side, sign))
        fast, slow = 3.6 * self.speed, 3.6 * _HELD_SPEEDS[0] * self.speed
        words = (
            f"{math.degrees(angle):.4g} deg of the steering wheel, {slow:.4g} to {fast:.4g} km/h"
        )
        return _stage("Constant steering-wheel angle", words, rows, traces, "constant_angle")

    def _held(
        self, ground: ProvingGround, side: str, angle: float, share: float
    ) -> dict[str, float]:
        turn = replace(
            ground.known("step-steer", StepSteer), speed=share * self.speed, angle=angle,
            level=None, rise=1.0, duration=5.0, metrics=(),
        )  # fmt: skip
        words = f"constant steering-wheel angle, {side}, {3.6 * share * self.speed:.4g} km/h"
        run = ground.drive(turn, words, outputs=_NEEDED)
        late = run.time >= run.time[-1] - 0.5
        names = [name for name in (*_NEEDED, ADDED_ANGLE) if name in run]
        return {name: float(np.mean(run[name][late])) for name in names}


def _gradients(run: Trajectory) -> tuple[Finding, ...]:
    return _chosen(run.findings)


def _chosen(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    wanted = ("understeer_gradient", "sideslip_gradient", "roll_gradient")
    return tuple(one for name in wanted for one in findings if one.name == name)


def _beyond_ackermann(run: Trajectory, metric: SteadyCornering, side: str, sign: float) -> Trace:
    """Steer angle beyond wheelbase over radius [deg], over lateral acceleration."""
    curvature = run[YAW_RATE] / run[FORWARD_SPEED]
    angle = steering_angle(run) / metric.ratio - metric.wheelbase * curvature
    lateral = lateral_acceleration(run)
    shown = np.abs(lateral) >= 0.2  # slower, a quotient of small numbers
    return Trace(side, sign * lateral[shown], sign * np.degrees(angle[shown]))


def _stage(
    title: str, words: str, rows: list[StageRow], traces: list[Trace], suffix: str
) -> ProcedureStage:
    names = {"understeer_gradient": "understeer", "sideslip_gradient": "sideslip_gradient",
             "roll_gradient": "roll_gradient"}  # fmt: skip
    means = []
    for name, short in names.items():
        values = [found_value(row.findings, name) for row in rows]
        if name == "understeer_gradient" or not all(math.isnan(value) for value in values):
            said = f"{name.replace('_', ' ')}, {title[0].lower()}{title[1:]}"
            mean = Finding(f"{short}_{suffix}", float(np.mean(values)), "deg/(m/s^2)", said)
            means.append(mean)
    drawn = Diagram(
        f"Steer angle beyond Ackermann, {title[0].lower()}{title[1:]}",
        "lateral acceleration [m/s^2]", "[deg]", tuple(traces),
    )  # fmt: skip
    return ProcedureStage(title, words, tuple(rows), tuple(means), (drawn,))
