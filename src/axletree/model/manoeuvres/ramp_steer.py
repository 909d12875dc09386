"""Steering that rises evenly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import maximum, minimum
from axletree.library.fields import parameter
from axletree.library.signal import TIME
from axletree.model.manoeuvres.contract import Manoeuvre, Signal, driven_inputs


@dataclass(frozen=True, kw_only=True)
class RampSteer(Manoeuvre):
    """Angles go from 0 to ``angle`` in a straight line and stay there.

    If it is slow, the vehicle passes through steady states, as in the test at constant speed of
    ISO 4138.

    Example:
    >>> import axletree as at
    >>> ramp = at.RampSteer(speed=20.0, steering=["steer"], angle="1.5 rad", begin=1.0, rise=10.0)
    >>> print(ramp.signals["steer"])  # rad
    1.5*min(max(0.1*(time - 1), 0), 1)
    """

    summary: ClassVar[str] = "steering that rises evenly, through steady states if slowly"

    steering: tuple[str, ...] = driven_inputs("rad", "inputs that follow the ramp")
    angle: float = parameter("rad", "angle at the end, to the left if positive")
    begin: float = parameter("s", "time at which it sets in", default=1.0, lower=0.0)
    rise: float = parameter("s", "time to the whole angle", default=15.0, lower=0.0, above=True)
    duration: float = parameter("s", "length of the run", default=16.0, lower=0.0, above=True)

    def own_signals(self) -> dict[str, Signal]:
        s = minimum(maximum((TIME - self.begin) * (1.0 / self.rise), 0.0), 1.0)
        return dict.fromkeys(self.steering, self.angle * s)
