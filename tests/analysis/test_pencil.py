"""Finite eigenvalues of singular pencils: of known Kronecker form, and of held pendulums."""

from __future__ import annotations

import math

import numpy as np
import pytest
from mechanisms.eigenvalues import assert_same
from scipy.linalg import block_diag

from axletree.analysis.linear.pencil import PencilError, solve_pencil

GRAVITY, LENGTH, MASS = 9.81, 0.7, 2.0


def held_pendulum() -> tuple[np.ndarray, np.ndarray]:
    """x, y, vx, vy and the multiplier of (x^2 + y^2 - l^2)/2 = 0, hanging at rest."""
    tension = MASS * GRAVITY / LENGTH
    E = np.diag([1.0, 1.0, MASS, MASS, 0.0])
    A = np.array([
        [0.0, 0.0, 1.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 1.0, 0.0],
        [-tension, 0.0, 0.0, 0.0, 0.0],
        [0.0, -tension, 0.0, 0.0, LENGTH],
        [0.0, -LENGTH, 0.0, 0.0, 0.0],
    ])  # fmt: skip
    return E, A


def test_a_pendulum_in_cartesian_coordinates() -> None:
    found = solve_pencil(*held_pendulum(), ("x", "y", "vx", "vy", "force"))
    swing = math.sqrt(GRAVITY / LENGTH)
    assert found.eigenvalues == pytest.approx([1j * swing, -1j * swing], rel=1e-13)
    assert (found.infinite, found.index) == (3, 3)
    shape = found.vectors[:, 0] / found.vectors[0, 0]
    assert shape == pytest.approx([1.0, 0.0, 1j * swing, 0.0, 0.0], abs=1e-13)


def random_pencil(
    rng: np.random.Generator, finite: np.ndarray, blocks: list[int], spread: float
) -> tuple[np.ndarray, np.ndarray]:
    """P (diag(I, N) s - diag(W, I)) Q with N nilpotent of the given blocks."""
    count = len(finite) + sum(blocks)
    N = block_diag(*(np.eye(size, k=1) for size in blocks))[: sum(blocks), : sum(blocks)]
    E = block_diag(np.eye(len(finite)), N)[-count:, -count:]
    A = block_diag(finite, np.eye(sum(blocks)))[-count:, -count:]

    def mixed() -> np.ndarray:
        turns = [np.linalg.qr(rng.normal(size=(count, count)))[0] for _ in range(2)]
        return turns[0] @ np.diag(10.0 ** rng.uniform(-spread, spread, count)) @ turns[1]

    P, Q = mixed(), mixed()
    return P @ E @ Q, P @ A @ Q


@pytest.mark.parametrize("number", range(40))
def test_pencils_of_known_kronecker_form(number: int) -> None:
    rng = np.random.default_rng(number)
    size = int(rng.integers(1, 9))
    finite = rng.normal(size=(size, size)) * 10.0 ** rng.uniform(-1.0, 2.0)
    blocks = [int(k) for k in rng.integers(1, 5, size=int(rng.integers(0, 4)))]
    E, A = random_pencil(rng, finite, blocks, 1.0)
    found = solve_pencil(E, A)
    assert found.infinite == sum(blocks)
    assert found.index == max(blocks, default=0)
    wanted = np.linalg.eigvals(finite)
    assert_same(found.eigenvalues, wanted, 1e-8 * np.abs(wanted).max())
    left = E @ found.vectors * found.eigenvalues - A @ found.vectors
    sizes = np.linalg.norm(A @ found.vectors, axis=0)
    assert (np.linalg.norm(left, axis=0) < 1e-8 * sizes).all()


def test_units_do_not_matter() -> None:
    """The pendulum in millimetres, hours and pounds: rows and columns of very different sizes."""
    E, A = held_pendulum()
    rows, columns = np.diag([1e6, 1e-6, 1e3, 1e-9, 1e5]), np.diag([1e-5, 1e7, 1.0, 1e4, 1e-8])
    found = solve_pencil(rows @ E @ columns / 3600.0, rows @ A @ columns)
    swing = 3600.0 * math.sqrt(GRAVITY / LENGTH)
    assert found.eigenvalues == pytest.approx([1j * swing, -1j * swing], rel=1e-12)
    assert found.infinite == 3


def test_nothing_finite() -> None:
    found = solve_pencil(np.eye(3, k=1), np.eye(3))
    assert (len(found.eigenvalues), found.infinite, found.index) == (0, 3, 3)


def test_a_singular_pencil_is_told() -> None:
    E, A = held_pendulum()
    A[4] = A[4] * 0.0
    with pytest.raises(PencilError, match="an algebraic equation follows from the others"):
        solve_pencil(E, A)
    with pytest.raises(PencilError, match=r"two square matrices of one size, got \(2, 2\) and"):
        solve_pencil(np.eye(2), np.eye(3))


def test_a_rank_that_numbers_do_not_tell() -> None:
    E = np.diag(10.0 ** -np.linspace(0.0, 13.0, 14))
    turns = np.linalg.qr(np.random.default_rng(1).normal(size=(14, 14)))[0]
    with pytest.raises(PencilError, match="fall without a gap"):
        solve_pencil(turns @ E @ turns.T, np.eye(14))
