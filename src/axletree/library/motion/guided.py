"""A head that is guided along a curve and turns as it goes: one freedom for both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from axletree.core.errors import ModelError
from axletree.core.expr import Expr, cos, directional_derivative, sin
from axletree.core.expr.expression import ONE, ZERO
from axletree.core.vectors import Matrix, Vector
from axletree.library.edge import (
    RotationLaw,
    RotationMotion,
    Space,
    TranslationLaw,
    TranslationMotion,
    Variable,
)
from axletree.library.motion.translation import XYZ, directions, normals, reactions_along

Function = Callable[[Expr], Expr]  # of the travel


def _slopes(values: Sequence[Expr], travel: Expr) -> list[Expr]:
    return directional_derivative(list(values), {travel: 1.0})


@dataclass(frozen=True)
class AlongPath(TranslationLaw):
    """The head goes along z of the tail by the travel, and aside as functions of it."""

    coordinates: tuple[Variable, ...] = ()
    speeds: tuple[Variable, ...] = ()
    forward: Function = lambda travel: ZERO  # [m]
    left: Function = lambda travel: ZERO  # [m]

    @property
    def reactions(self) -> tuple[Variable, ...]:
        return reactions_along(normals((XYZ[2],)), "N", "F", "force")

    @property
    def freedom(self) -> Vector | None:
        return Vector(XYZ[2])

    def terminal_equations(self) -> tuple[str, ...]:
        return ("r = x(s) i + y(s) j + s k", "v = dr/ds ds/dt", "a = d/dt v")

    def spaces(self) -> tuple[Space, Space]:
        held = directions(normals((XYZ[2],)), "tail")
        return Space(("the path",), held), Space(("its tangent",), ("normals of it",))

    def motion(
        self, q: Sequence[Expr], p: Sequence[Expr], R_tail_head: Matrix, w_head: Vector
    ) -> TranslationMotion:
        travel, rate = q[0], p[0]
        aside = [self.forward(travel), self.left(travel)]
        slopes = _slopes(aside, travel)
        bends = _slopes(slopes, travel)
        tangent = Vector((*slopes, ONE))
        bias = Vector((*bends, ZERO)) * (rate * rate)
        return TranslationMotion(Vector((*aside, travel)), tangent * rate, (tangent,), bias)

    def closure(self, r_tail: Vector) -> tuple[Expr, ...]:
        x, y, travel = r_tail
        return x - self.forward(travel), y - self.left(travel)


@dataclass(frozen=True)
class TurnsOnPath(RotationLaw):
    """The head turns about z of the tail, then about its own x and y, as the travel says.

    The coordinate is that of the path.
    """

    toe: Function = lambda travel: ZERO  # [rad], about z
    camber: Function = lambda travel: ZERO  # [rad], about x
    spin: Function = lambda travel: ZERO  # [rad], about y
    follows_slide: bool = True
    reactions: tuple[Variable, ...] = reactions_along(XYZ, "N*m", "M", "moment")

    def terminal_equations(self) -> tuple[str, ...]:
        return ("theta = theta(s)", "w = dtheta/ds ds/dt", "dw/dt = d/dt w")

    def spaces(self) -> tuple[Space, Space]:
        held = directions(XYZ, "tail")
        return Space((), held), Space((), held)

    def motion(self, q: Sequence[Expr], p: Sequence[Expr]) -> RotationMotion:
        travel, rate = q[0], p[0]
        angles = [self.toe(travel), self.camber(travel), self.spin(travel)]
        toe, camber, spin = _slopes(angles, travel)
        R_x, R_y = _about_x(angles[1]), _about_y(angles[2])
        before_spin = R_x.T @ Vector((ZERO, ZERO, toe)) + Vector((camber, ZERO, ZERO))
        partial = R_y.T @ before_spin + Vector((ZERO, spin, ZERO))
        bias = Vector(_slopes(list(partial), travel)) * (rate * rate)
        R = _about_z(angles[0]).times(R_x).times(R_y)
        return RotationMotion(R, partial * rate, (partial,), bias)

    def closure(self, R_tail_head: Matrix) -> tuple[Expr, ...]:
        raise ModelError(
            "a guide turns as it slides and closes no loop; let it carry its head alone"
        )


def _about_x(angle: Expr) -> Matrix:
    c, s = cos(angle), sin(angle)
    return Matrix(((ONE, ZERO, ZERO), (ZERO, c, -s), (ZERO, s, c)))


def _about_y(angle: Expr) -> Matrix:
    c, s = cos(angle), sin(angle)
    return Matrix(((c, ZERO, s), (ZERO, ONE, ZERO), (-s, ZERO, c)))


def _about_z(angle: Expr) -> Matrix:
    c, s = cos(angle), sin(angle)
    return Matrix(((c, -s, ZERO), (s, c, ZERO), (ZERO, ZERO, ONE)))
