"""Shapes of tyres: against all their points, at the edge, deflected along the normal."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import axletree as at
from axletree.components.contract import RelativeMotion
from axletree.core.errors import ModelError
from axletree.expr import Expr, number
from axletree.expr.vectors import Matrix, Vector
from axletree.wheel.contact_geometry import ContactGeometry, Deflection, Patch
from axletree.wheel.ground_plane import ORIGIN, wheel_on_plane

RADIUS, CROWN, WIDTH, HEIGHT = 0.32, 0.2, 0.18, 0.27
EDGE = math.asin(0.5 * WIDTH / CROWN)
UP = np.array([0.0, 0.0, 1.0])
ZERO = np.zeros(3)


def shapes(deflects: str) -> list[ContactGeometry]:
    return [
        at.PlanarDisc(deflects=deflects),
        at.Toroid(crown_radius=0.1, deflects=deflects),
        at.Belted(crown_radius=CROWN, width=WIDTH, deflects=deflects),
    ]


ALL = [*shapes("wheel-plane"), *shapes("normal")]


def found(
    shape: ContactGeometry, R: np.ndarray, height: float, v: np.ndarray = ZERO,
    w: np.ndarray = ZERO, rate: float = 0.0,
) -> Patch:  # fmt: skip
    """From numbers in road axes."""
    seen = Vector(R.T @ v), Vector(R.T @ w)
    motion = RelativeMotion(Vector((0.0, 0.0, height)), Vector(v), Matrix(R), Vector(w), *seen)
    axis, p = Vector((0.0, 1.0, 0.0)), {n: number(x) for n, x in shape.numbers.items()}
    return shape.patch(wheel_on_plane(motion, ORIGIN, axis, number(rate), number(RADIUS)), p)


def leaning(lean: float, yaw: float = 0.0) -> np.ndarray:
    return Rotation.from_euler("ZX", (yaw, lean)).as_matrix()


def vector(R: np.ndarray, v_C: Vector) -> np.ndarray:
    return np.asarray(R @ [float(c) for c in v_C])


def contact_point(patch: Patch, R: np.ndarray) -> np.ndarray:
    return float(patch.offset) * vector(R, patch.y_C) - float(patch.height) * UP


def points(shape: ContactGeometry, R: np.ndarray) -> np.ndarray:
    """Many points of the undeformed tyre from its centre, in a plane across at its lowest."""
    crown, width = shape.numbers.get("crown_radius", 0.0), shape.numbers.get("width")
    edge = math.pi if width is None else EDGE
    x, u, z = R.T
    around, across = np.meshgrid(np.linspace(-0.4, 0.4, 41), np.linspace(-edge, edge, 4001))
    out = np.sin(around)[..., None] * x - np.cos(around)[..., None] * z
    arc = np.cos(across)[..., None] * out + np.sin(across)[..., None] * u
    return np.asarray((RADIUS - crown) * out + crown * arc).reshape(-1, 3)


@pytest.mark.parametrize("shape", ALL, ids=lambda s: f"{type(s).__name__}-{s.deflects.value}")
@pytest.mark.parametrize("lean", [-1.4, -0.8, -0.3, 0.0, EDGE, 0.5, 1.2])
def test_it_touches_where_the_lowest_of_its_points_does(
    shape: ContactGeometry, lean: float
) -> None:
    R = leaning(lean)
    all_points = points(shape, R)
    lowest = all_points[np.argmin(all_points[:, 2])]
    touching = found(shape, R, -lowest[2])
    assert float(touching.deflection) == pytest.approx(0.0, abs=1e-5)
    assert contact_point(touching, R) == pytest.approx(lowest, abs=2e-3)


@pytest.mark.parametrize("shape", shapes("normal"), ids=lambda s: type(s).__name__)
def test_along_the_normal_it_is_pressed_in_by_the_lack_of_height(shape: ContactGeometry) -> None:
    for lean in (-1.2, 0.0, 0.3, 0.9):
        R = leaning(lean)
        lowest = points(shape, R)[:, 2].min()
        pressed = found(shape, R, -lowest - 0.02)
        free = found(shape, R, -lowest + 0.03)
        assert float(pressed.deflection) == pytest.approx(0.02, abs=1e-5)
        assert float(free.deflection) == pytest.approx(-0.03, abs=1e-5)
        assert float(pressed.offset) == pytest.approx(float(free.offset))


def test_the_contact_passes_the_edge_without_a_jump() -> None:
    for shape in (s for s in ALL if isinstance(s, at.Belted)):
        for side in (-1.0, 1.0):
            R1, R2 = leaning(side * (EDGE - 1e-9)), leaning(side * (EDGE + 1e-9))
            one, other = found(shape, R1, HEIGHT), found(shape, R2, HEIGHT)
            assert contact_point(one, R1) == pytest.approx(contact_point(other, R2), abs=1e-8)
            assert float(one.deflection) == pytest.approx(float(other.deflection), abs=1e-8)


def test_beyond_the_edge_it_is_the_circle_of_the_edge() -> None:
    """Andres 2009, eqs. (3.73, 3.80 to 3.82): (rRim + height) ePlane + x eAxis, the low side."""
    x, y = 0.5 * WIDTH, RADIUS - CROWN + math.sqrt(CROWN**2 - 0.25 * WIDTH**2)
    for lean in (0.8, -0.8):
        R = leaning(lean)
        _, u, up = R.T
        expected = -y * up - math.copysign(x, lean) * u  # leaning to the right, on its right edge
        shape = at.Belted(crown_radius=CROWN, width=WIDTH)
        assert contact_point(found(shape, R, -expected[2]), R) == pytest.approx(expected)


def test_a_tread_without_arc_is_a_cylinder_and_a_narrow_one_a_torus() -> None:
    R = leaning(0.2)
    wide = at.Belted(crown_radius=0.1, width=0.2, deflects="wheel-plane")  # a whole half circle
    torus = at.Toroid(crown_radius=0.1)
    assert float(found(wide, R, HEIGHT).loaded_radius) == pytest.approx(
        float(found(torus, R, HEIGHT).loaded_radius)
    )
    flat = at.Belted(crown_radius=1e6, width=0.2)
    below = RADIUS * math.cos(0.2) + 0.1 * math.sin(0.2)
    assert float(found(flat, R, below).deflection) == pytest.approx(0.0, abs=1e-6)


speed = st.floats(-20.0, 20.0)
turn = st.tuples(st.floats(-1.0, 1.0), st.floats(-1.0, 1.0), st.floats(-1.0, 1.0))


@settings(max_examples=30, deadline=None)
@given(yaw=st.floats(-3.0, 3.0), lean=st.floats(-1.2, 1.2), v=turn, w=turn, rate=speed)
@pytest.mark.parametrize("shape", ALL, ids=lambda s: f"{type(s).__name__}-{s.deflects.value}")
def test_velocities_are_those_of_the_points_of_a_body(
    shape: ContactGeometry, yaw: float, lean: float, v: Any, w: Any, rate: float
) -> None:
    R, v_Q, w_Q = leaning(lean, yaw), 10.0 * np.array(v), np.array(w)
    patch = found(shape, R, HEIGHT, v_Q, w_Q, rate)
    x, y, u = vector(R, patch.x_C), vector(R, patch.y_C), R[:, 1]
    w_wheel, r_P = w_Q + rate * u, contact_point(patch, R)
    V = v_Q + np.cross(w_wheel, r_P)
    R_l = patch.loaded_radius
    assert float(patch.sliding_speed(R_l)) == pytest.approx(V @ x, abs=1e-9)
    assert float(patch.lateral_speed) == pytest.approx(V @ y, abs=1e-9)
    w_geometric = w_wheel - float(patch.spin_rate) * u
    assert w_geometric @ y == pytest.approx(0.0, abs=1e-9)
    geometric = v_Q + np.cross(w_geometric, r_P)
    assert float(patch.rolling_speed(R_l)) == pytest.approx(geometric @ x, abs=1e-9)
    assert w_Q @ vector(R, patch.yawing) == pytest.approx(float(patch.yaw_rate), abs=1e-9)
    spin = w_Q @ vector(R, patch.spinning) + rate
    assert spin == pytest.approx(float(patch.spin_rate), abs=1e-9)
    if shape.deflects is Deflection.NORMAL:
        assert float(patch.deflection_rate) == pytest.approx(-V[2], abs=1e-9)


@pytest.mark.parametrize("shape", shapes("normal"), ids=lambda s: type(s).__name__)
def test_along_the_normal_the_rate_is_that_of_the_deflection(shape: ContactGeometry) -> None:
    """By finite differences of a wheel that climbs, leans and yaws."""
    step = 1e-6

    def at_time(t: float, v: np.ndarray = ZERO, w: np.ndarray = ZERO) -> Patch:
        return found(shape, leaning(0.6 - 0.7 * t, 0.2 + 0.5 * t), HEIGHT + 0.3 * t, v, w)

    R = leaning(0.6, 0.2)
    w = 0.5 * UP - 0.7 * R[:, 0]
    now = at_time(0.0, np.array([1.0, 2.0, 0.3]), w)
    change = float(at_time(step).deflection) - float(at_time(-step).deflection)
    assert float(now.deflection_rate) == pytest.approx(change / (2.0 * step), rel=1e-6)


# -- size of the patch ------------------------------------------------------------------


def size(shape: ContactGeometry, deflection: float) -> tuple[float, float]:
    p: dict[str, Expr] = {n: number(x) for n, x in shape.numbers.items()}
    length, width = shape.size(number(deflection), number(RADIUS), p)
    return float(length), float(width)


def test_patches_are_chords() -> None:
    """Of small depth: half the chord squared is 2 R d less d squared."""
    d = 0.01
    disc, torus, belted = (size(shape, d) for shape in shapes("normal"))
    for length, _ in (disc, torus, belted):
        assert length == pytest.approx(math.sqrt(8.0 * RADIUS * d))
        assert length == pytest.approx(2.0 * math.sqrt(2.0 * RADIUS * d - d * d), rel=0.01)
    assert disc[1] == 0.0
    assert torus[1] == pytest.approx(math.sqrt(8.0 * 0.1 * d))
    assert belted[1] == pytest.approx(math.sqrt(8.0 * CROWN * d))


def test_no_patch_is_wider_than_the_tyre() -> None:
    _, torus, belted = (size(shape, 0.2)[1] for shape in shapes("normal"))
    assert torus == pytest.approx(0.2)
    assert belted == pytest.approx(WIDTH)


@pytest.mark.parametrize("shape", ALL, ids=lambda s: type(s).__name__)
def test_there_is_no_patch_in_the_air(shape: ContactGeometry) -> None:
    assert max(size(shape, -0.1)) < 1e-5


# -- what is refused --------------------------------------------------------------------


def test_a_tread_wider_than_its_circle_is_refused() -> None:
    with pytest.raises(ModelError, match="must not exceed twice its crown_radius"):
        at.Belted(crown_radius=0.05, width=0.11)


def test_edges_beyond_the_axle_are_refused() -> None:
    shape = at.Belted(crown_radius=0.4, width=0.8)
    assert "edges of the tread lie 0.4 m below" in shape.radius_problems(0.3)[0]
