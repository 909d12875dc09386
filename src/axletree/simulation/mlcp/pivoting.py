"""Principal pivoting for symmetric W, in Python: the twin of pivoting.c.

With W symmetric the problem states when lambda' W lambda / 2 + q' lambda is least within the
bounds. The rows between bounds (the basis) are kept stationary; one row of wrong sign at a time
is driven off its bound along the line on which the basis stays stationary, until its own w is
zero or a bound is met (Cottle, Pang and Stone 1992, sections 4.2 and 4.3; Keller 1973 for W that
is not positive definite). Why it ends: bounds are independent of one another, so a driven row
can always move, after rows that stand at their bounds have left the basis. The sum above falls
from one stationary point to the next, no basis comes back, and there is nothing to break ties
for. A row that depends on the basis has no curvature along its line: it moves to a bound, or
without one proves that nothing solves the problem.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from axletree.simulation.mlcp.factor import GrowingFactor
from axletree.simulation.mlcp.problem import Outcome, Vector

REFINEMENTS = 3  # steps on one basis, after which its w is as near zero as rounding lets it be
NO_MOVE = 1e-9  # relative size below which a part of a line is rounding


@dataclass(frozen=True)
class Limits:
    """What counts as zero, relative to the terms that a value is the sum of.

    Looser limits do not make a solution of what leaves a residual above 1e-8.
    """

    tolerance: float = 1e-13  # w
    rank: float = 1e-12  # curvature of a row that depends on others
    agreement: float = 1e-10  # w of a row that depends on others and says the same as they
    steps: int | None = None  # at most; None for 50 (n + 1)

    def most(self, size: int) -> int:
        return 50 * (size + 1) if self.steps is None else self.steps


class PrincipalPivots:
    """One problem; ``x`` holds the unknowns, at first a guess within the bounds."""

    def __init__(
        self,
        matrix: Vector,
        offset: Vector,
        lower: Vector,
        upper: Vector,
        x: Vector,
        limits: Limits,
    ) -> None:
        self.matrix, self.offset = matrix, offset
        self.lower, self.upper = lower, upper
        self.x = x
        self.limits = limits
        self.factor = GrowingFactor(matrix, limits.rank)
        self.allowed = np.zeros(x.size)  # w of rows that agree with those they depend on
        self.ray = np.zeros(x.size)  # where unsolvable: the line along which nothing helps
        self.steps = 0
        self.indefinite = False
        self._driven = -1
        self._refined = 0
        for i in np.flatnonzero((lower < x) & (x < upper)):
            self.factor.append(int(i))
        self.evaluate()

    def run(self) -> Outcome:
        most = self.limits.most(self.x.size)
        while self.steps < most:
            self.steps += 1
            self.evaluate()
            if not self._stationary():
                self._move_basis()
                continue
            row = self._row_to_drive()
            if row < 0:
                return Outcome.SOLVED
            curvature = self.factor.append(row)
            if curvature > self.limits.rank:
                self._driven, self._refined = -1, 0
                continue
            self.indefinite |= curvature < -self.limits.rank
            line = self.null_line(row)
            self.allowed[row] = self.agreement(row, line)
            agrees = abs(self.w[row]) <= self.allowed[row]
            if not agrees and not self._slide(row, line):
                return Outcome.UNDECIDED if self.indefinite else Outcome.UNSOLVABLE
        self.evaluate()
        return Outcome.STOPPED

    def evaluate(self) -> None:
        """w, the size of the terms of each w, and what of it is rounding."""
        self.w = self.matrix @ self.x + self.offset
        self.terms = np.abs(self.matrix) @ np.abs(self.x) + np.abs(self.offset)
        largest = float(np.max(self.terms, initial=0.0))
        rounding = self.limits.tolerance * (self.terms + 0.01 * largest)
        self.zero = np.maximum(rounding, self.allowed)

    def null_line(self, row: int) -> Vector:
        """Changes of the basis that keep it at w = 0 while a dependent row changes by 1."""
        return np.append(-self.factor.solve(self.matrix[self.factor.rows, row]), 1.0)

    def agreement(self, row: int, line: Vector) -> float:
        """What w of a row that depends on the basis may have from rounding of all their terms."""
        terms = np.abs(line) * self.terms[[*self.factor.rows, row]]
        return self.limits.agreement * float(np.max(terms))

    def _stationary(self) -> bool:
        rows = self.factor.rows
        return self._refined >= REFINEMENTS or bool(np.all(np.abs(self.w[rows]) <= self.zero[rows]))

    def _row_to_drive(self) -> int:
        """The row of the largest wrong w outside of the basis; -1 where there is none."""
        wrong = np.where(self.w < 0.0, self.x < self.upper, self.x > self.lower)
        wrong &= np.abs(self.w) > self.zero
        wrong[self.factor.rows] = False
        if self._driven >= 0 and wrong[self._driven]:
            return self._driven
        self._driven = -1
        row = int(np.argmax(np.where(wrong, np.abs(self.w), -1.0))) if wrong.size else -1
        return row if row >= 0 and wrong[row] else -1

    def _move_basis(self) -> None:
        """Make w of the basis zero, as far as the bounds let."""
        if self._refined == 1:
            self.factor.renew()  # rounding of many changes may stand in the way
        rows = list(self.factor.rows)
        line = -self.factor.solve(self.w[rows])
        length, blocked = self._room(rows, line, 1.0)
        self._advance(rows, line, length, blocked)
        self._refined += 1
        if blocked >= 0:
            self.factor.remove(blocked)
            self._refined = 0

    def _slide(self, row: int, line: Vector) -> bool:
        """Move a dependent row to a bound, its own or one of the basis; False without one."""
        rows = [*self.factor.rows, row]
        line = np.where(moves(line), -math.copysign(1.0, self.w[row]) * line, 0.0)
        length, blocked = self._room(rows, line, math.inf)
        if blocked < 0:
            self.ray[rows] = line
            return False
        self._advance(rows, line, length, blocked)
        self._refined = 0
        self._driven = row
        if blocked == row:
            self._driven = -1
        else:
            self.factor.remove(blocked)
        return True

    def _room(self, rows: list[int], line: Vector, length: float) -> tuple[float, int]:
        """How far the line may be followed, and the row that meets its bound there, or -1."""
        blocked = -1
        for row, change in zip(rows, line, strict=True):
            if change == 0.0:
                continue
            bound = self.upper[row] if change > 0.0 else self.lower[row]
            room = (bound - self.x[row]) / change
            if room < length:
                length, blocked = max(float(room), 0.0), row
        return length, blocked

    def _advance(self, rows: list[int], line: Vector, length: float, blocked: int) -> None:
        moved = self.x[rows] + length * line
        self.x[rows] = np.minimum(np.maximum(moved, self.lower[rows]), self.upper[rows])
        if blocked >= 0:
            change = line[rows.index(blocked)]
            self.x[blocked] = self.upper[blocked] if change > 0.0 else self.lower[blocked]


def moves(line: Vector) -> NDArray[np.bool_]:
    """The parts of a line that are more than rounding."""
    return np.asarray(np.abs(line) > NO_MOVE * np.max(np.abs(line)))
