"""Prescribed motions: the laws of drivers, which leave no freedom and take any effort."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from axletree.core.expr import Expr, cos, sin
from axletree.core.vectors import NULL, Matrix, Vector, rotation
from axletree.library.edge import (
    RotationLaw,
    RotationMotion,
    Space,
    TranslationLaw,
    TranslationMotion,
    Variable,
)
from axletree.library.motion.translation import XYZ, Axis, directions, normals


@dataclass(frozen=True)
class DrivenAlong(TranslationLaw):
    """A prescribed slide: position, speed and acceleration are given."""

    axis: Axis = XYZ[0]
    position: Expr = NULL[0]
    speed: Expr = NULL[0]
    acceleration: Expr = NULL[0]
    reactions: tuple[Variable, ...] = (Variable("force", "N", "force on the head along the axis"),)

    @property
    def freedom(self) -> Vector | None:
        return Vector(self.axis)

    @property
    def given_rate(self) -> Expr | None:
        return self.speed

    def travel(self, q: Sequence[Expr], p: Sequence[Expr]) -> tuple[Expr, Expr]:
        return self.position, self.speed

    def terminal_equations(self) -> tuple[str, ...]:
        return ("r = s(t) u", "v = ds/dt u", "a = d2s/dt2 u")

    def spaces(self) -> tuple[Space, Space]:
        space = Space((), directions((self.axis,), "tail"))
        return space, space

    def motion(
        self, q: Sequence[Expr], p: Sequence[Expr], R_tail_head: Matrix, w_head: Vector
    ) -> TranslationMotion:
        u = Vector(self.axis)
        return TranslationMotion(u * self.position, u * self.speed, (), u * self.acceleration)

    def closure(self, r_tail: Vector) -> tuple[Expr, ...]:
        return (Vector(self.axis).dot(r_tail) - self.position,)


@dataclass(frozen=True)
class DrivenAbout(RotationLaw):
    """A prescribed turn: angle, rate and acceleration are given."""

    axis: Axis = XYZ[2]
    angle: Expr = NULL[0]
    rate: Expr = NULL[0]
    acceleration: Expr = NULL[0]
    reactions: tuple[Variable, ...] = (
        Variable("torque", "N*m", "torque on the head about the axis"),
    )

    @property
    def freedom(self) -> Vector | None:
        return Vector(self.axis)

    @property
    def given_rate(self) -> Expr | None:
        return self.rate

    def travel(self, q: Sequence[Expr], p: Sequence[Expr]) -> tuple[Expr, Expr]:
        return self.angle, self.rate

    def terminal_equations(self) -> tuple[str, ...]:
        return ("theta = angle(t) u", "w = d(angle)/dt u", "dw/dt = d2(angle)/dt2 u + w_tail x w")

    def spaces(self) -> tuple[Space, Space]:
        space = Space((), directions((self.axis,), "tail"))
        return space, space

    def motion(self, q: Sequence[Expr], p: Sequence[Expr]) -> RotationMotion:
        u = Vector(self.axis)
        return RotationMotion(rotation(u, self.angle), u * self.rate, (), u * self.acceleration)

    def closure(self, R_tail_head: Matrix) -> tuple[Expr, ...]:
        """The sine of what the turn lacks: a direction normal to the axis, turned by the angle."""
        n1, n2 = (Vector(n) for n in _right_handed_normals(self.axis))
        turned = R_tail_head @ n1
        return (turned.dot(n2) * cos(self.angle) - turned.dot(n1) * sin(self.angle),)

    def facing(self, R_tail_head: Matrix) -> tuple[Expr, ...]:
        n1, n2 = (Vector(n) for n in _right_handed_normals(self.axis))
        turned = R_tail_head @ n1
        return (turned.dot(n1) * cos(self.angle) + turned.dot(n2) * sin(self.angle),)


def _right_handed_normals(axis: Axis) -> tuple[Axis, Axis]:
    """Two normals with n1 x n2 along the axis."""
    n1, n2 = normals((axis,))
    turned = Vector(n1).cross(Vector(n2)).dot(Vector(axis))
    return (n1, n2) if float(turned) > 0.0 else (n2, n1)
