"""Constraints, equations between coordinates, and the forces that see to them; what acts on the
bodies of an assembly, and what stays between two of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import sympy

from axletree.language.bodies import Force, Load, Torque
from axletree.language.expressions import Equation, not_linear
from axletree.language.variables import LanguageError, is_rate, is_variable, rate
from axletree.language.world import World

if TYPE_CHECKING:
    from axletree.language.assembly import Assembly


class Constraint:
    """Expressions of coordinates that are zero, or sympy.Eq, each with its multiplier.

    Lagrange's equations have -multiplier * slope of the expression (Lot and Massaro 2017,
    eq. 26); Newton's have the ``loads`` instead, which joints know and other constraints tell.
    Expressions may hold velocities, as those of wheels that roll do: rates of coordinates and
    speeds of the base, each to the power 1. Their slopes are by these.

    Example:
    >>> from axletree.language import Constraint, World, variables
    >>> x, z, F = variables("x z F")  # m, m, N
    >>> slope = Constraint("slope", World(), [z - x / 10], [F])  # a body on a slope of 10 %
    >>> slope.slopes(x), slope.slopes(z)  # of the equation by each coordinate
    ((-1/10,), (1,))
    """

    def __init__(
        self,
        name: str,
        world: World,
        equations: Sequence[sympy.Expr],
        multipliers: Sequence[sympy.Expr],
        loads: Sequence[Load] = (),
    ) -> None:
        self.name = name
        self.world = world
        self.exact = tuple(world.arisen(_zero(name, e)) for e in _listed(name, equations))
        self.multipliers = _listed(name, multipliers)
        self.loads = _listed(name, loads)
        self._check()

    def __repr__(self) -> str:
        return f"constraint {self.name!r}"

    def _check(self) -> None:
        if len(self.exact) != len(self.multipliers):
            raise LanguageError(
                f"constraint {self.name!r} has {len(self.exact)} equations and "
                f"{len(self.multipliers)} multipliers; each equation has one"
            )
        for multiplier in self.multipliers:
            if not is_variable(multiplier):
                raise LanguageError(
                    f"the multiplier {multiplier} of constraint {self.name!r} must depend on "
                    "time: make it by variables(...)"
                )
        for equation in self.exact:
            _refuse_accelerations(self.name, equation, self.world)
        for load in self.loads:
            if not isinstance(load, Force | Torque):
                raise LanguageError(
                    f"the loads of constraint {self.name!r} are forces and torques, not {load!r}"
                )

    def slopes(self, coordinate: sympy.Expr) -> tuple[sympy.Expr, ...]:
        """How much each equation changes with a coordinate, or with a speed of the base.

        One between velocities changes with the rate of the coordinate (d'Alembert's principle).

        Example:
        >>> from axletree.language import Constraint, World, parameters, rate, variables
        >>> R, (x, turn, F) = parameters("R")[0], variables("x turn F")  # m; m, rad, N
        >>> rolling = Constraint("rolling", World(), [rate(x) - R * rate(turn)], [F])
        >>> rolling.slopes(x), rolling.slopes(turn)  # so -F drives x, and F R turns the wheel
        ((1,), (-R,))
        """
        speeds = self.world.moving.speeds
        velocity = coordinate if coordinate in speeds else rate(coordinate)
        return tuple(
            e.diff(velocity if holds_velocities(e, self.world) else coordinate) for e in self.exact
        )

    @property
    def equations(self) -> tuple[sympy.Expr, ...]:
        """What is zero, to the first order in what is small."""
        return tuple(self.world.final(e) for e in self.exact)

    @property
    def printed(self) -> tuple[Equation, ...]:
        """Its equations for reading, each named by constraint and multiplier."""
        return tuple(
            Equation(f"{self.name}, {multiplier.func}", e, 0, self.world.small.bounded)
            for e, multiplier in zip(self.equations, self.multipliers, strict=True)
        )


def holds_velocities(equation: sympy.Expr, world: World) -> bool:
    """Whether it is one between velocities, non-holonomic perhaps."""
    return bool(equation.has(sympy.Derivative, *world.moving.speeds))


def _listed(name: str, items: Sequence[Any]) -> tuple[Any, ...]:
    if not isinstance(items, Iterable):
        raise LanguageError(
            f"constraint {name!r} takes lists of equations, multipliers and loads, not {items!r}"
        )
    return tuple(items)


def _zero(name: str, equation: sympy.Expr | sympy.Eq | Equation) -> sympy.Expr:
    if isinstance(equation, Equation):
        return equation.residual
    given = sympy.sympify(equation)
    if given in (sympy.true, sympy.false):
        raise LanguageError(
            f"an equation of constraint {name!r} is {given} whatever the variables are; write one "
            "that some of them can satisfy, and others not"
        )
    return given.lhs - given.rhs if isinstance(given, sympy.Eq) else given


def _refuse_accelerations(name: str, equation: sympy.Expr, world: World) -> None:
    speeds = world.moving.speeds
    found = equation.atoms(sympy.Derivative)
    rates = [d for d in found if not is_rate(d, 1) or d.expr in speeds]
    if rates:
        raise LanguageError(
            f"constraint {name!r} holds {rates[0]}; constraints are between places, or between "
            "velocities"
        )
    curved = not_linear(equation, (*found, *speeds))
    if curved is not None:
        raise LanguageError(
            f"constraint {name!r} holds {curved} to another power than 1, so that no force follows "
            "from it; write it in places, or in velocities to the power 1"
        )


def is_internal(assembly: Assembly, load: Load) -> bool:
    """Whether a load and its reaction act on bodies inside."""
    return load.on in assembly.bodies and load.reaction_on in assembly.bodies


def holds(assembly: Assembly, constraint: Constraint) -> bool:
    """Whether it is between bodies inside, as far as its loads tell."""
    return all(is_internal(assembly, load) for load in constraint.loads)
