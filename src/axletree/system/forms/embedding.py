"""Constraint embedding: local loops are units of the recursion, at a cost that grows with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import comb
from typing import Final

import numpy as np

from axletree.core.errors import FormulationError
from axletree.equations.articulated_bodies.aggregates import (
    Aggregate,
    AggregatePlan,
    find_aggregates,
)
from axletree.equations.articulated_bodies.recursion import ArticulatedMass, connection_bias
from axletree.equations.articulated_bodies.transferred_inertia import transferred_inertias
from axletree.equations.constraints import Constraint, chord_constraints
from axletree.equations.dynamics import Dynamics
from axletree.equations.equations import Equations
from axletree.expr import Expr, substitute, symbols_of
from axletree.expr.evaluation import evaluate_matrix
from axletree.expr.expression import ZERO
from axletree.expr.factorisation import LUFactors, choose_pivots, lu
from axletree.system.block_solver import regular_matrices
from axletree.system.forms.contract import ConstraintSolver, Form, Pivots, Solution
from axletree.system.forms.loop_travel import LoopTravel, loop_travel
from axletree.system.forms.projected import moved_places, projected_state
from axletree.system.mechanism import Mechanism

_NEAR: Final = 0.1  # [m or rad], around the assembled configuration, where pivots are looked at
_SAMPLES: Final = 12
_WELL: Final = 0.2  # of the best determination that any choice of dependent speeds has
WELL_ON_TRAVEL: Final = 0.05  # likewise, on the travel of a loop
_MOST_CHOICES: Final = 300  # of dependent speeds that are tried
_CLEARLY: Final = 1e-3  # by which one is better than another


@dataclass(frozen=True)
class ChosenLoop:
    """An aggregate, its dependent speeds, and in which order they are solved for."""

    aggregate: Aggregate
    dependent: tuple[int, ...]  # one for each of its constraints
    pivots: tuple[tuple[int, int], ...]  # (constraint, dependent speed), by their places here
    determination: float = 1.0  # of the dependent speeds, the least on the loop's travel

    @property
    def independent(self) -> tuple[int, ...]:
        return tuple(j for j in self.aggregate.speeds if j not in set(self.dependent))

    @property
    def pivots_among_all(self) -> Pivots:
        """By the places of constraints and speeds among all."""
        return tuple((self.aggregate.constraints[i], self.dependent[j]) for i, j in self.pivots)


@dataclass(frozen=True)
class Embedded(Form):
    """Loops eliminated where they are (Jain 2011); states move back after each step.

    The links of a loop are one unit of the articulated-body recursion, in which its dependent
    speeds follow from the independent ones by the loop's own small matrix. After each step
    ``newton_steps`` on the loop's own equations close its coordinates, from where the step has
    left them, and dependent speeds follow. The cost is that of the loops one by one. Rates hold
    for states that satisfy the constraints, as steps keep them, and not beside these.

    ``dependent`` names one speed per independent constraint; left empty, they are chosen at the
    assembled configuration, those far from the base before those next to it.

    Example:
    >>> import axletree as at
    >>> system = at.read_model("four-bar").formulate(form=at.Embedded())
    >>> len(system.states), system.degrees_of_freedom
    (6, 1)
    """

    newton_steps: int = 1
    dependent: tuple[str, ...] = field(default=())
    loops: tuple[ChosenLoop, ...] = field(default=(), repr=False)  # chosen with these

    def __post_init__(self) -> None:
        if self.newton_steps < 1:
            raise FormulationError(f"newton_steps must be at least 1, got {self.newton_steps}")

    def completed(self, mechanism: Mechanism, q: np.ndarray, rows: Sequence[int]) -> Form:
        equations = mechanism.equations
        constraints = [equations.constraints[i] for i in rows]
        _refuse(equations, constraints)
        k = equations.dynamics.kinematics
        aggregates = find_aggregates(k, [c.jacobian for c in constraints])
        loops = (self._chosen(mechanism, q, constraints, one) for one in aggregates)
        return replace(self, loops=tuple(loops))

    def _chosen(
        self,
        mechanism: Mechanism,
        q: np.ndarray,
        constraints: Sequence[Constraint],
        aggregate: Aggregate,
    ) -> ChosenLoop:
        own = [constraints[i] for i in aggregate.constraints]
        if not own:
            return ChosenLoop(aggregate, (), ())
        entries = {
            (i, aggregate.speeds.index(j)): e
            for i, c in enumerate(own)
            for j, e in c.jacobian.items()
        }
        shape = len(own), len(aggregate.speeds)
        travel = loop_travel(mechanism, q, constraints, aggregate)
        beside = np.array(
            [evaluate_matrix(entries, shape, values) for values in _samples(mechanism, q)]
        )
        columns = self._columns(mechanism.equations, aggregate, travel, beside)
        coordinates = {x.symbol for x in mechanism.equations.coordinates}
        places = {(i, columns.index(j)): e for (i, j), e in entries.items() if j in columns}
        varying = {p for p, e in places.items() if not coordinates.isdisjoint(symbols_of([e]))}
        reached = np.concatenate([travel.matrices, beside])
        regular = regular_matrices(reached[:, :, columns])
        pivots = choose_pivots(places, regular, varying) if len(regular) else []
        dependent = tuple(aggregate.speeds[j] for j in columns)
        least = float(travel.determination(columns).min())
        return ChosenLoop(aggregate, dependent, tuple(pivots), least)

    def _columns(
        self, equations: Equations, aggregate: Aggregate, travel: LoopTravel, beside: np.ndarray
    ) -> list[int]:
        """Dependent speeds, by their places in the aggregate.

        Chosen where the mechanism is assembled, or next to it: in a dead centre rows depend on one
        another that elsewhere do not. Where that choice has a dead centre of its own on the travel
        of the loop, another one is taken that has none.
        """
        names = [equations.speeds[j].name for j in aggregate.speeds]
        count = len(aggregate.constraints)
        listed = [k for k, name in enumerate(names) if name in self.dependent]
        for rows in (travel.matrices[0], *beside):
            found = listed if self.dependent else _determined(rows)
            if len(found) == count and np.linalg.matrix_rank(rows[:, found]) == count:
                return found if self.dependent else _best_on_travel(travel, found)
        given = f", got {', '.join(names[k] for k in listed) or 'none'}" if self.dependent else ""
        raise FormulationError(
            f"the constraints on {', '.join(names)} need {count} dependent speeds that they "
            f"determine{given}; the form 'projected' needs none"
        )

    def solve(self, equations: Equations, solver: ConstraintSolver) -> Solution:
        """Accelerations by the recursion over the loops, and the state that is moved back.

        Example:
        >>> import axletree as at
        >>> system = at.read_model("four-bar").formulate(form=at.Embedded())
        >>> len(system.projection)  # speeds and coordinates
        6
        """
        constraints = _satisfied(equations, solver.constraints)
        solved = [_SolvedLoop(loop, constraints) for loop in self.loops]
        dynamics = self._relieved(equations, constraints)
        k = dynamics.kinematics
        mass = ArticulatedMass(k, dynamics.inertias, [loop.plan for loop in solved])
        rates = tuple(mass.solve(dynamics.loads_at_rest, connection_bias(k)))
        internal = tuple(state.rate for state in equations.internal)
        reactions = _reactions(equations, solved, rates, len(constraints))
        projection = self._projection(equations, solved) if constraints else None
        return Solution(
            rates,
            equations.coordinate_rates,
            internal,
            reactions,
            projection,
            dependent=tuple(j for loop in self.loops for j in loop.dependent),
            pivots=tuple(loop.pivots_among_all for loop in self.loops),
        )

    def _relieved(self, equations: Equations, constraints: Sequence[Constraint]) -> Dynamics:
        """The same motion from inertia that stands where it costs least."""
        dynamics, aggregates = equations.dynamics, [loop.aggregate for loop in self.loops]
        chords = dict.fromkeys(c.edge for c in constraints if c.edge is not None)
        k = dynamics.kinematics
        found = transferred_inertias(k, dynamics.inertias, aggregates, chords)
        return replace(dynamics, inertias=found)

    def _projection(self, equations: Equations, solved: Sequence[_SolvedLoop]) -> tuple[Expr, ...]:
        p = [x.symbol for x in equations.speeds]
        along, closed = [ZERO] * len(p), list(p)
        for loop in solved:
            at_rest = dict.fromkeys((p[j] for j in loop.chosen.dependent), ZERO)
            # Linear in the dependent speeds, which are what balances the others.
            others = substitute([c.velocity for c in loop.own], at_rest)
            moves = loop.factors.solve([-c.position for c in loop.own])
            speeds = loop.factors.solve([-e for e in others])
            for j, move, speed in zip(loop.chosen.dependent, moves, speeds, strict=True):
                along[j], closed[j] = move, speed
        places = moved_places(equations, along, self.newton_steps)
        return projected_state(equations, substitute(closed, places), places)


class _SolvedLoop:
    """The matrix of a loop's dependent speeds, factorised, and what follows from it."""

    def __init__(self, chosen: ChosenLoop, constraints: Sequence[Constraint]) -> None:
        self.chosen = chosen
        self.own = [constraints[i] for i in chosen.aggregate.constraints]
        size = len(self.own)
        entries = {
            (i, chosen.dependent.index(j)): e
            for i, c in enumerate(self.own)
            for j, e in c.jacobian.items()
            if j in chosen.dependent
        }
        self.factors: LUFactors = lu(entries, size, chosen.pivots)
        self._entries = entries

    @property
    def plan(self) -> AggregatePlan:
        chosen = self.chosen
        transfer: dict[tuple[int, int], Expr] = {}
        for i in chosen.independent:
            column = self.factors.solve([-c.jacobian.get(i, ZERO) for c in self.own])
            transfer |= {(d, i): e for d, e in zip(chosen.dependent, column, strict=True)}
        gamma = self.factors.solve([-c.bias for c in self.own])
        return AggregatePlan(
            chosen.aggregate,
            chosen.independent,
            transfer,
            dict(zip(chosen.dependent, gamma, strict=True)),
        )

    def reactions(self, efforts: Sequence[Expr]) -> list[Expr]:
        """Those that balance efforts along the dependent speeds: C_d^T f = efforts."""
        transposed = {(j, i): e for (i, j), e in self._entries.items()}
        pivots = [(j, i) for i, j in self.chosen.pivots]
        return lu(transposed, len(self.own), pivots).solve(list(efforts))


def _satisfied(equations: Equations, constraints: Sequence[Constraint]) -> list[Constraint]:
    """The same constraints, without what vanishes in states that satisfy them."""
    k, rates = equations.dynamics.kinematics, equations.signal_rates
    edges = dict.fromkeys(c.edge for c in constraints if c.edge is not None)
    found = {
        c.reaction.name: c
        for edge in edges
        for c in chord_constraints(k, edge, rates, satisfied=True)
    }
    return [found.get(c.reaction.name, c) for c in constraints]


def _reactions(
    equations: Equations, solved: Sequence[_SolvedLoop], rates: Sequence[Expr], count: int
) -> tuple[Expr, ...]:
    """What is left along the dependent speeds when these rates are known."""
    lacking = equations.dynamics.through(rates, (), ()).efforts
    found = [ZERO] * count
    for loop in solved:
        own = loop.reactions([-lacking[j] for j in loop.chosen.dependent])
        for i, reaction in zip(loop.chosen.aggregate.constraints, own, strict=True):
            found[i] = reaction
    return tuple(found)


def _determined(rows: np.ndarray) -> list[int]:
    """Columns, as many as rows, the last ones that determine well.

    Speeds far from the base go first: those next to it are what an engineer thinks of as the
    travel of a suspension, and moving them moves all beyond them.
    """
    chosen: list[int] = []
    basis = np.zeros((0, len(rows)))
    scale = np.linalg.norm(rows, axis=0).max()
    left = list(range(rows.shape[1] - 1, -1, -1))
    least = _WELL
    while len(chosen) < len(rows) and least > 1e-9:
        for j in list(left):
            column = rows[:, j] - basis.T @ (basis @ rows[:, j])
            if np.linalg.norm(column) > least * scale:
                basis = np.vstack([basis, column / np.linalg.norm(column)])
                chosen.append(j)
                left.remove(j)
            if len(chosen) == len(rows):
                break
        least *= 0.3
    return sorted(chosen)


def _best_on_travel(travel: LoopTravel, first: list[int]) -> list[int]:
    """The first choice where it is well determined all along, else the best one."""
    count, size = len(first), travel.matrices.shape[2]
    found, best = first, float(travel.determination(first).min())
    if best > WELL_ON_TRAVEL or comb(size, count) > _MOST_CHOICES:
        return found
    for columns in combinations(range(size), count):
        least = float(travel.determination(columns).min())
        if least > best + _CLEARLY:
            found, best = list(columns), least
    return found


def _samples(mechanism: Mechanism, q: np.ndarray) -> list[dict[Expr, float]]:
    """Values of all symbols at the assembled configuration and around it."""
    random = np.random.default_rng(4)
    found = [mechanism.at(q)]
    for _ in range(_SAMPLES):
        found.append(mechanism.at(q + random.uniform(-_NEAR, _NEAR, size=len(q))))
    return found


def _refuse(equations: Equations, constraints: Sequence[Constraint]) -> None:
    """What loops cannot be eliminated from."""
    problems = []
    if equations.needed_reactions:
        problems.append("its loads depend on reactions")
    problems += [f"no speed moves {c.reaction.name}" for c in constraints if not c.jacobian]
    if problems:
        raise FormulationError(
            f"{equations.name} cannot be embedded: {'; '.join(problems)}; the form 'projected' can"
        )
