"""Car with trailer as an ordinary differential equation, the constraints differentiated twice.

Two ways, from the same A and B. `rates` keeps the sixteen independent states: (17) and (18) give
x_t, y_t, z_t, beta and their rates from z, mu, phi, alpha in closed form, so that they hold to
rounding. `stabilised_rates` keeps all 24 differential variables and adds Baumgarte's terms, eq.
(44). In both, accelerations, hitch force and trailer loads come from one linear system: all of it
is linear in them except the two trailer tyres, which are evaluated afterwards.
"""

from __future__ import annotations

import numpy as np
from language.reference import car_trailer
from language.reference.car_trailer import AT, STATES
from language.reference.parameters import Parameters, ReferenceLoads
from numpy.typing import NDArray

INDEPENDENT = (*STATES[:12], "al", "Oa", "YR3", "YL3")
SIZES = car_trailer.SIZES[[AT[name] for name in INDEPENDENT]]
POSITIONS = np.array([0, 1, 2, 12, 13, 14, 15, 16])  # z, mu, phi, xt, yt, zt, al, be
SPEEDS = np.array([5, 6, 7, 17, 18, 19, 20, 21])
REACTIONS = np.array([22, 23, 26, 27, 28])  # NR3, NL3, Hx, Hy, Hz
TYRES = np.array([24, 25])  # YR3, YL3
DIFFERENTIAL = np.concatenate([np.arange(22), TYRES])


def constraint_jacobian(x: NDArray, p: Parameters) -> NDArray:
    """G = d(constraints)/d(positions), rows (17), (18x), (18y), (18z)."""
    al, be = x[15:17]
    s, c, ahead = np.sin(al), np.cos(al), p.j_z * be + p.j_x
    G = np.zeros((4, 8), dtype=np.asarray(x).dtype)
    G[0, 5], G[0, 7] = 1.0, p.a_3
    G[1, 3], G[1, 6], G[1, 7], G[1, 1] = 1.0, -ahead * s, p.j_z * c, -p.f_z
    G[2, 4], G[2, 6], G[2, 7], G[2, 2] = 1.0, ahead * c, p.j_z * s, p.f_z
    G[3, 5], G[3, 7], G[3, 0], G[3, 1] = 1.0, -p.j_x, -1.0, -p.f_x
    return G


def velocity_terms(x: NDArray, p: Parameters) -> NDArray:
    """gamma of G a + gamma = 0, a the accelerations of the positions, m/s2."""
    al, be, oa, ob = x[15], x[16], x[20], x[21]
    s, c, ahead = np.sin(al), np.cos(al), p.j_z * be + p.j_x
    zero = 0.0 * al
    return np.array(
        [
            zero,
            -ahead * c * oa**2 - 2 * p.j_z * s * oa * ob,
            -ahead * s * oa**2 + 2 * p.j_z * c * oa * ob,
            zero,
        ]
    )


def reaction_columns(x: NDArray, p: Parameters) -> NDArray:
    """Factors of N_R3, N_L3, H_x, H_y, H_z in (21) to (24); zero in the other rows."""
    z, mu, phi, al, be = x[0], x[1], x[2], x[15], x[16]
    s, c = np.sin(al), np.cos(al)
    depth = mu * p.f_x + p.f_z - p.h_c + z
    down, ahead = p.j_x * be - p.j_z, p.j_x + p.j_z * be
    contact = (p.h_t - p.r_3) * be - p.a_3
    columns = np.zeros((29, 5), dtype=np.asarray(x).dtype)
    columns[3] = [0, 0, 0, 1, 0]  # (21b)
    columns[4] = [0, 0, 0, 0, 1]  # (21c)
    columns[5] = [0, 0, 0, -depth, -p.f_z * phi]  # (22a)
    columns[6] = [0, 0, depth, 0, p.f_x - p.f_z * mu]  # (22b)
    columns[7] = [0, 0, p.f_z * phi, p.f_z * mu - p.f_x, 0]  # (22c)
    columns[17] = [0, 0, -1, 0, 0]  # (23)
    columns[18] = [0, 0, 0, -1, 0]
    columns[19] = [-1, -1, 0, 0, -1]
    columns[20] = [-p.b_3, p.b_3, down * s, -down * c, 0]  # (24)
    columns[21] = [contact, contact, down * c, down * s, ahead]
    columns[22] = [0, 0, ahead * s, -ahead * c, 0]
    return columns


def solved(
    x: NDArray,
    steer: complex,
    speed: float,
    p: Parameters,
    reference: ReferenceLoads,
    asked: NDArray,
) -> tuple[NDArray, NDArray]:
    """All 29 variables with their reactions, and x' (zero where x is a reaction).

    `asked` is the wanted second derivative of the four constraints, m/s2.
    """
    freed = np.array(x)
    freed[REACTIONS] = 0.0
    free = car_trailer.right_side(freed, steer, speed, p, reference)
    system = car_trailer.matrix(x, p)
    system[:, REACTIONS] = -reaction_columns(x, p)
    system[25:] = 0.0
    system[25:, SPEEDS] = constraint_jacobian(x, p)
    free = np.concatenate([free[:25], asked - velocity_terms(x, p)])
    rows = np.delete(np.arange(29), [23, 24])
    columns = np.delete(np.arange(29), TYRES)
    answer = np.zeros(29, dtype=system.dtype)
    answer[columns] = np.linalg.solve(system[np.ix_(rows, columns)], free[rows])
    whole = np.array(x)
    whole[REACTIONS] = answer[REACTIONS]
    answer[REACTIONS] = 0.0
    tyres = car_trailer.right_side(whole, steer, speed, p, reference)[23:25]
    answer[TYRES] = tyres / p.trailer.sigma
    return whole, answer


def closed(s: NDArray, p: Parameters) -> NDArray:
    """The 29 variables from the 16 independent ones, without the reactions (left at zero)."""
    x = np.zeros(29, dtype=np.asarray(s).dtype)
    x[:12] = s[:12]
    x[15], x[20], x[24], x[25] = s[12:16]
    z, mu, phi = x[:3]
    vz, om, op = x[5:8]
    al, oa = x[15], x[20]
    be, ob = -(z + p.f_x * mu) / (p.a_3 + p.j_x), -(vz + p.f_x * om) / (p.a_3 + p.j_x)
    ahead, c, si = p.j_z * be + p.j_x, np.cos(al), np.sin(al)
    x[16], x[21] = be, ob
    x[12] = -p.f_x - ahead * c + p.f_z * mu
    x[13] = -ahead * si - p.f_z * phi
    x[14] = -p.h_t - p.a_3 * be
    x[17] = -p.j_z * ob * c + ahead * si * oa + p.f_z * om
    x[18] = -p.j_z * ob * si - ahead * c * oa - p.f_z * op
    x[19] = -p.a_3 * ob
    return x


def independent(x: NDArray) -> NDArray:
    """The 16 independent ones of the 29 variables."""
    return x[[AT[name] for name in INDEPENDENT]]


def rates(
    s: NDArray, steer: complex, speed: float, p: Parameters, reference: ReferenceLoads
) -> NDArray:
    """s' of the 16 independent states."""
    _, derivative = solved(closed(s, p), steer, speed, p, reference, np.zeros(4))
    return independent(derivative)


def variables(
    s: NDArray, steer: float, speed: float, p: Parameters, reference: ReferenceLoads
) -> NDArray:
    """All 29 variables, reactions included, of an independent state."""
    return solved(closed(s, p), steer, speed, p, reference, np.zeros(4))[0]


def stabilised_rates(
    x: NDArray,
    steer: complex,
    speed: float,
    p: Parameters,
    reference: ReferenceLoads,
    damping_ratio: float = 1.0,
    frequency: float = 20.0,
) -> NDArray:
    """x' of the 24 differential variables DIFFERENTIAL with eq. (44) on (17) and (18), 1/s."""
    whole = np.zeros(29, dtype=np.asarray(x).dtype)
    whole[DIFFERENTIAL] = x
    error = car_trailer.constraints(whole, p)
    drift = constraint_jacobian(whole, p) @ whole[SPEEDS]
    asked = -2 * damping_ratio * frequency * drift - frequency**2 * error
    return solved(whole, steer, speed, p, reference, asked)[1][DIFFERENTIAL]
