"""Draws the pictures of the page on analyses."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import axletree as at
from axletree.plot.figure_files import write_figure
from axletree.plot.linear import plot_branch, plot_frequency_response, plot_modes, plot_root_locus

SPEED = "sqrt(chassis.vx^2 + chassis.vy^2)"
LATERAL = f"{SPEED}*chassis.rate"


def make_pictures(folder: Path) -> list[Path]:
    """All pictures, written into the folder."""
    bicycle = at.read_model("whipple-bicycle").formulate()
    locus = bicycle.root_locus("rear_frame.vx", np.linspace(0.5, 10.0, 39))
    steady = bicycle.trim({"rear_frame.vx": 5.0})
    linear = steady.linearise(outputs=["rear_frame.roll", "steer.angle"])
    response = linear.selected(inputs=["steer_torque.torque"]).frequency_response(
        np.geomspace(0.05, 10.0, 200)
    )
    car = at.read_model("bicycle-car").formulate()
    limit = car.trim({SPEED: 20.0, LATERAL: 0.0}, ["steer.angle", "drive.torque"]).continued(
        LATERAL, 12.0, step=0.5, points=60
    )
    shown = ["steer.angle", "drive.torque", "front_tyre.Fy"]
    adhesion = plot_branch(limit, shown, "Single-track car at 20 m/s")
    for panel in adhesion.axes:  # an expression has no unit of its own
        panel.set_xlabel("lateral acceleration [m/s²]")
    figures = {
        "bicycle-root-locus.png": plot_root_locus(locus),
        "bicycle-modes.png": plot_modes(linear, [1, 2, 3]),
        "bicycle-frequency-response.png": plot_frequency_response(response),
        "adhesion-limit.png": adhesion,
    }
    return [write_figure(figure, folder / name) for name, figure in figures.items()]


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "pictures"
    for path in make_pictures(target):
        print(path)
