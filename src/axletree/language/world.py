"""The world of a model: its base frame, resting or moving, gravity, and what is small."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy

from axletree.language.expressions import (
    Equation,
    compact,
    folded,
    not_linear,
    squares_kept,
    truncated,
    written,
)
from axletree.language.frames import Frame
from axletree.language.transformations import axial, checked, inverse, skew
from axletree.language.variables import (
    TIME,
    LanguageError,
    Scalar,
    is_rate,
    is_variable,
    rate,
    scalar,
)

MOST_TERMS_ARISEN = 16  # of a sum that is multiplied out while a model is built
MOST_TERMS_SHOWN = 48  # of one that is shown; readable() multiplies out whatever it is given


class World:
    """Where everything of a model is described.

    Parameters
    ----------
    gravity: m/s^2, in the axes of the base.
    moving: the motion of the base, if it is not the ground (Lot and Massaro 2017, section 2.2).
    small: variables whose products are left out (section 2.3).
    linearise_last: derive everything exactly, and leave the products out of the equations of
        motion at the end; slower, and right for Lagrange's equations in small variables.

    Example:
    >>> from axletree.language import World, parameters
    >>> (g,) = parameters("g")  # m/s^2
    >>> world = World(gravity=(0, 0, g))
    >>> world.base, world.gravity
    (frame 'base', vector (0, 0, g) in 'base')
    """

    def __init__(
        self,
        gravity: Sequence[Scalar] = (0, 0, 0),
        moving: MovingBase | None = None,
        small: Small | None = None,
        linearise_last: bool = False,
    ) -> None:
        if not isinstance(gravity, Sequence | sympy.MatrixBase) or len(gravity) != 3:
            raise LanguageError(f"gravity has 3 components, in m/s^2; it is {gravity}")
        for given, kind in ((moving, MovingBase), (small, Small)):
            if given is not None and not isinstance(given, kind):
                raise LanguageError(f"a World takes a {kind.__name__}(...) there, not {given!r}")
        self.moving = moving or MovingBase()
        self.small = small or Small()
        self.linearise_last = linearise_last
        self.base = Frame(self, "base")
        self.gravity = self.base.vector(*gravity)
        self._warn_of_turning_gravity()

    def _warn_of_turning_gravity(self) -> None:
        """Gravity stands still in the ground: dg/dt = Omega x g + g' is zero (eq. 6).

        Where it depends on variables whose rates are not those of the base, nothing can be said.
        """
        g, Omega = self.gravity.exact, self.moving.Omega
        change = (Omega.cross(g) + g.diff(TIME)).applyfunc(folded)
        held = {a for a in g.atoms(sympy.Function) if is_variable(a)}
        free = held - {d.expr for d in Omega.atoms(sympy.Derivative)}
        if change.is_zero_matrix or free or (held and Omega.has(*self.moving.speeds)):
            return
        given, turning = (", ".join(map(written, vector)) for vector in (g, Omega))
        warnings.warn(
            f"gravity, ({given}) m/s^2 in the axes of the base, does not stand still in the "
            f"ground while the base turns with ({turning}) rad/s: write it by the angles of the "
            "base, such as (-g*sin(theta), g*cos(theta)*sin(phi), g*cos(theta)*cos(phi)), whose "
            "rates MovingBase.path gives, or let frames of bodies roll and pitch in a base that "
            "only yaws",
            stacklevel=3,
        )

    def arisen(self, value: Any) -> Any:
        """A matrix or an expression as it is kept while the model is built.

        Example:
        >>> import sympy
        >>> from axletree.language import Small, World, variable
        >>> roll = variable("roll")  # rad
        >>> cut, whole = (World(small=Small((roll,)), linearise_last=x) for x in (False, True))
        >>> cut.arisen(sympy.sin(roll)), whole.arisen(sympy.sin(roll))
        (roll(t), sin(roll(t)))
        """
        if self.exact:
            return _of_each(value, lambda e: compact(e, MOST_TERMS_ARISEN))
        return self.final(value)

    def final(self, value: Any) -> Any:
        """A matrix or an expression as it is shown: to the first order in what is small.

        Example:
        >>> import sympy
        >>> from axletree.language import Small, World, variable
        >>> roll = variable("roll")  # rad
        >>> World(small=Small((roll,)), linearise_last=True).final(1 - sympy.cos(roll))
        0
        """
        if not self.small.all:
            return _of_each(value, lambda e: compact(e, MOST_TERMS_SHOWN))
        return _of_each(value, self.small.first_order)

    @property
    def exact(self) -> bool:
        """Whether nothing is left out while the model is built."""
        return self.linearise_last or not self.small.all

    def second_order(self, value: Any) -> Any:
        """A place or an energy to the second order in what is small; whole if linearised last.

        Example:
        >>> import sympy
        >>> from axletree.language import Small, World, variable
        >>> roll = variable("roll")  # rad
        >>> World(small=Small((roll,))).second_order(2 * sympy.cos(roll))
        2 - roll(t)**2
        """
        if self.exact:
            return _of_each(value, lambda e: compact(e, MOST_TERMS_SHOWN))
        return _of_each(value, lambda e: squares_kept(e, self.small.all))

    def placed(self, value: Any) -> Any:
        """A rate of a place, for energies: to the first order in small displacements.

        Example:
        >>> import sympy
        >>> from axletree.language import Small, World, rate, variable, written
        >>> roll = variable("roll")  # rad
        >>> world = World(small=Small((roll,)))
        >>> written(world.placed(rate(sympy.cos(roll)))), world.final(rate(sympy.cos(roll)))
        ("-roll*roll'", 0)
        """
        return value if self.exact else _of_each(value, self.small.first_order_in_places)


def _of_each(value: Any, change: Callable[[Any], sympy.Expr]) -> Any:
    """Of an expression, or of each entry of a matrix."""
    return value.applyfunc(change) if isinstance(value, sympy.MatrixBase) else change(value)


# A base that moves: given by its velocities in its own axes, not by its place.
#
# Lot and Massaro 2017, section 2.2. The last element of W is 0, where eq. (8) has 1: W of a point
# is a velocity, whose last element is 0, as in the velocity of U that follows it there.


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
        for component in (*self.velocity, *self.angular_velocity):
            curved = not_linear(component, component.atoms(sympy.Derivative))
            if curved is not None:
                raise LanguageError(
                    f"a velocity of the base, {component}, holds {curved} to another power than 1; "
                    "velocities are of the power 1 in rates of coordinates"
                )

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


# Small variables: expressions keep what is of first order in them, as they arise.
#
# Lot and Massaro 2017, section 2.3. Where a place is small its velocity and its acceleration are
# taken as small, too, and where a velocity is small its acceleration is, as in eq. (12).


@dataclass(frozen=True)
class Small:
    """What is declared small.

    ``velocities`` are rates, ``rate(alpha)``, or speeds of a moving base, ``v``; likewise
    ``accelerations`` are ``rate(alpha, 2)``, or ``rate(r)`` of a speed. ``parameters`` are
    constants that are small: an offset, the angle of a fixed axis (section 1).

    Example:
    >>> import sympy
    >>> from axletree.language import Small, variables
    >>> roll, x = variables("roll x")  # rad, m
    >>> Small((roll,)).first_order(x * sympy.sin(roll) + x * sympy.cos(roll) + roll**2)
    roll(t)*x(t) + x(t)
    >>> offset = sympy.Symbol("offset", real=True)  # m; what parameters("offset") makes
    >>> Small((roll,), parameters=(offset,)).first_order(offset * (1 + roll) + roll)
    offset + roll(t)
    """

    displacements: tuple[sympy.Expr, ...] = ()
    velocities: tuple[sympy.Expr, ...] = ()
    accelerations: tuple[sympy.Expr, ...] = ()
    parameters: tuple[sympy.Symbol, ...] = ()

    def __post_init__(self) -> None:
        declared: dict[sympy.Expr, str] = {}
        for kind, orders in _SMALL_KINDS.items():
            given = getattr(self, kind)
            items = tuple(given) if isinstance(given, Iterable) else (given,)
            object.__setattr__(self, kind, items)
            for item in items:
                _refuse_other_than(item, kind, orders)
                if item in declared:
                    raise LanguageError(
                        f"{item} is declared small twice: among {declared[item]} and {kind}; "
                        "once is enough, and what follows of its rates is known"
                    )
                declared[item] = kind

    @cached_property
    def places(self) -> frozenset[sympy.Expr]:
        """The coordinates that are small, without velocities and accelerations."""
        return frozenset(self.displacements)

    @cached_property
    def bounded(self) -> frozenset[sympy.Expr]:
        """Whose values tell whether they are small: coordinates and parameters."""
        return frozenset((*self.displacements, *self.parameters))

    @cached_property
    def all(self) -> tuple[sympy.Expr, ...]:
        """sigma, eq. (12): places, then velocities, then accelerations; and parameters."""
        speeds = (*(rate(q) for q in self.displacements), *self.velocities)
        sigma = (*self.displacements, *speeds, *(rate(p) for p in speeds), *self.accelerations)
        return tuple(dict.fromkeys((*sigma, *self.parameters)))

    def first_order(self, expression: Scalar) -> sympy.Expr:
        """The expression without what is of second order in all that is small.

        Example:
        >>> import sympy
        >>> from axletree.language import Small, rate, variable, written
        >>> roll = variable("roll")  # rad
        >>> written(Small((roll,)).first_order(sympy.sin(roll) + roll * rate(roll)))
        'roll'
        """
        return truncated(expression, self.all)

    def first_order_in_places(self, expression: Scalar) -> sympy.Expr:
        """Likewise, in small displacements and parameters; products with small velocities stay.

        Energies and virtual work are built of these: their slopes by a velocity, or by a
        place that is not small, are then right to the first order.

        Example:
        >>> import sympy
        >>> from axletree.language import Small, rate, variable, written
        >>> roll = variable("roll")  # rad
        >>> written(Small((roll,)).first_order_in_places(sympy.sin(roll) + roll * rate(roll)))
        "roll*roll' + roll"
        """
        return truncated(expression, self.bounded)


_SMALL_KINDS = {"displacements": 0, "velocities": 1, "accelerations": 2, "parameters": 0}


def _refuse_other_than(item: object, kind: str, highest_order: int) -> None:
    """A displacement is no rate, a velocity none of second order, and neither is a sum."""
    is_parameter = isinstance(item, sympy.Symbol) and item != TIME
    if kind == "parameters":
        if not is_parameter:
            raise LanguageError(
                f"{item} is declared among small parameters, but is none that parameters('a b') "
                "makes; variables go under displacements, velocities or accelerations"
            )
        return
    if is_parameter:
        raise LanguageError(
            f"{item} is declared among small {kind}, but is a parameter: it goes under parameters"
        )
    if not is_variable(item) and not is_rate(item):
        raise LanguageError(
            f"{item} is declared among small {kind}, but is neither a variable nor the rate of "
            "one; declare the variables that it consists of"
        )
    order = item.derivative_count if isinstance(item, sympy.Derivative) else 0
    if order > highest_order:
        wanted = "velocities" if order == 1 else "accelerations"
        raise LanguageError(f"{item} is declared among small {kind}; it goes under {wanted}")
