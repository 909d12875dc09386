"""Limits of turns: the maximum over folds, corners and jumps, and in all directions.

``DirectionSearch`` looks for the maximum accelerations in directions all around, each from
more than one turn; ``limit_on_branch`` is that of one branch, ``ascent`` that near a turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

import numpy as np

from axletree.analysis.handling.turn_bounds import TurnBounds
from axletree.analysis.handling.turn_branch import (
    Ending,
    Margin,
    endings_within,
    is_next_turn,
    turn_margins,
)
from axletree.analysis.steady.arclength import CurvePoint, CurveStep, SolutionCurve
from axletree.analysis.steady.turning import (
    FREE_TURN,
    TURN_LATERAL,
    TurnCourse,
)
from axletree.core.arrays import FloatArray
from axletree.core.errors import ExpressionError

WHOLE_STEP, GREATEST = 1.5, 60.0  # m/s^2
_PASSES = 6  # over all directions
SHARES = (0.98, 0.9)  # of what a neighbour has, to rise in a direction from
MOST_GAIN = 1.1  # times what a direction has, from where it rises at most
TURN = np.radians(3.0)  # from one direction to the next on the way from a neighbour
SAME_LENGTH = 1e-12
# Starts of ascents in a turn to the left: sideslip and road wheels [deg], and rates of rims over
# those straight ahead. Those of ``_AGAIN`` lie between the others, for dents.
_STARTS = ((-20.0, -12.0, -4.0, 4.0), (-15.0, 0.0, 15.0, 30.0, 40.0), (1.0, 0.9, 0.8))
_AGAIN = ((-24.0, -16.0, -8.0, 0.0), (-22.0, -7.0, 7.0, 22.0, 35.0), (0.95, 0.7))
_BEGUN = 0.8  # share of what a direction has, that they begin at
Starts = tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]]
DENT = 0.01  # share of its size, by which a point lies inside the line between its neighbours


def dent_depths(along: FloatArray, lateral: FloatArray) -> FloatArray:
    """How far points lie inside the line between their neighbours, by the size of each.

    The points are those of a closed envelope, from forwards to the left; negative is outside.
    """
    points = along + 1j * lateral
    before, after = np.roll(points, 1), np.roll(points, -1)
    line = after - before
    line /= np.where(line == 0.0, 1.0, np.abs(line))
    sizes = np.abs(points)
    return np.asarray(((points - before) * line.conj()).imag / np.where(sizes > 0.0, sizes, 1.0))


class DirectionSearch:
    """Directions [rad] from straight ahead to the left, at a speed [m/s]."""

    def __init__(
        self,
        bounds: TurnBounds,
        speed: float,
        angles: Sequence[float] | FloatArray,
        *,
        around: bool,
    ) -> None:
        """``around``: the first direction follows after the last."""
        self._bounds, self._turning, self.speed = bounds, bounds.turning, speed
        self.angles, self._around = tuple(float(angle) for angle in angles), around

    def limits(self, straight: FloatArray, done: Callable[[], None]) -> list[Limit]:
        """The maximum accelerations, as sizes s [m/s^2]; ``done`` is called after each.

        All are climbed from straight ahead. Those that no pedal limits ascend from starts all over
        sideslip and steering, and then each from the turns of its neighbours, as long as one
        becomes greater. Dents that are left ascend from further starts.
        """
        found = []
        for angle in self.angles:
            course = self._course(angle)
            found.append(limit_on_branch(self._bounds, course, straight, 0.0, GREATEST, WHOLE_STEP))
            done()
        for k, one in enumerate(found):
            if one.ending not in _PEDALS:
                self._ascend(found, k, straight, _STARTS)
        self._pass_on(found, set(range(len(found))))
        dents = {k for k in self._dents(found) if self._ascend(found, k, straight, _AGAIN)}
        self._pass_on(found, dents)
        return found

    def _pass_on(self, found: list[Limit], changed: set[int]) -> None:
        """From direction to direction, until none becomes greater."""
        for _ in range(_PASSES):
            if not changed:
                return
            changed = self._mended(found, changed)

    def _dents(self, found: Sequence[Limit]) -> list[int]:
        points = np.array([self.point(k, one.s) for k, one in enumerate(found)])
        depths = dent_depths(*points.T)
        inner = range(len(found)) if self._around else range(1, len(found) - 1)
        return [k for k in inner if depths[k] > DENT]

    def _ascend(self, found: list[Limit], k: int, straight: FloatArray, starts: Starts) -> bool:
        """Whether a greater one is put in its place, from starts that are no turns."""
        before, angle = found[k], self.angles[k]
        if not turns_aside(self._course(angle)):
            return False
        s = _BEGUN * before.s
        side = np.radians(np.sign(np.sin(angle)))
        for sideslip, wheels, rims in product(*starts):
            start = self._bounds.start(
                straight, side * sideslip, side * wheels, rims, self.point(k, s)
            )
            found[k] = self._ascended(k, found[k].s, start, s, [angle]) or found[k]
        return found[k] is not before

    def _mended(self, found: list[Limit], changed: set[int]) -> set[int]:
        """The places of those that became greater, from neighbours that have changed."""
        better: set[int] = set()
        for k in range(len(found)):
            for j in self._neighbours(k):
                if j not in changed | better:
                    continue
                other = self._from(found, j, k)
                if other is not None:
                    found[k] = other
                    better.add(k)
        return better

    def _neighbours(self, k: int) -> list[int]:
        count = len(self.angles)
        near = (k - 1, k + 1)
        return [j % count for j in near if self._around or 0 <= j < count]

    def point(self, k: int, s: float) -> FloatArray:
        """Accelerations along and across the path of a size, in a direction."""
        return s * self._ahead(self.angles[k])

    def _ahead(self, angle: float) -> FloatArray:
        ahead = np.array([np.cos(angle), np.sin(angle)])
        return np.where(np.abs(ahead) > SAME_LENGTH, ahead, 0.0)

    def _from(self, found: Sequence[Limit], j: int, k: int) -> Limit | None:
        """A greater maximum of direction k than its own, from the turn of direction j."""
        if not turns_aside(self._course(self.angles[k])):
            return None
        between = (self.angles[k] - self.angles[j] + np.pi) % (2.0 * np.pi) - np.pi
        count = int(np.ceil(abs(between) / TURN))
        ways = ((1, min(found[j].s, MOST_GAIN * found[k].s)), (count, found[j].s))
        for (steps, first), share in product(ways, SHARES):
            turns = between * np.arange(1, steps + 1) / steps
            way = self.angles[j] + turns
            better = self._ascended(k, found[k].s, found[j].turn, share * first, way)
            if better is not None:
                return better
        return None

    def _ascended(
        self, k: int, least: float, turn: FloatArray, s: float, angles: Sequence[float] | FloatArray
    ) -> Limit | None:
        """A greater maximum of direction k than the least, by directions from a turn to it."""
        for angle in angles[:-1]:
            risen = ascent(self._bounds, self._course(float(angle)), turn, s)
            if risen is None:
                return None
            turn, s = risen.turn, SHARES[0] * risen.s
        found = ascent(self._bounds, self._course(self.angles[k]), turn, s)
        return found if found is not None and found.s > (1.0 + BETTER) * least else None

    def _course(self, angle: float) -> TurnCourse:
        along, across = (float(part) for part in self._ahead(angle))
        held = {"path.speed": self.speed, "path.lateral": 0.0, **FREE_TURN}
        return TurnCourse.line(held, {"path.lateral": across, "path.acceleration": along})


# The maximum on a branch of turns, over all its folds, corners and jumps.
#
# A branch may turn back and then lead further than before: where the tyres of one axle are
# saturated, limited brakes leave the rest of the pedal to the other axle.

SPAN = 20.0  # of s, whose change counts as much as one by 1 of an unknown of that size
LONGEST_STEP = 0.1  # step along the curve
_MOST_TURNS = 150
MOST_FOLDS = 4  # on one branch, which may be closed
_LEFT = 0.9  # of the maximum; a branch that has fallen below is left
BETTER = 1e-5  # share by which a value counts as greater
_JUMPS = (0.01, 0.03, 0.1, 0.3, 1.0)  # of s, over a place where the effort jumps
DOWN = 1.0 - 1e-4  # share of a pedal that is all of it, at a corner where it ends
_PEDALS = (Ending.REACHED, Ending.THROTTLE, Ending.BRAKE)
_EDGES = (Ending.SIDEWAYS, Ending.FULL_LOCK, Ending.LOCKED, Ending.SPINNING)
_ENDS = (*_PEDALS, *_EDGES)


@dataclass(frozen=True)
class Limit:
    """The turn with the maximum of s on a branch."""

    turn: FloatArray
    s: float
    ending: Ending  # why there is no greater one
    tangent: FloatArray  # d (unknowns, s) along the branch, of any length


def limit_on_branch(
    bounds: TurnBounds,
    course: TurnCourse,
    start: FloatArray,
    first: float,
    last: float,
    step: float,
) -> Limit:
    """Of the branch from a turn.

    Whole steps of s are taken as long as they lead on, over all corners; from there
    the branch is followed along the curve, until it has fallen well below its maximum.
    """
    turning = bounds.turning
    side = turning.side_of_fold(course, start, first)
    before, y, s = start, start, first
    while s < last:
        ahead = min(s + step, last)
        near = y + (y - before)
        found = turning.solve(course, near, ahead)
        if found is None or not is_next_turn(turning, found, near):
            break
        if not bounds.hold(found) or turning.side_of_fold(course, found, ahead) != side:
            break
        before, y, s = y, found, ahead
    if s >= last:
        return Limit(y, s, Ending.REACHED, np.zeros(len(y) + 1))
    return _Climb(bounds, course, last).from_turn(y, s)


def _margin(bounds: TurnBounds, ending: Ending, at: CurvePoint) -> float:
    return bounds.margins(at.z[:-1])[ending]


class _Climb:
    """A branch along the curve, with what is passed on it."""

    def __init__(self, bounds: TurnBounds, course: TurnCourse, last: float) -> None:
        self._turning, self._bounds, self._course = bounds.turning, bounds, course
        self._left = _MOST_TURNS
        self._turns_aside = turns_aside(course)
        self._margins: dict[Ending, Margin] = turn_margins(bounds.turning, last, 1.0)
        for ending in _EDGES:
            self._margins[ending] = partial(_margin, bounds, ending)

    def from_turn(self, start: FloatArray, first: float) -> Limit:
        begun = self._turning.curve(self._course, start, first, SPAN)
        counts = self._is_own(begun.first)
        curve: SolutionCurve | None = begun
        best = Limit(start, first if counts else 0.0, Ending.LOST, np.zeros(len(start) + 1))
        folds = 0
        while curve is not None and self._left:
            at = curve.first
            for at, ending in self._on(curve):
                if at.value >= best.s and self._is_own(at):
                    best = Limit(at.z[:-1], at.value, ending, at.tangent)
                elif at.value < best.s and best.ending is Ending.LOST:  # the branch leads down
                    best = replace(best, ending=Ending.GRIP)
                folds += ending is Ending.GRIP
                if at.value < _LEFT * best.s or ending in _ENDS or folds >= MOST_FOLDS:
                    return best
            curve = self._beyond(at) if at.value >= best.s else None
        return best

    def _is_own(self, at: CurvePoint) -> bool:
        """Whether the vehicle has it by its own pedals, and neither sideways nor locked.

        A branch that begins beyond what its pedals give is towed, and may be so all along.
        """
        return self._bounds.hold(at.z[:-1])

    def _on(self, curve: SolutionCurve) -> Iterator[tuple[CurvePoint, Ending]]:
        """Turns along a curve; beside those of its steps, where it turns back or a pedal is down.

        ``Ending.LOST`` are those at which nothing is known to end.
        """
        at = curve.first
        for step in steps_along(curve, LONGEST_STEP, self._left, self._turns_aside):
            self._left -= 1
            for ending, point in endings_within(curve, at, step, self._margins):
                yield point, ending
            at = step.point
            yield at, Ending.LOST
        effort = at.z[self._turning.effort]
        if abs(effort) >= DOWN:
            yield at, Ending.THROTTLE if effort > 0.0 else Ending.BRAKE

    def _beyond(self, at: CurvePoint) -> SolutionCurve | None:
        """A new curve beyond a place where the effort jumps, as where gears change."""
        for jump in _JUMPS:
            s = at.value + jump
            found = self._turning.solve(self._course, at.z[:-1], s)
            if found is None or not is_next_turn(self._turning, found, at.z[:-1]):
                continue
            if abs(found[self._turning.effort]) <= 1.0:
                return self._turning.curve(self._course, found, s, SPAN)
        return None


def turns_aside(course: TurnCourse) -> bool:
    """Whether it leads to one side; from straight ahead turns to both sides branch off."""
    return bool(course.slopes(0.0)[course.names.index(TURN_LATERAL.name)])


def steps_along(
    curve: SolutionCurve, longest: float, most: int, keeps_sense: bool
) -> Iterator[CurveStep]:
    """Steps from the first point on, around corners."""
    at, length = curve.first, 0.1 * longest
    sense = curve.sense(at) if keeps_sense else 0.0
    for _ in range(most):
        step = curve.advance(at, length, longest) or curve.around(at, longest, sense)
        if step is None:
            return
        if sense and curve.sense(step.point) == -sense:  # around a corner in a tiny step
            back = replace(step.point, tangent=-step.point.tangent)
            step = replace(step, point=back)
        yield step
        at, length = step.point, step.following


# The maximum near a turn by the condition of an optimum, whatever branch it is on: sequential
# quadratic programming (Kraft, A software package for sequential quadratic programming, DLR-FB
# 88-28, 1988), with the equations of turns as constraints. It may begin at what is no turn.

_MOST_ITERATIONS = 100
_SETTLED = 1e-9  # change of s in units of its size, at which it ends
_SIZE = 10.0  # m/s^2, of s
_LEAST_SIZE = 0.03  # of unknowns
SOLVED = 1e-7  # of residuals over the greatest slopes of their rows
TOUCHED = 1e-5  # of margins, that are used up


def ascent(bounds: TurnBounds, course: TurnCourse, start: FloatArray, first: float) -> Limit | None:
    """A maximum of s within bounds, near a start; None where none was found."""
    from scipy.optimize import minimize

    problem = _Maximum(bounds, course, start, first)
    try:
        found = minimize(
            lambda q: -float(q[-1]), np.append(start, first) / problem.sizes,
            jac=lambda q: problem.downhill, method="SLSQP",
            options={"maxiter": _MOST_ITERATIONS, "ftol": _SETTLED},
            constraints=[
                {"type": "eq", "fun": problem.left, "jac": problem.left_slopes},
                {"type": "ineq", "fun": problem.margins, "jac": problem.margin_slopes},
            ],
        )  # fmt: skip
        if not np.isfinite(found.x).all() or np.abs(problem.left(found.x)).max() > SOLVED:
            return None
    except ExpressionError:  # no real value on its way
        return None
    z = found.x * problem.sizes
    return _limit_at(bounds, course, z) if bounds.hold(z[:-1]) else None


def _limit_at(bounds: TurnBounds, course: TurnCourse, z: FloatArray) -> Limit:
    """What a maximum is limited by: an edge that it is at, or grip, where turns turn back."""
    turn, s = z[:-1], float(z[-1])
    edge, left = min(bounds.margins(turn).items(), key=lambda one: one[1])
    if left <= TOUCHED:
        return Limit(turn, s, edge, np.zeros(len(z)))
    slopes = bounds.turning.residual_slopes(course, turn, s)[:, :-1]
    sizes = np.abs(turn) + 1.0
    scaled = slopes * sizes
    rows = np.abs(scaled).max(axis=1, keepdims=True)
    along = np.linalg.svd(scaled / np.where(rows > 0.0, rows, 1.0))[2][-1]
    return Limit(turn, s, Ending.GRIP, np.append(along * sizes, 0.0))


class _Maximum:
    """The greatest s as an optimisation, over unknowns and s in units of their sizes."""

    def __init__(
        self, bounds: TurnBounds, course: TurnCourse, start: FloatArray, first: float
    ) -> None:
        turning = bounds.turning
        self._turning, self._bounds, self._course = turning, bounds, course
        self.sizes = np.append(np.maximum(np.abs(start), _LEAST_SIZE), _SIZE)
        self.sizes[turning.moment] = turning.of.weight  # at an arm of 1 m
        rows = np.abs(turning.residual_slopes(course, start, first) * self.sizes).max(axis=1)
        self._rows = np.where(rows > 0.0, rows, 1.0)
        self.downhill = np.append(np.zeros(len(start)), -1.0)

    def left(self, q: FloatArray) -> FloatArray:
        z = q * self.sizes
        return self._turning.residual(self._course, z[:-1], float(z[-1])) / self._rows

    def left_slopes(self, q: FloatArray) -> FloatArray:
        z = q * self.sizes
        slopes = self._turning.residual_slopes(self._course, z[:-1], float(z[-1]))
        return np.asarray(slopes * self.sizes / self._rows[:, None])

    def margins(self, q: FloatArray) -> FloatArray:
        return self._bounds.rows((q * self.sizes)[:-1])

    def margin_slopes(self, q: FloatArray) -> FloatArray:
        slopes = self._bounds.row_slopes((q * self.sizes)[:-1]) * self.sizes[:-1]
        return np.hstack([slopes, np.zeros((len(slopes), 1))])
