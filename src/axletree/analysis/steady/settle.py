"""Steady motions reached by running: the system relaxes for a while, or until it rests.

``relax`` brings the search near from far off; ``come_to_rest`` is the start of a system that
set-valued forces hold.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from axletree.analysis.steady.problem import MOST_NAMED, SteadyProblem
from axletree.analysis.steady.result import Trim, trim_at
from axletree.core.errors import SimulationError, TrimError
from axletree.expr.expression import ZERO
from axletree.expr.quantity import Role
from axletree.simulation.problem import Problem
from axletree.simulation.simulate import simulate
from axletree.simulation.solvers import scipy_method
from axletree.system.edit import with_smooth_forces
from axletree.system.system import System

# Goes over to an implicit method where springs are stiff. The way does not matter, so it takes
# differences: to form and compile the Jacobian would take longer than the run.
RELAXATION_METHOD = scipy_method("lsoda", "LSODA", "without exact derivatives", implicit=False)


def relax(problem: Problem, held: Collection[int], duration: float, damping: float) -> Problem:
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
        recording = RELAXATION_METHOD.integrate(moving)
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


# A start at rest, of a system that set-valued forces hold: it sinks in, and comes to rest.
#
# Where brakes and soil hold a vehicle, what they exert at rest is not a function of its state, and
# no conditions of a steady motion can be solved for it.

METHOD, STEP = "complementarity", 1e-3  # [s]
PERIOD, _LONGEST = 2.0, 60.0  # [s], of a run after which it is looked at, and of all of them
RECORDS = 10  # of a period; in the second half of them nothing moves
_REST = 1e-6  # [m/s] or [rad/s], what decays below this has come to rest


def come_to_rest(problem: SteadyProblem, courses: Mapping[str, Any] | None = None) -> Trim:
    """Where the system rests that is let go at its start without any speed.

    Inputs are at the levels that are given. With ``courses`` of inputs it is carried along by
    these, which go back before the time 0, and what its states are does not move.
    """
    system, levels = problem.system, problem.given.inputs
    speeds = [system.states[k].name for k in problem.speeds]
    states = {**problem.held_values, **dict.fromkeys(speeds, 0.0)}
    for count in range(round(_LONGEST / PERIOD)):
        run = simulate(
            system, PERIOD, step=STEP, method=METHOD, initial=states, inputs=courses or levels,
            parameters=problem.given.parameters, outputs=(), record_interval=PERIOD / RECORDS,
            start=count * PERIOD - _LONGEST if courses else 0.0, watch=False,
        )  # fmt: skip
        states = run.final_state
        settling = {name: run[name][len(run) // 2 :] for name in speeds}
        left = {name: float(np.abs(column).max()) for name, column in settling.items()}
        if max(left.values(), default=0.0) < _REST:
            return _standing(problem, states | dict.fromkeys(speeds, 0.0), left)
    raise TrimError(_unsettled(system, left))


def _standing(
    problem: SteadyProblem, states: Mapping[str, float], left: Mapping[str, float]
) -> Trim:
    smooth = replace(problem, system=with_smooth_forces(problem.system))
    resting = np.array([states[q.name] for q in problem.system.states])
    numbers = replace(problem.start.at({}), states=resting)
    found = trim_at(smooth, numbers, max(left.values(), default=0.0))
    return replace(found, rates=dict.fromkeys(found.rates, 0.0))


def _unsettled(system: System, left: Mapping[str, float]) -> str:
    units = {quantity.name: quantity.unit for quantity in system.states}
    fastest = sorted(left, key=lambda name: -left[name])[:MOST_NAMED]
    moving = [f"{name} {left[name]:.3g} {units[name]}" for name in fastest if left[name] >= _REST]
    return (
        f"{system.name} does not come to rest within {_LONGEST:g} s: {', '.join(moving)}. Hold it "
        "with its brakes, start it nearer to where it rests, or damp what swings"
    )
