"""Equations (21) to (24) and (30) of Lot and Massaro 2017, with their misprints mended.

Where the paper is mended, the text says what is printed.
"""

from __future__ import annotations

from functools import cache

import sympy
from sympy import cos, sin

from axletree.examples.car_and_trailer.mechanics import (
    F_D,
    N_L3,
    N_R3,
    X_2,
    Y_L1,
    Y_L2,
    Y_L3,
    Y_R1,
    Y_R2,
    Y_R3,
    H_x,
    H_y,
    H_z,
    I_cxx,
    I_cxz,
    I_cyy,
    I_czz,
    I_txx,
    I_tyy,
    I_tzz,
    I_uzz,
    a_1,
    a_2,
    a_3,
    alpha,
    b_1,
    b_2,
    b_3,
    beta,
    c_1,
    c_2,
    delta,
    f_x,
    f_z,
    g,
    h_c,
    h_t,
    h_u,
    j_x,
    j_z,
    k_1,
    k_2,
    m_c,
    m_t,
    m_u,
    mu,
    phi,
    r,
    r_3,
    u,
    v,
    x_t,
    y_t,
    z,
    z_t,
)
from axletree.language import rate

CAR_MASS = m_u + m_c
Y_3, N_3 = Y_L3 + Y_R3, N_L3 + N_R3
HIGH = h_c * m_c + h_u * m_u


@cache
def loads() -> tuple[sympy.Expr, ...]:
    """N_R1, N_L1, N_R2, N_L2: eq. (30), with c_2 for the rear dampers, where c_1 is printed."""
    front = a_2 / (2 * (a_1 + a_2)) * CAR_MASS * g
    rear = a_1 / (2 * (a_1 + a_2)) * CAR_MASS * g
    sign = {"R": 1, "L": -1}
    found = []
    for side in ("R", "L"):
        down = z - a_1 * mu + sign[side] * b_1 * phi
        found.append(front + k_1 * down + c_1 * rate(down))
    for side in ("R", "L"):
        down = z + a_2 * mu + sign[side] * b_2 * phi
        found.append(rear + k_2 * down + c_2 * rate(down))
    return tuple(found)


def car_moments() -> tuple[sympy.Expr, ...]:
    """M_A. In y the paper prints differences of the loads and no drag."""
    N_R1, N_L1, N_R2, N_L2 = loads()
    hitch = mu * f_x + f_z - h_c + z
    return (
        b_1 * (N_L1 - N_R1) + b_2 * (N_L2 - N_R2) - hitch * H_y - f_z * phi * H_z,
        a_1 * (N_R1 + N_L1) - a_2 * (N_R2 + N_L2) + hitch * H_x + (f_x - f_z * mu) * H_z
        + (h_c - z) * F_D,
        a_1 * (Y_L1 + Y_R1) * cos(delta) - b_1 * (Y_L1 - Y_R1) * sin(delta) - a_2 * (Y_L2 + Y_R2)
        + f_z * phi * H_x + (f_z * mu - f_x) * H_y,
    )  # fmt: skip


def trailer_moments() -> tuple[sympy.Expr, ...]:
    """M_T."""
    behind = (h_t - r_3) * beta - a_3
    along, across = H_x * cos(alpha) + H_y * sin(alpha), H_x * sin(alpha) - H_y * cos(alpha)
    return (
        (j_x * beta - j_z) * across - (h_t + a_3 * beta) * Y_3 + b_3 * (N_L3 - N_R3),
        (j_x * beta - j_z) * along + behind * N_3 + (j_x + j_z * beta) * H_z,
        (j_x + j_z * beta) * across + behind * Y_3,
    )


def printed() -> dict[str, tuple[sympy.Expr, sympy.Expr]]:
    """In (21a) -F_D, in (22a) I_cxx for I_c,xz in r mu', in (24b) beta'' for beta' are mended."""
    M_x, M_y, M_z = car_moments()
    M_Tx, M_Ty, M_Tz = trailer_moments()
    dot = rate
    return {
        "21a": (-CAR_MASS * v * r, X_2 - (Y_L1 + Y_R1) * sin(delta) + H_x - F_D),
        "21b": (
            CAR_MASS * (u * r + dot(v)), (Y_R1 + Y_L1) * cos(delta) + Y_L2 + Y_R2 + H_y,
        ),
        "21c": (m_c * dot(z, 2), CAR_MASS * g - sum(loads()) + H_z),
        "22a": (
            I_cxx * dot(phi, 2) - I_cxz * dot(r) + (I_czz - I_cyy - I_cxx) * r * dot(mu)
            + (I_czz - I_cyy) * phi * r**2 + ((h_c - z) * m_c + h_u * m_u) * u * r + HIGH * dot(v),
            M_x,
        ),
        "22b": (
            I_cyy * dot(mu, 2) + (I_cxx + I_cyy - I_czz) * r * dot(phi)
            + ((I_czz - I_cxx) * mu - I_cxz) * r**2 + HIGH * v * r,
            M_y,
        ),
        "22c": (
            (I_czz + I_uzz) * dot(r) - I_cxz * dot(phi, 2) + 2 * I_cxz * r * dot(mu), M_z,
        ),
        "23x": (
            m_t * (dot(x_t, 2) - v * r - dot(r) * y_t - r**2 * x_t - 2 * r * dot(y_t)),
            -Y_3 * sin(alpha) - H_x,
        ),
        "23y": (
            m_t * (dot(y_t, 2) + u * r + dot(v) + dot(r) * x_t - r**2 * y_t + 2 * r * dot(x_t)),
            Y_3 * cos(alpha) - H_y,
        ),
        "23z": (m_t * dot(z_t, 2), m_t * g - N_3 - H_z),
        "24a": ((I_tzz - I_txx - I_tyy) * r * dot(beta), M_Tx),
        "24b": (I_tyy * dot(beta, 2) + (I_tzz - I_txx) * r**2 * beta, M_Ty),
        "24c": (I_tzz * (dot(r) + dot(alpha, 2)), M_Tz),
    }  # fmt: skip
