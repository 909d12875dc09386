"""An anti-lock system: the share of a brake's torque follows the slip of its wheel.

The speed v of the vehicle is not measured. Each wheel i tells v_i = r_i w_i + y_i r, with the yaw
rate r and its place y_i to the left. It is that of the fastest wheel but one, so that a wheel in
the air or a sensor that fails does not raise it, but falls by no more than the longitudinal
acceleration allows, with a doubt d of it and a margin: wheels that slip do not pull it down,

    v+ = max(second fastest v_i, v + h ((1 + d) min(a_x, 0) - margin)).                          (1)

Where nothing decelerates it falls to that of the wheels, whatever a sensor has left behind. A yaw
rate beyond the range of its sensor is not believed.
With the slip s = (v - v_i) / max(v, v_low) of a wheel and the slip that is aimed for, S, its share
q of the driver's torque changes at a relative rate,

    q+ = q (1 + h g),  g = gain (1 - s / S), within -release and build,                          (2)

from a smallest share to 1: a share that is small, as on ice, changes little. The slip at which a
tyre gives most is less on slippery ground: curves of force over slip become lower and narrower
alike (Pacejka 2012, section 4.2). So S is in proportion to the friction m that deceleration and
lateral acceleration show while a share is below 1, by a lag; otherwise m is 1,

    S = slip m,  m = sqrt(a_x^2 + a_y^2) / g, from a least friction to 1.                        (3)

That is little on ice, beside errors of radii: what a wheel slips by that is all but let go, is such
an error, which is learnt by a lag and taken off its slip. Below ``low_speed`` the share goes back
to 1 and the wheel may lock. Wheels of axles behind the first go by the one of the two that slips
more ("select low"), so that they keep their side forces. In front no share is more than a lead
above that of the other side; the lead grows slowly while one of the two is below 1, so that on
split friction a driver has time to steer against the moment of the side that grips. A share
goes down and up less than 20 times a second. The law is derived here; it is no manufacturer's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from typing import ClassVar

from axletree.components.fields import parameter, positive
from axletree.controllers.channels import brake_shares, kept, measured_of_body, wheel_rates
from axletree.controllers.contract import (
    ControlledVehicle,
    ControlledWheel,
    Law,
    ReferenceController,
    known_vehicle,
    lagged,
    limited,
    proposed_interval,
    second_highest,
)
from axletree.expr import Expr, Value, absolute, maximum, minimum, sqrt, where
from axletree.expr.quantity import Quantity
from axletree.metrics.vehicle_signals import (
    LATERAL_ACCELERATION,
    LONGITUDINAL_ACCELERATION,
    YAW_RATE,
)
from axletree.model.model import STANDARD_GRAVITY

_SPEED, _FRICTION, _LEAD = "abs.speed", "abs.friction", "abs.allowed_lead"

_FREE, _MOST_ERROR = 2.0, 0.03  # times the smallest share; of a radius


@dataclass(frozen=True)
class AntiLockController(ReferenceController):
    """Slip control of every braked wheel, from wheel speeds and horizontal acceleration.

    Example:
    >>> import axletree as at
    >>> abs_ = at.AntiLockController.of(at.read_model("sedan").described["vehicle"])
    >>> [q.name for q in abs_.commanded][:2]
    ['front_left_modulator.share', 'front_right_modulator.share']
    """

    word: ClassVar[str] = "abs"
    summary: ClassVar[str] = "anti-lock system: slip control of every brake"
    controls: ClassVar[Mapping[str, bool]] = {"brakes": True, "anti_lock": False}
    rules: ClassVar[Mapping[str, str]] = {"share": "minimum"}

    interval: float = proposed_interval(0.005)
    slip: float = positive("1", "slip that is aimed for at friction 1", default=0.07, upper=1.0)
    least_friction: float = positive("1", "that is reckoned with", default=0.1, upper=1.0)
    lag: float = positive("s", "in which friction is found", default=0.2)
    doubt: float = parameter(
        "1",
        "of the measured deceleration, by which the speed may fall faster",
        default=0.1,
        lower=0.0,
    )
    gain: float = positive("1/s", "relative rate of the share at no slip", default=30.0)
    release: float = positive("1/s", "fastest relative rate down", default=60.0)
    build: float = positive("1/s", "fastest relative rate up", default=15.0)
    least: float = positive("1", "smallest share", default=0.01, upper=1.0)
    learns: float = positive("s", "in which the error of a radius is found", default=0.5)
    margin: float = positive("m/s^2", "by which the speed may fall faster than that", default=0.2)
    forgets: float = positive(
        "m/s^2", "by which the speed falls to that of wheels that are not braked", default=5.0
    )
    low_speed: float = positive("m/s", "below which wheels may lock", default=2.0)
    most_yaw_rate: float = positive("rad/s", "beyond which its sensor is not believed", default=4.0)
    reapply: float = positive("1/s", "rate of the share below that speed", default=5.0)
    lead: float = positive("1", "share in front beyond that of the other side", default=0.05)
    lead_rate: float = positive("1/s", "at which the lead grows", default=0.08)
    most_lead: float = positive("1", "to which the lead grows", default=0.3, upper=1.0)
    vehicle: ControlledVehicle = known_vehicle()

    def problems(self) -> list[str]:
        self.vehicle.need(self.word, braked=True)
        return []

    @property
    def measured(self) -> tuple[Quantity, ...]:
        along = measured_of_body(LONGITUDINAL_ACCELERATION, LATERAL_ACCELERATION, YAW_RATE)
        return (*wheel_rates(self.vehicle.wheels), *along)

    @property
    def commanded(self) -> tuple[Quantity, ...]:
        return brake_shares(self.vehicle.braked)

    @property
    def memory(self) -> tuple[Quantity, ...]:
        shares = (
            kept(_share(wheel), "1", f"share of the brake {wheel.name}", 1.0)
            for wheel in self.vehicle.braked
        )
        lead = kept(_LEAD, "1", "share in front beyond that of the other side", self.lead)
        errors = (
            kept(_error(wheel), "1", f"slip of the wheel {wheel.name} where it rolls")
            for wheel in self.vehicle.braked
        )
        friction = kept(_FRICTION, "1", "estimated friction", 1.0)
        return (kept(_SPEED, "m/s", "estimated speed"), friction, lead, *shares, *errors)

    def law(self, seen: Mapping[str, Expr], p: Mapping[str, Value]) -> Law:
        h, along = p["interval"], seen[LONGITUDINAL_ACCELERATION]
        yaw = where(absolute(seen[YAW_RATE]) < p["most_yaw_rate"], seen[YAW_RATE], 0.0)
        speeds = {w.name: w.radius * seen[w.rate] + w.y * yaw for w in self.vehicle.wheels}
        brakes = maximum(-along, 0.0)
        is_braked = brakes > p["margin"]
        slows = where(is_braked, brakes * (1.0 + p["doubt"]) + p["margin"], p["forgets"])
        falls = seen[_SPEED] - h * slows
        v = maximum(second_highest(list(speeds.values())), maximum(falls, 0.0))  # (1)
        across = seen[LATERAL_ACCELERATION]
        used = sqrt(brakes * brakes + across * across) / STANDARD_GRAVITY
        shown = where(is_braked, used, 1.0)
        gives = lagged(seen[_FRICTION], shown, p["lag"], h)
        friction = limited(gives, p["least_friction"], 1.0)
        aimed = p["slip"] * friction  # (3)
        apparent = {n: (v - rolls) / maximum(v, p["low_speed"]) for n, rolls in speeds.items()}
        slips = {w.name: apparent[w.name] - seen[_error(w)] for w in self.vehicle.braked}
        shares: dict[str, Value] = {}
        for wheel in self.vehicle.braked:
            q, s = seen[_share(wheel)], self._governing(wheel, slips)
            g = limited(p["gain"] * (1.0 - s / aimed), -p["release"], p["build"])
            moved = where(v > p["low_speed"], q * (1.0 + h * g), q + h * p["reapply"])
            shares[wheel.name] = limited(moved, p["least"], 1.0)  # (2)
        lead, shares = self._led(shares, seen[_LEAD], p)
        slipping = reduce(minimum, shares.values()) < 1.0
        return Law(
            commands={wheel.share: shares[wheel.name] for wheel in self.vehicle.braked},
            memory={
                _SPEED: v,
                _FRICTION: where(slipping, friction, 1.0),
                _LEAD: lead,
                **{_share(wheel): shares[wheel.name] for wheel in self.vehicle.braked},
                **{
                    _error(wheel): self._learnt(wheel, shares, apparent[wheel.name], seen, p)
                    for wheel in self.vehicle.braked
                },
            },
        )

    def _learnt(
        self, wheel: ControlledWheel, shares: Mapping[str, Value], slip: Value,
        seen: Mapping[str, Expr], p: Mapping[str, Value],
    ) -> Value:  # fmt: skip
        """What a wheel that is let go slips by is an error of its radius."""
        before = seen[_error(wheel)]
        rolls = limited(slip, -_MOST_ERROR, _MOST_ERROR)
        free = shares[wheel.name] <= _FREE * p["least"]
        return where(free, lagged(before, rolls, p["learns"], p["interval"]), before)

    def _led(
        self, shares: Mapping[str, Value], lead: Expr, p: Mapping[str, Value]
    ) -> tuple[Value, dict[str, Value]]:
        """The next lead, and shares with those in front no more than the lead apart."""
        front = [w.name for w in self.vehicle.braked if w.axle == self._first_axle]
        low = reduce(minimum, (shares[name] for name in front), 1.0)
        grown = minimum(lead + p["interval"] * p["lead_rate"], p["most_lead"])
        near = {name: minimum(shares[name], low + lead) for name in front}
        return where(low < 1.0, grown, p["lead"]), {**shares, **near}

    @property
    def _first_axle(self) -> str:
        return max(self.vehicle.wheels, key=lambda one: one.x).axle

    def _governing(self, wheel: ControlledWheel, slips: Mapping[str, Value]) -> Value:
        if wheel.axle == self._first_axle:
            return slips[wheel.name]
        return reduce(maximum, (slips[w.name] for w in self.vehicle.braked if w.axle == wheel.axle))


def _error(wheel: ControlledWheel) -> str:
    return f"abs.{wheel.name}_error"


def _share(wheel: ControlledWheel) -> str:
    return f"abs.{wheel.name}_share"
