"""Response to a ramp of the steering angle: Lot and Massaro 2017, section 5.1, figures 3 and 4."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from language.reference import car, car_trailer, reduction
from language.reference.parameters import Parameters, ReferenceLoads
from numpy.typing import NDArray
from scipy.integrate import solve_ivp


@dataclass(frozen=True)
class Ramp:
    """The steering angle rises linearly from zero and stays."""

    until: float = 5.0  # s
    final: float = 0.1  # rad

    def __call__(self, t: float) -> float:
        """rad."""
        return self.final * min(t / self.until, 1.0)


@dataclass(frozen=True)
class History:
    """Values at the asked times."""

    t: NDArray  # s
    x: NDArray  # variables by times
    steer: NDArray  # rad


def car_history(
    times: NDArray,
    speed: float,
    p: Parameters,
    reference: ReferenceLoads,
    ramp: Ramp | None = None,
    tolerance: float = 1e-11,
) -> History:
    """The car's 12 states, started from straight running."""
    steering = ramp or Ramp()
    inverse = np.linalg.inv(car.matrix(p))

    def slope(t: float, x: NDArray) -> NDArray:
        return inverse @ car.right_side(x, steering(t), speed, p, reference)

    x = integrated(slope, np.zeros(12), times, car.SIZES, steering.until, tolerance)
    return History(times, x, np.array([steering(t) for t in times]))


def hitched_history(
    times: NDArray,
    speed: float,
    p: Parameters,
    reference: ReferenceLoads,
    ramp: Ramp | None = None,
    tolerance: float = 1e-9,
) -> History:
    """The 29 variables of car with trailer, from the 16 independent states."""
    steering = ramp or Ramp()

    def slope(t: float, s: NDArray) -> NDArray:
        return reduction.rates(s, steering(t), speed, p, reference)

    start = reduction.independent(car_trailer.standing(p))
    s = integrated(slope, start, times, reduction.SIZES, steering.until, tolerance)
    steer = np.array([steering(t) for t in times])
    x = [
        reduction.variables(state, angle, speed, p, reference)
        for state, angle in zip(s.T, steer, strict=True)
    ]
    return History(times, np.array(x).T, steer)


def stabilised_history(
    times: NDArray,
    speed: float,
    p: Parameters,
    reference: ReferenceLoads,
    ramp: Ramp | None = None,
    tolerance: float = 1e-9,
) -> History:
    """The 24 differential variables of car with trailer under eq. (44)."""
    steering = ramp or Ramp()

    def slope(t: float, x: NDArray) -> NDArray:
        return reduction.stabilised_rates(x, steering(t), speed, p, reference)

    chosen = reduction.DIFFERENTIAL
    start = car_trailer.standing(p)[chosen]
    sizes = car_trailer.SIZES[chosen]
    x = integrated(slope, start, times, sizes, steering.until, tolerance)
    return History(times, x, np.array([steering(t) for t in times]))


def integrated(
    slope: Callable[[float, NDArray], NDArray],
    start: NDArray,
    times: NDArray,
    sizes: NDArray,
    kink: float,
    tolerance: float,
) -> NDArray:
    """States by times; the integration starts anew at the ramp's end, where x'' jumps."""
    pieces, state, begin = [], start, 0.0
    last = float(times[-1])
    for end in (min(kink, last), last):
        if end <= begin:
            continue
        inside = times[(times >= begin) & (times < end)]
        asked = np.append(inside, end)
        answer = solve_ivp(
            slope,
            (begin, end),
            state,
            "DOP853",
            t_eval=asked,
            rtol=tolerance,
            atol=tolerance * sizes,
        )
        if not answer.success:
            raise ArithmeticError(answer.message)
        pieces.append(answer.y[:, :-1])
        state, begin = answer.y[:, -1], end
    return np.hstack([*pieces, state[:, None]])
