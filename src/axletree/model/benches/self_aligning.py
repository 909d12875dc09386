"""Self-aligning torque: a wheel that is pushed aside, slow and fast."""

from __future__ import annotations

from axletree.model.benches.contract import Bench, Setup
from axletree.model.benches.rig import FREE, loaded, planned, rig
from axletree.model.benches.subject import Subject
from axletree.model.plot import Plot

SPEEDS = (2.0, 10.0)  # m/s
ASIDE = 5.0  # m/s, greatest to the side
DURATION = 5.0  # s


def _setups(subject: Subject) -> list[Setup]:
    return [_setup(subject, speed) for speed in SPEEDS]


def _setup(subject: Subject, speed: float) -> Setup:
    moves = {
        "track": f"{speed}*t",
        "cross": f"{ASIDE}/(0.4*pi)*(1 - cos(0.4*pi*t))",
        "lift": FREE,
        "axle": FREE,
    }
    model = rig("self-aligning", subject, moves)
    loaded(model, subject.load)
    plots = [
        Plot("Self-aligning moment over slip angle", ("tyre.Mz",), "tyre.slip_angle"),
        Plot("Self-aligning moment over lateral speed", ("tyre.Mz",), "tyre.VPy"),
    ]
    planned(model, subject, DURATION, plots)
    return Setup(f"Pushed aside by up to {ASIDE:g} m/s at {speed:g} m/s", model)


BENCH = Bench("moment about the normal over slip angle, slow and fast", _setups, needs_slip=True)
