"""Braking in a turn (ISO 7975) and the reaction to a closed throttle in a turn (ISO 9816)."""

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
from axletree.analysis.procedures.proving_ground import BOTH_SIDES, ProvingGround, found_value
from axletree.components.fields import field_of
from axletree.metrics.findings import Diagram, Finding, Trace
from axletree.metrics.vehicle_signals import (
    HEADING,
    SIDESLIP,
    YAW_RATE,
    X,
    Y,
    at,
)
from axletree.runs.acceleration_and_braking import BrakingInTurn
from axletree.runs.standard_manoeuvres import pedal_for
from axletree.simulation.trajectory import Trajectory
from axletree.vehicles.steer_estimate import (
    SAFE_SHARE,
    rigid_rollover_acceleration,
    steering_wheel_angle,
)
from axletree.vehicles.vehicle import Vehicle

_DECELERATIONS = (2.0, 3.0, 4.0, 5.0, 6.0)  # m/s^2, that the pedal is set for
_LEVELS = (3.0, 4.0, 5.0, 6.0)  # m/s^2, before the throttle is closed
_NEEDED = (YAW_RATE, SIDESLIP, X, Y, HEADING)
_AFTER = 1.0  # s, when the response is read
_BEGIN, _RUN = 5.0, 4.0  # s, when the turn is steady, and after that


@dataclass(frozen=True)
class CircleBraking(Procedure):
    """Braking on a circle, harder from run to run, to both sides, in the manner of ISO 7975.

    The vehicle turns on a radius of 100 m at 5 m/s^2, or less where it would tip. Then the steering
    wheel stays, the throttle closes and the pedal goes down within 0.2 s, to positions for
    decelerations of 2 m/s^2 to 6 m/s^2. One second later yaw rate and speed over those of a circle
    of the same radius, sideslip and deceleration are read.

    Example:
    >>> import axletree as at
    >>> at.CircleBraking().radius  # m
    100.0
    """

    summary: ClassVar[str] = "yaw and sideslip by deceleration, braking on a circle"
    standard: ClassVar[str] = "ISO 7975"
    steering: ClassVar[str] = "the steering wheel stays where it is on the circle"

    radius: float = condition("m", "radius of the circle", 100.0)
    level: float = condition("m/s^2", "lateral acceleration before braking", 5.0)

    def carry_out(self, ground: ProvingGround) -> Evaluation:
        vehicle = ground.vehicle
        turn = _turn(ground, self.radius, _safe(vehicle, self.level), "braking in a turn")
        stages = []
        for side, sign in BOTH_SIDES.items():
            rows, traces = [], []
            for wanted in _DECELERATIONS:
                braked = replace(
                    turn.manoeuvre, angle=sign * turn.manoeuvre.angle,
                    pedal=pedal_for(vehicle, wanted),
                )  # fmt: skip
                words = f"braking in a turn to the {side}, {wanted:g} m/s²"
                run = ground.drive(braked, words, start=turn.start, outputs=_NEEDED)
                deceleration = found_value(run.findings, "mean_deceleration")
                mean = Finding("mean_deceleration", deceleration, "m/s^2", "mean deceleration")
                rows.append(StageRow(f"{wanted:g} m/s²", (mean, *_response(run, braked.begin))))
                traces.append(_yaw_trace(run, braked.begin, sign, f"{wanted:g} m/s²"))
            stages.append(_stage(f"To the {side}", self._words(vehicle), rows, traces, side))
        return Evaluation((*stages, _worst(stages)), key=_KEY)

    def _words(self, vehicle: Vehicle) -> str:
        level = _safe(vehicle, self.level)
        speed = 3.6 * math.sqrt(level * self.radius)
        return f"radius {self.radius:g} m, {level:.3g} m/s², {speed:.4g} km/h"


@dataclass(frozen=True)
class LiftOff(Procedure):
    """The throttle closes on a circle, at higher lateral acceleration from run to run, to both
    sides, in the manner of ISO 9816.

    The vehicle turns on a radius of 100 m. Then the steering wheel stays and the throttle closes
    within 0.2 s. One second later yaw rate and speed over those of a circle of the same radius,
    and sideslip, are read.

    Example:
    >>> import axletree as at
    >>> at.LiftOff().radius  # m
    100.0
    """

    summary: ClassVar[str] = "yaw and sideslip after the throttle is closed on a circle"
    standard: ClassVar[str] = "ISO 9816"
    steering: ClassVar[str] = "the steering wheel stays where it is on the circle"

    radius: float = field_of(CircleBraking, "radius")

    def carry_out(self, ground: ProvingGround) -> Evaluation:
        most = _safe(ground.vehicle, _LEVELS[-1])
        levels = [level for level in _LEVELS if level <= most] or [most]
        stages = []
        turns = [_turn(ground, self.radius, level, f"lift-off at {level:g} m/s²")
                 for level in levels]  # fmt: skip
        for side, sign in BOTH_SIDES.items():
            rows, traces = [], []
            for level, turn in zip(levels, turns, strict=True):
                lifted = replace(turn.manoeuvre, angle=sign * turn.manoeuvre.angle)
                words = f"lift-off in a turn to the {side}, {level:g} m/s²"
                run = ground.drive(lifted, words, start=turn.start, outputs=_NEEDED)
                rows.append(StageRow(f"{level:g} m/s²", _response(run, lifted.begin)))
                traces.append(_yaw_trace(run, lifted.begin, sign, f"{level:g} m/s²"))
            words = f"radius {self.radius:g} m; the throttle closes within 0.2 s"
            stages.append(_stage(f"To the {side}", words, rows, traces, side))
        return Evaluation((*stages, _worst(stages)), key=_KEY)


_KEY = ("largest_yaw_rate_ratio", "largest_sideslip_change")


@dataclass(frozen=True, eq=False)
class _Turn:
    manoeuvre: Any  # with the angle that the level takes, and no level to look for
    start: Any


def _safe(vehicle: Vehicle, level: float) -> float:
    return min(level, SAFE_SHARE * rigid_rollover_acceleration(vehicle))


def _turn(ground: ProvingGround, radius: float, level: float, words: str) -> _Turn:
    speed = math.sqrt(level * radius)
    sought = replace(
        ground.known("braking-in-turn", BrakingInTurn), speed=speed, pedal=0.0, level=level,
        angle=steering_wheel_angle(ground.vehicle, speed, level), begin=_BEGIN,
        duration=_BEGIN + _RUN,
    )  # fmt: skip
    ground.tell(f"{words}: the angle that comes to the level")
    start = ground.start(sought)
    found: Any = start.manoeuvre
    return _Turn(replace(found, level=None), start)


def _response(run: Trajectory, begin: float) -> tuple[Finding, ...]:
    """One second after the application, against the circle at the speed of that instant."""
    r, r0 = at(run, run[YAW_RATE], begin + _AFTER), at(run, run[YAW_RATE], begin)
    x, y = (np.gradient(run[name], run.time) for name in (X, Y))
    v, v0 = (at(run, np.hypot(x, y), time) for time in (begin + _AFTER, begin))
    slips = [math.degrees(at(run, run[SIDESLIP], time)) for time in (begin, begin + _AFTER)]
    late = run.time >= begin
    top = run[YAW_RATE][late] / r0
    ratio = r / (r0 * v / v0) if v > 0.0 else math.nan
    return (
        Finding("yaw_rate_ratio", ratio, "1", "yaw rate over that of the circle, 1 s later"),
        Finding("peak_yaw_rate_ratio", float(np.max(top)), "1", "peak yaw rate over the first"),
        Finding("sideslip_change", math.copysign(1.0, r0) * (slips[1] - slips[0]), "deg",
                "change of the sideslip angle"),
    )  # fmt: skip


def _yaw_trace(run: Trajectory, begin: float, sign: float, label: str) -> Trace:
    shown = (run.time >= begin - 0.5) & (run.time <= begin + _RUN)
    return Trace(label, run.time[shown] - begin, sign * np.degrees(run[YAW_RATE][shown]))


def _stage(
    title: str, words: str, rows: list[StageRow], traces: list[Trace], side: str
) -> ProcedureStage:
    drawn = Diagram(f"Yaw rate, to the {side}", "time [s]", "[deg/s]", tuple(traces))
    return ProcedureStage(title, words, tuple(rows), (), (drawn,))


def _worst(stages: list[ProcedureStage]) -> ProcedureStage:
    rows = [row.findings for stage in stages for row in stage.rows]
    ratios = [found_value(row, "yaw_rate_ratio") for row in rows]
    slips = [abs(found_value(row, "sideslip_change")) for row in rows]
    found = (
        Finding("largest_yaw_rate_ratio", float(np.max(ratios)), "1",
                "largest yaw rate over that of the circle, 1 s later"),
        Finding("largest_sideslip_change", float(np.max(slips)), "deg",
                "largest change of the sideslip angle"),
    )  # fmt: skip
    return ProcedureStage("All runs", "", findings=found)
