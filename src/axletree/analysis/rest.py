"""A start at rest, of a system that set-valued forces hold: it sinks in, and comes to rest.

Where brakes and soil hold a vehicle, what they exert at rest is not a function of its state, and
no conditions of a steady motion can be solved for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from axletree.analysis.trim import Trim
from axletree.analysis.trim_search import MOST_NAMED, TrimError
from axletree.core.quantity import Role
from axletree.simulation.simulate import simulate
from axletree.simulation.trajectory import Trajectory
from axletree.system.system import System

METHOD, STEP = "complementarity", 1e-3  # [s]
PERIOD, LONGEST = 2.0, 60.0  # [s], of a run after which it is looked at, and of all of them
RECORDS = 10  # of a period; in the second half of them nothing moves
REST = 1e-6  # [m/s] or [rad/s], what decays below this has come to rest


def come_to_rest(
    system: System,
    *,
    levels: Mapping[str, float],
    parameters: Mapping[str, float | str],
    courses: Mapping[str, Any] | None = None,
) -> Trim:
    """Where the system rests that is let go at its start without any speed.

    Inputs are at their ``levels``. With ``courses`` of inputs it is carried along by these, which
    go back before the time 0, and what its states are does not move.
    """
    speeds = [quantity.name for quantity in system.states if quantity.role is Role.SPEED]
    states = dict.fromkeys(speeds, 0.0)
    for count in range(round(LONGEST / PERIOD)):
        run = simulate(
            system, PERIOD, step=STEP, method=METHOD, initial=states, inputs=courses or levels,
            parameters=parameters, outputs=(), record_interval=PERIOD / RECORDS,
            start=count * PERIOD - LONGEST if courses else 0.0,
        )  # fmt: skip
        states = run.final_state
        left = _left(run, speeds)
        if max(left.values(), default=0.0) < REST:
            return _standing(system, states | dict.fromkeys(speeds, 0.0), levels, left)
    raise TrimError(_unsettled(system, left))


def _left(run: Trajectory, speeds: list[str]) -> dict[str, float]:
    """The greatest size of each speed in the second half of a run."""
    half = len(run) // 2
    return {name: float(np.abs(run[name][half:]).max()) for name in speeds}


def _standing(
    system: System,
    states: Mapping[str, float],
    levels: Mapping[str, float],
    left: Mapping[str, float],
) -> Trim:
    defaults = {q.name: q.default for q in system.inputs if not q.derivative_of}
    return Trim(
        system=system.name,
        states=dict(states),
        inputs={**defaults, **levels},
        rates={quantity.name: 0.0 for quantity in system.states},
        decay=0.0,
        residual=max(left.values(), default=0.0),
        held=(),
        found=(),
        drifting=(),
        open=(),
    )


def _unsettled(system: System, left: Mapping[str, float]) -> str:
    units = {quantity.name: quantity.unit for quantity in system.states}
    fastest = sorted(left, key=lambda name: -left[name])[:MOST_NAMED]
    moving = [f"{name} {left[name]:.3g} {units[name]}" for name in fastest if left[name] >= REST]
    return (
        f"{system.name} does not come to rest within {LONGEST:g} s: {', '.join(moving)}. Hold it "
        "with its brakes, start it nearer to where it rests, or damp what swings"
    )
