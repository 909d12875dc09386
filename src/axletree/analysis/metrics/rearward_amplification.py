"""How much more the last unit of a train swings than the first, after ISO 14791."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from axletree.analysis.metrics.vehicle_signals import (
    LATERAL,
    YAW_RATE,
    lateral_acceleration,
    lateral_of,
)
from axletree.library.fields import fixed_number
from axletree.model.manoeuvres.findings import Column, Columns, Finding
from axletree.model.manoeuvres.metric import Metric, named


@dataclass(frozen=True)
class RearwardAmplification(Metric):
    """The greatest lateral acceleration and yaw rate of the last unit over those of the first.

    Of the first unit acceleration is taken ``ahead`` of its centre of mass, at its front axle.
    """

    summary: ClassVar[str] = "rearward amplification of lateral acceleration and yaw rate"
    needs: ClassVar[tuple[str, ...]] = LATERAL

    last: str = named("the last trailer")
    ahead: float = fixed_number(
        "m", "place on the first unit, ahead of its body's centre of mass", default=0.0
    )

    @property
    def reads(self) -> tuple[str, ...]:
        return (*self.needs, *lateral_of(self.last))

    def findings(self, run: Columns) -> tuple[Finding, ...]:
        first = _greatest(lateral_acceleration(run, ahead=self.ahead))
        last = _greatest(lateral_acceleration(run, self.last))
        turned, follows = _greatest(run[YAW_RATE]), _greatest(run[f"{self.last}.yaw_rate"])
        return (
            Finding("first_lateral_acceleration", first, "m/s^2",
                    "greatest lateral acceleration of the first unit"),
            Finding("last_lateral_acceleration", last, "m/s^2",
                    "greatest lateral acceleration of the last unit"),
            Finding("rearward_amplification", _over(last, first), "1",
                    "rearward amplification of lateral acceleration"),
            Finding("yaw_rate_amplification", _over(follows, turned), "1",
                    "rearward amplification of yaw rate"),
        )  # fmt: skip


def _greatest(values: Column) -> float:
    return float(np.max(np.abs(values)))


def _over(last: float, first: float) -> float:
    return last / first if first else math.nan
