"""Sets of bodies with what acts on them: the subject of equations of motion."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import sympy

from axletree.language import cyclic, energy, kane, lagrange, newton
from axletree.language.bodies import Body, Load
from axletree.language.constraints import Constraint
from axletree.language.equation import Equation
from axletree.language.errors import LanguageError
from axletree.language.frames import Frame
from axletree.language.partial_motion import checked_coordinate
from axletree.language.points import Point, Vector
from axletree.language.world import World


class Assembly:
    """Bodies, loads and constraints; forces between two of its bodies drop out by themselves.

    Loads and constraints may be those of a larger whole: what acts on none of the bodies is
    left out.

    Example:
    >>> from axletree.language import POINT_MASS, Assembly, Body, Force, World
    >>> from axletree.language import parameters, translation, variable
    >>> m, k, x = *parameters("m k"), variable("x")  # kg, N/m, m
    >>> base = World().base
    >>> cart = Body("cart", base.moved("C", translation(x)), m, POINT_MASS)
    >>> spring = Force("spring", base.vector(-k * x), cart.centre, cart)
    >>> whole = Assembly("cart", [cart], [spring])
    >>> print(whole.newton()[0], "|", *whole.lagrange([x]))  # N
    m*x'' = -k*x | m*x'' = -k*x
    """

    def __init__(
        self,
        name: str,
        bodies: Sequence[Body],
        loads: Sequence[Load] = (),
        constraints: Sequence[Constraint] = (),
    ) -> None:
        self.name = name
        for given in (bodies, loads, constraints):
            if not isinstance(given, Iterable):
                raise LanguageError(
                    f"assembly {name!r} takes lists of bodies, loads and constraints, not {given!r}"
                )
        self.bodies = tuple(bodies)
        self.loads = tuple(loads)
        self.constraints = tuple(constraints)
        self._check()

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

    def _check(self) -> None:
        kinds = (("bodies", Body), ("loads", Load), ("constraints", Constraint))
        for key, kind in kinds:
            for item in getattr(self, key):
                if not isinstance(item, kind):
                    raise LanguageError(f"{item!r} is not one of the {key} of {self.name!r}")
        if not self.bodies:
            raise LanguageError(f"assembly {self.name!r} has no body that could move")
        names = [body.name for body in self.bodies]
        if len(set(self.bodies)) < len(self.bodies):
            raise LanguageError(f"assembly {self.name!r} has a body twice: {', '.join(names)}")
        worlds = {body.frame.world for body in self.bodies}
        worlds |= {load.on.frame.world for load in self.loads}
        worlds |= {constraint.world for constraint in self.constraints}
        if len(worlds) > 1:
            raise LanguageError(
                f"what makes up assembly {self.name!r} is of different worlds: "
                f"{', '.join([*names, *(x.name for x in (*self.loads, *self.constraints))])}"
            )

    @property
    def world(self) -> World:
        return self.bodies[0].frame.world

    def applied_loads(self, internal: bool = False) -> Iterator[Load]:
        """What acts on the bodies, weight and constraints apart; pairs inside only if asked."""
        for load in self.loads:
            yield from self._sides(load, internal)

    def reactions(self) -> Iterator[Load]:
        """What constraints exert on the bodies, those between two of them apart."""
        for constraint in self.constraints:
            yield from self.reactions_of(constraint)

    def reactions_of(self, constraint: Constraint) -> Iterator[Load]:
        """Likewise, of one of them."""
        for load in constraint.loads:
            yield from self._sides(load, internal=False)

    def holds(self, constraint: Constraint) -> bool:
        """Whether it is between bodies inside, as far as its loads tell."""
        return all(self.is_internal(load) for load in constraint.loads)

    def _sides(self, load: Load, internal: bool) -> Iterator[Load]:
        if self.is_internal(load) and not internal:
            return
        if load.on in self.bodies:
            yield load
        if load.reaction_on in self.bodies:
            yield load.reversed()

    def is_internal(self, load: Load) -> bool:
        """Whether a load and its reaction act on bodies inside."""
        return load.on in self.bodies and load.reaction_on in self.bodies

    # -- Newton and Euler ----------------------------------------------------------------
    def newton(self, in_frame: Frame | None = None) -> tuple[Equation, ...]:
        """Lot and Massaro 2017, eq. (19): three equations, in the base if no frame is given.

        Example:
        >>> from axletree.language import POINT_MASS, Assembly, Body, World, translation, variable
        >>> world, z = World(gravity=(0, 0, -10)), variable("z")  # m/s^2, m
        >>> stone = Body("stone", world.base.moved("S", translation(z=z)), 2, POINT_MASS)  # kg
        >>> print(Assembly("stone", [stone]).newton()[2])  # N
        2*z'' = -20
        """
        return newton.newton(self, in_frame or self.world.base)

    def euler(self, about: Point, in_frame: Frame | None = None) -> tuple[Equation, ...]:
        """Eq. (20): three equations about a pole, which may move.

        Example:
        >>> from axletree.language import Assembly, Body, Torque, World, inertia
        >>> from axletree.language import rotation_z, variable
        >>> base, turn = World().base, variable("turn")  # rad
        >>> rotor = Body("rotor", base.moved("R", rotation_z(turn)), 2, inertia(0, 0, 3))
        >>> motor = Torque("motor", base.vector(z=5), rotor)  # N m
        >>> print(Assembly("rotor", [rotor], [motor]).euler(base.origin)[2])
        3*turn'' = 5
        """
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

        Example:
        >>> from axletree.language import Assembly, Body, Torque, World, inertia
        >>> from axletree.language import rotation_z, variable
        >>> base, turn = World().base, variable("turn")  # rad
        >>> rotor = Body("rotor", base.moved("R", rotation_z(turn)), 2, inertia(0, 0, 3))
        >>> motor = Torque("motor", base.vector(z=5), rotor)  # N m
        >>> print(*Assembly("rotor", [rotor], [motor]).lagrange([turn]))
        3*turn'' = 5
        """
        return lagrange.lagrange(self, coordinates, terms_may_be_lost)

    def kane(
        self,
        speeds: Sequence[sympy.Expr] | Mapping[sympy.Expr, sympy.Expr],
        held: Sequence[sympy.Expr] = (),
    ) -> tuple[Equation, ...]:
        """Kane's equations, one for each rate of a coordinate or speed of the base.

        For speeds of one's own, ``{u_1: rate(q_1) * cos(q_2), ...}``, they hold these, and
        ``kinematics`` has the rates of the coordinates. ``held`` are combinations of rates that
        are zero, of wheels that roll; their reactions drop out.

        Example:
        >>> from axletree.language import Assembly, Body, Torque, World, inertia
        >>> from axletree.language import rotation_z, variable
        >>> base, turn = World().base, variable("turn")  # rad
        >>> rotor = Body("rotor", base.moved("R", rotation_z(turn)), 2, inertia(0, 0, 3))
        >>> motor = Torque("motor", base.vector(z=5), rotor)  # N m
        >>> print(*Assembly("rotor", [rotor], [motor]).kane([turn]))
        3*turn'' = 5
        """
        return kane.kane(self, speeds, held)

    def conserved_momenta(self, coordinates: Sequence[sympy.Expr]) -> dict[sympy.Expr, sympy.Expr]:
        """dT/dq' [N s or N m s] of those coordinates that T does not see and nothing acts on."""
        return cyclic.conserved_momenta(self, coordinates)

    def generalised_force(
        self, coordinate: sympy.Expr, terms_may_be_lost: bool = False
    ) -> sympy.Expr:
        """Of loads, weight and multipliers, by virtual work [N or N m].

        ``terms_may_be_lost`` lets that of a small coordinate pass, as in ``lagrange``.
        """
        force = lagrange.generalised_force(self, coordinate)
        if not terms_may_be_lost:
            lagrange.refuse_small(
                self, [checked_coordinate(self, coordinate)], "the generalised force"
            )
        return self.world.final(force)

    # -- energy --------------------------------------------------------------------------
    def kinetic_energy(self) -> sympy.Expr:
        """[J]; to the second order in small velocities, in a world with small variables."""
        return energy.kinetic_energy(self)

    def potential_energy(self) -> sympy.Expr:
        """[J] of the weight, zero at the base's origin, whose own height does not count."""
        return energy.potential_energy(self)

    def power(self) -> sympy.Expr:
        """[W] of the loads, those between bodies of the assembly too, without the weight."""
        return energy.power(self)
