"""The angle of a steering wheel at which a manoeuvre comes to its level, as drivers find it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from axletree.core.errors import SimulationError
from axletree.model.manoeuvres.contract import Aim, Manoeuvre
from axletree.simulation.simulate import simulate
from axletree.system.system import System

FORWARD, LATERAL, YAW = "vehicle.forward_speed", "vehicle.lateral_speed", "vehicle.yaw_rate"
STEP, METHOD = 2e-3, "subdivided-rk45"
CLOSE = 5e-3  # of the level, within which it is met
MOST_RUNS = 8
WIDEST = 2.0  # times of the angle, from one run to the next


def aimed(system: System, manoeuvre: Manoeuvre, start: Any) -> Manoeuvre:
    """The manoeuvre with the ``angle`` that its ``aim`` asks for, by runs from its start.

    The first run is steered by the angle that is given, each other by the straight line through the
    two runs before.
    """
    aim = manoeuvre.aim
    if aim is None:
        return manoeuvre
    tried = [(0.0, 0.0)]
    given: Any = manoeuvre
    angle = abs(given.angle)
    sign = -1.0 if given.angle < 0.0 else 1.0
    for _ in range(MOST_RUNS):
        turned: Manoeuvre = replace(given, angle=sign * angle)
        tried.append((angle, sign * _came_to(system, turned, aim, start)))
        if abs(tried[-1][1] - aim.level) <= CLOSE * aim.level:
            return turned
        (a, level), (b, other) = tried[-2:]
        slope = (other - level) / (b - a)
        ends = (angle / WIDEST, angle * WIDEST)
        angle = float(np.clip(b + (aim.level - other) / slope, *ends)) if slope > 0.0 else ends[0]
    best = max(level for _, level in tried)
    raise SimulationError(
        f"{system.name} does not come to a lateral acceleration of {aim.level:g} m/s^2 in "
        f"{MOST_RUNS} runs, the most was {best:.3g} m/s^2; ask for a lower level, or leave the "
        "level out and give the angle"
    )


def _came_to(system: System, manoeuvre: Manoeuvre, aim: Aim, start: Any) -> float:
    """The mean lateral acceleration of a run [m/s^2]."""
    inputs: Mapping[str, Any] = {**start.inputs, **manoeuvre.signals}
    run = simulate(
        system, aim.last, step=STEP, method=METHOD, initial=start.initial, inputs=inputs,
        parameters=start.parameters, outputs=[FORWARD, LATERAL, YAW], record_interval=1e-2,
    )  # fmt: skip
    values = np.gradient(run[LATERAL], run.time) + run[YAW] * run[FORWARD]
    return float(np.mean(values[run.time >= aim.first - 1e-9]))
