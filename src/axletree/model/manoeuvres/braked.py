"""Manoeuvres with brakes."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable
from dataclasses import dataclass

from axletree.core.expr import Table
from axletree.library.fields import parameter
from axletree.model.manoeuvres.contract import Manoeuvre, Signal, driven_inputs


@dataclass(frozen=True, kw_only=True)
class Braked(Manoeuvre, ABC):
    """Brakes of friction, whose torque is a bound: they hold and never drive.

    Their inputs are torques, or pedals that they follow.
    """

    brakes: tuple[str, ...] = driven_inputs("N*m", "inputs that are torques", default=())
    torque: float = parameter("N*m", "torque of each brake when it is on", default=0.0, lower=0.0)
    pedals: tuple[str, ...] = driven_inputs("1", "inputs that are pedals", default=())
    pedal: float = parameter(
        "1", "position of each pedal when it is down", default=1.0, lower=0.0, upper=1.0
    )

    def pressed(self, course: Callable[[float], Table]) -> dict[str, Signal]:
        """All inputs of brakes, whose course is that of a torque [N m] or position [1] when on.

        Example:
        >>> import axletree as at
        >>> from axletree.model.manoeuvres.ramped import ramped
        >>> stop = at.SlopeStop(speed=5.0, forward="vx", brakes=["disc.torque"], torque="2 kN*m")
        >>> course = stop.pressed(lambda level: ramped(1.0, 0.5, 0.0, level))["disc.torque"]
        >>> [float(course.evaluate(time)) for time in (1.0, 1.25, 2.0)]  # N m
        [0.0, 1000.0, 2000.0]
        """
        torques: dict[str, Signal] = dict.fromkeys(self.brakes, course(self.torque))
        return torques | dict.fromkeys(self.pedals, course(self.pedal))

    def problems(self) -> list[str]:
        found = super().problems()
        if not self.brakes and not self.pedals:
            found.append(
                "nothing brakes; give brakes, inputs that are torques, or pedals, as driver.brake"
            )
        return found
