"""What a driver learns of a vehicle by small turns of the wheel: how it answers them at a speed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from axletree.analysis.linearise import Linearisation, linearise
from axletree.analysis.trim import Trim
from axletree.model.manoeuvres.follow_path import FollowPath
from axletree.system.system import System

QUICKEST = 0.6  # Hz, of turns that are looked at: quicker ones are rare on a path
SHORTEST = 25.0  # m, of a wave that is driven
SLOWER = 0.05  # of that frequency, of turns that are all but steady
LEAST = 1e-9  # of what is learnt; a vehicle that oversteers is driven as if it did not
WHEEL = {"steering": 0, "steering_rate": 1, "steering_acceleration": 2}  # powers of s
LEARNT = ("understeer", "response", "keenness")


def learned(
    system: System, manoeuvre: FollowPath, steady: Trim, given: Mapping[str, float | str]
) -> dict[str, float]:
    """Parameters of the driver for a system that it is taken out of, about a steady motion.

    The linear system gives the curvature of the vehicle's path by the angle of the steering wheel
    at two frequencies: of nearly steady turns, and of quick ones. The gain of the first tells the
    understeer; lag and gain of the second tell response and keenness. What is given stays.
    """
    driver, v = manoeuvre.driver, manoeuvre.speed
    own = {q.name: q.default for q in system.parameters}
    names = [f"{driver}.{name}" for name in LEARNT]
    if not all(name in own for name in names) or all(name in given for name in names):
        return {}
    quick = min(QUICKEST, v / SHORTEST)
    linear = linearise(
        system, steady.states, inputs=steady.inputs, parameters=given, outputs=[manoeuvre.place[1]]
    )
    slow, fast = _curvatures(linear, driver, v, np.array([SLOWER * quick, quick]))
    wheelbase, ratio, rear, lag = (
        own.get(f"{driver}.{name}", 0.0) for name in ("wheelbase", "ratio", "rear", "tyre_lag")
    )
    w = 2.0 * math.pi * quick
    understeer = max((1.0 / abs(slow * ratio) - wheelbase) / (v * v), LEAST)
    stiffer = 1.0 + understeer * v * v / wheelbase
    late = -float(np.angle(fast / slow)) / (w - SLOWER * w)  # [s]
    less = (abs(slow / fast) - 1.0) / (w * w)  # [s^2]
    response = max((late + (rear - lag) / v) * stiffer / v, LEAST)
    keenness = max((less + 0.5 * (rear / v) ** 2) * stiffer / (v * v), LEAST)
    found = zip(names, (understeer, response, keenness), strict=True)
    return {name: float(value) for name, value in found if name not in given}


def _curvatures(linear: Linearisation, driver: str, v: float, frequencies: np.ndarray) -> Any:
    """Of the path [1/m] by the angle of the wheel [rad], with what its rates do, at frequencies
    [Hz]: that of y is y'' / v^2."""
    (y,), s = linear.outputs, 2j * np.pi * frequencies
    answer = linear.frequency_response(frequencies)
    aside = sum(answer[y, f"{driver}.{name}"] * s**power for name, power in WHEEL.items())
    return s * s * aside / (v * v)
