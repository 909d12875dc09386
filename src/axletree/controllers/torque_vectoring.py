"""Torque vectoring: motors of single wheels turn the vehicle as its driver wants.

The yaw rate that is wanted, r_d, is that of steady turns of a single-track model with the
understeer that is asked for, within the friction that is assumed (the equation of stability
control), behind a lag. The moment J k (r_d - r) is shared by the wheels in proportion: left wheels
push back and right ones forward by M R / (n t), with n axles and the track t, within the greatest
torque. So both add up to no drive and no braking. The law is derived here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from axletree.components.fields import parameter, positive
from axletree.controllers.channels import command, kept, measured_of_body, wheel_rates
from axletree.controllers.contract import (
    ControlledVehicle,
    Law,
    ReferenceController,
    known_vehicle,
    lagged,
    limited,
    proposed_interval,
    rolling_speed,
)
from axletree.expr import Expr, Value, absolute, maximum, where
from axletree.expr.quantity import Quantity
from axletree.metrics.vehicle_signals import STEERING, YAW_RATE
from axletree.model.model import STANDARD_GRAVITY

_REFERENCE = "torque-vectoring.reference"


@dataclass(frozen=True)
class TorqueVectoringController(ReferenceController):
    """A yaw moment by motors at all wheels, which changes how much the vehicle understeers.

    Example:
    >>> import axletree as at
    >>> vectoring = at.TorqueVectoringController.of(at.read_model("sedan").described["vehicle"])
    >>> [q.name for q in vectoring.commanded][0]
    'front_left_motor.torque'
    """

    word: ClassVar[str] = "torque-vectoring"
    summary: ClassVar[str] = "torque vectoring: a yaw moment by motors at the wheels"
    controls: ClassVar[Mapping[str, bool]] = {"motors": True}
    rules: ClassVar[Mapping[str, str]] = {"torque": "sum"}

    interval: float = proposed_interval(0.005)
    understeer: float = parameter("rad*s^2/m", "that is asked for", default=0.0)
    friction: float = positive("1", "friction that is assumed of the road", default=0.8)
    lag: float = positive("s", "of the yaw rate that is wanted", default=0.1)
    gain: float = positive("1/s", "yaw acceleration by error of the yaw rate", default=8.0)
    most_torque: float = positive("N*m", "of each motor", default=500.0)
    low_speed: float = positive("m/s", "below which it does nothing", default=3.0)
    most_yaw_rate: float = positive("rad/s", "beyond which its sensor is not believed", default=4.0)
    vehicle: ControlledVehicle = known_vehicle()

    def problems(self) -> list[str]:
        self.vehicle.need(self.word, steered=True)
        return []

    @property
    def measured(self) -> tuple[Quantity, ...]:
        return (*measured_of_body(STEERING, YAW_RATE), *wheel_rates(self.vehicle.wheels))

    @property
    def commanded(self) -> tuple[Quantity, ...]:
        return tuple(
            command(wheel.motor, "N*m", f"torque of the motor {wheel.name}")
            for wheel in self.vehicle.wheels
        )

    @property
    def memory(self) -> tuple[Quantity, ...]:
        return (kept(_REFERENCE, "rad/s", "yaw rate that the driver wants"),)

    def law(self, seen: Mapping[str, Expr], p: Mapping[str, Value]) -> Law:
        own, h, wheels = self.vehicle, p["interval"], self.vehicle.wheels
        speed = rolling_speed(wheels, seen)
        v = maximum(speed, p["low_speed"])
        stiffer = maximum(own.wheelbase + p["understeer"] * v * v, 0.5 * own.wheelbase)
        most = p["friction"] * STANDARD_GRAVITY / v
        aimed = limited(v * seen[STEERING] / own.ratio / stiffer, -most, most)
        wanted = lagged(seen[_REFERENCE], aimed, p["lag"], h)
        moment = own.yaw_inertia * p["gain"] * (wanted - seen[YAW_RATE])
        acts = where(absolute(seen[YAW_RATE]) < p["most_yaw_rate"], speed, 0.0) > p["low_speed"]
        commands = {}
        for wheel in wheels:
            push = -moment * wheel.radius / (len(wheels) * wheel.y)
            torque = limited(push, -p["most_torque"], p["most_torque"])
            commands[wheel.motor] = where(acts, torque, 0.0)
        return Law(commands, {_REFERENCE: wanted})
