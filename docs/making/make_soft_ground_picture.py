"""Draws a vehicle on soft ground."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

import axletree as at
from axletree.report.picture_file import write_figure

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
    return model.formulate().simulate(
        16.0, step=2e-3, method="complementarity", inputs=pedals, parameters=gravity,
        record_interval=2e-2,
    )  # fmt: skip


def plot_stop_and_go(run: at.Trajectory) -> Figure:
    figure = Figure(figsize=(11.0, 7.6), layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplot_mosaic([["speed", "slip"], ["sinkage", "torque"]])
    panels["speed"].plot(run.time, run["vehicle.forward_speed"], label="vehicle")
    for name, word in WHEELS.items():
        at_wheel = f"{name}_soil"
        panels["speed"].plot(run.time, run[f"{at_wheel}.rolling_speed"], label=f"{word} rims")
        panels["slip"].plot(run.time, 100.0 * run[f"{at_wheel}.slip"], label=word)
        panels["sinkage"].plot(run.time, 1e3 * run[f"{at_wheel}.sinkage"], label=word)
        panels["torque"].plot(run.time, run[f"{name}_brake.friction"], label=f"brake, {word}")
    panels["torque"].plot(run.time, 0.5 * run["rear_drive.torque"], "--", label="drive, rear")
    for name, label in (
        ("speed", "speed in m/s"),
        ("slip", "slip in %"),
        ("sinkage", "sinkage in mm"),
        ("torque", "torque of a wheel in N m"),
    ):
        panels[name].set(xlabel="time in s", ylabel=label)
        panels[name].legend()
    figure.suptitle("A sedan in sandy loam, uphill by 1.5 degrees")
    return figure


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "pictures"
    for path in make_pictures(target):
        print(path)
