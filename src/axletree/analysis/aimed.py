"""The angle of a steering wheel at which a manoeuvre comes to its level, as drivers find it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from axletree.analysis.metrics.vehicle_signals import LATERAL_ACCELERATION
from axletree.core.errors import SimulationError
from axletree.model.manoeuvres.contract import Aim, Manoeuvre
from axletree.simulation.simulate import simulate
from axletree.system.system import System

STEP, METHOD = 2e-3, "subdivided-rk45"
CLOSE = 1e-8  # of the level; what is found then changes smoothly with a parameter that is swept
ROUGH = 5e-3  # likewise, within which a level is met that forces that jump keep from being closer
MOST_RUNS = 10
WIDEST = 2.0  # times of the angle, from one run to the next


def aimed(system: System, manoeuvre: Manoeuvre, start: Any) -> Manoeuvre:
    """The manoeuvre with the ``angle`` that its ``aim`` asks for, by runs from its start.

    The first run is steered by the angle that is given, each other by the straight line through the
    two runs before.
    """
    aim = manoeuvre.aim
    if aim is None:
        return manoeuvre
    given: Any = manoeuvre
    sign = -1.0 if given.angle < 0.0 else 1.0
    tried = [(0.0, 0.0)]
    angle: float | None = abs(given.angle)
    while angle is not None and len(tried) <= MOST_RUNS:
        turned: Manoeuvre = replace(given, angle=sign * angle)
        tried.append((angle, sign * _came_to(system, turned, aim, start)))
        angle = _next_angle(tried[-2], tried[-1], aim.level)
    nearest, level = min(tried, key=lambda run: abs(run[1] - aim.level))
    if abs(level - aim.level) <= ROUGH * aim.level:
        return replace(given, angle=sign * nearest)  # type: ignore[no-any-return]
    best = max(level for _, level in tried)
    raise SimulationError(
        f"{system.name} does not come to a lateral acceleration of {aim.level:g} m/s^2 in "
        f"{len(tried) - 1} runs, the most was {best:.3g} m/s^2; ask for a lower level, or leave "
        "the level out and give the angle"
    )


def _next_angle(
    before: tuple[float, float], last: tuple[float, float], wanted: float
) -> float | None:
    """By angles [rad] and levels [m/s^2] of two runs; None where another run would say no more."""
    (a, level), (b, other) = before, last
    if abs(other - wanted) <= CLOSE * wanted:
        return None
    slope = (other - level) / (b - a)
    if slope <= 0.0:
        return b / WIDEST
    angle = float(np.clip(b + (wanted - other) / slope, b / WIDEST, b * WIDEST))
    return None if angle == b else angle


def _came_to(system: System, manoeuvre: Manoeuvre, aim: Aim, start: Any) -> float:
    """The mean lateral acceleration of a run [m/s^2]."""
    inputs: Mapping[str, Any] = {**start.inputs, **manoeuvre.signals}
    run = simulate(
        system, aim.last, step=STEP, method=METHOD, initial=start.initial, inputs=inputs,
        parameters=start.parameters, outputs=[LATERAL_ACCELERATION], record_interval=1e-2,
    )  # fmt: skip
    return float(np.mean(run[LATERAL_ACCELERATION][run.time >= aim.first - 1e-9]))
