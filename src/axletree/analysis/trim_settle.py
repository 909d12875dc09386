"""A way to a steady motion from far off: the system is let go for a while."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import lru_cache

import numpy as np

from axletree.core.errors import SimulationError
from axletree.core.expr.expression import ZERO
from axletree.core.quantity import Role
from axletree.simulation.problem import Problem
from axletree.simulation.scipy_solver import scipy_method
from axletree.system.system import System

# Goes over to an implicit method where springs are stiff. The way does not matter, so it takes
# differences: to form and compile the Jacobian would take longer than the run.
METHOD = scipy_method("lsoda", "LSODA", "without exact derivatives", implicit=False)


def let_go(problem: Problem, held: Collection[int], duration: float, damping: float) -> Problem:
    """The problem ``duration`` [s] later, the ``held`` states as they were.

    ``damping`` [1/s] brings speeds to rest that nothing in the system does. Where the motion
    ends in something that is not finite, the problem is as it was.
    """
    moving = replace(
        problem,
        system=_with_held(problem.system, frozenset(held), damping),
        outputs=(),
        duration=duration,
        record_interval=duration,
    )
    try:
        recording = METHOD.integrate(moving)
    except SimulationError:
        return problem
    last: np.ndarray = recording.states[-1]
    return replace(problem, states=last) if np.isfinite(last).all() else problem


@lru_cache(maxsize=8)
def _with_held(system: System, held: frozenset[int], damping: float) -> System:
    """The system with rates 0 of what is held; kept, for a new one is compiled anew."""
    rates = [
        rate - damping * quantity.symbol if quantity.role is Role.SPEED else rate
        for quantity, rate in zip(system.states, system.derivatives, strict=True)
    ]
    kept = tuple(ZERO if k in held else rate for k, rate in enumerate(rates))
    return replace(system, derivatives=kept, outputs=())
