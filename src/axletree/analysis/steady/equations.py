"""The conditions of a steady motion as equations for what is not given, with their slopes.

``TrimEquations`` are those of a trim (states held, inputs found); ``SteadyEquations`` those of
any targets, in which states may turn with the whole.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from axletree.analysis.linear.jacobians import slopes_of
from axletree.analysis.steady.conditions import TrimConditions, conditions_of
from axletree.analysis.steady.problem import Target
from axletree.analysis.steady.yaw_symmetry import YawSymmetry, yaw_symmetry
from axletree.expr import Expr
from axletree.expr.evaluation import Evaluator
from axletree.simulation.problem import Problem
from axletree.system.system import System


@dataclass(frozen=True)
class Motion:
    """A candidate."""

    states: np.ndarray
    inputs: np.ndarray
    decay: float  # [1/s], at which all speeds fall
    yaw_rate: float  # [rad/s], at which states turn with the whole


@dataclass(frozen=True)
class TrimEquations:
    """As many unknowns as the conditions determine, or more, or fewer.

    The unknowns are states, then the yaw rate, levels of inputs, and the decay.
    """

    conditions: TrimConditions
    problem: Problem  # its states and inputs are the start
    held: Collection[int]  # states that keep their values
    found: Sequence[Sequence[int]]  # inputs; each group shares one level
    decays: bool
    symmetry: YawSymmetry | None = None  # where states turn with the whole

    @property
    def free(self) -> list[int]:
        """States that are unknown."""
        return [k for k in self.conditions.adjustable if k not in self.held]

    @property
    def first_effort(self) -> int:
        """The place of the first unknown that says what it takes to keep the motion up."""
        return len(self.free) + (self.symmetry is not None)

    def start(self) -> np.ndarray:
        turning = [0.0] * (self.symmetry is not None)
        levels = [self.problem.inputs[group[0]] for group in self.found]
        decay = [0.0] * self.decays
        return np.array([*self.problem.states[self.free], *turning, *levels, *decay])

    def motion(self, unknowns: np.ndarray) -> Motion:
        states, inputs = self.problem.states.copy(), self.problem.inputs.copy()
        free, first = self.free, self.first_effort
        states[free] = unknowns[: len(free)]
        for k, group in enumerate(self.found):
            inputs[list(group)] = unknowns[first + k]
        decay = float(unknowns[-1]) if self.decays else 0.0
        return Motion(states, inputs, decay, 0.0 if self.symmetry is None else unknowns[first - 1])

    def values_at_start(self) -> dict[Expr, float]:
        return self.values(self.motion(self.start()))

    def values(self, motion: Motion) -> dict[Expr, float]:
        """Numbers for every symbol of the system."""
        numbers = [*motion.states.tolist(), *motion.inputs.tolist()]
        return self._constants | dict(zip(self.conditions.symbols, numbers, strict=True))

    @cached_property
    def _constants(self) -> dict[Expr, float]:
        """Time and parameters."""
        system, parameters = self.conditions.system, self.problem.parameters.tolist()
        own = {q.symbol: v for q, v in zip(system.parameters, parameters, strict=True)}
        return {system.time.symbol: self.problem.start, **own}

    def residual(self, unknowns: np.ndarray) -> np.ndarray:
        motion = self.motion(unknowns)
        values = self.values(motion)
        residual = self.conditions.residual(values)
        residual -= motion.decay * (self.conditions.speeds @ motion.states)
        if self.symmetry is not None:
            turned = self.symmetry.generator(values).field
            residual -= motion.yaw_rate * self.conditions.by_rows(turned)
        return residual

    def slopes(self, unknowns: np.ndarray, *ways: np.ndarray) -> np.ndarray:
        """d residual / d unknowns; further columns are slopes along changes of all states."""
        motion, count = self.motion(unknowns), len(self.problem.states)
        full = self.turning_slopes(motion)
        full[:, :count] -= motion.decay * self.conditions.speeds
        columns = [full[:, self.free]]
        if self.symmetry is not None:
            turned = self.symmetry.generator(self.values(motion)).field
            columns.append(-self.conditions.by_rows(turned)[:, None])
        for group in self.found:
            columns.append(full[:, [count + k for k in group]].sum(axis=1, keepdims=True))
        if self.decays:
            columns.append(-(self.conditions.speeds @ motion.states)[:, None])
        columns += [(full[:, :count] @ way)[:, None] for way in ways]
        return np.hstack(columns)

    def turning_slopes(self, motion: Motion) -> np.ndarray:
        """d residual / d (states, inputs), but for the decay."""
        values, count = self.values(motion), len(self.problem.states)
        full = self.conditions.slopes(values)
        if self.symmetry is not None:
            turned = self.symmetry.generator(values).slopes
            full[:, :count] -= motion.yaw_rate * self.conditions.by_rows(turned)
        return full


# The equations of a steady motion: nothing changes but what drifts and turns with the whole.
#
# Conditions are those of ``trim_conditions``, with dx/dt = w g(x) in place of dx/dt = 0 where
# turning the whole moves a state (``yaw_symmetry``); w is unknown, too. For equations written by
# hand without places on the ground this is f(x0, u0) = 0 (Lot and Massaro 2017, eq. 45). Each
# target adds an equation, each input that is to be found an unknown.

# [SI] of an equation, below which it weighs less than others. Where nothing changes a speed, its
# rate is what rounding makes of zero, and so are the slopes of that; it must count for nothing.
LEAST_SLOPE = 1e-3

FIELDS = ("targets", "inputs", "parameters", "states")  # of a point, that have symbols


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

    The unknowns are states, levels of inputs and parameters, and the yaw rate where there is one.
    One more number after them is a value of ``along``, along which steady motions are followed.
    """

    def __init__(
        self,
        system: System,
        problem: Problem,
        targets: Sequence[Target],
        found: Sequence[Sequence[Expr]],
        along: Expr | None = None,
        unfelt: Sequence[int] = (),
    ) -> None:
        """``problem`` has the first guess, ``found`` the symbols, each group with one level.

        ``unfelt`` are coordinates that may drift because they do not matter where it is.
        """
        self.system, self.problem = system, problem
        self.targets, self.found, self.along = tuple(targets), found, along
        symbols = {
            "targets": [t.symbol for t in targets],
            "inputs": [q.symbol for q in system.inputs],
            "parameters": [q.symbol for q in system.parameters],
            "states": [q.symbol for q in system.states],
        }
        self._places = {s: (field, k) for field, row in symbols.items() for k, s in enumerate(row)}
        self.unfelt = tuple(unfelt)
        self.conditions = conditions_of(system, self.unfelt)
        self.free = self.conditions.adjustable
        goal = np.array([target.value for target in targets])
        self.guess = SteadyPoint(
            problem.states, problem.inputs, problem.parameters, goal, np.zeros(len(goal)), 0.0
        )
        settled = self.conditions.settled
        self.symmetry = yaw_symmetry(system, self.values(self.guess), settled)
        self._targets = Evaluator([t.row for t in targets])
        self._by_targets = slopes_of([t.row for t in targets], self.conditions.symbols)
        self._columns = {s: k for k, s in enumerate(self.conditions.symbols)}
        others = [s for s in (*(s for group in found for s in group), along) if s is not None]
        others = [s for s in dict.fromkeys(others) if s not in self._columns]
        rows = [*(c.expression for c in self.conditions.conditions), *(t.row for t in targets)]
        self._by_others = slopes_of(rows, others) if others else None
        self._columns |= {s: len(self._columns) + k for k, s in enumerate(others)}

    def says(self, row: int) -> tuple[str, str]:
        """What is the case where a row does not vanish, and the unit of the amount."""
        conditions = self.conditions.conditions
        if row < len(conditions):
            return conditions[row].says, conditions[row].unit
        target = self.targets[row - len(conditions)]
        return f"{target.name} is off by", target.unit

    def misses(self, point: SteadyPoint) -> np.ndarray:
        """The rows of the targets at a point."""
        return np.array(self._targets(self.values(point)), dtype=float)

    def unknowns(self, point: SteadyPoint) -> np.ndarray:
        levels = [self._number(point, group[0]) for group in self.found]
        turning = [] if self.symmetry is None else [point.yaw_rate]
        return np.array([*point.states[self.free], *levels, *turning])

    @property
    def count(self) -> int:
        """Of unknowns, without the value that is followed."""
        return len(self.free) + len(self.found) + (self.symmetry is not None)

    def point(self, unknowns: np.ndarray, around: SteadyPoint) -> SteadyPoint:
        """``around`` has what is not unknown."""
        states, count = around.states.copy(), len(self.free)
        states[self.free] = unknowns[:count]
        rate = float(unknowns[count + len(self.found)]) if self.symmetry else 0.0
        made = replace(around, states=states, yaw_rate=rate)
        for group, level in zip(self.found, unknowns[count:].tolist(), strict=False):
            for symbol in group:
                made = self._with(made, symbol, level)
        return self.moved(made, float(unknowns[-1])) if len(unknowns) > self.count else made

    def moved(self, point: SteadyPoint, value: float) -> SteadyPoint:
        """The same with another value of what steady motions are followed along."""
        return point if self.along is None else self._with(point, self.along, value)

    def _number(self, point: SteadyPoint, symbol: Expr) -> float:
        field, k = self._places[symbol]
        return float(getattr(point, field)[k])

    def _with(self, point: SteadyPoint, symbol: Expr, value: float) -> SteadyPoint:
        field, k = self._places[symbol]
        numbers = getattr(point, field).copy()
        numbers[k] = value
        return replace(point, **{field: numbers})

    def values(self, point: SteadyPoint) -> dict[Expr, float]:
        """Numbers for every symbol of the system, and of the targets."""
        lists = {name: getattr(point, name).tolist() for name in FIELDS}
        values = {symbol: lists[field][k] for symbol, (field, k) in self._places.items()}
        values[self.system.time.symbol] = self.problem.start
        return values

    def residual(self, unknowns: np.ndarray, around: SteadyPoint) -> np.ndarray:
        point = self.point(unknowns, around)
        values = self.values(point)
        moving = self.conditions.residual(values)
        if self.symmetry is not None:
            field = self.symmetry.generator(values).field
            moving -= point.yaw_rate * self.conditions.by_rows(field)
        return np.append(moving, np.array(self._targets(values), dtype=float) - point.shifts)

    def slopes(self, unknowns: np.ndarray, around: SteadyPoint) -> np.ndarray:
        """d residual / d unknowns."""
        point = self.point(unknowns, around)
        values = self.values(point)
        full = np.vstack([self.turning_slopes(point), self._by_targets(values)])
        if self._by_others is not None:
            full = np.hstack([full, self._by_others(values)])
        levels = [
            full[:, [self._columns[s] for s in group]].sum(axis=1, keepdims=True)
            for group in self.found
        ]
        turning = []
        if self.symmetry is not None:
            field = self.conditions.by_rows(self.symmetry.generator(values).field)
            turning = [np.append(-field, np.zeros(len(self.targets)))[:, None]]
        last = []
        if len(unknowns) > self.count and self.along is not None:
            last = [full[:, [self._columns[self.along]]]]
        return np.hstack([full[:, self.free], *levels, *turning, *last])

    def turning_slopes(self, point: SteadyPoint) -> np.ndarray:
        """d conditions / d (states, inputs), in axes that turn with the whole."""
        values, count = self.values(point), len(self.system.states)
        full = self.conditions.slopes(values)
        if self.symmetry is not None:
            turned = self.symmetry.generator(values).slopes
            full[:, :count] -= point.yaw_rate * self.conditions.by_rows(turned)
        return full
