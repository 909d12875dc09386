"""Rigid bodies, and what acts on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy

from axletree.language.frames import Frame, Point, Vector, same_world
from axletree.language.variables import TIME, LanguageError, Scalar, described, scalar

POINT_MASS = sympy.zeros(3)  # the inertia of a body that is a point


def inertia(
    xx: Scalar, yy: Scalar, zz: Scalar, xy: Scalar = 0, xz: Scalar = 0, yz: Scalar = 0
) -> sympy.Matrix:
    """The tensor [kg m^2]; xy, xz and yz are products of inertia, so minus its elements.

    As for the chassis of Lot and Massaro 2017, section 2.4.

    Example:
    >>> from axletree.language import inertia
    >>> inertia(3, 4, 5, xz=1).tolist()  # kg m^2
    [[3, 0, -1], [0, 4, 0], [-1, 0, 5]]
    """
    return sympy.Matrix([[xx, -xy, -xz], [-xy, yy, -yz], [-xz, -yz, zz]])


@dataclass(frozen=True, eq=False, repr=False)
class Body:
    """A rigid body fixed to a frame, whose origin is its centre of mass.

    Example:
    >>> from axletree.language import Assembly, Body, World, inertia
    >>> from axletree.language import parameters, rotation_z, variable
    >>> m, I, turn = *parameters("m I"), variable("turn")  # kg, kg m^2, rad
    >>> rotor = Body("rotor", World().base.moved("R", rotation_z(turn)), m, inertia(0, 0, I))
    >>> Assembly("rotor", [rotor]).kinetic_energy()  # J
    I*Derivative(turn(t), t)**2/2
    """

    name: str
    frame: Frame
    mass: Scalar  # [kg]
    inertia: Any = None  # [kg m^2], 3x3, about the centre of mass, in the frame's axes

    def __post_init__(self) -> None:
        if not isinstance(self.frame, Frame):
            raise LanguageError(f"body {self.name!r} is fixed to a frame, not to {self.frame!r}")
        object.__setattr__(self, "mass", scalar(self.mass, f"the mass of body {self.name!r}"))
        object.__setattr__(self, "inertia", self._tensor())
        if self.mass.is_number and not self.mass > 0:
            raise LanguageError(f"the mass of body {self.name!r} is {self.mass} kg; it is above 0")
        if self.mass.has(TIME):
            raise LanguageError(
                f"the mass of body {self.name!r}, {self.mass}, varies; a rigid body keeps its "
                "mass: make it a parameter, and what leaves or joins a force"
            )

    def __repr__(self) -> str:
        return f"body {self.name!r}"

    def _tensor(self) -> sympy.Matrix:
        if self.inertia is None:
            raise LanguageError(
                f"body {self.name!r} has no inertia: give inertia=inertia(Ixx, Iyy, Izz) in "
                "kg m^2, or inertia=POINT_MASS if nothing turns it"
            )
        try:
            tensor = sympy.Matrix(self.inertia)
        except (TypeError, ValueError):
            tensor = sympy.zeros(0)
        if tensor.shape == (3, 1):
            tensor = sympy.diag(*tensor)
        if tensor.shape != (3, 3) or tensor != tensor.T:
            raise LanguageError(
                f"the inertia of body {self.name!r} is a symmetric 3x3 matrix or three principal "
                f"moments, not {described(self.inertia)}"
            )
        negative = [moment for moment in tensor.diagonal() if moment.is_negative]
        if negative:
            raise LanguageError(
                f"a moment of inertia of body {self.name!r} is {negative[0]} kg m^2; none is "
                "below 0"
            )
        return tensor

    @property
    def centre(self) -> Point:
        """The centre of mass."""
        return Point(self.frame, sympy.zeros(3, 1), f"the centre of {self.name}")


class _ActingVector:
    """A vector that acts on a body, and its opposite on another one or on none."""

    name: str
    vector: Vector
    on: Body
    reaction_on: Body | None

    def __repr__(self) -> str:
        return f"{type(self).__name__.lower()} {self.name!r}"

    def _check(self) -> None:
        if not isinstance(self.vector, Vector):
            raise LanguageError(
                f"{self!r} is a vector in a frame, frame.vector(x, y, z), not "
                f"{described(self.vector)}"
            )
        name, on, reaction_on = self.name, self.on, self.reaction_on
        if not isinstance(on, Body):
            raise LanguageError(f"{name!r} acts on a body, not on {on!r}")
        if reaction_on is not None and not isinstance(reaction_on, Body):
            raise LanguageError(f"the reaction of {name!r} acts on a body, not on {reaction_on!r}")
        if on is reaction_on:
            raise LanguageError(f"{name!r} and its reaction act on the same body, {on.name!r}")
        same_world(self.vector, on.frame)

    def _other_body(self) -> Body:
        if self.reaction_on is None:
            raise LanguageError(f"{self.name!r} acts on one body only; reaction_on tells the other")
        return self.reaction_on


@dataclass(frozen=True, eq=False, repr=False)
class Force(_ActingVector):
    """A force [N] on a body at a point; the opposite acts on ``reaction_on``.

    The opposite acts at the same place, unless ``reaction_at`` names another: the far end of a
    spring, say. Of a force that does not point along the two, Euler's equation of both bodies
    keeps the moment that the pair has.

    Example:
    >>> from axletree.language import Body, Force, POINT_MASS, World
    >>> base = World().base
    >>> bob = Body("bob", base, 2, POINT_MASS)  # kg
    >>> push = Force("push", base.vector(y=3), base.point(x=2), bob)  # N, at 2 m
    >>> print(push.moment(base.origin))  # N m
    vector (0, 0, 6) in 'base'
    """

    name: str
    vector: Vector
    at: Point
    on: Body
    reaction_on: Body | None = None
    reaction_at: Point | None = None

    def __post_init__(self) -> None:
        self._check()
        if not isinstance(self.at, Point):
            raise LanguageError(
                f"force {self.name!r} acts at a point, frame.point(x, y, z), not at "
                f"{described(self.at)}"
            )
        if self.reaction_at is not None and (
            self.reaction_on is None or not isinstance(self.reaction_at, Point)
        ):
            raise LanguageError(
                f"the reaction of force {self.name!r} acts at a point of a body: give reaction_on, "
                "and a point for reaction_at"
            )
        same_world(self.vector, self.at)

    def reversed(self) -> Force:
        """What acts on the other body.

        Example:
        >>> from axletree.language import Body, Force, POINT_MASS, World
        >>> base = World().base
        >>> car, trailer = (Body(name, base, 900, POINT_MASS) for name in ("car", "trailer"))  # kg
        >>> drag = Force("hitch", base.vector(-500), base.point(-2), car, reaction_on=trailer)
        >>> drag.reversed().on, drag.reversed().vector  # N
        (body 'trailer', vector (500, 0, 0) in 'base')
        """
        at = self.reaction_at or self.at
        return Force(self.name, -self.vector, at, self._other_body(), self.on, self.at)

    def moment(self, pole: Point) -> Vector:
        """[N m] about a pole, in the base.

        Example:
        >>> from axletree.language import Body, Force, POINT_MASS, World
        >>> base = World().base
        >>> axle = Body("axle", base, 60, POINT_MASS)  # kg
        >>> load = Force("load", base.vector(z=3000), base.point(y=1), axle)  # N, m
        >>> print(load.moment(base.origin))
        vector (3000, 0, 0) in 'base'
        """
        return (self.at - pole).in_frame(pole.frame.world.base).cross(self.vector)


@dataclass(frozen=True, eq=False, repr=False)
class Torque(_ActingVector):
    """A torque [N m] on a body; the opposite acts on ``reaction_on``.

    Example:
    >>> from axletree.language import Body, Torque, World, inertia
    >>> base = World().base
    >>> motor = Torque("motor", base.vector(z=5), Body("rotor", base, 2, inertia(0, 0, 1)))
    >>> print(motor.moment(base.point(x=3)))  # N m, about any pole
    vector (0, 0, 5) in 'base'
    """

    name: str
    vector: Vector
    on: Body
    reaction_on: Body | None = None

    def __post_init__(self) -> None:
        self._check()

    def reversed(self) -> Torque:
        """What acts on the other body.

        Example:
        >>> from axletree.language import Body, Torque, World, inertia
        >>> base = World().base
        >>> wheel, hub = (Body(name, base, 9, inertia(0, 1, 0)) for name in ("wheel", "hub"))
        >>> brake = Torque("brake", base.vector(y=-300), wheel, reaction_on=hub)  # N m
        >>> brake.reversed().on, brake.reversed().vector
        (body 'hub', vector (0, 300, 0) in 'base')
        """
        return Torque(self.name, -self.vector, self._other_body(), self.on)

    def moment(self, pole: Point) -> Vector:
        """[N m], the same about every pole; in the axes that it was given in.

        Example:
        >>> from axletree.language import Body, Torque, World, inertia
        >>> base = World().base
        >>> drive = Torque("drive", base.vector(y=30), Body("wheel", base, 9, inertia(0, 1, 0)))
        >>> drive.moment(base.origin).xyz == drive.moment(base.point(x=5)).xyz
        True
        """
        same_world(self.vector, pole)
        return self.vector


Load = Force | Torque
