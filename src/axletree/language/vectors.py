"""Vectors, which carry the frame that their components are in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import sympy

from axletree.language import frames, points
from axletree.language.errors import LanguageError, described
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
        """The same vector by its components in another frame.

        Example:
        >>> from axletree.language import World, parameters, rotation_y, variable
        >>> base, F = World().base, parameters("F")[0]  # N
        >>> slope = base.moved("slope", rotation_y(variable("grade")))  # rad
        >>> print(base.vector(z=F).in_frame(slope))
        vector (-F*sin(grade), 0, F*cos(grade)) in 'slope'
        """
        return Vector(frame, self.frame.relative_to(frame)[:3, :3] * self._xyz)

    def __add__(self, other: Vector) -> Vector:
        if isinstance(other, points.Point):
            return NotImplemented  # the point knows
        return Vector(self.frame, self._xyz + self._seen(other, "add")._xyz)

    def __radd__(self, other: Any) -> Vector:
        return self.__add__(other)  # other is no vector, which is told there

    def __sub__(self, other: Vector) -> Vector:
        return Vector(self.frame, self._xyz - self._seen(other, "subtract")._xyz)

    def __neg__(self) -> Vector:
        return Vector(self.frame, -self._xyz)

    def __mul__(self, factor: Scalar) -> Vector:
        if isinstance(factor, Vector | points.Point):
            raise LanguageError(
                f"the product of {self!r} and {factor!r} may be dot or cross; write which"
            )
        return Vector(self.frame, self._xyz * scalar(factor, f"a factor of {self!r}"))

    __rmul__ = __mul__

    def __truediv__(self, factor: Scalar) -> Vector:
        if isinstance(factor, Vector | points.Point):
            raise LanguageError(f"{self!r} cannot be divided by {factor!r}")
        return Vector(self.frame, self._xyz / scalar(factor, f"a divisor of {self!r}"))

    def dot(self, other: Vector) -> sympy.Expr:
        """The scalar product, in the units' product.

        Example:
        >>> from axletree.language import World
        >>> base = World().base
        >>> base.vector(500, 100).dot(base.vector(20))  # N and m/s: W
        10000
        """
        return self.frame.world.arisen((self._xyz.T * self._seen(other, "multiply")._xyz)[0])

    def cross(self, other: Vector) -> Vector:
        """The vector product, in this vector's frame and the units' product.

        Example:
        >>> from axletree.language import World
        >>> base = World().base
        >>> print(base.vector(x=2).cross(base.vector(y=30)))  # m and N: N m
        vector (0, 0, 60) in 'base'
        """
        return Vector(self.frame, skew(self._xyz) * self._seen(other, "multiply")._xyz)

    def norm(self) -> sympy.Expr:
        """Its length, in its unit.

        Example:
        >>> from axletree.language import World, variables
        >>> x, z = variables("x z")  # m
        >>> World().base.vector(x, 0, z).norm()  # m
        sqrt(x(t)**2 + z(t)**2)
        """
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
