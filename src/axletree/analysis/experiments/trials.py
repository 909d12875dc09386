"""What every car of an experiment is put through, and what becomes of one of them.

A trial is a manoeuvre of the model, a procedure of the catalogue, or the model's own run. Its
findings are those of a single run; ``vehicle.yaw_rate.maximum`` and the like, the reductions of a
batch, are found of every state and output that they name. Of several trials the names of findings
have the label of the trial before them: ``step:yaw_rate_overshoot``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from axletree.analysis.experiments.varied_quantities import (
    VariedQuantity,
    find_quantities,
    point_of,
)
from axletree.analysis.procedures.contract import procedure
from axletree.analysis.studies.sweep_plan import (
    RunSettings,
    SweepError,
    SweepPlan,
    SweepPoint,
    VariedPlace,
    is_python,
    manoeuvre_of,
    model_entries,
    model_fingerprint,
    plan_fingerprint,
    read_for,
)
from axletree.analysis.studies.sweep_points import PointOutcome, outcome_of, run_point
from axletree.core.registry import section, unknown_name
from axletree.metrics.findings import Finding
from axletree.model.manoeuvre import Manoeuvre
from axletree.model.model import Model
from axletree.model_files.carried_model import CarriedModel, carried, read_carried
from axletree.model_files.read import join_mappings
from axletree.simulation.batch.batch_result import REDUCTIONS

OWN_RUN: Final = "own run"


@dataclass(frozen=True)
class Trial:
    """One manoeuvre or procedure that every car is put through."""

    label: str  # "" where there is one trial alone
    title: str  # the name of the manoeuvre or the procedure
    sweep: SweepPlan | None  # by which a sweep would run a car through it; None: a procedure
    has_findings: bool = True  # whether more than reductions of outputs is looked for

    @property
    def outputs(self) -> tuple[str, ...]:
        """Quantities that are reduced."""
        return () if self.sweep is None else self.sweep.settings.outputs

    def full_name(self, finding: str) -> str:
        return f"{self.label}:{finding}" if self.label else finding


@dataclass(frozen=True)
class TrialPlan:
    """All that a worker has to know."""

    source: str | CarriedModel | Model
    digest: str
    name: str  # of the model
    quantities: tuple[VariedQuantity, ...]
    trials: tuple[Trial, ...]
    settings: RunSettings
    changes: Mapping[str, Any]
    fidelity: str = ""
    number: str = "double"  # of lanes

    @property
    def title(self) -> str:
        return " and ".join(trial.title for trial in self.trials)

    def point(self, values: Sequence[float]) -> SweepPoint:
        return point_of(self.quantities, values, self.changes)

    def fingerprint(self) -> dict[str, Any]:
        """All that results depend on but for the values of cars, as the index of a folder."""
        if isinstance(self.source, Model):
            raise SweepError(
                f"{self.name} was built in Python, and its results are kept in no folder: nobody "
                "could tell later whether it is still the same. Give the name or the file of a "
                "model, and manoeuvres by their names"
            )
        sweep = SweepPlan(self.source, self.digest, None, (), self.settings, self.changes)
        whole = plan_fingerprint(sweep)
        whole["manoeuvre"] = [
            [t.label, t.title, t.sweep.driven if t.sweep else "", t.outputs, t.has_findings]
            for t in self.trials
        ]
        whole["number"] = self.number
        whole["varied"] = [[one.name, one.unit] for one in self.quantities]
        found: dict[str, Any] = json.loads(json.dumps(whole))
        return found

    def travelling(self) -> TrialPlan:
        """The same for machines that have not the files of the model."""
        if isinstance(self.source, Model):
            raise SweepError(
                f"{self.name} was built in Python and does not travel to other machines; give the "
                "name or the file of a model"
            )
        source = carried(self.source)
        trials = tuple(
            replace(t, sweep=None if t.sweep is None else replace(t.sweep, source=source))
            for t in self.trials
        )
        return replace(self, source=source, trials=trials)


@dataclass(frozen=True)
class CarWork:
    """What is done with each car, wherever that is."""

    plan: TrialPlan

    def __call__(self, task: tuple[int, SweepPoint]) -> PointOutcome:
        return try_car(self.plan, task[1])

    def travelling(self) -> CarWork:
        return CarWork(self.plan.travelling())


def try_car(plan: TrialPlan, point: SweepPoint) -> PointOutcome:
    """A car through all trials. Whatever goes wrong is its outcome: other cars are not lost."""
    findings: list[Finding] = []
    remarks: list[str] = []
    for trial in plan.trials:
        outcome = _outcome(plan, trial, point)
        remarks += outcome.remarks
        if outcome.failure:
            place = f"{trial.title}: " if len(plan.trials) > 1 else ""
            return PointOutcome(failure=f"{place}{outcome.failure}", remarks=tuple(remarks))
        findings += (replace(f, name=trial.full_name(f.name)) for f in outcome.findings)
    return PointOutcome(tuple(findings), remarks=tuple(dict.fromkeys(remarks)))


def _outcome(plan: TrialPlan, trial: Trial, point: SweepPoint) -> PointOutcome:
    if trial.sweep is not None:
        return run_point(trial.sweep, point)

    def carried_out() -> tuple[Finding, ...]:
        return procedure(read_carried(plan.source, point.changes), trial.title).findings

    return outcome_of(carried_out)


GivenTrials = str | Manoeuvre | None | Mapping[str, str | Manoeuvre]


def make_trials(
    model: Model | str | Path,
    given: GivenTrials,
    units: Mapping[str, str],
    of: Sequence[str],
    settings: RunSettings,
    changes: Mapping[str, Any],
) -> TrialPlan:
    """The plan, with every name looked up.

    ``units`` are those in which the values of what varies were given, by name; ``of`` are findings
    that are asked for, all for none.
    """
    named = dict(given) if isinstance(given, Mapping) else {"": given}
    if not named:
        raise SweepError("no manoeuvre and no procedure: give one, or several by labels")
    source, titles = _with_manoeuvres(model, named)
    own = read_carried(source, changes or None)
    digest = "" if isinstance(source, Model) else model_fingerprint(str(source))
    kinds = {label: _is_procedure(own, title) for label, title in titles.items()}
    driven = [title for label, title in titles.items() if not kinds[label]]
    first = driven[0] if driven else None
    whole = read_for(source, first, changes)
    file = None
    if not isinstance(source, Model) and not is_python(str(source)):
        needed = whole.manoeuvres[first].changes if first else {}
        file = model_entries(str(source), join_mappings(needed, changes))
    manoeuvre = manoeuvre_of(whole, first, settings) if driven else None
    quantities = find_quantities(units, whole, manoeuvre, file)
    _check_places(quantities, kinds, titles)
    wanted = _wanted(of, list(titles))
    trials = []
    for label, title in titles.items():
        names, has_findings = wanted[label]
        if kinds[label]:
            trials.append(Trial(label, str(title), None))
            continue
        reduced = replace(settings, outputs=names, reductions=REDUCTIONS)
        there = whole if title == first else read_for(source, title, changes)
        variations = tuple(one for q in quantities for one in q.members)
        sweep = SweepPlan(
            source, digest, title, variations, reduced, dict(changes),
            repr(manoeuvre_of(there, title, settings)),
        )  # fmt: skip
        trials.append(Trial(label, title or OWN_RUN, sweep, has_findings))
    vehicle = changes.get("vehicle")
    fidelity = str(vehicle.get("fidelity", "")) if isinstance(vehicle, Mapping) else ""
    return TrialPlan(
        source, digest, own.name, quantities, tuple(trials), settings, dict(changes), fidelity
    )


def _with_manoeuvres(
    model: Model | str | Path, named: Mapping[str, str | Manoeuvre | None]
) -> tuple[str | Model, dict[str, str | None]]:
    """The source, and by label the name of each; a manoeuvre of one's own is added to the model."""
    source: str | Model = model if isinstance(model, Model) else str(model)
    titles = {label: one for label, one in named.items() if not isinstance(one, Manoeuvre)}
    own = {label: one for label, one in named.items() if isinstance(one, Manoeuvre)}
    if own:
        other = copy(source if isinstance(source, Model) else read_carried(source))
        other.manoeuvres = other.manoeuvres.copy()
        for label, one in own.items():
            title = label or type(one).__name__
            titles[label] = f"own {title}" if title in other.manoeuvres else title
            other.manoeuvres |= {str(titles[label]): one}
        source = other
    return source, {label: titles[label] for label in named}


def _is_procedure(model: Model, title: str | None) -> bool:
    """Manoeuvres of the model come first."""
    known = section("PROCEDURES")
    if title is None or title in model.manoeuvres:
        return False
    if title in known:
        return True
    raise unknown_name("manoeuvre or procedure", title, [*model.manoeuvres, *known], model.name)


def _check_places(
    quantities: Sequence[VariedQuantity],
    kinds: Mapping[str, bool],
    titles: Mapping[str, str | None],
) -> None:
    """A procedure reads the vehicle anew; numbers of the manoeuvre are those of one."""
    problems = []
    for one in quantities:
        if any(kinds.values()) and one.place is not VariedPlace.FILE:
            tested = next(titles[label] for label, it_is in kinds.items() if it_is)
            problems.append(
                f"{one.name} is no place in the file of the model, from which the procedure "
                f"{tested} reads each car anew; expected one such as vehicle.body.mass"
            )
        elif one.place is VariedPlace.MANOEUVRE and len(titles) > 1:
            problems.append(f"{one.name}: of several manoeuvres none is meant; vary one alone")
    if problems:
        raise SweepError("; ".join(problems))


def _wanted(of: Sequence[str], labels: Sequence[str]) -> dict[str, tuple[tuple[str, ...], bool]]:
    """By label the outputs that are reduced, and whether findings are asked for."""
    outputs: dict[str, list[str]] = {label: [] for label in labels}
    findings = dict.fromkeys(labels, not of)
    for name in of:
        label, colon, finding = name.rpartition(":")
        if label not in outputs:
            told = f"a label before it ({', '.join(f'{one}:' for one in labels)})"
            expected = "the name of a finding" if labels == [""] else told
            raise SweepError(f"{name!r} is of none of the trials; expected {expected}")
        quantity, _, word = finding.rpartition(".")
        if quantity and word in REDUCTIONS:
            outputs[label].append(quantity)
        else:
            findings[label] = True
    return {k: (tuple(dict.fromkeys(outputs[k])), findings[k]) for k in labels}


def nominal_outcome(plan: TrialPlan, of: Sequence[str]) -> PointOutcome:
    """The car as the model is: whether all works, and the findings that there are."""
    found = try_car(plan, SweepPoint({}, "the model as it is", {}, {}, plan.changes))
    if found.failure:
        raise SweepError(f"{plan.name} as it is fails: {found.failure}")
    known = {one.name: one for one in found.findings}
    for name in of:
        if name not in known:
            message = unknown_name("finding", name, known, f"{plan.title} of {plan.name}")
            raise SweepError(f"{message}; of a state or output write it such as '{name}.final'")
    return replace(found, findings=tuple(known[name] for name in of) if of else found.findings)


def with_reductions(plan: TrialPlan, found: Sequence[Finding]) -> TrialPlan:
    """Where a run finds nothing of its own, what it records is reduced."""
    trials = []
    for trial in plan.trials:
        own = [f.name for f in found if trial.full_name(f.name.rpartition(":")[2]) == f.name]
        pairs = [name.rpartition(":")[2].rpartition(".") for name in own]
        names = tuple(dict.fromkeys(name for name, _, word in pairs if word in REDUCTIONS))
        if trial.sweep is not None and pairs and all(word in REDUCTIONS for _, _, word in pairs):
            sweep = replace(trial.sweep, settings=replace(trial.sweep.settings, outputs=names))
            trial = replace(trial, sweep=sweep, has_findings=False)
        trials.append(trial)
    return replace(plan, trials=tuple(trials))
