"""How vibration is felt, after ISO 2631-1: weighted acceleration."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from axletree.analysis.metrics.vehicle_signals import VERTICAL_SPEED
from axletree.model.manoeuvres.findings import Column, Columns, Finding
from axletree.model.manoeuvres.metric import Metric

Polynomial = NDArray[np.float64]  # of p = i omega, highest power first
FLAT = math.sqrt(0.5)  # quality of a filter of Butterworth


@dataclass(frozen=True)
class Weighting:
    """A frequency weighting: limits of the band, a transition, and for some a step upwards.

    Frequencies are in Hz, qualities of 1, as in the table of parameters of annex A.
    """

    transition: float
    transition_quality: float
    step: tuple[float, float, float, float] | None  # f5, Q5, f6, Q6
    lowest: float = 0.4
    highest: float = 100.0

    def polynomials(self) -> tuple[Polynomial, Polynomial]:
        """Numerator and denominator of the whole."""
        high, low = _second(self.lowest, FLAT), _second(self.highest, FLAT)
        w1, w3 = 2.0 * math.pi * self.lowest, 2.0 * math.pi * self.transition
        above = np.polymul([1.0 / w1**2, 0.0, 0.0], [1.0 / w3, 1.0])
        below = np.polymul(high, low)
        below = np.polymul(below, _second(self.transition, self.transition_quality))
        if self.step is not None:
            f5, Q5, f6, Q6 = self.step
            above = np.polymul(above, (f5 / f6) ** 2 * _second(f5, Q5))
            below = np.polymul(below, _second(f6, Q6))
        return np.asarray(above), np.asarray(below)

    def gain(self, frequencies: Column) -> Column:
        """At frequencies [Hz]."""
        p = 2j * np.pi * np.asarray(frequencies)
        above, below = self.polynomials()
        return np.asarray(np.abs(np.polyval(above, p) / np.polyval(below, p)))


WK = Weighting(12.5, 0.63, (2.37, 0.91, 3.35, 0.91))  # vertical, of people who sit
WD = Weighting(2.0, 0.63, None)  # horizontal


def _second(frequency: float, quality: float) -> Polynomial:
    w = 2.0 * math.pi * frequency
    return np.array([1.0 / w**2, 1.0 / (quality * w), 1.0])


def weighted(time: Column, acceleration: Column, weighting: Weighting = WK) -> Column:
    """The acceleration [m/s^2] as it is felt, from rest; straight lines between even records."""
    from scipy.signal import lsim

    even = np.linspace(time[0], time[-1], len(time))
    _, felt, _ = lsim(weighting.polynomials(), np.interp(even, time, acceleration), even - even[0])
    return np.asarray(felt)


def weighted_rms(time: Column, acceleration: Column, weighting: Weighting = WK) -> float:
    """The root of the mean square of the weighted acceleration [m/s^2]."""
    return float(np.sqrt(np.mean(weighted(time, acceleration, weighting) ** 2)))


@dataclass(frozen=True)
class RideComfort(Metric):
    """Vertical acceleration of the sensor's place, weighted by Wk."""

    summary: ClassVar[str] = "vertical acceleration as it is felt, by ISO 2631-1"
    needs: ClassVar[tuple[str, ...]] = (VERTICAL_SPEED,)

    def findings(self, run: Columns) -> tuple[Finding, ...]:
        acceleration = np.gradient(run[VERTICAL_SPEED], run.time)
        felt = weighted_rms(run.time, acceleration)
        plain = float(np.sqrt(np.mean(acceleration**2)))
        return (
            Finding("weighted_vertical_acceleration", felt, "m/s^2",
                    "vertical acceleration, weighted by Wk, root of the mean square"),
            Finding("vertical_acceleration", plain, "m/s^2",
                    "vertical acceleration, root of the mean square"),
        )  # fmt: skip
