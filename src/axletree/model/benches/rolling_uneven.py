"""Uneven ground: a leaning wheel that rolls up and down."""

from __future__ import annotations

import math

from axletree.model.benches.contract import Bench, Setup
from axletree.model.benches.rig import LANDING_INTERVAL, free_wheel, planned
from axletree.model.benches.subject import Subject
from axletree.model.plot import Plot

LEAN = math.radians(10.0)
RATE = 14.0  # rad/s
WAVE = {
    "type": "bicubic",
    "heights": [[0.0] * 2, [0.2] * 2, [0.0] * 2, [0.2] * 2, [0.0] * 2],
    "length_x": 10,
    "length_y": 20,
    "x": 0.5,
    "y": -10,
}


def _setups(subject: Subject) -> list[Setup]:
    model = free_wheel("rolling-uneven", subject, surface=WAVE)
    plots = [
        Plot("Path", ("hub.y",), "hub.x"),
        Plot("Height of the hub", ("hub.z",), "hub.x"),
        Plot("Inclination", ("tyre.inclination",)),
        Plot("Forces along, across and normal", ("tyre.Fx", "tyre.Fy", "tyre.Fz")),
    ]
    planned(model, subject, 2.0, plots, LANDING_INTERVAL)
    given = {"hub.roll": LEAN, "axle.rate": RATE}
    return [Setup("A leaning wheel on waves of 0.2 m", model, given)]


BENCH = Bench("a leaning wheel that rolls over uneven ground", _setups, needs_give=True)
