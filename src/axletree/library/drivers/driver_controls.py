"""What a driver has in hand and under foot: inputs that other components follow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.contract import Component, Instant, Response
from axletree.library.signal import Signal, motion, signal


@dataclass(frozen=True, eq=False)
class DriverControls(Component):
    """Steering wheel and pedals. By itself it does nothing.

    Signals of other components follow it: a brake with ``torque: "900*driver.brake"``, a driven
    kingpin with ``angle: "driver.steering/16"``.

    Example:
    >>> import axletree as at
    >>> [f"{q.name} [{q.unit}]" for q in at.DriverControls("driver").inputs()[3:]]
    ['driver.throttle [1]', 'driver.brake [1]', 'driver.clutch [1]', 'driver.brake_pressure [Pa]']
    """

    summary: ClassVar[str] = "steering wheel and pedals, which signals of other components follow"

    name: str
    steering: Signal = motion("rad", "angle of the steering wheel, left if positive")
    throttle: Signal = signal("1", "position of the accelerator, from 0 to 1")
    brake: Signal = signal("1", "position of the brake pedal, from 0 to 1")
    clutch: Signal = signal("1", "position of the clutch pedal, from 0 to 1")
    brake_pressure: Signal = signal(
        "Pa", "pressure in the brake lines beside that of the pedal, for brakes by pressure"
    )

    def respond(self, now: Instant) -> Response:
        return Response(outputs=self.signal_outputs())
