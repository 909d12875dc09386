"""Camber: a rolling wheel at one inclination after the other."""

from __future__ import annotations

from axletree.model.benches.contract import Bench, Setup
from axletree.model.benches.rig import FREE, leaning, loaded, planned, rig
from axletree.model.benches.subject import Subject
from axletree.model.plot import Plot

SPEED = 5.0  # m/s
LOAD = 1000.0  # N
STEEPEST = 60  # degrees; a wheel on its side has no contact point


def _setups(subject: Subject) -> list[Setup]:
    runs = leaning(STEEPEST, 5)
    moves = {"track": f"{SPEED}*t", "lift": FREE, "lean": 1.0, "axle": FREE}
    model = rig("camber-force", subject, moves)
    loaded(model, LOAD)
    plots = [
        Plot("Lateral force over inclination", ("tyre.Fy",), "tyre.inclination"),
        Plot("Moment about the normal over inclination", ("tyre.Mz",), "tyre.inclination"),
        Plot("Rate of the axle over inclination", ("axle.rate",), "tyre.inclination"),
        Plot("Height of the hub over inclination", ("lift.position",), "tyre.inclination", "mm"),
    ]
    planned(model, subject, 0.5, plots)
    title = f"Leaning by up to {STEEPEST} degrees at {SPEED:g} m/s"
    return [Setup(title, model, runs=runs, steady=True)]


BENCH = Bench("lateral force of a wheel that leans", _setups, needs_slip=True)
