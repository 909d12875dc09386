"""Bicubic patches against the matrices of Andres 2009, on grid lines, outside, and by rule."""

from __future__ import annotations

import numpy as np
import pytest
from agreement import Agrees

from axletree.core.errors import ModelError
from axletree.ground.grid_surfaces import LARGEST_GRID, Bicubic

GENERATOR = np.random.default_rng(8)
SHAPE = (4, 3)
Z, ZX, ZY = (GENERATOR.uniform(-1.0, 1.0, SHAPE) for _ in range(3))
SURFACE = Bicubic(Z, 6.0, 1.0, x=-2.0, y=0.5, slopes_x=ZX, slopes_y=ZY)
STEPS = (2.0, 0.5)

H = np.array([[2, -3, 0, 1], [-2, 3, 0, 0], [1, -2, 1, 0], [1, -1, 0, 0]])
DH = np.array([[0, 6, -6, 0], [0, -6, 6, 0], [0, 3, -4, 1], [0, 3, -2, 0]])


def by_matrices(x: float, y: float) -> tuple[float, float, float]:
    """Andres 2009, eq. (5.1) to (5.5): y = (H X)^T G (H Z), slopes scaled by the cell."""
    s, t = (x + 2.0) / STEPS[0], (y - 0.5) / STEPS[1]
    i, j = min(int(s), SHAPE[0] - 2), min(int(t), SHAPE[1] - 2)
    cell = np.ix_([i, i + 1], [j, j + 1])
    G = np.block([[Z[cell], ZY[cell] * STEPS[1]], [ZX[cell] * STEPS[0], np.zeros((2, 2))]])
    powers_x, powers_y = ((w - k) ** np.array([3, 2, 1, 0]) for w, k in ((s, i), (t, j)))
    along, across = H @ powers_x, H @ powers_y
    return (
        along @ G @ across,
        (DH @ powers_x) @ G @ across / STEPS[0],
        along @ G @ (DH @ powers_y) / STEPS[1],
    )


def found(x: float, y: float, surface: Bicubic = SURFACE) -> tuple[float, float, float]:
    p = surface.numbers
    return (surface.height(x, y, p), *surface.slopes(x, y, p))


@pytest.mark.validation("tyres")
def test_patches_are_those_of_the_matrices(agrees: Agrees) -> None:
    places = [(-2.0 + 6.0 * u, 0.5 + v) for u, v in GENERATOR.uniform(0.0, 1.0, (200, 2))]
    agrees(
        "bicubic ground at 200 places: height and slopes", [found(x, y) for x, y in places],
        [by_matrices(x, y) for x, y in places], rel=1e-12, abs=1e-13, unit="m, 1",
        source="Andres 2009, eqs. (5.1) to (5.5)",
    )  # fmt: skip


def test_vertices_have_their_heights_and_slopes() -> None:
    """On every line of the grid too, where a ceiling for the cell gives the vertex before."""
    for i in range(SHAPE[0]):
        for j in range(SHAPE[1]):
            values = found(-2.0 + 2.0 * i, 0.5 + 0.5 * j)
            assert values == pytest.approx((Z[i, j], ZX[i, j], ZY[i, j]), abs=1e-14)


def test_both_sides_of_a_grid_line_agree() -> None:
    for y in (0.6, 0.83, 1.2):
        for x in (0.0, 2.0):
            sides = [found(x + dx, y) for dx in (-1e-12, 0.0, 1e-12)]
            assert sides[0] == pytest.approx(sides[1], abs=1e-10)
            assert sides[2] == pytest.approx(sides[1], abs=1e-10)


def test_beside_the_grid_the_height_of_the_border_is_held() -> None:
    border = found(-2.0, 0.8)
    assert found(-7.0, 0.8) == pytest.approx((border[0], 0.0, border[2]))
    corner = found(4.0, 1.5)
    assert found(1e3, 1e3) == pytest.approx((corner[0], 0.0, 0.0))


def test_beside_the_grid_the_height_may_be_zero_as_in_the_thesis() -> None:
    sunk = Bicubic(Z, 6.0, 1.0, x=-2.0, y=0.5, slopes_x=ZX, slopes_y=ZY, outside="zero")
    assert found(-2.001, 0.8, sunk) == (0.0, 0.0, 0.0)
    assert found(0.0, 1.6, sunk) == (0.0, 0.0, 0.0)
    assert found(1.0, 0.8, sunk) == found(1.0, 0.8)
    assert found(-2.0, 0.5, sunk) == found(-2.0, 0.5)  # the border belongs to the grid


def test_without_slopes_the_vertices_are_level() -> None:
    """The ground of "uneven surface, dropping tyre": half a metre at both ends, level vertices."""
    rows = [[0.5] * 4, [0.0] * 4, [0.0] * 4, [0.5] * 4]
    surface = Bicubic(rows, 6.0, 6.0, x=-3.0, y=-3.0)
    assert found(-3.0, 0.0, surface) == pytest.approx((0.5, 0.0, 0.0))
    assert found(0.0, 2.0, surface) == (0.0, 0.0, 0.0)
    assert found(-2.0, 0.3, surface) == pytest.approx((0.25, -1.5 * 0.5 / 2.0, 0.0))


@pytest.mark.parametrize("formula", [
    lambda x, y: 2.0 + 0.5 * x - 0.3 * y + 0.1 * x * y,
    lambda x, y: 0.2 * x**2 - 0.1 * y**2 + 0.05 * x**2 * y,
])  # fmt: skip
def test_central_differences_are_exact_for_parabolas(formula) -> None:
    xs, ys = np.linspace(0.0, 3.0, 4), np.linspace(0.0, 2.0, 5)
    surface = Bicubic(formula(xs[:, None], ys[None, :]), 3.0, 2.0, slope_rule="central")
    for x, y in GENERATOR.uniform([0.0, 0.0], [3.0, 2.0], (50, 2)):
        assert surface.height(x, y, surface.numbers) == pytest.approx(formula(x, y), abs=1e-13)


def test_monotone_slopes_do_not_overshoot_a_step() -> None:
    rows = np.repeat([[0.0], [0.0], [0.0], [1.0], [1.0], [1.0]], 3, axis=1)
    x = np.linspace(0.0, 5.0, 501)
    heights = {}
    for rule in ("central", "monotone"):
        surface = Bicubic(rows, 5.0, 2.0, slope_rule=rule)
        heights[rule] = surface.height(x, 1.0, surface.numbers)
    assert heights["central"].min() < -0.01
    assert heights["monotone"].min() == 0.0
    assert heights["monotone"].max() == 1.0
    assert np.all(np.diff(heights["monotone"]) >= 0.0)


def test_given_slopes_take_the_place_of_the_rule() -> None:
    surface = Bicubic(Z, 6.0, 1.0, slope_rule="central", slopes_x=ZX, twists=0.0 * ZX)
    values = found(2.0, 0.5, surface)
    assert values[1] == pytest.approx(ZX[1, 1])
    assert values[2] == pytest.approx((Z[1, 2] - Z[1, 0]) / 1.0)


@pytest.mark.parametrize(
    ("heights", "fields", "message"),
    [
        ([[1.0, 2.0]], {}, "heights: 1 x 2 vertices make no cell"),
        ([[1.0, 2.0], [3.0]], {}, "heights: row 2 has 1 numbers, row 1 has 2"),
        ([[1.0, 2.0], [3.0, "5 s"]], {}, "heights: row 2: .*5 s"),
        ([[1.0, 2.0], [3.0, float("nan")]], {}, "heights: row 2: nan is not a finite number"),
        ([1.0, 2.0], {}, "expected rows of numbers"),
        ("flat", {}, "expected rows of numbers .* got 'flat'"),
        ([[], []], {}, "expected rows of numbers"),
        (Z, {"slopes_x": [[1.0]]}, "slopes_x: 1 x 1 numbers for 4 x 3 vertices"),
        (Z, {"outside": "none"}, "outside: 'none' is not one of held, zero"),
        (np.zeros((2, LARGEST_GRID)), {}, "vertices are too many; the limit is 250000"),
    ],
)
def test_mistakes(heights: object, fields: dict[str, object], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        Bicubic(heights, 6.0, 1.0, **fields)


def test_heights_may_have_units() -> None:
    surface = Bicubic([["10 cm", 0], [0, 0]], "2 m", 1)
    assert surface.heights[0][0] == pytest.approx(0.1)


@pytest.mark.parametrize("outside", ["held", "zero"])
def test_a_point_and_an_array_of_points_have_the_same_values(outside: str) -> None:
    """Numbers and arrays are computed apart, for speed, and alike to the last digit."""
    surface = Bicubic(Z, 6.0, 1.0, x=-2.0, y=0.5, outside=outside)
    places = np.random.default_rng(4).uniform((-5.0, -1.0), (7.0, 3.0), (60, 2))
    corners = [(x, y) for x in (-2.0, 0.0, 4.0) for y in (0.5, 1.0, 1.5)]
    x, y = np.concatenate([places, corners]).T
    by_array = np.array(found(x, y, surface))
    by_number = np.array([found(float(a), float(b), surface) for a, b in zip(x, y, strict=True)]).T
    np.testing.assert_array_equal(by_array, by_number)
