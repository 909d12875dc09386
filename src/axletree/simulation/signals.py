"""Inputs over time: constants, tables and expressions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from axletree.core.errors import ExpressionError
from axletree.core.expr import Beyond, Expr, Table, substitute, symbols_of
from axletree.system.system import Definition, System

Signal = Any  # a number, an expression of time, a Table, or a pair (times, values)


@dataclass(frozen=True)
class InputTable:
    """An input that follows a table over time."""

    index: int  # in the inputs of the system
    table: Table


def as_signal(value: Signal, allowed: Sequence[Expr]) -> float | Expr | Table:
    """What a user gave for an input, checked; a pair of arrays is joined by straight lines.

    Before its first and after its last point such a table keeps its end values.
    """
    if isinstance(value, Expr):
        strays = [e.name for e in symbols_of([value]) if e not in allowed]
        if strays:
            raise ExpressionError(
                f"it depends on {', '.join(strays)}; an input may depend on "
                f"{allowed[0].name!r} and on parameters only"
            )
        return float(value) if value.is_number else value
    if isinstance(value, Table):
        return value
    if isinstance(value, tuple | list) and len(value) == 2 and np.ndim(value[0]) > 0:
        return Table.linear(value[0], value[1], Beyond.VALUE_HELD)
    if np.ndim(value) != 0:
        raise ExpressionError(
            f"it has shape {np.shape(value)}; expected a number, an expression of "
            f"{allowed[0].name!r}, a pair (times, values) of equal length, or a Table"
        )
    return float(value)


def with_expressions(system: System, expressions: dict[Expr, Expr]) -> System:
    """The system with expressions in the place of inputs, which keep their place in u."""
    if not expressions:
        return system
    count = len(system.derivatives)
    definitions = (*system.outputs, *system.intermediates)
    everything = [*system.derivatives, *(d.expression for d in definitions)]
    everything += system.projection or ()
    changed = substitute(everything, expressions)
    values = iter(changed[count : count + len(definitions)])
    # An input that is recorded is found by name among the intermediates.
    recorded = [
        Definition(quantity, expressions[quantity.symbol])
        for quantity in system.inputs
        if quantity.symbol in expressions
    ]
    return replace(
        system,
        derivatives=tuple(changed[:count]),
        outputs=tuple(replace(d, expression=next(values)) for d in system.outputs),
        intermediates=(
            *(replace(d, expression=next(values)) for d in system.intermediates),
            *recorded,
        ),
        projection=None
        if system.projection is None
        else tuple(changed[count + len(definitions) :]),
    )
