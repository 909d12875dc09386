"""A lap on a line that is given, every place of it a steady state within the car's envelope.

Speeds are at most those of the curves; from the slowest of these on the car accelerates and brakes
as the envelope allows at each speed and lateral acceleration (Milliken and Milliken 1995, chapter
9; Brayshaw and Harrison 2005). On a track with heights the envelope is that of the load which
presses the car onto the road, and gravity asks for a part of it (Lovato and Massaro 2022,
"Three-dimensional fixed-trajectory approaches to the minimum-lap time of road vehicles").
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Final

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.core.errors import ModelError
from axletree.expr.functions import Value
from axletree.ground.path_driver import time_along
from axletree.model.model import STANDARD_GRAVITY
from axletree.optimisation.lap_time.envelope import WEIGHTS, CarEnvelope, by_weight
from axletree.optimisation.lap_time.result import TimedLap, columns_of
from axletree.optimisation.lap_time.road_loads import LEAST_LOAD, RELIEF_INPUTS, RoadLoads
from axletree.optimisation.lap_time.track import Track

_SLOWEST: Final = 1.0  # m/s
_SPEEDS: Final = 500  # at which places are tried


def quasi_steady_lap(
    envelope: CarEnvelope,
    track: Track,
    method: str,
    offset: FloatArray | None = None,
    heading_error: FloatArray | None = None,
    curvature: FloatArray | None = None,
    notes: tuple[str, ...] = (),
) -> TimedLap:
    """Along a line beside the centre line, or along this where none is given."""
    s, none = track.station, np.zeros(len(track.station))
    n = none if offset is None else offset
    xi = none if heading_error is None else heading_error
    bend = track.curvature if curvature is None else curvature
    stretch = (1.0 - n * track.curvature) / np.cos(xi)  # of the line over the centre line
    steps = 0.5 * (stretch[1:] + stretch[:-1]) * np.diff(s)
    way = np.concatenate([[0.0], np.cumsum(steps)])
    loads = None if track.relief is None else _road_loads(track, n, xi)
    if loads is None:
        speed = envelope.speeds(way, bend, track.closed)
    else:
        speed = _SpeedsInSpace(envelope, track, way, bend, loads).found
        notes = (*notes, *load_notes(loads.weight(speed**2)))
    along = np.diff(speed**2) / (2.0 * np.diff(way))
    forward = np.append(along, along[0] if track.closed else along[-1])
    given = {
        "time": time_along(way, speed), "speed": speed, "heading_error": xi, "curvature": bend,
        "lateral_acceleration": speed**2 * bend, "acceleration": forward,
        **pedals(envelope, speed, forward, loads),
    }  # fmt: skip
    if loads is not None:
        given["load_factor"] = np.asarray(loads.weight(speed**2))
    return TimedLap(envelope.name, method, track, columns_of(track, s, n, given), notes)


def _road_loads(track: Track, n: FloatArray, xi: FloatArray) -> RoadLoads:
    relief: dict[str, Value] = {name: track.at(name, track.station) for name in RELIEF_INPUTS}
    return RoadLoads.at(relief, n, xi, track.curvature)


def load_notes(weight: Value) -> tuple[str, ...]:
    """What a lap in space says of the loads that press the car onto the road, in shares of its
    weight."""
    low, high = float(np.min(weight)), float(np.max(weight))
    said = f"the car is pressed onto the road by {low:.2f} to {high:.2f} of its weight"
    if low < WEIGHTS[0] or high > WEIGHTS[-1]:
        said += (
            f"; below {WEIGHTS[0]:g} and above {WEIGHTS[-1]:g} its envelope goes on by straight "
            "lines"
        )
    return (said,)


class _SpeedsInSpace:
    """The fastest speeds along a line, with what the road asks for at each place."""

    def __init__(
        self,
        envelope: CarEnvelope,
        track: Track,
        way: FloatArray,
        bend: FloatArray,
        loads: RoadLoads,
    ) -> None:
        self.track, self.way, self.bend, self.loads = track, way, bend, loads
        self.speeds = np.linspace(_SLOWEST, envelope.top, _SPEEDS)
        paces = [[one.limits.at(v) for v in self.speeds.tolist()] for one in envelope.at_weights]
        # By weight, then lateral, driving and braking acceleration, over the speed.
        self.limits = np.moveaxis(np.array(paces), 2, 1)
        exponents = [envelope.pace.limits.exponents(v) for v in self.speeds.tolist()]
        self.exponents = np.array(exponents).T

    @property
    def found(self) -> FloatArray:
        squares = self._corner_squares()
        count = len(squares)
        steps = np.diff(self.way)
        if not self.track.closed:
            self._pass(squares, range(count - 1), steps, 1)
            self._pass(squares, range(count - 1, 0, -1), steps, -1)
            return np.asarray(np.sqrt(squares))
        # Of a flying lap: twice round from the slowest place on, whatever is before it.
        first = int(np.argmin(squares[:-1]))
        around = [(first + k) % (count - 1) for k in range(2 * (count - 1))]
        self._pass(squares, around, steps, 1)
        self._pass(squares, [k + 1 for k in reversed(around)], steps, -1)
        squares[-1] = squares[0] = min(squares[0], squares[-1])
        return np.asarray(np.sqrt(squares))

    def _corner_squares(self) -> FloatArray:
        """Squares of the speeds up to which a place is held, across and onto the ground."""
        square = self.speeds**2
        weight = np.asarray(
            (self._column("normal") + self._column("normal_by_square") * square) / STANDARD_GRAVITY
        )
        asked = np.abs(self.bend[:, None] * square + self._column("across"))
        margin = np.minimum(
            by_weight(self.limits[:, 0], weight) - asked,
            (weight - LEAST_LOAD) * STANDARD_GRAVITY,
        )
        held = margin >= 0.0
        begin = np.argmax(held, axis=1)
        lost = ~held & (np.arange(len(square)) > begin[:, None])
        last = np.where(lost.any(axis=1), np.argmax(lost, axis=1), len(square)) - 1
        bad = np.flatnonzero(~held.any(axis=1) | (begin > 0))
        if bad.size:
            k = int(bad[0])
            raise ModelError(self._not_held(k, bool(held[k].any()), float(self.speeds[begin[k]])))
        row, after = np.arange(len(last)), np.minimum(last + 1, len(square) - 1)
        low, high = margin[row, last], np.minimum(margin[row, after], 0.0)
        share = np.where(after > last, low / np.maximum(low - high, 1e-12), 0.0)
        return np.asarray(
            (self.speeds[last] + share * (self.speeds[after] - self.speeds[last])) ** 2
        )

    def _column(self, name: str) -> FloatArray:
        return np.broadcast_to(np.asarray(getattr(self.loads, name)), self.bend.shape)[:, None]

    def _not_held(self, k: int, is_ever: bool, speed: float) -> str:
        place = f"{self.track.name}: at {self.way[k]:.0f} m"
        relief = {
            name: np.degrees(self.track.at(name, self.track.station[k : k + 1])[0])
            for name in ("slope", "banking")
        }
        said = "slope {slope:.1f} deg, banking {banking:.1f} deg".format(**relief)
        if is_ever:
            return f"{place} ({said}) the car slides down below {speed:.1f} m/s; check the banking"
        return f"{place} ({said}) the car does not stay on the road; check heights and banking"

    def _pass(
        self, squares: FloatArray, places: Sequence[int] | range, steps: FloatArray, sign: int
    ) -> None:
        """Forwards by the drive, backwards by the brakes."""
        count = len(squares)
        along = np.broadcast_to(np.asarray(self.loads.along), squares.shape)
        for k in places:
            j = k + sign
            step = steps[min(k, j)]
            gain = self._along(k, squares[k], sign) - sign * along[k]
            squares[j] = min(squares[j], squares[k] + 2.0 * step * gain)
            if not squares[j] > 0.25 * _SLOWEST**2:
                raise ModelError(
                    f"{self.track.name}: at {self.way[k]:.0f} m the car does not "
                    f"{'climb' if sign > 0 else 'brake on'} a slope of "
                    f"{np.degrees(np.arcsin(np.clip(along[k] / STANDARD_GRAVITY, -1, 1))):.1f} deg"
                )
            if self.track.closed and j in (0, count - 1):
                squares[0] = squares[-1] = min(squares[0], squares[-1])

    def _along(self, k: int, square: float, sign: int) -> float:
        """What the envelope has beside the turn of a place, forwards or backwards [m/s^2]."""
        at = (np.sqrt(square) - self.speeds[0]) / (self.speeds[1] - self.speeds[0])
        i = min(max(int(at), 0), len(self.speeds) - 2)
        share = min(max(at - i, 0.0), 1.0)
        rows = self.limits[:, :, i] + share * (self.limits[:, :, i + 1] - self.limits[:, :, i])
        weight = (self._normal[k] + self._by_square[k] * square) / STANDARD_GRAVITY
        lateral = by_weight(rows[:, 0].tolist(), weight)
        most = by_weight(rows[:, 1 if sign > 0 else 2].tolist(), weight)
        used = min(abs(self.bend[k] * square + self._across[k]) / max(lateral, 1e-9), 1.0)
        n = float(self.exponents[0 if sign > 0 else 1, i])
        return float(max(most, 0.0) * (1.0 - used**n) ** (1.0 / n))

    @cached_property
    def _normal(self) -> FloatArray:
        return self._column("normal")[:, 0]

    @cached_property
    def _by_square(self) -> FloatArray:
        return self._column("normal_by_square")[:, 0]

    @cached_property
    def _across(self) -> FloatArray:
        return self._column("across")[:, 0]


def pedals(
    envelope: CarEnvelope, speed: FloatArray, along: FloatArray, loads: RoadLoads | None
) -> dict[str, FloatArray]:
    """Shares of the accelerations that the envelope has alone: as pedals, from 0 to 1."""
    limits = np.array([envelope.pace.limits.at(v) for v in speed.tolist()])
    if loads is not None:
        rows = [[one.limits.at(v) for v in speed.tolist()] for one in envelope.at_weights]
        limits = by_weight(np.array(rows), np.asarray(loads.weight(speed**2))[:, None])
        along = along + np.asarray(loads.along)
    return {
        "throttle": np.clip(along / np.maximum(limits[:, 1], 1e-3), 0.0, 1.0),
        "brake": np.clip(-along / limits[:, 2], 0.0, 1.0),
    }
