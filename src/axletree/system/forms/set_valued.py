"""Set-valued forces as unknowns: what a step is solved from, as expressions of its beginning.

    p(t + h) = p + h (free + columns . force)                       Peiret et al., eqs. (1), (2)
    w = velocity + h (push + coupling . force) + compliance . force - offset

Accelerations are those that the constraints allow (eq. 3): ``columns`` is what a unit of each
force does to the speeds, ``push`` is A . free, and ``coupling`` is A . columns. To the ``push``
of a contact half of what its velocity changes by at constant speeds is added, so that the gap
at the end of the step is right to the second power of h, and a body that turns on a contact
does not sink into it. A spring (stiffness k, damping c, preload F) is one more compliance, 1 /
(h k + c), and one more offset, F / (h k + c).

``SetValuedForm`` keeps the forces in the equations as unknowns, and leaves the constraints to
another form. ``StepRows`` is what a system has of it; ``step_rows`` forms the rows when the
system is assembled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from axletree.core.errors import FormulationError
from axletree.equations.equations import Equations
from axletree.equations.set_valued_forces import LAW_COLUMNS
from axletree.expr import Expr, condensed, directional_derivative, substitute, symbols_of
from axletree.expr.expression import ZERO
from axletree.expr.quantity import Quantity
from axletree.system.forms.contract import ConstraintSolver, Form, Solution, row_times
from axletree.system.forms.projected import Projected
from axletree.system.mechanism import Mechanism


@dataclass(frozen=True)
class SetValuedForm(Form):
    """Set-valued forces are unknowns of each step; constraints are solved in another form.

    Brakes, clutches, contacts and soil hold what is at rest (Peiret et al., eqs. 1 to 3 and 8).
    The methods that solve for these forces, such as "complementarity", step a system in this form
    and no other does. The form of a model without such forces is that of its ``constraints``.

    Example:
    >>> import axletree as at
    >>> model = at.read_model("soil-bin")
    >>> system = model.formulate(form="set-valued")
    >>> [f"{force.name} [{force.unit}]" for force in system.rows.reactions][:2]
    ['soil.plastic_share [1]', 'soil.elastic_load [N]']
    """

    constraints: Form = field(default_factory=Projected)

    set_valued: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.constraints.set_valued:
            raise FormulationError(
                "the constraints of the set-valued form are solved in a form such as projected, "
                f"baumgarte or partition, got {type(self.constraints).__name__}"
            )

    def completed(self, mechanism: Mechanism, q: np.ndarray, rows: Sequence[int]) -> Form:
        return replace(self, constraints=self.constraints.completed(mechanism, q, rows))

    def solve(self, equations: Equations, solver: ConstraintSolver) -> Solution:
        return self.constraints.solve(equations, solver)


@dataclass(frozen=True, eq=False)
class StepRows:
    """The rows of a system in the set-valued form, m of them over n speeds.

    ``values`` holds free (n), columns (m times n, one after the other), coupling (m times m, row
    by row), velocity (m) and push (m), then of each row in turn what ``LAW_COLUMNS`` lists (m
    each). An open bound, and the gap of a row that is no contact, has the value 0.
    """

    reactions: tuple[Quantity, ...]  # the unknown forces, after the inputs in programs
    values: tuple[Expr, ...]
    smooth: tuple[Expr, ...]  # the forces as functions of the state, for what solves no steps
    bounded_below: tuple[bool, ...]
    bounded_above: tuple[bool, ...]
    contacts: tuple[bool, ...]  # rows that act only where a gap closes
    following: tuple[int, ...]  # rows whose bounds depend on forces
    followed: tuple[int, ...]  # rows of these forces
    symmetric: bool  # coupling

    @property
    def springs(self) -> tuple[int, ...]:
        """Rows whose forces may be springs, taken at the end of the step."""
        m = len(self.reactions)
        first = len(self.values) - len(LAW_COLUMNS) * m
        starts = [first + LAW_COLUMNS.index(name) * m for name in ("stiffness", "damping")]
        return tuple(
            row for row in range(m) if any(not self.values[start + row].is_zero for start in starts)
        )

    @property
    def bounds(self) -> tuple[Expr, ...]:
        """The lower bounds of the ``following`` rows, then their upper ones."""
        m = len(self.reactions)
        lower = len(self.values) - len(LAW_COLUMNS) * m
        rows = self.following
        return tuple(self.values[start + row] for start in (lower, lower + m) for row in rows)


def step_rows(equations: Equations, speed_rates: Sequence[Expr], late: Sequence[Expr]) -> StepRows:
    """Of equations with rows, and the rates of their speeds; ``late`` are symbols that change."""
    rows = equations.set_valued
    forces = [row.reaction.symbol for row in rows]
    columns = [directional_derivative(speed_rates, {force: 1.0}) for force in forces]
    free = _free_rates(speed_rates, columns, forces)
    symmetric = not equations.needed_reactions and not equations.loads_follow
    coupling = _coupling([row.jacobian for row in rows], columns, symmetric)
    push = [row_times(row.jacobian, free) + 0.5 * row.bias for row in rows]
    values = [*free, *(e for column in columns for e in column), *coupling]
    values += [*(row.force.velocity for row in rows), *push]
    values += [row.law.get(name, ZERO) for name in LAW_COLUMNS for row in rows]
    bounds = [symbols_of([row.law.get(name, ZERO) for name in LAW_COLUMNS[:2]]) for row in rows]
    following = [index for index, found in enumerate(bounds) if not set(forces).isdisjoint(found)]
    seen = {symbol for found in bounds for symbol in found}
    return StepRows(
        reactions=tuple(row.reaction for row in rows),
        values=tuple(condensed(values, late)),
        smooth=_smooth(equations),
        bounded_below=tuple(row.force.lower is not None for row in rows),
        bounded_above=tuple(row.force.upper is not None for row in rows),
        contacts=tuple(row.force.position is not None for row in rows),
        following=tuple(following),
        followed=tuple(index for index, force in enumerate(forces) if force in seen),
        symmetric=symmetric,
    )


def _smooth(equations: Equations) -> tuple[Expr, ...]:
    """The smooth laws of the forces; one may depend on those before it in its component."""
    known: dict[Expr, Expr] = {}
    for row in equations.set_valued:
        (known[row.reaction.symbol],) = substitute([row.force.smooth], known)
    return tuple(known.values())


def _coupling(
    rows: Sequence[Mapping[int, Expr]], columns: Sequence[Sequence[Expr]], symmetric: bool
) -> list[Expr]:
    """A . columns, row by row."""
    found: dict[tuple[int, int], Expr] = {}
    for i, row in enumerate(rows):
        for j, column in enumerate(columns):
            twin = found.get((j, i)) if symmetric else None
            found[i, j] = row_times(row, column) if twin is None else twin
    return list(found.values())


def _free_rates(
    rates: Sequence[Expr], columns: Sequence[Sequence[Expr]], forces: Sequence[Expr]
) -> list[Expr]:
    """The rates without the forces; where they are curved in these, along the tangent."""
    if set(forces).isdisjoint(symbols_of([e for column in columns for e in column])):
        return substitute(rates, dict.fromkeys(forces, ZERO))
    free = list(rates)
    for column, force in zip(columns, forces, strict=True):
        free = [rate - e * force for rate, e in zip(free, column, strict=True)]
    return free
