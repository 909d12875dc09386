"""Newton's and Euler's equations of sets of bodies: Lot and Massaro 2017, eqs. (19), (20)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import TYPE_CHECKING

import sympy

from axletree.language.bodies import Body, Force
from axletree.language.constraints import is_internal
from axletree.language.expressions import Equation
from axletree.language.frames import Frame, Point, Vector, checked_frame, same_world
from axletree.language.transformations import AXES, Triple, added, crossed, dotted, skew
from axletree.language.variables import TIME, LanguageError

if TYPE_CHECKING:
    from axletree.language.assembly import Assembly


def newton(assembly: Assembly, frame: Frame) -> tuple[Equation, ...]:
    """dQ/dt = F."""
    same_world(assembly, checked_frame(frame))
    _refuse_unknown_reactions(assembly)
    loads = (*assembly.applied_loads(), *assembly.reactions())
    forces = [load.vector for load in loads if isinstance(load, Force)]
    weights = [assembly.world.gravity * body.mass for body in assembly.bodies]
    change = linear_momentum(assembly).derivative()
    return _components(f"{assembly.name}, Newton", [change], [*forces, *weights], frame)


def euler(assembly: Assembly, pole: Point, frame: Frame) -> tuple[Equation, ...]:
    """dK_A/dt + V_A x Q = M_A.

    The left side is that of the turning about each centre of mass, and of the accelerations of
    these: the arm's own rate, V - V_A, times the momentum m V leaves -V_A x m V.
    """
    same_world(assembly, checked_frame(frame))
    _refuse_unknown_reactions(assembly)
    loads = (*assembly.applied_loads(), *assembly.reactions())
    moments = [load.moment(pole) for load in loads]
    # and of forces inside that do not point along the places of their two ends
    inside = [load for load in assembly.loads if is_internal(assembly, load)]
    moments += [x.moment(x.reaction_at or x.at) for x in inside if isinstance(x, Force)]
    changes = [spin_rate(body) for body in assembly.bodies]
    for body in assembly.bodies:
        arm = (body.centre - pole).in_frame(assembly.world.base)
        moments.append(arm.cross(assembly.world.gravity * body.mass))
        changes.append(arm.cross(body.centre.acceleration() * body.mass))
    return _components(f"{assembly.name}, Euler", changes, moments, frame)


def _refuse_unknown_reactions(assembly: Assembly) -> None:
    for constraint in assembly.constraints:
        if not constraint.loads:
            raise LanguageError(
                f"constraint {constraint.name!r} tells no loads, so Newton's and Euler's equations "
                f"of {assembly.name!r} would lack its forces: give it loads=[...], or leave it out "
                "of the assembly if other loads stand for it"
            )


def linear_momentum(assembly: Assembly) -> Vector:
    """Q."""
    return _sum(assembly, [body.centre.velocity() * body.mass for body in assembly.bodies])


def angular_momentum(assembly: Assembly, pole: Point) -> Vector:
    """K_A: that of the centres of mass, and that of the turning about them."""
    world = assembly.world
    parts = []
    for body in assembly.bodies:
        arm = (body.centre - pole).in_frame(world.base)
        parts.append(arm.cross(body.centre.velocity() * body.mass))
        parts.append(spin(body))
    return _sum(assembly, parts)


def spin(body: Body) -> Vector:
    """The angular momentum about the centre of mass, in the body's axes."""
    return Vector(body.frame, body.inertia * body.frame.own_angular_velocity)


def spin_rate(body: Body) -> Vector:
    """Its rate, seen from the ground, in the body's axes: K' + omega x K."""
    if body.frame.world.exact:
        return Vector(body.frame, sympy.Matrix(own_spin_rate(body)))
    K = spin(body).exact
    return Vector(body.frame, K.diff(TIME) + skew(body.frame.own_angular_velocity) * K)


def own_spin_rate(body: Body) -> Triple:
    """I alpha + omega x I omega, in the body's axes, where nothing is left out."""
    motion = body.frame.own_motion()
    rows = [tuple(row) for row in body.inertia.tolist()]
    K, change = (tuple(dotted(row, w) for row in rows) for w in (motion.omega, motion.alpha))
    return added(change, crossed(motion.omega, K))


def _sum(assembly: Assembly, vectors: Sequence[Vector]) -> Vector:
    base = assembly.world.base
    return reduce(Vector.__add__, vectors, Vector(base, sympy.zeros(3, 1)))


def _components(
    name: str, left: Sequence[Vector], right: Sequence[Vector], frame: Frame
) -> tuple[Equation, ...]:
    sides = [reduce(Vector.__add__, vectors, frame.vector()) for vectors in (left, right)]
    small = frame.world.small.bounded
    return tuple(
        Equation(f"{name}, {axis}", a, b, small) for axis, a, b in zip(AXES, *sides, strict=True)
    )
