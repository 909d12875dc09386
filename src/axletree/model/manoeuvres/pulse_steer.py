"""Steering in a pulse."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import cos, maximum, minimum
from axletree.library.fields import parameter
from axletree.library.signal import TIME
from axletree.model.manoeuvres.contract import Manoeuvre, Signal, driven_inputs


@dataclass(frozen=True, kw_only=True)
class PulseSteer(Manoeuvre):
    """Angles go from 0 to ``angle`` and back within ``width``: angle (1 - cos(2 pi s)) / 2.

    The pulse of ISO 7401 is a triangle of 0.3 s to 0.5 s; this one has no corners, so that no rate
    jumps.

    Example:
    >>> import axletree as at
    >>> from axletree.core.expr import evaluate
    >>> pulse = at.PulseSteer(speed=20.0, steering=["steer"], angle=0.1, begin=1.0, width=0.4)
    >>> evaluate([pulse.signals["steer"]], {at.TIME: 1.2})  # rad, at its top
    [0.1]
    """

    summary: ClassVar[str] = "steering in a pulse without corners"

    steering: tuple[str, ...] = driven_inputs("rad", "inputs that follow the pulse")
    angle: float = parameter("rad", "greatest angle, to the left if positive")
    begin: float = parameter("s", "time at which it sets in", default=1.0, lower=0.0)
    width: float = parameter("s", "time of the pulse", default=0.4, lower=0.0, above=True)

    def own_signals(self) -> dict[str, Signal]:
        s = minimum(maximum((TIME - self.begin) * (1.0 / self.width), 0.0), 1.0)
        course = 0.5 * self.angle * (1.0 - cos(2.0 * math.pi * s))
        return dict.fromkeys(self.steering, course)
