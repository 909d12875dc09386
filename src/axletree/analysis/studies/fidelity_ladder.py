"""One manoeuvre by all models of a vehicle, from the full one to the linear one; as a table and as
JSON.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from axletree.analysis.drive import drive, proposed_step
from axletree.analysis.studies.comparison import finding_value
from axletree.analysis.studies.sweep_plan import RunSettings, manoeuvre_of, read_for
from axletree.analysis.studies.sweep_points import SWEEP_METHOD, SWEEP_STEP
from axletree.analysis.studies.workers import PointBar
from axletree.core.arguments import check_arguments
from axletree.core.errors import AxletreeError
from axletree.core.registry import unknown_name
from axletree.core.text_table import TextTable
from axletree.metrics.findings import Finding, unit_in_words, value_in_words
from axletree.metrics.vehicle_signals import LATERAL, ROLL, SIDESLIP, STEERING, X, Y
from axletree.model_files.read import read_model
from axletree.simulation.simulate import form_for
from axletree.simulation.trajectory import Trajectory
from axletree.system.formulation import formulate
from axletree.vehicles.vehicle import Fidelity, Vehicle

RECORDED = tuple(dict.fromkeys([STEERING, *LATERAL, SIDESLIP, ROLL, X, Y]))


def rungs_of(vehicle: Vehicle) -> tuple[Fidelity, ...]:
    """Those of the ladder: static loads are a rung that two-track stands above by load transfer
    alone.

    Example:
    >>> import axletree as at
    >>> from axletree.analysis.studies.fidelity_ladder import rungs_of
    >>> [one.value for one in rungs_of(at.read_model("sedan").described["vehicle"])]
    ['full', '14-dof', 'two-track', 'single-track', 'linear']
    """
    return tuple(one for one in vehicle.fidelities if one is not Fidelity.TWO_TRACK_STATIC)


class LadderError(AxletreeError):
    """A model that is no vehicle, or that no fidelity of it drives."""


@dataclass(frozen=True, eq=False)
class Rung:
    """What one of the models did."""

    fidelity: Fidelity
    run: Trajectory
    findings: tuple[Finding, ...]

    def finding(self, name: str) -> Finding | None:
        return next((found for found in self.findings if found.name == name), None)


@dataclass(frozen=True, eq=False)
class Ladder:
    """The models in the order of their fidelity, the full one first.

    Example:
    >>> from axletree.analysis.studies.fidelity_ladder import Ladder
    >>> found = Ladder("sedan", "braking", 20.0, (), {"linear": "its speed is constant"})  # m/s
    >>> found.left_out["linear"]
    'its speed is constant'
    """

    model: str
    manoeuvre: str
    speed: float  # [m/s], at the start
    rungs: tuple[Rung, ...]
    left_out: Mapping[str, str] = field(default_factory=dict)  # reasons by fidelity

    def __getitem__(self, fidelity: str) -> Rung:
        found = {rung.fidelity.value: rung for rung in self.rungs}
        if fidelity not in found:
            raise unknown_name("model", fidelity, found, f"the ladder of {self.model}")
        return found[fidelity]

    def __repr__(self) -> str:
        return ladder_table(self).text()

    def _repr_html_(self) -> str:
        return ladder_table(self).html()


def drive_ladder(
    source: str | Path,
    manoeuvre: str,
    speed: float | str | None = None,
    fidelities: Sequence[Fidelity] | None = None,
) -> Ladder:
    """Drive a manoeuvre by the models of a vehicle; one that cannot is left out, with its reason.

    ``source`` is a file or a name of the catalogue, ``speed`` in m/s that of the manoeuvre if none
    is given, and ``fidelities`` are those that the vehicle has if none are given. On a terminal a
    bar shows how many are done.

    Example:
    >>> import axletree as at
    >>> from axletree.vehicles.vehicle import Fidelity
    >>> found = at.drive_ladder("sedan", "step-steer", "20 m/s", [Fidelity.LINEAR])
    >>> found["linear"].finding("yaw_rate_gain").in_words
    '0.385359 1/s'
    """
    check_arguments(drive_ladder, locals())
    model = read_model(str(source))
    if "vehicle" not in model.described:
        raise LadderError(
            f"{model.name} has no section 'vehicle'; other models have no fidelities to compare"
        )
    vehicle = model.described["vehicle"]
    assert isinstance(vehicle, Vehicle)
    chosen = rungs_of(vehicle) if fidelities is None else fidelities
    settings = RunSettings(speed=speed)
    begins = manoeuvre_of(model, manoeuvre, settings)
    assert begins is not None
    rungs: list[Rung] = []
    left_out: dict[str, str] = {}
    with PointBar(0, len(chosen), "models") as bar:
        for fidelity in chosen:
            try:
                rungs.append(_drive(str(source), manoeuvre, settings, fidelity))
            except AxletreeError as error:
                left_out[fidelity.value] = str(error)
            bar.show(len(rungs) + len(left_out), len(left_out))
    if not rungs:
        raise LadderError(next(iter(left_out.values()), "no fidelity was chosen"))
    return Ladder(model.name, manoeuvre, begins.speed, tuple(rungs), left_out)


def _drive(source: str, name: str, settings: RunSettings, fidelity: Fidelity) -> Rung:
    model = read_for(source, name, {"vehicle": {"fidelity": fidelity.value}})
    manoeuvre, given = manoeuvre_of(model, name, settings), model.run
    assert manoeuvre is not None
    method = given.method or SWEEP_METHOD
    system = formulate(model, form=form_for(method))
    states = {quantity.name for quantity in system.states}  # a driver's steering is among them
    step = proposed_step(given, method, manoeuvre.span, given.record_interval)
    run = drive(
        system, manoeuvre, step=step or SWEEP_STEP, method=method,
        outputs=[one for one in RECORDED if one not in states],
        record_interval=given.record_interval,
    )  # fmt: skip
    return Rung(fidelity, run, manoeuvre.findings(run))


def ladder_table(ladder: Ladder) -> TextTable:
    """What the models came to, side by side."""
    heads = ("finding:", *(rung.fidelity.value for rung in ladder.rungs), "unit:")
    rows = []
    for found in _known(ladder):
        values = [finding_value(rung.findings, found.name) for rung in ladder.rungs]
        texts = [value_in_words(value, found.unit, 5) for value in values]
        rows.append((found.description, *texts, unit_in_words(found.unit)))
    title = f"{ladder.model}, {ladder.manoeuvre} at {3.6 * ladder.speed:.5g} km/h"
    return TextTable(title, heads, tuple(rows))


def ladder_json(ladder: Ladder) -> str:
    """The same with all digits; what a run does not tell is null."""
    found: dict[str, Any] = {
        "model": ladder.model,
        "manoeuvre": ladder.manoeuvre,
        "speed": {"value": ladder.speed, "unit": "m/s"},
        "metrics": {
            one.name: {
                "unit": one.unit,
                "description": one.description,
                "values": {r.fidelity.value: _or_null(r.findings, one.name) for r in ladder.rungs},
            }
            for one in _known(ladder)
        },
        "left_out": dict(ladder.left_out),
    }
    return json.dumps(found, indent=2, allow_nan=False) + "\n"


def _known(ladder: Ladder) -> list[Finding]:
    """The findings of all models, each once."""
    return list({f.name: f for rung in reversed(ladder.rungs) for f in rung.findings}.values())


def _or_null(findings: Sequence[Finding], name: str) -> float | None:
    value = finding_value(findings, name)
    return value if math.isfinite(value) else None
