"""Curves of solutions that are known in closed form."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice

import numpy as np
import pytest

from axletree.analysis.steady.arclength import CurvePoint, SolutionCurve
from axletree.core.errors import ExpressionError


def followed(curve: SolutionCurve, longest: float = 0.1) -> Iterator[CurvePoint]:
    """Points from the first one on, as far as there are any."""
    point, length = curve.first, longest
    yield point
    while (step := curve.advance(point, length, longest)) is not None:
        point, length = step.point, step.following
        yield point


def circle(y: np.ndarray) -> np.ndarray:
    return np.array([y[0] ** 2 + y[1] ** 2 - 1.0])


def circle_slopes(y: np.ndarray) -> np.ndarray:
    return np.array([[2.0 * y[0], 2.0 * y[1]]])


@pytest.mark.parametrize("direction", [1.0, -1.0])
def test_a_circle_is_gone_all_round(direction: float) -> None:
    """Twice the parameter turns back, and points stay on the circle."""
    curve = SolutionCurve(circle, circle_slopes, np.array([0.9, 0.1]), direction)
    points = list(islice(followed(curve), 120))
    angles = np.unwrap([math.atan2(p.z[1], p.z[0]) for p in points])
    assert abs(angles[-1] - angles[0]) > 2.0 * math.pi
    assert (np.diff(angles) * direction > 0.0).all()
    assert max(abs(circle(p.z)[0]) for p in points) < 1e-10
    assert points[0].value == 0.1


def test_a_fold_is_passed_and_told_by_the_tangent() -> None:
    """x^3 - 3 x + p = 0 turns back at x = -1, p = -2 and at x = 1, p = 2."""

    def cubic(y: np.ndarray) -> np.ndarray:
        return np.array([y[0] ** 3 - 3.0 * y[0] + y[1]])

    def slopes(y: np.ndarray) -> np.ndarray:
        return np.array([[3.0 * y[0] ** 2 - 3.0, 1.0]])

    turns = []
    previous = None
    for point in islice(followed(SolutionCurve(cubic, slopes, np.array([-2.1, 2.0]), -4.0)), 400):
        if previous is not None and previous.tangent[-1] * point.tangent[-1] < 0.0:
            turns.append(0.5 * (previous.z[0] + point.z[0]))
        previous = point
        if point.z[0] > 1.5:
            break
    assert turns == pytest.approx([-1.0, 1.0], abs=0.2)
    assert previous is not None
    assert cubic(previous.z) == pytest.approx([0.0], abs=1e-9)


def test_more_equations_and_open_unknowns() -> None:
    """x = p and y = p^2, said twice; nothing depends on z, which stays where it is."""

    def function(u: np.ndarray) -> np.ndarray:
        x, y, _, p = u
        return np.array([x - p, y - p * p, y - x * x])

    def slopes(u: np.ndarray) -> np.ndarray:
        x, _, _, p = u
        return np.array([[1.0, 0, 0, -1.0], [0, 1.0, 0, -2.0 * p], [-2.0 * x, 1.0, 0, 0]])

    for point in followed(SolutionCurve(function, slopes, np.array([0.3, 0.2, 7.0, 0.0]), 3.0)):
        if point.value > 3.0:
            break
    x, y, z, p = point.z
    assert (x, y, z) == pytest.approx((p, p * p, 7.0), abs=1e-9)


def test_a_branch_that_ends_is_left() -> None:
    """x = p sqrt(p) has no value beyond p = 0."""

    def root_of(p: float) -> float:
        if p < 0.0:
            raise ExpressionError("no real value")
        return math.sqrt(p)

    def function(u: np.ndarray) -> np.ndarray:
        return np.array([u[0] - u[1] * root_of(u[1])])

    def slopes(u: np.ndarray) -> np.ndarray:
        return np.array([[1.0, -1.5 * root_of(u[1])]])

    *_, last = followed(SolutionCurve(function, slopes, np.array([1.0, 1.0]), -1.0))
    assert 0.0 <= last.value < 1e-4


def test_the_point_of_a_value_and_the_end_of_all_values() -> None:
    curve = SolutionCurve(circle, circle_slopes, np.array([0.8, 0.6]), 0.4)
    found = curve.at_value(curve.first, 0.8)
    assert found is not None
    assert found.z == pytest.approx([0.6, 0.8], abs=1e-10)
    assert curve.at_value(found, 1.1) is None
