"""Draws the pictures of turns and derivatives."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import axletree as at
from axletree.plot.cornering import plot_cornering, plot_g_g, plot_handling, plot_yaw_moments
from axletree.plot.figure_files import write_figure
from axletree.plot.studies import plot_sensitivity

CAR, SPORTS_CAR, SPEED = "sedan", "sports-car", "100 km/h"
SPEEDS = tuple(f"{speed} km/h" for speed in (60, 95, 130, 165, 200))
VALUES = ("vehicle.body.mass", "vehicle.axles.front.position", "vehicle.axles.front.track")


def make_pictures(
    folder: Path,
    fidelity: str = "full",
    speeds: Sequence[str] = SPEEDS,
    directions: int = 25,
    lines: int = 17,
) -> list[Path]:
    """All pictures, written into the folder; with smaller models and fewer lines they are quick."""
    changes = {"vehicle": {"fidelity": fidelity}}
    curve = at.cornering_curve(at.read_model(CAR, changes), SPEED)
    moments = at.yaw_moment_diagram(at.read_model(CAR, changes), SPEED, lines=lines)
    sports_car = at.read_model(SPORTS_CAR, changes)
    envelopes = at.g_g_diagram(sports_car, speeds, directions=directions)
    slopes = at.turn_sensitivity(CAR, VALUES[: 3 if fidelity == "full" else 2], changes=changes)
    figures = {
        "cornering": plot_cornering(curve),
        "handling-diagram": plot_handling(curve),
        "yaw-moment": plot_yaw_moments(moments),
        "g-g": plot_g_g(envelopes),
        "sensitivity": plot_sensitivity(slopes),
    }
    return [write_figure(figure, folder / f"{name}.png") for name, figure in figures.items()]


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "pictures"
    for path in make_pictures(target):
        print(path)
