"""Mixed linear complementarity problems with bounds, and what a method says about them.

Problems are solved in units in which the diagonal of W is near 1, so that rows in N and in N m
compare. They are powers of two: nothing is rounded, and a value at its bound is exactly there.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from axletree.core.arrays import FloatArray
from axletree.core.errors import SimulationError


class Outcome(Enum):
    """How a method ended; the values are those that C returns."""

    SOLVED = 0
    UNSOLVABLE = 1  # proven: no values within the bounds satisfy all rows
    STOPPED = 2  # the allowed number of pivots was used up
    UNDECIDED = 3  # the matrix is of a kind for which the method cannot tell
    APPROXIMATE = 4  # a fixed number of iterations was done; the residual says how well
    INACCURATE = 5  # rounding spoilt it: a residual above 1e-8


@dataclass(frozen=True)
class ComplementarityProblem:
    """Find lambda within lower <= lambda <= upper such that, with w = W lambda + q,

    1. w = 0 where lambda is between its bounds,
    2. w >= 0 where lambda is at its lower bound, w <= 0 where it is at its upper one.

    In mechanics lambda are forces or impulses, w velocities after a step, W the inverse of the
    apparent mass: rows may have units of their own (N and m/s, N m and rad/s), and W[i, j]
    has the unit of w[i] over that of lambda[j]. An equation is a row without bounds, a
    unilateral contact one with lower = 0 and upper = inf, dry friction one with
    -bound and +bound. Equal bounds hold a value. Bounds are numbers: friction whose bound is
    the unknown normal force times a coefficient is for the caller to iterate, or to write as
    a pyramid with an unsymmetric W.

    Example:
    >>> from axletree.simulation.mlcp import ComplementarityProblem
    >>> block = ComplementarityProblem([[0.5]], [3.0], [-4.0], [4.0])  # 1/kg, m/s, N s
    >>> block.size, block.symmetric, block.positive_semidefinite
    (1, True, True)
    """

    matrix: FloatArray  # (n, n), W
    offset: FloatArray  # (n,), q
    lower: FloatArray  # (n,), -inf where there is none
    upper: FloatArray  # (n,), +inf where there is none

    def __post_init__(self) -> None:
        for name in ("matrix", "offset", "lower", "upper"):
            object.__setattr__(self, name, _array(getattr(self, name), name))
        n = self.size
        for name, shape in (("matrix", (n, n)), ("lower", (n,)), ("upper", (n,))):
            found = getattr(self, name).shape
            if found != shape:
                raise SimulationError(
                    f"the {name} of a complementarity problem has the shape {found}; its offset "
                    f"has {n} values, so {shape} is expected"
                )
        for name in ("matrix", "offset"):
            _where_in_words(~np.isfinite(getattr(self, name)), f"the {name} has values that are no "
                       "finite numbers")  # fmt: skip
        empty = ~(self.lower <= self.upper) | np.isposinf(self.lower) | np.isneginf(self.upper)
        _where_in_words(empty, "the bounds leave no value (lower <= upper is expected)")

    @property
    def size(self) -> int:
        """The number n of rows."""
        return int(self.offset.size)

    @cached_property
    def symmetric(self) -> bool:
        """W equals its transpose, up to the rounding with which it was formed."""
        apart = np.abs(self.matrix - self.matrix.T)
        diagonal = np.sqrt(np.abs(np.diagonal(self.matrix)))
        allowed = np.maximum(np.outer(diagonal, diagonal), np.abs(self.matrix))
        return bool(np.all(apart <= 1e-12 * allowed))

    @cached_property
    def positive_semidefinite(self) -> bool:
        """x' W x >= 0 for all x, up to rounding."""
        unit = 1.0 / root_of_diagonal(self.matrix)
        part = unit[:, None] * (self.matrix + self.matrix.T) * unit
        return self.size == 0 or bool(np.linalg.eigvalsh(part)[0] >= -1e-12 * self.size)

    def slacks(self, unknowns: FloatArray) -> FloatArray:
        """w = W lambda + q.

        Example:
        >>> from axletree.simulation.mlcp import ComplementarityProblem
        >>> ComplementarityProblem([[0.5]], [3.0], [-4.0], [4.0]).slacks([-4.0]).tolist()  # m/s
        [1.0]
        """
        return np.asarray(self.matrix @ unknowns + self.offset)

    def slacks_of_solution(self, unknowns: FloatArray) -> FloatArray:
        """w, free of rounding where the solution says what it is: 0 between bounds, else >= 0
        at lower ones and <= 0 at upper ones. So what sticks has a speed of exactly zero.

        Example:
        >>> from axletree.simulation.mlcp import ComplementarityProblem
        >>> held = ComplementarityProblem([[0.1]], [0.3], [-4.0], [4.0])
        >>> held.slacks_of_solution([-3.0]).tolist()
        [0.0]
        """
        w = self.slacks(unknowns)
        low, high = unknowns <= self.lower, unknowns >= self.upper
        w = np.where(high, w, np.maximum(w, 0.0))
        return np.where(low, w, np.minimum(w, 0.0))

    def within(self, unknowns: FloatArray) -> FloatArray:
        """The values moved onto the nearest bound where they are beyond it.

        Example:
        >>> from axletree.simulation.mlcp import ComplementarityProblem
        >>> ComplementarityProblem([[0.5]], [3.0], [-4.0], [4.0]).within([-6.0]).tolist()
        [-4.0]
        """
        return np.minimum(np.maximum(unknowns, self.lower), self.upper)

    def residual(self, unknowns: FloatArray) -> float:
        """The largest w that no bound justifies, relative to the terms that it is the sum of.

        Rows of different units are compared after division by the roots of the diagonal of W
        (in mechanics: roots of energies), so that the number does not depend on units.

        Example:
        >>> from axletree.simulation.mlcp import ComplementarityProblem
        >>> block = ComplementarityProblem([[0.5]], [3.0], [-4.0], [4.0])
        >>> block.residual([-4.0]), block.residual([0.0]) > 0.1
        (0.0, True)
        """
        if self.size == 0:
            return 0.0
        unit = 1.0 / root_of_diagonal(self.matrix)
        w = self.slacks(unknowns) * unit
        terms = (np.abs(self.matrix) @ np.abs(unknowns) + np.abs(self.offset)) * unit
        wrong = np.where(w > 0.0, unknowns > self.lower, unknowns < self.upper)
        worst = float(np.max(np.where(wrong, np.abs(w), 0.0)))
        return worst / float(np.max(terms)) if worst > 0.0 else 0.0


@dataclass(frozen=True)
class ComplementaritySolution:
    """What a method found: always within the bounds, solved or not.

    Example:
    >>> from axletree.simulation.mlcp import ComplementarityProblem, Pivoting
    >>> found = Pivoting().solve(ComplementarityProblem([[0.5]], [3.0], [-4.0], [4.0]))
    >>> found.solved, found.slacks.tolist()  # it slides on at 1 m/s
    (True, [1.0])
    """

    unknowns: FloatArray  # (n,), lambda
    slacks: FloatArray  # (n,), w = W lambda + q; exactly 0 between bounds where solved
    outcome: Outcome
    residual: float  # relative, see ComplementarityProblem.residual
    steps: int  # pivots, or sweeps
    rows: tuple[int, ...] = ()  # those that contradict one another where UNSOLVABLE

    @property
    def solved(self) -> bool:
        """Whether all rows are satisfied, up to rounding."""
        return self.outcome is Outcome.SOLVED

    @property
    def sentence(self) -> str:
        """The outcome in words."""
        return {
            Outcome.SOLVED: f"solved in {self.steps} steps, residual {self.residual:.1e}",
            Outcome.APPROXIMATE: f"{self.steps} sweeps done, residual {self.residual:.1e}",
            Outcome.UNSOLVABLE: self._contradiction(),
            Outcome.STOPPED: (
                f"not solved within the {self.steps} steps allowed, residual "
                f"{self.residual:.1e}; allow more steps, or start from a better guess"
            ),
            Outcome.INACCURATE: (
                f"what was found in {self.steps} steps leaves a residual of {self.residual:.1e}: "
                "rows that depend on one another disagree, or the matrix is too ill-conditioned; "
                "a term on its diagonal helps"
            ),
            Outcome.UNDECIDED: (
                f"no solution was found in {self.steps} steps, and for this matrix, which is "
                "not positive semidefinite, there may still be one; look at the rows with "
                "negative or unsymmetric terms, or start from another guess"
            ),
        }[self.outcome]

    def _contradiction(self) -> str:
        head = "no values within the bounds satisfy"
        if len(self.rows) == 1:
            return (
                f"{head} row {self.rows[0]}: its w has the wrong sign, and no change of lambda "
                "reaches it"
            )
        rows = f"rows {', '.join(map(str, self.rows))}" if self.rows else "all rows"
        return f"{head} {rows} together: they depend on one another, and their offsets disagree"

    def checked(self) -> ComplementaritySolution:
        """This solution; an error that says why where there is none.

        Example:
        >>> from axletree.simulation.mlcp import ComplementarityProblem, ProjectedSweeps
        >>> push = ComplementarityProblem([[0.5]], [1.0], [-4.0], [4.0])
        >>> ProjectedSweeps(sweeps=5).solve(push).checked().outcome.name
        'APPROXIMATE'
        """
        if self.outcome in (Outcome.SOLVED, Outcome.APPROXIMATE):
            return self
        raise SimulationError(f"a complementarity problem has no answer: {self.sentence}")


def root_of_diagonal(matrix: FloatArray) -> FloatArray:
    """Roots of |W[i, i]|, and 1 for rows that have none."""
    diagonal = np.abs(np.diagonal(matrix))
    return np.sqrt(np.where(diagonal > 0.0, diagonal, 1.0))


def _array(values: object, name: str) -> FloatArray:
    try:
        return np.ascontiguousarray(values, dtype=float)
    except (TypeError, ValueError):
        raise SimulationError(
            f"the {name} of a complementarity problem must be an array of numbers, got {values!r}"
        ) from None


def _where_in_words(bad: NDArray[np.bool_], what: str) -> None:
    if np.any(bad):
        rows = sorted({int(place[0]) for place in np.argwhere(bad)})
        raise SimulationError(
            f"a complementarity problem cannot be solved: {what} in row "
            f"{', '.join(map(str, rows))} (counted from 0)"
        )


def units_of(matrix: FloatArray) -> FloatArray:
    """A power of two near 1 / sqrt(|W[i, i]|) for each row; 1 where W[i, i] = 0."""
    diagonal = np.abs(np.diagonal(matrix))
    _, exponent = np.frexp(diagonal)
    return np.where(diagonal > 0.0, np.ldexp(1.0, -(exponent // 2)), 1.0)


def scaled_problem(
    problem: ComplementarityProblem, units: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Matrix, offset and bounds for lambda / units and w * units."""
    return (
        units[:, None] * problem.matrix * units,
        problem.offset * units,
        problem.lower / units,
        problem.upper / units,
    )
