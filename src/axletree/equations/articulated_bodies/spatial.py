"""Spatial vectors and inertias: moments and angular accelerations before forces and linear ones.

Six components each, in the axes of a link (Featherstone 2008, chapter 2, here with accelerations
of points as seen from the ground).
"""

from __future__ import annotations

from dataclasses import dataclass

from axletree.equations.inertia import LinkInertia
from axletree.expr import Expr
from axletree.expr.expression import ZERO
from axletree.expr.vectors import (
    IDENTITY,
    NULL_MATRIX,
    Matrix,
    Vector,
    outer,
    rotated_symmetric,
    skew,
)

SpatialVector = tuple[Expr, ...]  # moment or angular part first, then force or linear part


@dataclass(frozen=True)
class SpatialInertia:
    """A symmetric six by six matrix: moment and force from angular and linear acceleration."""

    rows: tuple[SpatialVector, ...]

    def times(self, motion: SpatialVector) -> SpatialVector:
        return tuple(spatial_dot(row, motion) for row in self.rows)

    def __add__(self, other: SpatialInertia) -> SpatialInertia:
        pairs = zip(self.rows, other.rows, strict=True)
        return SpatialInertia(tuple(spatial_sum(a, b) for a, b in pairs))

    def block(self, i: int, j: int) -> Matrix:
        return Matrix(row[3 * j : 3 * j + 3] for row in self.rows[3 * i : 3 * i + 3])


def spatial_inertia(body: LinkInertia, R_CX: Matrix) -> SpatialInertia:
    """Moments in the link's own axes, forces in its linear axes; R_CX leads from these to those."""
    coupling = NULL_MATRIX if body.moment.is_zero else skew(body.moment).times(R_CX)
    mass = Matrix([body.mass if i == j else ZERO for j in range(3)] for i in range(3))
    return _from_blocks(body.tensor, coupling, mass)


def _from_blocks(A: Matrix, B: Matrix, M: Matrix) -> SpatialInertia:
    """[[A, B], [B^T, M]]."""
    top = tuple((*A[i], *B[i]) for i in range(3))
    return SpatialInertia((*top, *((*B.T[i], *M[i]) for i in range(3))))


def spatial_dot(a: SpatialVector, b: SpatialVector) -> Expr:
    return sum((x * y for x, y in zip(a, b, strict=True)), ZERO)


def spatial_sum(a: SpatialVector, b: SpatialVector) -> SpatialVector:
    return tuple(x + y for x, y in zip(a, b, strict=True))


def shifted_to_parent(
    inertia: SpatialInertia, R_PC: Matrix, R_PX: Matrix, R_PY: Matrix, reach: Vector
) -> SpatialInertia:
    """A child's inertia at its parent's origin, X^T I X, in the parent's axes.

    R_PC and R_PX lead from the child's own and linear axes to the parent's own, R_PY from
    the parent's linear axes to its own; ``reach`` goes from origin to origin, parent axes.
    """
    A = rotated_symmetric(R_PC, inertia.block(0, 0))
    M, B = inertia.block(1, 1), inertia.block(0, 1)
    if R_PC == R_PX and R_PY.is_identity and (body := _of_rigid_body(B, M)) is not None:
        mass, moment = body
        return _shifted_rigid(A, mass, R_PC @ moment, reach)
    M = rotated_symmetric(R_PX, M)
    if not B.is_zero:
        B = R_PC.times(B).times(R_PX.T)
    if not reach.is_zero:
        r = skew(reach)
        moved = B + r.times(M)
        # A + r B^T + (r B^T)^T + r M r^T = A + r B^T + moved r^T, and it is symmetric.
        added = r.times(B.T) + moved.times(r.T)
        rows = [[A[i][j] + added[max(i, j)][min(i, j)] for j in range(3)] for i in range(3)]
        A, B = Matrix(rows), moved
    if R_PY.is_identity:
        return _from_blocks(A, B, M)
    return _from_blocks(A, B.times(R_PY), rotated_symmetric(R_PY.T, M))


def _of_rigid_body(B: Matrix, M: Matrix) -> tuple[Expr, Vector] | None:
    """Mass and first moment, if the inertia still is that of a rigid body: M = m 1, B skew.

    So it is of all that hangs together by freedoms which turn about its own centre, such as a
    wheel's, and of links that are kept together in an aggregate.
    """
    mass, moment = M[0][0], Vector((B[2][1], B[0][2], B[1][0]))
    if IDENTITY.scaled(mass) == M and skew(moment) == B:
        return mass, moment
    return None


def _shifted_rigid(A: Matrix, mass: Expr, moment: Vector, reach: Vector) -> SpatialInertia:
    """A rigid body's inertia at another point, all in the same axes.

    With b the first moment, r the reach and g = b + m r / 2 the tensor grows by
    2 (r . g) 1 - (r g^T + g r^T), which is Steiner's theorem twice.
    """
    swept = reach * mass
    products = outer(reach, moment + swept * 0.5)
    rows = [list(row) for row in A]
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        rows[i][i] = rows[i][i] + 2.0 * (products[j][j] + products[k][k])
        rows[i][j] = rows[j][i] = rows[i][j] - (products[i][j] + products[j][i])
    return _from_blocks(Matrix(rows), skew(moment + swept), IDENTITY.scaled(mass))
