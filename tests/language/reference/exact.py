"""Newton's and Euler's equations of car and trailer with finite rotations, evaluated in numbers.

Nothing is small here: chassis R_y(mu) R_x(phi), trailer R_z(alpha) R_y(beta), accelerations by the
rules of relative motion in T_0. To first order in the small variables of eq. (12) its balances
must be those of car.py and car_trailer.py. SI units; components in T_0 unless said.
"""

from __future__ import annotations

import numpy as np
from language.reference.car import Axles
from language.reference.car_trailer import AT
from language.reference.parameters import Parameters
from numpy.typing import NDArray


def car_balance(
    x: NDArray, rates: NDArray, steer: float, speed: float, driving: float, loads: Axles,
    p: Parameters,
) -> NDArray:  # fmt: skip
    """Force and moment minus inertia of chassis and unsprung masses: (21a-c), (22a-c)."""
    at = Reading(x, rates)
    frame = Frame(at, speed)
    rotation = turn_y(at("mu")) @ turn_x(at("phi"))
    centre = np.array([0.0, 0.0, at("z") - p.h_c])
    a_C = frame.acceleration(centre, unit(2) * at("Vz"), unit(2) * at.rate("Vz"))
    low = np.array([0.0, 0.0, -p.h_u])
    a_U = frame.acceleration(low, np.zeros(3), np.zeros(3))
    about_y, about_x = at("Om"), at("Op")
    spin = frame.spin + unit(1) * about_y + turn_y(at("mu")) @ (unit(0) * about_x)
    drift = (  # rate of the spin's components in T_0
        unit(2) * at.rate("r")
        + unit(1) * at.rate("Om")
        + turn_y(at("mu")) @ (unit(0) * at.rate("Op"))
        + about_y * np.cross(unit(1), turn_y(at("mu")) @ (unit(0) * about_x))
    )
    chassis = np.array([[p.I_cxx, 0, -p.I_cxz], [0, p.I_cyy, 0], [-p.I_cxz, 0, p.I_czz]])
    inertia = rotation @ chassis @ rotation.T
    force = -p.m_c * a_C - p.m_u * a_U + unit(2) * p.car_weight
    moment = -np.cross(centre, p.m_c * (a_C - unit(2) * p.g)) - np.cross(low, p.m_u * a_U)
    moment = (
        moment - inertia @ (drift + np.cross(frame.spin, spin)) - np.cross(spin, inertia @ spin)
    )
    moment = moment - unit(2) * p.I_uzz * at.rate("r")
    hook = centre + rotation @ np.array([-p.f_x, 0.0, p.f_z])
    pull = np.array([at("Hx"), at("Hy"), at("Hz")])
    drag = np.array([-p.F_D, 0.0, 0.0])
    applied = [(hook, pull), (centre, drag), *tyre_forces(at, steer, driving, loads, p)]
    for point, applied_force in applied:
        force = force + applied_force
        moment = moment + np.cross(point, applied_force)
    return np.concatenate([force, moment])


def tyre_forces(
    at: Reading, steer: float, driving: float, loads: Axles, p: Parameters
) -> list[tuple[NDArray, NDArray]]:
    """Contact point and force of R1, L1, R2, L2; section 2.4."""
    steered, half = turn_z(steer), driving / 2
    return [
        (np.array([p.a_1, p.b_1, 0.0]), steered @ np.array([0.0, at("YR1"), -loads.R1])),
        (np.array([p.a_1, -p.b_1, 0.0]), steered @ np.array([0.0, at("YL1"), -loads.L1])),
        (np.array([-p.a_2, p.b_2, 0.0]), np.array([half, at("YR2"), -loads.R2])),
        (np.array([-p.a_2, -p.b_2, 0.0]), np.array([half, at("YL2"), -loads.L2])),
    ]


def trailer_balance(x: NDArray, rates: NDArray, speed: float, p: Parameters) -> NDArray:
    """Force in T_0 and moment about T in T_alpha, minus inertia: (23), (24a-c)."""
    at = Reading(x, rates)
    frame = Frame(at, speed)
    heading, tilt = turn_z(at("al")), turn_y(at("be"))
    rotation = heading @ tilt
    centre = np.array([at("xt"), at("yt"), at("zt")])
    moving = np.array([at("Vxt"), at("Vyt"), at("Vzt")])
    a_T = frame.acceleration(
        centre, moving, np.array([at.rate("Vxt"), at.rate("Vyt"), at.rate("Vzt")])
    )
    axis = heading @ unit(1)
    spin = frame.spin + unit(2) * at("Oa") + axis * at("Ob")
    drift = (
        unit(2) * (at.rate("r") + at.rate("Oa"))
        + axis * at.rate("Ob")
        + at("Oa") * at("Ob") * np.cross(unit(2), axis)
    )
    inertia = rotation @ np.diag([p.I_txx, p.I_tyy, p.I_tzz]) @ rotation.T
    pull = np.array([at("Hx"), at("Hy"), at("Hz")])
    force = unit(2) * p.m_t * p.g - p.m_t * a_T - pull
    moment = -inertia @ (drift + np.cross(frame.spin, spin)) - np.cross(spin, inertia @ spin)
    moment = moment - np.cross(rotation @ np.array([p.j_x, 0.0, p.j_z]), pull)
    for side, lateral, load in ((1, "YR3", "NR3"), (-1, "YL3", "NL3")):
        contact = np.array([-p.a_3 - p.r_3 * at("be"), side * p.b_3, p.h_t])
        push = heading @ np.array([0.0, at(lateral), -at(load)])
        force = force + push
        moment = moment + np.cross(rotation @ contact, push)
    return np.concatenate([force, heading.T @ moment])


def closures(x: NDArray, p: Parameters) -> NDArray:
    """Height of the trailer's axle over its radius, and H_T - H_C: (17), (18)."""
    at = Reading(x, x)
    trailer = turn_z(at("al")) @ turn_y(at("be"))
    centre = np.array([at("xt"), at("yt"), at("zt")])
    axle = centre + trailer @ np.array([-p.a_3, 0.0, p.h_t - p.r_3])
    chassis = turn_y(at("mu")) @ turn_x(at("phi"))
    hook = np.array([0.0, 0.0, at("z") - p.h_c]) + chassis @ np.array([-p.f_x, 0.0, p.f_z])
    eye = centre + trailer @ np.array([p.j_x, 0.0, p.j_z])
    return np.concatenate([[axle[2] + p.r_3], eye - hook])


def trailer_contact_velocities(x: NDArray, speed: float, p: Parameters) -> NDArray:
    """(V_x, V_y) in T_alpha of the points of contact under the axle, R3 then L3: (33c)."""
    at = Reading(x, x)
    heading, be, ob = turn_z(at("al")), at("be"), at("Ob")
    turning = unit(2) * (at("r") + at("Oa"))
    centre = np.array([at("xt"), at("yt"), 0.0])
    moving = np.array([at("Vxt"), at("Vyt"), 0.0])
    v_T = Frame(at, speed).velocity(centre, moving)
    high = p.h_t - p.r_3
    ahead = -p.a_3 * np.cos(be) + high * np.sin(be)
    pace = (p.a_3 * np.sin(be) + high * np.cos(be)) * ob
    found = []
    for side in (1, -1):
        point = np.array([ahead, side * p.b_3, 0.0])
        v_C = heading.T @ v_T + np.cross(turning, point) + unit(0) * pace
        found += [v_C[0], v_C[1]]
    return np.array(found)


class Reading:
    """Variables and their rates by name."""

    def __init__(self, x: NDArray, rates: NDArray) -> None:
        self.x, self.rates = x, rates

    def __call__(self, name: str) -> complex:
        return self.x[AT[name]]

    def rate(self, name: str) -> complex:
        """x' of the variable."""
        return self.rates[AT[name]]


class Frame:
    """T_0, moving with (u, v, 0) and turning with r."""

    def __init__(self, at: Reading, speed: float) -> None:
        self.origin = np.array([speed, at("v"), 0.0])
        self.spin = unit(2) * at("r")
        self.gain, self.turning = unit(1) * at.rate("v"), unit(2) * at.rate("r")

    def velocity(self, point: NDArray, moving: NDArray) -> NDArray:
        """Of a point that moves in T_0, eq. (6), m/s."""
        return self.origin + np.cross(self.spin, point) + moving

    def acceleration(self, point: NDArray, moving: NDArray, faster: NDArray) -> NDArray:
        """Of a point that moves and accelerates in T_0, eq. (6) applied twice, m/s2."""
        return (
            self.gain
            + np.cross(self.turning, point)
            + np.cross(self.spin, self.velocity(point, moving))
            + np.cross(self.spin, moving)
            + faster
        )


def unit(axis: int) -> NDArray:
    """Unit vector along x, y or z."""
    return np.eye(3)[axis]


def turn_x(angle: complex) -> NDArray:
    """Rotation matrix about x."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1, 0, 0], [0, c, -s], [0, s, c]])


def turn_y(angle: complex) -> NDArray:
    """Rotation matrix about y."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])


def turn_z(angle: complex) -> NDArray:
    """Rotation matrix about z."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
