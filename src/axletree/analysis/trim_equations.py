"""The conditions of a steady motion as equations for what is not given."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from axletree.analysis.trim_conditions import TrimConditions
from axletree.analysis.yaw_symmetry import YawSymmetry
from axletree.core.expr import Expr
from axletree.simulation.problem import Problem


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
