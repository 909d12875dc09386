"""Values at which matrices of a system are looked at: where it starts, and round about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

import numpy as np

from axletree.core.errors import AxletreeError
from axletree.core.expr import Expr, evaluate
from axletree.system.implicit import ImplicitSystem

COUNT: Final = 24
NEAR: Final = 0.3  # in the unit of the variable, and as a share of its first value
FAR: Final = 4.0  # likewise: more than half a turn


def sample_values(implicit: ImplicitSystem) -> list[dict[Expr, float]]:
    """Values of all symbols: of the start, near to it, then of either sign.

    Parameters are the same in all.
    """
    random = np.random.default_rng(0)
    moving = (implicit.time, *implicit.variables, *implicit.inputs)
    start = np.array([quantity.default for quantity in moving])
    small = np.array([implicit.small.get(q.name, np.inf) for q in moving])
    fixed = {q.symbol: q.default for q in implicit.parameters}
    found = []
    for k in range(COUNT):
        away = random.uniform(-1.0, 1.0, size=len(moving)) * (1.0 + np.abs(start))
        near = start + NEAR * away if k else start
        values = np.clip(near if k < COUNT / 2 else FAR * away, -small, small)
        found.append(fixed | dict(zip((q.symbol for q in moving), values.tolist(), strict=True)))
    return found


def sampled_matrices(
    entries: Mapping[tuple[int, int], Expr], size: int, samples: Sequence[Mapping[Expr, float]]
) -> np.ndarray:
    """The matrix at each sample at which it has a finite value: shape (samples, size, size)."""
    expressions = list(entries.values())
    together = {key: np.array([values[key] for values in samples]) for key in samples[0]}
    matrices = np.full((len(samples), size, size), np.nan)
    try:
        rows = np.array([np.broadcast_to(e, len(samples)) for e in evaluate(expressions, together)])
        _fill(matrices, entries, rows.T)
    except AxletreeError:  # in some of them there is no value
        for k, values in enumerate(samples):
            with suppress(AxletreeError):
                _fill(matrices[k : k + 1], entries, np.array([evaluate(expressions, values)]))
    finite = np.isfinite(matrices).all(axis=(1, 2))
    return np.asarray(matrices[finite])


def _fill(
    matrices: np.ndarray, entries: Mapping[tuple[int, int], Expr], numbers: np.ndarray
) -> None:
    matrices[:] = 0.0
    for column, (i, j) in enumerate(entries):
        matrices[:, i, j] = numbers[:, column]
