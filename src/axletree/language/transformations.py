"""Rigid motions as 4x4 matrices (Lot and Massaro 2017, eqs. 1, 2), and what a frame that they lead
to does in its own axes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import sympy

from axletree.language.expressions import folded
from axletree.language.variables import TIME, LanguageError, Scalar

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


def is_elementary(T: sympy.Matrix) -> bool:
    """Whether the axes are as they were, or turned about one of the three."""
    R = T[:3, :3]
    if sympy.eye(3) == R:
        return True
    axes = [i for i in range(3) if R[i, i] == 1]
    if len(axes) != 1:
        return False
    c = R[(axes[0] + 1) % 3, (axes[0] + 1) % 3]
    return isinstance(c, sympy.cos) and rotation(AXES[axes[0]], c.args[0])[:3, :3] == R


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


# Motion in the axes of each frame, step by step from the base, which does not swell.

Triple = tuple[sympy.Expr, ...]  # three components
PartialVelocities = tuple[Triple, Triple]  # of the turning, and of the origin


def added(*triples: Triple) -> Triple:
    return tuple(sympy.Add(*components) for components in zip(*triples, strict=True))


def crossed(a: Triple, b: Triple) -> Triple:
    return tuple(_product(a[i], b[j]) - _product(a[j], b[i]) for i, j in ((1, 2), (2, 0), (0, 1)))


def dotted(a: Triple, b: Triple) -> sympy.Expr:
    return sympy.Add(*(_product(x, y) for x, y in zip(a, b, strict=True)))


def _product(x: sympy.Expr, y: sympy.Expr) -> sympy.Expr:
    """Most components are zero, or one, of which SymPy takes long to see it."""
    if x is _ZERO or y is _ZERO:
        return _ZERO
    if x is _ONE:
        return y
    return x if y is _ONE else x * y


_ZERO, _ONE = sympy.S.Zero, sympy.S.One


def _rates(triple: Triple) -> Triple:
    return tuple(component.diff(TIME) for component in triple)


def turning_of(R: Sequence[Triple], by: sympy.Expr) -> Triple:
    """The axial vector of R^T dR, dR being the slope by time or by a coordinate."""
    columns = [tuple(row[k] for row in R) for k in range(3)]
    slopes = [tuple(x.diff(by) for x in column) for column in columns]
    pairs = ((2, 1), (0, 2), (1, 0))
    return tuple(folded(dotted(columns[i], slopes[j])) for i, j in pairs)


@dataclass(frozen=True)
class FrameStep:
    """One motion: a rotation R, a translation p with its rates, and its own turning.

    p is in the axes before it, the turning in those after it.
    """

    R: tuple[Triple, ...]  # by rows
    p: Triple
    p_rate: Triple
    p_acceleration: Triple
    turning: Triple

    @classmethod
    def of(cls, motion: sympy.Matrix) -> FrameStep:
        p = tuple(motion[:3, 3])
        rows = tuple(tuple(row) for row in motion[:3, :3].tolist())
        return cls(rows, p, _rates(p), _rates(_rates(p)), turning_of(rows, TIME))

    def turned_back(self, triple: Triple) -> Triple:
        """R^T, from the axes before the motion to those after it."""
        columns = zip(*self.R, strict=True)
        return tuple(dotted(column, triple) for column in columns)


@dataclass(frozen=True)
class OwnMotion:
    """Angular velocity and acceleration, velocity and acceleration of the origin, in own axes.

    Relative to the ground; from step to step as of a point that moves in a frame that turns
    (Kane and Levinson 1985, sections 2.4 to 2.8).
    """

    omega: Triple
    alpha: Triple
    v: Triple
    a: Triple

    @classmethod
    def of_base(cls, Omega: sympy.Matrix, V: sympy.Matrix) -> OwnMotion:
        """A base with this angular velocity and velocity, in its own axes."""
        omega, v = tuple(Omega), tuple(V)
        return cls(omega, _rates(omega), v, added(_rates(v), crossed(omega, v)))

    def after(self, step: FrameStep, keep: Callable[[sympy.Expr], sympy.Expr]) -> OwnMotion:
        """One motion further; ``keep`` is what is done to expressions that arise."""
        omega, alpha, p = self.omega, self.alpha, step.p
        carried = added(self.v, crossed(omega, p), step.p_rate)
        coriolis = tuple(2 * x for x in crossed(omega, step.p_rate))
        pulled = crossed(omega, crossed(omega, p))
        a = added(self.a, crossed(alpha, p), pulled, coriolis, step.p_acceleration)
        before = tuple(map(keep, step.turned_back(omega)))
        change = added(_rates(step.turning), crossed(before, step.turning))
        return OwnMotion(
            tuple(map(keep, added(before, step.turning))),
            tuple(map(keep, added(step.turned_back(alpha), change))),
            tuple(map(keep, step.turned_back(carried))),
            tuple(map(keep, step.turned_back(a))),
        )
