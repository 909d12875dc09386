"""Draws a vehicle's ladder, modes and responses."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import axletree as at
from axletree.analysis.handling.steer_response import steer_responses
from axletree.analysis.handling.straight_running import vehicle_locus, vehicle_modes
from axletree.analysis.studies.fidelity_ladder import drive_ladder
from axletree.plot.figure_files import write_figure
from axletree.plot.linear import plot_named_modes, plot_steer_responses, plot_vehicle_locus
from axletree.plot.studies import plot_ladder
from axletree.vehicles.vehicle import Fidelity

KMH = 1.0 / 3.6
RUNGS = (  # of a vehicle without hard points
    Fidelity.FULL, Fidelity.FOURTEEN, Fidelity.TWO_TRACK, Fidelity.SINGLE_TRACK, Fidelity.LINEAR,
)  # fmt: skip


def make_pictures(
    folder: Path, fidelities: Sequence[Fidelity] = RUNGS, points: int = 17
) -> list[Path]:
    """All pictures, written into the folder; of the first of the fidelities what is of one."""
    changes = {"vehicle": {"fidelity": fidelities[0].value}}
    sedan, train = (at.read_model(n, changes) for n in ("sedan", "car-with-tail-heavy-caravan"))
    locus = vehicle_locus(train, np.linspace(60.0, 140.0, points) * KMH)
    figures = {
        "vehicle-ladder.png": plot_ladder(drive_ladder("sedan", "iso-7401-step", None, fidelities)),
        "vehicle-modes.png": plot_named_modes(
            vehicle_modes(sedan, 100.0 * KMH), "The sedan at 100 km/h"
        ),
        "caravan-modes.png": plot_vehicle_locus(locus),
        "vehicle-frequency.png": plot_steer_responses(
            steer_responses(sedan, 80.0 * KMH), "The sedan by its steering wheel at 80 km/h"
        ),
    }
    return [write_figure(figure, folder / name) for name, figure in figures.items()]


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "pictures"
    for path in make_pictures(target):
        print(path)
