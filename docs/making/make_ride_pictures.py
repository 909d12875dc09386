"""Draws pictures of ride and race."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

import axletree as at
from axletree.metrics.ride import PostResponse
from axletree.plot.figure_files import write_figure
from axletree.plot.panels import set_logarithmic
from axletree.plot.style import BLUE, GREY, VERMILION, dash, label_axes, legend_above, new_figure
from axletree.runs.follow_path import FollowPath
from axletree.simulation.trajectory import Trajectory

CAR, RACER = "sedan", "sports-car"
RATE, POST = "vehicle.vertical_speed", "front_left_post.position"


def driven(
    name: str, word: str, fidelity: str, interval: float, outputs: tuple[str, ...] = ()
) -> tuple[Any, Any, Trajectory]:
    """System, manoeuvre and run of a vehicle of the package."""
    own = {"fidelity": fidelity}
    manoeuvre = at.read_model(name, {"vehicle": own}).manoeuvres[word]
    changes = {"vehicle": {**own, **manoeuvre.changes["vehicle"]}}
    system = at.read_model(name, changes).formulate()
    run = system.drive(
        manoeuvre, step="1 ms", method="subdivided-rk45", record_interval=interval, outputs=outputs
    )
    return system, manoeuvre, run


def ride_picture(folder: Path) -> Path:
    figure, (left, right) = new_figure(1, 2, "A sedan on posts")
    system, sweep, run = driven(CAR, "four-post", "14-dof", 5e-3)
    metric = next(one for one in sweep.metrics if isinstance(one, PostResponse))
    fine, coarse = np.geomspace(0.5, 20.0, 300), np.geomspace(0.5, 20.0, 30)
    left.loglog(fine, np.abs(metric.transmissibility(run, fine)), color=BLUE, label="sweep")
    linear = system.linearise(system.trim({}).states, outputs=[RATE]).frequency_response(coarse)
    s = 2j * np.pi * coarse
    rates = {"": 0, "_rate": 1, "_acceleration": 2}
    total = sum(
        linear[RATE, f"{post}{word}"] * s**power / s
        for post in metric.posts
        for word, power in rates.items()
    )
    left.loglog(coarse, np.abs(total), "o", color=VERMILION, markersize=3, label="linear equations")
    label_axes(left, "Heave", "frequency [Hz]", "body over posts [1]")
    set_logarithmic(left, "x")
    set_logarithmic(left, "y")
    legend_above(left)
    _, road, run = driven(CAR, "four-post-road", "14-dof", 5e-3, (POST,))
    _spectra(right, road, run)
    return write_figure(figure, folder / "vehicle-ride.png")


def _spectra(axes: Any, road: Any, run: Trajectory) -> None:
    from scipy.signal import welch

    late = run.time > 4.0
    acceleration = np.gradient(run[RATE], run.time)[late]
    post = run[POST][late]
    f, power = welch(acceleration, 200.0, nperseg=1024)
    axes.loglog(f[1:], power[1:], label="vertical acceleration [(m/s^2)^2/Hz]")
    f, power = welch(post, 200.0, nperseg=1024)
    axes.loglog(f[1:], power[1:], linestyle=dash(2), label="road [m^2/Hz]")
    shown = f[(f > 0.5) & (f < 25.0)]
    v = road.road_speed
    axes.loglog(
        shown, road.surface.density(shown / v) / v, "--", label="class C of ISO 8608 [m^2/Hz]"
    )
    label_axes(axes, "Road of class C at 80 km/h", "frequency [Hz]", "power spectral density")
    axes.set_xlim(0.5, 25.0)
    set_logarithmic(axes, "x")
    axes.set_ylim(1e-8, 10.0)
    legend_above(axes, columns=1)


def race_picture(folder: Path) -> Path:
    _, race, run = driven(RACER, "race-track", "two-track", 2e-2, ("vehicle.forward_speed",))
    assert isinstance(race, FollowPath)
    return write_figure(lap_figure("A lap of a sports car", race, run), folder / "race-track.png")


def lap_figure(title: str, race: FollowPath, run: Trajectory) -> Any:
    """The lane and the way through it, and speeds over the way."""
    figure, (plan, over) = new_figure(1, 2, title)
    assert race.pace is not None
    line, done = race.path.line, run["driver.station"] <= race.path.finish
    half = race.path.half_width(line.station)
    assert half is not None
    for side in (1.0, -1.0):
        x = line.x - side * half * np.sin(line.heading)
        y = line.y + side * half * np.cos(line.heading)
        plan.plot(x, y, color=GREY, linewidth=0.8, label="edges of the lane")
    plan.plot(run["vehicle.x"][done], run["vehicle.y"][done], color=VERMILION, label="driven")
    label_axes(plan, "The Lindenring", "x [m]", "y [m]")
    legend_above(plan)
    plan.set_aspect("equal")
    speeds = race.pace.speeds(line.station, line.curvature)
    shown = line.station <= race.path.finish
    over.plot(line.station[shown], 3.6 * speeds[shown], "--", color=BLUE, label="planned")
    driven_speeds = 3.6 * run["vehicle.forward_speed"][done]
    over.plot(run["driver.station"][done], driven_speeds, color=VERMILION, label="driven")
    label_axes(over, "Speed", "station [m]", "speed [km/h]")
    legend_above(over)
    return figure


def make_pictures(folder: Path) -> list[Path]:
    """All pictures, written into the folder."""
    return [ride_picture(folder), race_picture(folder)]


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "pictures"
    for picture in make_pictures(target):
        print(picture)
