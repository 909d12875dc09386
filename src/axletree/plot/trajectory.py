"""Columns of a trajectory over time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from axletree.core.errors import SimulationError
from axletree.core.files import whole_file
from axletree.plot.panels import automatic_panels, draw_panels
from axletree.simulation.trajectory import Trajectory

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_BELOW = 3  # panels that stand below one another, with one time axis to compare along


def plot_trajectory(run: Trajectory, names: Sequence[str], path: Path | None) -> Figure:
    """Panels of the columns; no window is opened."""
    chosen = {name: run[name] for name in (names or run.names)}
    units = {name: run.units.get(name, "s") for name in chosen}
    panels = automatic_panels(run.time, chosen, units, f"{run.time_name} [s]")
    title = run.system if run.complete else f"{run.system} (incomplete: {run.note})"
    figure = draw_panels(panels, title, columns=1 if len(panels) <= MOST_BELOW else None)
    if path is not None:
        _save(figure, path)
    return figure


def _save(figure: Figure, path: Path) -> None:
    kind, kinds = path.suffix.lstrip(".").lower() or "png", figure.canvas.get_supported_filetypes()
    if kind not in kinds:
        raise SimulationError(
            f"cannot plot to {path}; expected a name that ends in .{', .'.join(sorted(kinds))}"
        )
    with whole_file(path) as stream:
        figure.savefig(stream, format=kind)
