"""Dynamic equations M dp/dt + C^T f = b, formed and solved for dp/dt (Morency 2007, eq. 2.35).

Where both trees are one, the rates of the speeds follow from the articulated-body recursion
(``recursion``). For any other pair of trees the mass matrix is formed column by column, and
factorised sparsely.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from axletree.equations.articulated_bodies.recursion import ArticulatedMass, connection_bias
from axletree.equations.constraints import Constraint
from axletree.equations.inertia import LinkInertia, inertial_loads
from axletree.equations.kinematics import Accelerations, Kinematics
from axletree.equations.loads import BranchThrough, LinkLoads, accumulate
from axletree.expr import Expr, ldl
from axletree.expr.expression import ONE, ZERO
from axletree.expr.vectors import NULL


@dataclass(frozen=True)
class Dynamics:
    """The mechanical part: how links move, what they weigh, what acts on them."""

    kinematics: Kinematics
    inertias: tuple[LinkInertia, ...]
    applied: LinkLoads
    following: LinkLoads  # applied too, but known only with the reactions they depend on

    @cached_property
    def mass(self) -> _SparseMatrix:
        """Lower triangle of M."""
        return mass_matrix(self.kinematics, self.inertias)

    @cached_property
    def forcing(self) -> tuple[Expr, ...]:
        """b: all loads and the inertial loads at constant speeds, projected."""
        pairs = zip(self.forcing_before, self.following_efforts, strict=True)
        return tuple(a + b for a, b in pairs)

    @cached_property
    def forcing_before(self) -> tuple[Expr, ...]:
        """b without the loads that depend on reactions."""
        k = self.kinematics
        loads = inertial_loads(k, self.inertias, k.bias, with_bias=True)
        loads.add(self.applied)
        return accumulate(k, loads).efforts

    @cached_property
    def following_efforts(self) -> tuple[Expr, ...]:
        """The loads that depend on reactions, projected."""
        return accumulate(self.kinematics, self.following).efforts

    @cached_property
    def following_rates(self) -> list[Expr]:
        """What the loads that depend on reactions do to the speeds."""
        if all(e.is_zero for e in self.following.entries):
            return [ZERO] * len(self.following_efforts)
        return self._factors.solve(self.following)

    @cached_property
    def free_rates(self) -> list[Expr]:
        """M^-1 b: the rates of the speeds without reactions and what depends on them."""
        if isinstance(self._factors, FactorisedMass):
            return self._factors.solve_efforts(self.forcing_before)
        return self._factors.solve(self.loads_at_rest, connection_bias(self.kinematics))

    @cached_property
    def loads_at_rest(self) -> LinkLoads:
        """Applied loads, and those of inertia where nothing accelerates."""
        k = self.kinematics
        at_rest = Accelerations((NULL,) * k.links.count, (NULL,) * k.links.count)
        loads = inertial_loads(k, self.inertias, at_rest, with_bias=True)
        loads.add(self.applied)
        return loads

    def reaction_rates(self, constraint: Constraint) -> list[Expr]:
        """A column of M^-1 C^T: what a unit reaction does to the speeds."""
        return self._factors.solve(constraint.loads)

    @cached_property
    def _factors(self) -> ArticulatedMass | FactorisedMass:
        if self.kinematics.links.is_one_tree:
            return ArticulatedMass(self.kinematics, self.inertias)
        return FactorisedMass(self.kinematics, self.inertias)

    def through(
        self,
        speed_rates: Sequence[Expr],
        constraints: Sequence[Constraint],
        reactions: Sequence[Expr],
    ) -> BranchThrough:
        """Through variables of all branches, once the rates and the reactions are known."""
        k = self.kinematics
        a = k.accelerations(speed_rates, with_bias=True)
        loads = inertial_loads(k, self.inertias, a, with_bias=True)
        loads.add(self.applied)
        loads.add(self.following)
        for constraint, reaction in zip(constraints, reactions, strict=True):
            if not reaction.is_zero:
                loads.add(constraint.loads.scaled(reaction))
        return accumulate(k, loads)


_SparseMatrix = dict[tuple[int, int], Expr]


def mass_matrix(k: Kinematics, inertias: Sequence[LinkInertia]) -> _SparseMatrix:
    """Lower triangle of M: column j is what the d'Alembert loads of a unit rate j resist."""
    size = len(k.links.speeds)
    matrix: _SparseMatrix = {}
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
