"""The mass matrix of any pair of trees, column by column, and its sparse factorisation."""

from __future__ import annotations

from collections.abc import Sequence

from axletree.core.expr import Expr, ldl
from axletree.core.expr.expression import ONE, ZERO
from axletree.formulation.inertia import LinkInertia, inertial_loads
from axletree.formulation.kinematics import Kinematics
from axletree.formulation.loads import LinkLoads, accumulate

SparseMatrix = dict[tuple[int, int], Expr]


def mass_matrix(k: Kinematics, inertias: Sequence[LinkInertia]) -> SparseMatrix:
    """Lower triangle of M: column j is what the d'Alembert loads of a unit rate j resist."""
    size = len(k.links.speeds)
    matrix: SparseMatrix = {}
    for j in range(size):
        unit = [ONE if i == j else ZERO for i in range(size)]
        a = k.accelerations(unit, with_bias=False)
        through = accumulate(k, inertial_loads(k, inertias, a, with_bias=False))
        for i in range(j, size):
            if not through.efforts[i].is_zero:
                matrix[i, j] = -through.efforts[i]
    return matrix


class FactorisedMass:
    """M as L D L^T, leaf freedoms first, for any trees."""

    def __init__(self, k: Kinematics, inertias: Sequence[LinkInertia]) -> None:
        self._kinematics = k
        size = len(k.links.speeds)
        self._factors = ldl(mass_matrix(k, inertias), size, order=leaf_first(k))

    def solve(self, loads: LinkLoads) -> list[Expr]:
        """The rates of the speeds that loads cause, with no velocity terms of their own."""
        return self.solve_efforts(accumulate(self._kinematics, loads).efforts)

    def solve_efforts(self, efforts: Sequence[Expr]) -> list[Expr]:
        return self._factors.solve(list(efforts))


def leaf_first(k: Kinematics) -> list[int]:
    """Speeds from the leaves to the root: eliminating a leaf fills in nothing."""
    depth: dict[int, int] = {0: 0}
    order: list[tuple[int, int]] = []
    for c in k.links.rotations:
        depth[c.child] = depth[c.parent] + 1
    for c in k.links.with_variables:
        order += [(-depth.get(c.child, 0), index) for index in c.speed_indices]
    return [index for _, index in sorted(order)]
