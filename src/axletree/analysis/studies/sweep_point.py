"""One point of a sweep: the model with its values, run, and what the run comes to."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from axletree.analysis.drive import drive
from axletree.analysis.studies.sweep_plan import SweepPlan, SweepPoint, manoeuvre_of, read_for
from axletree.analysis.studies.variations import SweepError, VariedPlace
from axletree.core.errors import AxletreeError
from axletree.core.registry import unknown_name
from axletree.equations.formulate import formulate
from axletree.model.findings import Finding
from axletree.model.manoeuvre import Manoeuvre
from axletree.model.model import Model, check_start
from axletree.simulation.simulate import simulate
from axletree.simulation.trajectory import Trajectory
from axletree.system.assemble import assemble
from axletree.system.forms.projected import Projected
from axletree.system.system import System

METHOD, STEP = "rk4", 1e-3  # of a model that proposes none; [s]
KEPT_SYSTEMS = 4  # of those that differ by places in the file


@dataclass(frozen=True)
class PointOutcome:
    """What a point came to: findings, or why there are none."""

    findings: tuple[Finding, ...] = ()
    failure: str = ""
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class PreparedModel:
    """A model with its equations."""

    model: Model
    system: System


def prepare_plan(plan: SweepPlan) -> None:
    """Form the equations once, for all points and for the processes that are forked from here."""
    if plan.varies_file:
        return
    system = _prepared(plan, next(plan.points())).system
    _check_outputs(system, plan.settings.outputs)
    known = [quantity.name for quantity in system.parameters]
    for one in plan.variations:
        if one.place is VariedPlace.PARAMETER and one.name not in known:
            place = f"the equations of {system.name}"
            raise SweepError(
                f"{unknown_name('parameter', one.name, known, place)}; one that is 0 in the model "
                "is left out of them: give it another value there"
            )


def _check_outputs(system: System, names: Sequence[str]) -> None:
    computed = [d.quantity for d in (*system.outputs, *system.intermediates)]
    known = [q.name for q in (*system.states, *system.inputs, *computed)]
    for name in names:
        if name not in known:
            raise unknown_name("quantity", name, known, system.name)


def run_point(plan: SweepPlan, point: SweepPoint) -> PointOutcome:
    """Run a point. Whatever goes wrong in it is its outcome: other points are not lost."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            findings, failure = _found(plan, point), ""
        except AxletreeError as error:
            findings, failure = (), str(error)
        except Exception as error:  # a fault in a law of the user's own, say
            findings, failure = (), f"{type(error).__name__}: {error}"
    return PointOutcome(findings, failure, tuple(dict.fromkeys(str(w.message) for w in caught)))


def _found(plan: SweepPlan, point: SweepPoint) -> tuple[Finding, ...]:
    prepared = _prepared(plan, point)
    model, given = prepared.model, prepared.model.run
    manoeuvre = manoeuvre_of(model, plan.manoeuvre, plan.settings)
    settings: dict[str, Any] = {
        "step": plan.settings.step or given.step or (STEP if manoeuvre else None),
        "method": plan.settings.method or given.method or METHOD,
        "parameters": point.parameters,
        "record_interval": given.record_interval,
    }
    if manoeuvre is None:
        return _found_in_run(plan, prepared, settings)
    manoeuvre = replace(manoeuvre, **point.fields)
    chosen = plan.settings.outputs
    proposed = given.outputs if manoeuvre.outputs is None else manoeuvre.outputs
    if chosen or manoeuvre.needed_outputs:  # the outputs of its findings are recorded anyway
        proposed = ()
    outputs = _recorded(prepared.system, proposed, chosen)
    run = drive(prepared.system, manoeuvre, outputs=outputs, **settings)
    own = manoeuvre.findings(run)
    return (*own, *_extremes(run, chosen or (() if own else proposed)))


def _found_in_run(
    plan: SweepPlan, prepared: PreparedModel, settings: dict[str, Any]
) -> tuple[Finding, ...]:
    given = prepared.model.run
    duration = plan.settings.duration or given.duration
    if duration is None:
        raise SweepError("the model proposes no duration; give one")
    chosen = plan.settings.outputs
    outputs = _recorded(prepared.system, () if chosen else given.outputs, chosen)
    run = simulate(prepared.system, duration, outputs=outputs, inputs=given.inputs, **settings)
    return _extremes(run, chosen or given.outputs)


def _recorded(
    system: System, proposed: Sequence[str] | None, chosen: Sequence[str]
) -> list[str] | None:
    """States are recorded anyway."""
    if proposed is None:
        return None
    states = {quantity.name for quantity in system.states}
    return [name for name in dict.fromkeys((*proposed, *chosen)) if name not in states]


def _extremes(run: Trajectory, names: Sequence[str] | None) -> tuple[Finding, ...]:
    """The minimum, maximum and final value of columns; of the states if none are named."""
    found = []
    for name in run.states if names is None else names:
        column = run[name]
        ends = {"minimum": column.min(), "maximum": column.max(), "final": column[-1]}
        for word, value in ends.items():
            finding = Finding(f"{name}.{word}", float(value), run.units[name], f"{word} {name}")
            found.append(finding)
    return tuple(found)


def _prepared(plan: SweepPlan, point: SweepPoint) -> PreparedModel:
    fields = tuple(
        (one.name.partition(".")[2], float(value))
        for one in plan.variations
        if one.place is VariedPlace.MANOEUVRE
        for value in one.values
    )
    changes = json.dumps(point.changes, sort_keys=True)
    return _formed(plan.source, plan.digest, plan.manoeuvre, fields, changes)


@lru_cache(maxsize=KEPT_SYSTEMS)
def _formed(
    source: str,
    digest: str,
    manoeuvre: str | None,
    fields: tuple[tuple[str, float], ...],
    changes: str,
) -> PreparedModel:
    """The equations of a model whose files have this digest.

    A manoeuvre opens parameters that are 0 and would be left out: with each of its values.
    """
    model = read_for(source, Model, manoeuvre, json.loads(changes))
    plain = model.manoeuvres.copy()
    if manoeuvre in plain:
        for k, (field, value) in enumerate(fields):
            model.manoeuvres |= _variant(plain[manoeuvre], f"{manoeuvre} {k}", field, value)
    check_start(model)
    system = assemble(formulate(model, model.tree), Projected(), model.start)
    model.manoeuvres = plain
    return PreparedModel(model, system)


def _variant(manoeuvre: Manoeuvre, name: str, field: str, value: float) -> dict[str, Manoeuvre]:
    try:
        return {name: replace(manoeuvre, **{field: value})}  # type: ignore[arg-type]
    except AxletreeError:  # which the points with this value will say
        return {}
