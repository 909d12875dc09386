"""Panels of experiments: distributions of findings, findings over what differs, Pareto fronts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from axletree.analysis.experiments.evaluation import CarTable
from axletree.analysis.experiments.goals import DesignGoal
from axletree.analysis.experiments.monte_carlo import MonteCarlo
from axletree.analysis.experiments.optimise import Optimum
from axletree.core.arrays import FloatArray
from axletree.metrics.findings import YES_NO, Finding, moment, point
from axletree.plot.panels import NO_CHANGE, Panel, PanelCurve, greatest_magnitude
from axletree.plot.style import plotted_unit

MOST_HISTOGRAMS = 24
_MOST_SCATTERS = 24
_MOST_BARS = 60  # of a histogram
_MOST_POINTS = 1500  # of a scatter
_STRONGEST = 2  # quantities that a finding is drawn over


def changing_findings(found: CarTable) -> list[Finding]:
    """Those that differ from car to car by more than rounding."""
    chosen = []
    for one in found.findings:
        values = _known(found, one)
        moves = len(values) > 1 and np.ptp(values) > NO_CHANGE * np.abs(values).max()
        if moves and one.unit != YES_NO:
            chosen.append(one)
    return chosen


def _known(found: CarTable, one: Finding) -> FloatArray:
    values: FloatArray = found[one.name][found.finished]
    known: FloatArray = values[np.isfinite(values)]
    return known


def histogram_panels(found: CarTable) -> list[Panel]:
    """How many cars come to which values, with percentiles and the model as it is.

    Example:
    >>> import axletree as at
    >>> from axletree.plot.experiments import histogram_panels
    >>> drawn, of = {"body.mass": "uniform(1300, 1700 kg)"}, ["chassis.rate.final"]
    >>> found = at.monte_carlo("bicycle-car", drawn, "step-steer", members=16, of=of)
    >>> histogram_panels(found)[0].x_label
    'final chassis.rate [deg/s]'
    """
    panels = []
    for one in changing_findings(found)[:MOST_HISTOGRAMS]:
        values = _known(found, one)
        unit, factor = plotted_unit(one.unit, greatest_magnitude([values]))
        shown = factor * values
        counts, edges = np.histogram(shown, bins=_bins(shown))
        x = np.repeat(edges, 2)
        y = np.concatenate([[0.0], np.repeat(counts.astype(float), 2), [0.0]])
        marks = [
            moment(float(np.percentile(shown, share)), 0.0, f"{share} %") for share in (5, 50, 95)
        ]
        lines = [PanelCurve("cars", x, y)]
        if np.isfinite(one.value):
            at = factor * one.value
            top = float(counts.max())
            lines.append(
                PanelCurve("model", np.array([at, at]), np.array([0.0, top]), is_guide=True)
            )
        title = one.description[:1].upper() + one.description[1:]
        panels.append(Panel(title, f"{one.description} [{unit}]", "cars", tuple(lines),
                            over_time=False, marks=tuple(marks)))  # fmt: skip
    return panels


def _bins(values: FloatArray) -> int:
    """By the rule of Freedman and Diaconis (1981): a width of 2 IQR / n^(1/3)."""
    low, high = np.percentile(values, [25.0, 75.0])
    width = 2.0 * (high - low) / len(values) ** (1.0 / 3.0)
    return int(np.clip(np.ptp(values) / width if width > 0.0 else 10, 5, _MOST_BARS))


def scatter_panels(found: MonteCarlo) -> list[Panel]:
    """Each finding over the quantities that bear on it most; of many cars some.

    Example:
    >>> import axletree as at
    >>> from axletree.plot.experiments import scatter_panels
    >>> drawn, of = {"body.mass": "uniform(1300, 1700 kg)"}, ["chassis.rate.final"]
    >>> found = at.monte_carlo("bicycle-car", drawn, "step-steer", members=16, of=of)
    >>> scatter_panels(found)[0].x_label
    'body.mass [kg]'
    """
    panels = []
    quantities = {one.name: one for one in found.quantities}
    for one in changing_findings(found):
        effects = found.effects(one.name)
        strongest = sorted(effects, key=lambda name: -abs(np.nan_to_num(effects[name])))
        for name in strongest[:_STRONGEST]:
            quantity = quantities[name]
            x, y = _pairs(found, name, one.name)
            unit, factor = plotted_unit(one.unit, greatest_magnitude([y]))
            cloud = PanelCurve("", quantity.in_shown_unit(x), factor * y, is_points=True)
            title, label = f"{one.description}, {name}", f"{one.description} [{unit}]"
            panels.append(Panel(title, quantity.heading, label, (cloud,), over_time=False))
    return panels[:_MOST_SCATTERS]


def _pairs(found: CarTable, x: str, y: str) -> tuple[FloatArray, FloatArray]:
    rows = np.flatnonzero(found.finished & np.isfinite(found[y]))
    rows = rows[:_MOST_POINTS]  # cars are drawn in no order
    return found[x][rows], found[y][rows]


def front_panels(found: Optimum) -> list[Panel]:
    """Each pair of goals: all cars that keep the limits, the front, and the compromise.

    Example:
    >>> import axletree as at
    >>> from axletree.plot.experiments import front_panels
    >>> bounds = {"*_tyre.law.cornering_stiffness": "80:140 kN/rad", "body.mass": "1200:1800 kg"}
    >>> goals = ["chassis.rate.rms", "-chassis.rate.final"]
    >>> found = at.optimise("bicycle-car", bounds, "step-steer", of=goals, population=8, cars=16)
    >>> front_panels(found)[0].curves[1].label
    'front'
    """
    panels = []
    allowed = np.flatnonzero(found.allowed)
    some = allowed[np.linspace(0, len(allowed) - 1, min(len(allowed), _MOST_POINTS)).astype(int)]
    front = found.front[
        np.linspace(0, len(found.front) - 1, min(len(found.front), _MOST_POINTS)).astype(int)
    ]
    for one, other in combinations(found.goals, 2):
        (x_label, x), (y_label, y) = (_goal_values(found, goal) for goal in (one, other))
        marks = (
            []
            if found.best_car < 0
            else [point(float(x[found.best_car]), float(y[found.best_car]), "compromise")]
        )
        marks.append(point(_nominal(found, one), _nominal(found, other), "model as it is"))
        curves = (
            PanelCurve("cars", x[some], y[some], is_points=True),
            PanelCurve("front", x[front], y[front], is_points=True),
        )
        panels.append(Panel(f"{other.text} over {one.text}", x_label, y_label, curves,
                            over_time=False, marks=tuple(marks)))  # fmt: skip
    return panels


def _goal_values(found: Optimum, goal: DesignGoal) -> tuple[str, FloatArray]:
    values = found[goal.text]
    unit, factor = plotted_unit(goal.unit, greatest_magnitude([values[found.allowed]]))
    return f"{goal.text} [{unit}]", factor * values


def _nominal(found: Optimum, goal: DesignGoal) -> float:
    values = found[goal.text]
    factor = plotted_unit(goal.unit, greatest_magnitude([values[found.allowed]]))[1]
    return factor * found.nominal[goal.text]


def design_panels(found: Optimum) -> list[Panel]:
    """Each quantity along the front; of one goal over the cars in the order of the search.

    Example:
    >>> import axletree as at
    >>> from axletree.plot.experiments import design_panels
    >>> bounds = {"body.mass": "1200:1800 kg"}
    >>> found = at.optimise("bicycle-car", bounds, "step-steer", of="chassis.rate.rms",
    ...                     search="gradient")
    >>> design_panels(found)[0].x_label
    'car'
    """
    panels = []
    has_front = len(found.goals) > 1 and not found.weights
    cars = found.front if has_front else np.flatnonzero(found.allowed)
    cars = cars[np.linspace(0, len(cars) - 1, min(len(cars), _MOST_POINTS)).astype(int)]
    label, along = _goal_values(found, found.goals[0])
    if not has_front:
        label, along = "car", np.arange(len(found), dtype=float)
    for one in found.quantities:
        values = one.in_shown_unit(found[one.name])
        cloud = PanelCurve("", along[cars], values[cars], is_points=True)
        marks = () if found.best_car < 0 else (
            point(float(along[found.best_car]), float(values[found.best_car]),
                  "compromise" if has_front else "best"),
        )  # fmt: skip
        unit = f"[{one.shown_unit or one.unit or '1'}]"
        panels.append(Panel(one.name, label, unit, (cloud,), over_time=False, marks=marks))
    return panels


def history_panels(found: Optimum) -> list[Panel]:
    """The best value of each goal so far, over the cars that were tried.

    Example:
    >>> import axletree as at
    >>> from axletree.plot.experiments import history_panels
    >>> bounds = {"body.mass": "1200:1800 kg"}
    >>> found = at.optimise("bicycle-car", bounds, "step-steer", of="chassis.rate.rms",
    ...                     search="gradient")
    >>> history_panels(found)[0].y_label
    'chassis.rate.rms [deg/s]'
    """
    panels = []
    places = np.linspace(0, len(found) - 1, min(len(found), _MOST_POINTS)).astype(int)
    for goal in found.goals:
        label, values = _goal_values(found, goal)
        best = np.fmin.accumulate(np.where(found.allowed, values, np.nan))
        guide = np.full(2, _nominal(found, goal))
        curves = (
            PanelCurve("best so far", places.astype(float), best[places]),
            PanelCurve("model as it is", np.array([0.0, len(found) - 1.0]), guide, is_guide=True),
        )
        panels.append(Panel(goal.text, "car", label, curves, over_time=False))
    return panels


def effect_order(names: Sequence[str], sizes: Sequence[float]) -> list[str]:
    """From the largest to the smallest, as a tornado has them."""
    order = np.argsort(-np.abs(np.nan_to_num(np.asarray(sizes))), kind="stable")
    return [names[k] for k in order]
