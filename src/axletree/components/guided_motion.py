"""Motions that are led: prescribed by drivers, or guided along a curve.

Drivers leave no freedom and take any effort. A head that is guided along a curve turns as it goes:
one freedom for both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from axletree.components.edges import (
    RotationLaw,
    RotationMotion,
    Space,
    TranslationLaw,
    TranslationMotion,
    Variable,
)
from axletree.components.motion_laws import XYZ, Axis, directions, normals, reactions_along
from axletree.core.errors import ModelError
from axletree.expr import ONE, ZERO, Expr, cos, directional_derivative, sin
from axletree.expr.vectors import NULL, Matrix, Vector, rotation


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


TravelFunction = Callable[[Expr], Expr]  # of the travel


def _slopes(values: Sequence[Expr], travel: Expr) -> list[Expr]:
    return directional_derivative(list(values), {travel: 1.0})


@dataclass(frozen=True)
class AlongPath(TranslationLaw):
    """The head goes along z of the tail by the travel, and aside as functions of it."""

    coordinates: tuple[Variable, ...] = ()
    speeds: tuple[Variable, ...] = ()
    forward: TravelFunction = lambda travel: ZERO  # [m]
    left: TravelFunction = lambda travel: ZERO  # [m]

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

    toe: TravelFunction = lambda travel: ZERO  # [rad], about z
    camber: TravelFunction = lambda travel: ZERO  # [rad], about x
    spin: TravelFunction = lambda travel: ZERO  # [rad], about y
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
