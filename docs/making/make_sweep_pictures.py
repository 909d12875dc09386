"""Draws the pictures of the page on sweeps."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import axletree as at
from axletree.analysis.studies.comparison import shared_quantities
from axletree.cli.comparison import ModelRuns, compared_runs
from axletree.plot.figure_files import write_figure
from axletree.plot.studies import plot_comparison, plot_sweep

CAR = "compact-car"
GRID = {"body.mass": "900:1300:5", "manoeuvre.speed": "60, 80, 100 km/h"}
FIDELITIES = ("full", "14-dof", "two-track", "single-track")
FOUND = ("yaw_rate_gain", "yaw_rate_response_time", "yaw_rate_overshoot")
SHOWN = ("vehicle.yaw_rate", "vehicle.sideslip", "vehicle.roll", "vehicle.lateral_speed")


def make_pictures(
    folder: Path,
    grid: Mapping[str, str] = GRID,
    fidelities: Sequence[str] = FIDELITIES,
) -> list[Path]:
    """All pictures, written into the folder; of a smaller grid and fewer models they are quick."""
    changes = {"vehicle": {"fidelity": fidelities[-1]}}
    found = at.sweep(CAR, grid, "step-steer", duration=4.0, changes=changes)
    runs = compared_runs([CAR], ModelRuns("step-steer", None, tuple(fidelities), SHOWN))
    compared = plot_comparison(runs, shared_quantities(runs, SHOWN))
    return [
        write_figure(plot_sweep(found, findings=FOUND), folder / "sweep.png"),
        write_figure(compared, folder / "fidelities.png"),
    ]


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "pictures"
    for path in make_pictures(target):
        print(path)
