"""Section 5 of Lot and Massaro 2017: steering ramps, steady cornering, stability."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from axletree.analysis.steady.result import Trim
from axletree.analysis.steady.root_locus import RootLocus
from axletree.examples.car_and_trailer import spaces
from axletree.flow import System
from axletree.simulation.trajectory import Trajectory

RAMP: Final = "0.1*min(t/5, 1)"  # rad, of t in s
SPEEDS: Final = (10.0, 20.0)  # m/s
RADII: Final = (50.0, 100.0, 200.0)  # m
SPEED_RANGE: Final = (5.0, 50.0)  # m/s


@lru_cache(maxsize=2)
def system(trailer: bool) -> System:
    """The car, alone or with its trailer."""
    space = spaces.car_with_trailer() if trailer else spaces.car()
    return space.system()


def straight(trailer: bool, speed: float) -> Trim:
    """Straight running at a speed [m/s]."""
    return system(trailer).trim({"u": speed, "delta": 0.0})


@lru_cache(maxsize=4)
def steering_ramp(
    speed: float, trailer: bool = False, duration: float = 20.0, step: float = 1e-3
) -> Trajectory:
    """Figures 3 and 4: the steering angle rises to 0.1 rad in 5 s, at a speed [m/s]."""
    return system(trailer).simulate(
        duration,
        step=step,
        initial=straight(trailer, speed).states,
        inputs={"delta": RAMP},
        parameters={"u": speed},
    )


def turns(radius: float, accelerations: Sequence[float], trailer: bool) -> list[Trim]:
    """Figures 5 and 6: steady turns to the right, of a radius u/r [m].

    ``accelerations`` are lateral, u r [m/s^2], above 0, each near the one before.
    """
    found: list[Trim] = []
    for acceleration in accelerations:
        speed = math.sqrt(radius * acceleration)
        given = {"u": speed, "r": speed / radius}
        start = found[-1] if found else straight(trailer, speed)
        found.append(system(trailer).trim(given, find=("delta",), start=start))
    return found


def steering_ratio(steady: Trim) -> float:
    """Eq. (46): R tan(delta) / (a_1 + a_2)."""
    return steady["u/r"] * math.tan(steady["delta"]) / steady["a_1 + a_2"]


def eigenvalues_against_speed(
    trailer: bool, acceleration: float = 0.0, points: int = 31
) -> RootLocus:
    """Figure 7: straight running, or steady turns of a lateral acceleration u r [m/s^2].

    From the highest speed down: the turns there are wide, and near to straight running.
    """
    low, high = SPEED_RANGE
    speeds = np.linspace(high, low, points)
    if acceleration == 0.0:
        return system(trailer).root_locus("u", speeds, {"delta": 0.0})
    given, start = {"u*r": acceleration}, straight(trailer, high)
    return system(trailer).root_locus("u", speeds, given, find=("delta",), start=start)
