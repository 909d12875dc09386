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
from axletree.language.frames import Frame, Point, Vector, same_world
from axletree.language.transformations import AXES
from axletree.language.variables import LanguageError, Scalar, variable

Multipliers = Sequence[sympy.Expr] | None


def spherical(
    name: str,
    first: End,
    second: End,
    multipliers: Multipliers = None,
    axes: Frame | None = None,
) -> Constraint:
    """Two points coincide; the force on the first body in the axes, the base's if none.

    Example:
    >>> from axletree.language import Body, POINT_MASS, World, spherical, translation, variables
    >>> base, (x, y, z) = World().base, variables("x y z")  # m
    >>> bob = Body("bob", base.moved("B", translation(x, y, z)), 1, POINT_MASS)
    >>> ball = spherical("ball", (bob, bob.centre), (None, base.point(z=2)))
    >>> print(*ball.equations)
    -x(t) -y(t) 2 - z(t)
    """
    (body_1, P_1), (body_2, P_2) = _ends(name, first, second)
    frame = axes or P_1.frame.world.base
    gap = (P_2 - P_1).in_frame(frame)
    named = _named(name, multipliers, ("Fx", "Fy", "Fz"))
    held = held_by(name, frame.vector(*named), (body_1, P_1), (body_2, P_2))
    return Constraint(name, frame.world, list(gap.exact), named, (held,))


def rod(
    name: str,
    first: End,
    second: End,
    length: Scalar,
    multipliers: Multipliers = None,
) -> Constraint:
    """Two points keep their distance [m]; the multiplier is the tension.

    Example:
    >>> from axletree.language import Body, POINT_MASS, World, rod, translation, variables
    >>> base, (x, z) = World().base, variables("x z")  # m
    >>> bob = Body("bob", base.moved("B", translation(x, 0, z)), 1, POINT_MASS)
    >>> print(*rod("string", (bob, bob.centre), (None, base.origin), 2).equations)  # m, of 2 m
    x(t)**2/4 + z(t)**2/4 - 1
    """
    (body_1, P_1), (body_2, P_2) = _ends(name, first, second)
    if sympy.sympify(length).is_positive is False:
        raise LanguageError(f"the length of rod {name!r} is {length} m; it is above 0")
    gap = (P_2 - P_1).in_frame(P_1.frame.world.base)
    named = _named(name, multipliers, ("tension",))
    held = held_by(name, gap * (named[0] / length), (body_1, P_1), (body_2, P_2))
    stretch = (gap.dot(gap) - length**2) / (2 * length)
    return Constraint(name, P_1.frame.world, [stretch], named, (held,))


def revolute(
    name: str, first: Mount, second: Mount, axis: str = "z", multipliers: Multipliers = None
) -> Constraint:
    """The frames share their origin and an axis: five equations.

    Example:
    >>> from axletree.language import Body, Mount, POINT_MASS, World, revolute, rotation_z, variable
    >>> base = World().base
    >>> arm = Body("arm", base.moved("A", rotation_z(variable("turn"))), 1, POINT_MASS)
    >>> pin = revolute("pin", Mount(arm, arm.frame), Mount(None, base))
    >>> pin.equations, len(pin.multipliers)  # this motion meets them; three forces, two torques
    ((0, 0, 0, 0, 0), 5)
    """
    k = _axis(name, first, second, axis)
    rows = [no_offset(first, second, i) for i in range(3)] + in_line(first, second, k)
    return _joint(name, first, second, rows, multipliers)


def cylindrical(
    name: str, first: Mount, second: Mount, axis: str = "z", multipliers: Multipliers = None
) -> Constraint:
    """The frames share an axis, and slide and turn along it: four equations.

    Example:
    >>> from axletree.language import Body, Mount, POINT_MASS, World, cylindrical
    >>> from axletree.language import translation, variables
    >>> base, (x, y) = World().base, variables("x y")  # m
    >>> sleeve = Body("sleeve", base.moved("S", translation(x, y)), 1, POINT_MASS)
    >>> print(*cylindrical("shaft", Mount(sleeve, sleeve.frame), Mount(None, base)).equations)
    -x(t) -y(t) 0 0
    """
    k = _axis(name, first, second, axis)
    rows = [no_offset(first, second, k + 1), no_offset(first, second, k + 2)]
    return _joint(name, first, second, rows + in_line(first, second, k), multipliers)


def prismatic(
    name: str, first: Mount, second: Mount, axis: str = "z", multipliers: Multipliers = None
) -> Constraint:
    """The frames are parallel and slide along an axis: five equations.

    Example:
    >>> from axletree.language import Body, Mount, POINT_MASS, World, prismatic
    >>> from axletree.language import translation, variables
    >>> base, (x, y) = World().base, variables("x y")  # m
    >>> slider = Body("slider", base.moved("S", translation(x, y)), 1, POINT_MASS)
    >>> print(*prismatic("way", Mount(slider, slider.frame), Mount(None, base)).equations)
    -x(t) -y(t) 0 0 0
    """
    k = _axis(name, first, second, axis)
    rows = [no_offset(first, second, k + 1), no_offset(first, second, k + 2)]
    rows += [*in_line(first, second, k), Square(second.axis(k + 1), first.axis(k + 2))]
    return _joint(name, first, second, rows, multipliers)


def planar(
    name: str, first: Mount, second: Mount, axis: str = "z", multipliers: Multipliers = None
) -> Constraint:
    """The second origin stays in the plane across the axis, which both share: three equations.

    Example:
    >>> from axletree.language import Body, Mount, POINT_MASS, World, planar, translation, variables
    >>> base, (x, z) = World().base, variables("x z")  # m
    >>> plate = Body("plate", base.moved("P", translation(x, 0, z)), 1, POINT_MASS)
    >>> print(*planar("table", Mount(plate, plate.frame), Mount(None, base)).equations)
    -z(t) 0 0
    """
    k = _axis(name, first, second, axis)
    rows = [no_offset(first, second, k), *in_line(first, second, k)]
    return _joint(name, first, second, rows, multipliers)


def _joint(
    name: str, first: Mount, second: Mount, rows: Sequence[JointRow], multipliers: Multipliers
) -> Constraint:
    letters = [f"{'F' if isinstance(row, NoOffset) else 'M'}{i}" for i, row in enumerate(rows, 1)]
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


# What joints hold: ends and mounts, and the rows of their equations with the loads they exert.

End = tuple[Body | None, Point]  # a body and a point of it


@dataclass(frozen=True, eq=False)
class Mount:
    """A body, or None for what is fixed in the base, and the frame on it that a joint holds.

    Example:
    >>> from axletree.language import Mount, World
    >>> print(Mount(None, World().base).axis(1))  # held to the base; its y axis
    vector (0, 1, 0) in 'base'
    """

    body: Body | None
    frame: Frame

    def axis(self, k: int) -> Vector:
        """The unit vector along x, y or z of the frame: k is 0, 1 or 2.

        Example:
        >>> from axletree.language import Mount, World, rotation_x, variable
        >>> base = World().base
        >>> door = Mount(None, base.moved("door", rotation_x(variable("a"))))  # rad
        >>> print(door.axis(2).in_frame(base))
        vector (0, -sin(a), cos(a)) in 'base'
        """
        return self.frame.vector(*(int(i == k % 3) for i in range(3)))


@dataclass(frozen=True, eq=False)
class NoOffset:
    """The place of a point along a direction of the first body is zero."""

    gap: Vector
    direction: Vector
    at: Point

    @property
    def equation(self) -> sympy.Expr:
        return self.direction.dot(self.gap)

    def load(self, name: str, multiplier: sympy.Expr, first: Mount, second: Mount) -> Load:
        vector = self.direction * multiplier
        return held_by(name, vector, (first.body, self.at), (second.body, self.at))


@dataclass(frozen=True, eq=False)
class Square:
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


JointRow = NoOffset | Square


def no_offset(first: Mount, second: Mount, k: int) -> JointRow:
    end = second.frame.origin
    return NoOffset(end - first.frame.origin, first.axis(k), end)


def in_line(first: Mount, second: Mount, k: int) -> list[JointRow]:
    return [Square(second.axis(k), first.axis(k + i)) for i in (1, 2)]


def held_by(name: str, vector: Vector, first: End, second: End) -> Force:
    """On the first body, and the opposite on the second; either may be None."""
    (body_1, P_1), (body_2, P_2) = first, second
    if body_1 is None:
        return Force(name, -vector, P_2, _body(name, body_2))
    return Force(name, vector, P_1, body_1, body_2, None if body_2 is None else P_2)


def _body(name: str, body: Body | None) -> Body:
    if body is None:
        raise LanguageError(f"joint {name!r} holds no body; one of its two must be a Body")
    return body
