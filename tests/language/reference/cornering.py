"""Steady cornering of car and of car with trailer: Lot and Massaro 2017, eqs. (45) and (46).

R = u/r and a_y = u r, both positive for a right turn. Of speed, steering angle and variables, two
are given and the others found from B(x, delta) = 0 by Newton's method, each point started from
the last one. Both models are entered by `solo` and `hitched`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from language.reference import car, car_trailer
from language.reference.derivative import newton
from language.reference.parameters import Parameters, ReferenceLoads
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

V, R = 3, 4  # places of lateral speed and yaw rate among the variables of both models


@dataclass(frozen=True)
class Vehicle:
    """What the two models have in common."""

    right_side: Callable[[NDArray, complex, complex], NDArray]  # B of (x, steer, speed)
    matrix: Callable[[NDArray], NDArray]  # A of x
    loads: Callable[[NDArray], NDArray]  # N: R1, L1, R2, L2 and with the trailer R3, L3
    standing: NDArray  # the variables at rest
    sizes: NDArray  # of the variables
    p: Parameters


@dataclass(frozen=True)
class Turn:
    """One steady turn."""

    speed: float  # m/s
    radius: float  # m
    steer: float  # rad
    variables: NDArray  # the 12 or 29 variables
    loads: NDArray  # N

    @property
    def acceleration(self) -> float:
        """a_y = u r, m/s2."""
        return self.speed**2 / self.radius


def solo(p: Parameters, reference: ReferenceLoads) -> Vehicle:
    """The car alone."""
    return Vehicle(
        right_side=lambda x, steer, speed: car.right_side(x, steer, speed, p, reference),
        matrix=lambda x: car.matrix(p),
        loads=lambda x: np.array(car.normal_loads(x, p)),
        standing=np.zeros(12),
        sizes=car.SIZES,
        p=p,
    )


def hitched(p: Parameters, reference: ReferenceLoads) -> Vehicle:
    """Car with trailer."""
    return Vehicle(
        right_side=lambda x, steer, speed: car_trailer.right_side(x, steer, speed, p, reference),
        matrix=lambda x: car_trailer.matrix(x, p),
        loads=lambda x: np.array([*car.normal_loads(x, p), *x[22:24]]),
        standing=car_trailer.standing(p),
        sizes=car_trailer.SIZES,
        p=p,
    )


def straight(vehicle: Vehicle, speed: float) -> Turn:
    """Running straight ahead."""
    x = vehicle.standing
    return Turn(speed, np.inf, 0.0, x, vehicle.loads(x))


def turns(vehicle: Vehicle, radius: float, accelerations: Sequence[float]) -> list[Turn]:
    """Turns of one radius (m) at each lateral acceleration (m/s2), which rise from near zero."""
    x, steer = rolling(vehicle, radius)
    found, last = [], 0.0
    for acceleration in accelerations:
        speed = float(np.sqrt(acceleration * radius))
        guess = np.array(x)
        guess[V] += vehicle.p.a_2 * (speed - last) / radius
        guess[R] = steer

        def balance(unknown: NDArray, speed: float = speed) -> NDArray:
            moved = np.array(unknown)
            moved[R] = speed / radius
            return vehicle.right_side(moved, unknown[R], speed)

        answer = newton(balance, guess, sizes_with(vehicle, {R: 0.1}))
        x, steer, last = np.array(answer), plausible(answer[R]), speed
        x[R] = speed / radius
        found.append(Turn(speed, radius, steer, x, vehicle.loads(x)))
    return found


def turns_by_slip(
    vehicle: Vehicle, radius: float, slips: Sequence[float], start: Turn | None = None
) -> list[Turn]:
    """Turns of one radius at each sideslip tan^-1((a_2 r - v)/u) of the rear axle, rad.

    Speed and steering angle are found. Unlike the lateral acceleration, the slip goes on growing
    beyond the limit of adhesion. Without a start the slips must rise from near zero.
    """
    x, steer = rolling(vehicle, radius)
    grip = vehicle.p.rear.B * vehicle.p.rear.C * vehicle.p.rear.D * vehicle.p.g
    speed, found = float(np.sqrt(grip * slips[0] * radius)), []
    if start is not None:
        x, steer, speed = start.variables, start.steer, start.speed
    for slip in slips:
        guess = np.array(x)
        guess[V], guess[R] = speed, steer

        def balance(unknown: NDArray, slip: float = slip) -> NDArray:
            return vehicle.right_side(*by_slip(unknown, radius, slip, vehicle.p))

        answer = newton(balance, guess, sizes_with(vehicle, {V: 10.0, R: 0.1}))
        speed, steer = float(answer[V]), plausible(answer[R])
        x = by_slip(answer, radius, slip, vehicle.p)[0]
        found.append(Turn(speed, radius, steer, x, vehicle.loads(x)))
    return found


def by_slip(
    unknown: NDArray, radius: float, slip: float, p: Parameters
) -> tuple[NDArray, complex, complex]:
    """Variables, steer and speed, of which speed and steer sit in the places of v and r."""
    speed, steer = unknown[V], unknown[R]
    x = np.array(unknown)
    x[V] = speed * (p.a_2 / radius - np.tan(slip))
    x[R] = speed / radius
    return x, steer, speed


def greatest_acceleration(vehicle: Vehicle, radius: float) -> Turn:
    """The turn at the limit of adhesion, where a_y at this radius is greatest."""
    slips = np.linspace(0.005, 0.15, 59)
    path = turns_by_slip(vehicle, radius, list(slips))
    top = int(np.argmax([turn.acceleration for turn in path]))
    if top in (0, len(path) - 1):
        raise ArithmeticError(f"no limit between rear slips of {slips[0]} and {slips[-1]} rad")

    def at(slip: float) -> Turn:
        return turns_by_slip(vehicle, radius, [slip], path[top])[0]

    bracket = (slips[top - 1], slips[top], slips[top + 1])
    best = minimize_scalar(lambda s: -at(s).acceleration, bracket=bracket, tol=1e-6)
    return at(float(best.x))


def steering_ratio(turn: Turn, p: Parameters) -> float:
    """Eq. (46)."""
    return float(turn.radius * np.tan(turn.steer) / p.wheelbase)


def rolling(vehicle: Vehicle, radius: float) -> tuple[NDArray, float]:
    """First guess: Ackermann's steering angle and the trailer angle at which no tyre slips."""
    p, x = vehicle.p, np.array(vehicle.standing)
    if len(x) > len(car.STATES):
        x[15] = -(p.f_x - p.a_2 + p.j_x + p.a_3) / radius
        x[12], x[13] = -p.f_x - p.j_x * np.cos(x[15]), -p.j_x * np.sin(x[15])
    return x, float(np.arctan(p.wheelbase / radius))


def sizes_with(vehicle: Vehicle, changed: dict[int, float]) -> NDArray:
    """Sizes of the unknowns, some of which are not the variables of that place."""
    sizes = np.array(vehicle.sizes)
    for place, size in changed.items():
        sizes[place] = size
    return sizes


def plausible(steer: float) -> float:
    """The steering angle, rad, unless Newton's method ran away."""
    if abs(steer) > 1.0:
        raise ArithmeticError(f"no turn found: Newton's method went to a steer of {steer:.3g} rad")
    return float(steer)
