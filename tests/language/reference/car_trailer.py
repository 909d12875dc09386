"""Car with trailer, 29 variables, written out from Lot and Massaro 2017 with the errors corrected.

A(x) x' = B(x, delta), eq. (42). The first twelve variables and equations are those of car.py with
the hitch force H, which acts on the chassis; -H acts on the trailer. SI units and rad.
"""

from __future__ import annotations

import numpy as np
from language.reference import car
from language.reference.derivative import newton
from language.reference.parameters import Parameters, ReferenceLoads
from numpy.typing import NDArray

STATES = (*car.STATES, "xt", "yt", "zt", "al", "be", "Vxt", "Vyt", "Vzt", "Oa", "Ob")
STATES += ("NR3", "NL3", "YR3", "YL3", "Hx", "Hy", "Hz")  # (43)
EQUATIONS = (*car.EQUATIONS, "xt'", "yt'", "zt'", "al'", "be'", "23x", "23y", "23z")
EQUATIONS += ("24a", "24b", "24c", "R3", "L3", "17", "18x", "18y", "18z")
SIZES = np.concatenate(
    [car.SIZES, [1.0, 1.0, 1.0, 0.1, 0.1], np.ones(5), [3e3, 3e3, 3e3, 3e3, 3e3, 3e3, 3e3]]
)
AT = {name: i for i, name in enumerate(STATES)}
ROW = {name: i for i, name in enumerate(EQUATIONS)}


def matrix(x: NDArray, p: Parameters) -> NDArray:
    """A(x), of rank 24; it sees x through r' y_t and r' x_t of (23) only."""
    A = np.zeros((29, 29), dtype=np.asarray(x).dtype)
    A[:12, :12] = car.matrix(p)
    A[12:17, 12:17] = np.eye(5)
    A[17, 17], A[17, 4] = p.m_t, -p.m_t * x[13]  # (23x)
    A[18, 18], A[18, 3], A[18, 4] = p.m_t, p.m_t, p.m_t * x[12]  # (23y)
    A[19, 19] = p.m_t  # (23z)
    A[21, 21] = p.I_tyy  # (24b), printed with a dot missing over beta
    A[22, 20], A[22, 4] = p.I_tzz, p.I_tzz  # (24c)
    A[23, 24] = A[24, 25] = p.trailer.sigma  # (35)
    return A


def right_side(
    x: NDArray, steer: complex, speed: float, p: Parameters, reference: ReferenceLoads
) -> NDArray:
    """B(x, delta); rows as in EQUATIONS."""
    v, r = x[3:5]
    xt, yt, _, al, be, vxt, vyt, _, oa, ob = x[12:22]
    nr, nl, yr, yl, hx, hy, hz = x[22:29]
    moment = moments(x, p)
    lateral = yr + yl
    tyres = [
        car.relaxation(velocity, p.trailer, load, reference.trailer, force)
        for velocity, load, force in zip(
            contact_velocities(x, speed, p), (nr, nl), (yr, yl), strict=True
        )
    ]
    return np.concatenate(
        [
            car.right_side(x, steer, speed, p, reference, (hx, hy, hz)),
            x[17:22],
            [
                p.m_t * (v * r + r**2 * xt + 2 * r * vyt) - lateral * np.sin(al) - hx,
                p.m_t * (r**2 * yt - speed * r - 2 * r * vxt) + lateral * np.cos(al) - hy,
                p.m_t * p.g - (nr + nl) - hz,
                moment[0] - (p.I_tzz - p.I_txx - p.I_tyy) * r * ob,
                moment[1] - (p.I_tzz - p.I_txx) * r**2 * be,
                moment[2],
                *tyres,
            ],
            constraints(x, p),
        ]
    )


def moments(x: NDArray, p: Parameters) -> tuple[complex, complex, complex]:
    """M_T below eq. (24), N m, about the trailer's centre of mass."""
    al, be = x[15:17]
    nr, nl, yr, yl, hx, hy, hz = x[22:29]
    along, across = hx * np.cos(al) + hy * np.sin(al), hx * np.sin(al) - hy * np.cos(al)
    down, ahead = p.j_x * be - p.j_z, p.j_x + p.j_z * be
    contact = (p.h_t - p.r_3) * be - p.a_3
    return (
        down * across - (p.h_t + p.a_3 * be) * (yl + yr) + p.b_3 * (nl - nr),
        down * along + contact * (nl + nr) + ahead * hz,
        ahead * across + contact * (yl + yr),
    )


def contact_velocities(
    x: NDArray, speed: float, p: Parameters
) -> tuple[tuple[complex, complex], tuple[complex, complex]]:
    """Eq. (33c): (V_x, V_y) of R3 and L3 in T_alpha.

    Printed with y_t for its rate, beta' r for beta r, and without -a_3 (r + alpha').
    """
    v, r = x[3:5]
    xt, yt, _, al, be, vxt, vyt, _, oa, ob = x[12:22]
    across, ahead = v + xt * r + vyt, speed + vxt - yt * r
    height = p.h_t - p.r_3
    forward = across * np.sin(al) + ahead * np.cos(al) + height * ob
    sideways = across * np.cos(al) - ahead * np.sin(al) + height * be * r - p.a_3 * (r + oa)
    return (forward - p.b_3 * (r + oa), sideways), (forward + p.b_3 * (r + oa), sideways)


def slip_angles(x: NDArray, speed: float, p: Parameters) -> tuple[complex, complex]:
    """Eq. (32) for R3 and L3, rad."""
    right, left = (-np.arctan(vy / vx) for vx, vy in contact_velocities(x, speed, p))
    return right, left


def constraints(x: NDArray, p: Parameters) -> NDArray:
    """Eqs. (17) and (18), m; the third row of (18) is printed without z_t and constants."""
    z, mu, phi = x[:3]
    xt, yt, zt, al, be = x[12:17]
    ahead = p.j_z * be + p.j_x
    return np.array(
        [
            p.a_3 * be + p.h_t + zt,
            xt + p.f_x + ahead * np.cos(al) - p.f_z * mu,
            yt + ahead * np.sin(al) + p.f_z * phi,
            zt + p.j_z - p.j_x * be - z + p.h_c - p.f_z - p.f_x * mu,
        ]
    )


def driving_force(x: NDArray, steer: complex, p: Parameters) -> complex:
    """X_2 of eq. (21a), N."""
    return car.driving_force(x, steer, p, (x[26], x[27], x[28]))


def standing(p: Parameters) -> NDArray:
    """The 29 variables at rest; no tyre carries a lateral force."""
    guess = np.zeros(29)
    guess[12], guess[14] = -p.f_x - p.j_x, -p.h_t
    guess[22:24] = p.m_t * p.g / 2
    free = [AT[name] for name in ("z", "mu", "xt", "zt", "be", "NR3", "NL3", "Hx", "Hz")]
    rows = [ROW[name] for name in ("21c", "22b", "23x", "23z", "24a", "24b", "17", "18x", "18z")]
    unused = ReferenceLoads.same(1.0)  # lateral forces are zero, whatever N_0 is

    def residual(unknown: NDArray) -> NDArray:
        x = guess.astype(complex)
        x[free] = unknown
        return right_side(x, 0.0, 1.0, p, unused)[rows]

    found = guess.copy()
    found[free] = newton(residual, guess[free], SIZES[free])
    return found


def nominal_reference_loads(p: Parameters) -> ReferenceLoads:
    """N_0 = load of each tyre of the car standing alone and of the trailer held level."""
    level = p.m_t * p.g * p.j_x / (2 * (p.j_x + p.a_3))
    return ReferenceLoads(*car.static_loads(p), level)


def hitched_reference_loads(p: Parameters) -> ReferenceLoads:
    """N_0 = load of each tyre of car and trailer standing hitched together."""
    x = standing(p)
    loads = car.normal_loads(x, p)
    return ReferenceLoads(float(loads.R1), float(loads.R2), float(x[22]))
