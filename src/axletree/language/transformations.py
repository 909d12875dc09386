"""Rigid motions as 4x4 matrices (Lot and Massaro 2017, eqs. 1, 2)."""

from __future__ import annotations

from typing import Final

import sympy

from axletree.language.variables import LanguageError, Scalar

AXES: Final = "xyz"


def translation(x: Scalar = 0, y: Scalar = 0, z: Scalar = 0) -> sympy.Matrix:
    """[m] along the axes.

    Example:
    >>> from axletree.language import translation
    >>> translation(x=2, z=-1)[:3, 3].T  # m
    Matrix([[2, 0, -1]])
    """
    T = sympy.eye(4)
    T[:3, 3] = sympy.Matrix([x, y, z])
    return T


def rotation_x(angle: Scalar) -> sympy.Matrix:
    """[rad], by the right-hand rule.

    Example:
    >>> import sympy
    >>> from axletree.language import rotation_x
    >>> (rotation_x(sympy.pi / 2) * sympy.Matrix([0, 1, 0, 1]))[:3, :].T  # y becomes z
    Matrix([[0, 0, 1]])
    """
    return rotation("x", angle)


def rotation_y(angle: Scalar) -> sympy.Matrix:
    """[rad], by the right-hand rule.

    Example:
    >>> import sympy
    >>> from axletree.language import rotation_y
    >>> (rotation_y(sympy.pi / 2) * sympy.Matrix([0, 0, 1, 1]))[:3, :].T  # z becomes x
    Matrix([[1, 0, 0]])
    """
    return rotation("y", angle)


def rotation_z(angle: Scalar) -> sympy.Matrix:
    """[rad], by the right-hand rule.

    Example:
    >>> import sympy
    >>> from axletree.language import rotation_z
    >>> (rotation_z(sympy.pi / 2) * sympy.Matrix([1, 0, 0, 1]))[:3, :].T  # x becomes y
    Matrix([[0, 1, 0]])
    """
    return rotation("z", angle)


def rotation(axis: str, angle: Scalar) -> sympy.Matrix:
    """About the axis "x", "y" or "z".

    Example:
    >>> from axletree.language import rotation, rotation_z, variable
    >>> angle = variable("angle")  # rad
    >>> rotation("z", angle) == rotation_z(angle)
    True
    """
    if axis not in AXES or len(axis) != 1:
        raise LanguageError(f"a rotation is about 'x', 'y' or 'z', not about {axis!r}")
    i = AXES.index(axis)
    j, k = (i + 1) % 3, (i + 2) % 3
    s, c = sympy.sin(angle), sympy.cos(angle)
    T = sympy.eye(4)
    T[j, j], T[j, k], T[k, j], T[k, k] = c, -s, s, c
    return T


def inverse(T: sympy.Matrix) -> sympy.Matrix:
    """The motion back: turned by R^T."""
    R_T = T[:3, :3].T
    back = sympy.eye(4)
    back[:3, :3], back[:3, 3] = R_T, -R_T * T[:3, 3]
    return back


def skew(w: sympy.Matrix) -> sympy.Matrix:
    """The matrix that forms w x ..."""
    x, y, z = w
    return sympy.Matrix([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def axial(S: sympy.Matrix) -> sympy.Matrix:
    """The vector of the skew part of a matrix: axial(skew(w)) = w."""
    half = sympy.Rational(1, 2)
    return half * sympy.Matrix([S[2, 1] - S[1, 2], S[0, 2] - S[2, 0], S[1, 0] - S[0, 1]])


def checked(T: object, whose: str) -> sympy.Matrix:
    """A 4x4 matrix of a rigid motion as far as its form tells."""
    try:
        matrix = sympy.Matrix(T)
    except (TypeError, ValueError):
        raise LanguageError(
            f"{whose} needs transformations, such as translation(x=1) or rotation_z(psi), not {T!r}"
        ) from None
    if matrix.shape != (4, 4):
        raise LanguageError(f"{whose} needs 4x4 matrices; one of {matrix.shape} was given")
    if list(matrix[3, :]) != [0, 0, 0, 1]:
        raise LanguageError(
            f"{whose}: the last row of a transformation is 0, 0, 0, 1, not "
            f"{', '.join(map(str, matrix[3, :]))}"
        )
    return matrix
