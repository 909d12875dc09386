"""Braking by a torque that is ramped up, held and released."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import Beyond, Table
from axletree.library.fields import parameter
from axletree.model.manoeuvres.contract import Manoeuvre, Signal, driven_inputs


@dataclass(frozen=True, kw_only=True)
class Braking(Manoeuvre):
    """The same torque on each of the inputs, in straight lines from 0 and back to 0.

    The defaults are the profile of Morency 2007, figure 5.8. Nothing switches the sign of the
    torque: held long enough, it turns the wheels backwards.

    Example:
    >>> import axletree as at
    >>> stop = at.Braking(speed=20.0, brakes=["drive.torque"], torque="-1 kN*m")
    >>> float(stop.signals["drive.torque"].evaluate(stop.begin + stop.rise))  # N m
    -1000.0
    """

    summary: ClassVar[str] = "a torque ramped up, held and released"

    brakes: tuple[str, ...] = driven_inputs("N*m", "inputs that follow the torque")
    torque: float = parameter("N*m", "torque that is held; against the wheels if negative")
    begin: float = parameter("s", "time at which it sets in", default=2.0, lower=0.0)
    rise: float = parameter("s", "time to the full torque", default=0.5, lower=0.0, above=True)
    hold: float = parameter("s", "time of the full torque", default=2.0, lower=0.0, above=True)
    release: float = parameter("s", "time back to none", default=0.5, lower=0.0, above=True)

    def own_signals(self) -> dict[str, Signal]:
        full = self.begin + self.rise
        falling = full + self.hold
        times = [self.begin, full, falling, falling + self.release]
        course = Table.linear(times, [0.0, self.torque, self.torque, 0.0], Beyond.VALUE_HELD)
        return dict.fromkeys(self.brakes, course)
