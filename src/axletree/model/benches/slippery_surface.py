"""Partly slippery ground: a wheel that rolls off dry ground onto ice."""

from __future__ import annotations

import math

from axletree.model.benches.contract import Bench, Setup
from axletree.model.benches.rig import free_wheel, planned
from axletree.model.benches.subject import Subject
from axletree.model.plot import Plot

ICE = {
    "type": "flat",
    "friction_map": {
        "type": "cells",
        "factors": [[0, 0, 0], [0, 1, 0], [0, 0, 0]],
        "length_x": 10,
        "length_y": 10,
        "x": -5,
        "y": -5,
    },
}
LEAN = math.radians(15.0)
RATE = 12.0  # rad/s


def _setups(subject: Subject) -> list[Setup]:
    model = free_wheel("slippery-surface", subject, surface=ICE)
    plots = [
        Plot("Path", ("hub.y",), "hub.x"),
        Plot("Inclination", ("tyre.inclination",)),
        Plot("Forces along and across", ("tyre.Fx", "tyre.Fy")),
        Plot("Sliding speed and speed", ("tyre.VEx", "tyre.VCx")),
    ]
    planned(model, subject, 1.5, plots)
    given = {"hub.roll": LEAN, "axle.rate": RATE}
    return [Setup("A leaning wheel that rolls from dry ground onto ice", model, given)]


BENCH = Bench("a wheel that rolls from dry ground onto ice", _setups, needs_slip=True)
