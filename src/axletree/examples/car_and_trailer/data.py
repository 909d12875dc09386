"""Table 1 of Lot and Massaro 2017, in SI units, with what it leaves out.

The wheelbase is a_1 + a_2 = 2.90 m, where the table prints 2.67 m: with any other sum the
steering ratio (46) does not start at 1, as figure 6 does. f_z and j_z follow from the height of
the hitch, 0.4 m. N_0 is the load of each tyre of the car standing alone, and of the trailer
standing level; the drag F_D is 0. Nothing in the paper tells these two.
"""

from __future__ import annotations

from typing import Final

_Value = tuple[float, str, str]  # value, unit, sentence

_G, _M_U, _M_C, _M_T = 9.806, 300.0, 2400.0, 800.0
_A_1, _A_2, _A_3, _J_X = 1.40, 1.50, 0.30, 0.80
_CAR_WEIGHT = (_M_U + _M_C) * _G

CAR_DATA: Final[dict[str, _Value]] = {
    "u": (20.0, "m/s", "forward speed, constant"),
    "g": (_G, "m/s^2", "acceleration of gravity, downward"),
    "F_D": (0.0, "N", "air drag, at the chassis' centre of mass"),
    "m_u": (_M_U, "kg", "unsprung mass of the car"),
    "h_u": (0.35, "m", "height of the unsprung mass"),
    "I_uzz": (560.0, "kg*m^2", "yaw inertia of the unsprung mass"),
    "m_c": (_M_C, "kg", "mass of the chassis"),
    "h_c": (0.75, "m", "height of the chassis' centre of mass"),
    "I_cxx": (2000.0, "kg*m^2", "roll inertia of the chassis"),
    "I_cyy": (2800.0, "kg*m^2", "pitch inertia of the chassis"),
    "I_czz": (3800.0, "kg*m^2", "yaw inertia of the chassis"),
    "I_cxz": (0.0, "kg*m^2", "product of inertia of the chassis"),
    "a_1": (_A_1, "m", "from the centre of mass forward to the front axle"),
    "a_2": (_A_2, "m", "from the centre of mass back to the rear axle"),
    "b_1": (0.78, "m", "half the front track"),
    "b_2": (0.78, "m", "half the rear track"),
    "k_1": (60e3, "N/m", "stiffness of a front suspension"),
    "k_2": (65e3, "N/m", "stiffness of a rear suspension"),
    "c_1": (4e3, "N*s/m", "damping of a front suspension"),
    "c_2": (5e3, "N*s/m", "damping of a rear suspension"),
}

TRAILER: Final[dict[str, _Value]] = {
    "m_t": (_M_T, "kg", "mass of the trailer"),
    "h_t": (0.65, "m", "height of the trailer's centre of mass"),
    "I_txx": (200.0, "kg*m^2", "roll inertia of the trailer"),
    "I_tyy": (250.0, "kg*m^2", "pitch inertia of the trailer"),
    "I_tzz": (300.0, "kg*m^2", "yaw inertia of the trailer"),
    "a_3": (_A_3, "m", "from the trailer's centre of mass back to its axle"),
    "b_3": (0.65, "m", "half the trailer's track"),
    "r_3": (0.30, "m", "rolling radius of the trailer's wheels"),
    "f_x": (2.10, "m", "from the chassis' centre of mass back to the hitch"),
    "f_z": (0.35, "m", "from the chassis' centre of mass down to the hitch"),
    "j_x": (_J_X, "m", "from the trailer's centre of mass forward to the hitch"),
    "j_z": (0.25, "m", "from the trailer's centre of mass down to the hitch"),
}

_PEAKS = {"1": 0.95, "2": 0.90, "3": 0.95}
_LOADS = {
    "1": _CAR_WEIGHT * _A_2 / (2 * (_A_1 + _A_2)),
    "2": _CAR_WEIGHT * _A_1 / (2 * (_A_1 + _A_2)),
    "3": _M_T * _G * _J_X / (2 * (_J_X + _A_3)),
}


def _tyre(axle: str) -> dict[str, _Value]:
    return {
        f"sigma_{axle}": (0.2, "m", "relaxation length"),
        f"B_{axle}": (12.0, "1", "stiffness factor"),
        f"C_{axle}": (1.6, "1", "shape factor"),
        f"D_{axle}": (_PEAKS[axle], "1", "peak factor"),
        f"load_{axle}": (0.25, "1", "load dependency factor, alpha in eq. (31)"),
        f"N0_{axle}": (_LOADS[axle], "N", "nominal load"),
    }


CAR_PARAMETERS: Final[dict[str, _Value]] = {
    **CAR_DATA,
    **TRAILER,
    **_tyre("1"),
    **_tyre("2"),
    **_tyre("3"),
}
