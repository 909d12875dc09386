"""``batch_gradients``: the gradient of a run for each of many members, in threads.

Each member's run goes forth and back as a single one does, by the same compiled text, so that its
gradient is that of ``run_gradient`` to the last bit. C runs without Python's lock: members go side
by side, one in each core.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from axletree.core.arguments import check_arguments
from axletree.core.arrays import FloatArray
from axletree.core.cores import usable_cores
from axletree.core.errors import SimulationError
from axletree.core.progress import Progress
from axletree.core.value_table import ValueTable
from axletree.simulation.batch.batch import members_of, named
from axletree.simulation.batch.batch_result import MemberFailure
from axletree.simulation.batch.distributions import Sampling
from axletree.simulation.batch.members import Members, MemberValues
from axletree.simulation.problem import Problem, SettingsError, state_problem
from axletree.simulation.run_gradient import (
    Goal,
    NotFiniteError,
    RunGradient,
    gradient_of,
    gradient_settings,
)
from axletree.system.system import System

VALUE = "value"  # the column of what runs come to


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class BatchGradients(ValueTable):
    """A row for each member: what it has of its own, what its run comes to, and its derivatives.

    ``found["value"]`` is what runs come to, ``found["by rod.mass"]`` its derivative by a parameter,
    a first state or an input, all in SI units; those of members that failed are nan.

    Example:
    >>> import axletree as at
    >>> pendulum = at.read_model("pendulum").formulate()
    >>> masses = {"rod.mass": [1.0, 2.0]}  # kg
    >>> settings = {"integral": "energy.total", "step": "1 ms"}
    >>> found = pendulum.batch_gradients("1 s", parameters=masses, **settings)
    >>> found["by rod.mass"].round(4).tolist()  # J s/kg
    [-4.6843, -4.6843]
    """

    system: str
    failures: Mapping[int, MemberFailure]

    place = "the gradients of the batch"
    advice = "columns are what differs, 'value', and 'by ' with a parameter, a state or an input"

    @property
    def finished(self) -> np.ndarray:
        """Which members came to the end of the run."""
        found = np.ones(len(self.columns[VALUE]), dtype=bool)
        found[list(self.failures)] = False
        return found

    @property
    def title(self) -> str:
        return f"Gradients of {self.system}"

    def __repr__(self) -> str:
        count = sum(name.startswith("by ") for name in self.columns)
        return (
            f"BatchGradients of {len(self)} members of {self.system!r} by {count} quantities, "
            f"{len(self.failures)} failed"
        )


def batch_gradients(
    system: System,
    duration: float | str,
    *,
    step: float | str,
    end: Goal | None = None,
    integral: Goal | None = None,
    method: str = "rk4",
    parameters: MemberValues = None,
    initial: MemberValues = None,
    inputs: MemberValues = None,
    members: int | None = None,
    sampling: str = "random",
    seed: int | None = None,
    by_parameters: Sequence[str] | None = None,
    start: float | str = 0.0,
    threads: int | None = None,
) -> BatchGradients:
    """What the run of each member comes to, and its derivatives, as ``run_gradient`` finds them.

    Parameters
    ----------
    duration, step, end, integral, method, by_parameters, start: as for ``run_gradient``.
    parameters, initial, inputs, members, sampling, seed: as for ``batch``.
    threads: members side by side; by default one for each core.

    A member whose states are no longer finite is marked in ``failures``, with nan for its values.

    Example:
    >>> import axletree as at
    >>> pendulum = at.read_model("pendulum").formulate()
    >>> angles = {"pin.angle": [0.1, 0.2]}  # rad
    >>> found = pendulum.batch_gradients("1 s", step="1 ms", end="pin.angle", initial=angles)
    >>> found["by pin.angle"].round(4).tolist()  # rad/rad
    [-0.7724, -0.7866]
    """
    check_arguments(batch_gradients, locals())
    if threads is not None and threads < 1:
        raise SettingsError(f"threads is {threads}; expected 1 or more, or None")
    found = members_of(
        system, parameters, initial, inputs, members, named(Sampling, sampling, "sampling"), seed
    )
    settings = gradient_settings(system, method, end, integral, by_parameters)
    run: dict[str, Any] = {
        "outputs": settings.outputs,
        "duration": duration,
        "step": step,
        "start": start,
    }

    def gradient(k: int) -> RunGradient | MemberFailure:
        problem = _problem_of(system, found, k, run)
        try:
            return gradient_of(problem, settings)
        except NotFiniteError as error:
            return MemberFailure(error.time, "a state is not finite; try a smaller step")

    results = [gradient(0)]  # which compiles, and finds what is wrong with all
    with ThreadPoolExecutor(threads or usable_cores()) as pool, Progress(found.count) as progress:
        for result in pool.map(gradient, range(1, found.count)):
            results.append(result)
            progress.show(len(results))
    return _table(system, found, results, settings.goal_unit(system))


def _problem_of(system: System, members: Members, k: int, run: Mapping[str, Any]) -> Problem:
    """That of a single run with this member's values."""

    def values(kind: str) -> dict[str, Any]:
        given = getattr(members, kind)
        return {**given.common, **{name: float(c[k]) for name, c in given.columns.items()}}

    courses = {name: (times, rows[k]) for name, (times, rows) in members.courses.items()}
    return state_problem(
        system, initial=values("initial"), inputs={**values("inputs"), **courses},
        parameters=values("parameters"), **run,
    )  # fmt: skip


def _table(
    system: System,
    members: Members,
    results: Sequence[RunGradient | MemberFailure],
    goal_unit: str,
) -> BatchGradients:
    good = [one for one in results if isinstance(one, RunGradient)]
    if not good:
        failed = next(one for one in results if isinstance(one, MemberFailure))
        raise SimulationError(f"{system.name}: all members failed, at {failed.time:g} s the first")
    kinds = (members.parameters, members.initial, members.inputs)
    columns = {name: column for kind in kinds for name, column in kind.columns.items()}
    columns[VALUE] = _column(results, lambda one: one.value)
    units = {q.name: q.unit for q in (*system.parameters, *system.states, *system.inputs)}
    own = {name: units[name] for name in columns if name != VALUE} | {VALUE: goal_unit}
    for name in {**good[0].by_parameters, **good[0].by_states, **good[0].by_inputs}:
        columns[f"by {name}"] = _column(results, partial(_slope, name))
        own[f"by {name}"] = f"{goal_unit}/({units.get(name, '1')})"
    failures = {k: one for k, one in enumerate(results) if isinstance(one, MemberFailure)}
    return BatchGradients(columns=columns, units=own, system=system.name, failures=failures)


def _slope(name: str, found: RunGradient) -> float:
    for every in (found.by_parameters, found.by_states, found.by_inputs):
        if name in every:
            return every[name]
    raise KeyError(name)


def _column(
    results: Sequence[RunGradient | MemberFailure], value: Callable[[RunGradient], float]
) -> FloatArray:
    return np.array([value(o) if isinstance(o, RunGradient) else np.nan for o in results])
