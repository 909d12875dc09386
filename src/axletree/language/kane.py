"""Kane's equations: inertia and loads on partial velocities (Kane and Levinson 1985)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import sympy

from axletree.language.bodies import Body
from axletree.language.equation import Equation
from axletree.language.errors import LanguageError
from axletree.language.generalised_speeds import GeneralisedSpeeds
from axletree.language.lagrange import generalised_force, refuse_small
from axletree.language.newton import spin_rate
from axletree.language.partial_motion import checked_coordinates, partial_motion
from axletree.language.transformations import axial

if TYPE_CHECKING:
    from axletree.language.assembly import Assembly


def kane(
    assembly: Assembly,
    speeds: Sequence[sympy.Expr] | Mapping[sympy.Expr, sympy.Expr],
    held: Sequence[sympy.Expr],
) -> tuple[Equation, ...]:
    """-F*_r = F_r for each speed."""
    if isinstance(speeds, Mapping):
        own = GeneralisedSpeeds.of(speeds, held)
        return own.combined(assembly.name, kane(assembly, own.coordinates, ()))
    if held:
        raise LanguageError(
            "combinations of rates are held beside speeds of one's own: give these as "
            "{u_1: rate(q_1), ...}"
        )
    world = assembly.world
    chosen = checked_coordinates(assembly, speeds)
    refuse_small(assembly, chosen, "Kane's equation")
    found = []
    for q in chosen:
        left = sympy.Add(*(_inertia(body, q) for body in assembly.bodies))
        right = generalised_force(assembly, q)
        name = f"{assembly.name}, Kane, {q.func}"
        sides = world.final(left), world.final(right)
        found.append(Equation(name, *sides, world.small.places))
    return tuple(found)


def _inertia(body: Body, q: sympy.Expr) -> sympy.Expr:
    slope = partial_motion(body.frame, q)
    partial_turning = axial(body.frame.R.T * slope[:3, :3])
    linear = body.centre.acceleration().exact * body.mass
    angular = spin_rate(body).exact
    return (linear.T * slope[:3, 3])[0] + (angular.T * partial_turning)[0]
