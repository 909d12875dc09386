"""A system with other expressions: functions exchanged, inputs put in, forces made smooth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from axletree.expr import Expr, substitute
from axletree.system.reactions import response_with_values
from axletree.system.system import ExpressionEdit, System


def expressions_of(system: System) -> list[Expr]:
    """All that a system computes."""
    outputs = (d.expression for d in (*system.outputs, *system.intermediates))
    rows = () if system.rows is None else (*system.rows.values, *system.rows.smooth)
    return [*system.derivatives, *outputs, *(system.projection or ()), *rows]


def map_expressions(system: System, change: ExpressionEdit) -> System:
    """The system with every expression changed, all at once; its ``source`` stays, and its
    ``edits`` say what has been done to what follows from that."""
    new = iter(change(expressions_of(system)))

    def next_of(old: Sequence[Expr]) -> tuple[Expr, ...]:
        return tuple(next(new) for _ in old)

    changed = replace(
        system,
        derivatives=next_of(system.derivatives),
        outputs=tuple(replace(d, expression=next(new)) for d in system.outputs),
        intermediates=tuple(replace(d, expression=next(new)) for d in system.intermediates),
        projection=None if system.projection is None else next_of(system.projection),
        edits=(*system.edits, change),
    )
    rows = system.rows
    if rows is None:
        return changed
    rows = replace(rows, values=next_of(rows.values), smooth=next_of(rows.smooth))
    return replace(changed, rows=rows)


def with_smooth_forces(system: System) -> System:
    """The system with set-valued forces by their smooth laws, as analyses of rates need them.

    One that is in a smooth form already is returned as it is.
    """
    return system if system.rows is None else _with_smooth_forces(system)


@lru_cache(maxsize=8)
def _with_smooth_forces(system: System) -> System:
    """Kept, for a new system is compiled anew."""
    rows, source = system.rows, system.source
    assert rows is not None
    laws = {q.symbol: law for q, law in zip(rows.reactions, rows.smooth, strict=True)}
    if source is not None:
        answers = tuple(response_with_values(answer, laws) for answer in source.answers)
        source = replace(source, answers=answers, set_valued=())
    smooth = replace(system, rows=None, source=source)
    return map_expressions(smooth, lambda found: substitute(found, laws))
