"""Cyclic coordinates: those whose value does not matter, and what is conserved with them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import sympy

from axletree.language.expressions import Equation, folded
from axletree.language.lagrange import (
    checked_coordinates,
    generalised_force,
    kinetic_energy,
    refuse_small,
)
from axletree.language.variables import LanguageError, rate

if TYPE_CHECKING:
    from axletree.language.assembly import Assembly


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
    rows = [folded(e.residual if isinstance(e, Equation) else e) for e in equations]
    return tuple(q for q in coordinates if not any(_by_itself(row, q) for row in rows))


def _by_itself(expression: sympy.Expr, q: sympy.Expr) -> bool:
    rates = {change: sympy.Dummy() for change in expression.atoms(sympy.Derivative)}
    return bool(expression.xreplace(rates).has(q))


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
        if folded(T.diff(q)) == 0 and folded(generalised_force(assembly, q)) == 0:
            found[q] = world.final(T.diff(rate(q)))
    return found
