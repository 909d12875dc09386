"""Eigenvalues of car and of car with trailer: Lot and Massaro 2017, eqs. (47) to (49), figure 7.

Three ways for the trailer: the pencil (B_x, A) by QZ, its projection on the constraint manifold,
and the 16 independent states of reduction.py.
"""

from __future__ import annotations

import numpy as np
from language.reference import car_trailer, reduction
from language.reference.cornering import Turn, Vehicle, turns
from language.reference.derivative import jacobian
from language.reference.parameters import Parameters, ReferenceLoads
from numpy.typing import NDArray
from scipy.linalg import eig, null_space, solve


def turn_at(vehicle: Vehicle, speed: float, acceleration: float) -> Turn:
    """The turn of given speed (m/s) and lateral acceleration (m/s2)."""
    path = np.linspace(0.0, acceleration, 9)[1:]
    return turns(vehicle, speed**2 / acceleration, list(path))[-1]


def pencil(vehicle: Vehicle, turn: Turn) -> tuple[NDArray, NDArray]:
    """B_x0 and A_0 of eq. (49), of 12 or 29 rows."""
    slopes = jacobian(lambda x: vehicle.right_side(x, turn.steer, turn.speed), turn.variables)
    return slopes, vehicle.matrix(turn.variables)


def steering_column(vehicle: Vehicle, turn: Turn) -> NDArray:
    """B_u0 of eq. (48): slope of B against the steering angle."""
    at = np.array([turn.steer])
    return jacobian(lambda d: vehicle.right_side(turn.variables + 0j, d[0], turn.speed), at)[:, 0]


def car_eigenvalues(slopes: NDArray, matrix: NDArray) -> NDArray:
    """The 12 of the car's pencil, whose A is regular, 1/s."""
    return ordered(np.linalg.eigvals(solve(matrix, slopes)))


def finite_eigenvalues(slopes: NDArray, matrix: NDArray) -> NDArray:
    """Eigenvalues of the trailer's pencil by QZ after scaling rows and columns, 1/s.

    Those beyond 1e4 1/s are the infinite ones. The least of them come out near 1e6 1/s, as
    rounding spreads a Jordan block of three at infinity by the third root of its size.
    """
    columns = car_trailer.SIZES
    rows = 1.0 / np.max(np.abs(slopes * columns) + np.abs(matrix * columns), axis=1)
    scaled = [rows[:, None] * part * columns for part in (slopes, matrix)]
    alpha, beta = eig(*scaled, right=False, homogeneous_eigvals=True)
    finite = np.abs(alpha) < 1e4 * np.abs(beta)
    return ordered(alpha[finite] / beta[finite])


def projected_eigenvalues(slopes: NDArray, matrix: NDArray) -> NDArray:
    """Eigenvalues of the trailer's pencil on the linearised constraints, 1/s.

    Positions and speeds are held in the null space of the constraints' rows; the equations of
    motion are multiplied from the left by what the hitch force and the trailer's loads do not
    enter. The roll equation (24a), which holds no rate, goes with the loads.
    """
    positions, speeds = reduction.POSITIONS, reduction.SPEEDS
    allowed = null_space(slopes[25:][:, positions])  # 8 x 4
    others = [3, 4, 8, 9, 10, 11, 24, 25]  # v, r and the forces of the tyres
    basis = np.zeros((29, 16))
    basis[np.ix_(positions, range(4))] = allowed
    basis[np.ix_(speeds, range(4, 8))] = allowed
    basis[others, np.arange(8, 16)] = 1.0
    dynamics = np.concatenate([np.arange(3, 12), np.arange(17, 25)])
    unseen = null_space(slopes[np.ix_(dynamics, reduction.REACTIONS)].T)  # 17 x 12
    rates, states = np.zeros((4, 16)), np.zeros((4, 16))
    rates[:, :4] = states[:, 4:8] = np.eye(4)
    left = np.vstack([rates, unseen.T @ matrix[dynamics] @ basis])
    right = np.vstack([states, unseen.T @ slopes[dynamics] @ basis])
    return ordered(np.linalg.eigvals(solve(left, right)))


def independent_eigenvalues(turn: Turn, p: Parameters, reference: ReferenceLoads) -> NDArray:
    """The 16 of car with trailer from the independent states, 1/s."""
    state_matrix = jacobian(
        lambda s: reduction.rates(s, turn.steer, turn.speed, p, reference),
        reduction.independent(turn.variables),
    )
    return ordered(np.linalg.eigvals(state_matrix))


def ordered(eigenvalues: NDArray) -> NDArray:
    """By real part, then by imaginary part; real parts equal to six decimals count as equal."""
    return eigenvalues[np.lexsort((eigenvalues.imag, np.round(eigenvalues.real, 6)))]
