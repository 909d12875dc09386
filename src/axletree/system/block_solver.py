"""Equations solved block by block for unknowns in which each block is linear.

Whether a block can be solved is seen from its matrix at sample values: where the system starts,
and round about.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import numpy as np

from axletree.core.errors import AxletreeError, FormulationError
from axletree.expr import Expr, evaluate, jacobian, substitute
from axletree.expr.expression import ZERO
from axletree.expr.factorisation import choose_pivots, lu
from axletree.expr.traversal import dependent_nodes, topological_order
from axletree.system.structure import EquationBlock, NamedEquation, Unknown
from axletree.system.system import ImplicitSystem

Entries = Mapping[tuple[int, int], Expr]
SINGULAR: Final = 1e-11  # smallest beside largest singular value, rows and columns scaled


@dataclass(frozen=True)
class BlockSolver:
    """Solves for some unknowns after others.

    ``moving`` are the symbols that change in time, ``samples`` values of all but the unknowns.
    """

    system: str
    unknowns: Sequence[Unknown]
    moving: Sequence[Expr]
    samples: Sequence[Mapping[Expr, float]]

    def solve(
        self,
        equations: Sequence[NamedEquation],
        ordered: Sequence[EquationBlock],
        known: Mapping[Expr, Expr],
    ) -> dict[Expr, Expr]:
        """Every unknown of the blocks, and those ``known`` before, in the other symbols."""
        solved = dict(known)
        for block in ordered:
            own = [equations[e] for e in block.equations]
            wanted = [self.unknowns[u] for u in block.unknowns]
            entries, right = self._linear(own, wanted, solved)
            values = self._solution(entries, right, own, wanted)
            solved |= dict(zip((u.symbol for u in wanted), values, strict=True))
        return solved

    def _linear(
        self, own: Sequence[NamedEquation], wanted: Sequence[Unknown], known: Mapping[Expr, Expr]
    ) -> tuple[dict[tuple[int, int], Expr], list[Expr]]:
        """The matrix and the right-hand side of a block."""
        symbols = [unknown.symbol for unknown in wanted]
        residuals = substitute([equation.residual for equation in own], known)
        entries = jacobian(residuals, symbols)
        order = topological_order(entries.values())
        seen = dependent_nodes(order, symbols)
        curved = {i for (i, _), entry in entries.items() if entry.node in seen}
        if curved:
            rows = [own[i] for i in sorted(curved)]
            raise FormulationError(
                f"{self.system}: {_names(rows)} {_verb(rows, 'is', 'are')} not linear in "
                f"{_names(wanted)}, which {_verb(wanted, 'has', 'have')} to be found from "
                f"{_verb(wanted, 'it', 'these equations at once')}; write the dependence on "
                "them linearly, or give one of them a relaxation, y' = (f - y) / tau, which makes "
                "it a state"
            )
        at_zero = substitute(residuals, dict.fromkeys(symbols, ZERO))
        return entries, [-residual for residual in at_zero]

    def _solution(
        self,
        entries: Entries,
        right: Sequence[Expr],
        own: Sequence[NamedEquation],
        wanted: Sequence[Unknown],
    ) -> Sequence[Expr]:
        size = len(wanted)
        matrices = sampled_matrices(entries, size, self.samples)
        if not len(matrices):
            raise FormulationError(
                f"{self.system}: the coefficients of {_names(wanted)} in {_names(own)} have no "
                "finite value at the start nor near to it; check the parameters and start values"
            )
        regular = regular_matrices(matrices)
        if not len(regular):
            raise FormulationError(self._singular(_scaled(matrices)[-1], own, wanted))
        moving = dependent_nodes(topological_order(entries.values()), self.moving)
        varying = {place for place, entry in entries.items() if entry.node in moving}
        pivots = choose_pivots(entries, regular, varying)
        return lu(entries, size, pivots).solve(right)

    # -- messages ----------------------------------------------------------------------

    def _singular(
        self, matrix: np.ndarray, own: Sequence[NamedEquation], wanted: Sequence[Unknown]
    ) -> str:
        """Names what takes part in the combination that is lost."""
        left, _, right = np.linalg.svd(matrix)
        equations = [e for e, share in zip(own, np.abs(left[:, -1]), strict=True) if share > 0.05]
        unknowns = [u for u, share in zip(wanted, np.abs(right[-1]), strict=True) if share > 0.05]
        return (
            f"{self.system}: {_names(equations)} {_verb(equations, 'does', 'do')} not determine "
            f"{_names(unknowns)} at these values of the parameters: a combination of the "
            "equations holds none of them. Look for constraints that say the same twice, for "
            "variables that move nothing that has inertia, and for parameters that are 0"
        )


def _names(items: Sequence[NamedEquation] | Sequence[Unknown]) -> str:
    return ", ".join(item.name for item in items)


def _verb(items: Sequence[object], one: str, many: str) -> str:
    return one if len(items) == 1 else many


def regular_matrices(matrices: np.ndarray) -> np.ndarray:
    """Those of the matrices, of shape (samples, size, size), that are not singular."""
    sizes = np.linalg.svd(_scaled(matrices), compute_uv=False)
    return np.asarray(matrices[sizes[:, -1] > SINGULAR * sizes[:, 0]])


def _scaled(matrices: np.ndarray) -> np.ndarray:
    """Each matrix with rows, then columns, of largest entry 1: units do not matter then."""
    for axis in (2, 1):
        largest = np.abs(matrices).max(axis=axis, keepdims=True)
        matrices = matrices / np.where(largest > 0.0, largest, 1.0)
    return matrices


COUNT: Final = 24
_NEAR: Final = 0.3  # in the unit of the variable, and as a share of its first value
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
        near = start + _NEAR * away if k else start
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
