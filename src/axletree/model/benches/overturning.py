"""Overturning: a slow wheel at one inclination after the other."""

from __future__ import annotations

from axletree.model.benches.contract import Bench, Setup
from axletree.model.benches.rig import FREE, leaning, loaded, planned, rig
from axletree.model.benches.subject import Subject
from axletree.model.plot import Plot

SPEED = 2.0  # m/s
STEEPEST = 30  # degrees


def _setups(subject: Subject) -> list[Setup]:
    moves = {"track": f"{SPEED}*t", "lift": FREE, "lean": 1.0, "axle": FREE}
    model = rig("overturning", subject, moves)
    loaded(model, subject.load)
    plots = [
        Plot("Overturning moment over inclination", ("tyre.Mx",), "tyre.inclination"),
        Plot("Moment about the normal over inclination", ("tyre.Mz",), "tyre.inclination"),
    ]
    planned(model, subject, 0.5, plots)
    title = f"Leaning by up to {STEEPEST} degrees at {SPEED:g} m/s"
    return [Setup(title, model, runs=leaning(STEEPEST, 3), steady=True)]


BENCH = Bench("overturning moment of a wheel that leans", _setups, needs_slip=True)
