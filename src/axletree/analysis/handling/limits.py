"""Limits of turns: the maximum over folds, corners and jumps, and in all directions.

``DirectionSearch`` looks for the maximum accelerations in directions all around, each from
more than one turn; ``find_limit`` is the search in one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

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
    MOMENT,
    TURN_LATERAL,
    TURN_SIDESLIP,
    TurnCourse,
    Turning,
)
from axletree.core.arrays import FloatArray
from axletree.core.errors import ExpressionError

WHOLE_STEP, GREATEST = 1.5, 60.0  # m/s^2
_PASSES = 6  # over all directions
SHARES = (0.98, 0.9)  # of what a neighbour has, to rise in a direction from
MOST_GAIN = 1.1  # times what a direction has, from where it rises at most
TURN = np.radians(3.0)  # from one direction to the next on the way from a neighbour
SAME_LENGTH = 1e-12


class DirectionSearch:
    """Directions [rad] from straight ahead to the left, at a speed [m/s]."""

    def __init__(
        self, turning: Turning, speed: float, angles: Sequence[float] | FloatArray, *, around: bool
    ) -> None:
        """``around``: the first direction follows after the last."""
        self._turning, self.speed = turning, speed
        self.angles, self._around = tuple(float(angle) for angle in angles), around

    def limits(self, straight: FloatArray, done: Callable[[], None]) -> list[Limit]:
        """The maximum accelerations, as sizes s [m/s^2]; ``done`` is called after each.

        All are climbed from straight ahead, and then each from the turns of its neighbours, as
        long as one becomes greater.
        """
        found = []
        for angle in self.angles:
            course = self._course(angle)
            found.append(find_limit(self._turning, course, straight, 0.0, GREATEST, WHOLE_STEP))
            done()
        changed = set(range(len(found)))
        for _ in range(_PASSES):
            changed = self._mended(found, changed)
            if not changed:
                break
        return found

    def _mended(self, found: list[Limit], changed: set[int]) -> set[int]:
        """The places of those that became greater, from neighbours that have changed."""
        better: set[int] = set()
        for k in range(len(found)):
            for j in self._neighbours(k):
                if j not in changed | better:
                    continue
                other = self._from(found, j, k)
                if other is not None and other.s > (1.0 + BETTER) * found[k].s:
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
            risen = self._risen(found[j].turn, first, share, self.angles[j] + turns)
            if risen is not None and risen[1] > (1.0 + BETTER) * found[k].s:
                course = self._course(self.angles[k])
                return _Climb(self._turning, course, GREATEST).from_turn(*risen)
        return None

    def _risen(
        self, turn: FloatArray, s: float, share: float, angles: FloatArray
    ) -> tuple[FloatArray, float] | None:
        """The maximum in the last of directions [rad], by those before it."""
        for angle in angles.tolist():
            risen = ascent(self._turning, self._course(angle), turn, share * s)
            if risen is None:
                return None
            turn, s = risen
        return turn, s

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
_BELOW = (0.98, 0.94)  # shares of a maximum, at which other turns are looked for
ROUNDS = 4  # of looking for them
BETTER = 1e-6  # share by which a value counts as greater
_JUMPS = (0.01, 0.03, 0.1, 0.3, 1.0)  # of s, over a place where the effort jumps
SAME_ANGLE = 1e-6  # rad
SAME_EFFORT = 1e-6  # share of a pedal
DOWN = 1.0 - 1e-4  # share of a pedal that is all of it, at a corner where it ends
_PEDALS = (Ending.REACHED, Ending.THROTTLE, Ending.BRAKE)
_ENDS = (*_PEDALS, Ending.SIDEWAYS)


@dataclass(frozen=True)
class Limit:
    """The turn with the maximum of s on a branch."""

    turn: FloatArray
    s: float
    ending: Ending  # why there is no greater one
    tangent: FloatArray  # d (unknowns, s) along the branch, of any length


def find_limit(
    turning: Turning, course: TurnCourse, start: FloatArray, first: float, last: float, step: float
) -> Limit:
    """Of the branch from the turn ``start`` at s = ``first``, and of those of other sideslips."""
    best = limit_on_branch(turning, course, start, first, last, step)
    for _ in range(ROUNDS):
        others = _others(turning, course, best)
        climbed = (_Climb(turning, course, last).from_turn(turn, s) for turn, s in others)
        better = next((one for one in climbed if one.s > (1.0 + BETTER) * best.s), None)
        if better is None:
            break
        best = better
    return best


def _others(
    turning: Turning, course: TurnCourse, best: Limit
) -> Iterator[tuple[FloatArray, float]]:
    """Turns whose restraint has no moment, with s, to both sides of one a little below a limit.

    They are at the s of that turn, or beyond it where a moment at a sideslip vanishes as s grows.
    """
    if best.ending in _PEDALS or not turns_aside(course):
        return
    for share in _BELOW:
        s = share * best.s
        below = turning.solve(course, best.turn, s)
        if below is not None and abs(turning.sideslip(below)) < SIDEWAYS:
            for end in (-SIDEWAYS, SIDEWAYS):
                yield from _to_side(turning, course, below, s, end, best.s)
            return


def limit_on_branch(
    turning: Turning, course: TurnCourse, start: FloatArray, first: float, last: float, step: float
) -> Limit:
    """Of the branch from a turn.

    Whole steps of s are taken as long as they lead on, over all corners; from there
    the branch is followed along the curve, until it has fallen well below its maximum.
    """
    side = turning.side_of_fold(course, start, first)
    before, y, s = start, start, first
    while s < last:
        ahead = min(s + step, last)
        near = y + (y - before)
        found = turning.solve(course, near, ahead)
        if found is None or not is_next_turn(turning, found, near):
            break
        if abs(found[turning.effort]) > 1.0 or turning.side_of_fold(course, found, ahead) != side:
            break
        before, y, s = y, found, ahead
    if s >= last:
        return Limit(y, s, Ending.REACHED, np.zeros(len(y) + 1))
    return _Climb(turning, course, last).from_turn(y, s)


class _Climb:
    """A branch along the curve, with what is passed on it."""

    def __init__(self, turning: Turning, course: TurnCourse, last: float) -> None:
        self._turning, self._course = turning, course
        self._left = _MOST_TURNS
        self._turns_aside = turns_aside(course)
        self._margins: dict[Ending, Margin] = {
            **turn_margins(turning, last, 1.0),
            Ending.SIDEWAYS: lambda p: SIDEWAYS - abs(turning.sideslip(p.z[:-1])),
        }

    def from_turn(self, start: FloatArray, first: float) -> Limit:
        begun = self._turning.curve(self._course, start, first, SPAN)
        counts = self._is_own(begun.first)
        curve: SolutionCurve | None = begun
        best = Limit(start, first if counts else 0.0, Ending.LOST, np.zeros(len(start) + 1))
        folds = 0
        while curve is not None:
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
        """Whether the vehicle has it by its own pedals and is not sideways.

        A branch that begins beyond what its pedals give is towed, and may be so all along.
        """
        effort = abs(float(at.z[self._turning.effort]))
        return effort <= 1.0 + SAME_EFFORT and self._margins[Ending.SIDEWAYS](at) >= -SAME_ANGLE

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


# Other turns of the same accelerations: with more or less sideslip, and no yaw moment left.
#
# Held at a sideslip, a vehicle takes a yaw moment to have given accelerations along and across its
# path. Where this moment vanishes over the sideslip, it has them by itself (compare Milliken and
# Milliken 1995, chapter 8).

SIDEWAYS = np.radians(25.0)  # of sideslip, beyond which no turns are looked for
LONGEST_SIDESLIP_STEP = 0.15  # step along the curve, over a span that is 1
MOST_BALANCE_TURNS = 60
_APART = np.radians(5.0)  # of sideslip, from one climb to the next
_GROWTH, STEPS = 0.015, 14  # of s in a step on a climb, and how many of these
NEARLY = 0.9  # of the distance to where a moment should vanish


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


def _to_side(
    turning: Turning, course: TurnCourse, turn: FloatArray, s: float, end: float, best: float
) -> Iterator[tuple[FloatArray, float]]:
    """Turns without moment at s or above it; those that rise are above the best."""
    moment = turning.moment
    last, sign = turn, 0.0  # of the moment, whose own is a rounding error
    climbed = turning.sideslip(turn)
    for y in _held(turning, course, turn, s, end):
        now = float(np.sign(y[moment]))
        if sign and now != sign:
            share = last[moment] / (last[moment] - y[moment])
            yield from _balance(turning, course, last + share * (y - last), s)
        sideslip = turning.sideslip(y)
        if abs(sideslip - climbed) > _APART:
            climbed = sideslip
            yield from _above(turning, course, y, s)
            risen = ascent(turning, course, y, s)
            if risen is not None and risen[1] > (1.0 + BETTER) * best:
                yield risen
        last, sign = y, now


def _balance(
    turning: Turning, course: TurnCourse, near: FloatArray, s: float
) -> Iterator[tuple[FloatArray, float]]:
    """The turn without moment near one, if the vehicle can and is not too much sideways."""
    found = turning.solve(course, near, s)
    if found is None or abs(found[turning.effort]) > 1.0:
        return
    if abs(turning.sideslip(found)) < SIDEWAYS:
        yield found, s


def _held(
    turning: Turning, course: TurnCourse, turn: FloatArray, s: float, end: float
) -> Iterator[FloatArray]:
    """Turns at one s with other sideslips, first towards an end."""
    first = turning.sideslip(turn)
    curve = turning.curve(_with_sideslip(course, s), turn, first, end - first)
    for step in steps_along(curve, LONGEST_SIDESLIP_STEP, MOST_BALANCE_TURNS, keeps_sense=True):
        if abs(step.point.value) > SIDEWAYS:
            return
        yield step.point.z[:-1]


def _with_sideslip(course: TurnCourse, s: float) -> TurnCourse:
    """The sideslip is given in place of the moment."""
    values = dict(zip(course.names, course.values(s), strict=True))
    assert values.pop(MOMENT.name) == 0.0
    return TurnCourse.line({**values, TURN_SIDESLIP.name: 0.0}, {TURN_SIDESLIP.name: 1.0})


def _above(
    turning: Turning, course: TurnCourse, turn: FloatArray, s: float
) -> Iterator[tuple[FloatArray, float]]:
    """The first turn about this sideslip at which the moment vanishes as s grows.

    From each turn to the next the moment shows how far off it is: beyond it there may be none.
    """
    moment, effort = turning.moment, turning.effort
    sideslip, step = turning.sideslip(turn), _GROWTH * s
    before, y = turn, turn
    for ahead in s + step * np.arange(1, STEPS + 1):
        found = turning.solve(_with_sideslip(course, ahead), y + (y - before), sideslip)
        if found is None or abs(found[effort]) > 1.0:
            return
        before, y = y, found
        left = y[moment] / ((before[moment] - y[moment]) or np.inf)
        if left <= 0.0 and y[moment] * turn[moment] > 0.0:
            return
        if left < 1.0:
            near = y + NEARLY * left * (y - before)
            yield from _balance(turning, course, near, ahead + NEARLY * left * step)
            return


# The maximum near a turn by the condition of an optimum, whatever branch it is on: sequential
# quadratic programming (Kraft, A software package for sequential quadratic programming, DLR-FB
# 88-28, 1988), with the equations of turns as constraints. It may begin at what is no turn.

_MOST_ITERATIONS = 100
_SETTLED = 1e-9  # change of s in units of its size, at which it ends
_SIZE = 10.0  # m/s^2, of s
_LEAST_SIZE = 0.03  # of unknowns
_SHORT = (1e-4, 1e-3, 5e-3)  # shares of a maximum, by which turns that are returned lie below it


def ascent(
    turning: Turning, course: TurnCourse, start: FloatArray, first: float
) -> tuple[FloatArray, float] | None:
    """A turn just below a maximum of s near a start, and its s; None where none was found.

    The pedals are within their travel there, and the sideslip below ``SIDEWAYS``.
    """
    from scipy.optimize import minimize

    problem = _Maximum(turning, course, start, first)
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
    except ExpressionError:  # no real value on its way
        return None
    z = found.x * problem.sizes
    return _turn_below(turning, course, z[:-1], float(z[-1]))


class _Maximum:
    """The greatest s as an optimisation, over unknowns and s in units of their sizes."""

    def __init__(
        self, turning: Turning, course: TurnCourse, start: FloatArray, first: float
    ) -> None:
        self._turning, self._course = turning, course
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
        """Of pedals and of sideslip, to both sides."""
        y = (q * self.sizes)[:-1]
        effort, sideslip = float(y[self._turning.effort]), self._turning.sideslip(y)
        return np.array([1.0 - effort, 1.0 + effort, SIDEWAYS - sideslip, SIDEWAYS + sideslip])

    def margin_slopes(self, q: FloatArray) -> FloatArray:
        y, found = (q * self.sizes)[:-1], np.zeros((4, len(q)))
        found[0, self._turning.effort] = -self.sizes[self._turning.effort]
        found[2, :-1] = -self._turning.rows.slopes(y)[-1] * self.sizes[:-1]
        found[1], found[3] = -found[0], -found[2]
        return found


def _turn_below(
    turning: Turning, course: TurnCourse, near: FloatArray, s: float
) -> tuple[FloatArray, float] | None:
    """The turn a little below a value; None where it is another one, or none."""
    if not np.isfinite(near).all():
        return None
    for short in _SHORT:
        below = (1.0 - short) * s
        turn = turning.solve(course, near, below)
        if turn is None or not is_next_turn(turning, turn, near):
            continue
        upright = abs(turning.sideslip(turn)) <= SIDEWAYS + SAME_ANGLE
        if upright and abs(turn[turning.effort]) <= 1.0 + SAME_EFFORT:
            return turn, below
    return None
