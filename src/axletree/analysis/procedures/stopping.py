"""Stopping distance in a straight line (ISO 21994)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from axletree.analysis.procedures.contract import (
    Evaluation,
    Procedure,
    ProcedureStage,
    StageRow,
    condition,
    stopped_check,
)
from axletree.analysis.procedures.proving_ground import KMH, ProvingGround
from axletree.metrics.findings import Diagram, Finding
from axletree.metrics.vehicle_signals import FORWARD_SPEED
from axletree.runs.acceleration_and_braking import PedalBraking

_SPEEDS = (1.0, 0.8, 0.6)  # of the first speed
_SHOWN = ("stopping_distance", "stopping_time", "mean_fully_developed_deceleration",
         "maximum_heading_change")  # fmt: skip


@dataclass(frozen=True)
class StoppingDistance(Procedure):
    """Stops with the pedal all the way down, in the manner of ISO 21994.

    Brakes that limit slip get the whole pedal, as an anti-lock system does, and others what their
    tyres can take. The standard measures at 100 km/h, ten times and takes the mean; runs of a model
    are alike, so that one is driven, and further ones from 80 % and 60 % of the speed.

    Example:
    >>> import axletree as at
    >>> f"{3.6 * at.StoppingDistance().speed:.0f} km/h"
    '100 km/h'
    """

    summary: ClassVar[str] = "stopping distance and deceleration with the pedal down"
    standard: ClassVar[str] = "ISO 21994"
    steering: ClassVar[str] = "the steering wheel is held straight"

    speed: float = condition("m/s", "first speed", 100.0 * KMH)

    def carry_out(self, ground: ProvingGround) -> Evaluation:
        stop = ground.known("iso-21994-braking", PedalBraking)
        rows, complete = [], []
        drawn: tuple[Diagram, ...] = ()
        for share in _SPEEDS:
            speed = share * self.speed
            once = replace(stop, speed=speed)
            run = ground.drive(once, f"stop from {3.6 * speed:.4g} km/h", outputs=(FORWARD_SPEED,))
            found = {one.name: one for one in run.findings}
            rows.append(StageRow(f"{3.6 * speed:.4g} km/h", tuple(
                found[name] for name in _SHOWN if name in found
            )))  # fmt: skip
            complete.append(run.complete)
            drawn = drawn or once.diagrams(run)
        first = rows[0].findings
        findings = tuple(_renamed(one, 3.6 * self.speed) for one in first)
        words = f"pedal {100.0 * stop.pedal:.3g} %, straight ahead on the ground of the model"
        stage = ProcedureStage("Stops", words, tuple(rows), findings, drawn)
        return Evaluation((stage,), stopped_check(self.standard, complete), _SHOWN)


def _renamed(found: Finding, speed: float) -> Finding:
    return replace(found, description=f"{found.description}, from {speed:.4g} km/h")
