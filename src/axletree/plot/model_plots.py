"""Plots that a model proposes, diagrams of findings and columns of a trajectory, as panels.

They are of one run, or of several.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from axletree.core.arguments import check_arguments
from axletree.core.arrays import FloatArray
from axletree.core.errors import SimulationError
from axletree.core.files import whole_file
from axletree.core.units import parse_unit
from axletree.metrics.findings import Diagram
from axletree.model.model import Plot
from axletree.plot.panels import (
    Panel,
    PanelCurve,
    automatic_panels,
    draw_panels,
    greatest_magnitude,
    is_wide,
    titled,
)
from axletree.plot.style import plotted_unit
from axletree.simulation.trajectory import Trajectory
from axletree.system.system import System

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class ShownRun:
    """What plots are made of: columns over time, with their units."""

    time: FloatArray  # [s]
    columns: Mapping[str, FloatArray]
    units: Mapping[str, str]

    def x_of(self, plot: Plot) -> FloatArray:
        return self.columns[plot.x] if plot.x else self.time


def plotted_units(system: System, plots: Sequence[Plot]) -> dict[str, str]:
    """The quantities that plots of a system show, with their units."""
    computed = (d.quantity for d in (*system.outputs, *system.intermediates))
    known = {q.name: q.unit for q in (*system.states, *system.inputs, *computed)}
    wanted = {name for plot in plots for name in (*plot.matches(list(known)), plot.x)}
    return {name: unit for name, unit in known.items() if name in wanted}


def plot_panels(plots: Sequence[Plot], runs: Mapping[str, ShownRun]) -> list[Panel]:
    """One panel for each plot that has something to show; runs are distinguished by their names."""
    panels = (_panel(plot, runs) for plot in plots)
    return [panel for panel in panels if panel.curves]


def _panel(plot: Plot, runs: Mapping[str, ShownRun]) -> Panel:
    curves: list[PanelCurve] = []
    units: dict[str, None] = {}
    able = {name: run for name, run in runs.items() if not plot.x or plot.x in run.columns}
    x_unit, x_factor = _x_unit(plot, able.values())
    most = _greatest(plot, able.values())
    for run_name, run in able.items():
        names = plot.matches(list(run.columns))
        # As words: front left, of front_left_tyre.Fz beside others.
        labels = [label.replace("_", " ") for label in titled(names)[1]] if names else []
        for name, label in zip(names, labels, strict=True):
            own = run.units.get(name, "1")
            unit, factor = _scale(plot, own, most.get(own, 0.0))
            units[unit] = None
            of_run = run_name if len(names) == 1 else f"{label}, {run_name}"
            text = label if len(runs) == 1 else of_run
            curves.append(PanelCurve(text, x_factor * run.x_of(plot), factor * run.columns[name]))
    y_label = f"[{', '.join(units)}]"
    if not plot.x:
        return Panel(plot.title, "time [s]", y_label, tuple(curves))
    x_name, y_name = _axis_names(plot)
    return Panel(
        plot.title, f"{x_name} [{x_unit}]", y_name + y_label, tuple(curves), over_time=False,
        is_plan=[x_unit] == list(units) == ["m"] and is_wide(curves),
    )  # fmt: skip


def _axis_names(plot: Plot) -> tuple[str, str]:
    """Of the horizontal and the vertical axis; without their owner where both have the same."""
    if len(plot.y) > 1 or "*" in plot.y[0]:
        return plot.x, ""
    (owner, _, x), (other, _, y) = plot.x.rpartition("."), plot.y[0].rpartition(".")
    return (x, f"{y} ") if owner == other else (plot.x, f"{plot.y[0]} ")


_LOAD = "_tyre.Fz"


def wheel_panels(run: ShownRun) -> list[Panel]:
    """What follows from the forces of tyres: friction used, load transfer and loads of axles.

    The friction used is the force along the ground over that along its normal, the adhesion
    utilisation of UN R13, annex 10; of a wheel in the air it is not known. The load transfer of an
    axle is half of what its right wheel carries more than its left one.

    Example:
    >>> import numpy as np
    >>> from axletree.plot.model_plots import ShownRun, wheel_panels
    >>> time, loads = np.array([0.0, 1.0]), {"left": [3e3, 2e3], "right": [3e3, 4e3]}  # s, N
    >>> columns = {f"front_{k}_tyre.Fz": np.array(loads[k]) for k in loads}
    >>> panels = wheel_panels(ShownRun(time, columns, {}))
    >>> [(panel.title, panel.curves[0].y.tolist()) for panel in panels]
    [('Load transfer to the right', [0.0, 1000.0]), ('Load of axles', [6000.0, 6000.0])]
    """
    loads = {name.removesuffix(_LOAD): y for name, y in run.columns.items() if name.endswith(_LOAD)}
    used, moved, carried = [], [], []
    for name, load in loads.items():
        Fx, Fy = (run.columns.get(f"{name}_tyre.{force}") for force in ("Fx", "Fy"))
        if Fx is not None and Fy is not None:
            share = np.hypot(Fx, Fy) / np.where(load > _LIFTED, load, np.nan)
            used.append(PanelCurve(name.replace("_", " "), run.time, share))
        axle, _, side = name.rpartition("_")
        right = loads.get(f"{axle}_right")
        if side == "left" and right is not None:
            label = axle.replace("_", " ")
            moved.append(PanelCurve(label, run.time, 0.5 * (right - load)))
            carried.append(PanelCurve(label, run.time, right + load))
    shown = {
        "Friction used, |F| / Fz": ("[1]", used),
        "Load transfer to the right": ("[N]", moved),
        "Load of axles": ("[N]", carried),
    }
    return [
        Panel(title, "time [s]", unit, tuple(curves))
        for title, (unit, curves) in shown.items()
        if curves
    ]


_LIFTED = 1.0  # N, below which a wheel is in the air


def _x_unit(plot: Plot, runs: Collection[ShownRun]) -> tuple[str, float]:
    """Of the horizontal axis, and the factor to it."""
    unit = next((run.units.get(plot.x, "1") for run in runs), "1")
    if not plot.x:
        return "s", 1.0
    return plotted_unit(unit, greatest_magnitude(run.x_of(plot) for run in runs))


def _greatest(plot: Plot, runs: Collection[ShownRun]) -> dict[str, float]:
    """The greatest value of each unit, without its sign."""
    found: dict[str, float] = {}
    for run in runs:
        for name in plot.matches(list(run.columns)):
            unit = run.units.get(name, "1")
            found[unit] = max(found.get(unit, 0.0), greatest_magnitude([run.columns[name]]))
    return found


def _scale(plot: Plot, unit: str, most: float) -> tuple[str, float]:
    """The unit of a curve and the factor from SI; another kind than is asked for is as without."""
    if not plot.unit:
        return plotted_unit(unit, most)
    own, wanted = parse_unit(unit), parse_unit(plot.unit)
    if own.dimension != wanted.dimension:
        return plotted_unit(unit, most)
    return plot.unit, float(own.factor / wanted.factor)


def diagram_panels(diagrams: Iterable[Diagram]) -> list[Panel]:
    """A panel for each that has something to show.

    Example:
    >>> import numpy as np
    >>> from axletree.metrics.findings import over_time
    >>> from axletree.plot.model_plots import diagram_panels
    >>> time = np.linspace(0.0, 1.0, 11)  # s
    >>> (panel,) = diagram_panels([over_time("Yaw rate", "rad/s", time, {"": 0.1 * time}, [])])
    >>> print(panel.title, len(panel.curves))
    Yaw rate 1
    """
    panels = []
    for one in diagrams:
        curves = tuple(PanelCurve(t.label, t.x, t.y, t.is_guide) for t in one.traces if len(t.x))
        if curves:
            panels.append(
                Panel(one.title, one.x_label, one.y_label, curves, over_time=False,
                      marks=one.marks, is_logarithmic=one.is_logarithmic)
            )  # fmt: skip
    return panels


MOST_BELOW = 3  # panels that stand below one another, with one time axis to compare along


def plot_trajectory(run: Trajectory, names: Sequence[str], path: str | Path | None) -> Figure:
    """Panels of the columns; no window is opened."""
    check_arguments(plot_trajectory, locals())
    chosen = {name: run[name] for name in (names or run.names)}
    units = {name: run.units.get(name, "s") for name in chosen}
    panels = automatic_panels(run.time, chosen, units, f"{run.time_name} [s]")
    title = run.system if run.complete else f"{run.system} (incomplete: {run.note})"
    figure = draw_panels(panels, title, columns=1 if len(panels) <= MOST_BELOW else None)
    if path is not None:
        _save(figure, Path(path))
    return figure


def _save(figure: Figure, path: Path) -> None:
    kind, kinds = path.suffix.lstrip(".").lower() or "png", figure.canvas.get_supported_filetypes()
    if kind not in kinds:
        raise SimulationError(
            f"cannot plot to {path}; expected a name that ends in .{', .'.join(sorted(kinds))}"
        )
    with whole_file(path) as stream:
        figure.savefig(stream, format=kind)
