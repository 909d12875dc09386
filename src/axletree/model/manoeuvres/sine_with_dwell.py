"""Steering in a sine that dwells at its second peak."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import maximum, minimum, sin
from axletree.library.fields import parameter
from axletree.library.signal import TIME
from axletree.model.manoeuvres.contract import Manoeuvre, Signal, driven_inputs


@dataclass(frozen=True, kw_only=True)
class SineWithDwell(Manoeuvre):
    """One period of a sine that stands still for ``dwell`` after three quarters.

    The defaults are those of FMVSS 126, which ISO 19365 simulates: 0.7 Hz and 0.5 s.

    Example:
    >>> import axletree as at
    >>> from axletree.core.expr import evaluate
    >>> swerve = at.SineWithDwell(speed="80 km/h", steering=["steer"], amplitude=1.0)
    >>> dwells = 1.0 + 0.75 / 0.7 + 0.25  # s
    >>> print(f"{evaluate([swerve.signals['steer']], {at.TIME: dwells})[0]:.3f} rad")
    -1.000 rad
    """

    summary: ClassVar[str] = "steering in one sine that dwells at its second peak"

    steering: tuple[str, ...] = driven_inputs("rad", "inputs that follow the sine")
    amplitude: float = parameter("rad", "greatest angle, first to the left if positive")
    frequency: float = parameter("Hz", "of the sine", default=0.7, lower=0.0, above=True)
    dwell: float = parameter("s", "time at the second peak", default=0.5, lower=0.0)
    begin: float = parameter("s", "time at which it sets in", default=1.0, lower=0.0)

    def own_signals(self) -> dict[str, Signal]:
        period = 1.0 / self.frequency
        first = minimum(maximum(TIME - self.begin, 0.0), 0.75 * period)
        again = self.begin + 0.75 * period + self.dwell
        last = minimum(maximum(TIME - again, 0.0), 0.25 * period)
        angle = self.amplitude * sin(2.0 * math.pi * self.frequency * (first + last))
        return dict.fromkeys(self.steering, angle)
