"""Roots of equations that are as many as their unknowns, more, fewer, or contradictory."""

from __future__ import annotations

import math

import numpy as np
import pytest

from axletree.analysis.steady.newton import find_root
from axletree.core.errors import ExpressionError


def test_it_meets_a_root_that_is_known() -> None:
    """x^2 + y^2 = 4 and x y = 1: (x + y)^2 = 6 and (x - y)^2 = 2."""
    root = find_root(
        lambda y: np.array([y @ y - 4.0, y[0] * y[1] - 1.0]),
        lambda y: np.array([2.0 * y, y[::-1]]),
        np.array([3.0, 0.1]),
    )
    assert root.converged
    x = (math.sqrt(6.0) + math.sqrt(2.0)) / 2.0
    assert root.unknowns == pytest.approx([x, 1.0 / x], rel=1e-14)
    assert root.open == ()


def test_steps_that_lead_away_are_shortened() -> None:
    """Full steps from 2 on atan(x) diverge."""
    root = find_root(np.arctan, lambda y: np.diag(1.0 / (1.0 + y * y)), np.array([2.0]))
    assert root.converged
    assert root.unknowns == pytest.approx([0.0], abs=1e-14)


def test_a_step_out_of_the_domain_is_shortened() -> None:
    def logarithm(y: np.ndarray) -> np.ndarray:
        if y[0] <= 0.0:
            raise ExpressionError("no real value")
        return np.log(y)

    root = find_root(logarithm, lambda y: np.diag(1.0 / y), np.array([5.0]))
    assert root.converged
    assert root.unknowns == pytest.approx([1.0], rel=1e-13)


def test_what_is_left_open_stays_near_the_start() -> None:
    """One line in a plane and a third unknown that nothing depends on."""
    root = find_root(
        lambda y: np.array([y[0] + y[1] - 2.0]),
        lambda y: np.array([[1.0, 1.0, 0.0]]),
        np.array([3.0, 5.0, 7.0]),
    )
    assert root.converged
    assert root.unknowns == pytest.approx([0.0, 2.0, 7.0], abs=1e-13)  # its foot on the line
    assert root.open == (0, 1, 2)


def test_more_equations_than_unknowns_may_agree() -> None:
    root = find_root(
        lambda y: np.array([y[0] ** 2 - 4.0, y[0] - 2.0]),
        lambda y: np.array([[2.0 * y[0]], [1.0]]),
        np.array([5.0]),
    )
    assert root.converged
    assert root.unknowns == pytest.approx([2.0], rel=1e-13)


def test_equations_that_contradict_one_another_are_told_from_bad_luck() -> None:
    against = find_root(
        lambda y: np.array([y[0] - 1.0, y[0] - 2.0]), lambda y: np.ones((2, 1)), np.array([0.0])
    )
    assert not against.converged
    assert against.contradictory
    assert against.residual == pytest.approx([0.5, -0.5])
    nowhere = find_root(lambda y: y * 0.0 + 3.0, lambda y: np.zeros((1, 1)), np.array([0.0]))
    assert not nowhere.converged
    assert nowhere.contradictory


def test_units_do_not_matter() -> None:
    """The same equations in millimetres and hours take the same way to the same root."""
    scale = np.array([1e3, 3600.0])

    def curve(y: np.ndarray) -> np.ndarray:
        return np.array([math.exp(y[0]) - y[1] - 2.0, y[0] ** 3 + y[1] - 1.0])

    def slopes(y: np.ndarray) -> np.ndarray:
        return np.array([[math.exp(y[0]), -1.0], [3.0 * y[0] ** 2, 1.0]])

    plain = find_root(curve, slopes, np.array([2.0, 2.0]))
    other = find_root(
        lambda y: 1e6 * curve(y / scale), lambda y: 1e6 * slopes(y / scale) / scale, 2.0 * scale
    )
    assert plain.converged
    assert other.converged
    assert other.unknowns / scale == pytest.approx(plain.unknowns, rel=1e-12)


def test_what_rounding_leaves_of_a_square_does_not_stop_the_search() -> None:
    """Of two equations for one unknown the second has no slope at the root, only rounding."""
    root = find_root(
        lambda y: np.array([math.sin(y[0]), y[0] ** 2 + 1e-14]),
        lambda y: np.array([[math.cos(y[0])], [2.0 * y[0]]]),
        np.array([1.0]),
    )
    assert root.converged
    assert root.unknowns == pytest.approx([0.0], abs=1e-13)


def test_steps_grow_quickly_beside_a_square() -> None:
    """Were both equations to weigh alike, a quarter of the way would be left each time."""
    visited = []

    def slopes(y: np.ndarray) -> np.ndarray:
        visited.append(float(y[0]))
        return np.array([[math.cosh(y[0])], [2.0 * y[0]]])

    root = find_root(lambda y: np.array([math.sinh(y[0]), y[0] ** 2]), slopes, np.array([1.0]))
    assert root.converged
    assert len(visited) <= 8
    assert abs(visited[-1]) < 1e-11


def test_an_equation_that_is_met_but_for_rounding_says_nothing() -> None:
    """Its slopes are as large as what is left of it, as if the root were far off."""
    root = find_root(
        lambda y: np.array([1e3 * math.sin(y[0]), 2e-13 + 1e-13 * y[0]]),
        lambda y: np.array([[1e3 * math.cos(y[0])], [1e-13]]),
        np.array([0.5]),
    )
    assert root.converged
    assert root.unknowns == pytest.approx([0.0], abs=1e-13)
