"""Outputs along a run that were not recorded: computed again from its states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from axletree.simulation.model_run import ModelRun
from axletree.simulation.problem import Tolerances, state_problem
from axletree.simulation.signals import Signal
from axletree.simulation.trajectory import Trajectory
from axletree.system.system import System


def outputs_along(
    system: System,
    run: Trajectory,
    names: Sequence[str],
    records: Sequence[int],
    *,
    inputs: Mapping[str, Signal],
    parameters: Mapping[str, float],
) -> dict[str, np.ndarray]:
    """Values of the named outputs at some records; inputs and parameters as in the run."""
    if all(name in run for name in names):
        return {name: run[name][list(records)] for name in names}
    states = np.stack([run[quantity.name] for quantity in system.states], axis=1)
    problem = state_problem(
        system,
        initial={q.name: float(x) for q, x in zip(system.states, states[0], strict=True)},
        inputs=inputs,
        parameters=parameters,
        outputs=tuple(names),
        start=float(run.time[0]),
        duration=1.0,
        step=None,
        record_interval=None,
        tolerances=Tolerances(),
    )
    model = ModelRun(problem, with_jacobian=False)
    rows = [model.outputs(float(run.time[k]), states[k]) for k in records]
    table = np.array(rows).reshape(len(records), -1)
    return {name: table[:, k] for k, name in enumerate(names)}
