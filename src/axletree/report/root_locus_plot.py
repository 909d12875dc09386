"""A root locus: in the complex plane, and real and imaginary parts against what it is along."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from axletree.analysis.root_locus import RootLocus
from axletree.core.plot_style import GREY, INK, SMALL, VERMILION, in_style
from axletree.report.analysis_axes import in_words, label_axes, new_figure, shades, with_unit

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BEYOND = 3.0  # times the median distance from 0, farther than which the plane is not shown
MOST_NAMED = 4  # critical values in a title


@in_style
def plot_root_locus(locus: RootLocus, title: str = "") -> Figure:
    """Colours tell the value; critical values are marked where real parts are 0.

    Example:
    >>> import axletree as at
    >>> from axletree.report.root_locus_plot import plot_root_locus
    >>> system = at.read_model("pendulum").formulate()
    >>> locus = system.root_locus("rod.mass", [1.0, 2.0], {"pin.angle": 0})
    >>> [axes.get_xlabel() for axes in plot_root_locus(locus).axes[:2]]
    ['real part [1/s]', 'rod.mass [kg]']
    """
    figure, (plane, growth, swing) = new_figure(1, 3, title or _title(locus))
    shade = shades(locus.values)
    colours = shade.to_rgba(locus.values)
    x_label = with_unit(locus.along, locus.unit)
    for branch in locus.eigenvalues.T:
        plane.scatter(branch.real, branch.imag, s=9, c=colours, linewidths=0)
        growth.plot(locus.values, branch.real, color=INK, linewidth=1.2)
        upper = np.where(branch.imag > 0.0, branch.imag, np.nan)
        swing.plot(locus.values, upper / (2.0 * np.pi), color=INK, linewidth=1.2)
    _frame(plane, locus.eigenvalues)
    plane.axvline(0.0, color=GREY, linewidth=0.8)
    growth.axhline(0.0, color=GREY, linewidth=0.8)
    for k, critical in enumerate(locus.critical):
        place = 0.0, critical.eigenvalue.imag
        plane.plot(*place, "o", color=VERMILION, markersize=5, fillstyle="none")
        growth.plot(critical.value, 0.0, "o", color=VERMILION, markersize=5)
        growth.annotate(f"{critical.value:.4g}", (critical.value, 0.0), fontsize=SMALL,
                        xytext=(3, 16 if k % 2 else 5), textcoords="offset points",
                        color=VERMILION)  # fmt: skip
    figure.set_layout_engine(
        "constrained", w_pad=0.12
    )  # the bar's words are not those of the next panel
    bar = figure.colorbar(shade, ax=plane, pad=0.02, aspect=30)
    bar.set_label(x_label)
    label_axes(plane, "Eigenvalues", "real part [1/s]", "imaginary part [rad/s]")
    label_axes(growth, "Growth", x_label, "real part [1/s]")
    label_axes(swing, "Frequency of swings", x_label, "[Hz]")
    growth.set_ylim(*_limits(locus.eigenvalues.real))
    return figure


def _title(locus: RootLocus) -> str:
    values = [f"{one.value:.5g}" for one in locus.critical[:MOST_NAMED]]
    found = f"; critical at {', '.join(values)} {locus.unit}".rstrip() if values else ""
    return f"{in_words(locus.system)}: root locus along {locus.along}{found}"


def _frame(axes: Any, eigenvalues: np.ndarray) -> None:
    axes.set_xlim(*_limits(eigenvalues.real))
    axes.set_ylim(*_limits(eigenvalues.imag))


def _limits(values: np.ndarray) -> tuple[float, float]:
    """All values, but for the farthest tenth where that is much farther than the rest."""
    sizes = np.abs(values).ravel()
    reach = float(sizes.max(initial=0.0))
    usual = float(np.quantile(sizes, 0.9)) if len(sizes) else 0.0
    if usual and reach > BEYOND * usual:
        reach = BEYOND * usual
    low = max(float(values.min(initial=0.0)), -reach)
    high = min(float(values.max(initial=0.0)), reach)
    margin = 0.06 * max(high - low, 1e-12)
    return low - margin, high + margin
