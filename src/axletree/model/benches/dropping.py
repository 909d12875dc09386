"""Uneven ground: a wheel that is dropped into a valley."""

from __future__ import annotations

from axletree.model.benches.contract import Bench, Setup
from axletree.model.benches.rig import LANDING_INTERVAL, free_wheel, planned
from axletree.model.benches.subject import Subject
from axletree.model.plot import Plot

HEIGHT = 2.0  # m, of the hub above the bottom of the valley
VALLEY = {
    "type": "bicubic",
    "heights": [[0.5] * 4, [0.0] * 4, [0.0] * 4, [0.5] * 4],
    "length_x": 6,
    "length_y": 6,
    "x": -3,
    "y": -3,
}


def _setups(subject: Subject) -> list[Setup]:
    model = free_wheel("dropping", subject, surface=VALLEY)
    model.start |= {"hub.z": HEIGHT, "hub.x": -2.0}
    plots = [
        Plot("Path of the hub", ("hub.z",), "hub.x"),
        Plot("Height of the hub", ("hub.z",)),
        Plot("Normal force", ("tyre.Fz",), unit="kN"),
        Plot("Speed and sliding speed", ("tyre.VCx", "tyre.VEx")),
    ]
    planned(model, subject, 6.0, plots, LANDING_INTERVAL)
    return [Setup("Dropped onto a slope", model, lifted=True)]


BENCH = Bench("a wheel that is dropped on uneven ground", _setups, needs_give=True)
