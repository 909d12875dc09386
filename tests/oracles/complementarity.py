"""Complementarity problems with known solutions, and all active sets tried one by one."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from axletree.simulation.mlcp import ComplementarityProblem


@dataclass(frozen=True)
class Known:
    """A problem that was made from one of its solutions."""

    problem: ComplementarityProblem
    unknowns: np.ndarray
    slacks: np.ndarray


def gram(rng: np.random.Generator, size: int, rank: int) -> np.ndarray:
    """A random symmetric positive semidefinite matrix of at most this rank."""
    root = rng.normal(size=(size, rank))
    return root @ root.T


def conditioned(rng: np.random.Generator, size: int, condition: float) -> np.ndarray:
    """A random symmetric positive definite matrix of this condition number."""
    basis, _ = np.linalg.qr(rng.normal(size=(size, size)))
    return (basis * np.geomspace(1.0, 1.0 / condition, size)) @ basis.T


def random_bounds(
    rng: np.random.Generator, size: int, *, kinds: tuple[str, ...]
) -> tuple[np.ndarray, np.ndarray]:
    """Bounds of the kinds "free", "unilateral", "below" (an upper one only), "box", "equal"."""
    lower, upper = np.full(size, -np.inf), np.full(size, np.inf)
    for i in range(size):
        kind = rng.choice(kinds)
        if kind in ("unilateral", "box"):
            lower[i] = 0.0 if kind == "unilateral" else -rng.uniform(0.1, 2.0)
        if kind in ("below", "box"):
            upper[i] = rng.uniform(0.1, 2.0)
        if kind == "equal":
            lower[i] = upper[i] = rng.normal()
    return lower, upper


ALL_KINDS = ("free", "unilateral", "below", "box", "equal")


def known(
    rng: np.random.Generator,
    matrix: np.ndarray,
    *,
    kinds: tuple[str, ...] = ALL_KINDS,
    degenerate: float = 0.2,
) -> Known:
    """Choose lambda and w that fit together, then q; ``degenerate`` is the share of w = 0."""
    size = len(matrix)
    lower, upper = random_bounds(rng, size, kinds=kinds)
    x, w = np.zeros(size), np.zeros(size)
    for i in range(size):
        size_of_w = 0.0 if rng.uniform() < degenerate else rng.uniform(0.1, 2.0)
        place = rng.integers(3)
        if lower[i] == upper[i]:
            x[i], w[i] = lower[i], rng.normal()
        elif place == 0 and np.isfinite(lower[i]):
            x[i], w[i] = lower[i], size_of_w
        elif place == 1 and np.isfinite(upper[i]):
            x[i], w[i] = upper[i], -size_of_w
        else:
            x[i] = rng.uniform(max(lower[i], -2.0), min(upper[i], 2.0))
    return Known(ComplementarityProblem(matrix, w - matrix @ x, lower, upper), x, w)


def try_all_active_sets(problem: ComplementarityProblem) -> np.ndarray | None:
    """The solution of least norm among those of all 3^n choices of rows at bounds, or None.

    The shortest solution is, with the values at its bounds held, the shortest of its linear
    equations; so it is among the pseudo-inverse solutions that are tried here.
    """
    n, slack = problem.size, 1e-9
    choices = np.array(list(itertools.product((-1, 0, 1), repeat=n)))
    at = np.where(choices < 0, problem.lower, np.where(choices > 0, problem.upper, 0.0))
    choices, at = choices[np.all(np.isfinite(at), axis=1)], at[np.all(np.isfinite(at), axis=1)]
    free = choices == 0
    part = problem.matrix * free[:, :, None] * free[:, None, :]
    right = -(problem.offset + at @ problem.matrix.T) * free
    x = at + (np.linalg.pinv(part, rcond=1e-11) @ right[:, :, None])[:, :, 0]
    w = x @ problem.matrix.T + problem.offset
    good = np.all((problem.lower - slack <= x) & (x <= problem.upper + slack), axis=1)
    good &= np.all(np.where(free, np.abs(w) <= slack, True), axis=1)
    fixed = problem.lower == problem.upper
    good &= np.all(np.where((choices < 0) & ~fixed, w >= -slack, True), axis=1)
    good &= np.all(np.where((choices > 0) & ~fixed, w <= slack, True), axis=1)
    if not np.any(good):
        return None
    found = x[good]
    return np.asarray(found[np.argmin(np.linalg.norm(found, axis=1))])
