"""Vectors and matrices of expressions, three by three, and rotations.

A vector's name says where it is resolved: ``r_AB_A`` is the position of B from A in the
components of A. ``R_AB`` turns components of B into components of A.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from axletree.expr.expression import ONE, ZERO, Expr, Operand, as_expr
from axletree.expr.functions import cos, sin


class Vector(tuple[Expr, Expr, Expr]):
    """Three components in one frame."""

    __slots__ = ()

    def __new__(cls, components: Iterable[Operand]) -> Vector:
        x, y, z = components
        return super().__new__(cls, (as_expr(x), as_expr(y), as_expr(z)))

    def __add__(self, other: Vector) -> Vector:  # type: ignore[override]
        return Vector(a + b for a, b in zip(self, other, strict=True))

    def __sub__(self, other: Vector) -> Vector:
        return Vector(a - b for a, b in zip(self, other, strict=True))

    def __neg__(self) -> Vector:
        return Vector(-a for a in self)

    def __mul__(self, factor: Operand) -> Vector:  # type: ignore[override]
        return Vector(a * factor for a in self)

    __rmul__ = __mul__  # type: ignore[assignment]

    def dot(self, other: Vector) -> Expr:
        return self[0] * other[0] + self[1] * other[1] + self[2] * other[2]

    def cross(self, other: Vector) -> Vector:
        ax, ay, az = self
        bx, by, bz = other
        return Vector((ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx))

    @property
    def is_zero(self) -> bool:
        return all(a.is_zero for a in self)


NULL = Vector((0.0, 0.0, 0.0))


class Matrix(tuple[Vector, Vector, Vector]):
    """Three rows."""

    __slots__ = ()

    def __new__(cls, rows: Iterable[Iterable[Operand]]) -> Matrix:
        x, y, z = rows
        return super().__new__(cls, (Vector(x), Vector(y), Vector(z)))

    @property
    def T(self) -> Matrix:
        return Matrix(zip(*self, strict=True))

    def __matmul__(self, other: Vector) -> Vector:
        return Vector(row.dot(other) for row in self)

    def times(self, other: Matrix) -> Matrix:
        columns = other.T
        return Matrix([row.dot(column) for column in columns] for row in self)

    def __add__(self, other: Matrix) -> Matrix:  # type: ignore[override]
        return Matrix(a + b for a, b in zip(self, other, strict=True))

    def __sub__(self, other: Matrix) -> Matrix:
        return Matrix(a - b for a, b in zip(self, other, strict=True))

    def scaled(self, factor: Operand) -> Matrix:
        return Matrix(row * factor for row in self)

    def column(self, index: int) -> Vector:
        return Vector(row[index] for row in self)

    @property
    def is_zero(self) -> bool:
        return all(row.is_zero for row in self)

    @property
    def is_identity(self) -> bool:
        return self == IDENTITY


IDENTITY = Matrix(((1, 0, 0), (0, 1, 0), (0, 0, 1)))
NULL_MATRIX = Matrix((NULL, NULL, NULL))
UNIT = (IDENTITY[0], IDENTITY[1], IDENTITY[2])


def skew(v: Vector) -> Matrix:
    """The matrix of the cross product: ``skew(v) @ w == v.cross(w)``."""
    x, y, z = v
    return Matrix(((ZERO, -z, y), (z, ZERO, -x), (-y, x, ZERO)))


def outer(a: Vector, b: Vector) -> Matrix:
    return Matrix([x * y for y in b] for x in a)


def rotation(axis: Vector, angle: Operand) -> Matrix:
    """R_AB of a frame B turned by ``angle`` [rad] about the unit ``axis`` of A (Rodrigues)."""
    c, s = cos(angle), sin(angle)
    for index, unit in enumerate(UNIT):
        if axis == unit:
            return _about_coordinate_axis(index, c, s)
        if axis == -unit:
            return _about_coordinate_axis(index, c, -s)
    versine = ONE - c
    return IDENTITY.scaled(c) + outer(axis, axis).scaled(versine) + skew(axis).scaled(s)


def _about_coordinate_axis(index: int, c: Expr, s: Expr) -> Matrix:
    i, j = (index + 1) % 3, (index + 2) % 3
    rows = [[ZERO] * 3 for _ in range(3)]
    rows[index][index] = ONE
    rows[i][i] = rows[j][j] = c
    rows[i][j], rows[j][i] = -s, s
    return Matrix(rows)


def rotated_symmetric(R_AB: Matrix, S_B: Matrix) -> Matrix:
    """R S R^T of a symmetric matrix; a part that is a multiple of the identity stays as it is."""
    if R_AB.is_identity or S_B.is_zero:
        return S_B
    for k in range(3):
        if R_AB[k][k] == 1.0:
            return _turned_about(k, R_AB, S_B)
    isotropic = S_B[2][2]
    rest = S_B - IDENTITY.scaled(isotropic)
    if rest.is_zero:
        return S_B
    half = R_AB.times(rest)
    rows = [[ZERO] * 3 for _ in range(3)]
    for i in range(3):
        for j in range(i + 1):
            rows[i][j] = rows[j][i] = half[i].dot(R_AB[j])
    return Matrix(rows) + IDENTITY.scaled(isotropic)


def _turned_about(k: int, R_AB: Matrix, S: Matrix) -> Matrix:
    """The plane normal to axis k turns: its trace stays, its difference and product turn."""
    i, j = (k + 1) % 3, (k + 2) % 3
    c, s = R_AB[i][i], R_AB[j][i]
    difference, product = S[i][i] - S[j][j], S[i][j]
    # w is what moves from one diagonal element to the other.
    turn = s * difference + 2.0 * (c * product)
    w = s * turn
    rows = [list(row) for row in S]
    rows[i][i], rows[j][j] = S[i][i] - w, S[j][j] + w
    rows[i][j] = rows[j][i] = c * turn - product
    rows[i][k] = rows[k][i] = c * S[i][k] - s * S[j][k]
    rows[j][k] = rows[k][j] = s * S[i][k] + c * S[j][k]
    return Matrix(rows)


def unit_vector(components: Sequence[float]) -> tuple[float, float, float]:
    """The numbers scaled to length one."""
    length = math.hypot(*components)
    x, y, z = (c / length for c in components)
    return x, y, z
