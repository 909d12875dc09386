"""Whether a vehicle comes back from a sine with dwell, as FMVSS 126 asks."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from axletree.analysis.metrics.vehicle_signals import (
    HEADING,
    STEERING,
    YAW_RATE,
    X,
    Y,
    at,
    sets_in,
)
from axletree.library.fields import fixed_number
from axletree.model.manoeuvres.findings import Columns, Finding
from axletree.model.manoeuvres.metric import Metric

RATIOS = ((1.0, 0.35), (1.75, 0.20))  # s after the end of steering, and the most that is allowed
DISPLACED = 1.07  # s after the beginning, when the way to the side is told


@dataclass(frozen=True)
class DwellStability(Metric):
    """Yaw rates after the end of steering over the peak that follows the reversal, and the way to
    the side 1.07 s after its beginning.

    It is stable with ratios of at most 35 % after 1 s and 20 % after 1.75 s, and responds with at
    least the ``way``.
    """

    summary: ClassVar[str] = "yaw rates and way to the side of a sine with dwell"
    needs: ClassVar[tuple[str, ...]] = (STEERING, YAW_RATE, X, Y, HEADING)

    way: float = fixed_number("m", "to the side, that it has to make", default=1.83, lower=0.0)

    def findings(self, run: Columns) -> tuple[Finding, ...]:
        steering, yaw = run[STEERING], run[YAW_RATE]
        begin = sets_in(run.time, steering)
        if math.isnan(begin):
            return ()
        sign = float(np.sign(steering[np.flatnonzero(steering != steering[0])[0]]))
        size = 1e-9 * float(np.max(np.abs(steering)))
        turned = np.flatnonzero(np.abs(steering) > size)
        end = float(run.time[min(int(turned[-1]) + 1, len(run.time) - 1)])
        after = np.flatnonzero(sign * steering < -size)
        peak = float(np.max(-sign * yaw[after[0] :])) if after.size else math.nan
        ratios = [-sign * at(run, yaw, end + wait) / peak for wait, _ in RATIOS]
        way = sign * self._aside(run, begin + DISPLACED)
        stable = all(ratio <= most for ratio, (_, most) in zip(ratios, RATIOS, strict=True))
        return (
            Finding("yaw_rate_ratio_1", 100.0 * ratios[0], "%", "yaw rate 1 s after the end"),
            Finding("yaw_rate_ratio_2", 100.0 * ratios[1], "%", "yaw rate 1.75 s after the end"),
            Finding("lateral_displacement", way, "m", "way to the side 1.07 s after the beginning"),
            Finding("stable", float(stable), "1", "1: stable, at most 35 % and 20 %; 0: not"),
            Finding("responsive", float(way >= self.way), "1",
                    f"1: at least {self.way:g} m to the side; 0: not"),
        )  # fmt: skip

    def _aside(self, run: Columns, time: float) -> float:
        """The way [m] to the left of the heading of the first record."""
        c, s = math.cos(run[HEADING][0]), math.sin(run[HEADING][0])
        left = c * (run[Y] - run[Y][0]) - s * (run[X] - run[X][0])
        return at(run, left, time)
