"""Root loci and branches of steady motions, against what they are followed along."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from axletree.analysis.steady.continuation import SpecialKind, TrimBranch
from axletree.analysis.steady.problem import known_quantities
from axletree.analysis.steady.root_locus import RootLocus
from axletree.core.units import printed_unit
from axletree.plot.axes import in_words, label_axes, legend_below, new_figure, shades, with_unit
from axletree.plot.style import BLUE, COLOURS, GREY, INK, SMALL, VERMILION, in_style, plotted_unit

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# A root locus: in the complex plane, and real and imaginary parts against what it is along.

BEYOND = 3.0  # times the median distance from 0, farther than which the plane is not shown
MOST_NAMED = 4  # critical values in a title


@in_style
def plot_root_locus(locus: RootLocus, title: str = "") -> Figure:
    """Colours tell the value; critical values are marked where real parts are 0.

    Example:
    >>> import axletree as at
    >>> from axletree.plot.root_locus import plot_root_locus
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


# A curve of steady motions: quantities against what was followed, special points marked.

LONGEST = 30  # letters of a line below a panel: what is followed may be an expression
MARKS = {
    SpecialKind.FOLD: ("s", VERMILION),
    SpecialKind.BRANCHING: ("D", COLOURS[6]),
    SpecialKind.HOPF: ("o", COLOURS[4]),
    SpecialKind.DIVERGENCE: ("^", COLOURS[2]),
}


def plot_branch(branch: TrimBranch, names: Sequence[str], title: str = "") -> Figure:
    """One panel for each name: stable motions in a solid line, unstable ones in a broken one.

    Example:
    >>> import axletree as at
    >>> from axletree.plot.root_locus import plot_branch
    >>> pendulum = at.read_model("pendulum")
    >>> motor = pendulum.add(at.JointTorque("motor", pendulum["pin"]))
    >>> branch = pendulum.formulate().trim().continued("motor.torque", 4.5, step=0.5)
    >>> plot_branch(branch, ["pin.angle"]).axes[0].get_xlabel()
    'motor.torque [N·m]'
    """
    columns = min(len(names), 3)
    rows = -(-len(names) // columns)
    figure, axes = new_figure(rows, columns, title or f"{in_words(branch.system)}: steady motions")
    unit, along_factor = plotted_unit(branch.unit, float(np.abs(branch.values).max()))
    along = textwrap.fill(with_unit(branch.along, unit), LONGEST, break_long_words=False)
    known = known_quantities(branch.points[0].system)
    for name, panel in zip(names, axes, strict=False):
        own = known[name][0].unit if name in known else ""
        shown, factor = plotted_unit(own, float(np.abs(branch[name]).max()))
        _draw(panel, branch, name, _Scale(along_factor, factor, unit))
        label_axes(panel, name, along, f"[{shown}]" if shown else "")
    for panel in axes[len(names) :]:
        panel.axis("off")
    legend_below(figure, axes[0], columns=4)
    return figure


@dataclass(frozen=True)
class _Scale:
    """Factors from SI to the units of axes, and the unit of the horizontal one."""

    x: float
    y: float
    unit: str


def _draw(axes: Any, branch: TrimBranch, name: str, scale: _Scale) -> None:
    values, course = scale.x * branch.values, scale.y * branch[name]
    for first, last, is_stable in _runs(branch.is_stable):
        part = slice(first, last + 1)
        axes.plot(
            values[part], course[part], color=BLUE, linewidth=1.5,
            linestyle="-" if is_stable else "--", label="stable" if is_stable else "unstable",
        )  # fmt: skip
    for special in branch.special:
        marker, colour = MARKS[special.kind]
        x, y = scale.x * special.value, scale.y * special.state[name]
        place = printed_unit(f"{x:.4g} {scale.unit}".removesuffix(" 1").strip())
        axes.plot(x, y, marker, color=colour, markersize=5, linestyle="none",
                  label=f"{special.kind.value} at {place}")  # fmt: skip


def _runs(stable: np.ndarray) -> list[tuple[int, int, bool]]:
    """First and last points of stretches that are alike; each goes on to the first of the next."""
    starts = [0, *(np.flatnonzero(np.diff(stable)) + 1).tolist()]
    ends = [*starts[1:], len(stable) - 1]
    return [(a, b, bool(stable[a])) for a, b in zip(starts, ends, strict=True)]
