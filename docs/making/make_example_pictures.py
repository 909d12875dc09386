"""Draws the pictures of the page on examples."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import axletree as at
from axletree.plot.figure_files import write_figure
from axletree.plot.model_plots import ShownRun, plot_panels, plotted_units
from axletree.plot.panels import draw_panels
from axletree.plot.ride import RideView, draw_ride, ride_frames
from axletree.simulation.simulate import form_for

# Instants [s] at which an example is drawn, and from where it is seen [rad].
RIDES = {
    "bicycles-geometry": (range(9), RideView(elevation=0.7)),
    "bicycles-friction": ((0, 0.5, 1, 1.5, 2, 2.5), RideView(elevation=0.7)),
    "bicycle-wheelie": ((0.5, 0.8, 1, 1.2, 1.4, 1.6, 1.7), RideView()),
    "motorcycle": ((0, 0.5, 1, 1.5, 2), RideView(-0.2, 0.4)),
    "motorcycle-jump": ((10.3, 10.5, 10.8, 11.1, 11.4, 11.7), RideView()),
    "drifting-car": ((21, 21.5, 22, 22.5, 23, 23.5, 24, 25, 28), RideView(np.pi / 2, np.pi / 2)),
    "dropped-tyre": ((0, 0.3, 0.58, 0.7, 0.9, 1.2, 1.6, 2.2), RideView()),
    "rolling-tyre": ((0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5), RideView(-0.4, 0.4)),
}
# Of the plots that their files propose.
PLOTS = {
    "motorcycle-jump": ("Pitch", "Fork travel", "Normal force, Fz", "Wheel rates"),
    "drifting-car": ("Forward and lateral speed", "Yaw rate", "Wheel rates", "Lateral force, Fy"),
    "skidder-on-soil": ("Yaw rate", "Forward speed", "Normal force", "Gross traction"),
    "rover": ("Rockers and bogies", "Slip", "Normal force", "Sinkage"),
    "hydraulic-skidder": (
        "Path of the front body in the plane", "Angle of the hinge",
        "Pressures that turn left and right", "Flow of the valve",
    ),
    "crane": (
        "Height of the load", "Pressures of the cylinder", "Opening of the counterbalance valve",
        "Power of pump and cylinder",
    ),
    "brake-bench": (
        "Pressure of the callipers", "Flow of the valves of the left front wheel",
        "Content of the left front calliper", "Pressure of the low-pressure accumulators",
    ),
}  # fmt: skip


def make_pictures(folder: Path) -> list[Path]:
    """All pictures, written into the folder."""
    names = dict.fromkeys((*RIDES, *PLOTS))
    return [path for name in names for path in _draw_example(name, folder)]


def _draw_example(name: str, folder: Path) -> list[Path]:
    """A drive by the run that its file proposes, and some of its plots."""
    model = at.read_model(name)
    own, method = model.run, model.run.method or "rk4"
    system = model.formulate(form=form_for(method))
    assert own.duration is not None
    run = system.simulate(
        own.duration, step=own.step, method=method,
        record_interval=own.record_interval, inputs=own.inputs,
    )  # fmt: skip
    written = []
    if name in RIDES:
        figure = draw_ride(ride_frames(model, run), *RIDES[name])
        written.append(write_figure(figure, folder / f"{name}.png"))
    plots = [plot for plot in model.plots if plot.title in PLOTS.get(name, ())]
    if plots:
        shown = {name: ShownRun(run.time, run.columns, plotted_units(system, plots))}
        figure = draw_panels(plot_panels(plots, shown))
        written.append(write_figure(figure, folder / f"{name}-plots.png"))
    return written


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "pictures"
    for path in make_pictures(target):
        print(path)
