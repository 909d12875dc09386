"""Draws the picture of the page on the truck."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

import axletree as at
from axletree.report.picture_file import write_figure

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
    return model.formulate().simulate(
        run.duration, step=run.step, method=run.method, inputs=run.inputs,
        record_interval=run.record_interval, outputs=[*wheels, *clutches],
    )  # fmt: skip


def plot_drive(run: at.Trajectory) -> Figure:
    """Forces and slip of the driven wheels, as in Peiret et al., fig. 7; speed, and the gears."""
    figure = Figure(figsize=(11.0, 7.6), layout="constrained")
    FigureCanvasAgg(figure)
    panels: dict[str, Any] = figure.subplot_mosaic([["forces", "slip"], ["speed", "clutches"]])
    draw_wheels(panels["forces"], panels["slip"], run)
    draw_gears(panels["speed"], panels["clutches"], run)
    for axes in panels.values():
        axes.set_xlabel("time in s")
    return figure


def draw_wheels(forces: Any, slip: Any, run: at.Trajectory) -> None:
    for wheel, line in zip(DRIVEN, ("-", "--"), strict=True):
        side = wheel.replace("_", " ")
        for name, words in FORCES.items():
            forces.plot(run.time, run[f"{wheel}_soil.{name}"] / 1e3, line, label=f"{words}, {side}")
        slip.plot(run.time, run[f"{wheel}_soil.slip"], line, label=side)
    forces.set(ylabel="force in kN", title="Driven wheels")
    slip.set(ylabel="slip", title="Slip of the driven wheels")
    forces.legend()
    slip.legend()


def draw_gears(speed: Any, clutches: Any, run: at.Trajectory) -> None:
    speed.plot(run.time, 3.6 * run["chassis.vx"], label="truck, in km/h")
    engine = run["crankshaft_bearing.rate"] * 30.0 / math.pi
    speed.plot(run.time, engine / 100.0, label="engine, in 100 rpm")
    speed.set(title="Speeds")
    speed.legend()
    for clutch, line in zip(CLUTCHES, ("-", "--", ":"), strict=True):
        clutches.plot(run.time, run[f"{clutch}_clutch.slip"], line, label=clutch)
    clutches.set(ylabel="slip in rad/s", title="Clutches", ylim=(-25.0, 50.0))
    clutches.legend()


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "pictures"
    for path in make_pictures(target):
        print(path)
