"""Signals over time, for a page: few curves in one set of axes, units on all."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from axletree.simulation.thinning import thinned

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_CURVES = 6  # in one set of axes
MOST_AXES = 14


def signal_groups(names: Sequence[str], units: Mapping[str, str]) -> list[list[str]]:
    """Signals that are read together: of one unit, and of one quantity or one component."""
    shared = Counter((units.get(name, "1"), _quantity(name)) for name in names)
    families: dict[tuple[str, str], list[str]] = {}
    for name in names:
        key = units.get(name, "1"), _quantity(name)
        family = key if shared[key] > 1 else (key[0], "of " + name.partition(".")[0])
        families.setdefault(family, []).append(name)
    groups = []
    for members in families.values():
        count = -(-len(members) // MOST_CURVES)
        size = -(-len(members) // count)
        groups += [members[k : k + size] for k in range(0, len(members), size)]
    return groups


def _quantity(name: str) -> str:
    return name.rpartition(".")[2]


def plot_signals(
    time: np.ndarray,
    columns: Mapping[str, np.ndarray],
    units: Mapping[str, str],
    groups: Sequence[Sequence[str]],
) -> Figure:
    """One set of axes for each group, two side by side."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    across = min(len(groups), 2)
    down = -(-len(groups) // 2) if len(groups) > 1 else 1
    figure = Figure(figsize=(11.0, 0.3 + 2.6 * down), layout="constrained")
    FigureCanvasAgg(figure)
    grid = figure.subplots(down, across, squeeze=False, sharex=True).ravel()
    for axes, members in itertools.zip_longest(grid, groups):
        if members is None:
            axes.axis("off")
            continue
        for name in members:
            axes.plot(*thinned(time, columns[name]), label=name, linewidth=1.2)
        unit = units.get(members[0], "1")
        axes.set_ylabel(f"[{unit}]", fontsize=9)
        axes.set_xlabel("time [s]", fontsize=9)
        axes.tick_params(labelsize=8, labelbottom=True)
        axes.grid(visible=True, alpha=0.3)
        _name_curves(axes, members)
    return figure


def _name_curves(axes: Any, members: Sequence[str]) -> None:
    """Above the axes, where no curve runs."""
    across = 3 if sum(len(name) for name in members[:3]) < 45 else 2
    axes.legend(
        loc="lower left",
        bbox_to_anchor=(0.0, 1.0),
        ncols=across,
        fontsize=7.5,
        frameon=False,
        borderaxespad=0.1,
        columnspacing=1.2,
    )
