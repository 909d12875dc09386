"""The picture of sensitivities: percent of each finding by percent of each value."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from axletree.analysis.sensitivity.result import Sensitivity
from axletree.core.plot_style import GREY, PAPER, colour, hatch, in_style
from axletree.core.unit_text import printed_unit
from axletree.report.analysis_axes import label_axes, legend_below, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROW = 0.2  # inches of a finding, and of each bar a third of it
NEGLIGIBLE = 1e-6  # of 1, below which no finding is shown


@in_style
def plot_sensitivity(found: Sensitivity) -> Figure:
    """A group of bars for each finding that changes, a colour for each value.

    Example:
    >>> from axletree.analysis.sensitivity import result
    >>> from axletree.model.manoeuvres.findings import Finding
    >>> from axletree.report.sensitivity_plot import plot_sensitivity
    >>> gain = Finding("gain", 0.4, "1/s", "yaw rate by steering angle")
    >>> slopes = (result.FindingSlope(gain, -1e-4, False),)
    >>> mass = result.SensitivityColumn("body.mass", 1500.0, "kg", slopes)
    >>> figure = plot_sensitivity(result.Sensitivity("car", "turn", (gain,), (mass,)))
    >>> print(f"{figure.axes[0].patches[0].get_width():.3f} % by %")
    -0.375 % by %
    """
    relative = found.relative
    table = np.array([[relative[name][f.name] for f in found.findings] for name in relative])
    told = np.nan_to_num(np.abs(table), nan=0.0, posinf=0.0).max(axis=0) > NEGLIGIBLE
    names = [
        printed_unit(f.description) for f, shown in zip(found.findings, told, strict=True) if shown
    ]
    figure, axes = new_figure(1, 1, f"{found.model}: {found.what}")
    figure.set_size_inches(9.0, 1.8 + ROW * max(len(names), 1) * (1.0 + len(relative) / 3.0))
    panel, places = axes[0], np.arange(len(names))
    height = 0.8 / len(relative)
    for k, (name, row) in enumerate(zip(relative, table[:, told], strict=True)):
        shift = (k - 0.5 * (len(relative) - 1)) * height
        style = {"color": colour(k), "hatch": hatch(k), "edgecolor": PAPER, "linewidth": 0.0}
        panel.barh(places + shift, row, height=0.9 * height, label=name, **style)
    panel.axvline(0.0, color=GREY, linewidth=0.9)
    panel.set_yticks(places, names)
    panel.set_ylim(len(names) - 0.4, -0.6)
    legend_below(figure, panel, columns=2)
    label_axes(panel, "Change of findings", "percent by percent of the value [%/%]", "")
    return figure
