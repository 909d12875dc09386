"""The picture of a g-g diagram: an envelope for each speed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from axletree.analysis.cornering.g_g import GGDiagram
from axletree.core.plot_style import GREY, PAPER, in_style, marker
from axletree.model.model import STANDARD_GRAVITY
from axletree.report.analysis_axes import in_words, label_axes, new_figure, shades

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@in_style
def plot_g_g(diagram: GGDiagram) -> Figure:
    """Accelerations along the path over those across it, in g.

    Example:
    >>> import numpy as np
    >>> from axletree.analysis.cornering.g_g import Envelope, GGDiagram
    >>> from axletree.report.g_g_plot import plot_g_g
    >>> envelope = Envelope(20.0, np.array([3.0, 0.0, -9.0]), np.array([0.0, 9.0, 0.0]), ())
    >>> plot_g_g(GGDiagram("sedan", (envelope,))).axes[0].get_ylabel()
    'acceleration along the path / g [1]'
    """
    figure, axes = new_figure(1, 1, f"{in_words(diagram.vehicle)}: accelerations that it can hold")
    figure.set_size_inches(8.0, 7.0)
    panel = axes[0]
    speeds = np.array([one.speed for one in diagram.envelopes])
    colours = shades(np.arange(max(len(speeds), 2))).to_rgba(np.arange(len(speeds)))
    for k, (one, colour) in enumerate(zip(diagram.envelopes, colours, strict=True)):
        x = np.append(one.lateral, one.lateral[0]) / STANDARD_GRAVITY
        y = np.append(one.along, one.along[0]) / STANDARD_GRAVITY
        panel.plot(x, y, color=colour, marker=marker(k), markersize=3.5, linewidth=1.3,
                   label=f"{3.6 * one.speed:.4g} km/h")  # fmt: skip
    panel.axhline(0.0, color=GREY, linewidth=0.9)
    panel.axvline(0.0, color=GREY, linewidth=0.9)
    panel.set_aspect("equal")
    panel.legend(loc="center", frameon=True, facecolor=PAPER, edgecolor="none", framealpha=1.0)
    label_axes(panel, "Limits of grip, throttle and brakes",
               "lateral acceleration / g [1], to the left if positive",
               "acceleration along the path / g [1]")  # fmt: skip
    return figure
