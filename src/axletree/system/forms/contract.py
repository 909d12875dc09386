"""The contract of solved forms: how equations with constraints become explicit rates.

Where loads depend on reactions, these are functions of themselves, and a fixed number of
Newton's steps finds them (``fixed_point``).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

import numpy as np

from axletree.core.errors import ExpressionError
from axletree.equations.constraints import Constraint
from axletree.equations.equations import Equations
from axletree.expr import Expr, absolute, jacobian, ldl, linear_solve, maximum, substitute
from axletree.expr.expression import ONE, ZERO
from axletree.expr.factorisation import Factorisation, LUFactors, lu
from axletree.system.mechanism import Mechanism

Pivots = tuple[tuple[int, int], ...]  # (constraint, speed), in the order of elimination


@dataclass(frozen=True)
class Solution:
    """Explicit rates, reactions, and, where the form has one, the projected state."""

    speed_rates: tuple[Expr, ...]
    coordinate_rates: tuple[Expr, ...]
    internal_rates: tuple[Expr, ...]
    reactions: tuple[Expr, ...]  # one per independent constraint
    projection: tuple[Expr, ...] | None = None  # speeds, coordinates, internal states
    needed_reactions: Mapping[Expr, Expr] = field(default_factory=dict)  # values of such reactions
    dependent: tuple[int, ...] = ()  # speeds that the form finds from the others, by their places
    pivots: tuple[Pivots, ...] = ()  # by loop, if the form eliminates these one by one


@dataclass(frozen=True)
class AccelerationSolution:
    """The speeds' rates and the reactions, in terms of those that loads depend on."""

    speed_rates: tuple[Expr, ...]
    reactions: tuple[Expr, ...]
    needed_reactions: Mapping[Expr, Expr]  # by their symbols

    def with_other_rates(
        self, equations: Equations, projection: tuple[Expr, ...] | None = None
    ) -> Solution:
        """The solution of a form whose other rates are those of the equations."""
        internal = tuple(state.rate for state in equations.internal)
        rates = self.speed_rates, equations.coordinate_rates, internal
        return Solution(*rates, self.reactions, projection, self.needed_reactions)


class Form(ABC):
    """A way of solving the equations for explicit rates."""

    set_valued: ClassVar[bool] = False  # whether set-valued forces stay unknowns of each step

    def completed(self, mechanism: Mechanism, q: np.ndarray, rows: Sequence[int]) -> Form:
        """The form with what it leaves open chosen at an assembled configuration q [m, rad].

        ``rows`` are the indices of the independent constraints.

        Example:
        >>> import numpy as np
        >>> import axletree as at
        >>> from axletree.equations.derivation import derive_equations
        >>> from axletree.system.mechanism import Mechanism, start_values
        >>> equations = derive_equations(at.read_model("four-bar"))
        >>> closed = Mechanism(equations, start_values(equations))
        >>> q = np.array([2.91, 2.84, 4.34])  # rad, of the hinges a, b and c
        >>> at.Partition().completed(closed, q, rows=[0, 1]).dependent
        ('b.rate', 'c.rate')
        """
        return self

    @abstractmethod
    def solve(self, equations: Equations, solver: ConstraintSolver) -> Solution:
        """``solver`` holds the independent constraints and solves them with the mass matrix.

        Example:
        >>> import axletree as at
        >>> from axletree.equations.derivation import derive_equations
        >>> from axletree.system.forms.contract import DefiniteSolver
        >>> equations = derive_equations(at.read_model("four-bar"))
        >>> solver = DefiniteSolver(equations, equations.constraints)
        >>> solution = at.Baumgarte().solve(equations, solver)
        >>> len(solution.speed_rates), len(solution.reactions), solution.projection
        (3, 2, None)
        """


class ConstraintSolver(ABC):
    """Solves M x - C^T f = b, C x = c.

    Morency 2007, eq. (2.18), with the multipliers as forces on the speeds.
    """

    def __init__(self, equations: Equations, constraints: Sequence[Constraint]) -> None:
        self.equations = equations
        self.constraints = constraints

    def accelerate(self, corrections: Sequence[Expr]) -> AccelerationSolution:
        """dp/dt and f: the second derivatives of the constraints equal ``corrections``."""
        wanted = [e - c.bias for c, e in zip(self.constraints, corrections, strict=True)]
        return AccelerationSolution(
            *self.under_load(wanted, following=True), self.needed_reactions(wanted)
        )

    def needed_reactions(self, wanted: Sequence[Expr]) -> dict[Expr, Expr]:
        """The reactions that loads depend on, by their symbols.

        Of such a reaction the other loads leave what the work of the ``following`` ones F
        does not balance, in the motion d that moves the speed it holds by 1 and keeps all
        others: f = f_0 - d . F(f).
        """
        symbols = self.equations.needed_reactions
        rows = [i for i, c in enumerate(self.constraints) if c.reaction.symbol in symbols]
        if not rows:
            return {}
        efforts = self.equations.dynamics.following_efforts
        _, before = self.under_load(wanted, following=False)
        values = []
        for row in rows:
            move = self.move([ONE if i == row else ZERO for i in range(len(self.constraints))])
            work = sum((d * e for d, e in zip(move, efforts, strict=True)), ZERO)
            values.append(before[row] - work)
        chosen = [self.constraints[row] for row in rows]
        start = [before[row] for row in rows]
        return fixed_point(
            [c.reaction.symbol for c in chosen], values, start, max(c.steps for c in chosen)
        )

    @abstractmethod
    def move(self, wanted: Sequence[Expr]) -> list[Expr]:
        """The change of the speeds, least in the metric of M, that changes C p by ``wanted``."""

    @abstractmethod
    def under_load(
        self, wanted: Sequence[Expr], *, following: bool
    ) -> tuple[tuple[Expr, ...], tuple[Expr, ...]]:
        """Rates and reactions with C dp/dt = wanted, ``following`` loads left out or not."""


class DefiniteSolver(ConstraintSolver):
    """Through M^-1 C^T and the small definite matrix C M^-1 C^T."""

    @cached_property
    def _columns(self) -> list[list[Expr]]:
        return [self.equations.dynamics.reaction_rates(c) for c in self.constraints]

    @cached_property
    def _factors(self) -> Factorisation | None:
        size = len(self.constraints)
        matrix = {
            (i, j): row_times(self.constraints[i].jacobian, self._columns[j])
            for i in range(size)
            for j in range(i + 1)
        }
        return ldl(matrix, size) if size else None

    def move(self, wanted: Sequence[Expr]) -> list[Expr]:
        return self._rates(self._reactions(wanted))

    def under_load(
        self, wanted: Sequence[Expr], *, following: bool
    ) -> tuple[tuple[Expr, ...], tuple[Expr, ...]]:
        dynamics = self.equations.dynamics
        free = dynamics.free_rates
        if following:
            free = [a + b for a, b in zip(free, dynamics.following_rates, strict=True)]
        lacking = [
            e - row_times(c.jacobian, free) for c, e in zip(self.constraints, wanted, strict=True)
        ]
        reactions = self._reactions(lacking)
        rates = [a + b for a, b in zip(free, self._rates(reactions), strict=True)]
        return tuple(rates), tuple(reactions)

    def _reactions(self, wanted: Sequence[Expr]) -> list[Expr]:
        return self._factors.solve(list(wanted)) if self._factors else []

    def _rates(self, reactions: Sequence[Expr]) -> list[Expr]:
        total = [ZERO] * len(self.equations.speeds)
        for column, reaction in zip(self._columns, reactions, strict=True):
            total = [a + b * reaction for a, b in zip(total, column, strict=True)]
        return total


class SemidefiniteSolver(ConstraintSolver):
    """The whole matrix at once: for bodies that have no inertia some way.

    Most of its entries are zero, so that it is eliminated at pivots that are chosen beforehand
    (``choose_pivots``); what these leave, all of it where there are none, is solved with rows
    exchanged as the code runs.
    """

    def __init__(
        self,
        equations: Equations,
        constraints: Sequence[Constraint],
        pivots: Sequence[tuple[int, int]] = (),
    ) -> None:
        super().__init__(equations, constraints)
        self._pivots = pivots

    @cached_property
    def _factors(self) -> LUFactors:
        size = len(self.equations.speeds) + len(self.constraints)
        return lu(constrained_matrix(self.equations, self.constraints), size, self._pivots)

    def move(self, wanted: Sequence[Expr]) -> list[Expr]:
        n = len(self.equations.speeds)
        return self._factors.solve([ZERO] * n + list(wanted))[:n]

    def under_load(
        self, wanted: Sequence[Expr], *, following: bool
    ) -> tuple[tuple[Expr, ...], tuple[Expr, ...]]:
        dynamics = self.equations.dynamics
        forcing = dynamics.forcing if following else dynamics.forcing_before
        solved = self._factors.solve([*forcing, *wanted])
        return tuple(solved[: len(forcing)]), tuple(solved[len(forcing) :])


def constrained_matrix(
    equations: Equations, constraints: Sequence[Constraint]
) -> dict[tuple[int, int], Expr]:
    """M beside -C^T, over C beside 0, by rows and columns; what is absent is 0."""
    n = len(equations.speeds)
    entries: dict[tuple[int, int], Expr] = {}
    for (i, j), entry in equations.dynamics.mass.items():
        entries[i, j] = entries[j, i] = entry
    for k, constraint in enumerate(constraints):
        for j, entry in constraint.jacobian.items():
            entries[n + k, j], entries[j, n + k] = entry, -entry
    return {place: entry for place, entry in entries.items() if not entry.is_zero}


def row_times(row: Mapping[int, Expr], values: Sequence[Expr]) -> Expr:
    """A row of C, or of others like it, times a vector over the speeds."""
    total = ZERO
    for index, entry in row.items():
        total = total + entry * values[index]
    return total


SPACING = 6e-6  # about the cube root of the machine precision, best for central differences


def fixed_point(
    variables: Sequence[Expr], values: Sequence[Expr], start: Sequence[Expr], steps: int
) -> dict[Expr, Expr]:
    """x = f(x), of variables x by their symbols and values f(x).

    Each step solves (1 - df/dx) dx = f(x) - x with the exact slopes of f, so that one is
    enough where f is linear, and the error of others is squared. Of functions that have no
    derivative the slopes are differences.
    """
    slopes = _slopes(values, variables)
    size = len(variables)
    matrix = [
        (ONE if i == j else ZERO) - slopes.get((i, j), ZERO)
        for i in range(size)
        for j in range(size)
    ]
    lacking = [value - x for value, x in zip(values, variables, strict=True)]
    found = substitute(start, dict.fromkeys(variables, ZERO))
    for _ in range(steps):
        at = dict(zip(variables, found, strict=True))
        entries = substitute([*matrix, *lacking], at)
        moves: Sequence[Expr] = entries[size * size :]
        if slopes:
            moves = linear_solve([entries[size * i : size * (i + 1)] for i in range(size)], moves)
        found = [x + move for x, move in zip(found, moves, strict=True)]
    return dict(zip(variables, found, strict=True))


def _slopes(values: Sequence[Expr], variables: Sequence[Expr]) -> dict[tuple[int, int], Expr]:
    """df/dx, entries that are not zero."""
    try:
        return jacobian(values, variables)
    except ExpressionError:  # a call without a derivative rule, such as a user's C function
        return _differences(values, variables)


def _differences(values: Sequence[Expr], variables: Sequence[Expr]) -> dict[tuple[int, int], Expr]:
    found = {}
    for j, x in enumerate(variables):
        width = SPACING * maximum(absolute(x), 1.0)
        above, below = (substitute(values, {x: x + side}) for side in (width, -width))
        for i, (high, low) in enumerate(zip(above, below, strict=True)):
            if high != low:
                found[i, j] = (high - low) / (2.0 * width)
    return found
