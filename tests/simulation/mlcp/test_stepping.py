"""Contact and friction in time steps with the solver alone, against what is known in closed form.

A step is M (v+ - v) = h f + J' lambda, w = J v+ + what the contact asks for, and then
q+ = q + h v+ (Moreau 1988; Stewart and Trinkle 1996).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pytest

from axletree.simulation.mlcp import ComplementarityProblem, Pivoting

G = 9.81  # m/s^2
SOLVER = Pivoting()


@dataclass(frozen=True)
class Block:
    """A block on a slope: speeds down the slope and off it, friction within +-mu of the load."""

    angle: float  # rad
    friction: float
    mass: float = 3.0  # kg

    def step(self, v: np.ndarray, h: float) -> np.ndarray:
        pushed = v + h * G * np.array([math.sin(self.angle), -math.cos(self.angle)])
        matrix = np.eye(2) / self.mass
        normal = SOLVER.solve(ComplementarityProblem(matrix[1:, 1:], pushed[1:], [0.0], [np.inf]))
        bound = self.friction * normal.unknowns[0]
        impulses = SOLVER.solve(
            ComplementarityProblem(matrix, pushed, [-bound, 0.0], [bound, np.inf])
        ).checked()
        return impulses.slacks

    def run(self, speed: float, h: float, steps: int) -> np.ndarray:
        """Speeds down the slope after each step."""
        v, speeds = np.array([speed, 0.0]), []
        for _ in range(steps):
            v = self.step(v, h)
            speeds.append(v[0])
        return np.array(speeds)


def test_a_block_sticks() -> None:
    """For steps of any length the speed is zero, to the last bit."""
    for h in (1e-3, 1e-2, 0.1):
        assert not np.any(Block(0.3, 0.5).run(0.0, h, 200))


def test_a_block_slides() -> None:
    angle, friction, h = 0.5, 0.3, 0.01
    speeds = Block(angle, friction).run(0.0, h, 100)
    acceleration = G * (math.sin(angle) - friction * math.cos(angle))
    np.testing.assert_allclose(speeds, acceleration * h * np.arange(1, 101), rtol=1e-12)


@pytest.mark.parametrize("speed", [1.3, -1.3])
def test_a_block_stops_and_stays(speed: float) -> None:
    """Down the slope friction works against gravity, up the slope with it."""
    angle, friction, h = 0.3, 0.6, 1e-3
    rate = G * (friction * math.cos(angle) - math.copysign(math.sin(angle), speed))
    speeds = Block(angle, friction).run(speed, h, 900)
    stop = abs(speed) / rate
    assert h * np.count_nonzero(speeds) == pytest.approx(stop, abs=h)
    assert not np.any(speeds[math.ceil(stop / h) :])


def test_the_threshold_between_stick_and_slide_is_exact() -> None:
    angle, h = 0.4, 0.01
    holds = Block(angle, math.tan(angle) * (1.0 + 1e-12)).run(0.0, h, 50)
    assert not np.any(holds)
    slides = Block(angle, math.tan(angle) * (1.0 - 1e-9)).run(0.0, h, 50)
    assert slides[-1] == pytest.approx(1e-9 * G * math.sin(angle) * 50 * h, rel=1e-4)


def bounce(restitution: float, height: float, h: float, end: float) -> np.ndarray:
    """A ball that falls: time, height, speed; at contact w = v+ + restitution v."""
    mass, z, v = 0.5, height, 0.0
    rows = [(0.0, z, v)]
    for k in range(round(end / h)):
        pushed = v - h * G
        if z <= 0.0:
            problem = ComplementarityProblem(
                [[1.0 / mass]], [pushed + restitution * v], [0.0], [np.inf]
            )
            pushed += float(SOLVER.solve(problem).unknowns[0]) / mass
        v = pushed
        z += h * v
        rows.append(((k + 1) * h, z, v))
    return np.array(rows)


def impacts(path: np.ndarray) -> np.ndarray:
    """Times at which the speed turns up."""
    return path[1:][(path[:-1, 2] < 0.0) & (path[1:, 2] > 0.0), 0]


def test_a_ball_bounces_at_the_times_of_the_closed_form() -> None:
    e, height = 0.7, 1.0
    first = math.sqrt(2.0 * height / G)
    expected = first + 2.0 * first * np.cumsum([0.0, e, e**2, e**3])
    errors = []
    for h in (1e-3, 1e-4):
        found = impacts(bounce(e, height, h, 2.2))[:4]
        errors.append(np.max(np.abs(found - expected)))
        assert errors[-1] < 8.0 * h
    assert errors[1] < errors[0] / 3.0


def test_energy_falls_by_the_square_of_the_restitution() -> None:
    """At no step does it grow by more than gravity's term of second order, 0.5 (g h)^2."""
    e, h = 0.6, 1e-4
    path = bounce(e, 1.0, h, 2.5)
    energy = 0.5 * path[:, 2] ** 2 + G * path[:, 1]
    assert np.max(np.diff(energy)) <= 0.5 * (G * h) ** 2 + 1e-12
    tops = [energy[np.searchsorted(path[:, 0], t) + 20] for t in impacts(path)[:3]]
    np.testing.assert_allclose(tops, G * np.array([e**2, e**4, e**6]), rtol=5e-3)


def test_a_ball_comes_to_rest_after_finitely_many_seconds() -> None:
    """Infinitely many bounces end at t = first (1 + e) / (1 - e); the steps go on past them."""
    e, h = 0.5, 1e-3
    path = bounce(e, 0.5, h, 2.5)
    end = math.sqrt(2.0 * 0.5 / G) * (1.0 + e) / (1.0 - e)
    moving = path[np.abs(path[:, 2]) > 0.02, 0]
    assert moving[-1] == pytest.approx(end, abs=0.05)
    assert np.max(np.abs(path[path[:, 0] > end + 0.3, 2])) < 1e-15
    assert np.min(path[:, 1]) > -2.0 * h * math.sqrt(2.0 * G * 0.5)
