"""Sets of bodies with what acts on them: the subject of equations of motion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import sympy

from axletree.language import energy, kane, lagrange, newton
from axletree.language.bodies import Body, Load
from axletree.language.constraints import Constraint
from axletree.language.equation import Equation
from axletree.language.errors import LanguageError
from axletree.language.frames import Frame
from axletree.language.points import Point, Vector
from axletree.language.world import World


class Assembly:
    """Bodies, loads and constraints; forces between two of its bodies drop out by themselves.

    Loads and constraints may be those of a larger whole: what acts on none of the bodies is
    left out.
    """

    def __init__(
        self,
        name: str,
        bodies: Sequence[Body],
        loads: Sequence[Load] = (),
        constraints: Sequence[Constraint] = (),
    ) -> None:
        if not bodies:
            raise LanguageError(f"assembly {name!r} has no body that could move")
        worlds = {body.frame.world for body in bodies}
        if len(worlds) > 1:
            raise LanguageError(
                f"the bodies of assembly {name!r} are of different worlds: "
                f"{', '.join(body.name for body in bodies)}"
            )
        self.name = name
        self.bodies = tuple(bodies)
        self.loads = tuple(loads)
        self.constraints = tuple(constraints)

    def __repr__(self) -> str:
        return f"assembly {self.name!r} of {', '.join(body.name for body in self.bodies)}"

    def __add__(self, other: Assembly) -> Assembly:
        """Both together; forces between them are internal then."""
        return Assembly(
            f"{self.name} and {other.name}",
            tuple(dict.fromkeys((*self.bodies, *other.bodies))),
            tuple(dict.fromkeys((*self.loads, *other.loads))),
            tuple(dict.fromkeys((*self.constraints, *other.constraints))),
        )

    @property
    def world(self) -> World:
        return self.bodies[0].frame.world

    def applied_loads(self, internal: bool = False) -> Iterator[Load]:
        """What acts on the bodies, weight and constraints apart; pairs inside only if asked."""
        for load in self.loads:
            yield from self._sides(load, internal)

    def reactions(self) -> Iterator[Load]:
        """What constraints to bodies outside exert on those inside."""
        for constraint in self.constraints:
            for load in constraint.loads:
                yield from self._sides(load, internal=False)

    def _sides(self, load: Load, internal: bool) -> Iterator[Load]:
        inside, other_inside = load.on in self.bodies, load.reaction_on in self.bodies
        if inside and other_inside and not internal:
            return
        if inside:
            yield load
        if other_inside:
            yield load.reversed()

    # -- Newton and Euler ----------------------------------------------------------------
    def newton(self, in_frame: Frame | None = None) -> tuple[Equation, ...]:
        """Lot and Massaro 2017, eq. (19): three equations, in the base if no frame is given."""
        return newton.newton(self, in_frame or self.world.base)

    def euler(self, about: Point, in_frame: Frame | None = None) -> tuple[Equation, ...]:
        """Eq. (20): three equations about a pole, which may move."""
        return newton.euler(self, about, in_frame or self.world.base)

    def linear_momentum(self) -> Vector:
        """Q [kg m/s], in the base."""
        return newton.linear_momentum(self)

    def angular_momentum(self, about: Point) -> Vector:
        """K [kg m^2/s] about a pole, in the base."""
        return newton.angular_momentum(self, about)

    # -- Lagrange and Kane ---------------------------------------------------------------
    def lagrange(
        self, coordinates: Sequence[sympy.Expr], terms_may_be_lost: bool = False
    ) -> tuple[Equation, ...]:
        """Eq. (26), with multipliers, one for each coordinate; (28) for speeds of the base.

        ``terms_may_be_lost`` lets an equation in a small coordinate pass, which is wrong.
        """
        return lagrange.lagrange(self, coordinates, terms_may_be_lost)

    def kane(self, speeds: Sequence[sympy.Expr]) -> tuple[Equation, ...]:
        """Kane's equations, one for each rate of a coordinate or speed of the base."""
        return kane.kane(self, speeds)

    def generalised_force(self, coordinate: sympy.Expr) -> sympy.Expr:
        """Of loads, weight and multipliers, by virtual work [N or N m]."""
        return self.world.final(lagrange.generalised_force(self, coordinate))

    # -- energy --------------------------------------------------------------------------
    def kinetic_energy(self) -> sympy.Expr:
        """[J]; to the second order in small velocities, in a world with small variables."""
        return energy.kinetic_energy(self)

    def potential_energy(self) -> sympy.Expr:
        """[J] of the weight, zero at the base's origin."""
        return energy.potential_energy(self)

    def power(self) -> sympy.Expr:
        """[W] of the loads, those between bodies of the assembly too, without the weight."""
        return energy.power(self)
