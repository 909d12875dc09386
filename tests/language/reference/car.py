"""The car alone, twelve states, written out from Lot and Massaro 2017 with the errors corrected.

A_c x' = B_c(x, delta), eq. (37), with x of eq. (38). Frame T_0: x forward, y right, z down, on the
ground under the car's centre of mass. SI units and rad. Every function takes complex numbers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from language.reference.parameters import Parameters, ReferenceLoads, Tyre
from numpy.typing import NDArray

STATES = ("z", "mu", "phi", "v", "r", "Vz", "Om", "Op", "YR1", "YL1", "YR2", "YL2")  # (38)
EQUATIONS = ("z'", "mu'", "phi'", "21b", "21c", "22a", "22b", "22c", "R1", "L1", "R2", "L2")
SIZES = np.array([0.1, 0.1, 0.1, 1.0, 1.0, 1.0, 1.0, 1.0, 5e3, 5e3, 5e3, 5e3])

Hitch = tuple[complex, complex, complex]  # N, force of the trailer on the chassis, in T_0
UNHITCHED: Hitch = (0.0, 0.0, 0.0)


class Axles(NamedTuple):
    """One number for each tyre of the car."""

    R1: complex
    L1: complex
    R2: complex
    L2: complex


def normal_loads(x: NDArray, p: Parameters) -> Axles:
    """Eq. (30), N; (30b) is printed with c_1, the rear damper is c_2."""
    z, mu, phi = x[:3]
    vz, om, op = x[5:8]
    front, rear = static_loads(p)

    def load(static: float, k: float, c: float, a: float, b: float) -> complex:
        return static + k * (z - a * mu + b * phi) + c * (vz - a * om + b * op)

    return Axles(
        load(front, p.k_1, p.c_1, p.a_1, p.b_1),
        load(front, p.k_1, p.c_1, p.a_1, -p.b_1),
        load(rear, p.k_2, p.c_2, -p.a_2, p.b_2),
        load(rear, p.k_2, p.c_2, -p.a_2, -p.b_2),
    )


def static_loads(p: Parameters) -> tuple[float, float]:
    """Load of one front and of one rear tyre of the car at rest, first terms of (30), N."""
    w = p.wheelbase
    return p.car_weight * p.a_2 / (2 * w), p.car_weight * p.a_1 / (2 * w)


def steady_force(tyre: Tyre, slip: complex, load: complex, reference: float) -> complex:
    """Eq. (31), N, read as sin[C arctan(B lambda)]; printed with B and C exchanged."""
    shape = np.sin(tyre.C * np.arctan(tyre.B * slip))
    return tyre.D * shape * (1 + tyre.alpha * (1 - load / reference)) * load


def peak_slip(tyre: Tyre) -> float:
    """Slip angle of the greatest force of (31), rad."""
    return float(np.tan(np.pi / (2 * tyre.C)) / tyre.B)


def contact_velocities(
    x: NDArray, steer: complex, speed: float, p: Parameters
) -> tuple[tuple[complex, complex], ...]:
    """Eqs. (33a), (33b): (V_x, V_y) of the contact points R1, L1, R2, L2 in their wheels' axes."""
    v, r = x[3], x[4]
    found = []
    for side in (-1, 1):  # right, left
        ahead, across = speed + side * p.b_1 * r, v + p.a_1 * r
        found.append(
            (
                ahead * np.cos(steer) + across * np.sin(steer),
                -ahead * np.sin(steer) + across * np.cos(steer),
            )
        )
    for side in (-1, 1):
        found.append((speed + side * p.b_2 * r, v - p.a_2 * r))
    return tuple(found)


def slip_angles(x: NDArray, steer: complex, speed: float, p: Parameters) -> Axles:
    """Eq. (32) for each tyre of the car, rad."""
    return Axles(*(-np.arctan(vy / vx) for vx, vy in contact_velocities(x, steer, speed, p)))


def matrix(p: Parameters) -> NDArray:
    """A_c, constant; rows as in EQUATIONS."""
    A = np.zeros((12, 12))
    A[:3, :3] = np.eye(3)
    A[3, 3] = p.m_u + p.m_c  # (21b)
    A[4, 5] = p.m_c  # (21c)
    A[5, 7], A[5, 4], A[5, 3] = p.I_cxx, -p.I_cxz, p.mass_height  # (22a)
    A[6, 6] = p.I_cyy  # (22b)
    A[7, 4], A[7, 7] = p.I_czz + p.I_uzz, -p.I_cxz  # (22c)
    A[8:12, 8:12] = np.diag([p.front.sigma, p.front.sigma, p.rear.sigma, p.rear.sigma])  # (35)
    return A


def right_side(
    x: NDArray,
    steer: complex,
    speed: float,
    p: Parameters,
    reference: ReferenceLoads,
    hitch: Hitch = UNHITCHED,
) -> NDArray:
    """B_c: eqs. (36), (21b), (21c), (22), (35) with everything but the rates on the right."""
    z, mu, phi, v, r, vz, om, op, yr1, yl1, yr2, yl2 = x[:12]
    loads = normal_loads(x, p)
    moment = moments(x, steer, p, loads, hitch)
    u, front, rear = speed, yr1 + yl1, yr2 + yl2
    tyres = zip(
        contact_velocities(x, steer, speed, p),
        (p.front, p.front, p.rear, p.rear),
        loads,
        (reference.front, reference.front, reference.rear, reference.rear),
        (yr1, yl1, yr2, yl2),
        strict=True,
    )
    return np.array(
        [
            vz,
            om,
            op,
            front * np.cos(steer) + rear + hitch[1] - (p.m_u + p.m_c) * u * r,
            p.car_weight - sum(loads) + hitch[2],
            moment[0]
            - (p.I_czz - p.I_cyy - p.I_cxx) * r * om
            - (p.I_czz - p.I_cyy) * phi * r**2
            - (p.mass_height - z * p.m_c) * u * r,
            moment[1]
            - (p.I_cxx + p.I_cyy - p.I_czz) * r * op
            - ((p.I_czz - p.I_cxx) * mu - p.I_cxz) * r**2
            - p.mass_height * v * r,
            moment[2] - 2 * p.I_cxz * r * om,
            *(relaxation(*tyre) for tyre in tyres),
        ]
    )


def relaxation(
    velocity: tuple[complex, complex], tyre: Tyre, load: complex, reference: float, force: complex
) -> complex:
    """Right side of eq. (35), N m/s."""
    vx, vy = velocity
    return vx * (steady_force(tyre, -np.arctan(vy / vx), load, reference) - force)


def moments(
    x: NDArray, steer: complex, p: Parameters, loads: Axles, hitch: Hitch
) -> tuple[complex, complex, complex]:
    """M_A below eq. (22), N m, about the origin of T_0; M_Ay with sums of loads and the drag."""
    z, mu, phi = x[:3]
    yr1, yl1, yr2, yl2 = x[8:12]
    hx, hy, hz = hitch
    depth = mu * p.f_x + p.f_z - p.h_c + z
    about_x = (
        p.b_1 * (loads.L1 - loads.R1)
        + p.b_2 * (loads.L2 - loads.R2)
        - depth * hy
        - p.f_z * phi * hz
    )
    about_y = (
        p.a_1 * (loads.R1 + loads.L1)
        - p.a_2 * (loads.R2 + loads.L2)
        + depth * hx
        + (p.f_x - p.f_z * mu) * hz
        + (p.h_c - z) * p.F_D
    )
    about_z = (
        p.a_1 * (yl1 + yr1) * np.cos(steer)
        - p.b_1 * (yl1 - yr1) * np.sin(steer)
        - p.a_2 * (yl2 + yr2)
        + p.f_z * phi * hx
        + (p.f_z * mu - p.f_x) * hy
    )
    return about_x, about_y, about_z


def driving_force(x: NDArray, steer: complex, p: Parameters, hitch: Hitch = UNHITCHED) -> complex:
    """X_2 of eq. (21a), N: what holds the forward speed."""
    front = x[8] + x[9]
    return -(p.m_u + p.m_c) * x[3] * x[4] + front * np.sin(steer) - hitch[0] + p.F_D


def rates(
    x: NDArray, steer: complex, speed: float, p: Parameters, reference: ReferenceLoads
) -> NDArray:
    """F of eq. (40)."""
    return np.linalg.solve(matrix(p), right_side(x, steer, speed, p, reference))
