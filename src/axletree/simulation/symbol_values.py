"""Numbers for the symbols of a problem at the records of a run."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from axletree.core.expr import Expr, evaluate, interpolate
from axletree.simulation.problem import Problem


def values_along(
    problem: Problem, time: np.ndarray, states: np.ndarray
) -> Mapping[Expr, np.ndarray]:
    """An array for every symbol of the system, with an entry for each time."""
    system = problem.system
    values = {system.time.symbol: time}
    for quantity, level in zip(system.parameters, problem.parameters, strict=True):
        values[quantity.symbol] = np.full(time.shape, level)
    values |= {q.symbol: states[:, k] for k, q in enumerate(system.states)}
    courses = {d.quantity.symbol: d.expression for d in system.intermediates}
    tables = {t.index: interpolate(t.table, system.time.symbol) for t in problem.tables}
    for k, quantity in enumerate(system.inputs):
        course = tables.get(k, courses.get(quantity.symbol))
        now = problem.inputs[k] if course is None else evaluate([course], values)[0]
        values[quantity.symbol] = np.broadcast_to(now, time.shape)
    return values
