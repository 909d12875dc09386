"""Stability control: brakes of single wheels turn the vehicle as its driver wants.

1. The driver wants the yaw rate of steady turns of the linear single-track model, with the angle d
   of the wheels, the wheelbase L and the understeer K,

       r_d = v d / (L + K v^2),                                                                  (1)

   as far as the road can give it: no more than the lateral acceleration that is measured and a
   reserve, and than 85 % of the friction that is assumed (Rajamani 2012, chapter 8, bounds the
   desired yaw rate by 0.85 mu g / v), behind a lag.
2. Sideslip is estimated from b' = a_y / v - r, forgotten with a time constant, for no sensor gives
   it (van Zanten 2000 describes its role).
3. The moment about the vertical is J (k_b b - k_r (r - r_d)), each beyond a dead band. With y to
   the left and b positive where the vehicle slides to the left of its heading, a moment to the
   left, which is positive, turns it into its path.
4. A moment against the turn (oversteer) is that of the outer front brake, one into the turn
   (understeer) that of the inner rear brake: torque = moment times radius over half the track.

A yaw rate beyond the range of its sensor is not believed, and nothing braked for; one that is
stuck within it brakes, up to the greatest torque. No brake comes on more than three times a second.
The law with its numbers is derived here; it is no manufacturer's. The throttle is the driver's;
wheels are kept from locking by an anti-lock system beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from axletree.components.fields import parameter, positive
from axletree.controllers.channels import brake_torques, kept, measured_of_body, wheel_rates
from axletree.controllers.contract import (
    ControlledVehicle,
    ControlledWheel,
    Law,
    ReferenceController,
    beyond,
    known_vehicle,
    lagged,
    limited,
    proposed_interval,
    rolling_speed,
)
from axletree.expr import Expr, Value, absolute, maximum, minimum, where
from axletree.expr.quantity import Quantity
from axletree.metrics.vehicle_signals import LATERAL_ACCELERATION, STEERING, YAW_RATE
from axletree.model.model import STANDARD_GRAVITY

_REFERENCE, _SIDESLIP = "esc.reference", "esc.sideslip"
_MOST_SIDESLIP = 0.35  # rad, that is estimated: what a sensor that fails leaves behind


@dataclass(frozen=True)
class StabilityController(ReferenceController):
    """Yaw rate and sideslip by differential braking, from what sensors of a car give.

    Example:
    >>> import axletree as at
    >>> esc = at.StabilityController.of(at.read_model("sedan").described["vehicle"])
    >>> [q.name for q in esc.memory]
    ['esc.reference', 'esc.sideslip']
    """

    word: ClassVar[str] = "esc"
    summary: ClassVar[str] = "stability control: yaw rate and sideslip by single brakes"
    controls: ClassVar[Mapping[str, bool]] = {"brakes": True}
    rules: ClassVar[Mapping[str, str]] = {"torque": "maximum"}

    interval: float = proposed_interval(0.01)
    friction: float = positive("1", "friction that is assumed of the road", default=1.0)
    reserve: float = positive("m/s^2", "lateral acceleration beyond what is measured", default=2.0)
    lag: float = positive("s", "of the yaw rate that is wanted", default=0.1)
    yaw_gain: float = positive("1/s", "yaw acceleration by error of the yaw rate", default=12.0)
    yaw_band: float = parameter(
        "rad/s", "error of the yaw rate that is let be", default=0.05, lower=0.0
    )
    slip_gain: float = positive("1/s^2", "yaw acceleration by sideslip", default=30.0)
    slip_band: float = parameter("rad", "sideslip that is let be", default=0.07, lower=0.0)
    forget: float = positive("s", "in which the estimated sideslip is forgotten", default=3.0)
    understeer_share: float = parameter(
        "1", "share of a moment into the turn that is braked for", default=0.4, lower=0.0, upper=1.0
    )
    most_torque: float = positive("N*m", "that is asked of a brake", default=3000.0)
    low_speed: float = positive("m/s", "below which it does nothing", default=5.0)
    most_yaw_rate: float = positive("rad/s", "beyond which its sensor is not believed", default=4.0)
    vehicle: ControlledVehicle = known_vehicle()

    def problems(self) -> list[str]:
        self.vehicle.need(self.word, braked=True, steered=True)
        if self.interval >= self.forget:
            return [
                f"forget is {self.forget:g} s; expected more than the interval, {self.interval:g} s"
            ]
        return []

    @property
    def measured(self) -> tuple[Quantity, ...]:
        return (
            *measured_of_body(STEERING, YAW_RATE, LATERAL_ACCELERATION),
            *wheel_rates(self.vehicle.wheels),
        )

    @property
    def commanded(self) -> tuple[Quantity, ...]:
        return brake_torques(self.vehicle.braked)

    @property
    def memory(self) -> tuple[Quantity, ...]:
        return (
            kept(_REFERENCE, "rad/s", "yaw rate that the driver wants"),
            kept(_SIDESLIP, "rad", "estimated sideslip"),
        )

    def law(self, seen: Mapping[str, Expr], p: Mapping[str, Value]) -> Law:
        h, r = p["interval"], seen[YAW_RATE]
        speed = rolling_speed(self.vehicle.wheels, seen)
        v = maximum(speed, p["low_speed"])
        wanted = lagged(seen[_REFERENCE], self._wanted(seen, p, v), p["lag"], h)
        drift = seen[_SIDESLIP] + h * (seen[LATERAL_ACCELERATION] / v - r)
        forgotten = limited(drift * (1.0 - h / p["forget"]), -_MOST_SIDESLIP, _MOST_SIDESLIP)
        believed = where(absolute(r) < p["most_yaw_rate"], speed, 0.0) > p["low_speed"]
        sideslip = where(believed, forgotten, 0.0)
        turning = p["slip_gain"] * beyond(sideslip, p["slip_band"])
        turning = turning - p["yaw_gain"] * beyond(r - wanted, p["yaw_band"])
        moment = where(believed, self.vehicle.yaw_inertia * turning, 0.0)
        return Law(
            commands={w.torque: self._torque(w, moment, r, p) for w in self.vehicle.braked},
            memory={_REFERENCE: wanted, _SIDESLIP: sideslip},
        )

    def _wanted(self, seen: Mapping[str, Expr], p: Mapping[str, Value], v: Value) -> Value:
        own = self.vehicle
        linear = own.steady_yaw_rate(v, seen[STEERING], own.understeer)  # (1)
        grips = 0.85 * p["friction"] * STANDARD_GRAVITY
        most = minimum(absolute(seen[LATERAL_ACCELERATION]) + p["reserve"], grips) / v
        return limited(linear, -most, most)

    def _torque(
        self, wheel: ControlledWheel, moment: Value, r: Expr, p: Mapping[str, Value]
    ) -> Value:
        """Of one brake [N m]: the side of the moment, front against the turn, rear into it."""
        first = max(one.x for one in self.vehicle.wheels)
        side = maximum(moment if wheel.y > 0.0 else -moment, 0.0)
        against, into = (1.0, 0.0) if wheel.x == first else (0.0, p["understeer_share"])
        share = where(moment * r < 0.0, against, into)
        return minimum(share * side * (wheel.radius / abs(wheel.y)), p["most_torque"])
