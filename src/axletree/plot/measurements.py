"""Figures of measured data: courses over one another, residuals, and boundaries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from axletree.analysis.measurements.agreement import Agreement
from axletree.analysis.measurements.boundaries import Boundary
from axletree.core.arrays import FloatArray
from axletree.plot.panels import Panel, PanelCurve, draw_panels, greatest_magnitude
from axletree.plot.style import plotted_unit

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_OVERLAID: Final = 8  # channels of one figure
_OUTLINE_POINTS: Final = 400


def plot_agreement(found: Agreement, title: str = "") -> Figure:
    """Each channel as it was simulated and measured, and beside it what is left between them.

    Example:
    >>> import axletree as at
    >>> from axletree.plot.measurements import plot_agreement
    >>> run = at.read_model("pendulum").formulate().simulate(1.0, step=0.01, outputs=[])
    >>> found = at.agreement(run, at.read_measurement(run.to_csv("measured.csv")))
    >>> len(plot_agreement(found).axes)  # two of each channel
    4
    """
    return draw_panels(agreement_panels(found)[: 2 * MOST_OVERLAID], title)


def agreement_panels(found: Agreement) -> list[Panel]:
    """Two for each channel: its courses, and what is left between them."""
    panels = []
    for one in found.channels.values():
        courses = one.simulated, one.measured
        unit, factor = plotted_unit(one.unit, greatest_magnitude(courses))
        curves = tuple(
            PanelCurve(label, found.time, factor * course)
            for label, course in zip(("simulated", "measured"), courses, strict=True)
        )
        left = (PanelCurve("", found.time, factor * one.residual),)
        panels.append(Panel(one.name, "time [s]", f"[{unit}]", curves))
        panels.append(Panel(f"{one.name}: residual", "time [s]", f"[{unit}]", left))
    return panels


def plot_boundaries(
    boundaries: Sequence[Boundary], units: Mapping[str, str], title: str = ""
) -> Figure:
    """Simulated curves with their boundaries, and measured points over them.

    Example:
    >>> import axletree as at
    >>> from axletree.plot.measurements import plot_boundaries
    >>> run = at.read_model("pendulum").formulate().simulate(1.0, step=0.01)
    >>> found = at.agreement(run, at.read_measurement(run.to_csv("measured.csv")))
    >>> drawn = found.cross_plot("pin.angle", "pin.rate")
    >>> figure = plot_boundaries([drawn], dict(run.units))
    >>> figure.axes[0].get_xlabel()
    'pin.angle [deg]'
    """
    return draw_panels([boundary_panel(one, units) for one in boundaries], title)


def boundary_panel(one: Boundary, units: Mapping[str, str]) -> Panel:
    """A simulated curve with its boundary, and the measured one."""
    (x_unit, x_factor), (y_unit, y_factor) = (
        plotted_unit(units.get(name, "1"), greatest_magnitude(values))
        for name, values in ((one.x, [one.simulated[0]]), (one.y, [one.simulated[1]]))
    )
    if one.x == "time":
        x_unit, x_factor = "s", 1.0
    curves = [
        PanelCurve("simulated", x_factor * one.simulated[0], y_factor * one.simulated[1]),
        PanelCurve("measured", x_factor * one.measured[0], y_factor * one.measured[1]),
    ]
    x, lower, upper = _outline(one)
    curves += [
        PanelCurve(label, x_factor * x, y_factor * y, is_guide=True)
        for label, y in (("boundary", upper), ("", lower))
    ]
    over_time = one.x == "time"
    return Panel(
        one.y, f"{one.x} [{x_unit}]", f"[{y_unit}]", tuple(curves), over_time=over_time
    )  # fmt: skip


def _outline(one: Boundary) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The lowest and the highest value within, along x."""
    x, y = one.simulated
    of_x, of_y = one.tolerances
    wide, high = of_x.half_width(x), of_y.half_width(y)
    places = np.linspace(float((x - wide).min()), float((x + wide).max()), _OUTLINE_POINTS)
    step = float(places[1] - places[0])
    reach = np.maximum(wide, step)  # a curve without width is still met between places
    lower, upper = np.full(len(places), np.nan), np.full(len(places), np.nan)
    for k, place in enumerate(places):
        near = np.abs(x - place) <= reach
        if near.any():
            lower[k], upper[k] = (y - high)[near].min(), (y + high)[near].max()
    known = np.isfinite(lower)
    return places[known], lower[known], upper[known]
