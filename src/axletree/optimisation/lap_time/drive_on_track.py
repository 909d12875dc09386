"""Brakes and gears of a car as a solver takes them: without rest, and without steps.

1. A brake is its torque against a wheel that turns forwards, with the anti-lock limit that it
   has: a wheel that its brake holds is a corner that no solver passes.
2. An engine with gears becomes the torque that the axle has of it over the speed of its wheels,
   with the throttle open and closed. With the best gear at each speed this is the envelope of all
   gears, continuous and with gentle slopes; with the gears as the car's own box takes them, with
   the pedal down and released, it falls at each change. The parameter ``best_gear`` of the source
   goes from the one, 1, to the other, 0, so that a lap with the envelope is the start of one with
   gears that change.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Final

import numpy as np

from axletree.components.axle_drives import AxleDrive
from axletree.components.brakes import FrictionBrake, SelectLowBrake, SlipLimitedBrake
from axletree.components.contract import Component, Instant, Response
from axletree.components.engines import CombustionEngine, torque_at
from axletree.components.fields import parameter
from axletree.components.power_sources import PowerSource
from axletree.components.signals import Constant, Curve, Interpolation, curve
from axletree.core.arrays import FloatArray
from axletree.expr import Expr, evaluate, number, symbol
from axletree.model.model import Model

BEST_GEAR: Final = "best_gear"
_SPEEDS: Final = 121  # of wheels, at which torques are known
_BEYOND: Final = 1.05  # of the fastest speed that there is fuel at
_SLOWEST: Final = 2.0  # rad/s, of wheels


def as_on_track(model: Model) -> Model:
    """The model with sliding brakes, and with torques over the speed of wheels in place of gears.

    Example:
    >>> import axletree as at
    >>> from axletree.optimisation.lap_time.drive_on_track import as_on_track
    >>> drive = as_on_track(at.read_model("sedan"))["rear_drive"]
    >>> drive.gears, f"{drive.source.full_load.y[0]:.0f} N m"  # 4.1 * 3.2 * 0.92 * 200 N m
    ((1.0,), '2414 N m')
    """
    return model.exchanged(_on_track)


def _on_track(one: Component) -> Component:
    for kind, slides in _SLIDING.items():
        if type(one) is kind:
            given = {f.name: getattr(one, f.name) for f in fields(one)}
            exchanged: Component = slides(**{**given, "stiffness": None})
            return exchanged
    if isinstance(one, AxleDrive) and isinstance(one.source, CombustionEngine):
        return replace(
            one, source=wheel_torques(one), gears=(1.0,), shift_rate=0.0, cruise_rate=None,
            shift_time=None, selected=Constant(0.0), reverse=None, backward=Constant(0.0),
            final_drive=1.0, share=1.0, efficiency=1.0,
        )  # fmt: skip
    return one


class _Slides(Component):
    """Dry friction at its lower bound, whatever the rate."""

    def respond(self, now: Instant) -> Response:
        found = super().respond(now)
        (friction,) = found.set_valued
        assert friction.lower is not None  # that of dry friction
        return replace(found, set_valued=(replace(friction, smooth=friction.lower),))


@dataclass(frozen=True, eq=False)
class _SlidingBrake(_Slides, FrictionBrake):
    summary: ClassVar[str] = "a brake of a wheel that turns forwards"


@dataclass(frozen=True, eq=False)
class _SlidingLimitedBrake(_Slides, SlipLimitedBrake):
    summary: ClassVar[str] = "likewise, with an anti-lock limit"


@dataclass(frozen=True, eq=False, kw_only=True)
class _SlidingSelectLowBrake(_Slides, SelectLowBrake):
    summary: ClassVar[str] = "likewise, by the larger slip of two wheels"


_SLIDING: Final[dict[type[Component], Callable[..., Component]]] = {
    FrictionBrake: _SlidingBrake,
    SlipLimitedBrake: _SlidingLimitedBrake,
    SelectLowBrake: _SlidingSelectLowBrake,
}


@dataclass(frozen=True)
class WheelTorques(PowerSource):
    """Of an engine behind its gears, on the axle: ``s full - (1 - s) drag`` with a pedal s.

    Example:
    >>> import axletree as at
    >>> from axletree.optimisation.lap_time.drive_on_track import wheel_torques
    >>> torques = wheel_torques(at.read_model("sedan")["rear_drive"])
    >>> [round(float(torques.torque(s, 20.0, torques.numbers))) for s in (0.0, 1.0)]  # N m
    [-343, 3621]
    """

    summary: ClassVar[str] = "torque of an engine behind its gears, over the speed of wheels"

    full_load: Curve = curve("rad/s", "N*m", "torque with the best gear and an open throttle")
    drag: Curve = curve("rad/s", "N*m", "against the turning, without fuel, likewise")
    own_full_load: Curve = curve("rad/s", "N*m", "with the gears that the car takes by itself")
    own_drag: Curve = curve("rad/s", "N*m", "likewise")
    best_gear: float = parameter("1", "1 with the best gear, 0 with its own", default=1.0)

    def torque(self, throttle: Expr, speed: Expr, p: Any) -> Expr:
        best, fuel = p[BEST_GEAR], throttle
        full = best * torque_at(self.full_load, speed) + (1.0 - best) * torque_at(
            self.own_full_load, speed
        )
        drag = best * torque_at(self.drag, speed) + (1.0 - best) * torque_at(self.own_drag, speed)
        found: Expr = fuel * full - (1.0 - fuel) * drag
        return found


def wheel_torques(drive: AxleDrive) -> WheelTorques:
    """Of a drive with an engine."""
    engine = drive.source
    assert isinstance(engine, CombustionEngine)
    fastest = _BEYOND * engine.cut_off / (drive.gears[-1] * drive.final_drive)
    speeds = np.geomspace(_SLOWEST, fastest, _SPEEDS)
    each = np.array(drive.gears)[:, None]
    pulls = _at_wheels(drive, each, speeds, 1.0)
    chosen = np.argmax(pulls, axis=0)
    best = np.array(drive.gears)[chosen]

    def over(gears: FloatArray, throttle: float) -> Curve:
        values = _at_wheels(drive, gears, speeds, throttle)
        sign = 1.0 if throttle else -1.0
        points = (float(sign * value) for value in values)
        return Curve(tuple(speeds.tolist()), tuple(points), Interpolation.SMOOTH)

    own = {throttle: over(_own_gears(drive, speeds, throttle), throttle) for throttle in (1.0, 0.0)}
    return WheelTorques(over(best, 1.0), over(best, 0.0), own[1.0], own[0.0])


def _own_gears(drive: AxleDrive, speeds: FloatArray, throttle: float) -> FloatArray:
    """The ratios by the box of the car."""
    wheels = symbol("wheels.rate")
    pedalled = replace(drive, throttle=Constant(throttle), shift_time=None, selected=Constant(0.0))
    used = pedalled.gear_at(wheels)
    values: dict[Expr, Any] = {q.symbol: q.default for q in pedalled.parameters()}
    values[wheels] = speeds
    (found,) = evaluate([used], values)
    return np.broadcast_to(np.asarray(found, dtype=float), speeds.shape)


def _at_wheels(
    drive: AxleDrive, gears: FloatArray, speeds: FloatArray, throttle: float
) -> FloatArray:
    """The torque on the axle [N m]; of torque that drives, what gears leave."""
    turns = gears * drive.final_drive
    shaft = symbol("shaft.speed")
    (torque,) = evaluate(
        [drive.source.torque(number(throttle), shaft, drive.source.numbers)],
        {shaft: turns * speeds},
    )
    behind = np.where(torque > 0.0, drive.efficiency * torque, torque)
    return np.asarray(drive.share * turns * behind)
