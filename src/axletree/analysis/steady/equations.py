"""The conditions of a steady motion as equations for what is not given, with their slopes.

Conditions are those of ``conditions``, with dx/dt = w g(x) in place of dx/dt = 0 where turning
the whole moves a state (``yaw_symmetry``); w is unknown, too, and so is the decay of the speeds
where the system may coast. For equations written by hand without places on the ground this is
f(x0, u0) = 0 (Lot and Massaro 2017, eq. 45). States that are given are no unknowns; each other
target adds an equation, each input or parameter that is to be found an unknown.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from axletree.analysis.linear.jacobians import slopes_of
from axletree.analysis.steady.conditions import SteadyConditions, conditions_of
from axletree.analysis.steady.problem import SteadyProblem
from axletree.analysis.steady.yaw_symmetry import YawSymmetry, yaw_symmetry
from axletree.expr import Expr
from axletree.expr.evaluation import Evaluator
from axletree.expr.quantity import Role
from axletree.simulation.problem import Problem

# [SI] of an equation, below which it weighs less than others. Where nothing changes a speed, its
# rate is what rounding makes of zero, and so are the slopes of that; it must count for nothing.
LEAST_SLOPE = 1e-3

FIELDS = ("targets", "inputs", "parameters", "states")  # of a point, that have symbols


class SteadyPoint(NamedTuple):
    """A candidate, in numbers; a yaw rate only where states turn with the whole."""

    states: np.ndarray
    inputs: np.ndarray
    parameters: np.ndarray
    targets: np.ndarray  # what is given of states, outputs and expressions
    shifts: np.ndarray  # by how much these are off yet, 0 in the end
    yaw_rate: float = 0.0  # [rad/s], at which states turn with the whole
    decay: float = 0.0  # [1/s], at which all speeds change


class SteadyEquations:
    """As many equations as unknowns, or more, or fewer.

    The unknowns are states, the yaw rate where there is one, levels of inputs and parameters, and
    the decay of speeds if these may fall. One more number after them is a value of ``along``,
    along which steady motions are followed.
    """

    def __init__(
        self,
        problem: SteadyProblem,
        numbers: Problem,
        *,
        stands: bool = False,
        coasts: bool = False,
        along: Expr | None = None,
        unfelt: tuple[int, ...] = (),
    ) -> None:
        """``numbers`` has the first guess; where it ``stands``, every speed is 0.

        ``unfelt`` are coordinates that may drift because they do not matter where it is.
        """
        system = problem.system
        self.problem, self.numbers, self.system = problem, numbers, system
        self.stands, self.coasts, self.along, self.unfelt = stands, coasts, along, unfelt
        self.targets, self.found = problem.given.targets, problem.found
        self.conditions: SteadyConditions = conditions_of(system, unfelt)
        goal = np.array([target.value for target in self.targets])
        states = numbers.states.copy()
        states[problem.speeds if stands else []] = 0.0
        self.guess = SteadyPoint(
            states, numbers.inputs, numbers.parameters, goal, np.zeros(len(goal))
        )
        symbols = {
            "targets": [t.symbol for t in self.targets],
            "inputs": [q.symbol for q in system.inputs],
            "parameters": [q.symbol for q in system.parameters],
            "states": [q.symbol for q in system.states],
        }
        self._places = {s: (field, k) for field, row in symbols.items() for k, s in enumerate(row)}
        self.symmetry: YawSymmetry | None = None
        if not stands:
            self.symmetry = yaw_symmetry(system, self.values(self.guess), self.conditions.settled)
        fixed = {*problem.held, *self.headings, *(problem.speeds if stands else ())}
        self.free = [k for k in self.conditions.adjustable if k not in fixed]
        rows = [self.targets[j].row for j in problem.rows]
        self._targets = Evaluator(rows)
        self._by_targets = slopes_of(rows, self.conditions.symbols)
        columns = {s: k for k, s in enumerate(self.conditions.symbols)}
        # a value that is given of a state moves that state
        columns |= {self.targets[j].symbol: k for k, j in problem.held.items()}
        sought = [*problem.sought, along]
        others = [s for s in dict.fromkeys(sought) if s is not None and s not in columns]
        rows = [*(c.expression for c in self.conditions.conditions), *rows]
        self._by_others = slopes_of(rows, others) if others else None
        count = len(self.conditions.symbols)
        self._columns = columns | {s: count + k for k, s in enumerate(others)}

    @cached_property
    def headings(self) -> tuple[int, ...]:
        """A coordinate that turns with the whole and does not matter otherwise, if any does."""
        if self.symmetry is None:
            return ()
        turned = np.abs(self.symmetry.generator(self.values(self.guess)).field)
        states = self.system.states
        found = [k for k in self.conditions.settled if states[k].role is Role.COORDINATE]
        return tuple(sorted(found, key=lambda k: -turned[k])[:1])

    @property
    def drifting(self) -> tuple[int, ...]:
        """Coordinates that nothing depends on, and the heading."""
        return tuple(sorted({*self.conditions.drifting, *self.headings}))

    def says(self, row: int) -> tuple[str, str]:
        """What is the case where a row does not vanish, and the unit of the amount."""
        conditions = self.conditions.conditions
        if row < len(conditions):
            return conditions[row].says, conditions[row].unit
        target = self.targets[self.problem.rows[row - len(conditions)]]
        return f"{target.name} is off by", target.unit

    def misses(self, point: SteadyPoint) -> np.ndarray:
        """By how much each target is off at a point."""
        found = point.shifts.copy()
        for k, j in self.problem.held.items():
            found[j] = point.states[k] - point.targets[j]
        found[self.problem.rows] = np.array(self._targets(self.values(point)), dtype=float)
        return found

    # -- unknowns ----------------------------------------------------------------------

    @property
    def first_effort(self) -> int:
        """The place of the first unknown that says what it takes to keep the motion up."""
        return len(self.free) + (self.symmetry is not None)

    @property
    def count(self) -> int:
        """Of unknowns, without the value that is followed."""
        return self.first_effort + len(self.found) + self.coasts

    @property
    def names(self) -> list[str]:
        """Of the unknowns."""
        turning = [] if self.symmetry is None else ["the yaw rate"]
        levels = [", ".join(symbol.name for symbol in group) for group in self.found]
        falling = ["the rate at which speeds fall"] if self.coasts else []
        return [*(self.system.states[k].name for k in self.free), *turning, *levels, *falling]

    def unknowns(self, point: SteadyPoint) -> np.ndarray:
        turning = [] if self.symmetry is None else [point.yaw_rate]
        places = (self._places[group[0]] for group in self.found)
        levels = [getattr(point, field)[k] for field, k in places]
        falling = [point.decay] if self.coasts else []
        return np.array([*point.states[self.free], *turning, *levels, *falling])

    def point(self, unknowns: np.ndarray, around: SteadyPoint) -> SteadyPoint:
        """``around`` has what is not unknown."""
        follows = len(unknowns) > self.count
        made, first = (
            self.moved(around, float(unknowns[-1])) if follows else around,
            self.first_effort,
        )
        states = made.states.copy()
        for k, j in self.problem.held.items():
            states[k] = made.targets[j] + made.shifts[j]
        states[self.free] = unknowns[: len(self.free)]
        rate = 0.0 if self.symmetry is None else float(unknowns[first - 1])
        decay = float(unknowns[self.count - 1]) if self.coasts else 0.0
        made = made._replace(states=states, yaw_rate=rate, decay=decay)
        for group, level in zip(self.found, unknowns[first:].tolist(), strict=False):
            for symbol in group:
                made = self._with(made, symbol, level)
        return made

    def moved(self, point: SteadyPoint, value: float) -> SteadyPoint:
        """The same with another value of what steady motions are followed along."""
        return point if self.along is None else self._with(point, self.along, value)

    def _with(self, point: SteadyPoint, symbol: Expr, value: float) -> SteadyPoint:
        field, k = self._places[symbol]
        numbers = getattr(point, field).copy()
        numbers[k] = value
        return point._replace(**{field: numbers})

    def values(self, point: SteadyPoint) -> dict[Expr, float]:
        """Numbers for every symbol of the system, and of the targets."""
        lists = {name: getattr(point, name).tolist() for name in FIELDS}
        values = {symbol: lists[field][k] for symbol, (field, k) in self._places.items()}
        values[self.system.time.symbol] = self.numbers.start
        return values

    def numbers_at(self, point: SteadyPoint) -> Problem:
        """A run that begins at a point."""
        return replace(
            self.numbers, states=point.states, inputs=point.inputs, parameters=point.parameters
        )

    # -- residuals and slopes ----------------------------------------------------------------

    def residual(self, unknowns: np.ndarray, around: SteadyPoint) -> np.ndarray:
        point = self.point(unknowns, around)
        values = self.values(point)
        moving = self.conditions.residual(values)
        moving -= point.decay * (self.conditions.speeds @ point.states)
        if self.symmetry is not None:
            turned = self.symmetry.generator(values).field
            moving -= point.yaw_rate * self.conditions.by_rows(turned)
        targets = np.array(self._targets(values), dtype=float) - point.shifts[self.problem.rows]
        return np.append(moving, targets)

    def slopes(self, unknowns: np.ndarray, around: SteadyPoint, *ways: np.ndarray) -> np.ndarray:
        """d residual / d unknowns; further columns are slopes along changes of all states."""
        point = self.point(unknowns, around)
        values, count = self.values(point), len(self.system.states)
        full = self.turning_slopes(point)
        full[:, :count] -= point.decay * self.conditions.speeds
        full = np.vstack([full, self._by_targets(values)])
        if self._by_others is not None:
            full = np.hstack([full, self._by_others(values)])
        columns = [full[:, self.free]]
        none = np.zeros(len(self.problem.rows))
        if self.symmetry is not None:
            turned = self.conditions.by_rows(self.symmetry.generator(values).field)
            columns.append(np.append(-turned, none)[:, None])
        for group in self.found:
            places = [self._columns[s] for s in group]
            columns.append(full[:, places].sum(axis=1, keepdims=True))
        if self.coasts:
            falling = self.conditions.speeds @ point.states
            columns.append(np.append(-falling, none)[:, None])
        if len(unknowns) > self.count and self.along is not None:
            columns.append(full[:, [self._columns[self.along]]])
        columns += [(full[:, :count] @ way)[:, None] for way in ways]
        return np.hstack(columns)

    def turning_slopes(self, point: SteadyPoint) -> np.ndarray:
        """d conditions / d (states, inputs), in axes that turn along, no speed decaying."""
        values, count = self.values(point), len(self.system.states)
        full = self.conditions.slopes(values)
        if self.symmetry is not None:
            turned = self.symmetry.generator(values).slopes
            full[:, :count] -= point.yaw_rate * self.conditions.by_rows(turned)
        return full


@dataclass(frozen=True)
class FoundPoint:
    """A steady motion in numbers, and what its conditions leave open of the unknowns."""

    equations: SteadyEquations
    point: SteadyPoint
    residual: float
    open: tuple[int, ...] = ()
