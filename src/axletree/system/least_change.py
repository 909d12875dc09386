"""States moved onto constraints by the least change: in expressions, and in numbers.

In expressions it is a Newton step at a fixed cost, after each step of an integration. In
numbers it is where a run starts.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final, Protocol

import numpy as np

from axletree.core.errors import InitialValueError
from axletree.core.expr import Expr, evaluate, jacobian, ldl, substitute, symbols_of
from axletree.core.expr.expression import ZERO
from axletree.core.quantity import Quantity
from axletree.system.system import System

CLOSED: Final = 1e-10  # a constraint counts as satisfied below this, in its own unit
MOST_ITERATIONS: Final = 100
MOST_STARTS: Final = 20


class Held(Protocol):
    """A constraint: what is zero, and its rate."""

    @property
    def position(self) -> Expr: ...

    @property
    def velocity(self) -> Expr: ...


def places_and_speeds(rows: Sequence[Held], states: Sequence[Quantity]) -> tuple[list[int], ...]:
    """Indices of the states that positions hold, and of the others, which rates hold."""
    index = {q.symbol: k for k, q in enumerate(states)}
    in_positions = {index[s] for s in symbols_of([r.position for r in rows]) if s in index}
    in_rates = {index[s] for s in symbols_of([r.velocity for r in rows]) if s in index}
    return sorted(in_positions), sorted(in_rates - in_positions)


# -- in expressions --------------------------------------------------------------------


def projection_of(
    name: str, states: Sequence[Quantity], rows: Sequence[Held], steps: int
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
        search = _Search(system, expressions, values, free)
        states, left = search.closed(states)
        if np.abs(left).max(initial=0.0) > CLOSED:
            worst = int(np.abs(left).argmax())
            what = "" if expressions[worst] is held[worst].position else "the rate of "
            raise InitialValueError(_unmet(system, f"{what}{held[worst].source}", left, given))
    return states


class _Search:
    """Gauss and Newton's method, each step the least change of the free states."""

    def __init__(
        self,
        system: System,
        expressions: Sequence[Expr],
        values: Mapping[Expr, float],
        free: Sequence[int],
    ) -> None:
        self.symbols = [q.symbol for q in system.states]
        self.expressions, self.values, self.free = list(expressions), dict(values), free
        self.slopes = jacobian(expressions, [self.symbols[k] for k in free])

    def closed(self, start: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The states, and what is left of the rows; from elsewhere where the start leads nowhere.

        Where a rod stands upright its length does not change with the sideways place.
        """
        random = np.random.default_rng(0)
        best = self._descended(start)
        for attempt in range(MOST_STARTS):
            if np.abs(best[1]).max(initial=0.0) <= CLOSED:
                break
            elsewhere = start.copy()
            elsewhere[self.free] += random.normal(scale=0.1 * 1.3**attempt, size=len(self.free))
            states, left = self._descended(elsewhere)
            if left @ left < best[1] @ best[1]:
                best = states, left
        return best

    def _descended(self, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        left = self._residual(states)
        for _ in range(MOST_ITERATIONS):
            if not len(left) or np.abs(left).max() <= CLOSED * 1e-3:
                break
            step, share = self._step(states, left), 1.0
            while share > 1e-4:
                trial = states.copy()
                trial[self.free] += share * step
                changed = self._residual(trial)
                if np.isfinite(changed).all() and changed @ changed < left @ left:
                    break
                share *= 0.5
            else:
                break
            states, left = trial, changed
        return states, left

    def _at(self, states: np.ndarray) -> dict[Expr, float]:
        return self.values | dict(zip(self.symbols, states.tolist(), strict=True))

    def _residual(self, states: np.ndarray) -> np.ndarray:
        return np.array(evaluate(self.expressions, self._at(states)), dtype=float)

    def _step(self, states: np.ndarray, left: np.ndarray) -> np.ndarray:
        J = np.zeros((len(left), len(self.free)))
        numbers = evaluate(list(self.slopes.values()), self._at(states))
        for place, number in zip(self.slopes, numbers, strict=True):
            J[place] = number
        return np.asarray(np.linalg.lstsq(J, -left, rcond=1e-12)[0])


def _unmet(system: System, worst: str, left: np.ndarray, given: Collection[str]) -> str:
    said = f" with {', '.join(sorted(given))} given" if given else ""
    return (
        f"{system.name}: no states near to the start satisfy the constraints{said}: {worst} is "
        f"off by {np.abs(left).max():.3g}; give fewer initial values or others, or start values "
        "nearer to where the constraints hold"
    )
