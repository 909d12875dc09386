"""Ride on roads of classes A to E (ISO 8608), weighted as the human body feels it (ISO 2631-1)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from axletree.analysis.procedures.contract import (
    Evaluation,
    Procedure,
    ProcedureStage,
    StageRow,
    speed_of_all_runs,
)
from axletree.analysis.procedures.proving_ground import ProvingGround, found_value
from axletree.metrics.findings import Diagram, Finding, Trace, level

_CLASSES = "abcde"
_SHOWN = ("weighted_vertical_acceleration", "weighted_longitudinal_acceleration",
         "weighted_lateral_acceleration", "vibration_total_value", "suspension_travel")  # fmt: skip
# Upper ends [m/s^2] of the vibration total value for reactions of people in public transport
# (ISO 2631-1, annex C); the ranges of the annex overlap, and these are where each begins.
_REACTIONS = ((0.315, "not uncomfortable"), (0.5, "a little uncomfortable"),
             (0.8, "fairly uncomfortable"), (1.25, "uncomfortable"),
             (2.0, "very uncomfortable"))  # fmt: skip
_EXTREME = "extremely uncomfortable"


@dataclass(frozen=True)
class RoadComfort(Procedure):
    """Weighted accelerations on random roads of classes A to E, at one speed.

    The roads are those of the manoeuvres ``iso-8608-a`` to ``-e``: one realisation of the spectrum
    of each class, the same irregularities grown by 2 from class to class. Vertical acceleration is
    weighted by Wk, horizontal ones by Wd; their vector sum, the vibration total value, goes with
    the reactions of ISO 2631-1, annex C. Acceleration is that of the body's centre of mass, not of
    a seat.

    Example:
    >>> from axletree.analysis.procedures.road_comfort import reaction
    >>> reaction(0.4)  # m/s^2
    'a little uncomfortable'
    """

    summary: ClassVar[str] = "weighted acceleration by road class, with how it feels"
    standard: ClassVar[str] = "ISO 8608 / ISO 2631-1"
    path: ClassVar[str] = "a straight line"

    speed: float = speed_of_all_runs(80.0)

    def carry_out(self, ground: ProvingGround) -> Evaluation:
        rows, findings = [], []
        for letter in _CLASSES:
            ride = replace(ground.manoeuvre(f"iso-8608-{letter}"), speed=self.speed)
            run = ground.drive(ride, f"road of class {letter.upper()}")
            found = {one.name: one for one in run.findings}
            total = found_value(run.findings, "vibration_total_value")
            row = tuple(found[name] for name in _SHOWN if name in found)
            rows.append(StageRow(f"class {letter.upper()}, {reaction(total)}", row))
            findings.append(Finding(f"vibration_total_value_{letter}", total, "m/s^2",
                                    f"vibration total value, class {letter.upper()}"))  # fmt: skip
        words = f"{3.6 * self.speed:.4g} km/h, one realisation of each class"
        drawn = _over_roughness(rows)
        stage = ProcedureStage("Road classes", words, tuple(rows), tuple(findings), (drawn,))
        return Evaluation((stage,))


def reaction(total: float) -> str:
    """How a vibration total value [m/s^2] feels."""
    return next((words for most, words in _REACTIONS if total < most), _EXTREME)


def _over_roughness(rows: list[StageRow]) -> Diagram:
    x = np.array([2.0**k for k in range(len(rows))])
    names = {"weighted_vertical_acceleration": "vertical, Wk",
             "weighted_lateral_acceleration": "lateral, Wd",
             "vibration_total_value": "vibration total value"}  # fmt: skip
    traces = tuple(
        Trace(said, x, np.array([found_value(row.findings, name) for row in rows]))
        for name, said in names.items()
    )
    marks = tuple(level(1.0, most, f"below: {words}") for most, words in _REACTIONS[:4])
    return Diagram("Weighted acceleration", "roughness over that of class A [1]", "[m/s^2]",
                   traces, marks)  # fmt: skip
