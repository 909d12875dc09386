"""Equations solved block by block for unknowns in which each block is linear."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from axletree.core.errors import FormulationError
from axletree.core.expr import Expr, jacobian, substitute
from axletree.core.expr.expression import ZERO
from axletree.core.expr.lu import choose_pivots, lu
from axletree.core.expr.order import dependent_nodes, topological_order
from axletree.system.sample import sampled_matrices
from axletree.system.triangular import Block

Entries = Mapping[tuple[int, int], Expr]
SINGULAR: Final = 1e-11  # smallest beside largest singular value, rows and columns scaled


@dataclass(frozen=True)
class NamedEquation:
    """An expression that is to be zero."""

    name: str
    residual: Expr


@dataclass(frozen=True)
class Unknown:
    """What is solved for: a symbol, and what people call it."""

    name: str
    symbol: Expr


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
        ordered: Sequence[Block],
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
            raise FormulationError(self._curved([own[i] for i in sorted(curved)], wanted))
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
        scaled = _scaled(matrices)
        sizes = np.linalg.svd(scaled, compute_uv=False)
        regular = sizes[:, -1] > SINGULAR * sizes[:, 0]
        if not regular.any():
            raise FormulationError(self._singular(scaled[-1], own, wanted))
        moving = dependent_nodes(topological_order(entries.values()), self.moving)
        varying = {place for place, entry in entries.items() if entry.node in moving}
        pivots = choose_pivots(entries, matrices[regular], varying)
        return lu(entries, size, pivots).solve(right)

    # -- messages ----------------------------------------------------------------------

    def _curved(self, curved: Sequence[NamedEquation], wanted: Sequence[Unknown]) -> str:
        return (
            f"{self.system}: {_names(curved)} {_verb(curved, 'is', 'are')} not linear in "
            f"{_names(wanted)}, which {_verb(wanted, 'has', 'have')} to be found from "
            f"{_verb(wanted, 'it', 'these equations at once')}; write the dependence on "
            "them linearly, or give one of them a relaxation, y' = (f - y) / tau, which makes "
            "it a state"
        )

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


def _scaled(matrices: np.ndarray) -> np.ndarray:
    """Each matrix with rows, then columns, of largest entry 1: units do not matter then."""
    for axis in (2, 1):
        largest = np.abs(matrices).max(axis=axis, keepdims=True)
        matrices = matrices / np.where(largest > 0.0, largest, 1.0)
    return matrices
