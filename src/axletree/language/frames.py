"""Frames, where they are in the base as 4x4 matrices and how they turn; points and vectors, which
carry the frame that their coordinates and components are in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy
from sympy.core.function import AppliedUndef

from axletree.language.expressions import folded, written
from axletree.language.transformations import (
    FrameStep,
    OwnMotion,
    PartialVelocities,
    Triple,
    added,
    axial,
    checked,
    crossed,
    inverse,
    is_elementary,
    skew,
    turning_of,
)
from axletree.language.variables import TIME, LanguageError, Scalar, described, scalar

if TYPE_CHECKING:
    from axletree.language.world import MovingBase, World


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

    def __init__(
        self,
        world: World,
        name: str,
        parent: Frame | None = None,
        motions: Sequence[sympy.Matrix] = (),
    ) -> None:
        """Reached from a parent, the base having none, by motions one after the other."""
        self.world = world
        self.name = name
        self.parent = parent
        self.motions = tuple(motions)
        self._partial_velocities: dict[sympy.Expr, PartialVelocities] = {}

    @cached_property
    def T(self) -> sympy.Matrix:
        """Takes components in this frame to components in the base, as it is kept."""
        return self.world.arisen(sympy.eye(4)) if self.parent is None else self._from(self.parent.T)

    def _from(self, T: sympy.Matrix) -> sympy.Matrix:
        for motion in self.motions:
            T = self.world.arisen(T * self.world.arisen(motion))
        return T

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
        motions = []
        for k, transformation in enumerate(transformations, start=1):
            motions.append(checked(transformation, f"frame {name!r}, motion {k}"))
            self._refuse_distortion(motions[-1], name, k)
        frame = Frame(self.world, name, self, motions)
        if not self.world.exact:
            _ = frame.T  # what cannot be taken to the first order is said here
        return frame

    def _refuse_distortion(self, T: sympy.Matrix, name: str, k: int) -> None:
        """The axes of a motion are orthogonal, looked at with numbers and nothing small."""
        if is_elementary(T):
            return
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
        if not self.world.exact:
            return self.world.arisen(inverse(other.T) * self.T)
        shared = next(frame for frame in self.ancestors if frame in other.ancestors)
        back = inverse(other._reached_from(shared))
        if self is shared:
            return back
        there = self._reached_from(shared)
        return there if other is shared else self.world.arisen(back * there)

    @cached_property
    def ancestors(self) -> tuple[Frame, ...]:
        """This frame, that which it was reached from, and so on to the base."""
        return (self,) if self.parent is None else (self, *self.parent.ancestors)

    def _reached_from(self, ancestor: Frame) -> sympy.Matrix:
        """The 4x4 matrix of the motions between, as it is kept."""
        if self is ancestor or self.parent is None:
            return sympy.eye(4)
        return self._from(self.parent._reached_from(ancestor))

    @cached_property
    def second_order(self) -> sympy.Matrix:
        """The 4x4 matrix relative to the base, with squares of what is small, for energies."""
        if self.world.exact or self.parent is None:
            return self.T
        T = self.parent.second_order
        for motion in self.motions:
            T = self.world.second_order(T * self.world.second_order(motion))
        return T

    @property
    def R(self) -> sympy.Matrix:
        """Takes components of vectors in this frame to components in the base."""
        return self.T[:3, :3]

    @property
    def matrix(self) -> sympy.Matrix:
        """The 4x4 matrix relative to the base, as it is shown."""
        return self.world.final(self.T)

    @property
    def origin(self) -> Point:
        """The point that motions of this frame take along."""
        return self.point(name=f"the origin of {self.name!r}")

    def point(self, x: Scalar = 0, y: Scalar = 0, z: Scalar = 0, name: str = "a point") -> Point:
        """A point with these coordinates [m] in this frame.

        Example:
        >>> from axletree.language import World, translation
        >>> car = World().base.moved("car", translation(10))  # m
        >>> print(car.point(-2, 1, name="wheel").in_frame(car.world.base))
        wheel (8, 1, 0) in 'base'
        """
        return Point(self, _three((x, y, z), f"a coordinate of {name}"), name)

    def vector(self, x: Scalar = 0, y: Scalar = 0, z: Scalar = 0) -> Vector:
        """A vector with these components in this frame, in the unit of what it stands for.

        Example:
        >>> import sympy
        >>> from axletree.language import World, rotation_z
        >>> left = World().base.moved("left", rotation_z(sympy.pi / 2))  # rad
        >>> print(left.vector(3).in_frame(left.world.base))
        vector (0, 3, 0) in 'base'
        """
        return Vector(self, _three((x, y, z), f"a component in {self!r}"))

    def angular_velocity(self, relative_to: Frame | None = None) -> Vector:
        """[rad/s] as seen from a frame, in that frame; from the ground, in the base, if none.

        Example:
        >>> from axletree.language import World, rotation_y, rotation_z, variables
        >>> steer, turn = variables("steer turn")  # rad
        >>> fork = World().base.moved("fork", rotation_z(steer))
        >>> print(fork.moved("wheel", rotation_y(turn)).angular_velocity().in_frame(fork))
        vector (0, turn', steer') in 'fork'
        """
        if relative_to is None:
            turning = self._turning_in(self.world.base) + self.world.moving.Omega
            return Vector(self.world.base, turning)
        same_world(self, checked_frame(relative_to))
        shared = next(frame for frame in self.ancestors if frame in relative_to.ancestors)
        own = Vector(shared, self._turning_in(shared) - relative_to._turning_in(shared))
        return own.in_frame(relative_to)

    def angular_acceleration(self, relative_to: Frame | None = None) -> Vector:
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
        if self.world.exact:
            return sympy.Matrix(self.own_motion().omega)
        turning = axial(self.R.T * self.R.diff(TIME))
        return self.world.arisen(turning + self.R.T * self.world.moving.Omega)

    def _turning_in(self, ancestor: Frame) -> sympy.Matrix:
        """[rad/s], relative to an ancestor, in its axes: the axial vectors of R' R^T."""
        total, R = sympy.zeros(3, 1), sympy.eye(3)
        line = self.ancestors[: self.ancestors.index(ancestor)]
        for motion in (motion for frame in reversed(line) for motion in frame.motions):
            own = self.world.arisen(motion[:3, :3])
            total = self.world.arisen(total + R * self.world.arisen(axial(own.diff(TIME) * own.T)))
            R = self.world.arisen(R * own)
        return total

    # -- in its own axes, step by step from the base, which does not swell ----------------

    @cached_property
    def _steps(self) -> tuple[FrameStep, ...]:
        return tuple(FrameStep.of(motion) for motion in self.motions)

    def own_motion(self, moving: MovingBase | None = None) -> OwnMotion:
        """Relative to the ground, in its own axes; ``moving`` replaces the motion of the base.

        Example:
        >>> from axletree.language import World, rotation_z, translation, variable, written
        >>> arm = World().base.moved("tip", rotation_z(variable("turn")), translation(2))  # rad, m
        >>> motion = arm.own_motion()
        >>> print(*map(written, (*motion.v, *motion.a)))  # m/s, m/s^2
        0 2*turn' 0 -2*turn'**2 2*turn'' 0
        """
        if moving is None:
            return self._own_motion
        if self.parent is None:
            return OwnMotion.of_base(moving.Omega, moving.V)
        return self._moved_on(self.parent.own_motion(moving))

    @cached_property
    def _own_motion(self) -> OwnMotion:
        if self.parent is None:
            return OwnMotion.of_base(self.world.moving.Omega, self.world.moving.V)
        return self._moved_on(self.parent._own_motion)

    def _moved_on(self, motion: OwnMotion) -> OwnMotion:
        for step in self._steps:
            motion = motion.after(step, self.world.arisen)
        return motion

    @cached_property
    def own_gravity(self) -> Triple:
        """[m/s^2] in its own axes."""
        if self.parent is None:
            return tuple(self.world.gravity.exact)
        gravity = self.parent.own_gravity
        for step in self._steps:
            gravity = tuple(map(self.world.arisen, step.turned_back(gravity)))
        return gravity

    def partial_velocities(self, coordinate: sympy.Expr) -> PartialVelocities:
        """Of its turning and of its origin, in its own axes, by the rate of a coordinate.

        For a speed of the base they are by that speed (Kane and Levinson 1985, section 2.14).

        Example:
        >>> from axletree.language import World, rotation_z, translation, variable
        >>> turn = variable("turn")  # rad
        >>> arm = World().base.moved("tip", rotation_z(turn), translation(2))  # m
        >>> arm.partial_velocities(turn)  # of 1 rad/s: rad/s, m/s
        ((0, 0, 1), (0, 2, 0))
        """
        found = self._partial_velocities.get(coordinate)
        if found is None:
            found = self._partial_velocities[coordinate] = self._partial(coordinate)
        return found

    def _partial(self, q: sympy.Expr) -> PartialVelocities:
        moving, keep = self.world.moving, self.world.arisen
        is_speed = q in moving.speeds
        if self.parent is None:
            by = q if is_speed else sympy.Derivative(q, TIME)
            return tuple(moving.Omega.diff(by)), tuple(moving.V.diff(by))
        turning, sliding = self.parent.partial_velocities(q)
        for step in self._steps:
            sliding = added(sliding, crossed(turning, step.p))
            if not is_speed:
                sliding = added(sliding, tuple(x.diff(q) for x in step.p))
            turning = step.turned_back(turning)
            if not is_speed and any(x.has(q) for row in step.R for x in row):
                turning = added(turning, turning_of(step.R, q))
            turning = tuple(map(keep, turning))
            sliding = tuple(map(keep, step.turned_back(sliding)))
        return turning, sliding


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


class _Triple:
    """Three numbers in a frame: the coordinates of a point, or the components of a vector."""

    def __init__(self, frame: Frame, xyz: sympy.Matrix, name: str) -> None:
        self.frame = frame
        self.name = name
        self._xyz = frame.world.arisen(sympy.Matrix(xyz))

    def __repr__(self) -> str:
        return f"{self.name} ({', '.join(map(written, self.xyz))}) in {self.frame.name!r}"

    @property
    def exact(self) -> sympy.Matrix:
        """Coordinates or components as they are kept while the model is built."""
        return self._xyz

    @property
    def xyz(self) -> sympy.Matrix:
        """Coordinates or components, to the first order in what is small."""
        return self.frame.world.final(self._xyz)


class Point(_Triple):
    """Three coordinates [m] in a frame.

    Example:
    >>> from axletree.language import World, translation, variable
    >>> tip = World().base.moved("slide", translation(variable("x"))).point(z=2, name="tip")  # m
    >>> print(tip, "|", tip.velocity(), "|", tip.acceleration())  # m, m/s, m/s^2
    tip (0, 0, 2) in 'slide' | vector (x', 0, 0) in 'base' | vector (x'', 0, 0) in 'base'
    """

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
        same_world(self, other)
        return Vector(self.frame, self._xyz - other.in_frame(self.frame)._xyz)

    def __add__(self, other: Vector) -> Point:
        if not isinstance(other, Vector):
            raise LanguageError(
                f"cannot add {described(other)} to {self!r}; only a vector can be added to a "
                "point, one that says its frame: frame.vector(x, y, z)"
            )
        same_world(self, other)
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
        """[m/s^2] as seen from a frame, in that frame; from the ground, in the base, if none.

        Example:
        >>> from axletree.language import World, rotation_z, variable
        >>> arm = World().base.moved("arm", rotation_z(variable("turn")))  # rad
        >>> print(arm.point(x=2).acceleration().in_frame(arm))
        vector (-2*turn'**2, 2*turn'', 0) in 'arm'
        """
        return self.velocity(relative_to).derivative(relative_to)


class Vector(_Triple):
    """Three components in a frame; sums and products with others are formed in this frame.

    Example:
    >>> from axletree.language import World
    >>> base = World().base
    >>> print(base.vector(1, 2, 2).norm(), base.vector(1).cross(base.vector(0, 1)))
    3 vector (0, 0, 1) in 'base'
    """

    def __init__(self, frame: Frame, components: sympy.Matrix) -> None:
        super().__init__(frame, components, "vector")

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
        if isinstance(other, Point):
            return NotImplemented  # the point knows
        return Vector(self.frame, self._xyz + self._seen(other, "add")._xyz)

    def __radd__(self, other: Any) -> Vector:
        return self.__add__(other)  # other is no vector, which is reported there

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
        same_world(self, other)
        return other.in_frame(self.frame)
