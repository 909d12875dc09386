"""Lateral transient response to a step, one sine and rising frequency of steering (ISO 7401)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from axletree.analysis.procedures.contract import (
    Evaluation,
    Procedure,
    ProcedureStage,
    StageRow,
    condition,
    speed_of_all_runs,
)
from axletree.analysis.procedures.proving_ground import BOTH_SIDES, ProvingGround
from axletree.metrics.findings import Diagram, Finding
from axletree.metrics.vehicle_signals import LATERAL
from axletree.runs.steering import FrequencySweep, SineSteer, StepSteer
from axletree.vehicles.steer_estimate import SAFE_SHARE, rigid_rollover_acceleration


@dataclass(frozen=True)
class LateralTransients(Procedure):
    """Step input to both sides, one period of a sine to both sides, and a continuous sine of rising
    frequency, in the manner of ISO 7401.

    The step comes to a lateral acceleration of 4 m/s^2, or less for a vehicle that would tip; the
    sine of 0.5 Hz has the angle of the step, and the continuous sine half of it, so that it stays
    in the linear range.

    Example:
    >>> import axletree as at
    >>> at.LateralTransients(level=3.0).level  # m/s^2
    3.0
    """

    summary: ClassVar[str] = "step, sine and frequency response of yaw rate and acceleration"
    standard: ClassVar[str] = "ISO 7401"

    speed: float = speed_of_all_runs(100.0)
    level: float = condition("m/s^2", "lateral acceleration after the step", 4.0)

    def carry_out(self, ground: ProvingGround) -> Evaluation:
        level = min(self.level, SAFE_SHARE * rigid_rollover_acceleration(ground.vehicle))
        step = replace(ground.known("iso-7401-step", StepSteer), speed=self.speed, level=level)
        ground.tell("step: the angle that comes to the level")
        start = ground.start(step)
        found: Any = start.manoeuvre
        plain = replace(found, level=None)
        runs = {
            side: ground.drive(
                replace(plain, angle=sign * found.angle), f"step to the {side}", start=start,
                outputs=LATERAL,
            )
            for side, sign in BOTH_SIDES.items()
        }  # fmt: skip
        at = f"{3.6 * self.speed:.4g} km/h"
        steps = _stage(
            "Step", f"{at}, to {level:.3g} m/s²", runs,
            plain.diagrams(runs["left"]), "step",
        )  # fmt: skip
        sine = replace(ground.known("iso-7401-sine", SineSteer), speed=self.speed)
        runs = {
            side: ground.drive(
                replace(sine, amplitude=sign * found.angle), f"sine, first to the {side}",
                start=start,
            )
            for side, sign in BOTH_SIDES.items()
        }  # fmt: skip
        sines = _stage("One period of a sine", f"{at}, 0.5 Hz", runs,
                       sine.diagrams(runs["left"]), "sine")  # fmt: skip
        known = ground.known("iso-7401-sweep", FrequencySweep)
        sweep = replace(known, speed=self.speed, amplitude=0.5 * found.angle)
        run = ground.drive(sweep, "continuous sine of rising frequency", start=start)
        words = f"{at}, {sweep.first:g} Hz to {sweep.last:g} Hz"
        sweeps = _stage("Frequency response", words, {"": run}, sweep.diagrams(run), "sweep")
        key = ("step_yaw_rate_response_time", "step_yaw_rate_overshoot", "step_tb_factor",
               "sweep_yaw_rate_bandwidth", "sweep_yaw_rate_gain")  # fmt: skip
        return Evaluation((steps, sines, sweeps), key=key)


def _stage(
    title: str, words: str, runs: dict[str, Any], drawn: tuple[Diagram, ...], prefix: str
) -> ProcedureStage:
    """Findings are means of both sides."""
    rows = tuple(StageRow(side or "run", run.findings) for side, run in runs.items() if side)
    sides = [{one.name: one for one in run.findings} for run in runs.values()]
    means = [
        Finding(
            f"{prefix}_{name}", float(np.mean([_size(side, name) for side in sides])), one.unit,
            one.description,
        )
        for name, one in sides[0].items()
        if all(name in side for side in sides)
    ]  # fmt: skip
    return ProcedureStage(title, words, rows, tuple(means), drawn)


def _size(side: dict[str, Finding], name: str) -> float:
    """To the right, sideslip and steady lateral acceleration have the other sign."""
    signed = ("steady_lateral_acceleration", "steady_sideslip")
    value = side[name].value
    if name not in signed:
        return value
    return value if side["steady_lateral_acceleration"].value >= 0.0 else -value
