"""What a car holds at each speed: the accelerations of its envelope, in numbers and expressions.

They are found as quasi-steady turns of the car in the plane, with load transfer and wings
(``analysis.handling.performance_envelope``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.core.errors import ModelError
from axletree.expr import Beyond, Expr, Table, interpolate, sqrt
from axletree.model.model import Model
from axletree.runs.standard_manoeuvres import BESIDE_WHEELS
from axletree.vehicles.performance_limits import OwnPace, PerformanceLimits
from axletree.vehicles.vehicle import Vehicle

TOP: Final = 120.0  # m/s, above which no car is looked at
WEIGHTS: Final = (0.6, 1.0, 1.6)  # shares of the weight on the ground that a lap in space has
_ROUND: Final = 0.005  # of the weight, over which the slope by it changes at 1
_SPEED_COUNT: Final = 7
_SAMPLES: Final = 40


@dataclass(frozen=True)
class LapPace(OwnPace):
    """Limits that go on with the square of the speed where turns are limited by the drive alone.

    From 0.7 of the top speed on the limits of a car are those of there; wings press on.

    Example:
    >>> import axletree as at
    >>> from axletree.optimisation.lap_time.envelope import LapPace
    >>> vehicle = at.read_model("formula-student").described["vehicle"]
    >>> limits = LapPace(share=1.0, top=120.0, vehicle=vehicle).limits
    >>> bool(limits.lateral[-1] > 1.2 * limits.lateral[-2])
    True
    """

    @cached_property
    def limits(self) -> PerformanceLimits:
        found = super().limits
        squares = found.speeds**2

        def on(row: FloatArray) -> FloatArray:
            slope = (row[-2] - row[-3]) / (squares[-2] - squares[-3])
            return np.append(row[:-1], row[-2] + max(slope, 0.0) * (squares[-1] - squares[-2]))

        return replace(found, lateral=on(found.lateral), braking=on(found.braking))


@dataclass(frozen=True)
class CarEnvelope:
    """The accelerations of a car over speed.

    Example:
    >>> import axletree as at
    >>> from axletree.optimisation.lap_time.envelope import envelope_of
    >>> van = envelope_of(at.read_model("van"))
    >>> print(f"{van.top:.0f} m/s, {van.pace.limits.at(20.0)[0]:.1f} m/s^2, {van.width:.2f} m")
    45 m/s, 7.1 m/s^2, 2.02 m
    """

    name: str
    pace: OwnPace
    width: float  # m, of the car

    @property
    def top(self) -> float:
        """The speed [m/s] that the drive just holds."""
        return float(self.pace.limits.speeds[-1])

    def speeds(self, distance: FloatArray, curvature: FloatArray, closed: bool) -> FloatArray:
        """The fastest speeds [m/s] along a line; of a closed one, of a flying lap."""
        if not closed:
            return self.pace.speeds(distance, curvature)
        # Where the line is slowest the car is at the limit of the curve, whatever is before it.
        corner = np.minimum(self.pace.speeds(distance, curvature), self.top)
        begin = int(np.argmin(corner[:-1]))
        steps = np.roll(np.diff(distance), -begin)
        ways = np.concatenate([[0.0], np.cumsum(steps)])
        bends = np.roll(curvature[:-1], -begin)
        bends = np.append(bends, bends[0])
        found = self.pace.speeds(ways, bends, float(corner[begin]), float(corner[begin]))
        turned = np.roll(found[:-1], begin)
        return np.append(turned, turned[0])

    @cached_property
    def at_weights(self) -> tuple[OwnPace, ...]:
        """The paces with these ``WEIGHTS`` on the ground."""
        return tuple(
            self.pace if weight == 1.0 else replace(self.pace, weight=weight) for weight in WEIGHTS
        )

    @cached_property
    def _samples(self) -> FloatArray:
        speeds = self.pace.limits.speeds
        return np.linspace(float(speeds[0]), float(speeds[-1]), _SAMPLES)

    def limits(self, speed: Expr) -> tuple[Expr, Expr, Expr, Expr, Expr]:
        """Lateral, driving and braking accelerations [m/s^2] as smooth functions of a speed, and
        the exponents of driving and braking in a turn."""
        own = self.pace.limits
        rows = np.array([(*own.at(v), *own.exponents(v)) for v in self._samples.tolist()])
        found = [
            interpolate(
                Table.smooth(self._samples.tolist(), row.tolist(), Beyond.VALUE_HELD), speed
            )
            for row in rows.T
        ]
        lateral, driving, braking, forward, backward = found
        return lateral, driving, braking, forward, backward

    def limits_by_weight(self, speed: Expr, weight: Expr) -> tuple[Expr, Expr, Expr, Expr, Expr]:
        """Likewise, of a car that is pressed onto the ground by a share of its weight; exponents
        are those on level ground."""
        *_, forward, backward = self.limits(speed)
        rows = [self._tables(pace, speed) for pace in self.at_weights]
        lateral, driving, braking = (by_weight(one, weight) for one in zip(*rows, strict=True))
        return lateral, driving, braking, forward, backward

    def shares_of_grip(
        self, speed: Expr, grips: tuple[float, float, float], grip: Expr
    ) -> tuple[Expr, Expr, Expr]:
        """What is left of lateral, driving and braking accelerations with a factor on friction,
        between envelopes at three factors, the last of which is 1."""
        dry = self._tables(self.pace, speed)
        rows = [self._tables(replace(self.pace, grip=one), speed) for one in grips[:-1]]
        found = [
            on_two_lines((low, middle, high), grips, grip) / high
            for low, middle, high in zip(*rows, dry, strict=True)
        ]
        lateral, driving, braking = found
        return lateral, driving, braking

    def _tables(self, pace: OwnPace, speed: Expr) -> list[Expr]:
        """Lateral, driving and braking acceleration of a pace over the speed."""
        table = np.array([pace.limits.at(v) for v in self._samples.tolist()])
        return [
            interpolate(
                Table.smooth(self._samples.tolist(), row.tolist(), Beyond.VALUE_HELD), speed
            )
            for row in table.T
        ]


def by_weight(values: Sequence[Any] | FloatArray, weight: Any) -> Any:
    """Between values at ``WEIGHTS``.

    Example:
    >>> from axletree.optimisation.lap_time.envelope import by_weight
    >>> [round(by_weight((6.0, 9.0, 12.0), weight), 1) for weight in (0.6, 1.0, 1.6)]  # m/s^2
    [6.0, 9.0, 12.0]
    """
    return on_two_lines(values, WEIGHTS, weight)


def on_two_lines(
    values: Sequence[Any] | FloatArray, places: tuple[float, float, float], x: Any
) -> Any:
    """Two straight lines through values at three places, round where they meet.

    Example:
    >>> from axletree.optimisation.lap_time.envelope import on_two_lines
    >>> [round(on_two_lines((2.0, 4.0, 4.0), (0.2, 0.5, 1.0), x), 2) for x in (0.2, 0.35, 0.5, 1.0)]
    [2.0, 3.01, 4.0, 4.0]
    """
    # a + b x + c r(x) with a rounded corner r at the place in the middle, through all three.
    rows = np.array([[1.0, place, _corner(place - places[1])] for place in places])
    corner = _corner(x - places[1])
    shares = [a + b * x + c * corner for a, b, c in np.linalg.inv(rows).T.tolist()]
    found = [value * share for value, share in zip(values, shares, strict=True)]
    return found[0] + found[1] + found[2]


def _corner(x: Any) -> Any:
    return sqrt(x * x + _ROUND * _ROUND)


def envelope_of(model: Model) -> CarEnvelope:
    """The envelope of a described vehicle."""
    vehicle = model.described.get("vehicle")
    if not isinstance(vehicle, Vehicle):
        raise ModelError(
            f"{model.name} is no described vehicle: a lap by the envelope needs a file with a "
            "section vehicle, such as sedan or formula-student"
        )
    tracks = max(axle.track for axle in vehicle.axles.values())
    width = vehicle.body.width
    pace = LapPace(share=1.0, top=TOP, vehicle=vehicle, speed_count=_SPEED_COUNT)
    return CarEnvelope(model.name, pace, tracks + BESIDE_WHEELS if width is None else width)
