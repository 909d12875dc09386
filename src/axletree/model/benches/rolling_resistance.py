"""Rolling resistance: a free wheel from full speed back to full speed ahead."""

from __future__ import annotations

from axletree.model.benches.contract import Bench, Setup
from axletree.model.benches.rig import FREE, loaded, planned, rig
from axletree.model.benches.subject import Subject
from axletree.model.plot import Plot

FASTEST = 30.0  # m/s
DURATION = 10.0  # s


def _setups(subject: Subject) -> list[Setup]:
    moves = {"track": f"{FASTEST}*(t^2/{DURATION} - t)", "lift": FREE, "axle": FREE}
    model = rig("rolling-resistance", subject, moves)
    loaded(model, subject.load)
    plots = [
        Plot("Rolling resistance moment", ("tyre.My",), "tyre.VCx"),
        Plot("Rate of the axle", ("axle.rate",), "tyre.VCx"),
    ]
    planned(model, subject, DURATION, plots)
    return [Setup(f"A free wheel from -{FASTEST:g} m/s to {FASTEST:g} m/s", model)]


BENCH = Bench("rolling resistance over speed, in both directions", _setups)
