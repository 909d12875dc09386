"""Other turns of the same accelerations: with more or less sideslip, and no yaw moment left.

Held at a sideslip, a vehicle takes a yaw moment to have given accelerations along and across its
path. Where this moment vanishes over the sideslip, it has them by itself (compare Milliken and
Milliken 1995, chapter 8).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from axletree.analysis.arclength import Curve, Step
from axletree.analysis.cornering.turning import Course, Turning, Vector
from axletree.analysis.cornering.turning_system import EFFORT, LATERAL, MOMENT, SIDESLIP

SIDEWAYS = np.radians(25.0)  # of sideslip, beyond which no turns are looked for
LONGEST = 0.15  # step along the curve, over a span that is 1
MOST_TURNS = 60
APART = np.radians(5.0)  # of sideslip, from one climb to the next
GROWTH, STEPS = 0.015, 14  # of s in a step on a climb, and how many of these
NEARLY = 0.9  # of the way on to where a moment should vanish


def turns_aside(course: Course) -> bool:
    """Whether it leads to one side; from straight ahead turns to both sides branch off."""
    return bool(course.slopes(0.0)[course.names.index(LATERAL.name)])


def steps_along(curve: Curve, longest: float, most: int, keeps_sense: bool) -> Iterator[Step]:
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


def other_balances(
    turning: Turning, course: Course, turn: Vector, s: float
) -> Iterator[tuple[Vector, float]]:
    """Turns of a course whose restraint has no moment, with s, to both sides of one.

    They are at the s of the given turn, or beyond it where a moment at a sideslip vanishes as s
    grows.
    """
    for end in (-SIDEWAYS, SIDEWAYS):
        yield from _to_side(turning, course, turn, s, end)


def _to_side(
    turning: Turning, course: Course, turn: Vector, s: float, end: float
) -> Iterator[tuple[Vector, float]]:
    moment = turning.names.index(MOMENT.name)
    last, sign = turn, 0.0  # of the moment, whose own is a rounding error
    climbed = float(turning.rows(turn)[-1])
    for y in _held(turning, course, turn, s, end):
        now = float(np.sign(y[moment]))
        if sign and now != sign:
            share = last[moment] / (last[moment] - y[moment])
            yield from _balance(turning, course, last + share * (y - last), s)
        sideslip = float(turning.rows(y)[-1])
        if abs(sideslip - climbed) > APART:
            climbed = sideslip
            yield from _above(turning, course, y, s)
        last, sign = y, now


def _balance(
    turning: Turning, course: Course, near: Vector, s: float
) -> Iterator[tuple[Vector, float]]:
    """The turn without moment near one, if the vehicle can and is not too much sideways."""
    found = turning.solve(course, near, s)
    effort = turning.names.index(EFFORT.name)
    if found is None or abs(found[effort]) > 1.0:
        return
    if abs(turning.rows(found)[-1]) < SIDEWAYS:
        yield found, s


def _held(turning: Turning, course: Course, turn: Vector, s: float, end: float) -> Iterator[Vector]:
    """Turns at one s with other sideslips, first towards an end."""
    first = float(turning.rows(turn)[-1])
    curve = turning.curve(_with_sideslip(course, s), turn, first, end - first)
    for step in steps_along(curve, LONGEST, MOST_TURNS, keeps_sense=True):
        if abs(step.point.value) > SIDEWAYS:
            return
        yield step.point.z[:-1]


def _with_sideslip(course: Course, s: float) -> Course:
    """The sideslip is given in place of the moment."""
    values = dict(zip(course.names, course.values(s), strict=True))
    assert values.pop(MOMENT.name) == 0.0
    return Course.line({**values, SIDESLIP.name: 0.0}, {SIDESLIP.name: 1.0})


def _above(
    turning: Turning, course: Course, turn: Vector, s: float
) -> Iterator[tuple[Vector, float]]:
    """The first turn about this sideslip at which the moment vanishes as s grows.

    From each turn to the next the moment tells how far off it is: beyond it there may be none.
    """
    moment, effort = (turning.names.index(q.name) for q in (MOMENT, EFFORT))
    sideslip, step = float(turning.rows(turn)[-1]), GROWTH * s
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
