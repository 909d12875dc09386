"""A curve of steady motions: quantities against what was followed, special points marked."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from axletree.analysis.bifurcations import SpecialKind
from axletree.analysis.branch import Branch
from axletree.analysis.steady_given import known_quantities
from axletree.core.plot_style import BLUE, COLOURS, VERMILION
from axletree.core.plotted_unit import plotted_unit
from axletree.core.unit_text import printed_unit
from axletree.report.analysis_axes import in_words, label_axes, legend_below, new_figure, with_unit

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LONGEST = 30  # letters of a line below a panel: what is followed may be an expression
MARKS = {
    SpecialKind.FOLD: ("s", VERMILION),
    SpecialKind.BRANCHING: ("D", COLOURS[6]),
    SpecialKind.HOPF: ("o", COLOURS[4]),
    SpecialKind.DIVERGENCE: ("^", COLOURS[2]),
}


def plot_branch(branch: Branch, names: Sequence[str], title: str = "") -> Figure:
    """One panel for each name: stable motions in a solid line, unstable ones in a broken one.

    Example:
    >>> import axletree as at
    >>> from axletree.report.branch_plot import plot_branch
    >>> pendulum = at.read_model("pendulum")
    >>> motor = pendulum.add(at.JointTorque("motor", pendulum["pin"]))
    >>> branch = pendulum.formulate().continue_steady(along="motor.torque", to=4.5, step=0.5)
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


def _draw(axes: Any, branch: Branch, name: str, scale: _Scale) -> None:
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
