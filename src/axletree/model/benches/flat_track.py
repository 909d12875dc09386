"""The flat-track rig: sweeps of slip at several loads, cambers and pressures."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from axletree.model.benches.contract import Bench, Carpet, Setup
from axletree.model.benches.rig import FREE, loaded, planned, rig
from axletree.model.benches.subject import Subject
from axletree.model.model import Model
from axletree.model.plot import Plot

SPEED = 15.0  # m/s, of the belt
DURATION = 6.0  # s
LARGEST_ANGLE = math.radians(15.0)
LARGEST_SLIP = 0.5
SHARES = (0.25, 0.5, 1.0, 1.5)  # of the load that the tyre is for
CAMBERS = tuple(math.radians(x) for x in (-6.0, -3.0, 0.0, 3.0, 6.0))
PRESSURES = (0.8, 1.0, 1.2)  # of the law's own
WEIGHT = 15.0 * 9.80665  # N, of the rig's own parts, which the load comes on top of

_SIDE = (
    Plot("Lateral force", ("tyre.Fy",), "tyre.slip_angle", "kN"),
    Plot("Self-aligning moment", ("tyre.Mz",), "tyre.slip_angle"),
)
_DRIVE = (Plot("Longitudinal force", ("tyre.Fx",), "tyre.slip", "kN"),)


def _setups(subject: Subject) -> list[Setup]:
    loads = {f"{share * subject.load / 1e3:.3g} kN": share * subject.load for share in SHARES}
    by_load = {name: {"load.force": min(WEIGHT - load, -1.0)} for name, load in loads.items()}
    found = [
        Setup("Side slip at several loads", _side(subject), runs=by_load,
              carpet=_carpet("tyre.slip_angle", "tyre.Fy", loads)),
        Setup("Drive and brake slip at several loads", _drive(subject), slip=None, runs=by_load,
              carpet=_carpet("tyre.slip", "tyre.Fx", loads)),
        Setup("Side slip at several inclinations", _side(subject, leans=True),
              runs={f"{math.degrees(a):.0f} deg": {"lean_drive.angle": a} for a in CAMBERS}),
    ]  # fmt: skip
    return [*found, *_at_pressures(subject)]


def _at_pressures(subject: Subject) -> list[Setup]:
    if not subject.knows_pressure:
        return []
    own = subject.pressure
    runs = {
        f"{share * own / 1e5:.3g} bar": {"tyre.inflation_pressure": share * own}
        for share in PRESSURES
    }
    model = _side(subject, inflation_pressure=own)
    return [Setup("Side slip at several pressures", model, runs=runs)]


def _side(subject: Subject, leans: bool = False, **fields: float) -> Model:
    """A free wheel that is steered from one side to the other."""
    angle = f"{LARGEST_ANGLE!r}*(2*t/{DURATION} - 1)"
    moves: dict[str, Any] = {"track": f"{SPEED}*t", "lift": FREE, "yaw": angle}
    # A parameter that is 0 is none: the inclination starts at some other value.
    moves |= {"lean": CAMBERS[0]} if leans else {}
    model = rig("flat-track", subject, {**moves, "axle": FREE}, **fields)
    return _planned(model, subject, _SIDE)


def _drive(subject: Subject) -> Model:
    """A wheel that is turned from brake slip to drive slip."""
    rate = SPEED / subject.radius
    angle = f"{rate!r}*(t + {LARGEST_SLIP}*(t^2/{DURATION} - t))"
    model = rig("flat-track", subject, {"track": f"{SPEED}*t", "lift": FREE, "axle": angle})
    return _planned(model, subject, _DRIVE)


def _planned(model: Model, subject: Subject, plots: tuple[Plot, ...]) -> Model:
    loaded(model, max(subject.load - WEIGHT, 1.0))
    planned(model, subject, DURATION, plots)
    return model


def _carpet(x: str, y: str, levels: Mapping[str, float]) -> Carpet:
    return Carpet(x, y, levels, "normal load", "N")


BENCH = Bench("carpet plots: sweeps of slip, load, camber, pressure", _setups, needs_slip=True)
