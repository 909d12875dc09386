"""Free turns all over what a driver can do, whatever their accelerations.

At one speed free turns have two degrees of freedom. So they lie on sheets over two of sideslip,
steering wheel and pedals, which are filled from straight ahead: each place of a grid is solved
from the turn of a place beside it. ``TurnBounds`` are the edges of these sheets, and of all
searches for limits.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import combinations

import numpy as np

from axletree.analysis.handling.turn_branch import Ending
from axletree.analysis.steady.turning import (
    EFFORT,
    FREE_TURN,
    TURN_SIDESLIP,
    TURN_STEERING,
    TurnCourse,
    Turning,
)
from axletree.core.arrays import FloatArray
from axletree.vehicles.suspensions import SIDES

SIDEWAYS = np.radians(25.0)  # of sideslip, beyond which no turns are looked for
_FULL_LOCK = np.radians(35.0)  # of road wheels; that of cars is at 30 to 40 deg
_LOCKS, _SPINS = 0.5, 2.0  # times the path speed, of the faster rim of an axle
_BACKWARDS = -0.02  # likewise, of any rim: brakes do not turn wheels backwards
_ROUNDING = 2e-6  # of margins: rad, shares of a pedal, of a speed


class TurnBounds:
    """Edges of the turns that count: pedals, sideslip, steering, and axles that roll.

    Beyond what its pedals give a vehicle is towed. A locked axle leaves it no direction: in
    front nothing steers it, behind nothing keeps it from spinning round. One wheel of an axle may
    lock.
    """

    def __init__(
        self, turning: Turning, lock: float = _FULL_LOCK, sideways: float = SIDEWAYS
    ) -> None:
        """Maximum road wheel angle, by the ratio of the steering, and sideslip [rad]."""
        self.turning, self.lock, self.sideways = turning, lock, sideways
        vehicle = turning.of.vehicle
        steerings = (axle.steering for axle in vehicle.axles.values())
        self._ratio = min(abs(one.ratio) for one in steerings if one is not None)
        self.steering_wheel = self._ratio * lock  # [rad], its greatest angle
        self._steering = turning.names.index(TURN_STEERING.name)
        self._wheels = {
            name: [k for k, q in enumerate(turning.names) if q in _rates(name)]
            for name in vehicle.every_axle
        }
        self._radii = {name: axle.wheel.radius for name, axle in vehicle.every_axle.items()}

    def margins(self, y: FloatArray) -> dict[Ending, float]:
        """What is left of each [rad, or shares]; negative beyond an edge."""
        left = self.rows(y)
        return {
            Ending.BRAKE: left[0], Ending.THROTTLE: left[1], Ending.SIDEWAYS: left[2:4].min(),
            Ending.FULL_LOCK: left[4:6].min(),
            Ending.LOCKED: left[6::4].min(initial=1.0),
            Ending.SPINNING: left[7::4].min(initial=1.0),
        }  # fmt: skip

    def hold(self, y: FloatArray) -> bool:
        """Whether a turn is within all of them."""
        return bool(self.rows(y).min() >= -_ROUNDING)

    def apart(self, one: FloatArray, other: FloatArray) -> float:
        """How far two turns differ in sideslip or in the angle of road wheels [rad]."""
        wheels = abs(one[self._steering] - other[self._steering]) / self._ratio
        return max(float(wheels), abs(self.turning.sideslip(one) - self.turning.sideslip(other)))

    def locked_axle(self, y: FloatArray) -> str:
        """The one whose rims are slowest."""
        return min(self._wheels, key=lambda name: self._radii[name] * y[self._wheels[name]].max())

    def rows(self, y: FloatArray) -> FloatArray:
        """What must not be negative: pedals, sideslip, steering wheel, and four of each axle."""
        speed = float(self.turning.rows(y)[-3])
        ranges = [
            (y[self.turning.effort], -1.0, 1.0),
            (self.turning.sideslip(y), -self.sideways, self.sideways),
            (y[self._steering], -self.steering_wheel, self.steering_wheel),
        ]  # fmt: skip
        for name, wheels in self._wheels.items():
            slow, fast = np.sort(self._radii[name] / speed * y[wheels])[[0, -1]]
            ranges += [(fast, _LOCKS, _SPINS), (slow, _BACKWARDS, _SPINS)]
        return np.array([left for q, low, high in ranges for left in (q - low, high - q)])

    def row_slopes(self, y: FloatArray) -> FloatArray:
        """d rows / d y."""
        unit, slopes = np.eye(len(y)), self.turning.rows.slopes(y)
        speed, by_speed = float(self.turning.rows(y)[-3]), slopes[-3]
        by = [unit[self.turning.effort], slopes[-1], unit[self._steering]]
        for name, wheels in self._wheels.items():
            order = [wheels[k] for k in np.argsort(y[wheels])]
            for k in (order[-1], order[0]):
                by.append(self._radii[name] / speed * (unit[k] - y[k] / speed * by_speed))
        return np.array([sign * own for own in by for sign in (1.0, -1.0)])


def _rates(axle: str) -> list[str]:
    """Names of the spin rates of an axle's wheels."""
    return [f"{axle}_{side}_axle.rate" for side in SIDES]


_BEYOND = 1.7  # times the angles of bounds, to which sheets lead
_PLACES = 21  # of a grid, to each of its sides
_AROUND = ((1, 0), (-1, 0), (0, 1), (0, -1))


def free_turns(bounds: TurnBounds, straight: FloatArray) -> Iterator[FloatArray]:
    """Turns at the speed of the motion ``straight`` ahead, from three sheets.

    They lead beyond the bounds of angles: maxima within them may hang together with others only
    there.
    """
    wide = TurnBounds(bounds.turning, _BEYOND * bounds.lock, _BEYOND * bounds.sideways)
    spans = {
        TURN_SIDESLIP.name: wide.sideways,
        TURN_STEERING.name: wide.steering_wheel,
        EFFORT.name: 1.0,
    }
    for pair in combinations(spans, 2):
        grid = {name: np.linspace(-spans[name], spans[name], _PLACES) for name in pair}
        for turn in _sheet(bounds.turning, grid, straight):
            if wide.hold(turn):
                yield turn


def _sheet(
    turning: Turning, grid: dict[str, FloatArray], straight: FloatArray
) -> Iterator[FloatArray]:
    """Turns at the places of a grid, as far as they hang together from straight ahead."""
    speed = float(turning.rows(straight)[-3])
    held = {"path.speed": speed, "restraint.Mz": FREE_TURN["restraint.Mz"]}

    def solved(place: tuple[int, int], near: FloatArray) -> FloatArray | None:
        own = {
            name: float(values[k]) for (name, values), k in zip(grid.items(), place, strict=True)
        }
        turn = turning.solve(TurnCourse.line({**held, **own}, {}), near)
        return turn if turn is not None and abs(turning.sideslip(turn)) < np.pi / 2.0 else None

    values = dict(zip(turning.names, straight, strict=True)) | {TURN_SIDESLIP.name: 0.0}
    first = tuple(int(np.abs(grid[name] - values[name]).argmin()) for name in grid)
    begun = solved(first, straight)  # type: ignore[arg-type]
    found = {} if begun is None else {first: begun}
    left = deque(found)
    while left:
        i, j = left.popleft()
        yield found[i, j]
        for di, dj in _AROUND:
            place, before = (i + di, j + dj), found.get((i - di, j - dj))
            if place in found or not all(0 <= k < _PLACES for k in place):
                continue
            near = found[i, j]
            guesses = [near] if before is None else [2.0 * near - before, near]
            turns = (solved(place, guess) for guess in guesses)
            turn = next((one for one in turns if one is not None), None)
            if turn is not None:
                found[place] = turn
                left.append(place)
