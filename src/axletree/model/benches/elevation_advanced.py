"""Elevation: a wheel that turns unevenly, is steered to both sides, and lifted in turns."""

from __future__ import annotations

from axletree.model.benches.contract import Bench, Setup
from axletree.model.benches.rig import FREE, LANDING_INTERVAL, loaded, planned, rig
from axletree.model.benches.subject import Subject
from axletree.model.plot import Plot

FORCE = 160.0  # N, more than the wheel weighs


def _setups(subject: Subject) -> list[Setup]:
    moves = {
        "track": FREE,
        "cross": FREE,
        "lift": FREE,
        "yaw": "pi/4*sin(0.2*pi*t)",
        "axle": "5*t - 5/(0.4*pi)*(cos(0.4*pi*t) - 1)",  # at 5 + 5 sin(0.4 pi t) rad/s
    }
    model = rig("elevation-advanced", subject, moves)
    loaded(model, f"-{FORCE}*sin(pi*t)")
    plots = [
        Plot("Path", ("cross.position",), "track.position"),
        Plot("Normal force", ("tyre.Fz",), unit="kN"),
        Plot("Forces along and across", ("tyre.Fx", "tyre.Fy")),
        Plot("Height of the hub", ("lift.position",), unit="mm"),
    ]
    planned(model, subject, 10.0, plots, LANDING_INTERVAL)
    return [Setup("Steered by 45 degrees, lifted in turns", model)]


BENCH = Bench("a wheel that is steered to both sides and lifted", _setups, needs_give=True)
