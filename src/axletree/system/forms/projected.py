"""Second derivatives of the constraints, and states projected back onto them after each step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from axletree.core.errors import FormulationError
from axletree.core.expr import Expr, jacobian, substitute
from axletree.core.expr.expression import ZERO
from axletree.formulation.equations import Equations
from axletree.system.form import ConstraintSolver, Form, Solution, internal_rates


@dataclass(frozen=True)
class Projected(Form):
    """Accelerations satisfy (2.15); after each step Newton steps move the state back.

    The move is the smallest in the metric of the mass matrix, so no coordinate has to be
    chosen as dependent and no configuration of the mechanism is special.
    """

    newton_steps: int = 1

    def __post_init__(self) -> None:
        if self.newton_steps < 1:
            raise FormulationError(f"newton_steps must be at least 1, got {self.newton_steps}")

    def solve(self, equations: Equations, solver: ConstraintSolver) -> Solution:
        rates, reactions = solver.accelerate([ZERO] * len(solver.constraints))
        projection = self._projection(equations, solver) if solver.constraints else None
        internal = internal_rates(equations)
        return Solution(rates, equations.coordinate_rates, internal, reactions, projection)

    def _projection(self, equations: Equations, solver: ConstraintSolver) -> tuple[Expr, ...]:
        q = [x.symbol for x in equations.coordinates]
        p = [x.symbol for x in equations.speeds]
        moves = solver.move([-c.position for c in solver.constraints])
        moved_q = repeated(q, coordinate_moves(equations, moves), self.newton_steps)
        moves = solver.move([-c.velocity for c in solver.constraints])
        step_p = [a + b for a, b in zip(p, moves, strict=True)]
        moved_p = substitute(step_p, dict(zip(q, moved_q, strict=True)))
        return (*moved_p, *moved_q, *(state.quantity.symbol for state in equations.internal))


def repeated(q: Sequence[Expr], moves: Sequence[Expr], steps: int) -> list[Expr]:
    """The coordinates after some Newton steps, each from where the last one led."""
    step = [a + b for a, b in zip(q, moves, strict=True)]
    moved = list(q)
    for _ in range(steps):
        moved = substitute(step, dict(zip(q, moved, strict=True)))
    return moved


def coordinate_moves(equations: Equations, moves: Sequence[Expr]) -> list[Expr]:
    """What a small move along the speeds does to the coordinates: dh/dp times the move."""
    p = [x.symbol for x in equations.speeds]
    entries = jacobian(equations.coordinate_rates, p)
    total = [ZERO] * len(equations.coordinates)
    for (i, j), entry in entries.items():
        total[i] = total[i] + entry * moves[j]
    return total
