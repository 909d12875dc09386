"""Points, which carry the frame that their coordinates are in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sympy

from axletree.language import frames, vectors
from axletree.language.errors import LanguageError, described
from axletree.language.readable import written
from axletree.language.transformations import skew
from axletree.language.variables import TIME

if TYPE_CHECKING:
    from axletree.language.frames import Frame
    from axletree.language.vectors import Vector


class Point:
    """Three coordinates [m] in a frame.

    Example:
    >>> from axletree.language import World, translation, variable
    >>> tip = World().base.moved("slide", translation(variable("x"))).point(z=2, name="tip")  # m
    >>> print(tip, "|", tip.velocity(), "|", tip.acceleration())  # m, m/s, m/s^2
    tip (0, 0, 2) in 'slide' | vector (x', 0, 0) in 'base' | vector (x'', 0, 0) in 'base'
    """

    def __init__(self, frame: Frame, coordinates: sympy.Matrix, name: str) -> None:
        self.frame = frame
        self.name = name
        self._xyz = frame.world.arisen(sympy.Matrix(coordinates))

    def __repr__(self) -> str:
        return f"{self.name} ({', '.join(map(written, self.xyz))}) in {self.frame.name!r}"

    @property
    def exact(self) -> sympy.Matrix:
        """The coordinates as they are kept while the model is built."""
        return self._xyz

    @property
    def xyz(self) -> sympy.Matrix:
        """The coordinates, to the first order in what is small."""
        return self.frame.world.final(self._xyz)

    def in_frame(self, frame: Frame) -> Point:
        """The same point by its coordinates [m] in another frame.

        Example:
        >>> from axletree.language import World, translation, variable
        >>> base = World().base
        >>> car = base.moved("car", translation(variable("x")))  # m
        >>> print(base.point(50, name="cone").in_frame(car))
        cone (50 - x, 0, 0) in 'car'
        """
        T = self.frame.relative_to(frame)
        return Point(frame, T[:3, :3] * self._xyz + T[:3, 3], self.name)

    def __sub__(self, other: Point) -> Vector:
        """The vector from the other point to this one."""
        if not isinstance(other, Point):
            raise LanguageError(
                f"cannot subtract {described(other)} from {self!r}; the difference of two points "
                "is the vector between them, and point + (-vector) is a point"
            )
        frames.same_world(self, other)
        return vectors.Vector(self.frame, self._xyz - other.in_frame(self.frame)._xyz)

    def __add__(self, other: Vector) -> Point:
        if not isinstance(other, vectors.Vector):
            raise LanguageError(
                f"cannot add {described(other)} to {self!r}; only a vector can be added to a "
                "point, one that says its frame: frame.vector(x, y, z)"
            )
        frames.same_world(self, other)
        moved = self._xyz + other.in_frame(self.frame)._xyz
        return Point(self.frame, moved, f"a point from {self.name}")

    __radd__ = __add__

    def __mul__(self, factor: Any) -> Point:
        raise LanguageError(
            f"{self!r} cannot be multiplied by {described(factor)}; a vector can: the difference "
            "of two points"
        )

    __rmul__ = __mul__

    def velocity(self, relative_to: Frame | None = None) -> Vector:
        """[m/s] as seen from a frame, in that frame; from the ground, in the base, if none.

        Lot and Massaro 2017, eq. (7): V = W A + A'.

        Example:
        >>> from axletree.language import World, rotation_z, variable
        >>> arm = World().base.moved("arm", rotation_z(variable("turn")))  # rad
        >>> print(arm.point(x=2).velocity().in_frame(arm))  # m/s
        vector (0, 2*turn', 0) in 'arm'
        """
        if relative_to is not None:
            return vectors.Vector(relative_to, self.in_frame(relative_to)._xyz.diff(TIME))
        world = self.frame.world
        own = self.in_frame(world.base)._xyz
        moving = world.moving
        return vectors.Vector(world.base, moving.V + skew(moving.Omega) * own + own.diff(TIME))

    def acceleration(self, relative_to: Frame | None = None) -> Vector:
        """[m/s^2] as seen from a frame, in that frame; from the ground, in the base, if none.

        Example:
        >>> from axletree.language import World, rotation_z, variable
        >>> arm = World().base.moved("arm", rotation_z(variable("turn")))  # rad
        >>> print(arm.point(x=2).acceleration().in_frame(arm))
        vector (-2*turn'**2, 2*turn'', 0) in 'arm'
        """
        return self.velocity(relative_to).derivative(relative_to)
