"""Outputs along a run that were not recorded, computed again from its states.

``RunFacts`` is what a trajectory does not know of its own run and this needs: inputs and
parameters as they were given to ``simulate``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from axletree.core.errors import ExpressionError
from axletree.expr import evaluate
from axletree.simulation.checks import values_along
from axletree.simulation.problem import Problem, state_problem
from axletree.simulation.signals import InputSignal
from axletree.simulation.trajectory import Trajectory
from axletree.simulation.variable_step import ModelRun
from axletree.system.edit import with_smooth_forces
from axletree.system.system import System


@dataclass(frozen=True)
class RunFacts:
    """How a run was made.

    Example:
    >>> from axletree.simulation.recomputed_outputs import RunFacts
    >>> RunFacts(parameters={"rod.mass": 2.0}).parameters  # kg
    {'rod.mass': 2.0}
    """

    inputs: Mapping[str, InputSignal] = field(default_factory=dict)  # as given to ``simulate``
    parameters: Mapping[str, float] = field(default_factory=dict)  # likewise


def outputs_along(
    system: System,
    run: Trajectory,
    names: Sequence[str],
    records: Sequence[int],
    *,
    inputs: Mapping[str, InputSignal],
    parameters: Mapping[str, float],
) -> dict[str, np.ndarray]:
    """Values of the named outputs at some records; inputs and parameters as in the run.

    Set-valued forces that were not recorded are those of their smooth laws.
    """
    if all(name in run for name in names):
        return {name: run[name][list(records)] for name in names}
    system = with_smooth_forces(system)
    states = np.stack([run[quantity.name] for quantity in system.states], axis=1)
    problem = state_problem(
        system,
        initial={q.name: float(x) for q, x in zip(system.states, states[0], strict=True)},
        inputs=inputs,
        parameters=parameters,
        outputs=tuple(names),
        start=float(run.time[0]),
    )
    chosen = list(records)
    try:
        return _on_arrays(problem, names, run.time[chosen], states[chosen])
    except ExpressionError:  # somewhere a value is not a number: one record at a time tells where
        return _one_by_one(problem, names, run.time[chosen], states[chosen])


def _on_arrays(
    problem: Problem, names: Sequence[str], time: np.ndarray, states: np.ndarray
) -> dict[str, np.ndarray]:
    """All records at once, which needs no compiler."""
    system = problem.system
    known = {q.name: q.symbol for q in (*system.states, *system.inputs)}
    known |= {d.quantity.name: d.expression for d in (*system.intermediates, *system.outputs)}
    found = evaluate([known[name] for name in names], values_along(problem, time, states))
    return {n: np.broadcast_to(v, time.shape) for n, v in zip(names, found, strict=True)}


def _one_by_one(
    problem: Problem, names: Sequence[str], time: np.ndarray, states: np.ndarray
) -> dict[str, np.ndarray]:
    model = ModelRun(problem, with_jacobian=False)
    rows = [model.outputs(float(t), x) for t, x in zip(time, states, strict=True)]
    table = np.array(rows).reshape(len(time), -1)
    return {name: table[:, k] for k, name in enumerate(names)}
