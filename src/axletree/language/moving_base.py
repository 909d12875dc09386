"""A base that moves: given by its velocities in its own axes, not by its place.

Lot and Massaro 2017, section 2.2. The last element of W is 0, where eq. (8) has 1: W of a point
is a velocity, whose last element is 0, as in the velocity of U that follows it there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import sympy

from axletree.language.equation import Equation
from axletree.language.errors import LanguageError
from axletree.language.transformations import axial, checked, inverse, skew
from axletree.language.trigonometry import folded
from axletree.language.variables import TIME, Scalar, is_variable, rate, scalar


@dataclass(frozen=True)
class MovingBase:
    """The velocity [m/s] of its origin and its angular velocity [rad/s], in its own axes.

    Example:
    >>> from axletree.language import MovingBase, World, parameters, variables
    >>> u, v, r = *parameters("u"), *variables("v r")  # m/s, m/s, rad/s
    >>> car = World(moving=MovingBase(velocity=(u, v, 0), angular_velocity=(0, 0, r))).base
    >>> print(car.origin.acceleration())  # m/s^2
    vector (-r*v, u*r + v', 0) in 'base'
    """

    velocity: Sequence[Scalar] = (0, 0, 0)
    angular_velocity: Sequence[Scalar] = (0, 0, 0)

    def __post_init__(self) -> None:
        for name in ("velocity", "angular_velocity"):
            given = getattr(self, name)
            if not isinstance(given, Iterable) or len(tuple(given)) != 3:
                raise LanguageError(f"the {name} of a base has 3 components; it is {given}")
            object.__setattr__(self, name, tuple(scalar(x, f"a {name}") for x in given))

    @property
    def V(self) -> sympy.Matrix:
        """[m/s] of the origin."""
        return sympy.Matrix(self.velocity)

    @property
    def Omega(self) -> sympy.Matrix:
        """[rad/s]."""
        return sympy.Matrix(self.angular_velocity)

    @property
    def W(self) -> sympy.Matrix:
        """Eq. (8): what the motion of the base adds to the rates of points and vectors."""
        W = sympy.zeros(4)
        W[:3, :3], W[:3, 3] = skew(self.Omega), self.V
        return W

    @cached_property
    def speeds(self) -> tuple[sympy.Expr, ...]:
        """The variables that the velocities consist of: quasi-velocities.

        A variable whose rate is there, too, is a coordinate of the base's place instead.
        """
        coordinates = {change.expr for change in self.W.atoms(sympy.Derivative)}
        found: dict[sympy.Expr, None] = {}
        for component in (*self.velocity, *self.angular_velocity):
            inside = {a for a in component.atoms(sympy.Function) if is_variable(a)}
            found |= dict.fromkeys(sorted(inside - coordinates, key=str))
        return tuple(found)

    def tracking(self, place: sympy.Matrix) -> tuple[Equation, ...]:
        """Eq. (4): the velocities as rates of the base's place in the ground, a 4x4 matrix.

        Example:
        >>> from axletree.language import MovingBase, rotation_z, translation, variables
        >>> u, v, r, x, y, psi = variables("u v r x y psi")  # m/s, m/s, rad/s, m, m, rad
        >>> car = MovingBase(velocity=(u, v, 0), angular_velocity=(0, 0, r))
        >>> print(car.tracking(translation(x, y) * rotation_z(psi))[0])
        u = sin(psi)*y' + cos(psi)*x'
        """
        T = checked(place, "the place of the base")
        motion = inverse(T) * T.diff(TIME)
        seen = (*motion[:3, 3], *axial(motion[:3, :3]))
        pairs = zip("uvwpqr", (*self.velocity, *self.angular_velocity), seen, strict=True)
        found = [(letter, own, folded(value)) for letter, own, value in pairs]
        for letter, own, value in found:
            if value == 0 and own != 0:
                raise LanguageError(
                    f"the base moves with {own}, which no rate of its place gives ({letter}); "
                    "let the place depend on one more coordinate"
                )
        return tuple(
            Equation(f"tracking, {letter}", own, value)
            for letter, own, value in found
            if (own, value) != (0, 0)
        )

    def path(self, place: sympy.Matrix) -> tuple[Equation, ...]:
        """Eq. (5): the rates of the base's place in the ground, which integrate to its path.

        Example:
        >>> from axletree.language import MovingBase, rotation_z, translation, variables
        >>> u, r, x, y, psi = variables("u r x y psi")  # m/s, rad/s, m, m, rad
        >>> car = MovingBase(velocity=(u, 0, 0), angular_velocity=(0, 0, r))
        >>> print(*car.path(translation(x, y) * rotation_z(psi)), sep=", ")
        psi' = r, x' = u*cos(psi), y' = u*sin(psi)
        """
        T = checked(place, "the place of the base")
        R, P = T[:3, :3], T[:3, 3]
        turning = axial(R.T * R.diff(TIME)) - self.Omega
        rates = _solved(turning, _rates_in(R))
        moving = (P.diff(TIME) - R * self.V).xreplace(rates)
        rates |= _solved(moving, [change for change in _rates_in(P) if change not in rates])
        return tuple(
            Equation(f"path, {change.expr.func}", change, rates[change])
            for change in sorted(rates, key=str)
        )


def _rates_in(block: sympy.Matrix) -> list[sympy.Expr]:
    return sorted((rate(a) for a in block.atoms(sympy.Function) if is_variable(a)), key=str)


def _solved(rows: sympy.Matrix, rates: list[sympy.Expr]) -> dict[sympy.Expr, sympy.Expr]:
    """The rates that make the rows zero."""
    names = [sympy.Dummy() for _ in rates]
    known = [folded(row).xreplace(dict(zip(rates, names, strict=True))) for row in rows]
    needed = sympy.Matrix([row for row in known if row != 0] or [0])
    J = needed.jacobian(names) if names else sympy.zeros(0, 0)
    divisor = folded(J.det()) if len(needed) == len(names) else sympy.Integer(0)
    if divisor == 0 and (names or any(needed)):
        raise LanguageError(
            f"the rates {', '.join(map(str, rates)) or 'of no coordinate'} do not follow from "
            "the velocities of the base; a plane motion has three coordinates, a spatial one six"
        )
    right = -needed.xreplace(dict.fromkeys(names, sympy.Integer(0)))
    values = J.adjugate() * right if names else []
    return {
        change: sympy.cancel(folded(value) / divisor)
        for change, value in zip(rates, values, strict=True)
    }
