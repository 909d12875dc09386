"""The plots that a model proposes, as panels: of one run, or of several to compare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from axletree.core.units import parse_unit
from axletree.model.plot import Plot
from axletree.simulation.panels import LEAST_PART, Curve, Panel, titled
from axletree.system.system import System

Course = NDArray[np.float64]


@dataclass(frozen=True)
class Shown:
    """What plots are made of: columns over time, with their units."""

    time: Course  # [s]
    columns: Mapping[str, Course]
    units: Mapping[str, str]

    def x_of(self, plot: Plot) -> Course:
        return self.columns[plot.x] if plot.x else self.time


def plotted_units(system: System, plots: Sequence[Plot]) -> dict[str, str]:
    """The quantities that plots of a system show, with their units."""
    computed = (d.quantity for d in (*system.outputs, *system.intermediates))
    known = {q.name: q.unit for q in (*system.states, *system.inputs, *computed)}
    asked = {name for plot in plots for name in (*plot.matches(list(known)), plot.x)}
    return {name: unit for name, unit in known.items() if name in asked}


def plot_panels(plots: Sequence[Plot], runs: Mapping[str, Shown]) -> list[Panel]:
    """One panel for each plot that has something to show; runs are told apart by their names."""
    panels = (_panel(plot, runs) for plot in plots)
    return [panel for panel in panels if panel.curves]


def _panel(plot: Plot, runs: Mapping[str, Shown]) -> Panel:
    curves: list[Curve] = []
    units: dict[str, None] = {}
    x_unit = ""
    for run_name, run in runs.items():
        if plot.x and plot.x not in run.columns:
            continue
        x_unit = run.units.get(plot.x, "1")
        names = plot.matches(list(run.columns))
        for name, label in zip(names, titled(names)[1] if names else [], strict=True):
            unit, factor = _scale(plot, run.units.get(name, "1"))
            units[unit] = None
            of_run = run_name if len(names) == 1 else f"{label}, {run_name}"
            text = label if len(runs) == 1 else of_run
            curves.append(Curve(text, run.x_of(plot), run.columns[name] * factor))
    y_label = f"[{', '.join(units)}]"
    if not plot.x:
        return Panel(plot.title, "time [s]", y_label, tuple(curves))
    name = f"{plot.y[0]} " if len(plot.y) == 1 and "*" not in plot.y[0] else ""
    return Panel(
        plot.title, f"{plot.x} [{x_unit}]", name + y_label, tuple(curves), over_time=False,
        is_plan=[x_unit] == list(units) == ["m"] and _is_wide(curves),
    )  # fmt: skip


def _is_wide(curves: Sequence[Curve]) -> bool:
    """Whether a path can be read in one scale: it goes to the side far enough to be seen."""
    ahead = max((np.ptp(curve.x) for curve in curves if len(curve.x)), default=0.0)
    aside = max((np.ptp(curve.y) for curve in curves if len(curve.y)), default=0.0)
    return bool(aside > LEAST_PART * ahead)


def _scale(plot: Plot, unit: str) -> tuple[str, float]:
    """The unit of a curve and the factor from SI; another kind of unit stays what it is."""
    if not plot.unit:
        return unit, 1.0
    own, asked = parse_unit(unit), parse_unit(plot.unit)
    if own.dimension != asked.dimension:
        return unit, 1.0
    return plot.unit, float(own.factor / asked.factor)
