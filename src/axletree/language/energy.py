"""Energies and power of sets of bodies.

In a world with small variables places are of the first order in small displacements, and
velocities are the rates of these places, with all their products: a kinetic energy then has
the terms of second order that its slopes need (Lot and Massaro 2017, section 2.3).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy

from axletree.language.bodies import Body, Force, Load
from axletree.language.moving_base import MovingBase
from axletree.language.transformations import axial, skew
from axletree.language.variables import TIME

if TYPE_CHECKING:
    from axletree.language.assembly import Assembly


def kinetic_energy(assembly: Assembly, moving: MovingBase | None = None) -> sympy.Expr:
    """[J]; ``moving`` is the motion of the base, if it is not that of the world."""
    motion = moving or assembly.world.moving
    total = sympy.Integer(0)
    for body in assembly.bodies:
        V, omega = centre_velocity(body, motion), turning(body, motion)
        total += body.mass * (V.T * V)[0] / 2 + (omega.T * body.inertia * omega)[0] / 2
    return sympy.expand(total)


def centre_velocity(body: Body, motion: MovingBase) -> sympy.Matrix:
    """[m/s] of the centre of mass, in the base."""
    P = body.frame.T[:3, 3]
    return body.frame.world.placed(motion.V + skew(motion.Omega) * P + P.diff(TIME))


def turning(body: Body, motion: MovingBase) -> sympy.Matrix:
    """[rad/s], in the body's axes."""
    R = body.frame.R
    own = axial(R.T * R.diff(TIME))
    return body.frame.world.placed(R.T * motion.Omega + own)


def potential_energy(assembly: Assembly) -> sympy.Expr:
    """[J] of the weight; -m g . P."""
    world = assembly.world
    g = world.gravity.exact
    heights = [(g.T * body.frame.T[:3, 3])[0] * body.mass for body in assembly.bodies]
    return sympy.expand(-sympy.Add(*heights))


def power(assembly: Assembly) -> sympy.Expr:
    """[W] of applied loads."""
    return assembly.world.final(
        sympy.Add(*(power_of(load) for load in assembly.applied_loads(internal=True)))
    )


def power_of(load: Load) -> sympy.Expr:
    """[W] on the body that the load acts on: at a force, of the body's point that is there."""
    base = load.on.frame.world.base
    turns = load.on.frame.angular_velocity()
    if not isinstance(load, Force):
        return load.vector.in_frame(base).dot(turns)
    arm = (load.at - load.on.centre).in_frame(base)
    velocity = load.on.centre.velocity() + turns.cross(arm)
    return load.vector.in_frame(base).dot(velocity)
