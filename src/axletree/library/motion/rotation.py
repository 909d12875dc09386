"""Ways for a head to turn in its tail: the across spaces of rotational edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from axletree.core.expr import Expr, cos, sin
from axletree.core.vectors import IDENTITY, NULL, Matrix, Vector, rotation
from axletree.library.edge import RotationLaw, RotationMotion, Space, Variable
from axletree.library.gimbal import Gimbal, gimbal_of
from axletree.library.motion.translation import XYZ, Axis, directions, normals, reactions_along


@dataclass(frozen=True)
class AboutAxes(RotationLaw):
    """Turns one after another: each axis is fixed in the frame that the turns before it give.

    No axis: the orientations are the same. One: a hinge. Two: a universal joint. Three:
    Euler angles. The speeds are the rates of the angles.
    """

    axes: tuple[Axis, ...] = ()
    coordinates: tuple[Variable, ...] = ()
    speeds: tuple[Variable, ...] = ()

    @property
    def reactions(self) -> tuple[Variable, ...]:
        if len(self.axes) == 2:
            return (Variable("M1", "N*m", "moment on the head normal to both axes"),)
        if len(self.axes) == 3:
            return ()
        return reactions_along(normals(self.axes), "N*m", "M", "moment")

    @property
    def freedom(self) -> Vector | None:
        return Vector(self.axes[0]) if len(self.axes) == 1 else None

    def terminal_equations(self) -> tuple[str, ...]:
        if not self.axes:
            return ("theta = 0", "w = 0", "dw/dt = 0")
        names = [v.suffix for v in self.coordinates]
        space = " + ".join(f"{name} u{k}" for k, name in enumerate(names, start=1))
        rate = " + ".join(f"d({name})/dt u{k}" for k, name in enumerate(names, start=1))
        return (f"theta = {space}", f"w = {rate}", "dw/dt = rate of w in the ground")

    def spaces(self) -> tuple[Space, Space]:
        if len(self.axes) < 2:
            space = Space(directions(self.axes, "tail"), directions(normals(self.axes), "tail"))
            return space, space
        turned = tuple(
            f"u{k}, turned by the angles before it" for k in range(1, len(self.axes) + 1)
        )
        space = Space(turned, ("u1 x u2",) if len(self.axes) == 2 else ())
        return space, space

    def motion(self, q: Sequence[Expr], p: Sequence[Expr]) -> RotationMotion:
        turns = [rotation(Vector(u), angle) for u, angle in zip(self.axes, q, strict=True)]
        R_tail_head = IDENTITY
        for turn in turns:
            R_tail_head = R_tail_head.times(turn)
        partials, velocity, bias = _sequential(self.axes, turns, p)
        return RotationMotion(R_tail_head, velocity, partials, bias)

    def closure(self, R_tail_head: Matrix) -> tuple[Expr, ...]:
        if not self.axes:
            return _small_rotation(R_tail_head)
        first, last = Vector(self.axes[0]), R_tail_head @ Vector(self.axes[-1])
        if len(self.axes) == 1:
            return tuple(Vector(n).dot(last) for n in normals(self.axes))
        if len(self.axes) == 2:
            return (first.dot(last),)
        return ()

    def facing(self, R_tail_head: Matrix) -> tuple[Expr, ...]:
        if not self.axes:
            return (_cosine(R_tail_head),)
        if len(self.axes) == 1:
            axis = Vector(self.axes[0])
            return (axis.dot(R_tail_head @ axis),)
        return ()

    @property
    def gimbal(self) -> Gimbal | None:
        return gimbal_of(self.axes, self.coordinates)


def _sequential(
    axes: Sequence[Axis], turns: Sequence[Matrix], p: Sequence[Expr]
) -> tuple[tuple[Vector, ...], Vector, Vector]:
    """Partials, angular velocity and bias of sequential turns, in head components.

    The axis of turn i in head components is carried by the turns after it; those turn
    with the angular velocity ``later``, so its rate is ``-later x axis``.
    """
    partials: list[Vector] = []
    later, bias = NULL, NULL
    R_after_head = IDENTITY
    for u, turn, rate in reversed(list(zip(axes, turns, p, strict=True))):
        axis_head = R_after_head.T @ Vector(u)
        bias = bias - later.cross(axis_head) * rate
        later = later + axis_head * rate
        partials.append(axis_head)
        R_after_head = turn.times(R_after_head)
    return tuple(reversed(partials)), later, bias


def _small_rotation(R: Matrix) -> tuple[Expr, ...]:
    """The rotation vector of a matrix near the identity: its skew part."""
    return (
        (R[2][1] - R[1][2]) * 0.5,
        (R[0][2] - R[2][0]) * 0.5,
        (R[1][0] - R[0][1]) * 0.5,
    )


def _cosine(R: Matrix) -> Expr:
    """Of the angle of a rotation."""
    return (R[0][0] + R[1][1] + R[2][2] - 1.0) * 0.5


@dataclass(frozen=True)
class EulerWithHeadSpeeds(RotationLaw):
    """Euler angles as coordinates, angular velocity in head components as speeds."""

    axes: tuple[Axis, ...] = ()
    coordinates: tuple[Variable, ...] = ()
    speeds: tuple[Variable, ...] = ()

    def terminal_equations(self) -> tuple[str, ...]:
        return ("theta = three turns", "w = wx i + wy j + wz k of the head", "dw/dt = rates")

    def spaces(self) -> tuple[Space, Space]:
        position, _ = AboutAxes(self.axes).spaces()
        return position, Space(directions(XYZ, "head"), ())

    def motion(self, q: Sequence[Expr], p: Sequence[Expr]) -> RotationMotion:
        turned = AboutAxes(self.axes).motion(q, (NULL[0],) * 3)
        return RotationMotion(turned.R_tail_head, Vector(p), tuple(IDENTITY), NULL)

    def rates(self, q: Sequence[Expr], p: Sequence[Expr], R_tail_head: Matrix) -> tuple[Expr, ...]:
        """Rates of the angles: the inverse of the axes' matrix in head components.

        With axes of the sequence i, j, k the middle and last turn alone enter. For three
        different axes (321, 312) the inverse has the cosine of the middle angle below,
        for a repeated axis (313) the sine.
        """
        first, middle, last = (XYZ.index(axis) for axis in self.axes)
        _, q2, q3 = q
        w = list(p)
        if first == last:
            third = 3 - first - middle
            sense = 1.0 if (first, middle, third) in _EVEN else -1.0
            # In the frame after the last turn the first axis is (sin q2) * (turned middle's
            # partner) + (cos q2) * last.
            along_partner = w[middle] * sin(q3) + w[third] * cos(q3) * sense
            rate1 = along_partner / sin(q2)
            rate2 = w[middle] * cos(q3) - w[third] * sin(q3) * sense
            return rate1, rate2, w[last] - rate1 * cos(q2)
        sense = 1.0 if (first, middle, last) in _EVEN else -1.0
        rate1 = (w[first] * cos(q3) - w[middle] * sin(q3) * sense) / cos(q2)
        rate2 = w[first] * sin(q3) * sense + w[middle] * cos(q3)
        return rate1, rate2, w[last] - rate1 * sin(q2) * sense

    def closure(self, R_tail_head: Matrix) -> tuple[Expr, ...]:
        return ()

    @property
    def gimbal(self) -> Gimbal | None:
        return gimbal_of(self.axes, self.coordinates)


_EVEN = ((0, 1, 2), (1, 2, 0), (2, 0, 1))


@dataclass(frozen=True)
class FixedTurn(RotationLaw):
    """A rigid arm: the head keeps a fixed orientation in the tail."""

    R_tail_head: Matrix = IDENTITY
    reactions: tuple[Variable, ...] = reactions_along(XYZ, "N*m", "M", "moment")
    is_rigid: bool = True

    def terminal_equations(self) -> tuple[str, ...]:
        return ("theta = constant", "w = 0", "dw/dt = 0")

    def spaces(self) -> tuple[Space, Space]:
        space = Space((), directions(XYZ, "tail"))
        return space, space

    def motion(self, q: Sequence[Expr], p: Sequence[Expr]) -> RotationMotion:
        return RotationMotion(self.R_tail_head, NULL, (), NULL)

    def closure(self, R_tail_head: Matrix) -> tuple[Expr, ...]:
        return _small_rotation(R_tail_head.times(self.R_tail_head.T))

    def facing(self, R_tail_head: Matrix) -> tuple[Expr, ...]:
        return (_cosine(R_tail_head.times(self.R_tail_head.T)),)
