"""Steering in a sine."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import minimum, sin
from axletree.library.fields import optional_parameter, parameter
from axletree.library.signal import TIME
from axletree.model.manoeuvres.contract import Manoeuvre, Signal, driven_inputs


@dataclass(frozen=True, kw_only=True)
class SineSteer(Manoeuvre):
    """Angles follow ``amplitude sin(2 pi t / period)``: one period is a lane change.

    The rate of the angle is greatest at the very start (Morency 2007, figures 5.6 and 5.18).

    Example:
    >>> import axletree as at
    >>> from axletree.core.expr import evaluate
    >>> swerve = at.SineSteer(speed="72 km/h", steering=["steer"], amplitude=0.05, period=2.0)
    >>> evaluate([swerve.signals["steer"]], {at.TIME: 0.5})  # rad, after a quarter of the period
    [0.05]
    """

    summary: ClassVar[str] = "steering in a sine"

    steering: tuple[str, ...] = driven_inputs("rad", "inputs that follow the sine")
    amplitude: float = parameter("rad", "greatest angle, first to the left if positive")
    period: float = parameter("s", "time of one period", lower=0.0, above=True)
    periods: float | None = optional_parameter(
        "1", "number of periods; left out: to the end", lower=0.0, above=True
    )

    def own_signals(self) -> dict[str, Signal]:
        time = TIME if self.periods is None else minimum(TIME, self.periods * self.period)
        angle = self.amplitude * sin(2.0 * math.pi / self.period * time)
        return dict.fromkeys(self.steering, angle)
