"""A driven cycle: speed, power, charge, temperature or fuel over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axletree.analysis.drive_cycle import CycleResult
from axletree.plot.model_plots import diagram_panels
from axletree.plot.panels import Panel, draw_panels

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def plot_cycle(result: CycleResult) -> Figure:
    """All curves of the page.

    Example:
    >>> import axletree as at
    >>> from axletree.plot.cycles import plot_cycle
    >>> car = at.read_model("electric-car", {"vehicle": {"fidelity": "single-track"}})
    >>> hop = at.DriveCycle("hop", (0.0, 4.0, 6.0), (0.0, 6.0, 6.0))  # s, m/s
    >>> [axes.get_ylabel() for axes in plot_cycle(car.cycle(hop, step="2 ms")).axes]
    ['[km/h]', '[km/h]', '[kW]', '[%]', '[°C]']
    """
    title = f"{result.model.replace('_', ' ')}: {result.cycle.name}"
    return draw_panels(cycle_panels(result), title)


def cycle_panels(result: CycleResult) -> list[Panel]:
    """Those of the figure, and of the page."""
    return diagram_panels(result.diagrams())
