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
from axletree.model.manoeuvres.diagram import Diagram, by_name, over_time, point
from axletree.model.manoeuvres.findings import Column, Columns, Finding
from axletree.model.manoeuvres.metric import Metric, named


@dataclass(frozen=True)
class RearwardAmplification(Metric):
    """The greatest lateral acceleration and yaw rate of the last unit over those of the first.

    Of the first unit acceleration is taken ``ahead`` of its centre of mass, at its front axle.

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> from axletree.simulation.trajectory import Trajectory
    >>> metric, time = at.RearwardAmplification(last="trailer"), np.linspace(0.0, 4.0, 401)  # s
    >>> columns = {name: 20.0 + 0.0 * time for name in metric.reads}  # m/s
    >>> for unit, share in (("vehicle", 1.0), ("trailer", 1.5)):
    ...     columns[f"{unit}.yaw_rate"] = share * np.sin(time)
    ...     columns[f"{unit}.lateral_acceleration"] = share * 20.0 * np.sin(time)
    >>> [one.in_words for one in metric.findings(Trajectory("train", time, columns, {}, ()))[2:]]
    ['1.5', '1.5']
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

    def diagrams(self, run: Columns) -> tuple[Diagram, ...]:
        found = by_name(self.findings(run))
        first = lateral_acceleration(run, ahead=self.ahead)
        last = lateral_acceleration(run, self.last)
        turned, follows = np.degrees(run[YAW_RATE]), np.degrees(run[f"{self.last}.yaw_rate"])
        peaks = [point(*_top(run, first), found["first_lateral_acceleration"]),
                 point(*_top(run, last), found["last_lateral_acceleration"]),
                 point(*_top(run, last), found["rearward_amplification"])]  # fmt: skip
        yaws = [point(*_top(run, turned), "greatest of the first unit"),
                point(*_top(run, follows), found["yaw_rate_amplification"])]  # fmt: skip
        return (
            over_time("Lateral acceleration", "m/s^2", run.time,
                      {"first unit": first, self.last: last}, peaks),
            over_time("Yaw rate", "deg/s", run.time, {"first unit": turned, self.last: follows},
                      yaws),
        )  # fmt: skip


def _top(run: Columns, values: Column) -> tuple[float, float]:
    """When it is greatest, without its sign, and its value."""
    k = int(np.argmax(np.abs(values)))
    return float(run.time[k]), float(values[k])


def _greatest(values: Column) -> float:
    return float(np.max(np.abs(values)))


def _over(last: float, first: float) -> float:
    return last / first if first else math.nan
