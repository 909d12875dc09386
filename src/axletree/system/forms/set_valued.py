"""Set-valued forces: what a step is solved from, as expressions of its beginning.

    p(t + h) = p + h (free + columns . force)                       Peiret et al., eqs. (1), (2)
    w = velocity + h (push + coupling . force) + compliance . force - offset

Accelerations are those that the constraints allow (eq. 3): ``columns`` is what a unit of each
force does to the speeds, ``push`` is A . free, and ``coupling`` is A . columns. To the ``push``
of a contact half of what its velocity changes by at constant speeds is added, so that the gap
at the end of the step is right to the second power of h, and a body that turns on a contact
does not sink into it. A spring (stiffness k, damping c, preload F) is one more compliance, 1 /
(h k + c), and one more offset, F / (h k + c).

``Opened`` keeps what the system with set-valued forces as inputs is formed from, when a step is
to be solved for them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from axletree.equations.equations import Equations
from axletree.equations.set_valued_forces import LAW_COLUMNS
from axletree.expr import Expr, condensed, directional_derivative, substitute, symbols_of
from axletree.expr.expression import ZERO
from axletree.expr.quantity import Quantity
from axletree.system.forms.contract import Form


@dataclass(frozen=True, eq=False)
class StepRows:
    """The rows of an opened system, m of them over n speeds.

    ``values`` holds free (n), columns (m times n, one after the other), coupling (m times m, row
    by row), velocity (m) and push (m), then of each row in turn what ``LAW`` lists (m each). An
    open bound, and the gap of a row that is no contact, has the value 0.
    """

    reactions: tuple[Quantity, ...]  # the last inputs of the system, in this order
    values: tuple[Expr, ...]
    bounded_below: tuple[bool, ...]
    bounded_above: tuple[bool, ...]
    contacts: tuple[bool, ...]  # rows that act only where a gap closes
    following: tuple[int, ...]  # rows whose bounds depend on forces
    followed: tuple[int, ...]  # rows of these forces
    symmetric: bool  # coupling

    @property
    def bounds(self) -> tuple[Expr, ...]:
        """The lower bounds of the ``following`` rows, then their upper ones."""
        m = len(self.reactions)
        lower = len(self.values) - len(LAW_COLUMNS) * m
        rows = self.following
        return tuple(self.values[start + row] for start in (lower, lower + m) for row in rows)


def step_rows(equations: Equations, speed_rates: Sequence[Expr], late: Sequence[Expr]) -> StepRows:
    """Of opened equations, with the rates of their speeds; ``late`` are symbols that change."""
    rows = equations.set_valued
    forces = [row.reaction.symbol for row in rows]
    columns = [directional_derivative(speed_rates, {force: 1.0}) for force in forces]
    free = _free_rates(speed_rates, columns, forces)
    symmetric = not equations.fed_back and not equations.loads_follow
    coupling = _coupling([row.jacobian for row in rows], columns, symmetric)
    push = [_times(row.jacobian, free) + 0.5 * row.bias for row in rows]
    values = [*free, *(e for column in columns for e in column), *coupling]
    values += [*(row.force.velocity for row in rows), *push]
    values += [row.law.get(name, ZERO) for name in LAW_COLUMNS for row in rows]
    bounds = [symbols_of([row.law.get(name, ZERO) for name in LAW_COLUMNS[:2]]) for row in rows]
    following = [index for index, found in enumerate(bounds) if not set(forces).isdisjoint(found)]
    seen = {symbol for found in bounds for symbol in found}
    return StepRows(
        reactions=tuple(row.reaction for row in rows),
        values=tuple(condensed(values, late)),
        bounded_below=tuple(row.force.lower is not None for row in rows),
        bounded_above=tuple(row.force.upper is not None for row in rows),
        contacts=tuple(row.force.position is not None for row in rows),
        following=tuple(following),
        followed=tuple(index for index, force in enumerate(forces) if force in seen),
        symmetric=symmetric,
    )


def _coupling(
    rows: Sequence[Mapping[int, Expr]], columns: Sequence[Sequence[Expr]], symmetric: bool
) -> list[Expr]:
    """A . columns, row by row."""
    found: dict[tuple[int, int], Expr] = {}
    for i, row in enumerate(rows):
        for j, column in enumerate(columns):
            twin = found.get((j, i)) if symmetric else None
            found[i, j] = _times(row, column) if twin is None else twin
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


def _times(row: Mapping[int, Expr], values: Sequence[Expr]) -> Expr:
    total = ZERO
    for index, entry in row.items():
        total = total + entry * values[index]
    return total


@dataclass(frozen=True, eq=False)
class Opened:
    """What the opened system is formed from; ``changes`` are made to it in turn."""

    equations: Equations = field(repr=False)  # with set-valued rows
    form: Form
    start: Mapping[str, float]
    changes: tuple[Callable[[Any], Any], ...] = ()  # each from a system to a system

    def then(self, change: Callable[[Any], Any]) -> Opened:
        return replace(self, changes=(*self.changes, change))
