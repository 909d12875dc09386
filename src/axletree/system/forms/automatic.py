"""The form with the fewest operations among those that are safe for a mechanism."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from axletree.core.errors import FormulationError
from axletree.equations.articulated_bodies.aggregates import Aggregate
from axletree.equations.equations import Equations
from axletree.expr import Expr, count_operations, symbols_of
from axletree.system.forms.contract import ConstraintSolver, Form, Solution
from axletree.system.forms.embedding import WELL_ON_TRAVEL, Embedded
from axletree.system.forms.projected import Projected
from axletree.system.mechanism import Mechanism


@dataclass(frozen=True)
class Automatic(Form):
    """The form that the model proposes; else projected, or embedded where that is cheaper and safe.

    Loops are embedded where each is like that of a suspension: it hangs on a body that moves, is
    held by a spring, closes by joints and couplings of joints, and has dependent speeds without a
    dead centre on the travel around its assembly (0.8 rad of the joint that moves most). Loops on
    the ground or without a spring, whose cranks may turn round, loads that depend on reactions and
    wheels that roll without slip leave the projected form. Where both are possible the number of
    operations of a step decides.

    Example:
    >>> import axletree as at
    >>> at.read_model("four-bar").formulate(form=at.Automatic()).dependent  # projected: none
    ()
    """

    embedded: Embedded | None = field(default=None, repr=False)  # where it is safe

    def completed(self, mechanism: Mechanism, q: np.ndarray, rows: Sequence[int]) -> Form:
        equations = mechanism.equations
        if not rows or not all(equations.constraints[i].is_holonomic for i in rows):
            return self
        try:
            found = Embedded().completed(mechanism, q, rows)
        except FormulationError:  # which says what the form asks for, and nobody asked for it
            return self
        assert isinstance(found, Embedded)
        safe = all(
            loop.aggregate.base
            and loop.determination > WELL_ON_TRAVEL
            and _is_sprung(equations, loop.aggregate)
            for loop in found.loops
        )
        return replace(self, embedded=found) if safe else self

    def solve(self, equations: Equations, solver: ConstraintSolver) -> Solution:
        """In the form whose rates and projection take fewer operations.

        Example:
        >>> import axletree as at
        >>> from axletree.equations.derivation import derive_equations
        >>> from axletree.system.forms.contract import DefiniteSolver
        >>> equations = derive_equations(at.read_model("four-bar"))
        >>> solver = DefiniteSolver(equations, equations.constraints)
        >>> len(at.Automatic().solve(equations, solver).reactions)
        2
        """
        if self.embedded is None:
            return Projected().solve(equations, solver)
        embedded = self.embedded.solve(equations, solver)
        rates, _ = solver.under_load(_wanted(solver), following=True)
        if count_operations(rates).total > _operations(embedded):  # before anything is projected
            return embedded
        return min(embedded, Projected().solve(equations, solver), key=_operations)


def _wanted(solver: ConstraintSolver) -> list[Expr]:
    """Second derivatives of the constraints without those of the speeds."""
    return [-c.bias for c in solver.constraints]


def _is_sprung(equations: Equations, aggregate: Aggregate) -> bool:
    """Whether a spring's energy depends on how the links of a loop stand: it keeps the loop from
    turning round."""
    energies = [answer.response.potential_energy for answer in equations.answers]
    seen = set(symbols_of(energies))
    own = set(aggregate.speeds)
    connections = equations.dynamics.kinematics.links.with_variables
    return any(
        q.symbol in seen
        for c in connections
        if not own.isdisjoint(c.speed_indices)
        for q in c.coordinates
    )


def _operations(solution: Solution) -> int:
    """Of a step: of the rates and of what follows it."""
    rates = (*solution.speed_rates, *solution.coordinate_rates, *solution.internal_rates)
    closing = count_operations(solution.projection or ())
    return (count_operations(rates) + closing).total
