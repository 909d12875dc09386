"""Models without some of their variables, such as a car whose trailer is left behind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import sympy

from axletree.language import first_order
from axletree.language.declared import known_variables
from axletree.language.equation import Equation
from axletree.language.variables import rate

if TYPE_CHECKING:
    from axletree.language.state_space import StateSpace

_KINDS = (sympy.Function, sympy.Derivative)


def cut_off(space: StateSpace, variables: Sequence[sympy.Expr]) -> StateSpace:
    """Forces among the variables are 0, and equations that hold any of the others are left out."""
    gone = set(known_variables(variables, space.x, space.name))
    gone |= {space.velocities[q] for q in gone if q in space.velocities}
    forces = gone & set(space.algebraic)
    moving = (gone - forces) | {rate(q) for q in gone - forces}
    kept = [e for e in space.equations if not e.residual.atoms(*_KINDS) & moving]
    off = dict.fromkeys(forces, 0)
    outputs = {n: e for n, e in space.outputs.items() if not e.atoms(*_KINDS) & moving}
    new = first_order.switched([Equation(n, e, 0) for n, e in outputs.items()], off)
    left = [e for e in first_order.switched(kept, off) if e.residual != 0]
    return replace(
        space,
        equations=tuple(left),
        x=tuple(x for x in space.x if x not in gone),
        velocities={q: v for q, v in space.velocities.items() if q not in gone},
        outputs={e.name: e.left for e in new},
    )
