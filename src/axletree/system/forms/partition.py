"""Coordinate partition: dependent coordinates follow from the independent ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from axletree.core.errors import FormulationError
from axletree.equations.constraints import Constraint
from axletree.equations.equations import Equations
from axletree.expr import Expr, linear_solve, substitute
from axletree.expr.expression import ZERO
from axletree.system.forms.contract import ConstraintSolver, Form, Solution
from axletree.system.forms.projected import moved_places, projected_state
from axletree.system.mechanism import Mechanism


@dataclass(frozen=True)
class Partition(Form):
    """Newton steps for dependent coordinates inside the rates (Morency 2007, eq. 2.20, fig. 2.2).

    Every evaluation first moves the dependent coordinates onto the constraints, by a fixed
    number of Newton steps from where they stand, and sets the dependent speeds; then it
    solves for the accelerations. Integrators see an ordinary differential equation.
    ``dependent`` names one speed per independent constraint; left empty, they are chosen
    at the assembled configuration.

    Example:
    >>> import axletree as at
    >>> system = at.read_model("four-bar").formulate(form=at.Partition(newton_steps=2))
    >>> len(system.states), system.degrees_of_freedom  # speeds and coordinates of all three hinges
    (6, 1)
    """

    newton_steps: int = 2
    dependent: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        if self.newton_steps < 1:
            raise FormulationError(f"newton_steps must be at least 1, got {self.newton_steps}")

    def completed(self, mechanism: Mechanism, q: np.ndarray, rows: Sequence[int]) -> Form:
        speeds = mechanism.equations.speeds
        best = [speeds[j].name for j in mechanism.dependent_speeds(q, rows)]
        if not self.dependent:
            return replace(self, dependent=tuple(best))
        listed = self._indices(mechanism.equations, len(rows))
        if len(mechanism.dependent_speeds(q, rows, among=listed)) < len(rows):
            raise FormulationError(
                f"the constraints of {mechanism.equations.name} do not determine "
                f"{', '.join(self.dependent)} from the other speeds; leave dependent empty, or "
                f"name {', '.join(best)}"
            )
        return self

    def solve(self, equations: Equations, solver: ConstraintSolver) -> Solution:
        """Rates at the place to which the dependent coordinates and speeds are moved.

        Example:
        >>> import axletree as at
        >>> from axletree.equations.derivation import derive_equations
        >>> from axletree.system.forms.contract import DefiniteSolver
        >>> equations = derive_equations(at.read_model("four-bar"))
        >>> solver = DefiniteSolver(equations, equations.constraints)
        >>> form = at.Partition(newton_steps=1, dependent=("b.rate", "c.rate"))
        >>> print(form.solve(equations, solver).projection[0])  # rad/s: the crank's own is kept
        a.rate
        """
        independent = solver.constraints
        found = solver.accelerate([ZERO] * len(independent)).with_other_rates(equations)
        if not independent:
            return found
        moved_p, places = self._corrected(equations, independent)
        values = places | dict(zip((x.symbol for x in equations.speeds), moved_p, strict=True))

        def at_corrected(expressions: Sequence[Expr]) -> tuple[Expr, ...]:
            return tuple(substitute(expressions, values))

        return Solution(
            at_corrected(found.speed_rates),
            at_corrected(found.coordinate_rates),
            at_corrected(found.internal_rates),
            at_corrected(found.reactions),
            projected_state(equations, moved_p, places),
            dict(
                zip(
                    found.needed_reactions,
                    at_corrected([*found.needed_reactions.values()]),
                    strict=True,
                )
            ),
            tuple(self._indices(equations, len(independent))),
        )

    def _corrected(
        self, equations: Equations, constraints: Sequence[Constraint]
    ) -> tuple[list[Expr], dict[Expr, Expr]]:
        """Speeds, and by their symbols coordinates and measured travels."""
        p = [x.symbol for x in equations.speeds]
        chosen = self._indices(equations, len(constraints))
        matrix = [[c.jacobian.get(j, ZERO) for j in chosen] for c in constraints]

        def moves(residuals: Sequence[Expr]) -> list[Expr]:
            solved = linear_solve(matrix, [-r for r in residuals])
            total = [ZERO] * len(p)
            for j, move in zip(chosen, solved, strict=True):
                total[j] = move
            return total

        along = moves([c.position for c in constraints])
        places = moved_places(equations, along, self.newton_steps)
        step_p = [a + b for a, b in zip(p, moves([c.velocity for c in constraints]), strict=True)]
        return substitute(step_p, places), places

    def _indices(self, equations: Equations, count: int) -> list[int]:
        names = [x.name for x in equations.speeds]
        unknown = [name for name in self.dependent if name not in names]
        if unknown:
            raise FormulationError(
                f"{unknown[0]!r} is no speed of the model; its speeds: {', '.join(names)}"
            )
        if len(set(self.dependent)) != count:
            raise FormulationError(
                f"the model has {count} independent constraints, so {count} speeds are dependent; "
                f"got {len(set(self.dependent))}: {', '.join(self.dependent) or 'none'}"
            )
        return [names.index(name) for name in self.dependent]
