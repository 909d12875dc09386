"""Load influence: a wheel at a constant slip angle, pressed down more and more."""

from __future__ import annotations

import math

from axletree.model.benches.contract import Bench, Setup
from axletree.model.benches.rig import FREE, loaded, planned, rig
from axletree.model.benches.subject import Subject
from axletree.model.plot import Plot

SPEED = 10.0  # m/s
ANGLE = math.radians(10.0)
DURATION = 10.0  # s


def _setups(subject: Subject) -> list[Setup]:
    moves = {"track": f"{SPEED}*t", "lift": FREE, "yaw": f"{ANGLE!r} + 0*t", "axle": FREE}
    model = rig("load-influence", subject, moves)
    greatest = subject.load / 0.3  # 10 kN for a tyre of 3 kN
    loaded(model, f"{greatest / DURATION!r}*t")
    plots = [
        Plot("Lateral force over load", ("tyre.Fy",), "tyre.Fz", "kN"),
        Plot("Moment about the normal over load", ("tyre.Mz",), "tyre.Fz"),
    ]
    planned(model, subject, DURATION, plots)
    title = f"Loaded up to {greatest / 1e3:.3g} kN at {math.degrees(ANGLE):.0f} degrees of slip"
    return [Setup(title, model)]


BENCH = Bench("lateral force over load", _setups, needs_slip=True)
