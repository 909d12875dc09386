"""Bore torque: a standing wheel that is turned about the normal."""

from __future__ import annotations

from axletree.model.benches.contract import Bench, Setup
from axletree.model.benches.rig import FREE, loaded, planned, rig
from axletree.model.benches.subject import Subject
from axletree.model.plot import Plot

FASTEST = 40.0  # rad/s
DURATION = 5.0  # s


def _setups(subject: Subject) -> list[Setup]:
    # The rate is FASTEST sin(0.4 pi t): to the left, then to the right.
    moves = {"lift": FREE, "yaw": f"{FASTEST}/(0.4*pi)*(1 - cos(0.4*pi*t))", "axle": FREE}
    model = rig("bore-torque", subject, moves)
    loaded(model, subject.load)
    plots = [
        Plot("Moment about the normal", ("tyre.Mz",)),
        Plot("Angle by which it is turned", ("yaw_drive.angle",), unit="deg"),
    ]
    planned(model, subject, DURATION, plots)
    return [Setup(f"Turned on the spot at up to {FASTEST:g} rad/s", model)]


BENCH = Bench("moment about the normal of a wheel that is turned", _setups)
