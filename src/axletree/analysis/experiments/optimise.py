"""``optimise``: the values of named quantities at which findings of a vehicle are best.

Goals are expressions of findings of one or several manoeuvres; constraints are, too. With one goal,
or several with weights, CMA-ES (Hansen and Ostermeier 2001) or a gradient method searches; several
goals without weights have a front, which NSGA-II (Deb et al. 2002) spreads itself along. All cars
that a search tries are kept, so that one that was interrupted goes on where it was.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from axletree.analysis.experiments.evaluation import CarRunner, CarTable, evaluator
from axletree.analysis.experiments.goals import (
    DesignGoal,
    DesignLimit,
    limit_of,
    read_goal,
    read_limit,
    with_finding_unit,
)
from axletree.analysis.experiments.monte_carlo import run_settings
from axletree.analysis.experiments.searches import SEARCHES, SearchTask
from axletree.analysis.experiments.trials import GivenTrials, TrialPlan, make_trials
from axletree.analysis.experiments.varied_quantities import VariedQuantity
from axletree.analysis.studies.machines import executor_of
from axletree.analysis.studies.sweep_plan import SweepError, read_swept_values
from axletree.core.arguments import check_arguments
from axletree.core.arrays import FloatArray
from axletree.core.registry import unknown_name
from axletree.core.text_table import TextTable
from axletree.core.units import printed_unit, to_si
from axletree.metrics.findings import Finding, unit_in_words, value_in_words
from axletree.model.model import Model
from axletree.model_files.carried_model import read_carried
from axletree.simulation.problem import SettingsError

GivenBounds = str | Sequence[float | str]
_DIGITS: Final = 5
_MOST_SHOWN: Final = 12  # cars of a front, in words


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Optimum(CarTable):
    """All cars that were tried: their values, findings, goals, and the best of them.

    Example:
    >>> import axletree as at
    >>> bounds = {"body.front.x": "0.9:1.6 m"}  # of the front axle
    >>> found = at.optimise(
    ...     "bicycle-car", bounds, "step-steer", of="-chassis.rate.final", search="gradient"
    ... )
    >>> print(f"{found.best['body.front.x']:.3f} m")
    1.600 m
    """

    goals: tuple[DesignGoal, ...]
    limits: tuple[DesignLimit, ...]
    bounds: Mapping[str, tuple[float, float]]
    weights: tuple[float, ...]  # of the goals, divided by what the model as it is comes to; or ()
    nominal: Mapping[str, float]  # goals of the model as it is
    allowed: np.ndarray  # which cars keep all limits
    front: np.ndarray  # cars that none of the allowed ones is better than in all goals
    best_car: int  # -1: none is allowed
    search: str
    ending: str  # why the search ended

    place = "the cars that were tried"

    def __repr__(self) -> str:
        return self.table().text()

    @property
    def best(self) -> dict[str, float]:
        """Values of the best car, by quantity, in SI units; of a front, the compromise."""
        self._check_found()
        return {q.name: float(self[q.name][self.best_car]) for q in self.quantities}

    @property
    def best_goals(self) -> dict[str, float]:
        """What the best car comes to, by goal."""
        self._check_found()
        return {one.text: float(self[one.text][self.best_car]) for one in self.goals}

    def _check_found(self) -> None:
        if self.best_car < 0:
            raise SweepError(
                f"none of the {len(self)} cars that were tried keeps all limits: "
                f"{', '.join(one.text for one in self.limits)}; widen bounds or limits"
            )

    def table(self) -> TextTable:
        """Quantities and goals, of the best car and of some along the front.

        Example:
        >>> import axletree as at
        >>> bounds = {"body.front.x": "0.9:1.6 m"}
        >>> found = at.optimise(
        ...     "bicycle-car", bounds, "step-steer", of="-chassis.rate.final", search="gradient"
        ... )
        >>> found.table().rows[0][0]
        'best'
        """
        chosen = [] if self.best_car < 0 else [self.best_car]
        titles = ["best" if len(self.goals) == 1 or self.weights else "compromise"]
        if len(self.front) > 1 and not self.weights:
            order = self.front[np.argsort(self[self.goals[0].text][self.front], kind="stable")]
            places = np.linspace(0, len(order) - 1, min(len(order), _MOST_SHOWN)).round()
            chosen += [int(order[int(k)]) for k in dict.fromkeys(places.astype(int).tolist())]
            titles += ["front"] * (len(chosen) - 1)
        rows = [
            (title, str(car), *(f"{q.in_shown_unit(self[q.name][car]):.5g}"
                                for q in self.quantities),
             *(value_in_words(float(self[g.text][car]), g.unit, _DIGITS) for g in self.goals))
            for title, car in zip(titles, chosen, strict=False)
        ]  # fmt: skip
        known = (value_in_words(self.nominal[g.text], g.unit, _DIGITS) for g in self.goals)
        rows.append(("model as it is", "", *("" for _ in self.quantities), *known))
        heads = ("", "car", *(q.heading for q in self.quantities),
                 *(goal_heading(g) for g in self.goals))  # fmt: skip
        limits = [f"limit: {one.text}" for one in self.limits]
        notes = (f"{self.search}: {self.ending}", f"{len(self)} cars; {self.way}", *limits)
        return TextTable(f"{self.model}, {self.trials}", heads, tuple(rows), notes)


def goal_heading(goal: DesignGoal) -> str:
    """The text of a goal with its unit; one that is made large says so."""
    unit = printed_unit(unit_in_words(goal.unit))
    return f"{goal.text} [{unit}]" if unit and unit != "1" else goal.text


def optimise(
    model: Model | str | Path,
    parameters: Mapping[str, GivenBounds],
    manoeuvre: GivenTrials = None,
    *,
    of: str | Sequence[str] | Mapping[str, float],
    limits: Sequence[str] = (),
    search: str | None = None,
    cars: int | None = None,
    population: int | None = None,
    seed: int = 0,
    speed: float | str | None = None,
    duration: float | str | None = None,
    step: float | str | None = None,
    method: str | None = None,
    changes: Mapping[str, Any] | None = None,
    lanes: bool | None = None,
    number: str = "double",
    workers: int | None = None,
    client: Any = None,
    folder: str | Path | None = None,
    restart: bool = False,
) -> Optimum:
    """Find the values of quantities at which findings are smallest.

    Parameters
    ----------
    model, manoeuvre: as for ``monte_carlo``; findings of several manoeuvres by their labels.
    parameters: by name the bounds, as ``"15:40 kN/m"`` or a pair; names and patterns are those of
        ``monte_carlo``.
    of: what is made small: an expression of findings, ``"yaw_rate_overshoot"`` or
        ``"vehicle.roll.final/vehicle.lateral_acceleration.final"``; what is to be large with a
        minus before it. Several have a front of compromises, or, as a mapping, weights: each is
        then divided by what the model as it is comes to, and their weighted sum is made small.
    limits: such as ``"yaw_rate_overshoot <= 10 %"``.
    search: ``cma-es``, ``gradient`` (from the model as it is) or ``nsga-2``; by default nsga-2 for
        several goals without weights, else cma-es.
    cars: at most so many are tried; by default as many as the search needs, or 100 populations.
    population: cars of a generation.
    seed: of the search; the same one tries the same cars.
    speed, duration, step, method, changes, lanes, number, workers, client, folder, restart: as for
        ``monte_carlo``.

    Example:
    >>> import axletree as at
    >>> bounds = {"*_tyre.law.cornering_stiffness": "80:140 kN/rad"}
    >>> found = at.optimise(
    ...     "bicycle-car",
    ...     bounds,
    ...     "step-steer",
    ...     of="chassis.rate.rms",
    ...     limits=["chassis.rate.final >= 0.18"],
    ...     search="gradient",
    ... )
    >>> print(f"{found.best_goals['chassis.rate.rms']:.3f} rad/s")
    0.157 rad/s
    """
    check_arguments(optimise, locals())
    goals, weights = _goals(of)
    read = [read_limit(one) for one in limits]
    chosen = _chosen_search(search, goals, weights)
    if cars is not None and cars < 1:
        raise SettingsError(f"cars is {cars}; expected 1 or more")
    if population is not None and population < 4:
        raise SettingsError(f"population is {population}; expected 4 or more")
    if seed < 0:
        raise SettingsError(f"seed is {seed}; expected a whole number from 0 on")
    swept = {name: _bounds(name, given) for name, given in parameters.items()}
    executor = executor_of(workers, client)
    settings = run_settings(speed, duration, step, method)
    names = [name for goal in (*goals, *(one for one, _ in read)) for name in goal.names]
    wanted = list(dict.fromkeys(names))
    units = {name: unit for name, (_, _, unit) in swept.items()}
    plan = make_trials(model, manoeuvre, units, wanted, settings, changes or {})
    runner = evaluator(plan, wanted, executor, lanes, folder, restart, number)
    goals = tuple(with_finding_unit(one, runner.nominal) for one in goals)
    limits_read = tuple(
        limit_of(with_finding_unit(one, runner.nominal), bound) for one, bound in read
    )
    bounds = {q.name: _in_unit(q, swept[q.name]) for q in plan.quantities}
    task = _task(plan, runner, goals, limits_read, weights, bounds, cars, population, seed)
    ending = SEARCHES[chosen](task)
    return _optimum(task, runner, weights, chosen, ending)


def _goals(
    of: str | Sequence[str] | Mapping[str, float],
) -> tuple[tuple[DesignGoal, ...], list[float]]:
    if isinstance(of, str):
        return (read_goal(of),), []
    if not of:
        raise SweepError("nothing is made small: give a finding, or an expression of some")
    goals = tuple(read_goal(one) for one in of)
    if len({one.text for one in goals}) < len(goals):
        raise SweepError(f"a goal stands twice in {', '.join(one.text for one in goals)}")
    if not isinstance(of, Mapping):
        return goals, []
    weights = [float(weight) for weight in of.values()]
    if not all(math.isfinite(one) and one > 0.0 for one in weights):
        raise SweepError(f"weights are {weights}; expected numbers above 0")
    return goals, weights


def _chosen_search(
    search: str | None, goals: Sequence[DesignGoal], weights: Sequence[float]
) -> str:
    has_front = len(goals) > 1 and not weights
    if search is None:
        return "nsga-2" if has_front else "cma-es"
    if search not in SEARCHES:
        raise unknown_name("search", search, SEARCHES, "optimise")
    if has_front and search != "nsga-2":
        raise SweepError(
            f"{search} makes one number small, and there are {len(goals)} goals; give them "
            "weights, as a mapping, or take nsga-2"
        )
    return search


def _bounds(name: str, given: GivenBounds) -> tuple[float, float, str]:
    """Lower and upper in the unit that stands behind."""
    if isinstance(given, str):
        ends = given.split(":")
        if len(ends) != 2:
            raise SweepError(f"{name}: {given!r} are no bounds LOWER:UPPER, such as 15:40 kN/m")
        found = read_swept_values(name, f"{given}:2")
    else:
        if len(given) != 2:
            raise SweepError(f"{name} has {len(given)} bounds; expected a lower and an upper one")
        found = read_swept_values(name, given)
    low, high = found.of
    if isinstance(low, str) or isinstance(high, str) or not low < high:
        raise SweepError(f"{name}: bounds are {low} and {high}; expected a lower and an upper one")
    return low, high, found.unit


def _in_unit(quantity: VariedQuantity, given: tuple[float, float, str]) -> tuple[float, float]:
    low, high, unit = given
    if not unit or unit == quantity.unit:
        return low, high
    return to_si(f"{low!r} {unit}", quantity.unit), to_si(f"{high!r} {unit}", quantity.unit)


def _task(
    plan: TrialPlan,
    runner: CarRunner,
    goals: tuple[DesignGoal, ...],
    limits: tuple[DesignLimit, ...],
    weights: Sequence[float],
    bounds: Mapping[str, tuple[float, float]],
    cars: int | None,
    population: int | None,
    seed: int,
) -> SearchTask:
    columns = {one.name: np.array([one.value]) for one in runner.nominal}
    nominal = np.array([float(one.values(columns)[0]) for one in goals])
    if np.isnan(nominal).any():
        k = int(np.flatnonzero(np.isnan(nominal))[0])
        raise SweepError(f"{goals[k].text} is no number for {plan.name} as it is")
    scales = np.array(weights) / np.where(nominal == 0.0, 1.0, np.abs(nominal)) if weights else None
    start = [_nominal_value(plan, q, bounds[q.name]) for q in plan.quantities]
    lower, upper = np.array([bounds[q.name] for q in plan.quantities]).T
    return SearchTask(
        runner, goals, limits, scales, dict(zip((g.text for g in goals), nominal.tolist(),
                                                strict=True)),
        lower, upper, np.clip(np.array(start), lower, upper), cars, population, seed,
    )  # fmt: skip


def _nominal_value(plan: TrialPlan, quantity: VariedQuantity, bounds: tuple[float, float]) -> float:
    """Of the model as it is; of what is no parameter the middle between the bounds."""
    model = read_carried(plan.source, plan.changes or None)
    known = {one.name: one.default for one in model.parameters}
    values = [known[one.name] for one in quantity.members if one.name in known]
    return float(np.mean(values)) if values else 0.5 * sum(bounds)


def _optimum(
    task: SearchTask, runner: CarRunner, weights: Sequence[float], search: str, ending: str
) -> Optimum:
    tried = task.tried
    if not tried:
        raise KeyboardInterrupt
    values = np.concatenate([one.values for one in tried])
    goals = np.concatenate([one.goals for one in tried])
    excess = np.concatenate([one.excess for one in tried])
    allowed = np.isfinite(goals).all(axis=1) & (excess <= _tolerance(excess)).all(axis=1)
    failures: dict[int, str] = {}
    begin = 0
    for one in tried:
        failures |= {begin + k: why for k, why in one.cars.failures.items()}
        begin += len(one.values)
    names = {one.text: goals[:, k] for k, one in enumerate(task.goals)}
    found = [one.name for one in runner.nominal if one.name not in names]
    columns = {q.name: values[:, k] for k, q in enumerate(runner.plan.quantities)}
    columns |= {name: np.concatenate([one.cars[name] for one in tried]) for name in found}
    units = {q.name: q.unit or "1" for q in runner.plan.quantities}
    units |= {one.name: one.unit for one in runner.nominal}
    objective = goals @ task.scales if task.scales is not None else goals
    front = pareto_front(np.reshape(objective, (len(goals), -1)), np.flatnonzero(allowed))
    return Optimum(
        columns=columns | names, units=units | {one.text: one.unit for one in task.goals},
        model=runner.plan.name, trials=runner.plan.title, quantities=runner.plan.quantities,
        findings=tuple(runner.nominal), failures=failures, way=runner.way,
        reused=sum(one.cars.reused for one in tried), complete=task.complete,
        goals=task.goals, limits=task.limits, weights=tuple(weights),
        bounds={q.name: (float(task.lower[k]), float(task.upper[k]))
                for k, q in enumerate(runner.plan.quantities)},
        nominal=task.nominal, allowed=allowed, front=front,
        best_car=_compromise(np.reshape(objective, (len(goals), -1)), front),
        search=search, ending=ending,
    )  # fmt: skip


def _tolerance(excess: FloatArray) -> float:
    """A gradient method ends on a limit, give or take its rounding."""
    return 1e-6 if excess.size else 0.0


def pareto_front(goals: FloatArray, rows: np.ndarray) -> np.ndarray:
    """Of these rows those that none is better than: as good in all goals, and better in one.

    Example:
    >>> import numpy as np
    >>> from axletree.analysis.experiments.optimise import pareto_front
    >>> pareto_front(np.array([[1.0, 3.0], [2.0, 2.0], [2.0, 4.0]]), np.arange(3)).tolist()
    [0, 1]
    """
    if not len(rows):
        return np.array([], dtype=int)
    found, places = np.unique(goals[rows], axis=0, return_inverse=True)
    is_best = _best_of_three(found) if found.shape[1] <= _SWEPT else _best_of_many(found)
    return np.sort(rows[is_best[places.ravel()]])


_SWEPT: Final = 3  # goals, up to which one sweep through sorted cars finds the front


def _best_of_three(goals: FloatArray) -> np.ndarray:
    """Of distinct rows in ascending order, by the sweep of Kung, Luccio and Preparata (1975): of
    the rows so far the second and third goals make a staircase, under which those to come are."""
    whole = np.hstack([np.zeros((len(goals), _SWEPT - goals.shape[1])), goals])
    is_best = np.zeros(len(goals), dtype=bool)
    seconds: list[float] = []  # rising, and thirds that fall
    thirds: list[float] = []
    for k, (_, second, third) in enumerate(whole.tolist()):
        at = bisect_right(seconds, second)
        if at and thirds[at - 1] <= third:
            continue
        is_best[k] = True
        first = at - 1 if at and seconds[at - 1] == second else at
        last = first
        while last < len(thirds) and thirds[last] >= third:
            last += 1
        seconds[first:last], thirds[first:last] = [second], [third]
    return is_best


def _best_of_many(goals: FloatArray) -> np.ndarray:
    """Of distinct rows; what is better in all goals has a smaller sum: nothing behind a car in the
    order of these is."""
    low, high = goals.min(axis=0), goals.max(axis=0)
    sums = ((goals - low) / np.where(high > low, high - low, 1.0)).sum(axis=1)
    left = np.lexsort((*goals.T[::-1], sums))
    is_best = np.zeros(len(goals), dtype=bool)
    while len(left):
        best, left = left[0], left[1:]
        is_best[best] = True
        left = left[(goals[left] < goals[best]).any(axis=1)]
    return is_best


def _compromise(goals: FloatArray, front: np.ndarray) -> int:
    """The car of the front that is nearest to the best of each goal, each between the best and the
    worst of the front."""
    if not len(front):
        return -1
    values = goals[front]
    low, high = values.min(axis=0), values.max(axis=0)
    shares = (values - low) / np.where(high > low, high - low, 1.0)
    return int(front[np.argmin(np.linalg.norm(shares, axis=1))])


def optimum_findings(found: Optimum) -> list[Finding]:
    """Quantities and goals of the best car, for ``metrics.json``."""
    if found.best_car < 0:
        return []
    listed = [
        Finding(f"best.{q.name}", found.best[q.name], q.unit or "1", f"best {q.name}")
        for q in found.quantities
    ]
    listed += [
        Finding(f"goal.{g.text}", found.best_goals[g.text], g.unit, g.text) for g in found.goals
    ]
    return listed
