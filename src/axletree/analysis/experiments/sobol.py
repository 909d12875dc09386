"""``sobol``: which of many tolerances matters, by shares of the variance of what cars come to.

The first-order index of a quantity is the share of the variance that vanishes when it is known; the
total index the share that is left when all others are known (Sobol 1993; Homma and Saltelli 1996).
They are estimated from two tables of values A and B, and from tables A with one column of B
(Saltelli et al. 2010, table 2: first order by their eq. b, total by Jansen's eq. f): count (k + 2)
cars for k quantities.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from axletree.analysis.experiments.evaluation import CarTable, evaluator
from axletree.analysis.experiments.monte_carlo import read_distributions, run_settings
from axletree.analysis.experiments.trials import GivenTrials, make_trials
from axletree.analysis.experiments.varied_quantities import distribution_unit
from axletree.analysis.studies.machines import executor_of
from axletree.core.arguments import check_arguments
from axletree.core.arrays import FloatArray
from axletree.core.errors import SimulationError
from axletree.core.registry import few_names, refuse_unknown
from axletree.core.text_table import TextTable
from axletree.model.model import Model
from axletree.simulation.batch.distributions import DrawnValue, Sampling, drawn
from axletree.simulation.problem import SettingsError

_ROUNDING = 1e-9  # of a mean: findings that differ by less do not change


@dataclass(frozen=True, repr=False)
class SobolIndices:
    """Shares of the variance of a column by quantity, each with its standard error.

    Example:
    >>> import axletree as at
    >>> car = at.read_model("bicycle-car")
    >>> drawn = {"body.mass": at.Uniform(1300, 1700)}  # kg
    >>> found = at.sobol(car, drawn, "step-steer", of="chassis.rate.final", count=64, seed=1)
    >>> print(f"{found.total['body.mass']:.1f}")  # there is nothing else
    1.0
    """

    of: str  # the column
    mean: float
    variance: float
    first_order: Mapping[str, float]
    total: Mapping[str, float]
    first_order_error: Mapping[str, float]
    total_error: Mapping[str, float]
    found: CarTable  # all cars that were run

    def __repr__(self) -> str:
        return self._table.text()

    def _repr_html_(self) -> str:
        """As a notebook shows it."""
        return self._table.html()

    @property
    def _table(self) -> TextTable:
        rows = tuple(
            (
                name,
                f"{self.first_order[name]:.3f} +- {self.first_order_error[name]:.3f}",
                f"{self.total[name]:.3f} +- {self.total_error[name]:.3f}",
            )
            for name in sorted(self.total, key=lambda name: -self.total[name])
        )
        title = f"Shares of the variance of {self.of}"
        return TextTable(title, ("quantity:", "first order", "total"), rows)


@dataclass(frozen=True, eq=False, repr=False)
class SobolStudy:
    """Indices of several findings, all of the same cars.

    Example:
    >>> from axletree.analysis.experiments.sobol import sobol_study
    >>> drawn = {"body.mass": "uniform(1300, 1700 kg)"}
    >>> found = sobol_study("bicycle-car", drawn, "step-steer", of=["chassis.rate.final"], count=4)
    >>> list(found.indices), len(found.cars)
    (['chassis.rate.final'], 12)
    """

    indices: Mapping[str, SobolIndices]  # by finding
    cars: CarTable

    def __repr__(self) -> str:
        return "\n\n".join(map(repr, self.indices.values()))

    @property
    def changing(self) -> dict[str, SobolIndices]:
        """Of findings that differ from car to car by more than rounding."""
        return {
            name: one
            for name, one in self.indices.items()
            if one.variance > (_ROUNDING * one.mean) ** 2
        }


def sobol(
    model: Model | str | Path,
    drawn_values: Mapping[str, str | DrawnValue],
    manoeuvre: GivenTrials = None,
    *,
    of: str,
    count: int = 1024,
    seed: int | None = None,
    **settings: Any,
) -> SobolIndices:
    """The shares of the variance of a finding that each of several quantities makes.

    Parameters
    ----------
    drawn_values: distributions by name, as for ``monte_carlo``, which are taken for independent.
    manoeuvre: a name of the model's manoeuvres or of the procedures, as for ``monte_carlo``.
    of: a finding, or a state or output and one of minimum, maximum, mean, rms and final, such as
        ``"vehicle.yaw_rate.maximum"``.
    count: rows of each of the tables, a power of two; ``count * (quantities + 2)`` cars are run.
    settings: speed, duration, step, method, changes, lanes, number, workers, client, folder and
        restart, as for ``monte_carlo``.

    Example:
    >>> import axletree as at
    >>> car = at.read_model("bicycle-car")
    >>> stiffness = "tyre.law.cornering_stiffness"
    >>> around = at.Normal("110 kN/rad", "4 kN/rad")
    >>> drawn = {f"{axle}_{stiffness}": around for axle in ("front", "rear")}
    >>> found = at.sobol(car, drawn, "step-steer", of="chassis.rate.final", count=128, seed=1)
    >>> bool(found.total[f"front_{stiffness}"] > found.total[f"rear_{stiffness}"])
    True
    """
    check_arguments(sobol, locals())
    known = [name for name in inspect.signature(sobol_study).parameters if name not in _OWN]
    refuse_unknown("setting", settings, known, "sobol")
    study = sobol_study(model, drawn_values, manoeuvre, of=[of], count=count, seed=seed, **settings)
    return study.indices[of]


_OWN: Final = ("model", "drawn_values", "manoeuvre", "of", "count", "seed")


def sobol_study(
    model: Model | str | Path,
    drawn_values: Mapping[str, str | DrawnValue],
    manoeuvre: GivenTrials = None,
    *,
    of: Sequence[str] = (),
    count: int = 1024,
    seed: int | None = None,
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
) -> SobolStudy:
    """The same of several findings, of all for none."""
    check_arguments(sobol_study, locals())
    if count < 2 or count & (count - 1):
        raise SettingsError(f"count is {count}; expected a power of two, such as 1024")
    distributions = read_distributions(drawn_values)
    executor = executor_of(workers, client)
    units = {name: distribution_unit(one) for name, one in distributions.items()}
    asked = run_settings(speed, duration, step, method)
    plan = make_trials(model, manoeuvre, units, of, asked, changes or {})
    columns = _tables({q.name: (distributions[q.name], q.unit) for q in plan.quantities}, count,
                      seed)  # fmt: skip
    cars = evaluator(plan, of, executor, lanes, folder, restart, number).cars(columns)
    if not cars.complete:
        raise KeyboardInterrupt
    if cars.failures:
        failed = few_names(map(str, cars.failures), 3)
        reason = next(iter(cars.failures.values()))
        raise SimulationError(
            f"{len(cars.failures)} of {len(cars)} cars failed ({failed}), the first because "
            f"{reason}; shares are of whole tables: draw from narrower distributions"
        )
    names = [one.name for one in plan.quantities]
    found = {one.name: _indices(one.name, cars, names, count) for one in cars.findings}
    return SobolStudy(found, cars)


def _indices(of: str, cars: CarTable, names: Sequence[str], count: int) -> SobolIndices:
    blocks = cars[of].reshape(len(names) + 2, count)
    if np.isnan(blocks).any():
        nothing = dict.fromkeys(names, float("nan"))
        return SobolIndices(of, np.nan, np.nan, nothing, nothing, nothing, nothing, cars)
    first, total, errors = sobol_estimates(blocks[0], blocks[1], blocks[2:])
    both = blocks[:2].ravel()
    return SobolIndices(
        of, float(both.mean()), float(both.var()), dict(zip(names, first, strict=True)),
        dict(zip(names, total, strict=True)), dict(zip(names, errors[0], strict=True)),
        dict(zip(names, errors[1], strict=True)), cars,
    )  # fmt: skip


def _tables(
    sources: Mapping[str, tuple[DrawnValue, str]], count: int, seed: int | None
) -> list[FloatArray]:
    """The columns of A, of B, and of A with each column of B in turn, one below the other."""
    pairs: dict[str, tuple[DrawnValue, str]] = {}
    for name, (one, unit) in sources.items():
        pairs |= {f"a {name}": (one, unit or "1"), f"b {name}": (one, unit or "1")}
    values = drawn(pairs, count, Sampling.SOBOL, seed)
    columns = []
    for name in sources:
        a, b = values[f"a {name}"], values[f"b {name}"]
        mixed = [b if name == other else a for other in sources]
        columns.append(np.concatenate([a, b, *mixed]))
    return columns


def sobol_estimates(
    a: FloatArray, b: FloatArray, mixed: FloatArray
) -> tuple[list[float], list[float], tuple[list[float], list[float]]]:
    """First-order and total indices, and the standard errors of both, from values of tables A, B,
    and of A with one column of B (in rows).

    Example:
    >>> import numpy as np
    >>> from axletree.analysis.experiments.sobol import sobol_estimates
    >>> x, y = np.random.default_rng(0).normal(size=(2, 2, 4096))  # values of A and of B
    >>> f = lambda first, second: 2.0 * first + second  # of variance 4 + 1
    >>> rows = np.array([f(y[0], x[1]), f(x[0], y[1])])
    >>> first, total, _ = sobol_estimates(f(*x), f(*y), rows)
    >>> np.round(first, 1).tolist(), np.round(total, 1).tolist()
    ([0.8, 0.2], [0.8, 0.2])
    """
    variance = float(np.concatenate([a, b]).var())
    if variance == 0.0:
        nothing = [0.0] * len(mixed)
        return nothing, nothing, (nothing, nothing)
    middle = np.concatenate([a, b]).mean()  # of which products are taken: less is lost by rounding
    ones = [(b - middle) * (row - a) / variance for row in mixed]
    totals = [0.5 * (a - row) ** 2 / variance for row in mixed]
    return _means(ones), _means(totals), (_errors(ones), _errors(totals))


def _means(terms: list[NDArray[np.float64]]) -> list[float]:
    return [float(term.mean()) for term in terms]


def _errors(terms: list[NDArray[np.float64]]) -> list[float]:
    """Of a mean of values that are drawn one by one; of a Sobol sequence they are smaller."""
    return [float(term.std(ddof=1) / np.sqrt(len(term))) for term in terms]
