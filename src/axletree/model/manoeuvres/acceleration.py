"""Acceleration by the pedal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.fields import parameter
from axletree.model.manoeuvres.contract import Manoeuvre, Signal, driven_inputs
from axletree.model.manoeuvres.ramped import ramped


@dataclass(frozen=True, kw_only=True)
class Acceleration(Manoeuvre):
    """Rolling free at the speed until the pedal goes down and stays.

    Example:
    >>> import axletree as at
    >>> go = at.Acceleration(speed=5.0, pedals=["driver.throttle"])
    >>> float(go.signals["driver.throttle"].evaluate(go.begin + go.rise))  # of the pedal's way
    1.0
    """

    summary: ClassVar[str] = "straight on, and the accelerator down"

    pedals: tuple[str, ...] = driven_inputs("1", "inputs that follow the pedal")
    pedal: float = parameter("1", "position that it comes to", default=1.0, lower=0.0, upper=1.0)
    begin: float = parameter("s", "time at which it goes down", default=1.0, lower=0.0)
    rise: float = parameter("s", "time that it takes", default=0.2, lower=0.0, above=True)
    duration: float = parameter("s", "length of the run", default=30.0, lower=0.0, above=True)

    def own_signals(self) -> dict[str, Signal]:
        return dict.fromkeys(self.pedals, ramped(self.begin, self.rise, 0.0, self.pedal))
