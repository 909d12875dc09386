"""Trials by lanes: many cars side by side in a batch, where a single run would take each by itself.

What a manoeuvre finds before its run, as the angle of the steering wheel at which it comes to its
level, is that of the model for all cars; in single runs each car has its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np

from axletree.analysis.drive import warn_of_loads
from axletree.analysis.experiments.trials import Trial, TrialPlan
from axletree.analysis.experiments.varied_quantities import parameter_columns
from axletree.analysis.studies.driven_batch import (
    PreparedDrive,
    batch_method,
    drive_batch,
    prepare_drive,
)
from axletree.analysis.studies.sweep_plan import SweepPlan, VariedPlace, manoeuvre_of, read_for
from axletree.code.backends.c import find_compiler
from axletree.code.printers.lanes.lane_text import LaneNumber
from axletree.core.arrays import FloatArray
from axletree.core.errors import AxletreeError
from axletree.model.manoeuvre import Manoeuvre
from axletree.model.model import Model
from axletree.model_files.carried_model import CarriedModel
from axletree.simulation.batch.batch import equal_steps, members_of, refuse_digits
from axletree.simulation.batch.batch_result import REDUCTIONS, Batch
from axletree.simulation.batch.distributions import Sampling
from axletree.simulation.simulate import form_for
from axletree.system.formulation import formulate

CARS_REDUCED: Final = 32_768  # of a block, where runs leave a few numbers
CARS_RECORDED: Final = 512  # of a block, where the whole run of each is needed for its findings
_KEPT_MODELS: Final = 8


@dataclass(frozen=True)
class LaneBlock:
    """Findings of some cars by name, and why there are none, by the place in the block."""

    columns: Mapping[str, FloatArray]
    failures: Mapping[int, str]


@dataclass(frozen=True)
class BlockWork:
    """What is done with each block of cars, wherever that is."""

    plan: TrialPlan
    names: tuple[str, ...]  # of findings
    threads: int | None = None

    def __call__(self, task: tuple[int, tuple[FloatArray, ...]]) -> LaneBlock:
        return try_block(self.plan, task[1], self.names, self.threads)

    def travelling(self) -> BlockWork:
        """For machines of a cluster, whose workers have a core each."""
        return BlockWork(self.plan.travelling(), self.names, 1)


def why_not_lanes(plan: TrialPlan) -> str:
    """In words; "" where all trials can go by lanes."""
    for trial in plan.trials:
        if trial.sweep is None:
            return f"each run of the procedure {trial.title} follows from those before"
    for one in plan.quantities:
        if one.place is VariedPlace.FILE:
            return f"{one.name} is a place in the file, of which the model is made anew"
        if one.place is VariedPlace.MANOEUVRE:
            return f"{one.name} is a number of the manoeuvre, which is the same for all in lanes"
    if find_compiler() is None:
        return "lanes are compiled, and there is no C compiler"
    for trial in plan.trials:
        try:
            model, _ = _driven(trial)
            method = _method(model, trial)
            equal_steps(formulate(model, form=form_for(method)), method)
        except AxletreeError as error:
            return str(error)
    return ""


def lanes_in_words(plan: TrialPlan) -> str:
    """How they go by lanes, with what is not as in single runs."""
    said = []
    for trial in plan.trials:
        model, manoeuvre = _driven(trial)
        method = _method(model, trial)
        if method != (model.run.method or method):
            said.append(f"by {method}, where {model.run.method} divides steps")
        if manoeuvre is not None and manoeuvre.aim is not None:
            said.append(f"{trial.title} at the angle of the steering wheel that the model needs")
    if plan.number != "double":
        said.append(f"in numbers of the kind {plan.number}")
    return ", ".join(["side by side in lanes", *dict.fromkeys(said)])


def cars_of_a_block(plan: TrialPlan) -> int:
    """The same for any number of cars, so that blocks are found again."""
    return CARS_RECORDED if any(trial.has_findings for trial in plan.trials) else CARS_REDUCED


def try_block(
    plan: TrialPlan,
    values: tuple[FloatArray, ...],
    names: tuple[str, ...],
    threads: int | None = None,
) -> LaneBlock:
    """Cars with these values, a column for each quantity, through all trials."""
    count = len(values[0])
    columns = {name: np.full(count, np.nan) for name in names}
    failures: dict[int, str] = {}
    own = parameter_columns(plan.quantities, values)
    for trial in plan.trials:
        found = _batch(plan, trial, own, names, threads)
        if not found.complete:
            raise KeyboardInterrupt
        place = f"{trial.title}: " if len(plan.trials) > 1 else ""
        for k, failure in found.failures.items():
            failures.setdefault(k, f"{place}at {failure.time:g} s: {failure.cause}")
        for name in names:
            label, _, short = name.rpartition(":")
            if label == trial.label and short in found.columns:
                columns[name][:] = found.columns[short]
    for column in columns.values():
        column[list(failures)] = np.nan
    return LaneBlock(columns, failures)


def _batch(
    plan: TrialPlan,
    trial: Trial,
    own: Mapping[str, FloatArray],
    names: Sequence[str],
    threads: int | None,
) -> Batch:
    settings: dict[str, Any] = {
        "outputs": list(trial.outputs) if trial.outputs or not trial.has_findings else None,
    }
    sweep = trial.sweep
    assert sweep is not None, "procedures are not driven by lanes"
    if sweep.manoeuvre is None:
        model, _ = _driven(trial)
        return drive_batch(
            model, dict(own), duration=plan.settings.duration, step=plan.settings.step,
            method=plan.settings.method, threads=threads, number=plan.number, **settings,
        )  # fmt: skip
    prepared = _prepared(
        sweep.source, sweep.digest, sweep.manoeuvre, repr(sweep.changes), repr(sweep.settings),
        _Sweep(sweep),
    )  # fmt: skip
    warn_of_loads(prepared.model, own)
    number = LaneNumber(plan.number)
    refuse_digits(prepared.method, number)
    members = members_of(prepared.system, own, None, None, None, Sampling.RANDOM, None)
    if trial.has_findings:
        short = [n.rpartition(":")[2] for n in names if n.rpartition(":")[0] == trial.label]
        settings["findings"] = [name for name in short if name.rpartition(".")[2] not in REDUCTIONS]
    return prepared.drive(members, number=number, threads=threads, **settings)


@lru_cache(maxsize=_KEPT_MODELS)
def _prepared(
    source: str | CarriedModel | Model,
    digest: str,
    manoeuvre: str,
    changes_in_words: str,
    settings_in_words: str,
    sweep: _Sweep,
) -> PreparedDrive:
    """Blocks of a study have the equations and the model's own start in common."""
    model = _read(source, digest, manoeuvre, changes_in_words, sweep)
    settings = sweep.of.settings
    driven = manoeuvre_of(model, manoeuvre, settings)
    assert driven is not None, "a manoeuvre was named"
    return prepare_drive(model, driven, step=settings.step, method=settings.method)


def _driven(trial: Trial) -> tuple[Model, Manoeuvre | None]:
    """A model with what its manoeuvre needs, and the manoeuvre at its speed and length."""
    sweep = trial.sweep
    assert sweep is not None, "procedures are not driven by lanes"
    model = _read(sweep.source, sweep.digest, sweep.manoeuvre, repr(sweep.changes), _Sweep(sweep))
    return model, manoeuvre_of(model, sweep.manoeuvre, sweep.settings)


class _Sweep:
    """Equal to all others: what the keys beside it already say."""

    def __init__(self, sweep: SweepPlan) -> None:
        self.of = sweep

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Sweep)

    def __hash__(self) -> int:
        return 0


@lru_cache(maxsize=_KEPT_MODELS)
def _read(
    source: str | CarriedModel | Model,
    digest: str,
    manoeuvre: str | None,
    changes_in_words: str,
    sweep: _Sweep,
) -> Model:
    return read_for(source, manoeuvre, sweep.of.changes)


def _method(model: Model, trial: Trial) -> str:
    assert trial.sweep is not None
    return trial.sweep.settings.method or batch_method(model)
