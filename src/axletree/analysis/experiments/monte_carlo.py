"""``monte_carlo``: what tolerances come to, in cars that are drawn from distributions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from axletree.analysis.experiments.evaluation import CarTable, evaluator
from axletree.analysis.experiments.trials import GivenTrials, make_trials
from axletree.analysis.experiments.varied_quantities import (
    distribution_unit,
    read_distribution,
)
from axletree.analysis.studies.machines import executor_of
from axletree.analysis.studies.sweep_plan import RunSettings, SweepError
from axletree.core.arguments import check_arguments
from axletree.core.errors import AxletreeError
from axletree.core.text_table import TextTable
from axletree.core.units import printed_unit, to_si
from axletree.metrics.findings import unit_in_words, value_in_words
from axletree.model.model import Model
from axletree.simulation.batch.batch import named
from axletree.simulation.batch.distributions import DrawnValue, Sampling, drawn
from axletree.simulation.problem import SettingsError

PERCENTAGES = (5.0, 25.0, 50.0, 75.0, 95.0)  # percent, of the table
_DIGITS = 4  # of numbers in tables
_FEWEST = 3  # cars beyond the number of quantities, for a regression


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class MonteCarlo(CarTable):
    """A row for each car that was drawn, its values first, then what it came to.

    Example:
    >>> import axletree as at
    >>> masses = {"body.mass": "uniform(1300, 1700 kg)"}
    >>> found = at.monte_carlo("bicycle-car", masses, "step-steer", members=8, seed=1)
    >>> found["body.mass"].shape, found.failures
    ((8,), {})
    """

    drawn_from: Mapping[str, DrawnValue]
    sampling: str
    seed: int | None

    place = "these cars"

    def __repr__(self) -> str:
        return self.table().text()

    def statistics(self, name: str) -> dict[str, float]:
        """Mean, standard deviation, and percentiles of a column over the cars that show it.

        Example:
        >>> import axletree as at
        >>> masses = {"body.mass": "uniform(1300, 1700 kg)"}
        >>> found = at.monte_carlo("bicycle-car", masses, "step-steer", members=64, seed=1)
        >>> f"{found.statistics('body.mass')['mean']:.0f} kg"
        '1500 kg'
        """
        values = self[name][self.finished]
        known = values[~np.isnan(values)]
        if not len(known):
            return dict.fromkeys(
                ("mean", "deviation", *(f"{s:g} %" for s in PERCENTAGES)), math.nan
            )
        deviation = float(known.std(ddof=1)) if len(known) > 1 else math.nan
        shares = np.percentile(known, PERCENTAGES)
        return {"mean": float(known.mean()), "deviation": deviation} | {
            f"{share:g} %": float(value) for share, value in zip(PERCENTAGES, shares, strict=True)
        }

    def table(self) -> TextTable:
        """The distribution of every finding: a row for each.

        Example:
        >>> import axletree as at
        >>> masses, of = {"body.mass": "uniform(1300, 1700 kg)"}, ["chassis.rate.final"]
        >>> found = at.monte_carlo("bicycle-car", masses, "step-steer", members=8, seed=1, of=of)
        >>> [row[0] for row in found.table().rows]
        ['chassis.rate.final']
        """
        heads = (
            "finding:",
            "unit:",
            "mean",
            "standard deviation",
            *(f"{share:g} %" for share in PERCENTAGES),
        )
        rows = []
        for one in self.findings:
            numbers = self.statistics(one.name).values()
            unit = printed_unit(unit_in_words(one.unit))
            cells = (value_in_words(value, one.unit, _DIGITS) for value in numbers)
            rows.append((one.name, unit if unit != "1" else "", *cells))
        notes = (f"{len(self)} cars, {self.sampling}; {self.way}", *self.remarks)
        return TextTable(f"{self.model}, {self.trials}", heads, tuple(rows), notes)

    def effects(self, name: str) -> dict[str, float]:
        """By what differs, the standardised coefficient of a linear regression of a finding.

        Its square is the share of the variance that the quantity makes, as far as the finding is
        linear in it (Saltelli et al. 2008, section 1.2.5); ``explained`` is their whole share.

        Example:
        >>> import axletree as at
        >>> masses = {"body.mass": "uniform(1300, 1700 kg)"}
        >>> of = ["chassis.rate.final"]
        >>> found = at.monte_carlo("bicycle-car", masses, "step-steer", members=16, seed=1, of=of)
        >>> print(f"{found.effects('chassis.rate.final')['body.mass']:.2f}")
        -1.00
        """
        return self._regression(name)[0]

    def explained(self, name: str) -> float:
        """The share of the variance of a finding that a linear regression explains, R^2.

        Example:
        >>> import axletree as at
        >>> masses = {"body.mass": "uniform(1300, 1700 kg)"}
        >>> of = ["chassis.rate.final"]
        >>> found = at.monte_carlo("bicycle-car", masses, "step-steer", members=16, seed=1, of=of)
        >>> found.explained("chassis.rate.final") > 0.99
        True
        """
        return self._regression(name)[1]

    def _regression(self, name: str) -> tuple[dict[str, float], float]:
        values = self[name]
        rows = self.finished & ~np.isnan(values)
        names = [one.name for one in self.quantities]
        unknown = dict.fromkeys(names, math.nan), math.nan
        if rows.sum() < len(names) + _FEWEST:
            return unknown
        y = values[rows]
        scale = float(y.std())
        if scale <= 1e-12 * float(np.abs(y).max()):  # it does not change
            return dict.fromkeys(names, 0.0), math.nan
        x = np.column_stack([self[one][rows] for one in names])
        widths = x.std(axis=0)
        x = (x - x.mean(axis=0)) / np.where(widths > 0.0, widths, 1.0)
        standard = (y - y.mean()) / scale
        slopes = np.linalg.lstsq(x, standard, rcond=None)[0]
        left = float(np.mean((standard - x @ slopes) ** 2))
        return dict(zip(names, slopes.tolist(), strict=True)), 1.0 - left


def monte_carlo(
    model: Model | str | Path,
    parameters: Mapping[str, str | DrawnValue],
    manoeuvre: GivenTrials = None,
    *,
    members: int = 1000,
    sampling: str = "latin-hypercube",
    seed: int | None = 0,
    of: Sequence[str] = (),
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
) -> MonteCarlo:
    """Draw cars from distributions, put each through a manoeuvre or a procedure, and gather all.

    Parameters
    ----------
    model: a YAML file, a name of the catalogue, ``"file.py:name"``, or a model.
    parameters: distributions by name, such as ``"normal(1500, 50 kg)"`` or ``at.Normal(...)``. A
        name is a parameter of the equations, a pattern of them (``front_*_spring.stiffness``: one
        value for all), ``manoeuvre.speed``, or a place in the file such as ``vehicle.body.mass``.
    manoeuvre: a name of the model's manoeuvres or of the procedures, or several by labels of your
        own: ``{"step": "iso-7401-step", "ride": "iso-8608-b"}``. None: the model's own run.
    members, sampling, seed: how many cars are drawn, and how: ``latin-hypercube``, ``sobol`` (best
        with powers of two) or ``random``.
    of: findings that are asked for, all by default; ``vehicle.yaw_rate.maximum`` and the like are
        found of any state or output, and take the least time.
    speed, duration, step, method: of the runs, as the model proposes by default.
    changes: keys of the model file with other values, for all cars.
    lanes, number: cars run side by side where they can, in ``double`` or, in half the time, in
        ``float`` numbers; False: each by itself.
    workers, client, folder, restart: as for ``sweep``.

    ``found.way`` says how cars were run, and ``found.failures`` which of them failed, and why.

    Example:
    >>> import axletree as at
    >>> drawn = {
    ...     "body.mass": "normal(1500, 50 kg)",
    ...     "*_tyre.law.cornering_stiffness": at.Normal("110 kN/rad", "4 kN/rad"),
    ... }
    >>> of = ["chassis.rate.final"]
    >>> found = at.monte_carlo("bicycle-car", drawn, "step-steer", members=64, of=of)
    >>> found.percentiles("chassis.rate.final", [50]).round(3).tolist()  # rad/s
    [0.188]
    """
    check_arguments(monte_carlo, locals())
    if members < 1:
        raise SettingsError(f"members is {members}; expected 1 or more")
    plan_of = named(Sampling, sampling, "sampling")
    distributions = read_distributions(parameters)
    executor = executor_of(workers, client)
    settings = run_settings(speed, duration, step, method)
    units = {name: distribution_unit(one) for name, one in distributions.items()}
    plan = make_trials(model, manoeuvre, units, of, settings, changes or {})
    sources = {q.name: (distributions[q.name], q.unit or "1") for q in plan.quantities}
    columns = drawn(sources, members, plan_of, seed)
    runner = evaluator(plan, of, executor, lanes, folder, restart, number)
    found = runner.cars([columns[q.name] for q in plan.quantities])
    return MonteCarlo(
        **vars(found), drawn_from=distributions, sampling=sampling, seed=seed,
    )  # fmt: skip


def read_distributions(given: Mapping[str, str | DrawnValue]) -> dict[str, DrawnValue]:
    """All of them, or all that is wrong with them."""
    found, problems = {}, []
    for name, one in given.items():
        try:
            found[name] = read_distribution(name, one)
        except AxletreeError as error:
            problems.append(str(error))
    if problems:
        raise SweepError("; ".join(problems))
    return found


def run_settings(
    speed: float | str | None,
    duration: float | str | None,
    step: float | str | None,
    method: str | None,
) -> RunSettings:
    length, pace = (None if one is None else to_si(one, expected="s") for one in (duration, step))
    return RunSettings(speed, length, pace, method)
