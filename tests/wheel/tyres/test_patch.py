"""The contact of a disc with a plane against the vector formulas, evaluated in the road's axes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from axletree.components.contract import RelativeMotion
from axletree.expr import number
from axletree.expr.vectors import Matrix, Vector
from axletree.wheel.contact_geometry import Patch, RoundSection, find_patch
from axletree.wheel.ground_plane import ORIGIN, wheel_on_plane

AXIS = np.array([0.0, 1.0, 0.0])
RADIUS = number(0.35)
small = st.floats(-0.6, 0.6)
speed = st.floats(-30.0, 30.0)


def motion(R: np.ndarray, height: float, v_Q: np.ndarray, w_Q: np.ndarray) -> RelativeMotion:
    """A carrier in a road, from numbers in road axes."""
    return RelativeMotion(
        displacement=Vector((1.0, 2.0, height)),
        velocity=Vector(v_Q),
        R_tail_head=Matrix(R),
        angular_velocity=Vector(w_Q),
        velocity_head=Vector(R.T @ v_Q),
        angular_velocity_head=Vector(R.T @ w_Q),
    )


def value(expression: object) -> float:
    return float(expression)  # type: ignore[arg-type]


def found(R: np.ndarray, height: float, v: np.ndarray, w: np.ndarray, rate: float) -> Patch:
    wheel = wheel_on_plane(motion(R, height, v, w), ORIGIN, Vector(AXIS), number(rate), RADIUS)
    return find_patch(wheel, RoundSection())


@given(
    angles=st.tuples(st.floats(-3.0, 3.0), small, small),
    v=st.tuples(speed, speed, speed),
    w=st.tuples(small, small, small),
    rate=speed,
    height=st.floats(0.2, 0.5),
)
def test_the_patch_follows_equations_3_1_to_3_21(
    angles: tuple[float, float, float],
    v: tuple[float, float, float],
    w: tuple[float, float, float],
    rate: float,
    height: float,
) -> None:
    R = Rotation.from_euler("ZXY", angles).as_matrix()
    v_Q, w_carrier = np.array(v), np.array(w)
    u = R @ AXIS
    w_C = w_carrier + rate * u  # of the wheel
    n = np.array([0.0, 0.0, 1.0])  # (3.1)
    x = np.cross(u, n) / np.linalg.norm(np.cross(u, n))  # (3.2)
    y = np.cross(n, x)  # (3.3)
    gamma = np.arcsin(np.cross(y, u) @ x)  # (3.5)
    loaded = height / np.cos(gamma)
    r_P = loaded * (np.sin(gamma) * y - np.cos(gamma) * n)
    omega = (w_C @ u - (w_C @ n) * np.sin(gamma)) / np.cos(gamma) ** 2  # (3.11)
    effective = 0.97 * loaded
    r_E = r_P * effective / loaded
    V_E, V_P = v_Q + np.cross(w_C, r_E), v_Q + np.cross(w_C, r_P)

    patch = found(R, height, v_Q, w_carrier, rate)
    close = pytest.approx
    assert value(patch.inclination) == close(gamma, abs=1e-12)
    assert value(patch.loaded_radius) == close(loaded)
    assert value(patch.spin_rate) == close(omega, abs=1e-10)
    assert value(patch.centre_speed) == close(v_Q @ x, abs=1e-10)
    assert value(patch.lateral_speed) == close(V_P @ y, abs=1e-10)  # (3.21)
    sliding = patch.sliding_speed(number(effective))
    assert value(sliding) == close(V_E @ x, abs=1e-9)  # (3.18)
    rolling = patch.rolling_speed(number(effective))
    assert value(rolling) == close(V_E @ x + omega * effective, abs=1e-9)  # (3.19)
    for found_C, wanted in ((patch.x_C, x), (patch.y_C, y), (patch.n_C, n)):
        assert R @ [value(c) for c in found_C] == close(wanted, abs=1e-12)


def test_a_free_rolling_upright_wheel_neither_slides_nor_drifts() -> None:
    patch = found(np.eye(3), 0.3, np.array([20.0, 0.0, 0.0]), np.zeros(3), 20.0 / 0.3)
    assert value(patch.sliding_speed(patch.loaded_radius)) == pytest.approx(0.0, abs=1e-12)
    assert value(patch.rolling_speed(patch.loaded_radius)) == pytest.approx(20.0)
    assert value(patch.lateral_speed) == 0.0


def test_the_geometric_wheel_moves_with_the_contact_point() -> None:
    """V*_Px is the forward speed of the point of contact, from two positions of the wheel."""
    rate_roll, rate_yaw, step = 0.7, 0.4, 1e-6
    R0 = Rotation.from_euler("ZXY", (0.3, 0.2, 0.0))
    v_Q = np.array([5.0, -1.0, 0.2])

    def contact(time: float) -> np.ndarray:
        turn = Rotation.from_euler("Z", rate_yaw * time)
        R = turn * R0 * Rotation.from_euler("X", rate_roll * time)
        centre = np.array([0.0, 0.0, 0.3]) + v_Q * time
        u = R.apply(AXIS)
        x = np.cross(u, [0, 0, 1.0])
        down = np.cross(x / np.linalg.norm(x), u)  # in the wheel plane, away from the road
        return np.asarray(centre - down * centre[2] / down[2])

    velocity = (contact(step) - contact(-step)) / (2 * step)
    w = np.array([0.0, 0.0, rate_yaw]) + R0.apply([rate_roll, 0.0, 0.0])
    patch = found(R0.as_matrix(), 0.3, v_Q, w, 12.0)
    x = R0.as_matrix() @ [value(c) for c in patch.x_C]
    assert value(patch.rolling_speed(patch.loaded_radius)) == pytest.approx(velocity @ x, rel=1e-6)
