"""What must hold in a steady motion.

1. Speeds keep their values, or all of them fall in one proportion: dp/dt = decay p. A
   vehicle that coasts loses speed and its wheels lose theirs, so that no slip changes.
   Where speeds are along the axes of the ground, these turn with the whole (``yaw_symmetry``).
2. Internal states keep their values; what is in a store (the charge of a battery, the heat of a
   motor) is as it is when the motion begins, and changes slowly.
3. So does every coordinate that these depend on. The others drift: places on the ground, the
   heading, angles of wheels.
4. Constraints are satisfied, positions and rates.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from axletree.analysis.linear.jacobians import SymbolValues, slopes_of
from axletree.analysis.steady.newton import DEPENDENT, ROUNDING
from axletree.core.units import unit_of_rate
from axletree.expr import Expr, symbols_of
from axletree.expr.evaluation import Evaluator
from axletree.expr.quantity import Role
from axletree.system.mechanism import measured_travels
from axletree.system.system import System


@dataclass(frozen=True)
class SteadyCondition:
    """One expression that must vanish, but for the decay of a speed."""

    says: str  # what is the case where it does not vanish; an amount follows
    unit: str
    expression: Expr
    state: int | None = None  # whose rate it is


class SteadyConditions:
    """The conditions of a system, in values of its states, inputs, parameters and time."""

    def __init__(self, system: System, unfelt: Collection[int] = ()) -> None:
        """``unfelt`` are coordinates that may drift because they do not matter where it is."""
        self.system = system
        self.settled = [k for k in settled_states(system) if k not in unfelt]
        self.conditions = [*_rates(system, self.settled), *_closures(system)]
        self.symbols = [q.symbol for q in (*system.states, *system.inputs)]
        expressions = [c.expression for c in self.conditions]
        self._evaluated = Evaluator(expressions)
        self.slopes = slopes_of(expressions, self.symbols)  # by states and inputs
        self.speeds = np.zeros((len(self.conditions), len(system.states)))
        for row, condition in enumerate(self.conditions):
            k = condition.state
            if k is not None and system.states[k].role is Role.SPEED:
                self.speeds[row, k] = 1.0

    @cached_property
    def mechanical(self) -> list[int]:
        """Rows of accelerations, of rates of coordinates and of constraints."""
        states = self.system.states
        internal = {k for k, q in enumerate(states) if q.role not in (Role.SPEED, Role.COORDINATE)}
        return [row for row, one in enumerate(self.conditions) if one.state not in internal]

    @cached_property
    def drifting(self) -> list[int]:
        return [k for k in range(len(self.system.states)) if k not in set(self.settled)]

    @cached_property
    def adjustable(self) -> list[int]:
        """States that the conditions bear on: those that settle, and those that follow.

        Travels follow from coordinates, and so does a coordinate on which nothing depends but
        a constraint, as the height of a vehicle on wheels that do not give.
        """
        travels = _travels(self.system)
        bound = set(symbols_of([c.position for c in self.system.constraints]))
        states = enumerate(self.system.states)
        following = [k for k, q in states if q.name in travels or q.symbol in bound]
        return sorted({*self.settled, *following})

    def residual(self, values: SymbolValues) -> np.ndarray:
        """What should vanish, no speed decaying."""
        return np.array(self._evaluated(values), dtype=float)

    def unfelt(self, values: SymbolValues) -> list[int]:
        """Coordinates that stand in the equations and make no difference at these values.

        Such are the place before a bump in the road, and the angle of a wheel in the direction
        of a torque about its own axle.
        """
        slopes = np.abs(self.slopes(values))
        felt = slopes > ROUNDING * np.maximum(slopes.max(axis=1, initial=0.0, keepdims=True), 1.0)
        states = self.system.states
        left = [k for k in self.settled if states[k].role is Role.COORDINATE]
        found: list[int] = []
        while True:
            rows = [condition.state not in found for condition in self.conditions]
            more = [k for k in left if k not in found and not felt[rows, k].any()]
            if not more:
                return found
            found += more

    def by_rows(self, of_states: np.ndarray) -> np.ndarray:
        """What belongs to the state whose rate a condition has; 0 for the others."""
        states = [condition.state for condition in self.conditions]
        has_one = np.array([k is not None for k in states])
        rows = np.zeros((len(states), *of_states.shape[1:]))
        rows[has_one] = of_states[[k for k in states if k is not None]]
        return rows

    def growth(self, slopes: np.ndarray) -> float:
        """How fast a small disturbance can grow, beside the quickest motion; at most 1.

        ``slopes`` are those of the residual, in axes that turn with the whole.
        """
        if not self.settled:
            return 0.0
        columns = self.adjustable
        is_rate = np.array([condition.state is not None for condition in self.conditions])
        free = _null_space(slopes[~is_rate][:, columns])  # what no constraint forbids
        allowed = _column_space(free[np.isin(columns, self.settled)])
        motions = np.linalg.eigvals(allowed.T @ slopes[is_rate][:, self.settled] @ allowed)
        quickest = np.abs(motions).max(initial=0.0)
        return float(motions.real.max() / quickest) if quickest else 0.0


# Kept, because slopes take longer to be formed than many motions to be found.
conditions_of = lru_cache(maxsize=8)(SteadyConditions)


def _null_space(rows: np.ndarray) -> np.ndarray:
    """An orthonormal basis, in columns, of what the rows map to 0."""
    _, sizes, basis = np.linalg.svd(rows)
    rank = int((sizes > DEPENDENT * sizes.max(initial=0.0)).sum())
    return np.asarray(basis[rank:].T)


def _column_space(columns: np.ndarray) -> np.ndarray:
    """An orthonormal basis of what the columns span."""
    basis, sizes, _ = np.linalg.svd(columns, full_matrices=False)
    return np.asarray(basis[:, sizes > DEPENDENT * sizes.max(initial=0.0)])


def settled_states(system: System) -> list[int]:
    """Indices of the states that keep their values; the others are stores, and coordinates that
    drift."""
    index = {q.symbol: k for k, q in enumerate(system.states) if not q.is_store}
    travels = _travels(system)
    states = enumerate(system.states)
    settled = {
        k for k, q in states
        if q.role is not Role.COORDINATE and q.name not in travels and not q.is_store
    }  # fmt: skip
    while True:
        seen = symbols_of([system.derivatives[k] for k in sorted(settled)])
        more = {index[symbol] for symbol in seen if symbol in index} - settled
        if not more:
            return sorted(settled)
        settled |= more


def _travels(system: System) -> dict[str, Expr]:
    """Internal states that count how far a joint has gone, as functions of coordinates."""
    travels = {} if system.source is None else measured_travels(system.source)
    return {travel.name: start for travel, start in travels.items()}


def _rates(system: System, settled: Sequence[int]) -> list[SteadyCondition]:
    rates = ((k, system.states[k], system.derivatives[k]) for k in settled)
    return [
        SteadyCondition(f"{q.name} changes by", unit_of_rate(q.unit), rate, k)
        for k, q, rate in rates
    ]


def _closures(system: System) -> list[SteadyCondition]:
    found = []
    for constraint in system.constraints:
        says = f"the constraint of {constraint.reaction.name} is off by"
        found.append(SteadyCondition(says, "", constraint.position))
        found.append(SteadyCondition(f"the rate of {says}", "", constraint.velocity))
    symbols = {q.name: q.symbol for q in system.states}
    for name, start in _travels(system).items():
        found.append(SteadyCondition(f"{name} is off by", "rad", symbols[name] - start))
    return found
