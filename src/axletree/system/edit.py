"""A system with other expressions: functions exchanged, inputs put in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from axletree.expr import Expr
from axletree.system.system import System

S = TypeVar("S", bound=System)


def expressions_of(system: System) -> list[Expr]:
    """All that a system computes."""
    outputs = (d.expression for d in (*system.outputs, *system.intermediates))
    rows = () if system.rows is None else system.rows.values
    return [*system.derivatives, *outputs, *(system.projection or ()), *rows]


def map_expressions(system: S, change: Callable[[Sequence[Expr]], Sequence[Expr]]) -> S:
    """The system with every expression changed, all at once."""
    new = iter(change(expressions_of(system)))

    def next_of(old: Sequence[Expr]) -> tuple[Expr, ...]:
        return tuple(next(new) for _ in old)

    return replace(
        system,
        derivatives=next_of(system.derivatives),
        outputs=tuple(replace(d, expression=next(new)) for d in system.outputs),
        intermediates=tuple(replace(d, expression=next(new)) for d in system.intermediates),
        projection=None if system.projection is None else next_of(system.projection),
        rows=None if system.rows is None else replace(system.rows, values=tuple(new)),
    )


def edit_system(system: S, change: Callable[[System], System]) -> S:
    """The system after a change, which is made to the system that it is opened to as well."""
    opened = None if system.opened is None else system.opened.then(change)
    return replace(change(system), opened=opened)  # type: ignore[return-value]
