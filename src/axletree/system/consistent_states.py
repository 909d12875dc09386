"""Consistent states: moved onto the constraints by the least change, in expressions and in numbers.

In expressions it is a Newton step at a fixed cost, after each step of an integration. In
numbers it is where a run starts: some states are given by name, the rest follow.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from axletree.components.edges import MotionLaw
from axletree.components.signals import TIME
from axletree.core.errors import InitialValueError
from axletree.equations.equations import Equations
from axletree.expr import Expr, evaluate, jacobian, ldl, substitute, symbols_of
from axletree.expr.evaluation import evaluate_matrix
from axletree.expr.expression import ZERO
from axletree.expr.quantity import Quantity
from axletree.system.mechanism import CLOSED, Closing, Mechanism, start_values
from axletree.system.start import start_with
from axletree.system.system import System


def consistent_states(
    system: System, given: Mapping[str, float], values: Mapping[Expr, float]
) -> np.ndarray:
    """All states at the start: those given as they are, the others near their defaults.

    ``given`` may have coordinates and speeds outside of the tree, too; states follow from them.
    ``values`` are those of time, inputs and parameters at the start. Where the given
    values leave the constraints no solution, the error says which constraint is violated
    by how much.
    """
    equations = system.source
    defaults = {q.name: q.default for q in system.states}
    start = np.array([given.get(name, value) for name, value in defaults.items()])
    if equations is None:
        return _written_by_hand(system, start, given, values)
    if equations.states_are_free and given.keys() == defaults.keys():
        return start
    n_p, n_q = len(equations.speeds), len(equations.coordinates)
    first = {q.symbol: x for q, x in zip(system.states, start.tolist(), strict=True)}
    known = {s.quantity.symbol: first[s.quantity.symbol] for s in equations.internal}
    outside = start_with(equations, system.start, given)
    mechanism = Mechanism(equations, {**known, **values}, given, outside)
    firsts = FirstValues(mechanism, defaults, system.start.given)
    q = firsts.coordinates(given)
    p = firsts.speeds(q, given)
    motion = zip((*equations.coordinates, *equations.speeds), (*q[:n_q], *p[:n_p]), strict=True)
    placed = {**values, **{x.symbol: y for x, y in motion}}
    z = start[n_p + n_q :].copy()
    measured = dict(zip((x.name for x in mechanism.coordinates), q.tolist(), strict=True))
    for k, state in enumerate(equations.internal):  # those that the motion fixes follow from it
        name = state.quantity.name
        usual = None if name in system.start.given else state.usual_start
        found = usual if state.start is None else state.start
        if found is not None and name not in given:
            z[k] = measured.get(name, float(evaluate([found], placed)[0]))
    return np.concatenate([p[:n_p], q[:n_q], z])


@dataclass(frozen=True)
class FirstValues:
    """First values of a mechanism's variables, those of the tree and those outside of it."""

    mechanism: Mechanism
    defaults: Mapping[str, float]  # of the variables of the tree
    wanted: Collection[str]  # of all variables, those that the model gives first values of

    def coordinates(self, given: Mapping[str, float]) -> np.ndarray:
        """The nearest to the model's start; from there ``given`` ones go to their values."""
        mechanism = self.mechanism
        quantities = mechanism.coordinates
        wanted, fixed = _indices(quantities, self.wanted), _indices(quantities, given)
        ahead = self.guess(quantities)
        ahead[fixed] = [given[quantities[j].name] for j in fixed]
        ahead = _regular(mechanism.equations, ahead)
        if mechanism.is_closed(ahead):
            return ahead
        base = mechanism.before(start_values(mechanism.equations) | {TIME: 0.0})
        q = replace(self, mechanism=base).assembled()
        following = self._following(quantities, len(mechanism.equations.coordinates), given)
        ahead[following] = q[following]
        q = mechanism.led(q, base, {j: float(ahead[j]) for j in fixed})
        q = mechanism.drawn_back(q, ahead, fixed, wanted)
        return _regular(mechanism.equations, q)

    def assembled(self) -> np.ndarray:
        """Coordinates that satisfy all constraints, the nearest to the model's start."""
        quantities = self.mechanism.coordinates
        guess = _regular(self.mechanism.equations, self.guess(quantities))
        return self.mechanism.assembled(guess, given=_indices(quantities, self.wanted))

    def can_be_alone(self, k: int, q: np.ndarray) -> bool:
        """Whether the first value of a variable can be had if no other is given."""
        mechanism = self.mechanism
        if k < len(q):
            guess = self.guess(mechanism.coordinates)
            return mechanism.with_exactly(q, guess, (), [k]) is not None
        try:
            mechanism.consistent_speeds(q, self.guess(mechanism.speeds), [k - len(q)])
        except InitialValueError:
            return False
        return True

    def speeds(self, q: np.ndarray, given: Mapping[str, float]) -> np.ndarray:
        quantities = self.mechanism.speeds
        guess = self.guess(quantities)
        wanted, fixed = _indices(quantities, self.wanted), _indices(quantities, given)
        guess[fixed] = [given[quantities[j].name] for j in fixed]
        following = self._following(quantities, len(self.mechanism.equations.speeds), given)
        guess = self.mechanism.with_outside_speeds(q, guess, following)
        return self.mechanism.consistent_speeds(q, guess, fixed, wanted)

    def _following(
        self, quantities: Sequence[Quantity], own: int, given: Mapping[str, float]
    ) -> list[int]:
        """Variables outside of the tree, after its ``own``, that nobody gives: they have no say."""
        known = {*self.wanted, *given}
        return [j for j in range(own, len(quantities)) if quantities[j].name not in known]

    def guess(self, quantities: Sequence[Quantity]) -> np.ndarray:
        return np.array([self.defaults.get(q.name, q.default) for q in quantities], dtype=float)


def _written_by_hand(
    system: System, start: np.ndarray, given: Mapping[str, float], values: Mapping[Expr, float]
) -> np.ndarray:
    states = nearest_states(system, start, given, values) if system.constraints else start
    small = {} if system.implicit is None else system.implicit.small
    for quantity, value in zip(system.states, states.tolist(), strict=True):
        if abs(value) > small.get(quantity.name, np.inf):
            raise InitialValueError(
                f"{system.name}: {quantity.name} was declared small, up to "
                f"{small[quantity.name]:g} {quantity.unit}, and starts at {value:g}: the equations "
                "are of first order in it and say nothing of so large a value; start nearer to "
                "0, form them without declaring it small, or give it another bound"
            )
    return states


def _indices(quantities: Sequence[Quantity], given: Collection[str]) -> list[int]:
    return [j for j, quantity in enumerate(quantities) if quantity.name in given]


def _regular(equations: Equations, q: np.ndarray) -> np.ndarray:
    """Coordinates as the laws of their branches want them."""
    place = {quantity.name: k for k, quantity in enumerate(equations.coordinates)}
    links, result = equations.dynamics.kinematics.links, q.copy()
    for connection in (*links.translations, *links.rotations):
        own = [place[quantity.name] for quantity in connection.coordinates]
        law = connection.edge.law
        if own and isinstance(law, MotionLaw):
            result[own] = law.regular(result[own].tolist())
    return result


class ConstraintWithRate(Protocol):
    """A constraint: what is zero, and its rate."""

    @property
    def position(self) -> Expr: ...

    @property
    def velocity(self) -> Expr: ...


def places_and_speeds(
    rows: Sequence[ConstraintWithRate], states: Sequence[Quantity]
) -> tuple[list[int], ...]:
    """Indices of the states that positions hold, and of the others, which rates hold."""
    index = {q.symbol: k for k, q in enumerate(states)}
    in_positions = {index[s] for s in symbols_of([r.position for r in rows]) if s in index}
    in_rates = {index[s] for s in symbols_of([r.velocity for r in rows]) if s in index}
    return sorted(in_positions), sorted(in_rates - in_positions)


# -- in expressions --------------------------------------------------------------------


def projection_of(
    name: str, states: Sequence[Quantity], rows: Sequence[ConstraintWithRate], steps: int
) -> list[Expr]:
    """All states after Newton steps: places first, then speeds at the new places."""
    symbols = [q.symbol for q in states]
    places, speeds = places_and_speeds(rows, states)
    positions = [row.position for row in rows if not row.position.is_zero]
    moved = dict(zip(symbols, symbols, strict=True))
    step = _newton_step(positions, [symbols[k] for k in places])
    for _ in range(steps):
        moved |= dict(zip(step, substitute(list(step.values()), moved), strict=True))
    step = _newton_step([row.velocity for row in rows], [symbols[k] for k in speeds])
    moved |= dict(zip(step, substitute(list(step.values()), moved), strict=True))
    return [moved[symbol] for symbol in symbols]


def _newton_step(rows: Sequence[Expr], symbols: Sequence[Expr]) -> dict[Expr, Expr]:
    """x - J^T (J J^T)^-1 r."""
    if not rows:
        return {}
    slopes = jacobian(rows, symbols)
    products: dict[tuple[int, int], Expr] = {}
    for (i, j), slope in slopes.items():
        for k in range(i + 1):
            if (k, j) in slopes:
                products[i, k] = products.get((i, k), ZERO) + slope * slopes[k, j]
    forces = ldl(products, len(rows)).solve([-row for row in rows])
    moved = {symbol: symbol for symbol in symbols}
    for (i, j), slope in slopes.items():
        moved[symbols[j]] = moved[symbols[j]] + slope * forces[i]
    return moved


# -- in numbers ------------------------------------------------------------------------


def nearest_states(
    system: System, start: np.ndarray, given: Collection[str], values: Mapping[Expr, float]
) -> np.ndarray:
    """States near to the start that satisfy the constraints; those given stay as they are.

    ``values`` are those of time, inputs and parameters.
    """
    rows = system.constraints
    places, speeds = places_and_speeds(rows, system.states)
    holonomic = [row for row in rows if row.is_holonomic]
    states = start.copy()
    for held, chosen, expressions in (
        (holonomic, places, [row.position for row in holonomic]),
        (rows, speeds, [row.velocity for row in rows]),
    ):
        free = [k for k in chosen if system.states[k].name not in given]
        states, left = _nearest(system, expressions, values, states, free)
        if not _closes(left):
            worst = int(np.abs(left).argmax())
            what = "" if expressions[worst] is held[worst].position else "the rate of "
            said = f" with {', '.join(sorted(given))} given" if given else ""
            raise InitialValueError(
                f"{system.name}: no states near to the start satisfy the constraints{said}: "
                f"{what}{held[worst].source} is off by {np.abs(left).max():.3g}; give fewer "
                "initial values or others, or start values nearer to where the constraints hold"
            )
    return states


def _nearest(
    system: System,
    expressions: Sequence[Expr],
    values: Mapping[Expr, float],
    start: np.ndarray,
    free: Sequence[int],
) -> tuple[np.ndarray, np.ndarray]:
    """States at which expressions vanish, and what is left of these."""
    symbols = [q.symbol for q in system.states]
    slopes, shape = jacobian(expressions, symbols), (len(expressions), len(symbols))

    def at(states: np.ndarray) -> dict[Expr, float]:
        return {**values, **dict(zip(symbols, states.tolist(), strict=True))}

    touched = {j for _, j in slopes}
    return Closing(
        lambda x: np.array(evaluate(expressions, at(x)), dtype=float),
        lambda x: evaluate_matrix(slopes, shape, at(x)),
        _closes, start, [j for j in free if j in touched], damping=1e-12,
    ).nearest()  # fmt: skip


def _closes(left: np.ndarray) -> bool:
    return bool(np.abs(left).max(initial=0.0) <= CLOSED)
