"""Slip across: a rolling wheel that is pushed to both sides."""

from __future__ import annotations

from axletree.model.benches.contract import Bench, Setup
from axletree.model.benches.rig import FREE, loaded, planned, rig
from axletree.model.benches.subject import Subject
from axletree.model.plot import Plot

SPEED, ASIDE = 5.0, 5.0  # m/s, forward and greatest to the side
DURATION = 10.0  # s


def _setups(subject: Subject) -> list[Setup]:
    # The lateral speed is ASIDE sin(0.2 pi t): all of it to the left, then to the right.
    moves = {
        "track": f"{SPEED}*t",
        "cross": f"{ASIDE}/(0.2*pi)*(1 - cos(0.2*pi*t))",
        "lift": FREE,
        "axle": FREE,
    }
    model = rig("slip-lateral", subject, moves)
    loaded(model, subject.load)
    plots = [
        Plot("Lateral force over slip angle", ("tyre.Fy",), "tyre.slip_angle", "kN"),
        Plot("Lateral force over lateral speed", ("tyre.Fy",), "tyre.VPy", "kN"),
    ]
    planned(model, subject, DURATION, plots)
    return [Setup(f"Pushed aside by up to {ASIDE:g} m/s at {SPEED:g} m/s", model)]


BENCH = Bench("lateral force over slip angle", _setups, needs_slip=True)
