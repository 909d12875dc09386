"""Draws the pictures of the page on soils."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

import axletree as at
from axletree.catalogue import TRACTION_SCHEMES
from axletree.plot.figure_files import write_figure
from axletree.plot.style import INK, dash, in_style, label_axes, legend_above, marker, new_figure
from axletree.plot.wheels import plot_soil
from axletree.wheel.soils.contract import WheelInSoil
from axletree.wheel.soils.wong_reece import WongReece

MODEL = "quarter-vehicle-on-soil"
STEP = 5e-3  # s


def make_pictures(folder: Path) -> list[Path]:
    """All pictures, written into the folder."""
    sand = plot_soil(WongReece("lete-sand-wong"), WheelInSoil(radius=0.4, width=0.25), load=4000.0)
    return [
        write_figure(sand, folder / "wheel-in-sand.png"),
        write_figure(plot_start_on_soil(), folder / "start-on-soil.png"),
    ]


@in_style
def plot_start_on_soil() -> Figure:
    """Thrust over slip by all schemes, as in Peiret et al., fig. 4; forces and speeds, fig. 5."""
    figure, (first, second, forces, speeds) = new_figure(2, 2, "A start on soft soil, step 5 ms")
    runs = {name: run_with(name) for name in TRACTION_SCHEMES}
    for axes, names in (
        (first, ("set-valued", "local")),
        (second, ("global", "dissipative")),
    ):
        draw_thrust(axes, {name: runs[name] for name in names})
    draw_motion(forces, speeds, runs["dissipative"])
    return figure


def run_with(scheme: str) -> at.Trajectory:
    """The start of the shipped vehicle with a scheme by name."""
    shipped, model = at.read_model(MODEL), at.Model("start")
    model.ground = shipped.ground
    for component in shipped:
        is_wheel = isinstance(component, at.SoilWheel)
        model.add(dataclasses.replace(component, scheme=scheme) if is_wheel else component)
    system = model.formulate(form="set-valued")
    return system.simulate(20.0, step=STEP, method="complementarity")


def draw_thrust(axes: Any, runs: dict[str, at.Trajectory]) -> None:
    law, wheel = at.Brixius(400e3, section_height=0.14), WheelInSoil(radius=0.381, width=0.2)
    force, slips = 2452.5, np.linspace(0.0, 1.0, 201)
    number = law.mobility_number(force, wheel, law.numbers)
    # The later ones are smaller, so that those below are seen around them.
    for k, (name, run) in enumerate(runs.items()):
        style = {"marker": marker(k), "markersize": 5.0 - 2.5 * k, "linestyle": "none"}
        axes.plot(run["soil.slip"], run["soil.traction"] / 1e3, label=name, **style)
    axes.plot(
        slips, force * law.thrust_ratio(slips, number) / 1e3, color=INK, linewidth=1, label="law"
    )
    title = f"Thrust over slip: {', '.join(runs)}"
    label_axes(axes, title, "slip [1]", "thrust [kN]")
    legend_above(axes, columns=3)


def draw_motion(forces: Any, speeds: Any, run: at.Trajectory) -> None:
    for k, name in enumerate(("traction", "resistance", "drawbar_pull")):
        style = {"linestyle": dash(k), "label": name.replace("_", " ")}
        forces.plot(run.time, run[f"soil.{name}"] / 1e3, **style)
    label_axes(forces, "Forces, dissipative", "time [s]", "force [kN]")
    for k, name in enumerate(("forward_speed", "rolling_speed")):
        style = {"linestyle": dash(k), "label": name.replace("_", " ")}
        speeds.plot(run.time, run[f"soil.{name}"], **style)
    label_axes(speeds, "Speeds, dissipative", "time [s]", "speed [m/s]")
    legend_above(forces, columns=3)
    legend_above(speeds)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "pictures"
    for path in make_pictures(target):
        print(path)
