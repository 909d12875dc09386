"""Tables against NumPy and SciPy, and what their constructors refuse."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.interpolate import CubicSpline, PchipInterpolator

from axletree.core.errors import ExpressionError
from axletree.expr import Beyond, Table, evaluate, interpolate, number, symbol

KINDS: list[Callable[..., Table]] = [Table.linear, Table.smooth, Table.spline]
x = symbol("x")


@st.composite
def points(draw: st.DrawFn, fewest: int = 2) -> tuple[np.ndarray, np.ndarray]:
    steps = draw(st.lists(st.integers(1, 20), min_size=fewest - 1, max_size=9))
    xs = np.cumsum([draw(st.integers(-20, 20)), *steps]) / 8.0
    ys = [draw(st.integers(-40, 40)) / 8.0 for _ in xs]
    return xs, np.array(ys)


def inside(xs: np.ndarray) -> np.ndarray:
    return np.linspace(xs[0], xs[-1], 41)


@given(points())
@settings(max_examples=50)
def test_linear_equals_numpy(data: tuple[np.ndarray, np.ndarray]) -> None:
    xs, ys = data
    grid = np.concatenate([[xs[0] - 2.0], inside(xs), [xs[-1] + 2.0]])
    held = Table.linear(xs, ys, Beyond.VALUE_HELD)
    np.testing.assert_allclose(held.evaluate(grid), np.interp(grid, xs, ys), atol=1e-12)


@given(points(fewest=3))
@settings(max_examples=50)
def test_smooth_equals_the_monotone_cubic_of_scipy(data: tuple[np.ndarray, np.ndarray]) -> None:
    grid, oracle = inside(data[0]), PchipInterpolator(*data)
    table = Table.smooth(*data)
    np.testing.assert_allclose(table.evaluate(grid), oracle(grid), atol=1e-9)
    np.testing.assert_allclose(table.derivative().evaluate(grid), oracle(grid, 1), atol=1e-8)


@given(points(fewest=3))
@settings(max_examples=50)
def test_spline_equals_the_cubic_spline_of_scipy(data: tuple[np.ndarray, np.ndarray]) -> None:
    grid, oracle = inside(data[0]), CubicSpline(*data)
    table = Table.spline(*data)
    scale = 1.0 + abs(oracle(grid, 2)).max()
    np.testing.assert_allclose(table.evaluate(grid), oracle(grid), atol=1e-9 * scale)
    second = table.derivative().derivative().evaluate(grid[:-1])
    np.testing.assert_allclose(second, oracle(grid[:-1], 2), atol=1e-8 * scale)


@given(points())
@settings(max_examples=50)
def test_smooth_stays_between_neighbouring_points(data: tuple[np.ndarray, np.ndarray]) -> None:
    xs, ys = data
    table = Table.smooth(xs, ys)
    for k in range(len(xs) - 1):
        values = table.evaluate(np.linspace(xs[k], xs[k + 1], 9))
        assert values.min() >= min(ys[k], ys[k + 1]) - 1e-12
        assert values.max() <= max(ys[k], ys[k + 1]) + 1e-12


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", [2, 3, 4, 7])
def test_every_kind_goes_through_its_points(kind: Callable[..., Table], count: int) -> None:
    xs = np.linspace(-1.0, 2.0, count) ** 3
    ys = np.cos(xs)
    np.testing.assert_allclose(kind(xs, ys).evaluate(xs), ys, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_beyond_the_ends(kind: Callable[..., Table]) -> None:
    xs, ys = [0.0, 1.0, 2.0, 4.0], [1.0, 2.0, 4.0, 5.0]
    held, continued = kind(xs, ys, Beyond.VALUE_HELD), kind(xs, ys)
    assert held.evaluate(-3.0) == 1.0
    assert held.evaluate(9.0) == 5.0
    assert held.derivative().evaluate(np.array([-3.0, 9.0])).tolist() == [0.0, 0.0]
    first, last = (float(continued.derivative().evaluate(v)) for v in (0.0, 4.0 - 1e-12))
    assert continued.evaluate(-3.0) == pytest.approx(1.0 - 3.0 * first)
    assert continued.evaluate(9.0) == pytest.approx(5.0 + 5.0 * last)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("xs", "ys", "message"),
    [
        ([0.0], [1.0], "at least 2 points, got 1"),
        ([0.0, 1.0], [1.0], r"as many x as y, got shapes \(2,\) and \(1,\)"),
        ([[0.0, 1.0]], [[1.0, 2.0]], "as many x as y"),
        ([0.0, 2.0, 1.0], [1.0, 2.0, 3.0], r"x\[1\] = 2 is followed by x\[2\] = 1"),
        ([0.0, 1.0, 1.0], [1.0, 2.0, 3.0], "remove repeated ones"),
        ([0.0, np.nan], [1.0, 2.0], r"x\[1\] of a table is nan"),
        ([0.0, 1.0], [1.0, np.inf], r"y\[1\] of a table is inf"),
        ([0.0, 1e-320], [0.0, 1e300], "too close together"),
    ],
)
def test_bad_points_are_refused(kind: Callable[..., Table], xs: Any, ys: Any, message: str) -> None:
    with pytest.raises(ExpressionError, match=message):
        kind(xs, ys)


def test_tables_in_expressions() -> None:
    table = Table.smooth([0.0, 1.0, 2.0], [0.0, 1.0, 4.0])
    assert interpolate(table, x).node is interpolate(Table.smooth([0, 1, 2], [0, 1, 4]), x).node
    assert interpolate(table, 2.0) == number(4.0)
    assert interpolate(Table.linear([0.0, 1.0], [3.0, 3.0]), x) == number(3.0)
    (values,) = evaluate([interpolate(table, x)], {x: np.array([[0.0, 1.0], [2.0, 0.5]])})
    assert values.shape == (2, 2)
    assert values[1, 0] == 4.0
    assert pickle.loads(pickle.dumps(interpolate(table, x))) == interpolate(table, x)
