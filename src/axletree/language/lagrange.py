"""Lagrange's equations, with multipliers: Lot and Massaro 2017, eqs. (26), (28)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import sympy

from axletree.language.acting import holds, reactions
from axletree.language.bodies import Force, Load
from axletree.language.constraints import holds_velocities
from axletree.language.energy import kinetic_energy
from axletree.language.equation import Equation
from axletree.language.errors import LanguageError
from axletree.language.moving_base import MovingBase
from axletree.language.partial_motion import (
    checked_coordinate,
    checked_coordinates,
    partial_motion,
)
from axletree.language.transformations import axial
from axletree.language.variables import TIME, rate

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
        left, right = world.final(inertial), world.final(generalised_force(assembly, q))
        name = f"{assembly.name}, Lagrange, {q.func}"
        found.append(Equation(name, left, right, world.small.places))
    return tuple(found)


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
    loads = list(assembly.applied_loads(internal=True))
    for constraint in assembly.constraints:
        if constraint not in inner:
            loads += reactions(assembly, constraint)
    total = sympy.Add(*(_virtual_work(load, q) for load in loads))
    for body in assembly.bodies:
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
    slope = partial_motion(frame, q)
    in_base = load.vector.in_frame(frame.world.base).exact
    if isinstance(load, Force):
        place = load.at.in_frame(frame).exact
        return (in_base.T * (slope[:3, :3] * place + slope[:3, 3]))[0]
    return (in_base.T * axial(slope[:3, :3] * frame.R.T))[0]
