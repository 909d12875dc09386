"""What joints hold: ends and mounts, and the rows of their equations with the loads they exert."""

from __future__ import annotations

from dataclasses import dataclass

import sympy

from axletree.language.bodies import Body, Force, Load, Torque
from axletree.language.errors import LanguageError
from axletree.language.frames import Frame
from axletree.language.points import Point
from axletree.language.vectors import Vector

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


Row = NoOffset | Square


def no_offset(first: Mount, second: Mount, k: int) -> Row:
    end = second.frame.origin
    return NoOffset(end - first.frame.origin, first.axis(k), end)


def in_line(first: Mount, second: Mount, k: int) -> list[Row]:
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
