"""The picture of yaw moments: lines of one steering angle and of one sideslip."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from axletree.analysis.cornering.yaw_moment import YawMomentDiagram
from axletree.core.plot_style import BLUE, GREY, SMALL, VERMILION, in_style
from axletree.model.model import STANDARD_GRAVITY
from axletree.report.analysis_axes import in_words, label_axes, legend_below, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIDESLIP, WHEELS = VERMILION, BLUE  # colours
AWAY = 12.0  # points from the end of a line, outwards, to its angle
SHAPE = np.array([1.0, 0.5])  # of diagrams, to the right and up, of which outwards is reckoned
NAMED = 4  # every so many lines have their angle written at them


@in_style
def plot_yaw_moments(diagram: YawMomentDiagram) -> Figure:
    """C_N over lateral acceleration; turns that the vehicle makes by itself are at C_N = 0.

    Example:
    >>> import numpy as np
    >>> from axletree.analysis.cornering.yaw_moment import YawMomentDiagram
    >>> from axletree.report.yaw_moment_plot import plot_yaw_moments
    >>> moment, angles = np.array([[-3e3, 1e3], [-1e3, 3e3]]), np.array([-0.1, 0.1])  # N m, rad
    >>> given = "car", 20.0, 15e3, 2.5, 15.0, angles, angles  # m/s, N, m, 1
    >>> diagram = YawMomentDiagram(*given, moment / 1e3, moment, moment, {})
    >>> plot_yaw_moments(diagram).axes[0].get_xlabel()
    'lateral acceleration / g [1]'
    """
    figure, axes = new_figure(
        1, 1, f"{in_words(diagram.vehicle)}: yaw moments at {3.6 * diagram.speed:.4g} km/h"
    )
    figure.set_size_inches(9.0, 6.4)
    panel = axes[0]
    A, C = diagram.lateral / STANDARD_GRAVITY, diagram.coefficient
    for i, beta in enumerate(np.degrees(diagram.sideslip)):
        _line(panel, A[i], C[i], SIDESLIP, "sideslip of the body", i, beta, len(C))
    for j, delta in enumerate(np.degrees(diagram.steering / diagram.ratio)):
        _line(panel, A[:, j], C[:, j], WHEELS, "angle of the road wheels", j, delta, len(C))
    panel.axhline(0.0, color=GREY, linewidth=0.9)
    panel.axvline(0.0, color=GREY, linewidth=0.9)
    legend_below(figure, panel)
    label_axes(
        panel,
        "$C_N$ = yaw moment / (weight · wheelbase)",
        "lateral acceleration / g [1]",
        "$C_N$ [1]",
    )
    return figure


def _line(
    panel: Any, x: np.ndarray, y: np.ndarray, colour: str, word: str, k: int, angle: float, n: int
) -> None:
    """With the angle written at the end where lines are further apart."""
    line = (0, (6, 2)) if colour == SIDESLIP else "-"  # in grey print, too
    label = f"lines of one {word} [deg]"
    panel.plot(x, y, color=colour, linestyle=line, linewidth=0.9, label=label)
    known = np.flatnonzero(np.isfinite(x))
    at_corner = k in (0, n - 1) and colour == SIDESLIP  # where those of the wheels end, too
    if (k - n // 2) % NAMED or at_corner or not len(known):
        return
    end = known[-1] if k >= n // 2 else known[0]
    out = np.array([x[end], y[end]]) / SHAPE
    out = AWAY * out / (np.linalg.norm(out) or 1.0)
    text = f"{angle + 0.0:.3g}°".replace("-", "\N{MINUS SIGN}")
    panel.annotate(text, (x[end], y[end]), fontsize=SMALL, color=colour, xytext=out,
                   textcoords="offset points", ha="center", va="center")  # fmt: skip
