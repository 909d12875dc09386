"""Where the right-hand sides of a run jump, as where gears change.

The derivative of a motion jumps where its right-hand side does, by (f- - f+) dt/dp with the time
t of the jump (Aizerman and Gantmakher 1958). Corners, at which nothing jumps, do no harm.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from axletree.core.expr import Expr, symbol, topological_order
from axletree.core.expr.evaluate import Evaluator
from axletree.simulation.trajectory import Trajectory
from axletree.system.system import System

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
    told = np.array([np.broadcast_to(x, len(run.time)) for x in Evaluator(rows)(values)])
    found: dict[int, Jump] = {}
    for choice, (condition, *ends) in zip(choices, told.reshape(len(choices), 3, -1), strict=True):
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
