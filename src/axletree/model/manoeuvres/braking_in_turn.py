"""Braking in a turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import Table, maximum, minimum
from axletree.library.fields import optional_parameter, parameter
from axletree.library.signal import TIME
from axletree.model.manoeuvres.contract import Aim, Manoeuvre, Signal, driven_inputs
from axletree.model.manoeuvres.ramped import ramped


@dataclass(frozen=True, kw_only=True)
class BrakingInTurn(Manoeuvre):
    """Into a turn with a drive that stays, and when it is steady the pedal down.

    The steering wheel stays where it is; the drive fades while the pedal goes down, as in ISO 7975.

    Example:
    >>> import axletree as at
    >>> inputs = {"steering": ["driver.steering"], "pedals": ["driver.brake"]}
    >>> turn = at.BrakingInTurn(speed=20.0, angle=0.5, pedal=0.4, **inputs)  # m/s, rad, 1
    >>> pressed = turn.signals["driver.brake"]
    >>> [round(float(pressed.evaluate(time)), 3) for time in (turn.begin, turn.begin + turn.rise)]
    [0.0, 0.4]
    """

    summary: ClassVar[str] = "into a turn, and there the brake pedal down"

    steering: tuple[str, ...] = driven_inputs("rad", "inputs that steer")
    angle: float = parameter("rad", "angle of the turn, to the left if positive")
    turn: float = parameter("s", "time in which it is steered", default=1.0, lower=0.0, above=True)
    pedals: tuple[str, ...] = driven_inputs("1", "inputs that follow the pedal")
    pedal: float = parameter("1", "position that it comes to", default=1.0, lower=0.0, upper=1.0)
    begin: float = parameter("s", "time at which it goes down", default=5.0, lower=0.0)
    rise: float = parameter("s", "time that it takes", default=0.2, lower=0.0, above=True)

    level: float | None = optional_parameter(
        "m/s^2", "lateral acceleration before braking, that the angle is found for; then it is a "
        "first guess", lower=0.0, above=True,
    )  # fmt: skip

    @property
    def aim(self) -> Aim | None:
        return None if self.level is None else Aim(self.level, self.begin - 0.5, self.begin)

    def problems(self) -> list[str]:
        if self.begin < self.turn:
            return [f"it brakes at {self.begin:g} s, before it has turned at {self.turn:g} s"]
        return super().problems()

    def own_signals(self) -> dict[str, Signal]:
        s = minimum(maximum(TIME * (1.0 / self.turn), 0.0), 1.0)
        course = self.angle * s * s * s * (10.0 + s * (6.0 * s - 15.0))
        steering: dict[str, Signal] = dict.fromkeys(self.steering, course)
        pedal = ramped(self.begin, self.rise, 0.0, self.pedal)
        return steering | dict.fromkeys(self.pedals, pedal)

    def drive_share(self) -> Table | None:
        return ramped(self.begin, self.rise, 1.0, 0.0)
