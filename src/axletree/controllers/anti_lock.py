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
goes down and up less than 20 times a second.

What has the share is a modulator, or, in a vehicle with ``brake_lines``, the calliper: inlet and
outlet valves bring it to this share of the pressure of the master cylinder, as far as they can
within an interval (``brake_valves``); sensors tell both pressures. A share that valves have not
come to is not built on: it goes on from where the pressure is. As they take time, slip is foreseen
by its rate. It then hardly swings, so that no wheel comes back to the speed of the vehicle, and
the measured deceleration is doubted less. Return pumps run while a brake is held back, and for a
while after. The law is derived here; it is no manufacturer's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from typing import ClassVar, Self

from axletree.components.fields import parameter, positive
from axletree.controllers.brake_valves import BrakeValves
from axletree.controllers.channels import (
    MASTER_PRESSURE,
    RETURN_PUMPS,
    brake_shares,
    brake_valves,
    calliper_pressures,
    kept,
    master_pressure,
    measured_of_body,
    return_pumps,
    wheel_rates,
)
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
from axletree.vehicles.vehicle import Vehicle

_SPEED, _FRICTION, _LEAD = "abs.speed", "abs.friction", "abs.allowed_lead"
_PUMPING = "abs.pumping"

_BY_VALVES = {"doubt": 0.03, "margin": 0.1}  # 1, m/s^2
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
    low_pressure: float = parameter(
        "Pa", "of accumulators of brake lines, as it is reckoned with", default=5e4, lower=0.0
    )
    applied: float = positive("Pa", "pressure from which on brakes are applied", default=2e5)
    foresees: float = parameter(
        "s", "by which slip is foreseen, as valves take time", default=0.02, lower=0.0
    )
    pumps_on: float = positive("s", "for which return pumps run on", default=1.0)
    vehicle: ControlledVehicle = known_vehicle()

    @classmethod
    def of(cls, vehicle: Vehicle, **numbers: float | str) -> Self:
        own = {} if vehicle.brake_lines is None else _BY_VALVES
        return super().of(vehicle, **{**own, **numbers})

    @classmethod
    def needs(cls, vehicle: Vehicle) -> Mapping[str, bool]:
        by_valves = vehicle.brake_lines is not None
        return {"anti_lock": False} if by_valves else cls.controls

    def problems(self) -> list[str]:
        self.vehicle.need(self.word, braked=True)
        return []

    @property
    def measured(self) -> tuple[Quantity, ...]:
        along = measured_of_body(LONGITUDINAL_ACCELERATION, LATERAL_ACCELERATION, YAW_RATE)
        seen = (*wheel_rates(self.vehicle.wheels), *along)
        if self.vehicle.lines is None:
            return seen
        return (*seen, *master_pressure(), *calliper_pressures(self.vehicle.braked))

    @property
    def commanded(self) -> tuple[Quantity, ...]:
        if self.vehicle.lines is None:
            return brake_shares(self.vehicle.braked)
        return (*brake_valves(self.vehicle.braked), *return_pumps())

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
        found = (kept(_SPEED, "m/s", "estimated speed"), friction, lead, *shares, *errors)
        if self.vehicle.lines is None:
            return found
        slips = (
            kept(_slip(wheel), "1", f"slip that governs the brake {wheel.name}")
            for wheel in self.vehicle.braked
        )
        return (*found, kept(_PUMPING, "s", "for which return pumps run on"), *slips)

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
            s = self._foreseen(wheel, self._governing(wheel, slips), seen, p)
            g = limited(p["gain"] * (1.0 - s / aimed), -p["release"], p["build"])
            q = self._share_before(wheel, g, seen, p)
            moved = where(v > p["low_speed"], q * (1.0 + h * g), q + h * p["reapply"])
            shares[wheel.name] = limited(moved, p["least"], 1.0)  # (2)
        lead, shares = self._led(shares, seen[_LEAD], p)
        slipping = reduce(minimum, shares.values()) < 1.0
        actuated = self._actuated(shares, slipping, seen, p)
        governing = (
            {}
            if self.vehicle.lines is None
            else {_slip(w): self._governing(w, slips) for w in self.vehicle.braked}
        )
        return Law(
            commands=actuated.commands,
            memory={
                **actuated.memory,
                **governing,
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

    def _foreseen(
        self, wheel: ControlledWheel, slip: Value, seen: Mapping[str, Expr], p: Mapping[str, Value]
    ) -> Value:
        """Slip by the time that valves have moved the pressure."""
        if self.vehicle.lines is None:
            return slip
        return slip + p["foresees"] / p["interval"] * (slip - seen[_slip(wheel)])

    def _share_before(
        self, wheel: ControlledWheel, g: Value, seen: Mapping[str, Expr], p: Mapping[str, Value]
    ) -> Value:
        """That goes on from: of valves what they have come to, where they are behind."""
        q = seen[_share(wheel)]
        if self.vehicle.lines is None:
            return q
        master = seen[MASTER_PRESSURE]
        come_to = limited(seen[wheel.pressure] / maximum(master, p["applied"]), p["least"], 1.0)
        behind = where(g < 0.0, minimum(q, come_to), maximum(q, come_to))
        return where(master > p["applied"], behind, q)

    def _actuated(
        self, shares: Mapping[str, Value], slipping: Value, seen: Mapping[str, Expr],
        p: Mapping[str, Value],
    ) -> Law:  # fmt: skip
        """What modulators or valves are commanded, and what of these is kept."""
        lines = self.vehicle.lines
        if lines is None:
            return Law({wheel.share: shares[wheel.name] for wheel in self.vehicle.braked}, {})
        valves, master = BrakeValves.of(lines), seen[MASTER_PRESSURE]
        low, h = p["low_pressure"], p["interval"]
        runs = where(slipping, p["pumps_on"], maximum(seen[_PUMPING] - h, 0.0))
        commands: dict[str, Value] = dict.fromkeys(RETURN_PUMPS, where(runs > 0.0, 1.0, 0.0))
        for wheel in self.vehicle.braked:
            q = shares[wheel.name]
            inlet, outlet = valves.openings(seen[wheel.pressure], q * master, master, low, h)
            commands[wheel.inlet] = where(q < 1.0, inlet, 1.0)
            commands[wheel.outlet] = where(q < 1.0, outlet, 0.0)
        return Law(commands, {_PUMPING: runs})

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


def _slip(wheel: ControlledWheel) -> str:
    return f"abs.{wheel.name}_slip"


def _share(wheel: ControlledWheel) -> str:
    return f"abs.{wheel.name}_share"
