"""A ladder between wall and floor, in time steps with the solver alone.

Uniform, length L, mass m, at the angle phi to the floor; its state is the centre x, y and phi,
and the wall is at x = 0, the floor at y = 0. Without friction energy gives
phi'^2 = 3 g / L (sin phi0 - sin phi), and the wall is left at sin phi = 2/3 sin phi0, from where
on the centre keeps its horizontal speed. On a floor with friction and a smooth wall the ladder
stands as long as the coefficient is at least cot(phi) / 2.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from axletree.simulation.mlcp import ComplementarityProblem, Pivoting

G, LENGTH, MASS = 9.81, 2.0, 5.0
INVERSE = np.diag([1.0 / MASS, 1.0 / MASS, 12.0 / (MASS * LENGTH**2)])
HALF = LENGTH / 2.0


def rows_of(phi: float) -> np.ndarray:
    """Rates: foot off the floor, top off the wall, foot along the floor."""
    return np.array(
        [
            [0.0, 1.0, -HALF * math.cos(phi)],
            [1.0, 0.0, HALF * math.sin(phi)],
            [1.0, 0.0, -HALF * math.sin(phi)],
        ]
    )


def placed(phi: float) -> np.ndarray:
    return np.array([HALF * math.cos(phi), HALF * math.sin(phi), phi])


def slide(phi: float, h: float) -> tuple[float, float, float]:
    """From rest until the wall is left: the angle, its rate, and the final horizontal speed."""
    q, v, left = placed(phi), np.zeros(3), None
    while q[2] > 0.1:
        rows = rows_of(q[2])[:2]
        gaps = np.array([q[1] - HALF * math.sin(q[2]), q[0] - HALF * math.cos(q[2])])
        pushed = v + h * np.array([0.0, -G, 0.0])
        problem = ComplementarityProblem(
            rows @ INVERSE @ rows.T, rows @ pushed + gaps / h, np.zeros(2), np.full(2, np.inf)
        )
        impulses = Pivoting().solve(problem).checked().unknowns
        v = pushed + INVERSE @ rows.T @ impulses
        q = q + h * v
        if left is None and impulses[1] == 0.0:
            left = (float(q[2]), float(v[2]))
    assert left is not None
    return left[0], left[1], float(v[0])


def test_a_sliding_ladder_leaves_the_wall_at_two_thirds_of_its_height() -> None:
    phi = 1.1
    height = 2.0 / 3.0 * math.sin(phi)
    rate = -math.sqrt(G * math.sin(phi) / LENGTH)
    expected = np.array([math.asin(height), rate, -HALF * height * rate])
    steps = (4e-3, 2e-3, 1e-3, 5e-4)
    errors = [np.max(np.abs(np.array(slide(phi, h)) - expected)) for h in steps]
    assert errors[-1] < 5.0 * steps[-1]
    orders = np.log2(np.array(errors[:-1]) / np.array(errors[1:]))
    assert np.mean(orders) == pytest.approx(1.0, abs=0.25)


def stand(phi: float, friction: float, h: float, steps: int) -> np.ndarray:
    """Velocities after some steps; the bound of friction follows the load by iteration."""
    q, v = placed(phi), np.zeros(3)
    impulses = np.zeros(3)
    for _ in range(steps):
        rows = rows_of(q[2])
        matrix = rows @ INVERSE @ rows.T
        pushed = v + h * np.array([0.0, -G, 0.0])
        load = impulses[0] or h * MASS * G
        for _ in range(100):
            bound = friction * load
            problem = ComplementarityProblem(
                matrix, rows @ pushed, [0.0, 0.0, -bound], [np.inf, np.inf, bound]
            )
            impulses = Pivoting().solve(problem, start=impulses).checked().unknowns
            if abs(impulses[0] - load) <= 1e-15 * load:
                break
            load = impulses[0]
        v = pushed + INVERSE @ rows.T @ impulses
        q = q + h * v
    return v


@pytest.mark.parametrize("phi", [0.7, 1.0, 1.3])
def test_a_ladder_stands_up_to_the_threshold(phi: float) -> None:
    threshold = 0.5 / math.tan(phi)
    assert np.max(np.abs(stand(phi, threshold * (1.0 + 1e-9), 0.01, 20))) < 1e-13
    slipping = stand(phi, threshold * (1.0 - 1e-3), 0.01, 1)
    assert slipping[2] < -1e-6


def test_the_three_forces_of_a_standing_ladder() -> None:
    """Floor m g, wall m g cot(phi) / 2, friction the same: in steps they are the impulses."""
    phi, h = 0.9, 0.01
    rows = rows_of(phi)
    pushed = h * np.array([0.0, -G, 0.0])
    bound = 0.9 * h * MASS * G
    problem = ComplementarityProblem(
        rows @ INVERSE @ rows.T, rows @ pushed, [0.0, 0.0, -bound], [np.inf, np.inf, bound]
    )
    forces = Pivoting().solve(problem).checked().unknowns / h
    wall = 0.5 * MASS * G / math.tan(phi)
    np.testing.assert_allclose(forces, [MASS * G, wall, -wall], rtol=1e-12)


def test_friction_as_a_pyramid_gives_the_same_sliding() -> None:
    """One problem with an unsymmetric matrix in place of the iteration."""
    phi, friction, h = 0.8, 0.2, 0.01
    boxed = stand(phi, friction, h, 1)
    normal, wall, along = rows_of(phi)
    directions = np.array([normal, wall, along, -along])
    pushed = h * np.array([0.0, -G, 0.0])
    matrix = np.zeros((5, 5))
    matrix[:4, :4] = directions @ INVERSE @ directions.T
    matrix[2:4, 4] = 1.0
    matrix[4, 0], matrix[4, 2:4] = friction, -1.0
    problem = ComplementarityProblem(
        matrix, np.append(directions @ pushed, 0.0), np.zeros(5), np.full(5, np.inf)
    )
    impulses = Pivoting().solve(problem).checked().unknowns
    np.testing.assert_allclose(pushed + INVERSE @ directions.T @ impulses[:4], boxed, atol=1e-12)
