"""Slip along: a wheel that is turned from lock to twice its rolling rate."""

from __future__ import annotations

from axletree.model.benches.contract import Bench, Setup
from axletree.model.benches.rig import FREE, loaded, planned, rig
from axletree.model.benches.subject import Subject
from axletree.model.plot import Plot

SPEED = 5.0  # m/s, over the ground
DURATION = 10.0  # s


def _setups(subject: Subject) -> list[Setup]:
    growth = 2.0 * SPEED / subject.radius / DURATION  # rad/s^2
    moves = {"track": f"{SPEED}*t", "lift": FREE, "axle": f"0.5*{growth!r}*t^2"}
    model = rig("slip-longitudinal", subject, moves)
    loaded(model, subject.load)
    plots = [
        Plot("Longitudinal force over slip", ("tyre.Fx",), "tyre.slip", "kN"),
        Plot("Longitudinal force over sliding speed", ("tyre.Fx",), "tyre.VEx", "kN"),
    ]
    planned(model, subject, DURATION, plots)
    title = f"From a locked wheel to twice the rate of rolling at {SPEED:g} m/s"
    return [Setup(title, model, slip=None)]


BENCH = Bench("longitudinal force over slip", _setups, needs_slip=True)
