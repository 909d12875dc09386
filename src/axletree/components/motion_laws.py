"""Ways for a head to translate and to turn in its tail: the across spaces of mechanical edges.

Translations along axes, at a distance, with the head's speeds; rotations about axes, by Euler
angles and by a unit quaternion; and six freedoms: three positions and an orientation, and which
speeds go with them.

Motions may be led, too. Those that drivers prescribe leave no freedom and take any effort; a head
that is guided along a curve turns as it goes: one freedom for both.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from axletree.components.edges import (
    Basis,
    Exprs,
    Gimbal,
    MotionLaw,
    RotationLaw,
    RotationMotion,
    Space,
    TranslationLaw,
    TranslationMotion,
    Variable,
    at_all_levels,
    gimbal_of,
)
from axletree.components.signals import MotionCourse
from axletree.core.arrays import euclidean_norm, ordered_product
from axletree.core.errors import ModelError
from axletree.expr import ONE, ZERO, Expr, cos, directional_derivative, sin
from axletree.expr.vectors import IDENTITY, NULL, Matrix, Vector, rotation

Axis = tuple[float, float, float]
XYZ: tuple[Axis, Axis, Axis] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def normals(axes: Sequence[Axis]) -> tuple[Axis, ...]:
    """Unit vectors that span what the orthonormal ``axes`` leave; coordinate axes if they do."""
    chosen: list[np.ndarray] = [np.array(a) for a in axes]
    found: list[Axis] = []
    for candidate in XYZ:
        rest = np.array(candidate)
        for taken in chosen:
            rest = rest - ordered_product(rest, taken) * taken
        left = euclidean_norm(rest)
        if left > 0.5:
            unit = rest / left
            chosen.append(unit)
            found.append((float(unit[0]), float(unit[1]), float(unit[2])))
    return tuple(found)


def directions(axes: Sequence[Axis], frame: str) -> tuple[str, ...]:
    """Unit vectors as text: ``x of the tail``, or their components."""
    found = []
    for axis in axes:
        named = [letter for letter, unit in zip("xyz", XYZ, strict=True) if unit == axis]
        text = named[0] if named else "(" + ", ".join(f"{c:.4g}" for c in axis) + ")"
        found.append(f"{text} of the {frame}")
    return tuple(found)


def reactions_along(
    directions: Sequence[Axis], unit: str, letter: str, what: str
) -> tuple[Variable, ...]:
    names = []
    for k, direction in enumerate(directions, start=1):
        axis = XYZ.index(direction) if direction in XYZ else None
        suffix = f"{letter}{'xyz'[axis]}" if axis is not None else f"{letter}{k}"
        shown = ", ".join(f"{c:g}" for c in direction)
        names.append(Variable(suffix, unit, f"{what} on the head along ({shown}) of the tail"))
    return tuple(names)


@dataclass(frozen=True)
class AlongAxes(TranslationLaw):
    """Free along orthonormal axes of the tail, held along their normals.

    No axis: the origins coincide. One: a slide. Two: a plane. Three: free.
    """

    axes: tuple[Axis, ...] = ()
    coordinates: tuple[Variable, ...] = ()
    speeds: tuple[Variable, ...] = ()

    @property
    def reactions(self) -> tuple[Variable, ...]:
        return reactions_along(normals(self.axes), "N", "F", "force")

    @property
    def freedom(self) -> Vector | None:
        return Vector(self.axes[0]) if len(self.axes) == 1 else None

    def terminal_equations(self) -> tuple[str, ...]:
        if not self.axes:
            return ("r = 0", "v = 0", "a = 0")
        names = [v.suffix for v in self.coordinates]
        space = " + ".join(f"{name} u{k}" for k, name in enumerate(names, start=1))
        return (f"r = {space}", f"v = d/dt ({space})", f"a = d2/dt2 ({space})")

    def spaces(self) -> tuple[Space, Space]:
        return at_all_levels(
            Space(directions(self.axes, "tail"), directions(normals(self.axes), "tail"))
        )

    def motion(self, q: Exprs, p: Exprs, R_tail_head: Matrix, w_head: Vector) -> TranslationMotion:
        vectors = tuple(Vector(axis) for axis in self.axes)
        return TranslationMotion(
            displacement=sum((a * x for a, x in zip(vectors, q, strict=True)), NULL),
            velocity=sum((a * x for a, x in zip(vectors, p, strict=True)), NULL),
            partials=vectors,
            bias=NULL,
        )

    def closure(self, r_tail: Vector) -> tuple[Expr, ...]:
        return tuple(Vector(n).dot(r_tail) for n in normals(self.axes))

    @property
    def sees_tail_turn(self) -> bool:
        return bool(self.axes)


@dataclass(frozen=True)
class FixedOffset(TranslationLaw):
    """A rigid arm: the head stands at a fixed position in the tail."""

    equations = ("r = constant in the tail", "v = w x r", "a = dw/dt x r + w x v")

    offset: Vector = NULL
    reactions: tuple[Variable, ...] = reactions_along(XYZ, "N", "F", "force")
    is_rigid: bool = True

    def spaces(self) -> tuple[Space, Space]:
        return at_all_levels(Space((), directions(XYZ, "tail")))

    def motion(self, q: Exprs, p: Exprs, R_tail_head: Matrix, w_head: Vector) -> TranslationMotion:
        return TranslationMotion(self.offset, NULL, (), NULL)

    def closure(self, r_tail: Vector) -> tuple[Expr, ...]:
        return tuple(r_tail - self.offset)


@dataclass(frozen=True)
class WithHeadSpeeds(TranslationLaw):
    """Free, positions along the tail's axes, speeds along the head's (Morency 2007, 2.4.5)."""

    equations = (
        "r = x i + y j + z k of the tail",
        "v = vx i + vy j + vz k of the head",
        "a = dv/dt",
    )

    coordinates: tuple[Variable, ...] = ()
    speeds: tuple[Variable, ...] = ()

    def spaces(self) -> tuple[Space, Space]:
        return Space(directions(XYZ, "tail"), ()), Space(directions(XYZ, "head"), ())

    def motion(self, q: Exprs, p: Exprs, R_tail_head: Matrix, w_head: Vector) -> TranslationMotion:
        velocity = Vector(p)
        # d/dt (R p) = R (dp/dt + w x p)
        return TranslationMotion(
            Vector(q), velocity, tuple(IDENTITY), w_head.cross(velocity), Basis.HEAD
        )

    def rates(self, q: Exprs, p: Exprs, R_tail_head: Matrix) -> tuple[Expr, ...]:
        return tuple(R_tail_head @ Vector(p))

    def closure(self, r_tail: Vector) -> tuple[Expr, ...]:
        return ()  # all is free


@dataclass(frozen=True)
class AtDistance(TranslationLaw):
    """A massless rod: the head stays at a fixed distance.

    In the tree its three coordinates are those of a free edge, and the distance remains
    a constraint.
    """

    equations = ("r . r = L^2", "r . v = 0", "r . a + v . v = 0")

    length: Expr = NULL[0]
    coordinates: tuple[Variable, ...] = ()
    speeds: tuple[Variable, ...] = ()
    reactions: tuple[Variable, ...] = (
        Variable("tension_per_length", "N/m", "tension over length, positive where it pulls"),
    )
    closes_as_branch: bool = True

    def spaces(self) -> tuple[Space, Space]:
        return at_all_levels(Space(("two directions normal to r",), ("r / L",)))

    def motion(self, q: Exprs, p: Exprs, R_tail_head: Matrix, w_head: Vector) -> TranslationMotion:
        return TranslationMotion(Vector(q), Vector(p), tuple(IDENTITY), NULL)

    def closure(self, r_tail: Vector) -> tuple[Expr, ...]:
        # In this sense a positive reaction on the head is towards the tail.
        return ((self.length * self.length - r_tail.dot(r_tail)) * 0.5,)

    @property
    def sees_tail_turn(self) -> bool:
        return False

    def efforts(self, reactions: Mapping[str, Expr]) -> tuple[tuple[Variable, Expr], ...]:
        tension = Variable("tension", "N", "tension, positive where it pulls the ends together")
        return ((tension, reactions["tension_per_length"] * self.length),)


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
            held = directions(normals(self.axes), "tail")
            return at_all_levels(Space(directions(self.axes, "tail"), held))
        turned = tuple(
            f"u{k}, turned by the angles before it" for k in range(1, len(self.axes) + 1)
        )
        return at_all_levels(Space(turned, ("u1 x u2",) if len(self.axes) == 2 else ()))

    def motion(self, q: Exprs, p: Exprs) -> RotationMotion:
        turns = [rotation(Vector(u), angle) for u, angle in zip(self.axes, q, strict=True)]
        R_tail_head = IDENTITY
        for turn in turns:
            R_tail_head = R_tail_head.times(turn)
        partials, velocity, bias = _sequential(self.axes, turns, p)
        return RotationMotion(R_tail_head, velocity, partials, bias)

    def closure(self, R_tail_head: Matrix) -> tuple[Expr, ...]:
        if not self.axes:
            return tuple(sine_vector(R_tail_head))
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


def sine_vector(R: Matrix) -> Vector:
    """The axis of a rotation times the sine of its angle: the skew part of its matrix."""
    return Vector((R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1])) * 0.5


def _cosine(R: Matrix) -> Expr:
    """Of the angle of a rotation."""
    return (R[0][0] + R[1][1] + R[2][2] - 1.0) * 0.5


@dataclass(frozen=True)
class EulerWithHeadSpeeds(RotationLaw):
    """Euler angles as coordinates, angular velocity in head components as speeds."""

    equations = ("theta = three turns", "w = wx i + wy j + wz k of the head", "dw/dt = rates")

    axes: tuple[Axis, ...] = ()
    coordinates: tuple[Variable, ...] = ()
    speeds: tuple[Variable, ...] = ()

    def spaces(self) -> tuple[Space, Space]:
        return AboutAxes(self.axes).spaces()[0], Space(directions(XYZ, "head"), ())

    def motion(self, q: Exprs, p: Exprs) -> RotationMotion:
        turned = AboutAxes(self.axes).motion(q, (NULL[0],) * 3)
        return RotationMotion(turned.R_tail_head, Vector(p), tuple(IDENTITY), NULL)

    def rates(self, q: Exprs, p: Exprs, R_tail_head: Matrix) -> tuple[Expr, ...]:
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

    @property
    def gimbal(self) -> Gimbal | None:
        return gimbal_of(self.axes, self.coordinates)

    def closure(self, R_tail_head: Matrix) -> tuple[Expr, ...]:
        return ()  # all is free


_EVEN = ((0, 1, 2), (1, 2, 0), (2, 0, 1))


@dataclass(frozen=True)
class FixedTurn(RotationLaw):
    """A rigid arm: the head keeps a fixed orientation in the tail."""

    equations = ("theta = constant", "w = 0", "dw/dt = 0")

    R_tail_head: Matrix = IDENTITY
    reactions: tuple[Variable, ...] = reactions_along(XYZ, "N*m", "M", "moment")
    is_rigid: bool = True

    def spaces(self) -> tuple[Space, Space]:
        return at_all_levels(Space((), directions(XYZ, "tail")))

    def motion(self, q: Exprs, p: Exprs) -> RotationMotion:
        return RotationMotion(self.R_tail_head, NULL, (), NULL)

    def closure(self, R_tail_head: Matrix) -> tuple[Expr, ...]:
        return tuple(sine_vector(R_tail_head.times(self.R_tail_head.T)))

    def facing(self, R_tail_head: Matrix) -> tuple[Expr, ...]:
        return (_cosine(R_tail_head.times(self.R_tail_head.T)),)


@dataclass(frozen=True)
class QuaternionRotation(RotationLaw):
    """A unit quaternion (e0, e1, e2, e3) as coordinates, head-component speeds.

    The kinematics are those of Nikravesh 1988, chapter 6. The coordinates are normalised
    inside, and a term of their rate pulls the length back to one, with a time constant of
    half a second.
    """

    equations = ("theta = unit quaternion", "w = wx i + wy j + wz k of the head", "dw/dt = rates")

    coordinates: tuple[Variable, ...] = ()
    speeds: tuple[Variable, ...] = ()

    def spaces(self) -> tuple[Space, Space]:
        quaternion = Space(("e0", "e1", "e2", "e3"), ())
        return quaternion, Space(directions(XYZ, "head"), ())

    def motion(self, q: Exprs, p: Exprs) -> RotationMotion:
        e0, e1, e2, e3 = q
        two_over_length = 2.0 / (e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3)
        a1, a2, a3 = e1 * two_over_length, e2 * two_over_length, e3 * two_over_length
        R_tail_head = Matrix(
            (
                (1.0 - (e2 * a2 + e3 * a3), e1 * a2 - e0 * a3, e1 * a3 + e0 * a2),
                (e1 * a2 + e0 * a3, 1.0 - (e1 * a1 + e3 * a3), e2 * a3 - e0 * a1),
                (e1 * a3 - e0 * a2, e2 * a3 + e0 * a1, 1.0 - (e1 * a1 + e2 * a2)),
            )
        )
        return RotationMotion(R_tail_head, Vector(p), tuple(IDENTITY), NULL)

    def rates(self, q: Exprs, p: Exprs, R_tail_head: Matrix) -> tuple[Expr, ...]:
        e0, e1, e2, e3 = q
        wx, wy, wz = (0.5 * w for w in p)
        excess = 1.0 - (e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3)
        return (
            -e1 * wx - e2 * wy - e3 * wz + e0 * excess,
            e0 * wx - e3 * wy + e2 * wz + e1 * excess,
            e3 * wx + e0 * wy - e1 * wz + e2 * excess,
            -e2 * wx + e1 * wy + e0 * wz + e3 * excess,
        )

    def regular(self, q: Sequence[float]) -> tuple[float, ...]:
        length = math.hypot(*q)
        return tuple(e / length for e in q) if length else (1.0, 0.0, 0.0, 0.0)

    def closure(self, R_tail_head: Matrix) -> tuple[Expr, ...]:
        return ()  # all is free


_X, _Y, _Z = XYZ


class Orientation(enum.Enum):
    """How an orientation with three freedoms is described."""

    EULER_321 = "321"  # yaw, pitch, roll: about z, then y, then x
    EULER_312 = "312"  # yaw, roll, pitch
    EULER_313 = "313"  # precession, nutation, spin
    QUATERNION = "quaternion"


class Speeds(enum.Enum):
    """Which speeds go with the coordinates of a free edge."""

    DERIVATIVES = "derivatives"  # rates of the coordinates
    BODY = "body"  # velocity and angular velocity in the head's components


_SEQUENCES = {
    Orientation.EULER_321: ((_Z, _Y, _X), ("yaw", "pitch", "roll")),
    Orientation.EULER_312: ((_Z, _X, _Y), ("yaw", "roll", "pitch")),
    Orientation.EULER_313: ((_Z, _X, _Z), ("precession", "nutation", "spin")),
}

_POSITIONS = tuple(
    Variable(letter, "m", f"{letter} position of the head in the axes of the tail")
    for letter in "xyz"
)
_BODY_TURN_SPEEDS = tuple(
    Variable(
        f"w{letter}", "rad/s", f"{letter} component, in the head's axes, of its angular velocity"
    )
    for letter in "xyz"
)


def free_translation(speeds: Speeds) -> TranslationLaw:
    whose = "tail" if speeds is Speeds.DERIVATIVES else "head"
    velocities = tuple(
        Variable(
            f"v{letter}", "m/s", f"{letter} component, in the axes of the {whose}, of the velocity"
        )
        for letter in "xyz"
    )
    if speeds is Speeds.DERIVATIVES:
        return AlongAxes(XYZ, _POSITIONS, velocities)
    return WithHeadSpeeds(_POSITIONS, velocities)


def free_rotation(orientation: Orientation, speeds: Speeds) -> RotationLaw:
    if orientation is Orientation.QUATERNION:
        parts = tuple(
            Variable(f"e{k}", "1", f"component {k} of the unit quaternion", 1.0 if k == 0 else 0.0)
            for k in range(4)
        )
        return QuaternionRotation(parts, _BODY_TURN_SPEEDS)
    axes, names = _SEQUENCES[orientation]
    angles = tuple(
        Variable(name, "rad", f"angle {k} of the {orientation.value} Euler angles")
        for k, name in enumerate(names, start=1)
    )
    if speeds is Speeds.BODY:
        return EulerWithHeadSpeeds(axes, angles, _BODY_TURN_SPEEDS)
    rates = tuple(Variable(f"{name}_rate", "rad/s", f"rate of {name}") for name in names)
    return AboutAxes(axes, angles, rates)


@dataclass(frozen=True)
class _Driven(MotionLaw):
    """A prescribed motion along or about an axis: value, rate and acceleration are given."""

    axis: Axis
    course: MotionCourse

    @property
    def freedom(self) -> Vector | None:
        return Vector(self.axis)

    @property
    def given_rate(self) -> Expr | None:
        return self.course.rate

    def travel(self, q: Exprs, p: Exprs) -> tuple[Expr, Expr]:
        return self.course.value, self.course.rate

    def spaces(self) -> tuple[Space, Space]:
        return at_all_levels(Space((), directions((self.axis,), "tail")))


@dataclass(frozen=True)
class DrivenAlong(_Driven, TranslationLaw):
    """A prescribed slide."""

    equations = ("r = s(t) u", "v = ds/dt u", "a = d2s/dt2 u")
    reactions: tuple[Variable, ...] = (Variable("force", "N", "force on the head along the axis"),)

    def motion(self, q: Exprs, p: Exprs, R_tail_head: Matrix, w_head: Vector) -> TranslationMotion:
        u, s = Vector(self.axis), self.course
        return TranslationMotion(u * s.value, u * s.rate, (), u * s.acceleration)

    def closure(self, r_tail: Vector) -> tuple[Expr, ...]:
        return (Vector(self.axis).dot(r_tail) - self.course.value,)


@dataclass(frozen=True)
class DrivenAbout(_Driven, RotationLaw):
    """A prescribed turn."""

    equations = ("theta = angle(t) u", "w = d(angle)/dt u", "dw/dt = d2(angle)/dt2 u + w_tail x w")
    reactions: tuple[Variable, ...] = (
        Variable("torque", "N*m", "torque on the head about the axis"),
    )

    def motion(self, q: Exprs, p: Exprs) -> RotationMotion:
        u, turn = Vector(self.axis), self.course
        return RotationMotion(rotation(u, turn.value), u * turn.rate, (), u * turn.acceleration)

    def closure(self, R_tail_head: Matrix) -> tuple[Expr, ...]:
        """The sine of what the turn lacks: a direction normal to the axis, turned by the angle."""
        n1, n2, turned = self._normals(R_tail_head)
        angle = self.course.value
        return (turned.dot(n2) * cos(angle) - turned.dot(n1) * sin(angle),)

    def facing(self, R_tail_head: Matrix) -> tuple[Expr, ...]:
        n1, n2, turned = self._normals(R_tail_head)
        angle = self.course.value
        return (turned.dot(n1) * cos(angle) + turned.dot(n2) * sin(angle),)

    def _normals(self, R_tail_head: Matrix) -> tuple[Vector, Vector, Vector]:
        """Two normals with n1 x n2 along the axis, and the first as the head has it."""
        n1, n2 = (Vector(n) for n in normals((self.axis,)))
        if float(n1.cross(n2).dot(Vector(self.axis))) <= 0.0:
            n1, n2 = n2, n1
        return n1, n2, R_tail_head @ n1


TravelFunction = Callable[[Expr], Expr]  # of the travel


def _slopes(values: Sequence[Expr], travel: Expr) -> list[Expr]:
    return directional_derivative(list(values), {travel: 1.0})


@dataclass(frozen=True)
class AlongPath(TranslationLaw):
    """The head goes along z of the tail by the travel, and aside as functions of it."""

    equations = ("r = x(s) i + y(s) j + s k", "v = dr/ds ds/dt", "a = d/dt v")

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

    def spaces(self) -> tuple[Space, Space]:
        held = directions(normals((XYZ[2],)), "tail")
        return Space(("the path",), held), Space(("its tangent",), ("normals of it",))

    def motion(self, q: Exprs, p: Exprs, R_tail_head: Matrix, w_head: Vector) -> TranslationMotion:
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

    equations = ("theta = theta(s)", "w = dtheta/ds ds/dt", "dw/dt = d/dt w")

    toe: TravelFunction = lambda travel: ZERO  # [rad], about z
    camber: TravelFunction = lambda travel: ZERO  # [rad], about x
    spin: TravelFunction = lambda travel: ZERO  # [rad], about y
    follows_slide: bool = True
    reactions: tuple[Variable, ...] = reactions_along(XYZ, "N*m", "M", "moment")

    def spaces(self) -> tuple[Space, Space]:
        return at_all_levels(Space((), directions(XYZ, "tail")))

    def motion(self, q: Exprs, p: Exprs) -> RotationMotion:
        travel, rate = q[0], p[0]
        angles = [self.toe(travel), self.camber(travel), self.spin(travel)]
        toe, camber, spin = _slopes(angles, travel)
        R_x, R_y = _about(0, angles[1]), _about(1, angles[2])
        before_spin = R_x.T @ Vector((ZERO, ZERO, toe)) + Vector((camber, ZERO, ZERO))
        partial = R_y.T @ before_spin + Vector((ZERO, spin, ZERO))
        bias = Vector(_slopes(list(partial), travel)) * (rate * rate)
        R = _about(2, angles[0]).times(R_x).times(R_y)
        return RotationMotion(R, partial * rate, (partial,), bias)

    def closure(self, R_tail_head: Matrix) -> tuple[Expr, ...]:
        raise ModelError(
            "a guide turns as it slides and closes no loop; let it carry its head alone"
        )


def _about(k: int, angle: Expr) -> Matrix:
    """A turn about coordinate axis k."""
    rows = [[ONE if row == column else ZERO for column in range(3)] for row in range(3)]
    i, j = (k + 1) % 3, (k + 2) % 3
    rows[i][i] = rows[j][j] = cos(angle)
    rows[j][i] = sin(angle)
    rows[i][j] = -rows[j][i]
    return Matrix(rows)
