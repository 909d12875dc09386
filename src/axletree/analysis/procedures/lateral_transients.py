"""Lateral transient response to steps, sines, pulses and random steering (ISO 7401)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from axletree.analysis.drive import DriveStart
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
from axletree.model.manoeuvre import Manoeuvre
from axletree.runs.steering import (
    FrequencySweep,
    PulseSteer,
    RandomSteer,
    SineSteer,
    StepSteer,
)
from axletree.vehicles.steer_estimate import SAFE_SHARE, rigid_rollover_acceleration

_LINEAR = 0.5  # of the angle of the step: amplitude of what is to stay in the linear range
_RANDOM = 0.4  # of that, as standard deviation: peaks of three of them just exceed it


@dataclass(frozen=True)
class LateralTransients(Procedure):
    """The five inputs of ISO 7401, in its manner: step, one period of a sine, random, pulse and
    continuous sine (clauses 10 to 14 of 2011).

    The step comes to a lateral acceleration of 4 m/s^2, or less for a vehicle that would tip; one
    period of a sine of 0.5 Hz and the pulse have the angle of the step; steps and sines go to both
    sides. The continuous sine of rising frequency has half of that angle and the random input a
    standard deviation of a fifth, so that they stay in the linear range; responses to random
    steering are estimated from spectra, with their coherence.

    Example:
    >>> import axletree as at
    >>> at.LateralTransients(level=3.0).level  # m/s^2
    3.0
    """

    summary: ClassVar[str] = "step, sine and frequency response of yaw rate and acceleration"
    standard: ClassVar[str] = "ISO 7401"
    steering: ClassVar[str] = "the steering wheel turns by steps, sines and pulses"

    speed: float = speed_of_all_runs(100.0)
    level: float = condition("m/s^2", "lateral acceleration after the step", 4.0)

    def carry_out(self, ground: ProvingGround) -> Evaluation:
        level = min(self.level, SAFE_SHARE * rigid_rollover_acceleration(ground.vehicle))
        step = replace(ground.known("iso-7401-step", StepSteer), speed=self.speed, level=level)
        ground.tell("step: the angle that comes to the level")
        start = ground.start(step)
        found: Any = start.manoeuvre
        both = self._both_sides(ground, start, found)
        key = ("step_yaw_rate_response_time", "step_yaw_rate_overshoot", "step_tb_factor",
               "sweep_yaw_rate_bandwidth", "sweep_yaw_rate_gain")  # fmt: skip
        return Evaluation((*both, *self._spectra(ground, start, found.angle)), key=key)

    def _both_sides(
        self, ground: ProvingGround, start: DriveStart, step: StepSteer
    ) -> tuple[ProcedureStage, ...]:
        plain = replace(step, level=None)
        sine = replace(ground.known("iso-7401-sine", SineSteer), speed=self.speed)
        steps, sines = {}, {}
        for side, sign in BOTH_SIDES.items():
            angle = sign * step.angle
            steps[side] = ground.drive(
                replace(plain, angle=angle), f"step to the {side}", start=start, outputs=LATERAL
            )
            sines[side] = ground.drive(
                replace(sine, amplitude=angle), f"sine, first to the {side}", start=start
            )
        return (
            _stage("Step", f"clause 10: {self._at}, to {step.level:.3g} m/s²", steps,
                   plain.diagrams(steps["left"]), "step"),
            _stage("One period of a sine", f"clause 11: {self._at}, 0.5 Hz", sines,
                   sine.diagrams(sines["left"]), "sine"),
        )  # fmt: skip

    def _spectra(
        self, ground: ProvingGround, start: DriveStart, angle: float
    ) -> tuple[ProcedureStage, ...]:
        random = replace(ground.known("iso-7401-random", RandomSteer), speed=self.speed,
                         deviation=_RANDOM * _LINEAR * angle)  # fmt: skip
        pulse = replace(ground.known("iso-7401-pulse", PulseSteer), speed=self.speed, angle=angle)
        sweep = replace(ground.known("iso-7401-sweep", FrequencySweep), speed=self.speed,
                        amplitude=_LINEAR * angle)  # fmt: skip
        driven: tuple[tuple[str, str, Manoeuvre, str], ...] = (
            ("Random input", "random", random, f"clause 12: {self._at}, "
             f"{random.first:g} Hz to {random.last:g} Hz, {random.duration:g} s"),
            ("Pulse", "pulse", pulse, f"clause 13: {self._at}, {pulse.width:g} s"),
            ("Continuous sine", "sweep", sweep, f"clause 14: {self._at}, "
             f"{sweep.first:g} Hz to {sweep.last:g} Hz, rising"),
        )  # fmt: skip
        stages = []
        for title, prefix, manoeuvre, words in driven:
            run = ground.drive(manoeuvre, title.lower(), start=start)
            drawn = manoeuvre.diagrams(run)
            stages.append(_stage(title, words, {"": run}, drawn, prefix))
        return tuple(stages)

    @property
    def _at(self) -> str:
        return f"{3.6 * self.speed:.4g} km/h"


def _stage(
    title: str, words: str, runs: dict[str, Any], drawn: tuple[Diagram, ...], prefix: str
) -> ProcedureStage:
    """Findings are means of both sides."""
    rows = tuple(StageRow(side or "run", run.findings) for side, run in runs.items() if side)
    sides = [{one.name: one for one in run.findings} for run in runs.values()]
    means = [
        Finding(
            f"{prefix}_{name}", float(np.mean([_size(side, name) for side in sides])), one.unit,
            f"{one.description} ({title.lower()})",
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
