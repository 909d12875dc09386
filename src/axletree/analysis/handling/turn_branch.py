"""Branches of turns: one after another, until a value is reached or the vehicle holds no more."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from axletree.analysis.steady.arclength import CurvePoint, CurveStep, SolutionCurve
from axletree.analysis.steady.turning import TurnCourse, Turning
from axletree.core.arrays import FloatArray

_MOST_TURNS = 400
_JUMPS = (0.1, 0.3, 1.0, 2.0)  # in steps, over a place where gears change
ABRUPT = np.radians(1.5)  # of sideslip, by which no turn differs from what the last ones lead to
_SLOWEST = 0.02  # of the span of s in a length of 1, for which steps are still made longer


Margin = Callable[[CurvePoint], float]


class Ending(enum.Enum):
    """Why a branch of turns ends."""

    REACHED = "last value reached"
    GRIP = "axle saturated"
    THROTTLE = "full throttle"
    BRAKE = "full braking"
    SIDEWAYS = "sideslip angle of 25 deg"
    FULL_LOCK = "steering at full lock"
    LOCKED = "axle locked"
    SPINNING = "axle spinning"
    LOST = "no steady turn found beyond"


@dataclass(frozen=True)
class TurnBranch:
    """Turns along a course."""

    turns: tuple[FloatArray, ...]  # unknowns
    values: FloatArray  # of s
    slopes: FloatArray  # d unknowns / ds in rows; nan where s turns back
    ending: Ending


def follow_turns(
    turning: Turning, course: TurnCourse, start: FloatArray, first: float, last: float, step: float
) -> TurnBranch:
    """From the turn ``start`` at s = ``first`` towards ``last`` in steps of about ``step``.

    The last turn is where the branch ends: exactly where s turns back, or where a pedal is down.
    """
    walk = _Walk(turning, course, last, step * float(np.sign(last - first)))
    points = list(walk.from_turn(start, first))
    slopes = [p.tangent[:-1] / (p.tangent[-1] or np.nan) for p in points]
    turns = tuple(p.z[:-1] for p in points)
    return TurnBranch(turns, np.array([p.value for p in points]), np.array(slopes), walk.ending)


@dataclass
class _Walk:
    turning: Turning
    course: TurnCourse
    last: float
    step: float  # with the sign in which s changes
    ending: Ending = Ending.LOST

    def __post_init__(self) -> None:
        self.margins = turn_margins(self.turning, self.last, float(np.sign(self.step)))

    def from_turn(self, start: FloatArray, first: float) -> Iterator[CurvePoint]:
        curve = self.turning.curve(self.course, start, first, self.last - first)
        at, count = curve.first, 0
        while True:
            yield at
            for point in self._on(curve, at):
                yield point
                at, count = point, count + 1
                if count >= _MOST_TURNS:
                    return
            if self.ending is not Ending.LOST:
                return
            jumped = self._beyond(at)
            if jumped is None:
                return
            curve, at = jumped, jumped.first

    def _on(self, curve: SolutionCurve, at: CurvePoint) -> Iterator[CurvePoint]:
        """The points after one, until it ends or breaks off."""
        length = longest = self._length(at)
        while True:
            length = min(length, self._length(at))
            found = curve.advance(at, length, longest)
            if found is None:
                return
            ends = endings_within(curve, at, found, self.margins)
            if ends:
                self.ending, point = ends[0]
                yield point
                return
            at, length = found.point, found.following
            yield at

    def _length(self, at: CurvePoint) -> float:
        lead = max(abs(float(at.tangent[-1])), _SLOWEST * float(at.scales[-1]))
        return abs(self.step) / lead

    def _beyond(self, at: CurvePoint) -> SolutionCurve | None:
        """A new curve beyond a place where the effort jumps, as where gears change."""
        for jump in _JUMPS:
            s = at.value + jump * self.step
            if (self.last - s) * self.step <= 0.0:
                return None
            lead = at.tangent[:-1] / at.tangent[-1] if at.tangent[-1] else 0.0
            for near in (at.z[:-1] + jump * self.step * lead, at.z[:-1]):
                found = self.turning.solve(self.course, near, s)
                if found is not None and is_next_turn(self.turning, found, near):
                    return self._leapt(found, s)
        return None

    def _leapt(self, found: FloatArray, s: float) -> SolutionCurve | None:
        """The curve on from there, unless it takes more than the pedals have."""
        effort = found[self.turning.effort]
        if abs(effort) > 1.0:
            self.ending = Ending.THROTTLE if effort > 0.0 else Ending.BRAKE
            return None
        return self.turning.curve(self.course, found, s, self.last - s)


def is_next_turn(turning: Turning, found: FloatArray, expected: FloatArray) -> bool:
    """Whether a turn is on the same branch: beyond the limit others are found, all sideways."""
    return bool(abs(turning.sideslip(found) - turning.sideslip(expected)) < ABRUPT)


def turn_margins(turning: Turning, last: float, sign: float) -> dict[Ending, Margin]:
    """What is left on a branch along which s changes with a sign, by what ends it where it is 0."""
    return {
        Ending.REACHED: lambda p: (last - p.value) * sign,
        Ending.GRIP: lambda p: float(p.tangent[-1]) * sign,
        Ending.THROTTLE: lambda p: 1.0 - float(p.z[turning.effort]),
        Ending.BRAKE: lambda p: 1.0 + float(p.z[turning.effort]),
    }


def endings_within(
    curve: SolutionCurve, at: CurvePoint, step: CurveStep, margins: Mapping[Ending, Margin]
) -> list[tuple[Ending, CurvePoint]]:
    """What is used up within a step, and where, in the order of the curve."""
    found: list[tuple[float, Ending, CurvePoint]] = []
    for ending, margin in margins.items():
        if margin(step.point) <= 0.0 < margin(at):
            try:
                length, point = curve.zero_within(at, step, margin)
            except ArithmeticError:  # no turn in between: the end of the step is near
                length, point = step.length, step.point
            found.append((length, ending, point))
    return [(ending, point) for _, ending, point in sorted(found, key=lambda one: one[0])]
