"""The conditions of a steady motion as equations for what is not given."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from axletree.analysis.trim_conditions import TrimConditions
from axletree.core.expr import Expr
from axletree.simulation.problem import Problem


@dataclass(frozen=True)
class Motion:
    """A candidate: states, inputs and the rate at which all speeds fall [1/s]."""

    states: np.ndarray
    inputs: np.ndarray
    decay: float


@dataclass(frozen=True)
class TrimEquations:
    """As many unknowns as the conditions determine, or more, or fewer.

    The unknowns are states, then levels of inputs, then the decay.
    """

    conditions: TrimConditions
    problem: Problem  # its states and inputs are the start
    held: Collection[int]  # states that keep their values
    found: Sequence[Sequence[int]]  # inputs; each group shares one level
    decays: bool

    @property
    def free(self) -> list[int]:
        """States that are unknown."""
        return [k for k in self.conditions.adjustable if k not in self.held]

    def start(self) -> np.ndarray:
        levels = [self.problem.inputs[group[0]] for group in self.found]
        return np.array([*self.problem.states[self.free], *levels, *([0.0] * self.decays)])

    def motion(self, unknowns: np.ndarray) -> Motion:
        states, inputs = self.problem.states.copy(), self.problem.inputs.copy()
        free = self.free
        states[free] = unknowns[: len(free)]
        for k, group in enumerate(self.found):
            inputs[list(group)] = unknowns[len(free) + k]
        return Motion(states, inputs, float(unknowns[-1]) if self.decays else 0.0)

    def values(self, motion: Motion) -> dict[Expr, float]:
        """Numbers for every symbol of the system."""
        system = self.conditions.system
        numbers = [*motion.states.tolist(), *motion.inputs.tolist()]
        values = {system.time.symbol: self.problem.start}
        parameters = self.problem.parameters.tolist()
        values |= {q.symbol: v for q, v in zip(system.parameters, parameters, strict=True)}
        return values | dict(zip(self.conditions.symbols, numbers, strict=True))

    def residual(self, unknowns: np.ndarray) -> np.ndarray:
        motion = self.motion(unknowns)
        residual = self.conditions.residual(self.values(motion))
        residual -= motion.decay * (self.conditions.speeds @ motion.states)
        return residual

    def slopes(self, unknowns: np.ndarray, *ways: np.ndarray) -> np.ndarray:
        """d residual / d unknowns; further columns are slopes along changes of all states."""
        motion, count = self.motion(unknowns), len(self.problem.states)
        full = self.conditions.slopes(self.values(motion))
        full[:, :count] -= motion.decay * self.conditions.speeds
        columns = [full[:, self.free]]
        for group in self.found:
            columns.append(full[:, [count + k for k in group]].sum(axis=1, keepdims=True))
        if self.decays:
            columns.append(-(self.conditions.speeds @ motion.states)[:, None])
        columns += [(full[:, :count] @ way)[:, None] for way in ways]
        return np.hstack(columns)
