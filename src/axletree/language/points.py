"""Points and vectors, which carry the frame that their components are in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import sympy

from axletree.language import frames
from axletree.language.errors import LanguageError
from axletree.language.readable import written
from axletree.language.transformations import skew
from axletree.language.trigonometry import folded
from axletree.language.variables import TIME, Scalar, scalar

if TYPE_CHECKING:
    from axletree.language.frames import Frame


class Vector:
    """Three components in a frame; sums and products with others are formed in this frame.

    Example:
    >>> from axletree.language import World
    >>> base = World().base
    >>> print(base.vector(1, 2, 2).norm(), base.vector(1).cross(base.vector(0, 1)))
    3 vector (0, 0, 1) in 'base'
    """

    def __init__(self, frame: Frame, components: sympy.Matrix) -> None:
        self.frame = frame
        self._xyz = frame.world.arisen(sympy.Matrix(components))

    def __repr__(self) -> str:
        return f"vector ({', '.join(map(written, self.xyz))}) in {self.frame.name!r}"

    @property
    def exact(self) -> sympy.Matrix:
        """The components as they are kept while the model is built."""
        return self._xyz

    @property
    def xyz(self) -> sympy.Matrix:
        """The components, to the first order in what is small."""
        return self.frame.world.final(self._xyz)

    def __iter__(self) -> Iterator[sympy.Expr]:
        """The components, to the first order in what is small."""
        return iter(self.xyz)

    def in_frame(self, frame: Frame) -> Vector:
        """The same vector by its components in another frame."""
        return Vector(frame, self.frame.relative_to(frame)[:3, :3] * self._xyz)

    def __add__(self, other: Vector) -> Vector:
        if isinstance(other, Point):
            return NotImplemented  # the point knows
        return Vector(self.frame, self._xyz + self._seen(other, "add")._xyz)

    def __radd__(self, other: Any) -> Vector:
        return self.__add__(other)  # other is no vector, which is told there

    def __sub__(self, other: Vector) -> Vector:
        return Vector(self.frame, self._xyz - self._seen(other, "subtract")._xyz)

    def __neg__(self) -> Vector:
        return Vector(self.frame, -self._xyz)

    def __mul__(self, factor: Scalar) -> Vector:
        if isinstance(factor, Vector | Point):
            raise LanguageError(
                f"the product of {self!r} and {factor!r} may be dot or cross; write which"
            )
        return Vector(self.frame, self._xyz * scalar(factor, f"a factor of {self!r}"))

    __rmul__ = __mul__

    def __truediv__(self, factor: Scalar) -> Vector:
        if isinstance(factor, Vector | Point):
            raise LanguageError(f"{self!r} cannot be divided by {factor!r}")
        return Vector(self.frame, self._xyz / scalar(factor, f"a divisor of {self!r}"))

    def dot(self, other: Vector) -> sympy.Expr:
        """The scalar product."""
        return self.frame.world.arisen((self._xyz.T * self._seen(other, "multiply")._xyz)[0])

    def cross(self, other: Vector) -> Vector:
        """The vector product."""
        return Vector(self.frame, skew(self._xyz) * self._seen(other, "multiply")._xyz)

    def norm(self) -> sympy.Expr:
        """Its length."""
        squares = (self._xyz.T * self._xyz)[0]
        return self.frame.world.arisen(sympy.sqrt(folded(squares)))

    def derivative(self, relative_to: Frame | None = None) -> Vector:
        """Its rate as seen from a frame, in that frame; from the ground, in the base, if none.

        Lot and Massaro 2017, eq. (6): dA/dt = Omega x A + A'.

        Example:
        >>> from axletree.language import World, variable
        >>> base = World().base
        >>> print(base.vector(variable("u"), 3).derivative())
        vector (u', 0, 0) in 'base'
        """
        if relative_to is not None:
            return Vector(relative_to, self.in_frame(relative_to)._xyz.diff(TIME))
        world = self.frame.world
        own = self.in_frame(world.base)._xyz
        return Vector(world.base, skew(world.moving.Omega) * own + own.diff(TIME))

    def _seen(self, other: Any, doing: str) -> Vector:
        if not isinstance(other, Vector):
            raise LanguageError(
                f"cannot {doing} {self!r} and {described(other)}; a vector is made by "
                "frame.vector(x, y, z), or by the difference of two points"
            )
        frames.same_world(self, other)
        return other.in_frame(self.frame)


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
        """The same point by its coordinates in another frame."""
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
        return Vector(self.frame, self._xyz - other.in_frame(self.frame)._xyz)

    def __add__(self, other: Vector) -> Point:
        if not isinstance(other, Vector):
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
            return Vector(relative_to, self.in_frame(relative_to)._xyz.diff(TIME))
        world = self.frame.world
        own = self.in_frame(world.base)._xyz
        moving = world.moving
        return Vector(world.base, moving.V + skew(moving.Omega) * own + own.diff(TIME))

    def acceleration(self, relative_to: Frame | None = None) -> Vector:
        """[m/s^2], likewise."""
        return self.velocity(relative_to).derivative(relative_to)


def described(thing: Any) -> str:
    if isinstance(thing, Vector | Point):
        return repr(thing)
    if isinstance(thing, tuple | list | sympy.MatrixBase):
        return f"{thing} (of no frame)"
    return f"{thing!r}"
