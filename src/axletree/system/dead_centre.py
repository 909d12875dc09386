"""Dead centres: configurations in which the constraints of a mechanism depend on one another.

There a mechanism that is driven can go no further, or goes on in another assembly: what decides
is no longer in its constraints, and reactions have no bound. How far a configuration is from one
is a number without a unit, whatever the constraints and coordinates are measured in: the rows of
C, as directions in the metric of the mass matrix, are the less independent the smaller the least
eigenvalue of C M^-1 C^T is. That matrix is the one that reactions are solved from (Morency 2007,
eq. 2.18); dependence of rows as the mark of a singular configuration is that of Gosselin and
Angeles 1990, their second kind.

A form that finds dependent speeds from the others, as the partition and the embedding do, has dead
centres of its own: where the columns of these speeds depend on one another, whatever the mechanism
can do there. Of such a form only these columns count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.equations.constraints import Constraint
from axletree.equations.equations import Equations
from axletree.expr import Expr, evaluate
from axletree.system.mechanism import loop_joints
from axletree.system.system import System

_SHARES = 0.3  # of a constraint in what depends on itself, from which on its loop is named
_ROUNDING = 1e-9  # of the largest row: smaller ones are none
_MASSLESS = 1e-9  # of the largest eigenvalue: a mass matrix with a smaller one is not inverted
_ADDED = 1e-3  # of the mean inertia in the same unit, then added to every one


@dataclass(frozen=True)
class ClosureMargins:
    """How independent the constraints of closures are in some configurations, in rows.

    Of ``matrices``, C M^-1 C^T of each configuration, the diagonals are made 1 where they are
    largest: a row that vanishes is a dependent one, too. Where there are more rows than are ever
    ``independent``, which of them are is left open: that changes as a mechanism moves.
    """

    equations: Equations
    constraints: tuple[Constraint, ...]
    independent: int
    matrices: FloatArray
    dependent: tuple[str, ...] = ()  # speeds whose columns these are of; all without any

    @property
    def _least(self) -> int:
        """The place of the eigenvalue that vanishes in a dead centre."""
        return len(self.constraints) - self.independent

    @property
    def sizes(self) -> FloatArray:
        """Of rows, the largest; of those that are always rounding, that of the others."""
        found = np.sqrt(np.einsum("kii->ki", self.matrices).max(axis=0))
        return np.asarray(np.where(found > _ROUNDING * found.max(), found, found.max()))

    def margins(self, sizes: FloatArray) -> FloatArray:
        """0 in a dead centre, at most 1; with rows of these sizes counted as 1."""
        least = np.linalg.eigvalsh(self._scaled(sizes))[:, self._least]
        return np.asarray(np.sqrt(np.maximum(least, 0.0)))

    def loops(self, row: int, sizes: FloatArray) -> str:
        """The loops that are in line in a configuration, or nearly so, by their joints."""
        direction = np.abs(np.linalg.eigh(self._scaled(sizes)[row])[1][:, self._least])
        found: dict[tuple[str, ...], None] = {}
        for constraint, share in zip(self.constraints, direction, strict=True):
            if share > _SHARES and constraint.edge is not None:
                found[loop_joints(self.equations, constraint.edge)] = None
        return " and ".join(f"the loop of {', '.join(joints)}" for joints in found)

    def _scaled(self, sizes: FloatArray) -> FloatArray:
        return np.asarray(self.matrices / (sizes[:, None] * sizes[None, :]))


def closure_margins(
    system: System, values: Mapping[Expr, FloatArray], count: int
) -> ClosureMargins | None:
    """Of a system in ``count`` configurations; None of one without loops.

    ``values`` has an array for each symbol of the system.
    """
    equations = system.source
    independent = len(_closures(system.constraints))
    if equations is None or not independent:
        return None
    speeds, closures = len(equations.speeds), _closures(equations.constraints)
    rows = {(i, j): entry for i, c in enumerate(closures) for j, entry in c.jacobian.items()}
    with np.errstate(all="ignore"):
        C = _stacked(rows, (count, len(closures), speeds), values)
        M = _stacked(equations.dynamics.mass, (count, speeds, speeds), values)
    M += np.transpose(np.tril(M, -1), (0, 2, 1))
    if not (np.isfinite(C).all() and np.isfinite(M).all()):
        return None
    M = _with_inertia(M, [q.unit for q in equations.speeds])
    if chosen := list(system.dependent):
        C, M = C[:, :, chosen], M[:, chosen][:, :, chosen]
    matrices = C @ np.linalg.solve(M, np.transpose(C, (0, 2, 1)))
    names = tuple(equations.speeds[j].name for j in chosen)
    return ClosureMargins(equations, closures, independent, matrices, names)


@dataclass(frozen=True)
class LostPivot:
    """A pivot of a loop's elimination that vanishes, though its constraints are independent."""

    row: int  # of the configurations
    share: float  # of the largest entry that it goes before
    speed: str
    loop: str  # by its joints


_LITTLE = 1e-4  # of the entries that a pivot goes before: so many digits are lost


def lost_pivot(system: System, values: Mapping[Expr, FloatArray], count: int) -> LostPivot | None:
    """The smallest pivot of a form that eliminates at pivots chosen beforehand, if one is too small
    or changes its sign between two configurations; the last pivot of a loop is no matter of choice.
    """
    equations, found = system.source, None
    if equations is None:
        return None
    for pivots in system.pivots:
        speeds = [j for _, j in pivots]
        own = [system.constraints[i] for i, _ in pivots]
        entries = {
            (i, speeds.index(j)): e
            for i, c in enumerate(own)
            for j, e in c.jacobian.items()
            if j in speeds
        }
        with np.errstate(all="ignore"):
            shares = _pivot_shares(_stacked(entries, (count, len(own), len(speeds)), values))
        for k, share in enumerate(shares[:-1]):
            turned = np.flatnonzero(np.diff(np.sign(share)) != 0)
            row = int(turned[0]) if len(turned) else int(np.abs(share).argmin())
            size = 0.0 if len(turned) else float(abs(share[row]))
            if size < _LITTLE and (found is None or size < found.share):
                edge = own[k].edge
                loop = own[k].source if edge is None else ", ".join(loop_joints(equations, edge))
                found = LostPivot(row, size, equations.speeds[speeds[k]].name, loop)
    return found


def _pivot_shares(matrices: FloatArray) -> FloatArray:
    """Of each pivot, down the diagonal: beside the largest entry of its column that is left."""
    left, shares = matrices.copy(), []
    with np.errstate(all="ignore"):
        for k in range(left.shape[1]):
            largest = np.abs(left[:, k:, k]).max(axis=1)
            shares.append(left[:, k, k] / np.where(largest > 0.0, largest, 1.0))
            factors = left[:, k + 1 :, k] / left[:, k, k][:, None]
            left[:, k + 1 :, k:] -= factors[:, :, None] * left[:, k, k:][:, None, :]
    return np.nan_to_num(np.array(shares))


def _closures(constraints: Sequence[Constraint]) -> tuple[Constraint, ...]:
    """Those of loops."""
    return tuple(c for c in constraints if c.is_holonomic and c.edge is not None)


def _stacked(
    entries: Mapping[tuple[int, int], Expr],
    shape: tuple[int, int, int],
    values: Mapping[Expr, FloatArray],
) -> FloatArray:
    """A matrix for each configuration."""
    full = np.zeros(shape)
    found = evaluate(list(entries.values()), values)
    for (i, j), entry in zip(entries, found, strict=True):
        full[:, i, j] = entry
    return full


def _with_inertia(M: FloatArray, units: Sequence[str]) -> FloatArray:
    """With a little added to every speed, where some move none: massless links."""
    scale = np.sqrt(np.maximum(np.einsum("kii->ki", M), 1e-300))
    least = np.linalg.eigvalsh(M / (scale[:, :, None] * scale[:, None, :]))[:, 0].min(initial=1.0)
    if least > _MASSLESS:
        return M
    diagonal = np.einsum("kii->ki", M).mean(axis=0)
    means = {unit: diagonal[[u == unit for u in units]].mean() for unit in units}
    whole = max(float(diagonal.mean()), 1e-300)
    added = [_ADDED * (means[unit] or whole) for unit in units]
    return np.asarray(M + np.diag(added))
