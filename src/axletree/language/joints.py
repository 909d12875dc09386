"""Ready-made constraints, scaled so that their multipliers are forces and torques.

Lot and Massaro 2017, section 2.5. A positive multiplier acts on the first body along the
direction that the constraint measures, and against it on the second. One of the two bodies may
be None: the joint then holds the other to a point or a frame of the base.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sympy

from axletree.language.bodies import Body, Force, Load, Torque
from axletree.language.constraints import Constraint
from axletree.language.errors import LanguageError
from axletree.language.frames import Frame, same_world
from axletree.language.points import Point, Vector
from axletree.language.transformations import AXES
from axletree.language.variables import Scalar, variable

Multipliers = Sequence[sympy.Expr] | None
End = tuple[Body | None, Point]  # a body and a point of it


@dataclass(frozen=True, eq=False)
class Mount:
    """A body, or None for what is fixed in the base, and the frame on it that a joint holds."""

    body: Body | None
    frame: Frame

    def axis(self, k: int) -> Vector:
        return self.frame.vector(*(int(i == k % 3) for i in range(3)))


def spherical(
    name: str,
    first: End,
    second: End,
    multipliers: Multipliers = None,
    axes: Frame | None = None,
) -> Constraint:
    """Two points coincide; the force on the first body in the axes, the base's if none."""
    (body_1, P_1), (body_2, P_2) = _ends(name, first, second)
    frame = axes or P_1.frame.world.base
    gap = (P_2 - P_1).in_frame(frame)
    named = _named(name, multipliers, ("Fx", "Fy", "Fz"))
    held = _force(name, frame.vector(*named), (body_1, P_1), (body_2, P_2))
    return Constraint(name, frame.world, list(gap.exact), named, (held,))


def rod(
    name: str,
    first: End,
    second: End,
    length: Scalar,
    multipliers: Multipliers = None,
) -> Constraint:
    """Two points keep their distance [m]; the multiplier is the tension."""
    (body_1, P_1), (body_2, P_2) = _ends(name, first, second)
    if sympy.sympify(length).is_positive is False:
        raise LanguageError(f"the length of rod {name!r} is {length} m; it is above 0")
    gap = (P_2 - P_1).in_frame(P_1.frame.world.base)
    named = _named(name, multipliers, ("tension",))
    held = _force(name, gap * (named[0] / length), (body_1, P_1), (body_2, P_2))
    stretch = (gap.dot(gap) - length**2) / (2 * length)
    return Constraint(name, P_1.frame.world, [stretch], named, (held,))


def revolute(
    name: str, first: Mount, second: Mount, axis: str = "z", multipliers: Multipliers = None
) -> Constraint:
    """The frames share their origin and an axis: five equations."""
    k = _axis(name, first, second, axis)
    rows = [_no_offset(first, second, i) for i in range(3)] + _in_line(first, second, k)
    return _joint(name, first, second, rows, multipliers)


def cylindrical(
    name: str, first: Mount, second: Mount, axis: str = "z", multipliers: Multipliers = None
) -> Constraint:
    """The frames share an axis, and slide and turn along it: four equations."""
    k = _axis(name, first, second, axis)
    rows = [_no_offset(first, second, k + 1), _no_offset(first, second, k + 2)]
    return _joint(name, first, second, rows + _in_line(first, second, k), multipliers)


def prismatic(
    name: str, first: Mount, second: Mount, axis: str = "z", multipliers: Multipliers = None
) -> Constraint:
    """The frames are parallel and slide along an axis: five equations."""
    k = _axis(name, first, second, axis)
    rows = [_no_offset(first, second, k + 1), _no_offset(first, second, k + 2)]
    rows += [*_in_line(first, second, k), _Square(second.axis(k + 1), first.axis(k + 2))]
    return _joint(name, first, second, rows, multipliers)


def planar(
    name: str, first: Mount, second: Mount, axis: str = "z", multipliers: Multipliers = None
) -> Constraint:
    """The second origin stays in the plane across the axis, which both share: three equations."""
    k = _axis(name, first, second, axis)
    rows = [_no_offset(first, second, k), *_in_line(first, second, k)]
    return _joint(name, first, second, rows, multipliers)


@dataclass(frozen=True, eq=False)
class _NoOffset:
    """The place of a point along a direction of the first body is zero."""

    gap: Vector
    direction: Vector
    at: Point

    @property
    def equation(self) -> sympy.Expr:
        return self.direction.dot(self.gap)

    def load(self, name: str, multiplier: sympy.Expr, first: Mount, second: Mount) -> Load:
        vector = self.direction * multiplier
        return _force(name, vector, (first.body, self.at), (second.body, self.at))


@dataclass(frozen=True, eq=False)
class _Square:
    """An axis of the second body is at right angles to one of the first."""

    of_second: Vector
    of_first: Vector

    @property
    def equation(self) -> sympy.Expr:
        return self.of_first.dot(self.of_second)

    def load(self, name: str, multiplier: sympy.Expr, first: Mount, second: Mount) -> Load:
        vector = self.of_second.cross(self.of_first) * multiplier
        if first.body is None:
            return Torque(name, -vector, _body(name, second.body))
        return Torque(name, vector, first.body, second.body)


_Row = _NoOffset | _Square


def _no_offset(first: Mount, second: Mount, k: int) -> _Row:
    end = second.frame.origin
    return _NoOffset(end - first.frame.origin, first.axis(k), end)


def _in_line(first: Mount, second: Mount, k: int) -> list[_Row]:
    return [_Square(second.axis(k), first.axis(k + i)) for i in (1, 2)]


def _joint(
    name: str, first: Mount, second: Mount, rows: Sequence[_Row], multipliers: Multipliers
) -> Constraint:
    letters = [f"{'F' if isinstance(row, _NoOffset) else 'M'}{i}" for i, row in enumerate(rows, 1)]
    named = _named(name, multipliers, letters)
    pairs = list(zip(rows, named, strict=True))
    loads = [row.load(name, multiplier, first, second) for row, multiplier in pairs]
    equations = [row.equation for row in rows]
    return Constraint(name, first.frame.world, equations, named, loads)


def _ends(name: str, *ends: End) -> tuple[End, ...]:
    for end in ends:
        if not isinstance(end, tuple) or len(end) != 2 or not isinstance(end[1], Point):
            raise LanguageError(f"joint {name!r} holds a body and a point of it, not {end!r}")
    same_world(ends[0][1], ends[1][1])
    return ends


def _force(name: str, vector: Vector, first: End, second: End) -> Force:
    """On the first body, and the opposite on the second; either may be None."""
    (body_1, P_1), (body_2, P_2) = first, second
    if body_1 is None:
        return Force(name, -vector, P_2, _body(name, body_2))
    return Force(name, vector, P_1, body_1, body_2, None if body_2 is None else P_2)


def _body(name: str, body: Body | None) -> Body:
    if body is None:
        raise LanguageError(f"joint {name!r} holds no body; one of its two must be a Body")
    return body


def _named(name: str, given: Multipliers, letters: Sequence[str]) -> tuple[sympy.Expr, ...]:
    if given is None:
        return tuple(variable(f"{name}_{letter}") for letter in letters)
    if len(given) != len(letters):
        raise LanguageError(
            f"joint {name!r} has {len(letters)} equations, so as many multipliers; "
            f"{len(given)} were given"
        )
    return tuple(given)


def _axis(name: str, first: Mount, second: Mount, axis: str) -> int:
    """The axis by its number, after a look at what the joint holds."""
    for mount in (first, second):
        if not isinstance(mount, Mount):
            raise LanguageError(f"joint {name!r} holds Mount(body, frame), not {mount!r}")
    same_world(first.frame, second.frame)
    if axis not in AXES or len(axis) != 1:
        raise LanguageError(f"the axis of joint {name!r} is 'x', 'y' or 'z', not {axis!r}")
    return AXES.index(axis)
