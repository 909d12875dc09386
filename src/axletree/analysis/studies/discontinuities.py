"""Runs with derivatives whose right-hand sides jump, as where gears change: on from each jump
anew.

The derivative of a motion jumps where its right-hand side does, by (f- - f+) dt/dp with the
time t of the jump (Aizerman and Gantmakher 1958). Corners, at which nothing jumps, do no harm.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from axletree.analysis.studies.sensitivity_result import SLOPE
from axletree.expr import Expr, directional_derivative, symbol, topological_order
from axletree.expr.evaluation import Evaluator
from axletree.simulation.trajectory import Trajectory
from axletree.system.system import System

Vector = NDArray[np.float64]
# From states and a time, for so many steps.
RunOnce = Callable[[Mapping[str, float | str], float, int], Trajectory]

BESIDE = 1e-7  # s, to both sides of a jump, where right-hand sides are taken


@dataclass(frozen=True)
class DiscontinuousRun:
    """``go`` runs the augmented system and records every step, with all its inputs."""

    plain: System
    whole: System  # with slopes of all states after these
    go: RunOnce
    fixed: Mapping[str, float]  # parameters, and their slopes

    def over(self, first: Trajectory, jumps: list[Jump], every: int) -> Trajectory:
        """The run with slopes that jump, from one in which they do not; every so many records."""
        parts, run, passed = [], first, 0
        count = len(first.time) - 1
        for jump in jumps:
            k = jump.record - passed
            if jump.margin is None or k < 0 or k + 2 >= len(run.time):
                continue
            slopes = self._after(run, k, jump.margin)
            states = {name: float(run[name][k + 1]) for name in run.states}
            parts.append(_cut(run, k + 1))
            passed = jump.record + 1
            run = self.go({**states, **slopes}, float(run.time[k + 1]), count - passed)
        parts.append(_cut(run, len(run.time)))
        joined = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        time = joined.pop("time")
        chosen = np.unique([*range(0, len(time), every), len(time) - 1])
        columns = {name: column[chosen] for name, column in joined.items()}
        return replace(first, time=time[chosen], columns=columns)

    def _after(self, run: Trajectory, k: int, margin: Expr) -> dict[str, float]:
        """Slopes at the record after a jump, which is between the records k and k + 1."""
        n, h = len(self.plain.states), float(run.time[k + 1] - run.time[k])
        values = {j: self._values(run, j) for j in (k - 1, k, k + 1) if j >= 0}
        g = {j: self._margin(margin, values[j]) for j in values}
        share = float(np.clip(g[k][0] / (g[k][0] - g[k + 1][0]), 0.0, 1.0))
        before = g.get(k - 1, g[k])
        rate, change = (g[k][i] + share * (g[k][i] - before[i]) for i in (1, 2))
        later = -change / rate  # of the time of the jump, by the value
        f = self._rates(values[k])[:n]
        at = self._moved(values[k], share * h * f)
        beside = BESIDE + 2.0 * abs(self._margin(margin, at)[0] / rate)
        old, new = (self._rates(self._moved(at, side * f))[:n] for side in (-beside, beside))
        jump = (old - new) * later
        after = values[k + 1]
        s = np.array([after[symbol(q.name + SLOPE)] for q in self.plain.states])
        left = (
            (1.0 - share) * h * (self._slope_rates(after, s + jump) - self._slope_rates(after, s))
        )
        names = (q.name + SLOPE for q in self.plain.states)
        return dict(zip(names, (s + jump + left).tolist(), strict=True))

    @cached_property
    def _evaluated(self) -> Evaluator:
        return Evaluator(self.whole.derivatives)

    def _rates(self, values: dict[Expr, float]) -> Vector:
        return np.array(self._evaluated(values), dtype=float)

    def _slope_rates(self, values: dict[Expr, float], slopes: Vector) -> Vector:
        symbols = (symbol(q.name + SLOPE) for q in self.plain.states)
        moved = {**values, **dict(zip(symbols, slopes.tolist(), strict=True))}
        return self._rates(moved)[len(self.plain.states) :]

    def _margin(self, margin: Expr, values: dict[Expr, float]) -> tuple[float, float, float]:
        """Its value, its rate over time, and its derivative by the value."""
        states = self.plain.states
        rates = self._rates(values)[: len(states)].tolist()
        over_time = dict(zip((q.symbol for q in states), rates, strict=True))
        quantities = (*states, *self.plain.parameters, *self.plain.inputs)
        slopes = {q.symbol: values.get(symbol(q.name + SLOPE), 0.0) for q in quantities}
        rows = [margin, *directional_derivative([margin], over_time)]
        rows += directional_derivative([margin], {s: x for s, x in slopes.items() if x})
        value, rate, change = Evaluator(rows)(values)
        return float(value), float(rate), float(change)

    def _moved(self, values: dict[Expr, float], by: Vector) -> dict[Expr, float]:
        pairs = zip(self.plain.states, by.tolist(), strict=True)
        return {**values, **{q.symbol: values[q.symbol] + x for q, x in pairs}}

    def _values(self, run: Trajectory, k: int) -> dict[Expr, float]:
        values = {symbol(name): x for name, x in self.fixed.items()}
        values |= {symbol(name): float(column[k]) for name, column in run.columns.items()}
        return {**values, self.whole.time.symbol: float(run.time[k])}


def _cut(run: Trajectory, count: int) -> dict[str, Vector]:
    columns = {name: column[:count] for name, column in run.columns.items()}
    return {**columns, "time": run.time[:count]}


JUMP = 0.02  # share of the greater of two values, from which on they are not taken for one


@dataclass(frozen=True)
class Choice:
    """A place in expressions where one of two values is taken."""

    condition: Expr
    ends: tuple[Expr, Expr]


@dataclass(frozen=True)
class Jump:
    """A change of a choice between two records."""

    record: int  # the last one before it
    time: float  # [s], of the first one after it
    margin: Expr | None  # 0 at the jump; None where nothing says when it is


def find_jumps(system: System, run: Trajectory, fixed: Mapping[str, float]) -> list[Jump]:
    """Where choices within the equations change between values far apart, in order of time.

    ``fixed`` are values of inputs and parameters that the run does not have as columns.
    """
    choices = _choices(system)
    if not choices:
        return []
    values: dict[Expr, float | np.ndarray] = {symbol(n): x for n, x in fixed.items()}
    values |= {symbol(name): column for name, column in run.columns.items()}
    values[system.time.symbol] = run.time
    rows = [e for one in choices for e in (one.condition, *one.ends)]
    values_at_ends = np.array([np.broadcast_to(x, len(run.time)) for x in Evaluator(rows)(values)])
    found: dict[int, Jump] = {}
    for choice, (condition, *ends) in zip(
        choices, values_at_ends.reshape(len(choices), 3, -1), strict=True
    ):
        first, second = ends
        flips = np.flatnonzero(np.diff(condition != 0.0)).tolist()
        apart = np.abs(first - second) > JUMP * np.maximum(np.abs(first), np.abs(second))
        for k in (k for k in flips if apart[k] and apart[k + 1]):
            found.setdefault(k, Jump(k, float(run.time[k + 1]), _margin(choice.condition)))
    return [found[k] for k in sorted(found)]


def _margin(condition: Expr) -> Expr | None:
    node = condition.node
    if node.operation not in ("lt", "le") or condition.coefficient != 1.0:
        return None
    return node.operands[0] - node.operands[1]


def _choices(system: System) -> list[Choice]:
    nodes = topological_order(system.derivatives)
    return [
        Choice(node.operands[0], (node.operands[1], node.operands[2]))
        for node in nodes
        if node.operation == "where"
    ]
