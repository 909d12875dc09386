"""``sobol``: which of many tolerances matters, by shares of the variance of what cars come to.

The first-order index of a quantity is the share of the variance that vanishes when it is known; the
total index the share that is left when all others are known (Sobol 1993; Homma and Saltelli 1996).
They are estimated from two tables of values A and B, and from tables A with one column of B
(Saltelli et al. 2010, table 2: first order by their eq. b, total by Jansen's eq. f): count (k + 2)
cars for k quantities, all of them in one batch.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from axletree.analysis.studies.driven_batch import drive_batch
from axletree.core.arguments import check_arguments
from axletree.core.arrays import FloatArray
from axletree.core.errors import SimulationError
from axletree.core.registry import few_names, refuse_unknown
from axletree.core.text_table import TextTable
from axletree.model.manoeuvre import Manoeuvre
from axletree.model.model import Model
from axletree.simulation.batch.batch_result import REDUCTIONS, Batch
from axletree.simulation.batch.distributions import DrawnValue, Sampling, drawn
from axletree.simulation.problem import SettingsError
from axletree.system.formulation import formulate


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
    found: Batch  # all cars that were run

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


def sobol(
    model: Model,
    drawn_values: Mapping[str, DrawnValue],
    manoeuvre: str | Manoeuvre | None = None,
    *,
    of: str,
    count: int = 1024,
    seed: int | None = None,
    **settings: Any,
) -> SobolIndices:
    """The shares of the variance of a column of a batch that each of several quantities makes.

    Parameters
    ----------
    drawn_values: distributions of parameters by name, which are taken for independent.
    manoeuvre: as for ``Model.batch``, and so are further settings, such as ``speed`` and ``step``.
    of: a column, such as ``"vehicle.yaw_rate.maximum"``: the name of a state or output, and one of
        minimum, maximum, mean, rms and final.
    count: rows of each of the tables, a power of two; ``count * (quantities + 2)`` cars are run.

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
    if count < 2 or count & (count - 1):
        raise SettingsError(f"count is {count}; expected a power of two, such as 1024")
    names = [*drawn_values]
    refuse_unknown("setting", settings, _settings(), "sobol")
    output, _, kind = of.rpartition(".")
    if kind not in REDUCTIONS:
        raise SettingsError(
            f"of is {of!r}; expected a quantity and one of {', '.join(REDUCTIONS)}, such as "
            f"'{of}.{REDUCTIONS[-1]}'"
        )
    columns = _tables(model, drawn_values, count, seed)
    found = drive_batch(model, columns, manoeuvre, outputs=[output], **settings)
    values = found[of]
    if found.failures or not found.complete:
        failed = few_names(map(str, found.failures), 3)
        raise SimulationError(
            f"{len(found.failures)} of {len(found)} members failed ({failed}), and shares are of "
            "whole tables; draw from narrower distributions"
        )
    blocks = values.reshape(len(names) + 2, count)
    first, total, errors = sobol_estimates(blocks[0], blocks[1], blocks[2:])
    both = blocks[:2].ravel()
    return SobolIndices(
        of, float(both.mean()), float(both.var()), dict(zip(names, first, strict=True)),
        dict(zip(names, total, strict=True)), dict(zip(names, errors[0], strict=True)),
        dict(zip(names, errors[1], strict=True)), found,
    )  # fmt: skip


def _settings() -> list[str]:
    """Those of a batch but what the tables say themselves."""
    own = ("model", "parameters", "manoeuvre", "outputs", "members", "sampling", "seed")
    return [name for name in inspect.signature(drive_batch).parameters if name not in own]


def _tables(
    model: Model, drawn_values: Mapping[str, DrawnValue], count: int, seed: int | None
) -> dict[str, FloatArray]:
    """The columns of A, of B, and of A with each column of B in turn, one below the other."""
    units = {q.name: q.unit for q in formulate(model).parameters}
    pairs: dict[str, tuple[DrawnValue, str]] = {}
    for name, one in drawn_values.items():
        if not isinstance(one, DrawnValue):
            raise SettingsError(f"{name} is {one!r}; expected a distribution, as at.Uniform(1, 2)")
        unit = units.get(name, "1")
        pairs |= {f"a {name}": (one, unit), f"b {name}": (one, unit)}
    values = drawn(pairs, count, Sampling.SOBOL, seed)
    columns = {}
    for name in drawn_values:
        a, b = values[f"a {name}"], values[f"b {name}"]
        mixed = [b if name == other else a for other in drawn_values]
        columns[name] = np.concatenate([a, b, *mixed])
    return columns


def sobol_estimates(
    a: FloatArray, b: FloatArray, mixed: FloatArray
) -> tuple[list[float], list[float], tuple[list[float], list[float]]]:
    """First-order and total indices, and the standard errors of both, from values of tables A, B,
    and of A with one column of B (in rows).

    Example:
    >>> import numpy as np
    >>> from axletree.analysis.studies.sobol import sobol_estimates
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
