"""Columns of a trajectory over time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from axletree.core.errors import SimulationError
from axletree.core.files import replaced
from axletree.simulation.thinning import thinned
from axletree.simulation.trajectory import Trajectory

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def plot(run: Trajectory, names: Sequence[str], path: Path | None) -> Figure:
    """One set of axes for each unit, below one another; no window is opened."""
    # A figure of its own needs no display and leaves pyplot's state alone.
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    chosen = {name: run[name] for name in (names or run.names)}
    groups: dict[str, list[str]] = {}
    for name in chosen:
        groups.setdefault(run.units.get(name, "s"), []).append(name)
    figure = Figure(figsize=(8.0, 1.0 + 2.6 * len(groups)), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(max(len(groups), 1), 1, sharex=True, squeeze=False)[:, 0]
    for axis, (unit, members) in zip(axes, groups.items(), strict=False):
        for name in members:
            axis.plot(*thinned(run.time, chosen[name]), label=name)
        axis.set_ylabel(f"{members[0]} [{unit}]" if len(members) == 1 else f"[{unit}]")
        axis.grid(visible=True, alpha=0.3)
        if len(members) > 1:
            axis.legend(loc="best", fontsize="small")
    axes[-1].set_xlabel(f"{run.time_name} [s]")
    axes[0].set_title(run.system if run.complete else f"{run.system} (incomplete: {run.note})")
    if path is not None:
        _save(figure, path)
    return figure


def _save(figure: Figure, path: Path) -> None:
    kind, kinds = path.suffix.lstrip(".").lower() or "png", figure.canvas.get_supported_filetypes()
    if kind not in kinds:
        raise SimulationError(
            f"cannot plot to {path}; expected a name that ends in .{', .'.join(sorted(kinds))}"
        )
    with replaced(path) as stream:
        figure.savefig(stream, format=kind)
