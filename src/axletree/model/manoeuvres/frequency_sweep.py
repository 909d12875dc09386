"""Steering in a sine whose frequency rises."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import Expr, exp, maximum, minimum, sin
from axletree.library.fields import parameter
from axletree.library.signal import TIME
from axletree.model.manoeuvres.contract import Manoeuvre, Signal, driven_inputs


@dataclass(frozen=True, kw_only=True)
class FrequencySweep(Manoeuvre):
    """Every octave takes the same time; amplitudes fade in and out, so that no rate jumps.

    With f the first frequency, T the time of the sweep and k = ln(last / first), the phase is
    2 pi f T / k (exp(k t / T) - 1). The continuous sine of ISO 7401 covers 0.2 Hz to 2 Hz or more.

    Example:
    >>> import axletree as at
    >>> from axletree.core.expr import evaluate
    >>> sweep = at.FrequencySweep(speed=20.0, steering=["steer"], amplitude=0.02)  # m/s, rad
    >>> sweep.first, sweep.last, evaluate([sweep.signals["steer"]], {at.TIME: 0.5})  # Hz, Hz, rad
    (0.1, 4.0, [0.0])
    """

    summary: ClassVar[str] = "steering in a sine whose frequency rises"

    steering: tuple[str, ...] = driven_inputs("rad", "inputs that follow the sweep")
    amplitude: float = parameter("rad", "greatest angle, first to the left if positive")
    first: float = parameter("Hz", "frequency at its start", default=0.1, lower=0.0, above=True)
    last: float = parameter("Hz", "frequency at its end", default=4.0, lower=0.0, above=True)
    begin: float = parameter("s", "time at which it sets in", default=0.5, lower=0.0)
    sweep: float = parameter("s", "time from the first to the last", default=45.0, lower=0.0,
                             above=True)  # fmt: skip
    fade: float = parameter("s", "time of fading in, and out", default=1.0, lower=0.0, above=True)
    duration: float = parameter("s", "length of the run", default=50.0, lower=0.0, above=True)

    def problems(self) -> list[str]:
        if self.first >= self.last:
            return [f"first is {self.first:g} Hz and last {self.last:g} Hz; it has to rise"]
        return super().problems()

    def own_signals(self) -> dict[str, Signal]:
        t = minimum(maximum(TIME - self.begin, 0.0), self.sweep)
        octaves = math.log(self.last / self.first)
        scale = 2.0 * math.pi * self.first * self.sweep / octaves
        angle = self.amplitude * sin(scale * (exp(octaves / self.sweep * t) - 1.0))
        course = angle * self._smooth(t) * self._smooth(self.sweep - t)
        return dict.fromkeys(self.steering, course)

    def _smooth(self, t: Expr) -> Expr:
        """From 0 to 1 within the time of fading, with rate and acceleration 0 at both ends."""
        s = minimum(t * (1.0 / self.fade), 1.0)
        share: Expr = s * s * s * (10.0 + s * (6.0 * s - 15.0))
        return share
