"""How long the steps of a page are: nothing watches them there, so longer ones are tried before.

Steps that are solved for set-valued forces are long ones, whose first instants of contact differ
while positions agree: of these the positions are compared with those of steps of 1 ms, over what
the model proposes to drive.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from typing import Final

import numpy as np

from axletree.core.errors import SimulationError
from axletree.core.progress import doing
from axletree.core.units import to_si
from axletree.expr.quantity import Role
from axletree.model.model import Model
from axletree.simulation.problem import SettingsError
from axletree.simulation.simulate import simulate
from axletree.simulation.stepper.step_program import SOLVED_METHOD, StartPoint
from axletree.simulation.trajectory import Trajectory
from axletree.system.system import System

USUAL_STEP: Final = 1e-3  # s
_LONGER: Final = (10e-3, 5e-3, 2e-3)  # s, that solved steps are tried with
_TRIED: Final = 1.0  # s, of what follows when nobody drives
_DRIVEN: Final = 6.0  # s, as the model proposes
_AGREED: Final = 0.02  # of the range of a coordinate, and of the least one that counts
_LEAST: Final = 0.01  # m or rad


def page_step(
    model: Model, system: System, start: StartPoint, step: float | str | None, method: str,
    parameters: Mapping[str, float | str],
) -> float:  # fmt: skip
    """The step [s], as it is asked for or the usual one; one that does not hold is refused."""
    solved = method == SOLVED_METHOD and system.rows is not None
    if step is None:
        longer = _LONGER if solved else ()
        return next(
            (one for one in longer if not _moved_off(model, system, one, parameters)), USUAL_STEP
        )
    seconds = to_si(step, expected="s")
    if not 1e-5 <= seconds <= 0.05:
        raise SettingsError(f"step is {step!r}; expected a time from 0.01 to 50 ms")
    if seconds > USUAL_STEP:
        with doing(f"trying steps of {1e3 * seconds:g} ms"):
            found = (
                _moved_off(model, system, seconds, parameters) if solved
                else _watched(system, start, seconds, method, parameters)
            )  # fmt: skip
        if found:
            raise SettingsError(f"steps of {1e3 * seconds:g} ms are too long for the page: {found}")
    return seconds


def _watched(
    system: System,
    start: StartPoint,
    step: float,
    method: str,
    parameters: Mapping[str, float | str],
) -> str:
    """What is told of what follows from the first start when nobody drives; "" if it holds."""
    levels = zip(system.inputs, start.inputs, strict=False)
    states = {q.name: float(x) for q, x in zip(system.states, start.states, strict=True)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            run = simulate(
                system, math.ceil(_TRIED / step) * step, step=step, method=method, outputs=[],
                initial=states, parameters=parameters,
                inputs={q.name: float(u) for q, u in levels if not q.derivative_of},
            )  # fmt: skip
        except SimulationError as error:
            return str(error)
    return "" if run.step_error is None else run.step_error.remark


def _moved_off(
    model: Model, system: System, step: float, parameters: Mapping[str, float | str]
) -> str:
    """By how much positions differ from those of usual steps, where they do by more than 2 %."""

    def driven(seconds: float) -> Trajectory:
        return simulate(
            system, _DRIVEN, step=seconds, method=SOLVED_METHOD, outputs=[], watch=False,
            inputs=model.run.inputs, parameters=parameters, record_interval=0.1,
        )  # fmt: skip

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            own, usual = driven(step), driven(USUAL_STEP)
        except SimulationError as error:
            return str(error)
    for q in system.states:
        if q.role is not Role.COORDINATE:
            continue
        spread = max(float(np.ptp(usual[q.name])), _LEAST)
        off = float(np.abs(np.interp(usual.time, own.time, own[q.name]) - usual[q.name]).max())
        if not off <= _AGREED * spread:
            share = f"{100.0 * off / spread:.2g} % of its range"
            return f"{q.name} is off by {share}, by a run with steps of {1e3 * USUAL_STEP:g} ms"
    return ""
