"""What a configuration may lack besides its constraints: directions and angles."""

from __future__ import annotations

from collections.abc import Mapping

from axletree.core.expr import Expr, sin
from axletree.formulation.equations import Equations
from axletree.formulation.relative import rotation_of
from axletree.library.edge import ROTATION, RotationLaw


def wanted_travels(equations: Equations, travels: Mapping[str, float]) -> list[tuple[str, Expr]]:
    """What angles lack of those that are wanted; whole turns do not count."""
    found = [(s.quantity.name, s.start) for s in equations.internal if s.quantity.name in travels]
    return [
        (name, 2.0 * sin((start - travels[name]) * 0.5))
        for name, start in found
        if start is not None
    ]


def measured_travels(equations: Equations) -> dict[Expr, Expr]:
    """Travels that are states, as functions of the coordinates: turns are not counted yet."""
    return {s.quantity.symbol: s.start for s in equations.internal if s.start is not None}


def facings(equations: Equations) -> list[tuple[str, Expr]]:
    """Of each rotational chord: its component, and what is 1 where its head faces as it should."""
    k, found = equations.dynamics.kinematics, []
    for edge in equations.trees[ROTATION].chords:
        if isinstance(edge.law, RotationLaw):
            R = rotation_of(k, k.links.places[edge.tail], k.links.places[edge.head])
            found += [(edge.component, facing) for facing in edge.law.facing(R)]
    return [(name, facing) for name, facing in found if not facing.is_number]
