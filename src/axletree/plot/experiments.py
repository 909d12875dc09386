"""Panels of experiments: distributions of findings, and findings over what differs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from axletree.analysis.experiments.evaluation import CarTable
from axletree.analysis.experiments.monte_carlo import MonteCarlo
from axletree.core.arrays import FloatArray
from axletree.metrics.findings import YES_NO, Finding, moment
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


def effect_order(names: Sequence[str], sizes: Sequence[float]) -> list[str]:
    """From the largest to the smallest, as a tornado has them."""
    order = np.argsort(-np.abs(np.nan_to_num(np.asarray(sizes))), kind="stable")
    return [names[k] for k in order]
