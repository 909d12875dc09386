"""What a point of a sweep comes to: its model, its run, the findings of that run."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from axletree.analysis.drive import drive, proposed_step
from axletree.analysis.studies.sweep_plan import (
    SweepError,
    SweepPlan,
    SweepPoint,
    VariedPlace,
    manoeuvre_of,
    read_for,
)
from axletree.core.errors import AxletreeError
from axletree.core.registry import refuse_unknown, unknown_name
from axletree.metrics.findings import Finding
from axletree.model.manoeuvre import Manoeuvre
from axletree.model.model import Model
from axletree.model_files.carried_model import CarriedModel
from axletree.simulation.simulate import form_for, simulate
from axletree.simulation.trajectory import Trajectory
from axletree.system.formulation import formulate
from axletree.system.system import System

SWEEP_METHOD, SWEEP_STEP = "rk4", 1e-3  # of a model that proposes none; [s]
KEPT_SYSTEMS = 4  # of those that differ by places in the file


@dataclass(frozen=True)
class PointOutcome:
    """What a point came to: findings, or why there are none."""

    findings: tuple[Finding, ...] = ()
    failure: str = ""
    remarks: tuple[str, ...] = ()


def prepare_plan(plan: SweepPlan) -> None:
    """Form the equations once, for all points and for the processes that are forked from here."""
    if plan.varies_file:
        return
    _, system = _prepared(plan, next(plan.points()))
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
    refuse_unknown("quantity", names, known, system.name)


def run_point(plan: SweepPlan, point: SweepPoint) -> PointOutcome:
    """Run a point. Whatever goes wrong in it is its outcome: other points are not lost."""
    return outcome_of(lambda: _found(plan, point))


def outcome_of(find: Callable[[], tuple[Finding, ...]]) -> PointOutcome:
    """What is found, or why it is not, and what was warned of meanwhile."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            findings, failure = find(), ""
        except AxletreeError as error:
            findings, failure = (), str(error)
        except Exception as error:  # a fault in a law of the user's own, say
            findings, failure = (), f"{type(error).__name__}: {error}"
    return PointOutcome(findings, failure, tuple(dict.fromkeys(str(w.message) for w in caught)))


def _found(plan: SweepPlan, point: SweepPoint) -> tuple[Finding, ...]:
    model, system = _prepared(plan, point)
    given = model.run
    manoeuvre = manoeuvre_of(model, plan.manoeuvre, plan.settings)
    if manoeuvre is not None:
        manoeuvre = replace(manoeuvre, **point.fields)
    method = plan.settings.method or given.method or SWEEP_METHOD
    span = (plan.settings.duration or given.duration) if manoeuvre is None else manoeuvre.span
    step = proposed_step(given, method, span, given.record_interval)
    settings: dict[str, Any] = {
        "step": plan.settings.step or step or (SWEEP_STEP if manoeuvre else None),
        "method": method,
        "parameters": point.parameters,
        "record_interval": given.record_interval,
    }
    if manoeuvre is None:
        return _found_in_run(plan, model, system, settings)
    chosen = plan.settings.outputs
    proposed = given.outputs if manoeuvre.outputs is None else manoeuvre.outputs
    if chosen or manoeuvre.needed_outputs:  # the outputs of its findings are recorded anyway
        proposed = ()
    outputs = _recorded(system, proposed, chosen)
    run = drive(system, manoeuvre, outputs=outputs, **settings)
    own = manoeuvre.findings(run)
    return (*own, *reduced(run, chosen or (() if own else proposed), plan.settings.reductions))


def _found_in_run(
    plan: SweepPlan, model: Model, system: System, settings: dict[str, Any]
) -> tuple[Finding, ...]:
    given = model.run
    duration = plan.settings.duration or given.duration
    if duration is None:
        raise SweepError("the model proposes no duration; give one")
    chosen = plan.settings.outputs
    outputs = _recorded(system, () if chosen else given.outputs, chosen)
    run = simulate(system, duration, outputs=outputs, inputs=given.inputs, **settings)
    return reduced(run, chosen or given.outputs, plan.settings.reductions)


def _recorded(
    system: System, proposed: Sequence[str] | None, chosen: Sequence[str]
) -> list[str] | None:
    """States are recorded anyway."""
    if proposed is None:
        return None
    states = {quantity.name for quantity in system.states}
    return [name for name in dict.fromkeys((*proposed, *chosen)) if name not in states]


_REDUCED: dict[str, Callable[[Any], Any]] = {
    "minimum": np.min,
    "maximum": np.max,
    "mean": np.mean,
    "rms": lambda column: np.sqrt(np.mean(column**2)),
    "final": lambda column: column[-1],
}


def reduced(
    run: Trajectory, names: Sequence[str] | None, words: Sequence[str]
) -> tuple[Finding, ...]:
    """The minimum, the final value and so on of columns; of the states if none are named."""
    return tuple(
        Finding(f"{name}.{word}", float(_REDUCED[word](run[name])), run.units[name],
                f"{word.upper() if word == 'rms' else word} {name}")
        for name in (run.states if names is None else names)
        for word in words
    )  # fmt: skip


def _prepared(plan: SweepPlan, point: SweepPoint) -> tuple[Model, System]:
    fields = tuple(
        (one.name.partition(".")[2], float(value))
        for one in plan.variations
        if one.place is VariedPlace.MANOEUVRE
        for value in one.values
    )
    changes = json.dumps(point.changes, sort_keys=True)
    method = plan.settings.method
    return _formed(plan.source, plan.digest, plan.manoeuvre, fields, changes, method)


@lru_cache(maxsize=KEPT_SYSTEMS)
def _formed(
    source: str | CarriedModel | Model,
    digest: str,
    manoeuvre: str | None,
    fields: tuple[tuple[str, float], ...],
    changes: str,
    method: str | None,
) -> tuple[Model, System]:
    """A model whose files have this digest, with its equations in the form that the method steps.

    A manoeuvre opens parameters that are 0 and would be left out: with each of its values.
    """
    model = read_for(source, manoeuvre, json.loads(changes))
    plain = model.manoeuvres.copy()
    if manoeuvre is not None and manoeuvre in plain:
        for k, (field, value) in enumerate(fields):
            model.manoeuvres |= _variant(plain[manoeuvre], f"{manoeuvre} {k}", field, value)
    system = formulate(model, form=form_for(method or model.run.method or SWEEP_METHOD))
    model.manoeuvres = plain
    return model, system


def _variant(manoeuvre: Manoeuvre, name: str, field: str, value: float) -> dict[str, Manoeuvre]:
    try:
        return {name: replace(manoeuvre, **{field: value})}  # type: ignore[arg-type]
    except AxletreeError:  # which the points with this value will say
        return {}
