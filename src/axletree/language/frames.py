"""Frames: where they are in the base, as 4x4 matrices, and how they turn."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy
from sympy.core.function import AppliedUndef

from axletree.language import points, vectors
from axletree.language.errors import LanguageError
from axletree.language.transformations import axial, checked, inverse
from axletree.language.variables import TIME, Scalar, scalar

if TYPE_CHECKING:
    from axletree.language.world import World


class Frame:
    """Axes and an origin; made from others by ``moved``, never by itself.

    Example:
    >>> from axletree.language import World, rotation_z, variable
    >>> arm = World().base.moved("arm", rotation_z(variable("turn")))  # rad
    >>> print(arm.angular_velocity())  # rad/s
    vector (0, 0, turn') in 'base'
    >>> print(arm.point(x=2).velocity(), "|", arm.point(x=2).velocity().in_frame(arm))  # m/s
    vector (-2*sin(turn)*turn', 2*cos(turn)*turn', 0) in 'base' | vector (0, 2*turn', 0) in 'arm'
    """

    def __init__(self, world: World, name: str, T: sympy.Matrix) -> None:
        """``T`` takes components in this frame to components in the base."""
        self.world = world
        self.name = name
        self.T = world.arisen(T)

    def __repr__(self) -> str:
        return f"frame {self.name!r}"

    def moved(self, name: str, *transformations: sympy.Matrix) -> Frame:
        """A frame reached from this one by motions, each in the axes that the last has moved.

        ``T_0.moved("C", translation(z=z - h), rotation_y(mu), rotation_x(phi))`` is
        T_C = T_0 T(0, 0, z - h) R_y(mu) R_x(phi), Lot and Massaro 2017, eq. (1).

        Example:
        >>> from axletree.language import World, translation
        >>> World().base.moved("tip", translation(x=2), translation(y=1)).matrix[:3, 3].T  # m
        Matrix([[2, 1, 0]])
        """
        if not isinstance(name, str):
            raise LanguageError(
                f"a frame has a name, and motions after it: moved('C', translation(x)), not {name}"
            )
        T = self.T
        for k, transformation in enumerate(transformations, start=1):
            added = checked(transformation, f"frame {name!r}, motion {k}")
            self._refuse_distortion(added, name, k)
            T = self.world.arisen(T * self.world.arisen(added))
        return Frame(self.world, name, T)

    def _refuse_distortion(self, T: sympy.Matrix, name: str, k: int) -> None:
        """The axes of a motion are orthogonal, looked at with numbers and nothing small."""
        R = T[:3, :3].xreplace(dict.fromkeys(self.world.small.all, sympy.Integer(0)))
        random = np.random.default_rng(0)
        for kind in (sympy.Derivative, AppliedUndef, sympy.Symbol):
            found = sorted(R.atoms(kind), key=str)
            R = R.xreplace({x: sympy.Float(random.uniform(0.1, 1.0)) for x in found})
        values = np.array(R.evalf(), dtype=complex)
        if np.abs(values.T @ values - np.eye(3)).max() > 1e-9 or np.linalg.det(values).real < 0:
            raise LanguageError(
                f"frame {name!r}, motion {k}: the upper left 3x3 block is no rotation; its columns "
                "must be of length 1, at right angles, and right-handed"
            )

    def relative_to(self, other: Frame) -> sympy.Matrix:
        """The 4x4 matrix that takes components in this frame to components in the other.

        Example:
        >>> from axletree.language import World, translation, variable
        >>> car = World().base.moved("car", translation(variable("x")))  # m
        >>> hitch = car.moved("hitch", translation(-2, z=0.4))  # m
        >>> hitch.relative_to(car)[:3, 3].T  # m: where it is in the car, wherever this is
        Matrix([[-2, 0, 0.4]])
        """
        same_world(self, checked_frame(other))
        if other is self:
            return sympy.eye(4)
        return self.world.arisen(inverse(other.T) * self.T)

    @property
    def R(self) -> sympy.Matrix:
        """Takes components of vectors in this frame to components in the base."""
        return self.T[:3, :3]

    @property
    def matrix(self) -> sympy.Matrix:
        """The 4x4 matrix relative to the base, as it is shown."""
        return self.world.final(self.T)

    @property
    def origin(self) -> points.Point:
        """The point that motions of this frame take along."""
        return self.point(name=f"the origin of {self.name!r}")

    def point(
        self, x: Scalar = 0, y: Scalar = 0, z: Scalar = 0, name: str = "a point"
    ) -> points.Point:
        """A point with these coordinates [m] in this frame.

        Example:
        >>> from axletree.language import World, translation
        >>> car = World().base.moved("car", translation(10))  # m
        >>> print(car.point(-2, 1, name="wheel").in_frame(car.world.base))
        wheel (8, 1, 0) in 'base'
        """
        return points.Point(self, _three((x, y, z), f"a coordinate of {name}"), name)

    def vector(self, x: Scalar = 0, y: Scalar = 0, z: Scalar = 0) -> vectors.Vector:
        """A vector with these components in this frame, in the unit of what it stands for.

        Example:
        >>> import sympy
        >>> from axletree.language import World, rotation_z
        >>> left = World().base.moved("left", rotation_z(sympy.pi / 2))  # rad
        >>> print(left.vector(3).in_frame(left.world.base))
        vector (0, 3, 0) in 'base'
        """
        return vectors.Vector(self, _three((x, y, z), f"a component in {self!r}"))

    def angular_velocity(self, relative_to: Frame | None = None) -> vectors.Vector:
        """[rad/s] as seen from a frame, in that frame; from the ground, in the base, if none.

        Example:
        >>> from axletree.language import World, rotation_y, rotation_z, variables
        >>> steer, turn = variables("steer turn")  # rad
        >>> fork = World().base.moved("fork", rotation_z(steer))
        >>> print(fork.moved("wheel", rotation_y(turn)).angular_velocity().in_frame(fork))
        vector (0, turn', steer') in 'fork'
        """
        if relative_to is None:
            return vectors.Vector(self.world.base, self._turning + self.world.moving.Omega)
        same_world(self, checked_frame(relative_to))
        own = vectors.Vector(self.world.base, self._turning - relative_to._turning)
        return own.in_frame(relative_to)

    def angular_acceleration(self, relative_to: Frame | None = None) -> vectors.Vector:
        """[rad/s^2] as seen from a frame, in that frame; from the ground, in the base, if none.

        Example:
        >>> from axletree.language import World, rotation_y, rotation_z, variables
        >>> steer, turn = variables("steer turn")  # rad
        >>> fork = World().base.moved("fork", rotation_z(steer))
        >>> print(fork.moved("wheel", rotation_y(turn)).angular_acceleration().in_frame(fork))
        vector (-steer'*turn', turn'', steer'') in 'fork'
        """
        return self.angular_velocity(relative_to).derivative(relative_to)

    @cached_property
    def own_angular_velocity(self) -> sympy.Matrix:
        """[rad/s], relative to the ground, in this frame's axes, as it is kept."""
        turning = axial(self.R.T * self.R.diff(TIME))
        return self.world.arisen(turning + self.R.T * self.world.moving.Omega)

    @cached_property
    def _turning(self) -> sympy.Matrix:
        """[rad/s], relative to the base: the axial vector of R' R^T."""
        return self.world.arisen(axial(self.R.diff(TIME) * self.R.T))


def _three(values: tuple[Scalar, ...], what: str) -> sympy.Matrix:
    return sympy.Matrix([scalar(value, what) for value in values])


def checked_frame(frame: object) -> Frame:
    if not isinstance(frame, Frame):
        raise LanguageError(
            f"{frame!r} is no frame; frames are world.base and what frame.moved(...) makes of it"
        )
    return frame


def same_world(first: Any, second: Any) -> None:
    worlds = [getattr(x, "world", None) or x.frame.world for x in (first, second)]
    if worlds[0] is not worlds[1]:
        raise LanguageError(
            f"{first!r} and {second!r} are of different worlds, so that nothing tells where one "
            "is seen from the other; make both from the frames of one World"
        )
