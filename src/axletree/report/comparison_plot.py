"""Runs over one another: a panel for each quantity, a curve for each run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from axletree.core.plotted_unit import plotted_unit
from axletree.report.comparison import Compared
from axletree.simulation.panel_plot import draw_panels
from axletree.simulation.panels import LEAST_PART, Curve, Panel, greatest, without_zeros

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_PANELS: Final = 18
PLACES: Final = (("vehicle.x", "vehicle.y"), ("chassis.x", "chassis.y"))  # of paths in the plane


def plot_comparison(runs: Sequence[Compared], names: Sequence[str], title: str = "") -> Figure:
    """The quantities over time, and the path if they have one; what is 0 throughout is left out.

    Example:
    >>> import axletree as at
    >>> from axletree.report.comparison import Compared
    >>> from axletree.report.comparison_plot import plot_comparison
    >>> run = at.read_model("pendulum").formulate().simulate(1.0, step=0.1)
    >>> plot_comparison([Compared("swing", run)], ["pin.rate"]).axes[0].get_ylabel()
    '[deg/s]'
    """
    path = next((place for place in PLACES if set(place) <= set(names)), ())
    panels = without_zeros([_over_time(runs, name) for name in names if name not in path])
    if path:
        panels.insert(0, _path(runs, *path))
    return draw_panels(panels[:MOST_PANELS], title)


def _over_time(runs: Sequence[Compared], name: str) -> Panel:
    courses = [one.run[name] for one in runs]
    unit, factor = plotted_unit(runs[0].run.units[name], greatest(courses))
    curves = tuple(
        Curve(one.label, one.run.time, factor * course)
        for one, course in zip(runs, courses, strict=True)
    )
    return Panel(name, "time [s]", f"[{unit}]", curves)


def _path(runs: Sequence[Compared], x: str, y: str) -> Panel:
    curves = tuple(Curve(one.label, one.run[x], one.run[y]) for one in runs)
    ahead = max(float(np.ptp(curve.x)) if len(curve.x) else 0.0 for curve in curves)
    aside = max(float(np.ptp(curve.y)) if len(curve.y) else 0.0 for curve in curves)
    is_plan = aside > LEAST_PART * ahead  # else it is a line in one scale
    return Panel("Path", f"{x} [m]", f"{y} [m]", curves, over_time=False, is_plan=is_plan)
