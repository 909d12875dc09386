"""Exact derivatives of goals by the adjoint of a run, where a run has them.

They are those of last values of a model's own run, of steps that are lines alone, from first values
that do not follow from what varies. Where goals are anything else, differences are taken, and why
is said.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from axletree.analysis.drive import PROPOSED_STEP, first_given
from axletree.analysis.experiments.evaluation import CarRunner
from axletree.analysis.experiments.goals import DesignGoal, DesignLimit
from axletree.analysis.experiments.varied_quantities import VariedQuantity
from axletree.analysis.studies.driven_batch import BATCH_METHOD
from axletree.analysis.studies.sweep_plan import read_for
from axletree.core.arrays import FloatArray
from axletree.core.errors import AxletreeError
from axletree.model.model import Model
from axletree.simulation.run_gradient import run_gradient
from axletree.simulation.simulate import form_for
from axletree.system.formulation import formulate
from axletree.system.system import System

_FINAL = ".final"
_DIFFERENCES = "slopes by central differences"
_METHODS = ("explicit-euler", "semi-implicit-euler", "rk4")


@dataclass(frozen=True)
class ExactSlopes:
    """Derivatives of goals and limits by the values of quantities."""

    system: System
    run: Mapping[str, object]  # settings of run_gradient
    quantities: tuple[VariedQuantity, ...]
    goals: tuple[DesignGoal, ...]
    limits: tuple[DesignLimit, ...]

    def __call__(self, values: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Rows for goals and for limits, columns for quantities."""
        pairs = list(zip(self.quantities, values.tolist(), strict=True))
        own = {member.name: value for q, value in pairs for member in q.members}
        asked = [*self.goals, *(one.goal for one in self.limits)]
        names = dict.fromkeys(name for one in asked for name in one.names)
        found = {
            name: run_gradient(
                self.system, end=name.removesuffix(_FINAL), parameters=own,
                by_parameters=list(own), **self.run,  # type: ignore[arg-type]
            )
            for name in names
        }  # fmt: skip
        at = {name: one.value for name, one in found.items()}
        rows = np.array([
            [
                sum(
                    slope * found[name].by_parameters[member.name]
                    for name, slope in one.slopes(at).items()
                    for member in quantity.members
                )
                for quantity in self.quantities
            ]
            for one in asked
        ])  # fmt: skip
        signs = [one.goal.sign / (abs(one.bound) or 1.0) for one in self.limits]
        split = len(self.goals)
        return rows[:split], rows[split:] * np.reshape(signs, (-1, 1))


def exact_slopes(
    runner: CarRunner, goals: tuple[DesignGoal, ...], limits: tuple[DesignLimit, ...]
) -> tuple[ExactSlopes | None, str]:
    """None where there are none; and in words which slopes are taken, and why."""
    trial = runner.plan.trials[0]
    names = {name for one in (*goals, *(limit.goal for limit in limits)) for name in one.names}
    if len(runner.plan.trials) > 1 or trial.sweep is None or trial.sweep.manoeuvre is not None:
        return None, f"{_DIFFERENCES}: exact ones are of the model's own run, without a manoeuvre"
    if not all(name.endswith(_FINAL) for name in names):
        return None, f"{_DIFFERENCES}: exact ones are of final values"
    if not runner.by_lanes:
        return None, f"{_DIFFERENCES}: exact ones are of runs as they go by lanes"
    model = read_for(trial.sweep.source, None, trial.sweep.changes)
    found = _slopes(runner, model, goals, limits)
    try:
        found(np.array([_value(model, one) for one in runner.plan.quantities]))
    except AxletreeError as error:
        return None, f"{_DIFFERENCES}: {error}"
    return found, "exact slopes, by the adjoint of the run"


def _value(model: Model, quantity: VariedQuantity) -> float:
    known = {one.name: one.default for one in model.parameters}
    return float(np.mean([known[one.name] for one in quantity.members]))


def _slopes(
    runner: CarRunner, model: Model, goals: tuple[DesignGoal, ...], limits: tuple[DesignLimit, ...]
) -> ExactSlopes:
    """Of the run that a batch of the model makes."""
    settings, proposed = runner.plan.settings, model.run
    own = proposed.method if proposed.method in _METHODS else None
    method = first_given(settings.method, own, BATCH_METHOD)
    step = first_given(settings.step, proposed.step if method == proposed.method else None,
                       PROPOSED_STEP)  # fmt: skip
    run = {
        "duration": first_given(settings.duration, proposed.duration), "step": step,
        "method": method, "inputs": dict(proposed.inputs),
    }  # fmt: skip
    system = formulate(model, form=form_for(method))
    return ExactSlopes(system, run, runner.plan.quantities, goals, limits)
