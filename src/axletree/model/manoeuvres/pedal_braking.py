"""Braking by the pedal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import Table
from axletree.library.fields import parameter
from axletree.model.manoeuvres.contract import Manoeuvre, Signal, driven_inputs
from axletree.model.manoeuvres.ramped import ramped


@dataclass(frozen=True, kw_only=True)
class PedalBraking(Manoeuvre):
    """Straight on at the speed until the pedal goes down and stays; the drive fades meanwhile.

    Example:
    >>> import axletree as at
    >>> stop = at.PedalBraking(speed="100 km/h", pedals=["driver.brake"], pedal=0.6)
    >>> float(stop.signals["driver.brake"].evaluate(stop.begin + stop.rise))  # of the pedal's way
    0.6
    """

    summary: ClassVar[str] = "straight on, and the brake pedal down"

    pedals: tuple[str, ...] = driven_inputs("1", "inputs that follow the pedal")
    pedal: float = parameter("1", "position that it comes to", default=1.0, lower=0.0, upper=1.0)
    begin: float = parameter("s", "time at which it goes down", default=1.0, lower=0.0)
    rise: float = parameter("s", "time that it takes", default=0.2, lower=0.0, above=True)

    def own_signals(self) -> dict[str, Signal]:
        return dict.fromkeys(self.pedals, ramped(self.begin, self.rise, 0.0, self.pedal))

    def drive_share(self) -> Table | None:
        return ramped(self.begin, self.rise, 1.0, 0.0)
