"""Lagrange's equations, with multipliers (Lot and Massaro 2017, eqs. 26 and 28), energies and
power, and cyclic coordinates.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import sympy

from axletree.language.bodies import Force, Load
from axletree.language.constraints import holds, holds_velocities
from axletree.language.expressions import Equation, squares_kept, vanishes
from axletree.language.first_order import listed
from axletree.language.frames import Frame
from axletree.language.transformations import added, axial, crossed, dotted, skew
from axletree.language.variables import TIME, LanguageError, is_rate, is_variable, rate
from axletree.language.world import MovingBase

if TYPE_CHECKING:
    from axletree.language.assembly import Assembly


def lagrange(
    assembly: Assembly, coordinates: Sequence[sympy.Expr], terms_may_be_lost: bool
) -> tuple[Equation, ...]:
    world = assembly.world
    chosen = checked_coordinates(assembly, coordinates)
    if not terms_may_be_lost:
        refuse_small(assembly, chosen, "Lagrange's equation")
    T = kinetic_energy(assembly)
    found = []
    for q in chosen:
        if q in world.moving.speeds:
            inertial = _of_quasi_velocity(assembly, q)
        else:
            inertial = T.diff(rate(q)).diff(TIME) - T.diff(q)
        found.append(balance(assembly, "Lagrange", q, inertial))
    return tuple(found)


def balance(assembly: Assembly, method: str, q: sympy.Expr, inertial: sympy.Expr) -> Equation:
    """The inertial side and the generalised force, as they are shown."""
    world, name = assembly.world, f"{assembly.name}, {method}, {q.func}"
    right = generalised_force(assembly, q)
    return Equation(name, world.final(inertial), world.final(right), world.small.bounded)


def refuse_small(assembly: Assembly, coordinates: Sequence[sympy.Expr], what: str) -> None:
    """Section 3.2: the slope of something cut off at the first order lacks terms."""
    world = assembly.world
    if world.linearise_last:
        return
    lost = [q for q in coordinates if q in world.small.places or _is_held_small(assembly, q)]
    if lost:
        raise LanguageError(
            f"{what} in {', '.join(str(q.func) for q in lost)} lacks terms, because it "
            "needs energies and virtual work to the second order, and places are already cut off "
            "at the first: make the World with linearise_last=True, or take Newton's and Euler's "
            "equations, which keep all terms"
        )


def _is_held_small(assembly: Assembly, q: sympy.Expr) -> bool:
    """Whether its velocity is small and a constraint between velocities inside holds it."""
    world = assembly.world
    velocity = q if q in world.moving.speeds else rate(q)
    if velocity not in world.small.all:
        return False
    inner = [c for c in assembly.constraints if holds(assembly, c)]
    return any(holds_velocities(e, world) and e.has(velocity) for c in inner for e in c.exact)


def _of_quasi_velocity(assembly: Assembly, speed: sympy.Expr) -> sympy.Expr:
    """Eq. (28) for a base that moves in space (Kirchhoff's form).

    d/dt dT/dV + Omega x dT/dV for its velocity, and d/dt dT/dOmega + Omega x dT/dOmega +
    V x dT/dV for its angular velocity, each times its slope by the speed: V and Omega may be
    made of speeds, such as that along the path and the angle of sideslip. The slopes of T are
    taken in components that are all variables, since some of the base's may be constant or zero.
    """
    moving = assembly.world.moving
    names = sympy.symbols("V_x V_y V_z Omega_x Omega_y Omega_z", cls=sympy.Dummy)
    own = dict(zip(names, (*moving.velocity, *moving.angular_velocity), strict=True))
    T = kinetic_energy(assembly, MovingBase(names[:3], names[3:]))
    p = sympy.Matrix([T.diff(x) for x in names[:3]]).xreplace(own)
    h = sympy.Matrix([T.diff(x) for x in names[3:]]).xreplace(own)
    V, Omega = moving.V, moving.Omega
    linear = p.diff(TIME) + Omega.cross(p)
    angular = h.diff(TIME) + Omega.cross(h) + V.cross(p)
    return (V.diff(speed).T * linear)[0] + (Omega.diff(speed).T * angular)[0]


def shown_force(assembly: Assembly, coordinate: sympy.Expr, terms_may_be_lost: bool) -> sympy.Expr:
    """Q_q as it is shown."""
    q = checked_coordinate(assembly, coordinate)
    if not terms_may_be_lost:
        refuse_small(assembly, [q], "the generalised force")
    return assembly.world.final(generalised_force(assembly, q))


def generalised_force(assembly: Assembly, coordinate: sympy.Expr) -> sympy.Expr:
    """Q_q of loads and weight by virtual work, less multipliers times slopes (eq. 26).

    Constraints to bodies outside, or to the base, count by the loads that they put on those
    inside: the base may move with the coordinate, too.
    """
    world = assembly.world
    q = checked_coordinate(assembly, coordinate)
    inner = [c for c in assembly.constraints if holds(assembly, c)]
    loads = [*assembly.applied_loads(internal=True), *assembly.reactions()]
    total = sympy.Add(*(_virtual_work(load, q) for load in loads))
    for body in assembly.bodies:
        if world.exact:
            _, sliding = body.frame.partial_velocities(q)
            total += body.mass * dotted(body.frame.own_gravity, sliding)
        else:
            moved = partial_motion(body.frame, q)[:3, 3]
            total += body.mass * (world.gravity.exact.T * moved)[0]
    for constraint in inner:
        for slope, multiplier in zip(constraint.slopes(q), constraint.multipliers, strict=True):
            total -= multiplier * slope
    return total


def _virtual_work(load: Load, q: sympy.Expr) -> sympy.Expr:
    """Of a unit of the coordinate: the point of the body that is where the force acts moves.

    The coordinates of that point in the body are held, even where they depend on q.
    """
    frame = load.on.frame
    if frame.world.exact:
        turning, sliding = frame.partial_velocities(q)
        vector = tuple(load.vector.in_frame(frame).exact)
        if not isinstance(load, Force):
            return dotted(vector, turning)
        place = tuple(load.at.in_frame(frame).exact)
        return dotted(vector, added(sliding, crossed(turning, place)))
    slope = partial_motion(frame, q)
    in_base = load.vector.in_frame(frame.world.base).exact
    if isinstance(load, Force):
        place = load.at.in_frame(frame).exact
        return (in_base.T * (slope[:3, :3] * place + slope[:3, 3]))[0]
    return (in_base.T * axial(slope[:3, :3] * frame.R.T))[0]


# Energies and power of sets of bodies.
#
# In a world with small variables the kinetic energy that Lagrange's equations are formed of has
# places of the first order in small displacements, and velocities that are the rates of these
# places, with all their products: it then has the terms of second order that its slopes by
# velocities, and by places that are not small, need (Lot and Massaro 2017, section 2.3). The
# energies that are shown have all terms of second order.


def kinetic_energy(assembly: Assembly, moving: MovingBase | None = None) -> sympy.Expr:
    """[J]; ``moving`` is the motion of the base, if it is not that of the world."""
    motion = moving or assembly.world.moving
    total = sympy.Integer(0)
    for body in assembly.bodies:
        if assembly.world.exact:
            own = body.frame.own_motion(moving)
            V, omega = sympy.Matrix(own.v), sympy.Matrix(own.omega)
            total += body.mass * (V.T * V)[0] / 2 + (omega.T * body.inertia * omega)[0] / 2
            continue
        P, R, placed = body.frame.T[:3, 3], body.frame.R, body.frame.world.placed
        V = placed(motion.V + skew(motion.Omega) * P + P.diff(TIME))
        omega = placed(R.T * motion.Omega + axial(R.T * R.diff(TIME)))  # in the body's axes
        total += body.mass * (V.T * V)[0] / 2 + (omega.T * body.inertia * omega)[0] / 2
    return assembly.world.second_order(total) if assembly.world.exact else sympy.expand(total)


def shown_kinetic_energy(assembly: Assembly) -> sympy.Expr:
    """[J] to the second order in all that is small, squares of places included."""
    world, motion, total = assembly.world, assembly.world.moving, sympy.Integer(0)
    if world.exact:
        return kinetic_energy(assembly)
    for body in assembly.bodies:
        T = body.frame.second_order
        P, R = T[:3, 3], T[:3, :3]
        V = motion.V + skew(motion.Omega) * P + P.diff(TIME)
        omega = R.T * motion.Omega + axial(R.T * R.diff(TIME))
        total += body.mass * (V.T * V)[0] / 2 + (omega.T * body.inertia * omega)[0] / 2
    return world.second_order(total)


def potential_energy(assembly: Assembly) -> sympy.Expr:
    """[J] of the weight, -m g . P, to the second order in all that is small."""
    world = assembly.world
    g = world.gravity.exact
    heights = [(g.T * body.frame.second_order[:3, 3])[0] * body.mass for body in assembly.bodies]
    return world.second_order(-sympy.Add(*heights))


def power(assembly: Assembly) -> sympy.Expr:
    """[W] of applied loads, to the second order in what is small."""
    world = assembly.world
    loads = list(assembly.applied_loads(internal=True))
    total = sympy.Add(*(_power_of(load) for load in loads))
    shown = world.second_order(total) if world.exact else world.final(total)
    if not world.exact and not vanishes(shown - squares_kept(total, world.small.all)):
        raise LanguageError(
            f"the power of the loads on {assembly!r} has terms of the second order in what is "
            "small, such as that of a damper, and places and loads are already cut off at the "
            "first, so that some of them are lost: make the World with linearise_last=True"
        )
    return squares_kept(shown, world.small.all) if world.small.all else shown


def _power_of(load: Load) -> sympy.Expr:
    """[W] on the body that the load acts on: at a force, of the body's point that is there."""
    base = load.on.frame.world.base
    velocity = load.on.frame.angular_velocity()
    if isinstance(load, Force):
        arm = (load.at - load.on.centre).in_frame(base)
        velocity = load.on.centre.velocity() + velocity.cross(arm)
    return sympy.Add(
        *(f * v for f, v in zip(load.vector.in_frame(base).exact, velocity.exact, strict=True))
    )


# How frames move with one coordinate, or with one speed of the base, and nothing else.


def partial_motion(frame: Frame, coordinate: sympy.Expr) -> sympy.Matrix:
    """The 4x4 slope of the frame's matrix, in the base: dP = slope . (coordinates) dq.

    For a speed of the base it is what that speed, being 1, adds to the frame's motion.
    """
    moving = frame.world.moving
    by = coordinate if coordinate in moving.speeds else rate(coordinate)
    carried = (moving.W.diff(by) if moving.W.has(by) else sympy.zeros(4)) * frame.T
    return carried if coordinate in moving.speeds else frame.T.diff(coordinate) + carried


def checked_coordinate(assembly: Assembly, coordinate: sympy.Expr) -> sympy.Expr:
    """A coordinate or a speed of the base; a rate of a coordinate stands for it."""
    found = coordinate.expr if is_rate(coordinate, 1) else coordinate
    speeds = ", ".join(map(str, assembly.world.moving.speeds)) or "none here"
    if not is_variable(found):
        raise LanguageError(
            f"{coordinate} is no coordinate; coordinates are variables, and speeds of the base "
            f"are {speeds}"
        )
    if not _moves(assembly, found):
        raise LanguageError(
            f"nothing of {assembly!r} moves with {found}: neither the frame of a body nor a "
            f"constraint depends on it, and speeds of the base are {speeds}"
        )
    return found


def checked_coordinates(
    assembly: Assembly, coordinates: Sequence[sympy.Expr]
) -> tuple[sympy.Expr, ...]:
    """Likewise, of several."""
    items = listed(coordinates, f"coordinates of {assembly!r}")
    return tuple(checked_coordinate(assembly, q) for q in items)


def _moves(assembly: Assembly, q: sympy.Expr) -> bool:
    moving = assembly.world.moving
    return (
        q in moving.speeds
        or moving.W.has(sympy.Derivative(q, TIME))
        or any(_depends(body.frame, q) for body in assembly.bodies)
        or any(e.has(q) for constraint in assembly.constraints for e in constraint.exact)
    )


def _depends(frame: Frame, q: sympy.Expr) -> bool:
    if not frame.world.exact:
        return bool(frame.T.has(q))
    return any(motion.has(q) for place in frame.ancestors for motion in place.motions)


# Cyclic coordinates: those whose value does not matter, and what is conserved with them.


def cyclic(
    equations: Iterable[Equation | sympy.Expr], coordinates: Sequence[sympy.Expr]
) -> tuple[sympy.Expr, ...]:
    """The coordinates that occur in the equations by their rates at most.

    Their equations need not be integrated, unless one asks for them: neither a steady state
    nor an eigenvalue depends on them.

    Example:
    >>> from axletree.language import cyclic, parameters, rate, variables
    >>> m, (x, y) = parameters("m")[0], variables("x y")
    >>> cyclic([m * rate(x, 2) + y], [x, y])  # the place x does not matter
    (x(t),)
    """
    rows = [e.residual if isinstance(e, Equation) else sympy.sympify(e) for e in equations]
    return tuple(q for q in coordinates if not any(_by_itself(row, q) for row in rows))


def _by_itself(expression: sympy.Expr, q: sympy.Expr) -> bool:
    rates = {change: sympy.Dummy() for change in expression.atoms(sympy.Derivative)}
    place = sympy.Dummy(real=True)
    found = expression.xreplace({**rates, q: place})
    return bool(found.has(place)) and not vanishes(found.diff(place))


def conserved_momenta(
    assembly: Assembly, coordinates: Sequence[sympy.Expr]
) -> dict[sympy.Expr, sympy.Expr]:
    """dT/dq' of the coordinates with dT/dq = 0 and Q_q = 0, by Lagrange's equation."""
    world = assembly.world
    chosen = checked_coordinates(assembly, coordinates)
    refuse_small(assembly, chosen, "Lagrange's equation")
    T = kinetic_energy(assembly)
    found = {}
    for q in chosen:
        if q in world.moving.speeds:
            raise LanguageError(
                f"{q} is a speed of the base, which no coordinate is known of; give the base's "
                "place by coordinates, and their rates as its velocities"
            )
        if vanishes(T.diff(q)) and vanishes(generalised_force(assembly, q)):
            found[q] = world.final(T.diff(rate(q)))
    return found
