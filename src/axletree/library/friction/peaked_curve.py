"""The curve of a friction that rises to a peak and falls off to that of sliding.

Andres 2009, eqs. (3.20) to (3.22), after Rill 2007: a broken rational function up to the peak, a
cubic down to full sliding, then a constant. In the second branch of (3.20) sigma is read as
tau; as printed the curve would jump where full sliding begins.
"""

from __future__ import annotations

from dataclasses import dataclass

from axletree.core.expr import maximum, minimum, where
from axletree.library.tyres.contract import Value


@dataclass(frozen=True)
class PeakedCurve:
    """A friction coefficient or a force against slip or a sliding speed, whose unit is [s]."""

    slope: Value  # at 0, of the unit of the peak over [s]
    peak_slip: Value  # [s], of the peak
    peak: Value
    sliding_slip: Value  # [s], from which all slides
    sliding: Value

    def secant(self, s: Value) -> Value:
        """The curve over s, for s of at least 0; at 0 it is the slope."""
        sigma = minimum(s / self.peak_slip, 1.0)
        shape = self.slope * self.peak_slip / self.peak - 2.0
        rising = self.slope / (1.0 + sigma * (sigma + shape))
        tau = (s - self.peak_slip) / (self.sliding_slip - self.peak_slip)
        tau = minimum(maximum(tau, 0.0), 1.0)
        falling = self.peak - (self.peak - self.sliding) * tau * tau * (3.0 - 2.0 * tau)
        return where(s < self.peak_slip, rising, falling / maximum(s, self.peak_slip))
