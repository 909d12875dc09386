"""Where the right-hand sides of a run jump, as where gears change.

The derivative of a motion changes with the time of a jump, which variational equations do not
know. Corners, at which nothing jumps, do no harm.
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


def jump_times(system: System, run: Trajectory, fixed: Mapping[str, float]) -> list[float]:
    """Times [s] at which a choice within the equations changes between values far apart.

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
    found: set[float] = set()
    for condition, first, second in told.reshape(len(choices), 3, -1):
        flips = np.flatnonzero(np.diff(condition != 0.0))
        apart = np.abs(first - second) > JUMP * np.maximum(np.abs(first), np.abs(second))
        found |= {float(run.time[k + 1]) for k in flips if apart[k] and apart[k + 1]}
    return sorted(found)


def _choices(system: System) -> list[Choice]:
    nodes = topological_order(system.derivatives)
    return [
        Choice(node.operands[0], (node.operands[1], node.operands[2]))
        for node in nodes
        if node.operation == "where"
    ]
