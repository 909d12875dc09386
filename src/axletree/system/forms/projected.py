"""Second derivatives of the constraints, and states projected back onto them after each step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from axletree.core.errors import FormulationError
from axletree.equations.equations import Equations
from axletree.expr import Expr, jacobian, substitute
from axletree.expr.expression import ZERO
from axletree.system.forms.contract import ConstraintSolver, Form, Solution


@dataclass(frozen=True)
class Projected(Form):
    """Accelerations satisfy the constraints; after each step Newton steps move the state back.

    The accelerations are those of Morency 2007, eq. (2.15). The move is the smallest in the
    metric of the mass matrix, so no coordinate has to be chosen as dependent and no
    configuration of the mechanism is special.

    Example:
    >>> import axletree as at
    >>> system = at.read_model("four-bar").formulate(form=at.Projected(newton_steps=2))
    >>> system.projection is not None, system.degrees_of_freedom
    (True, 1)
    """

    newton_steps: int = 1

    def __post_init__(self) -> None:
        if self.newton_steps < 1:
            raise FormulationError(f"newton_steps must be at least 1, got {self.newton_steps}")

    def solve(self, equations: Equations, solver: ConstraintSolver) -> Solution:
        """Accelerations on the constraints, and beside them the state that is moved back to them.

        Example:
        >>> import axletree as at
        >>> from axletree.equations.derivation import derive_equations
        >>> from axletree.system.forms.contract import DefiniteSolver
        >>> equations = derive_equations(at.read_model("four-bar"))
        >>> solver = DefiniteSolver(equations, equations.constraints)
        >>> len(at.Projected().solve(equations, solver).projection)  # speeds and coordinates
        6
        """
        found = solver.accelerate([ZERO] * len(solver.constraints))
        projection = self._projection(equations, solver) if solver.constraints else None
        return found.with_other_rates(equations, projection)

    def _projection(self, equations: Equations, solver: ConstraintSolver) -> tuple[Expr, ...]:
        p = [x.symbol for x in equations.speeds]
        moves = solver.move([-c.position for c in solver.constraints])
        moved = moved_places(equations, moves, self.newton_steps)
        moves = solver.move([-c.velocity for c in solver.constraints])
        step_p = [a + b for a, b in zip(p, moves, strict=True)]
        return projected_state(equations, substitute(step_p, moved), moved)


def moved_places(equations: Equations, moves: Sequence[Expr], steps: int) -> dict[Expr, Expr]:
    """Coordinates and measured travels after Newton steps, each from where the last one led.

    ``moves`` is the step along the speeds; a place changes by dh/dp times it.
    """
    travels = [state for state in equations.internal if state.start is not None]
    places = [x.symbol for x in (*equations.coordinates, *(t.quantity for t in travels))]
    rates = (*equations.coordinate_rates, *(travel.rate for travel in travels))
    step = list(places)
    for (i, j), entry in jacobian(rates, [x.symbol for x in equations.speeds]).items():
        step[i] = step[i] + entry * moves[j]
    moved = dict(zip(places, places, strict=True))
    for _ in range(steps):
        moved = dict(zip(places, substitute(step, moved), strict=True))
    return moved


def projected_state(
    equations: Equations, moved_p: Sequence[Expr], moved: Mapping[Expr, Expr]
) -> tuple[Expr, ...]:
    """Speeds, coordinates and internal states in their order; what is no place stays."""
    q = (x.symbol for x in equations.coordinates)
    z = (state.quantity.symbol for state in equations.internal)
    return (*moved_p, *(moved[x] for x in q), *(moved.get(x, x) for x in z))
