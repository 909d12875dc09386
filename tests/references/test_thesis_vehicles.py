"""The car and the skidder of Morency 2007 against a model of their own, at states and over runs.

Both integrate by the same method with the same step, so that what is compared are the equations:
the two deviate by rounding alone.
"""

from __future__ import annotations

import math
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest
from agreement import Agrees
from mechanisms.shipped_run import shipped_system
from oracles import thesis_vehicles

import axletree as at

NAMES = ("car", "skidder")
ANGLE = {"car": "steer.angle", "skidder": "articulation.angle"}
SOURCE = "Independent model, by Kane's equations and automatic differentiation"


@cache
def oracle(name: str) -> thesis_vehicles.Vehicle:
    if name == "skidder":
        return thesis_vehicles.skidder()
    tyre = next(part for part in at.read_model("car") if part.name == "front_left_tyre")
    return thesis_vehicles.car(tyre.law.numbers)


def kept_on_the_ground(name: str, random: Random) -> float:
    """How far a coordinate is moved: in height by less than what tyres are pressed."""
    vertical = name.endswith((".z", ".position", ".pitch", ".roll"))
    return random.uniform(-1.0, 1.0) * (0.004 if vertical else 0.02 if "tyre" in name else 0.3)


@pytest.mark.validation("vehicles")
@pytest.mark.parametrize("name", NAMES)
def test_rates_of_all_states(name: str, agrees: Agrees) -> None:
    system, model, random = shipped_system(name), oracle(name), Random(14)
    found, expected = [], []
    for _ in range(20):
        state = {n: v + kept_on_the_ground(n, random) for n, v in system.state({}).items()}
        given = {n: random.uniform(-0.2, 0.2) for n in model.inputs if not n.endswith("torque")}
        given |= {n: random.uniform(-1e3, 1e3) for n in model.inputs if n.endswith("torque")}
        ours, theirs = system.rhs(state, inputs=given), model.rates(state, given)
        found.append([ours[n] for n in model.states])
        expected.append([theirs[n] for n in model.states])
    size = np.abs(expected).max(axis=0)
    agrees(
        f"{name} of Morency 2007: rates of all states over the greatest of each",
        np.array(found) / size, np.array(expected) / size, abs=1e-9, source=SOURCE,
    )  # fmt: skip


def compare_runs(
    name: str, angle: str, turning: Any, torque: tuple[list[float], list[float]], duration: float
) -> float:
    """The greatest deviation of a state over that state's greatest value.

    ``turning`` gives the angle with its two rates at a time.
    """
    system, model = shipped_system(name), oracle(name)
    brakes = [f"{corner}_brake.torque" for corner in thesis_vehicles.CORNERS]
    run = system.simulate(
        duration, step=1e-3, method="rk4", outputs=[],
        inputs={ANGLE[name]: angle} | dict.fromkeys(brakes, torque),
    )  # fmt: skip

    def given(t: float) -> np.ndarray:
        return np.array([*turning(t), *[np.interp(t, *torque)] * 4])

    expected = model.run(system.state({}), given, duration, 1e-3)
    peaks = [max(np.abs(expected[n]).max(), 1e-3) for n in model.states]
    deviations = [np.abs(run[n] - expected[n]).max() for n in model.states]
    return float(np.max(np.array(deviations) / peaks))


def sine(amplitude: float, period: float) -> Any:
    w = 2.0 * math.pi / period
    return lambda t: (
        amplitude * math.sin(w * t),
        amplitude * w * math.cos(w * t),
        -amplitude * w * w * math.sin(w * t),
    )


STILL = ([0.0, 1.0], [0.0, 0.0])
BRAKED = {"car": -1000.0, "skidder": -20e3}


@pytest.mark.validation("vehicles")
@pytest.mark.parametrize("name", NAMES)
def test_steered_and_braked_at_once(name: str, agrees: Agrees) -> None:
    """No wheel locks or lifts, where the oracle ends."""
    part = 0.5 * BRAKED[name]
    torque = ([0.0, 0.2, 0.4, 1.0], [0.0, 0.0, part, part])
    deviation = compare_runs(name, "pi/180*sin(pi*t)", sine(math.pi / 180.0, 2.0), torque, 1.0)
    agrees(
        f"{name} of Morency 2007, steered and braked: deviation of any state over its peak",
        deviation, 0.0, abs=1e-9, source=SOURCE,
    )  # fmt: skip


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.validation("vehicles")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("manoeuvre", ["sine steer", "braking"])
def test_the_manoeuvres_of_the_thesis(name: str, manoeuvre: str, agrees: Agrees) -> None:
    """Figures 5.6 to 5.9 and 5.18 to 5.21."""
    amplitude = math.pi / (180.0 if name == "car" else 36.0)
    released = 4.5 if name == "car" else 3.5
    times = [0.0, 2.0, 2.5, released, released + 0.5, 10.0]
    torque = (times, [0.0, 0.0, BRAKED[name], BRAKED[name], 0.0, 0.0])
    if manoeuvre == "braking":
        deviation = compare_runs(name, "0*t", sine(0.0, 1.0), torque, 10.0)
    else:
        angle = f"{amplitude!r}*sin(2*pi*t/10)"
        deviation = compare_runs(name, angle, sine(amplitude, 10.0), STILL, 10.0)
    agrees(
        f"{name} of Morency 2007, {manoeuvre} of 10 s: deviation of any state over its peak",
        deviation, 0.0, abs=1e-6, source=SOURCE,
    )  # fmt: skip
