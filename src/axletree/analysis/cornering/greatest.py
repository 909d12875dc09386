"""The greatest value on a way of turns, over all its folds, corners and jumps.

A way may turn back and then lead further than before: where the tyres of one axle have no more
forces, brakes that give way leave the rest of the pedal to the other axle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from axletree.analysis.arclength import Curve, CurvePoint, Step
from axletree.analysis.cornering.balances import SIDEWAYS, other_balances, steps_along, turns_aside
from axletree.analysis.cornering.turning import Course, Turning, Vector
from axletree.analysis.cornering.turning_system import EFFORT
from axletree.analysis.cornering.way import Ending, crossing, is_next

SPAN = 20.0  # of s, whose change counts as much as one by 1 of an unknown of that size
LONGEST = 0.1  # step along the curve
MOST_TURNS = 150
MOST_FOLDS = 4  # on one way, which may be closed
LEFT = 0.9  # of the greatest value; a way that has fallen below is left
BELOW = (0.98, 0.94)  # shares of a greatest value, at which other turns are looked for
ROUNDS = 4  # of looking for them
BETTER = 1e-6  # share by which a value counts as greater
JUMPS = (0.01, 0.03, 0.1, 0.3, 1.0)  # of s, over a place where the effort jumps
ROUNDING = 1e-6  # rad
DOWN = 1.0 - 1e-4  # share of a pedal that is all of it, at a corner where it ends
ENDS = (Ending.REACHED, Ending.THROTTLE, Ending.BRAKE, Ending.SIDEWAYS)


@dataclass(frozen=True)
class Summit:
    """The turn with the greatest value of s on a way."""

    turn: Vector
    s: float
    ending: Ending  # why there is no greater one
    tangent: Vector  # d (unknowns, s) along the way, of any length


def greatest(
    turning: Turning, course: Course, start: Vector, first: float, last: float, step: float
) -> Summit:
    """Of the way from the turn ``start`` at s = ``first``, and of ways of other sideslips."""
    best = _on_way(turning, course, start, first, last, step)
    for _ in range(ROUNDS):
        others = _others(turning, course, best)
        summits = (_Climb(turning, course, last).from_turn(turn, s) for turn, s in others)
        better = next((one for one in summits if one.s > (1.0 + BETTER) * best.s), None)
        if better is None:
            break
        best = better
    return best


def _others(turning: Turning, course: Course, best: Summit) -> Iterator[tuple[Vector, float]]:
    """Turns a little below a summit that grip makes, with other sideslips."""
    if best.ending in ENDS or not turns_aside(course):
        return
    for share in BELOW:
        s = share * best.s
        below = turning.solve(course, best.turn, s)
        if below is not None and abs(turning.rows(below)[-1]) < SIDEWAYS:
            yield from other_balances(turning, course, below, s)
            return


def _on_way(
    turning: Turning, course: Course, start: Vector, first: float, last: float, step: float
) -> Summit:
    """Of the way from a turn.

    Whole steps of s are taken as long as they lead on, over all corners on the way; from there
    the way is followed along the curve, until it has fallen well below its greatest value.
    """
    effort = turning.names.index(EFFORT.name)
    side = turning.side_of_fold(course, start, first)
    before, y, s = start, start, first
    while s < last:
        ahead = min(s + step, last)
        near = y + (y - before)
        found = turning.solve(course, near, ahead)
        if found is None or abs(found[effort]) > 1.0 or not is_next(turning, found, near):
            break
        if turning.side_of_fold(course, found, ahead) != side:
            break
        before, y, s = y, found, ahead
    if s >= last:
        return Summit(y, s, Ending.REACHED, np.zeros(len(y) + 1))
    return _Climb(turning, course, last).from_turn(y, s)


class _Climb:
    """A way along the curve, with what is passed on it."""

    def __init__(self, turning: Turning, course: Course, last: float) -> None:
        self._turning, self._course = turning, course
        self._effort = turning.names.index(EFFORT.name)
        self._left = MOST_TURNS
        self._turns_aside = turns_aside(course)
        self._margins: dict[Ending, Callable[[CurvePoint], float]] = {
            Ending.REACHED: lambda p: last - p.value,
            Ending.GRIP: lambda p: float(p.tangent[-1]),
            Ending.THROTTLE: lambda p: 1.0 - float(p.z[self._effort]),
            Ending.BRAKE: lambda p: 1.0 + float(p.z[self._effort]),
            Ending.SIDEWAYS: lambda p: SIDEWAYS - abs(float(turning.rows(p.z[:-1])[-1])),
        }

    def from_turn(self, start: Vector, first: float) -> Summit:
        curve: Curve | None = self._turning.curve(self._course, start, first, SPAN)
        sideways = abs(self._turning.rows(start)[-1]) > SIDEWAYS
        best = Summit(start, 0.0 if sideways else first, Ending.LOST, np.zeros(len(start) + 1))
        folds = 0
        while curve is not None:
            at = curve.first
            for at, ending in self._on(curve):
                if at.value >= best.s and self._margins[Ending.SIDEWAYS](at) >= -ROUNDING:
                    best = Summit(at.z[:-1], at.value, ending, at.tangent)
                elif at.value < best.s and best.ending is Ending.LOST:  # the way leads down
                    best = replace(best, ending=Ending.GRIP)
                folds += ending is Ending.GRIP
                if at.value < LEFT * best.s or ending in ENDS or folds >= MOST_FOLDS:
                    return best
            curve = self._beyond(at) if at.value >= best.s else None
        return best

    def _on(self, curve: Curve) -> Iterator[tuple[CurvePoint, Ending]]:
        """Turns along a curve; beside those of its steps, where it turns back or a pedal is down.

        ``Ending.LOST`` are those at which nothing is known to end.
        """
        at = curve.first
        for step in steps_along(curve, LONGEST, self._left, self._turns_aside):
            self._left -= 1
            yield from self._passed(curve, at, step)
            at = step.point
            yield at, Ending.LOST
        if abs(at.z[self._effort]) >= DOWN:
            yield at, Ending.THROTTLE if at.z[self._effort] > 0.0 else Ending.BRAKE

    def _passed(
        self, curve: Curve, at: CurvePoint, step: Step
    ) -> Iterator[tuple[CurvePoint, Ending]]:
        found: list[tuple[float, CurvePoint, Ending]] = []
        for ending, margin in self._margins.items():
            if margin(step.point) <= 0.0 < margin(at):
                found.append((*crossing(curve, at, step, margin), ending))
        for _, point, ending in sorted(found, key=lambda one: one[0]):
            yield point, ending

    def _beyond(self, at: CurvePoint) -> Curve | None:
        """A new curve beyond a place where the effort jumps, as where gears change."""
        for jump in JUMPS:
            s = at.value + jump
            found = self._turning.solve(self._course, at.z[:-1], s)
            if found is None or not is_next(self._turning, found, at.z[:-1]):
                continue
            if abs(found[self._effort]) <= 1.0:
                return self._turning.curve(self._course, found, s, SPAN)
        return None
