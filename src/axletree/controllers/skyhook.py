"""Skyhook: dampers whose coefficients follow the speeds of body and wheels.

A damper between body and sky would have the force -C v of the vertical speed v of the body. One
between body and wheel, which come closer at the rate u, can have the part of it that it would damp
(Karnopp, Crosby and Harwood 1974):

    c = limited(-C v / u), from nothing to a greatest coefficient, where v u < 0, else 0.       (1)

With u up of the wheel in the body, its force on the body is c u, upward if positive. The speed of
the body over each wheel is that of its centre with what pitch and roll add.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from axletree.components.fields import positive
from axletree.controllers.channels import (
    PITCH_RATE,
    ROLL_RATE,
    command,
    measured_of_body,
    suspension_speeds,
)
from axletree.controllers.contract import (
    ControlledVehicle,
    Law,
    ReferenceController,
    known_vehicle,
    limited,
    proposed_interval,
)
from axletree.expr import Expr, Value, absolute, maximum, sign, where
from axletree.expr.quantity import Quantity
from axletree.metrics.vehicle_signals import VERTICAL_SPEED

_LEAST_RATE = 1e-3  # m/s, below which a coefficient is as at this rate
_BODY = (VERTICAL_SPEED, ROLL_RATE, PITCH_RATE)


@dataclass(frozen=True)
class SkyhookController(ReferenceController):
    """Semi-active dampers beside those of the vehicle, which never push.

    Example:
    >>> import axletree as at
    >>> sky = at.SkyhookController.of(at.read_model("sedan").described["vehicle"])
    >>> [q.name for q in sky.commanded][0]
    'front_left_actuator.damping'
    """

    word: ClassVar[str] = "skyhook"
    summary: ClassVar[str] = "skyhook: semi-active dampers by the speed of the body"
    controls: ClassVar[Mapping[str, bool]] = {"suspension": True}

    interval: float = proposed_interval(0.005)
    sky: float = positive("N*s/m", "coefficient of a damper to the sky, at each wheel", default=1e3)
    most: float = positive("N*s/m", "greatest coefficient", default=4e3)
    vehicle: ControlledVehicle = known_vehicle()

    def problems(self) -> list[str]:
        self.vehicle.need(self.word)
        return []

    @property
    def measured(self) -> tuple[Quantity, ...]:
        return (*measured_of_body(*_BODY), *suspension_speeds(self.vehicle.wheels))

    @property
    def commanded(self) -> tuple[Quantity, ...]:
        return tuple(
            command(wheel.damping, "N*s/m", f"coefficient of the damper {wheel.name}")
            for wheel in self.vehicle.wheels
        )

    def law(self, seen: Mapping[str, Expr], p: Mapping[str, Value]) -> Law:
        v, roll, pitch = (seen[name] for name in _BODY)
        commands = {}
        for wheel in self.vehicle.wheels:
            over, u = v + wheel.y * roll - wheel.x * pitch, seen[wheel.suspension_speed]
            wanted = p["sky"] * absolute(over) / maximum(absolute(u), _LEAST_RATE)
            damps = sign(over) * sign(u) < 0.0
            commands[wheel.damping] = where(damps, limited(wanted, 0.0, p["most"]), 0.0)  # (1)
        return Law(commands, {})
