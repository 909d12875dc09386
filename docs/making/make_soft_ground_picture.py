"""Draws a vehicle on soft ground."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

import axletree as at
from axletree.plot.figure_files import write_figure
from axletree.plot.style import dash, in_style, label_axes, legend_above, new_figure

NAME, SOIL = "sedan", "sandy-loam-michigan-23"
SLOPE = math.radians(1.5)
WHEELS = {"front_left": "front", "rear_left": "rear"}


def make_pictures(folder: Path) -> list[Path]:
    """All pictures, written into the folder."""
    return [write_figure(plot_stop_and_go(driven()), folder / "vehicle-on-soil.png")]


def driven() -> at.Trajectory:
    """Uphill from the brakes, onto the brakes, and parked."""
    law = {"type": "wong-reece", "soil": SOIL, "order": 8}
    model = at.read_model(NAME, {"vehicle": {"soil": {"law": law}}})
    throttle = model.manoeuvres["slope-start"].drive  # type: ignore[attr-defined]
    gravity = {"gravity.x": -9.80665 * math.sin(SLOPE), "gravity.z": -9.80665 * math.cos(SLOPE)}
    pedals: dict[str, Any] = {
        "driver.throttle": ([1.0, 3.0, 8.0, 8.5], [0.0, throttle, throttle, 0.0]),
        "driver.brake": ([2.0, 2.5, 8.0, 8.5], [1.0, 0.0, 0.0, 1.0]),
    }
    return model.formulate(form="set-valued").simulate(
        16.0, step=2e-3, method="complementarity", inputs=pedals, parameters=gravity,
        record_interval=2e-2,
    )  # fmt: skip


@in_style
def plot_stop_and_go(run: at.Trajectory) -> Figure:
    figure, axes = new_figure(2, 2, "A sedan in sandy loam, uphill by 1.5 degrees")
    panels = dict(zip(("speed", "slip", "sinkage", "torque"), axes, strict=True))
    panels["speed"].plot(run.time, run["vehicle.forward_speed"], label="vehicle")
    for k, (name, word) in enumerate(WHEELS.items()):
        soil, brake = f"{name}_soil", run[f"{name}_brake.friction"]
        line = {"linestyle": dash(k)}
        rims = {"linestyle": dash(k + 1), "label": f"{word} rims"}
        panels["speed"].plot(run.time, run[f"{soil}.rolling_speed"], **rims)
        panels["slip"].plot(run.time, 100.0 * run[f"{soil}.slip"], label=word, **line)
        panels["sinkage"].plot(run.time, 1e3 * run[f"{soil}.sinkage"], label=word, **line)
        panels["torque"].plot(run.time, brake, label=f"brake, {word}", **line)
    drive = {"linestyle": dash(len(WHEELS)), "label": "drive, rear"}
    panels["torque"].plot(run.time, 0.5 * run["rear_drive.torque"], **drive)
    for name, title, label in (
        ("speed", "Speeds", "speed [m/s]"),
        ("slip", "Slip", "slip [%]"),
        ("sinkage", "Sinkage", "sinkage [mm]"),
        ("torque", "Torques of a wheel", "torque [N·m]"),
    ):
        label_axes(panels[name], title, "time [s]", label)
        legend_above(panels[name], columns=3)
    return figure


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "pictures"
    for path in make_pictures(target):
        print(path)
