"""The equations of a steady motion: nothing changes but what drifts and turns with the whole.

Conditions are those of ``trim_conditions``, with dx/dt = w g(x) in place of dx/dt = 0 where
turning the whole moves a state (``yaw_symmetry``); w is unknown, too. For equations written by
hand without places on the ground this is f(x0, u0) = 0 (Lot and Massaro 2017, eq. 45). Each
target adds an equation, each input that is to be found an unknown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from axletree.analysis.slopes import slopes_of
from axletree.analysis.steady_given import Target
from axletree.analysis.trim_conditions import TrimConditions
from axletree.analysis.yaw_symmetry import yaw_symmetry
from axletree.core.expr import Expr, evaluate
from axletree.core.expr.evaluate import Evaluator
from axletree.simulation.problem import Problem
from axletree.system.system import System

# [SI] of an equation, below which it weighs less than others. Where nothing changes a speed, its
# rate is what rounding makes of zero, and so are the slopes of that; it must count for nothing.
LEAST_SLOPE = 1e-3


@dataclass(frozen=True)
class SteadyPoint:
    """A candidate, in numbers; a yaw rate only where states turn with the whole."""

    states: np.ndarray
    inputs: np.ndarray
    parameters: np.ndarray
    targets: np.ndarray
    shifts: np.ndarray  # what the rows of targets are to be, 0 in the end
    yaw_rate: float  # [rad/s]


class SteadyEquations:
    """As many equations as unknowns, or more, or fewer.

    The unknowns are states, levels of inputs and the yaw rate where there is one. One more
    number after them is a value of ``along``, along which steady motions are followed.
    """

    def __init__(
        self,
        system: System,
        problem: Problem,
        targets: Sequence[Target],
        found: Sequence[Sequence[int]],
        along: Expr | None = None,
    ) -> None:
        """``problem`` has the first guess, ``found`` the inputs, each group with one level."""
        self.system, self.problem = system, problem
        self.targets, self.found, self.along = tuple(targets), found, along
        self._symbols = {  # by the fields of a point
            "targets": [t.symbol for t in targets],
            "inputs": [q.symbol for q in system.inputs],
            "parameters": [q.symbol for q in system.parameters],
            "states": [q.symbol for q in system.states],
        }
        self.conditions = TrimConditions(system)
        self.free = self.conditions.adjustable
        goal = np.array([target.value for target in targets])
        self.guess = SteadyPoint(
            problem.states, problem.inputs, problem.parameters, goal, np.zeros(len(goal)), 0.0
        )
        settled = self.conditions.settled
        self.symmetry = yaw_symmetry(system, self.values(self.guess), settled)
        rows = [c.expression for c in self.conditions.conditions]
        self._rows = [*rows, *(t.row for t in targets)]
        self._evaluated = Evaluator(self._rows)
        self._states = [c.state for c in self.conditions.conditions] + [None] * len(targets)
        symbols = [q.symbol for q in (*system.states, *system.inputs)]
        self._slopes = slopes_of(self._rows, symbols if along is None else [*symbols, along])

    def says(self, row: int) -> tuple[str, str]:
        """What is the case where a row does not vanish, and the unit of the amount."""
        conditions = self.conditions.conditions
        if row < len(conditions):
            return conditions[row].says, conditions[row].unit
        target = self.targets[row - len(conditions)]
        return f"{target.name} is off by", target.unit

    def misses(self, point: SteadyPoint) -> np.ndarray:
        """The rows of the targets at a point."""
        rows = self._rows[len(self._rows) - len(self.targets) :]
        return np.array(evaluate(rows, self.values(point)), dtype=float)

    def unknowns(self, point: SteadyPoint) -> np.ndarray:
        levels = [point.inputs[group[0]] for group in self.found]
        turning = [] if self.symmetry is None else [point.yaw_rate]
        return np.array([*point.states[self.free], *levels, *turning])

    @property
    def count(self) -> int:
        """Of unknowns, without the value that is followed."""
        return len(self.free) + len(self.found) + (self.symmetry is not None)

    def point(self, unknowns: np.ndarray, around: SteadyPoint) -> SteadyPoint:
        """``around`` has what is not unknown."""
        states, inputs = around.states.copy(), around.inputs.copy()
        count = len(self.free)
        states[self.free] = unknowns[:count]
        for k, group in enumerate(self.found):
            inputs[list(group)] = unknowns[count + k]
        rate = float(unknowns[count + len(self.found)]) if self.symmetry else 0.0
        made = replace(around, states=states, inputs=inputs, yaw_rate=rate)
        return self.moved(made, float(unknowns[-1])) if len(unknowns) > self.count else made

    def moved(self, point: SteadyPoint, value: float) -> SteadyPoint:
        """The same with another value of what steady motions are followed along."""
        for field, symbols in self._symbols.items():
            if self.along in symbols:
                numbers = getattr(point, field).copy()
                numbers[symbols.index(self.along)] = value
                return replace(point, **{field: numbers})
        return point

    def values(self, point: SteadyPoint) -> dict[Expr, float]:
        """Numbers for every symbol of the system, and of the targets."""
        numbers = (point.targets, point.inputs, point.parameters, point.states)
        values = {self.system.time.symbol: self.problem.start}
        for symbols, row in zip(self._symbols.values(), numbers, strict=True):
            values |= dict(zip(symbols, row.tolist(), strict=True))
        return values

    def residual(self, unknowns: np.ndarray, around: SteadyPoint) -> np.ndarray:
        point = self.point(unknowns, around)
        values = self.values(point)
        residual = np.array(self._evaluated(values), dtype=float)
        residual[len(residual) - len(self.targets) :] -= point.shifts
        if self.symmetry is not None:
            field = self.symmetry.generator(values).field
            residual -= point.yaw_rate * self._by_rows(field)
        return residual

    def slopes(self, unknowns: np.ndarray, around: SteadyPoint) -> np.ndarray:
        """d residual / d unknowns."""
        point = self.point(unknowns, around)
        values, count = self.values(point), len(self.system.states)
        full = self._slopes(values)
        last = [full[:, -1:]] if len(unknowns) > self.count else []
        turning = []
        if self.symmetry is not None:
            found = self.symmetry.generator(values)
            full[:, :count] -= point.yaw_rate * self._by_rows(found.slopes)
            turning = [-self._by_rows(found.field)[:, None]]
        levels = [
            full[:, [count + k for k in group]].sum(axis=1, keepdims=True) for group in self.found
        ]
        return np.hstack([full[:, self.free], *levels, *turning, *last])

    def _by_rows(self, of_states: np.ndarray) -> np.ndarray:
        """What belongs to the state whose rate a row has; 0 in the other rows."""
        rows = np.zeros((len(self._states), *of_states.shape[1:]))
        for row, state in enumerate(self._states):
            if state is not None:
                rows[row] = of_states[state]
        return rows
