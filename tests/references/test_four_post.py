"""The car on four posts against the linear ride model of its energies.

Energies are written down from positions, their second derivatives are taken by central
differences, and the response to one post is that of the linear equations.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from agreement import Agrees
from mechanisms.shipped_run import shipped_system
from scipy.spatial.transform import Rotation

from axletree.system.system import System

CORNERS = ("front_left", "front_right", "rear_left", "rear_right")
PLACES = np.array([(1.2, 0.75, 0.0), (1.2, -0.75, 0.0), (-1.4, 0.75, 0.0), (-1.4, -0.75, 0.0)])
SPRINGS = np.array([22e3, 22e3, 20e3, 20e3])
DAMPERS = np.array([1500.0, 1500.0, 1400.0, 1400.0])
FREE = np.array([0.49401374, 0.49401374, 0.48352131, 0.48352131])
TYRE, TYRE_DAMPER, RADIUS = 200e3, 100.0, 0.31
SPRUNG, UNSPRUNG, GRAVITY = 1200.0, 40.0, 9.80665
INERTIA = np.diag([480.0, 1700.0, 1900.0])
WHEEL = np.diag([0.5 + 0.5, 0.5 + 0.9, 0.5 + 0.5])
STATES = ("heave.position", "attitude.first_angle", "attitude.second_angle")
STATES += tuple(f"{corner}_strut.position" for corner in CORNERS)
LINEAR = "Equations by hand, linear, of energies differentiated numerically"
AT_REST = np.array([0.64219716, 0.0, 0.0, 0.35, 0.35, 0.34773693, 0.34773693])


@pytest.fixture(scope="module")
def rig() -> System:
    return shipped_system("four-post")


def turned(q: np.ndarray) -> np.ndarray:
    return Rotation.from_euler("YX", q[1:3]).as_matrix()


def centres(q: np.ndarray) -> np.ndarray:
    """Of the wheels: struts go down from the corners."""
    down = np.column_stack([np.zeros(4), np.zeros(4), q[3:]])
    return np.array([0.0, 0.0, q[0]]) + (PLACES - down) @ turned(q).T


def potential(q: np.ndarray, posts: np.ndarray) -> float:
    heights = centres(q)[:, 2]
    lean = turned(q)[2, 1]  # the road's normal along the axles
    loaded = (heights - posts) / math.sqrt(1.0 - lean * lean)
    weight = GRAVITY * (SPRUNG * q[0] + UNSPRUNG * heights.sum())
    springs = 0.5 * SPRINGS @ (FREE - q[3:]) ** 2 + 0.5 * TYRE * ((RADIUS - loaded) ** 2).sum()
    return float(weight + springs)


def kinetic(speeds: np.ndarray) -> float:
    """At rest: what moves at these speeds."""
    step = 1e-6
    ahead, behind = AT_REST + step * speeds, AT_REST - step * speeds
    v = (centres(ahead) - centres(behind)) / (2.0 * step)
    turn = Rotation.from_matrix(turned(ahead) @ turned(behind).T).as_rotvec()
    w = turned(AT_REST).T @ turn / (2.0 * step)
    of_body = SPRUNG * speeds[0] ** 2 + w @ (INERTIA + 4.0 * WHEEL) @ w
    return 0.5 * float(of_body + UNSPRUNG * (v**2).sum())


def second(f: Callable[[np.ndarray], float], size: int, h: float) -> np.ndarray:
    """All second derivatives at 0."""
    unit = h * np.eye(size)
    return np.array([
        [
            (f(a + b) - f(a - b) - f(b - a) + f(-a - b)) / (4.0 * h * h)
            for b in unit
        ]
        for a in unit
    ])  # fmt: skip


def linear(w: float) -> np.ndarray:
    """Response of the states to each post at a circular frequency."""
    M = second(kinetic, 7, 1.0)
    both = second(lambda d: potential(AT_REST + d[:7], d[7:]), 11, 1e-4)
    J = np.array([
        (centres(AT_REST + d)[:, 2] - centres(AT_REST - d)[:, 2]) / 2e-6 for d in 1e-6 * np.eye(7)
    ]).T  # fmt: skip
    C = np.diag([0.0, 0.0, 0.0, *DAMPERS]) + TYRE_DAMPER * J.T @ J
    stiffness = both[:7, :7] - w * w * M + 1j * w * C
    return np.linalg.solve(stiffness, -both[:7, 7:] + 1j * w * TYRE_DAMPER * J.T)


@pytest.mark.validation("vehicles")
def test_it_stands_level(rig: System, agrees: Agrees) -> None:
    posts = {f"{corner}_post.position": 0.0 for corner in CORNERS}
    outputs = [f"{corner}_tyre.Fz" for corner in CORNERS]
    run = rig.simulate(2.0, step=1e-3, inputs=posts, outputs=outputs)
    for name, rest in zip(STATES, AT_REST, strict=True):
        assert run[name] == pytest.approx(rest, abs=1e-7)
    front = GRAVITY * (SPRUNG * 1.4 / 2.6 / 2.0 + UNSPRUNG)
    agrees(
        "car on four posts at rest: load of a front tyre", run["front_right_tyre.Fz"][-1], front,
        rel=1e-6, unit="N", source="Closed form, balance of moments",
    )  # fmt: skip
    agrees(
        "car on four posts at rest: load of all tyres", sum(run[name][-1] for name in outputs),
        GRAVITY * (SPRUNG + 4.0 * UNSPRUNG), rel=1e-8, unit="N", source="Closed form, weight",
    )  # fmt: skip


@pytest.mark.validation("vehicles")
def test_a_raised_post_twists_the_car_as_its_stiffnesses_say(rig: System, agrees: Agrees) -> None:
    height = 1e-4
    posts = {f"{corner}_post.position": 0.0 for corner in CORNERS}
    run = rig.simulate(
        30.0, step=1e-3, outputs=[], inputs={**posts, "front_left_post.position": height}
    )
    moved = np.array([run[name][-1] for name in STATES]) - AT_REST
    expected = linear(0.0)[:, 0].real * height
    agrees(
        "car on four posts, one raised by 0.1 mm: heave, pitch, roll and struts", moved, expected,
        abs=1e-3 * np.abs(expected).max(), unit="m, rad", source=LINEAR,
    )  # fmt: skip
    assert moved[0] > 0.0
    assert moved[1] < 0.0  # nose up
    assert moved[2] > 0.0  # right side down


@pytest.mark.sampled(3)
@pytest.mark.validation("vehicles")
@pytest.mark.parametrize("post", range(4))
@pytest.mark.parametrize("frequency", [0.8, 1.5, 6.0, 11.0])
def test_every_freedom_follows_a_post_as_the_linear_model_does(
    rig: System, post: int, frequency: float, agrees: Agrees
) -> None:
    amplitude, w = 1e-4, 2.0 * math.pi * frequency
    posts: dict[str, object] = {f"{corner}_post.position": 0.0 for corner in CORNERS}
    posts[f"{CORNERS[post]}_post.position"] = f"{amplitude}*sin({w!r}*t)"
    run = rig.simulate(20.0, step=1e-3, outputs=[], inputs=posts)
    last = (run.time > 10.0 - 1e-9) & (run.time < 20.0 - 1e-9)  # whole periods
    turning = np.exp(-1j * w * run.time[last])
    found = [2j * np.mean((run[n][last] - run[n][last].mean()) * turning) for n in STATES]
    expected = linear(w)[:, post] * amplitude
    agrees(
        "car on four posts, one that moves by 0.1 mm: amplitudes of all freedoms", found, expected,
        abs=1e-3 * np.abs(expected).max(), unit="m, rad", source=LINEAR,
        case=f"{CORNERS[post].replace('_', ' ')} post at {frequency:g} Hz",
    )  # fmt: skip
