"""Draws the picture of the page on trailers."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import axletree as at
from axletree.model.model import Model
from axletree.plot.figure_files import write_figure
from axletree.plot.style import (
    BLUE,
    GREY,
    INK,
    VERMILION,
    dash,
    label_axes,
    legend_above,
    new_figure,
)
from axletree.runs.steering import PulseSteer
from axletree.system.system import System

KMH = 1.0 / 3.6
LOADED = {
    "car-with-caravan": ("well loaded", BLUE),
    "car-with-tail-heavy-caravan": ("tail-heavy", VERMILION),
}
SHOWN = (90.0, 125.0)  # km/h of the runs over time
SPEEDS = (60.0, 70.0, 80.0, 90.0, 100.0, 110.0, 120.0, 130.0, 140.0)  # km/h
SWINGS = (2.0, 6.0)  # rad/s, between which a caravan swings
ANGLE = math.radians(1.0)  # of the steering wheel


@dataclass(frozen=True)
class Towed:
    """A package vehicle with its equations."""

    model: Model
    system: System

    def eigenvalue(self, speed: float) -> complex:
        """Of the swing [1/s] at a speed [km/h] that the throttle keeps."""
        steady = self.system.trim({"chassis.vx": speed * KMH}, find=["driver.throttle"])
        found = self.system.linearise(steady.states, inputs=steady.inputs).eigenvalues
        return complex(max((v for v in found if SWINGS[0] < v.imag < SWINGS[1]), key=np.real))

    def pulse(self, speed: float) -> tuple[Any, float]:
        """The run after a pulse of the steering wheel, and its damping ratio."""
        pulse = self.model.manoeuvres["iso-9815-pulse"]
        assert isinstance(pulse, PulseSteer)
        pulse = replace(pulse, speed=speed * KMH, angle=ANGLE)
        run = self.system.drive(pulse, step="1 ms", record_interval="10 ms")
        return run, next(f.value for f in pulse.findings(run) if f.name == "damping_ratio")


def make_pictures(
    folder: Path, fidelity: str = "full", speeds: Sequence[float] = SPEEDS
) -> list[Path]:
    """All pictures, written into the folder."""
    towed = {}
    for name in LOADED:
        model = at.read_model(name, {"vehicle": {"fidelity": fidelity}})
        towed[name] = Towed(model, model.formulate())
    figure, (slow, fast, against) = new_figure(1, 3, "A car with a caravan after a steering pulse")
    snake = towed["car-with-tail-heavy-caravan"]
    for axes, speed in zip((slow, fast), SHOWN, strict=True):
        _draw_run(axes, snake, speed, against)
    for name, (word, colour) in LOADED.items():
        values = [towed[name].eigenvalue(speed) for speed in speeds]
        damping = [-value.real / abs(value) for value in values]
        line = {"color": colour, "linestyle": dash(list(LOADED).index(name))}
        against.plot(speeds, damping, label=f"{word}, linear equations", **line)
    against.axhline(0.0, color=GREY, linewidth=0.8)
    label_axes(against, "Damping of the swing", "speed [km/h]", "damping ratio [1]")
    legend_above(against, columns=1)
    return [write_figure(figure, folder / "snaking-caravan.png")]


def _draw_run(axes: Any, towed: Towed, speed: float, against: Any) -> None:
    """Articulation over time with the envelope of the eigenvalue, and a dot for its damping."""
    run, damping = towed.pulse(speed)
    value = towed.eigenvalue(speed)
    angle = np.degrees(run["caravan_hitch.angle"])
    free = run.time >= 3.0
    grown = np.exp(value.real * (run.time[free] - 3.0))
    size = float(np.max(np.abs(angle[free]) / grown))
    axes.plot(run.time, angle, color=VERMILION, linewidth=1.2, label="run")
    envelope = {"color": INK, "linestyle": "--", "linewidth": 1.0, "label": "by the eigenvalue"}
    for sign in (1.0, -1.0):
        axes.plot(run.time[free], sign * size * grown, **envelope)
    label_axes(axes, f"Tail-heavy, {speed:.0f} km/h", "time [s]", "articulation [deg]")
    legend_above(axes)
    against.plot(speed, damping, "o", color=VERMILION, markersize=5, label="tail-heavy, runs")


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "pictures"
    for path in make_pictures(target):
        print(path)
