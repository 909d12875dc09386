"""A second static solver: the left half of the bushed double wishbone by its energy.

Twelve coordinates: the pose of the lower arm, and the rotations of the upright on its ball joint
and of the upper arm on its own. The energy of bushings, tie rod, spring and loads is written from
the geometry; equilibrium is where its gradient, by complex steps, is zero. The rack and the other
side do not matter: the rack is held.
"""

from __future__ import annotations

import numpy as np
from mechanisms.hard_point_axle import DOUBLE_WISHBONE, arm_mount

P = {name: np.array(point) for name, point in DOUBLE_WISHBONE.items()}
TOE, CAMBER, RADIUS = np.deg2rad(0.1), np.deg2rad(-0.5), 0.31
SPIN = np.array([np.sin(TOE) * np.cos(CAMBER), np.cos(TOE) * np.cos(CAMBER), -np.sin(CAMBER)])
ROD, SPRING = 2e7, 45e3  # N/m
START = 4000.0  # N


def rotation(v):
    """exp of a rotation vector by its series, in complex numbers, too."""
    K = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    R, term = np.eye(3) + 0 * K, np.eye(3) + 0 * K
    for n in range(1, 13):
        term = term @ K / n
        R = R + term
    return R


class Pose:
    """Links turn about the point that the coordinates move."""

    def __init__(self, x):
        self.R = {"lower": rotation(x[3:6]), "upright": rotation(x[6:9]), "upper": rotation(x[9:])}
        ball = self.about("lower", P["lower_arm_rear"], x[:3] + P["lower_arm_rear"])
        self.origin = {"lower": ball}
        for link, joint, carrier in (
            ("upright", "lower_ball_joint", "lower"), ("upper", "upper_ball_joint", "upright"),
        ):  # fmt: skip
            self.origin[link] = self.about(link, P[joint], self.point(carrier, P[joint]))

    def about(self, link, at_design, now):
        return now - self.R[link] @ at_design

    def point(self, link, at_design):
        return self.origin[link] + self.R[link] @ at_design


def bushing_energy(pose, link, at, mount, preload):
    """Half of (d, phi) K (d, phi), with phi the sine of the angle times the axis, and f0 (d, phi).

    The bushing's x is normal to its axis and to y.
    """
    z = np.array(mount.axis) / np.linalg.norm(mount.axis)
    x = np.array([z[2], 0.0, -z[0]])
    x /= np.linalg.norm(x)
    A = np.array([x, np.cross(z, x), z])
    d = A @ (pose.point(link, at) - at)
    S = 0.5 * (pose.R[link] - pose.R[link].T)
    phi = A @ np.array([S[2, 1], S[0, 2], S[1, 0]])
    e, K = np.concatenate([d, phi]), np.array([*mount.stiffness, *mount.rotational_stiffness])
    return 0.5 * (K * e * e).sum() + (preload * e).sum()


def length(v):
    return np.sqrt((v * v).sum())


def energy(x, load, preloads):
    """Of the left half under a force and a torque on the contact and a load up [N]."""
    pose = Pose(x)
    total = 0.0
    for which in ("lower", "upper"):
        ends = {end: P[f"{which}_arm_{end}"] for end in ("front", "rear")}
        mount = arm_mount(ends["front"] - ends["rear"])
        for end, at in ends.items():
            total = total + bushing_energy(pose, which, at, mount, preloads[f"left_{which}_{end}"])
    pairs = (
        ("left_tie_rod", ROD, P["tie_rod_inner"], "upright", P["tie_rod_outer"]),
        ("left_spring", SPRING, P["spring_upper"], "lower", P["spring_lower"]),
    )
    for name, k, fixed, link, at in pairs:
        e = length(pose.point(link, at) - fixed) - length(at - fixed)
        total = total + 0.5 * k * e * e + preloads[name][0] * e
    W, s = pose.point("upright", P["wheel_centre"]), pose.R["upright"] @ SPIN
    total = total - load["up"] * (W[2] - RADIUS * np.sqrt(1.0 - s[2] ** 2))
    contact = contact_at_design()
    total = total - (load["force"] * pose.point("upright", contact)).sum()
    R = pose.R["upright"]
    turn = 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    return total - (load["torque"] * turn).sum()


def contact_at_design():
    down = SPIN[2] * SPIN - np.array([0.0, 0.0, 1.0])
    return P["wheel_centre"] + RADIUS * down / np.linalg.norm(down)


def gradient(x, load, preloads):
    steps = 1e-30j * np.eye(12)
    return np.array([energy(x + step, load, preloads).imag / 1e-30 for step in steps])


def equilibrium(up, preloads, force=(0, 0, 0), torque=(0, 0, 0)):
    """From design, where springs carry ``START``: Newton's method with slopes by differences,
    taken at each where the load is another."""
    x = np.zeros(12)
    for share in (1.0,) if up == START else (0.5, 1.0):
        now = START + share * (up - START)
        load = {"up": now, "force": share * np.array(force), "torque": share * np.array(torque)}
        for k in range(60):
            g = gradient(x, load, preloads)
            if k == 0 or up != START:
                slopes = _slopes(x, preloads)
            if np.abs(g).max() < 1e-8:
                break
            x = x - np.linalg.solve(slopes, g)
        assert np.abs(g).max() < 1e-6  # N, N m
    return Pose(x)


_KNOWN = {}


def _slopes(x, preloads):
    """Of the gradient at the load of design; that of design itself is needed often."""
    load = {"up": START, "force": np.zeros(3), "torque": np.zeros(3)}
    if x.tobytes() not in _KNOWN:
        moves = 1e-6 * np.eye(12)
        ends = [(gradient(x + m, load, preloads), gradient(x - m, load, preloads)) for m in moves]
        _KNOWN[x.tobytes()] = np.array([(a - b) / 2e-6 for a, b in ends]).T
    return _KNOWN[x.tobytes()]
