"""Block triangular order on random incidences, against ranks and reachability."""

from __future__ import annotations

import numpy as np
import pytest

from axletree.system.structure import blocks, match, overdetermined_part, underdetermined_part


def random_incidence(rows: int, columns: int, density: float, case: int) -> np.ndarray:
    return np.random.default_rng(case).random((rows, columns)) < density


def as_sets(filled: np.ndarray) -> list[list[int]]:
    return [np.flatnonzero(row).tolist() for row in filled]


@pytest.mark.parametrize("case", range(20))
def test_the_matching_is_as_large_as_can_be(case: int) -> None:
    filled = random_incidence(15, 17, 0.12, case)
    matching = match(as_sets(filled), range(17))
    assert len(matching.unknown_of) == largest(filled)
    assert all(filled[e, u] for e, u in matching.unknown_of.items())
    assert len(set(matching.unknown_of.values())) == len(matching.unknown_of)


@pytest.mark.parametrize("case", range(20))
def test_blocks_are_triangular_and_as_small_as_can_be(case: int) -> None:
    filled = (
        random_incidence(14, 14, 0.12, case)
        | np.eye(14, dtype=bool)[np.random.default_rng(case).permutation(14)]
    )
    incidence = as_sets(filled)
    matching = match(incidence, range(14))
    ordered = blocks(incidence, matching.unknown_of)
    known: set[int] = set()
    for block in ordered:
        known |= set(block.unknowns)
        assert {u for e in block.equations for u in incidence[e]} <= known
    columns = [matching.unknown_of[e] for e in range(14)]
    reaches = filled[:, columns] | np.eye(14, dtype=bool)
    for _ in range(4):  # squared, paths of up to 16 edges
        reaches = reaches @ reaches
    assert len(ordered) == len(np.unique(reaches & reaches.T, axis=0))


@pytest.mark.parametrize("case", range(20))
def test_what_is_left_open_is_what_some_largest_matching_leaves_out(case: int) -> None:
    filled = random_incidence(8, 9, 0.18, case)
    incidence = as_sets(filled)
    matching = match(incidence, range(9))
    _, unknowns = underdetermined_part(matching)
    equations, _ = overdetermined_part(matching)
    size = len(matching.unknown_of)
    for u in range(9):
        rest = np.delete(filled, u, axis=1)
        assert (u in unknowns) == (largest(rest) == size)
    for e in range(8):
        assert (e in equations) == (largest(np.delete(filled, e, axis=0)) == size)


def largest(filled: np.ndarray) -> int:
    """The most pairs: the rank of a matrix with any numbers in the places that are filled."""
    numbers = np.random.default_rng(1).normal(size=filled.shape)
    return int(np.linalg.matrix_rank(np.where(filled, numbers, 0.0)))


def test_a_chain_of_thousands_does_not_recurse() -> None:
    incidence = [[k, k + 1] for k in range(5000)] + [[0, 5000]]
    matching = match(incidence, range(5001))
    assert len(blocks(incidence, matching.unknown_of)) == 1
