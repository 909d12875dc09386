"""The contact of a torus: against all of its points, finite differences, and its two limits."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation

from axletree.components.contract import RelativeMotion
from axletree.expr import Expr, number
from axletree.expr.vectors import Matrix, Vector
from axletree.wheel.contact_geometry import ContactGeometry, Patch, PlanarDisc, Toroid
from axletree.wheel.ground_plane import ORIGIN, wheel_on_plane

AXIS = np.array([0.0, 1.0, 0.0])
UP = np.array([0.0, 0.0, 1.0])
RADIUS, CROWN, HEIGHT = 0.32, 0.11, 0.29
angle = st.floats(-1.0, 1.0)
speed = st.floats(-30.0, 30.0)
vector = st.tuples(angle, angle, angle)


def found(
    shape: ContactGeometry, R: np.ndarray, height: float, v: np.ndarray, w: np.ndarray, rate: float
) -> Patch:
    """From numbers in road axes."""
    seen = Vector(R.T @ v), Vector(R.T @ w)
    motion = RelativeMotion(Vector((0.0, 0.0, height)), Vector(v), Matrix(R), Vector(w), *seen)
    p = {name: number(value) for name, value in shape.numbers.items()}
    wheel = wheel_on_plane(motion, ORIGIN, Vector(AXIS), number(rate), number(RADIUS))
    return shape.patch(wheel, p)


def at_rest(shape: ContactGeometry, R: np.ndarray, height: float = HEIGHT) -> Patch:
    return found(shape, R, height, np.zeros(3), np.zeros(3), 0.0)


def value(expression: Expr) -> float:
    return float(expression)


def in_road(R: np.ndarray, v_C: Vector) -> np.ndarray:
    return np.asarray(R @ [value(c) for c in v_C])


def contact_point(patch: Patch, R: np.ndarray) -> np.ndarray:
    """From the wheel's centre, in road axes."""
    y = in_road(R, patch.y_C)
    return value(patch.offset) * y - value(patch.height) * UP


def torus(R: np.ndarray, ring: float) -> Callable[[np.ndarray], np.ndarray]:
    """Points of the surface from the centre, by the angles around the wheel and the section."""
    x, u, z = R.T

    def point(angles: np.ndarray) -> np.ndarray:
        out = math.sin(angles[0]) * x + math.cos(angles[0]) * z
        return np.asarray(
            ring * out + CROWN * (math.cos(angles[1]) * out + math.sin(angles[1]) * u)
        )

    return point


def lowest(R: np.ndarray, ring: float) -> np.ndarray:
    """The lowest of all points of a torus: on a grid, and then to the bottom."""
    point = torus(R, ring)
    grid = [(a, b) for a in np.linspace(0, 6.2, 12) for b in np.linspace(0, 6.2, 12)]
    start = min(grid, key=lambda angles: point(np.array(angles))[2])
    best = minimize(lambda angles: point(angles)[2], start, tol=1e-14)
    return point(best.x)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(yaw=st.floats(-3.0, 3.0), lean=st.floats(-1.2, 1.2), pitch=st.floats(-3.0, 3.0))
def test_the_contact_point_is_the_lowest_of_the_torus(
    yaw: float, lean: float, pitch: float
) -> None:
    R = Rotation.from_euler("ZXY", (yaw, lean, pitch)).as_matrix()
    patch = at_rest(Toroid(CROWN), R)
    ring = value(patch.loaded_radius) - CROWN  # where the deflection has brought it
    bottom = lowest(R, ring)
    assert bottom[2] == pytest.approx(-HEIGHT, abs=1e-9)
    assert contact_point(patch, R) == pytest.approx(bottom, abs=1e-5)


def test_the_deflection_is_zero_where_the_torus_touches() -> None:
    for lean in (-0.9, -0.2, 0.0, 0.5, 1.1):
        R = Rotation.from_euler("ZXY", (0.4, lean, 0.1)).as_matrix()
        touching = -lowest(R, RADIUS - CROWN)[2]
        assert value(at_rest(Toroid(CROWN), R, touching).loaded_radius) == pytest.approx(RADIUS)
        # which is higher than a disc, by what its crown stands out
        disc = RADIUS * math.cos(lean)
        assert touching == pytest.approx(disc + (1.0 - math.cos(lean)) * CROWN)


@given(yaw=angle, lean=angle, v=vector, w=vector, rate=speed)
def test_velocities_are_those_of_the_points_of_a_body(
    yaw: float, lean: float, v: tuple[float, ...], w: tuple[float, ...], rate: float
) -> None:
    """V = v_C + w x r of the point of contact; without spin, of the geometric wheel."""
    R = Rotation.from_euler("ZX", (yaw, lean)).as_matrix()
    v_Q, w_Q = 10.0 * np.array(v), np.array(w)
    patch = found(Toroid(CROWN), R, HEIGHT, v_Q, w_Q, rate)
    x, y, u = in_road(R, patch.x_C), in_road(R, patch.y_C), R @ AXIS
    w_wheel, r_P = w_Q + rate * u, contact_point(patch, R)
    V = v_Q + np.cross(w_wheel, r_P)
    assert value(patch.sliding_speed(patch.loaded_radius)) == pytest.approx(V @ x, abs=1e-9)
    assert value(patch.lateral_speed) == pytest.approx(V @ y, abs=1e-9)
    spin = value(patch.spin_rate)
    assert (w_wheel - spin * u) @ y == pytest.approx(0.0, abs=1e-9)  # it leans and turns alone
    geometric = v_Q + np.cross(w_wheel - spin * u, r_P)
    assert value(patch.rolling_speed(patch.loaded_radius)) == pytest.approx(geometric @ x, abs=1e-9)


def test_the_contact_point_travels_at_the_rolling_speed() -> None:
    """Forward on the road, by finite differences of its place; the wheel yaws, leans, falls."""
    v_Q, yaw_rate, lean_rate, step = np.array([7.0, -2.0, 0.3]), 0.8, -0.6, 1e-5

    def place(time: float) -> np.ndarray:
        R = Rotation.from_euler("ZX", (0.3 + yaw_rate * time, 0.5 + lean_rate * time)).as_matrix()
        centre = np.array([0.0, 0.0, HEIGHT]) + v_Q * time
        return centre + contact_point(at_rest(Toroid(CROWN), R, centre[2]), R)

    R = Rotation.from_euler("ZX", (0.3, 0.5)).as_matrix()
    w_Q = yaw_rate * UP + lean_rate * R[:, 0]
    patch = found(Toroid(CROWN), R, HEIGHT, v_Q, w_Q, 30.0)
    travel = (place(step) - place(-step)) / (2.0 * step)
    assert travel[2] == pytest.approx(0.0, abs=1e-9)  # it stays on the road
    expected = value(patch.rolling_speed(patch.loaded_radius))
    assert travel @ in_road(R, patch.x_C) == pytest.approx(expected, rel=1e-8)


def test_a_leaning_wheel_rolls_on_the_smaller_circle_of_its_contact() -> None:
    lean = 0.6
    R = Rotation.from_euler("X", lean).as_matrix()
    height = (RADIUS - CROWN) * math.cos(lean) + CROWN
    circle = RADIUS - CROWN * (1.0 - math.cos(lean))
    v = np.array([20.0, 0.0, 0.0])
    patch = found(Toroid(CROWN), R, height, v, np.zeros(3), 20.0 / circle)
    assert value(patch.sliding_speed(patch.loaded_radius)) == pytest.approx(0.0, abs=1e-12)


def test_rolling_sideways_over_the_crown_slides_nowhere() -> None:
    """The section rolls on the road like a wheel of its own radius."""
    lean, lean_rate = 0.4, 2.0
    R = Rotation.from_euler("X", lean).as_matrix()
    ring = RADIUS - CROWN
    height = ring * math.cos(lean) + CROWN
    # The section's centre moves by the radius times the rate; the wheel's turns about it.
    v_section = np.array([0.0, -CROWN * lean_rate, 0.0])
    r = -(R @ UP) * ring  # of the section's centre
    v = v_section - np.cross([lean_rate, 0.0, 0.0], r)
    patch = found(Toroid(CROWN), R, height, v, np.array([lean_rate, 0.0, 0.0]), 0.0)
    assert value(patch.lateral_speed) == pytest.approx(0.0, abs=1e-12)


@given(yaw=angle, lean=angle, v=vector, w=vector, rate=speed)
def test_without_crown_it_is_a_disc(
    yaw: float, lean: float, v: tuple[float, ...], w: tuple[float, ...], rate: float
) -> None:
    R = Rotation.from_euler("ZX", (yaw, lean)).as_matrix()
    known = (R, HEIGHT, np.array(v), np.array(w), rate)
    assert found(Toroid(0.0), *known) == found(PlanarDisc(), *known)


@given(yaw=angle, v=vector, w=vector, rate=speed)
def test_upright_it_is_a_disc_of_the_full_radius(
    yaw: float, v: tuple[float, ...], w: tuple[float, ...], rate: float
) -> None:
    R = Rotation.from_euler("Z", yaw).as_matrix()
    known = (R, HEIGHT, np.array(v), np.array(w), rate)
    torus, disc = found(Toroid(CROWN), *known), found(PlanarDisc(), *known)
    assert value(torus.loaded_radius) == pytest.approx(value(disc.loaded_radius))
    assert value(torus.offset) == value(disc.offset) == 0.0
    for one, other in (
        (torus.sliding_speed(number(0.31)), disc.sliding_speed(number(0.31))),
        (torus.rolling_speed(number(0.31)), disc.rolling_speed(number(0.31))),
        (torus.lateral_speed, disc.lateral_speed),
    ):
        assert value(one) == pytest.approx(value(other), abs=1e-12)
