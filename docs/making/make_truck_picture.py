"""Draws the picture of the page on the truck."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

import axletree as at
from axletree.plot.figure_files import write_figure
from axletree.plot.style import colour, dash, in_style, label_axes, legend_above, new_figure

DRIVEN = ("rear_left", "rear_right")
CLUTCHES = ("start", "first", "second")
FORCES = {"normal_force": "normal force", "traction": "traction"}


def make_pictures(folder: Path) -> list[Path]:
    """All pictures, written into the folder."""
    return [write_figure(plot_drive(run_of_model()), folder / "truck-on-soil.png")]


def run_of_model() -> at.Trajectory:
    model = at.read_model("off-road-truck")
    run = model.run
    wheels = [f"{wheel}_soil.{name}" for wheel in DRIVEN for name in (*FORCES, "slip")]
    clutches = [f"{clutch}_clutch.slip" for clutch in CLUTCHES]
    return model.formulate(form="set-valued").simulate(
        run.duration, step=run.step, method=run.method, inputs=run.inputs,
        record_interval=run.record_interval, outputs=[*wheels, *clutches],
    )  # fmt: skip


@in_style
def plot_drive(run: at.Trajectory) -> Figure:
    """Forces and slip of the driven wheels, as in Peiret et al., fig. 7; speed, and the gears."""
    figure, (forces, slip, speed, clutches) = new_figure(2, 2, "An off-road truck on soft soil")
    draw_wheels(forces, slip, run)
    draw_gears(speed, clutches, run)
    return figure


def draw_wheels(forces: Any, slip: Any, run: at.Trajectory) -> None:
    for wheel, line in zip(DRIVEN, ("-", "--"), strict=True):
        side = wheel.replace("_", " ")
        for k, (name, words) in enumerate(FORCES.items()):
            style = {"color": colour(k), "linestyle": line, "label": f"{words}, {side}"}
            forces.plot(run.time, run[f"{wheel}_soil.{name}"] / 1e3, **style)
        slip.plot(run.time, 100.0 * run[f"{wheel}_soil.slip"], line, label=side)
    label_axes(forces, "Driven wheels", "time [s]", "force [kN]")
    label_axes(slip, "Slip of the driven wheels", "time [s]", "slip [%]")
    legend_above(forces)
    legend_above(slip)


def draw_gears(speed: Any, clutches: Any, run: at.Trajectory) -> None:
    speed.plot(run.time, 3.6 * run["chassis.vx"], label="truck")
    engine = run["crankshaft_bearing.rate"] * 30.0 / math.pi
    speed.plot(run.time, engine / 100.0, linestyle=dash(1), label="engine")
    label_axes(speed, "Speeds", "time [s]", "truck [km/h], engine [100 rpm]")
    legend_above(speed)
    for k, clutch in enumerate(CLUTCHES):
        style = {"linestyle": dash(k), "label": clutch}
        clutches.plot(run.time, run[f"{clutch}_clutch.slip"], **style)
    label_axes(clutches, "Clutches", "time [s]", "slip [rad/s]")
    clutches.set_ylim(-25.0, 50.0)
    legend_above(clutches, columns=3)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "pictures"
    for path in make_pictures(target):
        print(path)
