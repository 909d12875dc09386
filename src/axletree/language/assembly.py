"""Sets of bodies with what acts on them, the subject of equations of motion; and whether these fit
together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import UnionType
from typing import TypeVar

import sympy

from axletree.language import kane, lagrange, newton
from axletree.language.bodies import Body, Load
from axletree.language.constraints import Constraint, is_internal
from axletree.language.expressions import Equation
from axletree.language.frames import Frame, Point, Vector
from axletree.language.variables import LanguageError
from axletree.language.world import World


class Assembly:
    """Bodies, loads and constraints; forces between two of its bodies drop out by themselves.

    Loads and constraints may be those of a larger whole: what acts on no body of it is left out.

    Example:
    >>> from axletree.language import Assembly, Body, Force, POINT_MASS, World
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
        self.bodies, self.loads, self.constraints = fitting(name, bodies, loads, constraints)

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
        """The world that its bodies move in."""
        return self.bodies[0].frame.world

    def applied_loads(self, internal: bool = False) -> Iterator[Load]:
        """What acts on the bodies, weight and constraints apart; pairs inside only if asked.

        Example:
        >>> from axletree.language import Assembly, Body, Force, POINT_MASS, World
        >>> base = World().base
        >>> car, trailer = (Body(name, base, 900, POINT_MASS) for name in ("car", "trailer"))  # kg
        >>> hitch = Force("hitch", base.vector(-500), base.origin, car, reaction_on=trailer)  # N
        >>> train = Assembly("train", [car, trailer], [hitch])
        >>> [*Assembly("car", [car], [hitch]).applied_loads()], [*train.applied_loads()]
        ([force 'hitch'], [])
        """
        yield from self._acting(self.loads, internal)

    def reactions(self) -> Iterator[Load]:
        """What constraints exert on the bodies, those between two of them apart.

        Example:
        >>> from axletree.language import Assembly, Body, POINT_MASS, World, rod, translation
        >>> base = World().base
        >>> bob = Body("bob", base.moved("B", translation(z=-2)), 1, POINT_MASS)  # m, kg
        >>> string = rod("string", (bob, bob.centre), (None, base.origin), 2)  # m
        >>> print(*(x.vector for x in Assembly("bob", [bob], [], [string]).reactions()))  # N
        vector (0, 0, string_tension) in 'base'
        """
        for constraint in self.constraints:
            yield from self._acting(constraint.loads, internal=False)

    def _acting(self, loads: Sequence[Load], internal: bool) -> Iterator[Load]:
        for load in loads:
            if internal or not is_internal(self, load):
                if load.on in self.bodies:
                    yield load
                if load.reaction_on in self.bodies:
                    yield load.reversed()

    # -- Newton and Euler ----------------------------------------------------------------
    def newton(self, in_frame: Frame | None = None) -> tuple[Equation, ...]:
        """Lot and Massaro 2017, eq. (19): three equations [N], in the base if no frame is given.

        Example:
        >>> from axletree.language import Assembly, Body, POINT_MASS, World, translation, variable
        >>> world, z = World(gravity=(0, 0, -10)), variable("z")  # m/s^2, m
        >>> stone = Body("stone", world.base.moved("S", translation(z=z)), 2, POINT_MASS)  # kg
        >>> print(Assembly("stone", [stone]).newton()[2])  # N
        2*z'' = -20
        """
        return newton.newton(self, in_frame or self.world.base)

    def euler(self, about: Point, in_frame: Frame | None = None) -> tuple[Equation, ...]:
        """Eq. (20): three equations [N m] about a pole, which may move.

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
        """Q [kg m/s], in the base.

        Example:
        >>> from axletree.language import Assembly, Body, POINT_MASS, World, translation, variable
        >>> frame = World().base.moved("C", translation(variable("x")))  # m
        >>> print(Assembly("cart", [Body("cart", frame, 2, POINT_MASS)]).linear_momentum())  # 2 kg
        vector (2*x', 0, 0) in 'base'
        """
        return newton.linear_momentum(self)

    def angular_momentum(self, about: Point) -> Vector:
        """K [kg m^2/s] about a pole, in the base.

        Example:
        >>> from axletree.language import Assembly, Body, POINT_MASS, World, translation, variable
        >>> base = World().base
        >>> ball = Body("ball", base.moved("B", translation(variable("x"))), 3, POINT_MASS)  # kg
        >>> print(Assembly("ball", [ball]).angular_momentum(base.point(y=2)))  # m
        vector (0, 0, 6*x') in 'base'
        """
        return newton.angular_momentum(self, about)

    # -- Lagrange and Kane ---------------------------------------------------------------
    def lagrange(
        self, coordinates: Sequence[sympy.Expr], terms_may_be_lost: bool = False
    ) -> tuple[Equation, ...]:
        """Eq. (26), with multipliers, one for each coordinate; (28) for speeds of the base.

        ``terms_may_be_lost`` lets an equation in a small coordinate pass, which lacks some.

        Example:
        >>> from axletree.language import Assembly, Body, POINT_MASS, World
        >>> from axletree.language import rotation_y, translation, variable
        >>> base, angle = World(gravity=(0, 0, -10)).base, variable("angle")  # m/s^2, rad
        >>> frame = base.moved("B", rotation_y(angle), translation(z=-2))  # m
        >>> print(*Assembly("pendulum", [Body("bob", frame, 3, POINT_MASS)]).lagrange([angle]))
        12*angle'' = -60*sin(angle)
        """
        return lagrange.lagrange(self, coordinates, terms_may_be_lost)

    def kane(
        self,
        speeds: Sequence[sympy.Expr] | Mapping[sympy.Expr, sympy.Expr],
        constraints: Sequence[sympy.Expr] = (),
    ) -> tuple[Equation, ...]:
        """Kane's equations, one for each rate of a coordinate or speed of the base.

        For speeds of one's own, ``{u_1: rate(q_1) * cos(q_2), ...}``, they hold these, and
        ``GeneralisedSpeeds`` has the rates of the coordinates. ``constraints`` are combinations of
        rates that are zero, of wheels that roll; their reactions drop out.

        Example:
        >>> from axletree.language import Assembly, Body, Torque, World, inertia, rate
        >>> from axletree.language import rotation_y, translation, variables
        >>> base, (x, turn, w) = World().base, variables("x turn w")  # m, rad, rad/s
        >>> frame = base.moved("W", translation(x), rotation_y(turn))
        >>> wheel = Body("wheel", frame, 20, inertia(0, 1, 0))  # kg, kg m^2
        >>> whole = Assembly("wheel", [wheel], [Torque("drive", base.vector(y=30), wheel)])  # N m
        >>> rolls = rate(x) - 0.5 * rate(turn)  # on a radius of 0.5 m
        >>> print(*whole.kane({w: rate(turn)}, constraints=[rolls]))
        6.0*w' = 30
        """
        return kane.kane(self, speeds, constraints)

    def conserved_momenta(self, coordinates: Sequence[sympy.Expr]) -> dict[sympy.Expr, sympy.Expr]:
        """dT/dq' [N s or N m s] of those coordinates that T does not see and nothing acts on.

        Example:
        >>> from axletree.language import Assembly, Body, POINT_MASS, World, translation, variables
        >>> base, (x, z) = World(gravity=(0, 0, -10)).base, variables("x z")  # m/s^2, m
        >>> stone = Body("stone", base.moved("S", translation(x, 0, z)), 2, POINT_MASS)  # kg
        >>> Assembly("stone", [stone]).conserved_momenta([x, z])  # N s
        {x(t): 2*Derivative(x(t), t)}
        """
        return lagrange.conserved_momenta(self, coordinates)

    def generalised_force(
        self, coordinate: sympy.Expr, terms_may_be_lost: bool = False
    ) -> sympy.Expr:
        """Of loads, weight and multipliers, by virtual work [N or N m].

        ``terms_may_be_lost`` lets that of a small coordinate pass, as in ``lagrange``.

        Example:
        >>> from axletree.language import Assembly, Body, POINT_MASS, World, translation, variable
        >>> base, x = World(gravity=(-6, 0, -8)).base, variable("x")  # m/s^2; m, up a slope
        >>> cart = Body("cart", base.moved("C", translation(x)), 3, POINT_MASS)  # kg
        >>> Assembly("cart", [cart]).generalised_force(x)  # N
        -18
        """
        return lagrange.shown_force(self, coordinate, terms_may_be_lost)

    # -- energy --------------------------------------------------------------------------
    def kinetic_energy(self) -> sympy.Expr:
        """[J]; to the second order in all that is small, in a world with small variables.

        Example:
        >>> from axletree.language import Assembly, Body, World, inertia
        >>> from axletree.language import rotation_y, translation, variables, written
        >>> x, turn = variables("x turn")  # m, rad
        >>> frame = World().base.moved("W", translation(x), rotation_y(turn))
        >>> wheel = Body("wheel", frame, 20, inertia(0, 2, 0))  # kg, kg m^2
        >>> print(written(Assembly("wheel", [wheel]).kinetic_energy()))
        turn'**2 + 10*x'**2
        """
        return lagrange.shown_kinetic_energy(self)

    def potential_energy(self) -> sympy.Expr:
        """[J] of the weight, zero at the base's origin, whose own height does not count.

        To the second order in what is small, so that its slopes have all of the first order.

        Example:
        >>> from axletree.language import Assembly, Body, POINT_MASS, World, translation, variable
        >>> base, z = World(gravity=(0, 0, -10)).base, variable("z")  # m/s^2, m; upwards
        >>> crate = Body("crate", base.moved("C", translation(z=z)), 3, POINT_MASS)  # kg
        >>> Assembly("crate", [crate]).potential_energy()
        30*z(t)
        """
        return lagrange.potential_energy(self)

    def power(self) -> sympy.Expr:
        """[W] of the loads, those between bodies of the assembly too, without the weight.

        To the second order in what is small, as dampers need it; refused where places that are
        cut off at the first order have lost some of it.

        Example:
        >>> from axletree.language import Assembly, Body, Torque, World, inertia
        >>> from axletree.language import rotation_y, variable, written
        >>> base, turn = World().base, variable("turn")  # rad
        >>> wheel = Body("wheel", base.moved("W", rotation_y(turn)), 9, inertia(0, 1, 0))
        >>> brake = Torque("brake", base.vector(y=-300), wheel)  # N m
        >>> print(written(Assembly("wheel", [wheel], [brake]).power()))  # turn' is in rad/s
        -300*turn'
        """
        return lagrange.power(self)


Members = tuple[tuple[Body, ...], tuple[Load, ...], tuple[Constraint, ...]]
Member = TypeVar("Member")


def fitting(
    name: str, bodies: Sequence[Body], loads: Sequence[Load], constraints: Sequence[Constraint]
) -> Members:
    """The three lists as they are kept, after a look at each of their members."""
    members = (
        _listed(name, "bodies", Body, bodies),
        _listed(name, "loads", Load, loads),
        _listed(name, "constraints", Constraint, constraints),
    )
    kept = members[0]
    if not kept:
        raise LanguageError(f"assembly {name!r} has no body that could move")
    if len(set(kept)) < len(kept):
        names = ", ".join(body.name for body in kept)
        raise LanguageError(f"assembly {name!r} has a body twice: {names}")
    _refuse_other_worlds(name, members)
    return members


def _listed(
    name: str, key: str, kind: type | UnionType, given: Sequence[Member]
) -> tuple[Member, ...]:
    if not isinstance(given, Iterable):
        raise LanguageError(
            f"assembly {name!r} takes lists of bodies, loads and constraints, not {given!r}"
        )
    items = tuple(given)
    for item in items:
        if not isinstance(item, kind):
            raise LanguageError(f"{item!r} is not one of the {key} of {name!r}")
    return items


def _refuse_other_worlds(name: str, members: Members) -> None:
    bodies, loads, constraints = members
    worlds = {body.frame.world for body in bodies}
    worlds |= {load.on.frame.world for load in loads}
    worlds |= {constraint.world for constraint in constraints}
    if len(worlds) > 1:
        raise LanguageError(
            f"what makes up assembly {name!r} is of different worlds: "
            f"{', '.join(item.name for item in (*bodies, *loads, *constraints))}"
        )
