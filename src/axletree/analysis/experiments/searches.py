"""Searches for the best cars, each between bounds that are 0 and 1 to it.

A search decides by the goals of the cars that it has tried and by its seed alone. So one that is
begun again tries the same cars, finds what it knew in its folder, and goes on from there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from axletree.analysis.experiments.evaluation import CarRunner, CarTable
from axletree.analysis.experiments.exact_slopes import ExactSlopes, exact_slopes
from axletree.analysis.experiments.goals import DesignGoal, DesignLimit
from axletree.analysis.studies.sweep_plan import SweepError
from axletree.core.arrays import FloatArray
from axletree.core.progress import Progress

_STEP: Final = 1e-4  # share of the bounds, to either side, of central differences
_FAILED: Final = 1e6  # merit of a car that failed, where goals are of the size of 1
_FIRST_SPREAD: Final = 0.25  # of CMA-ES, share of the bounds
_GENERATIONS: Final = 100
_MOST_COMPARED: Final = 2000  # cars of a generation, among which equal ones are looked for
_INTERRUPTED: Final = "interrupted"


@dataclass(frozen=True)
class Tried:
    """Cars of a generation."""

    values: FloatArray  # a row for each car
    cars: CarTable
    goals: FloatArray  # a column for each goal
    excess: FloatArray  # a column for each limit


@dataclass
class SearchTask:
    """What is searched for, and what was tried so far."""

    runner: CarRunner
    goals: tuple[DesignGoal, ...]
    limits: tuple[DesignLimit, ...]
    scales: FloatArray | None  # weights of the goals over their sizes
    nominal: Mapping[str, float]
    lower: FloatArray
    upper: FloatArray
    start: FloatArray
    most: int | None  # cars
    population: int | None
    seed: int
    tried: list[Tried] = field(default_factory=list)
    complete: bool = True

    @property
    def width(self) -> int:
        return len(self.lower)

    @property
    def count(self) -> int:
        """Cars so far."""
        return sum(len(one.values) for one in self.tried)

    @property
    def first(self) -> FloatArray:
        """The model as it is, between the bounds."""
        found: FloatArray = (self.start - self.lower) / (self.upper - self.lower)
        return found

    def values(self, shares: FloatArray) -> FloatArray:
        found: FloatArray = self.lower + np.clip(shares, 0.0, 1.0) * (self.upper - self.lower)
        return found

    def evaluate(self, shares: FloatArray) -> Tried:
        """Cars at shares of the way from lower to upper bounds, in rows."""
        values = self.values(shares)
        cars = self.runner.cars(list(values.T))
        goals = np.column_stack([one.values(cars.columns) for one in self.goals])
        excess = np.zeros((len(values), 0))
        if self.limits:
            excess = np.column_stack([one.excess(cars.columns) for one in self.limits])
        found = Tried(values, cars, goals, excess)
        if not cars.complete:
            self.complete = False
            raise KeyboardInterrupt
        self.tried.append(found)
        return found

    def sum_of(self, goals: FloatArray) -> FloatArray:
        """The one number that is made small, about 1 for the model as it is."""
        scales = self.scales
        if scales is None:
            size = abs(next(iter(self.nominal.values()))) or 1.0
            scales = np.array([1.0 / size])
        found: FloatArray = goals @ scales
        return found


def _merits(task: SearchTask, found: Tried) -> FloatArray:
    """Cars that keep all limits by their goal, then the others by how far they are beyond.

    As Deb (2000) orders them: any car that keeps its limits is better than any that does not.
    """
    value = task.sum_of(found.goals)
    beyond = np.clip(np.nan_to_num(found.excess, nan=_FAILED), 0.0, _FAILED).sum(axis=1)
    failed = np.isnan(value)
    good = ~failed & (beyond == 0.0)
    worst = max((float(task.sum_of(one.goals)[_kept(task, one)].max(initial=-math.inf))
                 for one in task.tried), default=-math.inf)  # fmt: skip
    offset = worst if math.isfinite(worst) else 0.0
    merits = np.where(good, value, offset + beyond)
    return np.where(failed, offset + _FAILED, merits)


def _kept(task: SearchTask, found: Tried) -> np.ndarray:
    whole = np.isfinite(task.sum_of(found.goals))
    return np.asarray(whole & (found.excess <= 0.0).all(axis=1))


def cma_es(task: SearchTask) -> str:
    """Evolution with a covariance that adapts (Hansen and Ostermeier 2001), by the library cma."""
    try:
        import cma
    except ImportError:
        raise SweepError(_missing("cma-es", "cma")) from None
    if task.width < 2:
        raise SweepError("cma-es needs two quantities or more; take search gradient for one")
    size = task.population or max(16, 4 + int(3.0 * math.log(task.width)))
    generations = max(1, (task.most or _GENERATIONS * size) // size)
    settings = {
        "bounds": [0.0, 1.0], "seed": task.seed + 1, "popsize": size, "verbose": -9, "verb_log": 0,
    }  # fmt: skip
    inside = np.clip(task.first, 0.01, 0.99)
    search = cma.CMAEvolutionStrategy(inside.tolist(), _FIRST_SPREAD, settings)
    with Progress(generations, "optimising", "generations") as progress:
        while not search.stop() and search.countiter < generations:
            shares = np.array(search.ask())
            found = _tried_or_end(task, shares)
            if found is None:
                return _INTERRUPTED
            search.tell(list(shares), _merits(task, found).tolist())
            progress.show(search.countiter)
    why = f"ended by {', '.join(search.stop())} after " if search.stop() else ""
    return f"{why}{search.countiter} generations of {size}"


def _tried_or_end(task: SearchTask, shares: FloatArray) -> Tried | None:
    """None where Ctrl-C was pressed."""
    try:
        return task.evaluate(shares)
    except KeyboardInterrupt:
        task.complete = False
        return None


def _missing(search: str, package: str) -> str:
    return f'the search {search} needs {package}: pip install "axletree[optimise]"'


def nsga_2(task: SearchTask) -> str:
    """A generation that spreads along the front (Deb et al. 2002), by the library pymoo."""
    try:
        from pymoo.algorithms.moo.nsga2 import NSGA2
        from pymoo.core.evaluator import Evaluator as Teller
        from pymoo.core.problem import Problem
        from pymoo.core.termination import NoTermination
        from pymoo.problems.static import StaticProblem
    except ImportError:
        raise SweepError(_missing("nsga-2", "pymoo")) from None
    from scipy.stats import qmc

    size = task.population or 64
    generations = max(1, (task.most or _GENERATIONS * size) // size)
    drawn = qmc.LatinHypercube(task.width, rng=np.random.default_rng(task.seed)).random(size - 1)
    problem = Problem(n_var=task.width, n_obj=len(task.goals),
                      n_ieq_constr=len(task.limits) + 1, xl=0.0, xu=1.0)  # fmt: skip
    search = NSGA2(pop_size=size, sampling=np.vstack([task.first, drawn]),
                   eliminate_duplicates=size <= _MOST_COMPARED)  # fmt: skip
    search.setup(problem, seed=task.seed, verbose=False, termination=NoTermination())
    with Progress(generations, "optimising", "generations") as progress:
        for generation in range(generations):
            asked = search.ask()
            found = _tried_or_end(task, np.asarray(asked.get("X"), dtype=float))
            if found is None:
                return _INTERRUPTED
            failed: Any = np.isnan(found.goals).any(axis=1)
            goals = np.where(failed[:, None], 0.0, found.goals)
            beyond = np.nan_to_num(np.column_stack([found.excess, failed]), nan=_FAILED)
            Teller().eval(StaticProblem(problem, F=goals, G=beyond), asked)
            search.tell(infills=asked)
            progress.show(generation + 1)
    return f"{generations} generations of {size}"


def gradient_descent(task: SearchTask) -> str:
    """Sequential quadratic programming (Kraft 1988, SLSQP of SciPy) from the model as it is."""
    from scipy.optimize import minimize

    exact, why = exact_slopes(task.runner, task.goals, task.limits)
    slopes = _Slopes(task, exact)
    limits = [
        {"type": "ineq", "fun": lambda x, k=k: -slopes.at(x)[1][k],
         "jac": lambda x, k=k: -slopes.at(x)[3][k]}
        for k in range(len(task.limits))
    ]  # fmt: skip
    try:
        found = minimize(
            lambda x: slopes.at(x)[0], task.first, jac=lambda x: slopes.at(x)[2], method="SLSQP",
            bounds=[(0.0, 1.0)] * task.width, constraints=limits,
            options={"maxiter": _GENERATIONS, "ftol": 1e-9},
        )  # fmt: skip
    except KeyboardInterrupt:
        task.complete = False
        return _INTERRUPTED
    except _EnoughError:
        return f"ended after {task.count} cars; {why}"
    ending = found.message[:1].lower() + found.message[1:]
    return f"{ending} after {found.nit} iterations; {why}"


class _EnoughError(Exception):
    """As many cars as were allowed."""


class _Slopes:
    """Goal, limits and their derivatives by shares of the bounds; SciPy asks for each by itself."""

    def __init__(self, task: SearchTask, exact: ExactSlopes | None) -> None:
        self._task, self._exact = task, exact
        self._known: dict[bytes, tuple[float, FloatArray, FloatArray, FloatArray]] = {}

    def at(self, shares: FloatArray) -> tuple[float, FloatArray, FloatArray, FloatArray]:
        """Goal, excess of limits, and the slopes of both."""
        key = np.asarray(shares, dtype=float).tobytes()
        if key not in self._known:
            if self._task.most is not None and self._task.count >= self._task.most:
                raise _EnoughError
            inside = np.clip(shares, 0.0, 1.0)
            found = self._by_runs(inside) if self._exact is None else self._by_adjoint(inside)
            self._known[key] = found
        return self._known[key]

    def _by_adjoint(self, shares: FloatArray) -> tuple[float, FloatArray, FloatArray, FloatArray]:
        task = self._task
        assert self._exact is not None
        found = task.evaluate(shares[None, :])
        goals, limits = self._exact(task.values(shares))
        width = task.upper - task.lower
        value, excess = self._numbers(found)
        return float(value[0]), excess[0], task.sum_of((goals * width).T), limits * width

    def _by_runs(self, shares: FloatArray) -> tuple[float, FloatArray, FloatArray, FloatArray]:
        """Central differences, all cars in one generation; one-sided at bounds."""
        task = self._task
        steps = _STEP * np.eye(task.width)
        ahead, behind = np.clip(shares + steps, 0.0, 1.0), np.clip(shares - steps, 0.0, 1.0)
        found = task.evaluate(np.vstack([shares, ahead, behind]))
        value, excess = self._numbers(found)
        apart = np.diag(ahead - behind)
        n = task.width
        slope = (value[1 : n + 1] - value[n + 1 :]) / apart
        slopes = ((excess[1 : n + 1] - excess[n + 1 :]) / apart[:, None]).T
        return float(value[0]), excess[0], slope, slopes

    def _numbers(self, found: Tried) -> tuple[FloatArray, FloatArray]:
        value = self._task.sum_of(found.goals)
        if np.isnan(value).any() or np.isnan(found.excess).any():
            k = int(np.flatnonzero(np.isnan(value) | np.isnan(found.excess).any(axis=1))[0])
            why = found.cars.failures.get(k, "a goal or limit is no number there")
            names = [one.name for one in found.cars.quantities]
            place = ", ".join(f"{n} = {x:.6g}" for n, x in zip(names, found.values[k], strict=True))
            raise SweepError(f"a gradient cannot be followed: at {place}, {why}; take cma-es")
        return value, found.excess


SEARCHES: Final[Mapping[str, Callable[[SearchTask], str]]] = {
    "cma-es": cma_es,
    "gradient": gradient_descent,
    "nsga-2": nsga_2,
}
