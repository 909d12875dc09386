"""Checks of a run: drift of constraints, variables beyond small, steps that were not solved.

1. ``constraint_drift``: a mechanism that comes apart is not passed over. Forms differ in what
   happens beyond the reach of a mechanism: some end in values that are not finite, others go on
   with coordinates that no longer close its loops.
2. ``small_variable_excess``: variables that were taken as small, at the records of a run or in
   steady motions.
3. ``range_excess``: components whose laws leave their range.
4. ``unsolved_step``: steps that could not be solved, which forces, when, and what to try.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from axletree.expr import Expr, evaluate, interpolate
from axletree.simulation.mlcp.problem import Outcome
from axletree.simulation.problem import Problem
from axletree.simulation.recording import Failure, Recording
from axletree.system.system import System

LARGEST_DRIFT: Final = 1e-3  # m or rad: more than drift that a form is to keep small
MOST_RECORDS: Final = 200  # looked at, evenly over the run; what is torn stays torn


def constraint_drift(problem: Problem, recording: Recording) -> str:
    """Which constraint is violated most, by how much and since when; empty if none is."""
    constraints = problem.system.constraints
    if not constraints or not len(recording.time):
        return ""
    rows = np.unique(np.linspace(0, len(recording.time) - 1, MOST_RECORDS).astype(int))
    values = values_along(problem, recording.time[rows], recording.states[rows])
    with np.errstate(all="ignore"):
        found = evaluate([c.position for c in constraints], values)
    gaps = np.abs(np.array([np.broadcast_to(gap, rows.shape) for gap in found]))
    gaps = np.where(np.isfinite(gaps), gaps, np.inf)
    if gaps.max() <= LARGEST_DRIFT:
        return ""
    widest, _ = np.unravel_index(int(gaps.argmax()), gaps.shape)
    since = recording.time[rows[int(np.flatnonzero(gaps.max(axis=0) > LARGEST_DRIFT)[0])]]
    return (
        f"from t = {since:.4g} s on the constraints are violated, that of "
        f"{constraints[widest].reaction.name} by up to {gaps.max():.3g}; either the mechanism "
        "cannot reach where it is driven, so check lengths and prescribed motions, or try a "
        "smaller step"
    )


def small_variable_excess(problem: Problem, recording: Recording) -> str:
    """Which variable left its bound first, when, and how far it went; empty if none did."""
    times = recording.time.tolist()
    return excess_at_records(
        problem.system, recording.states, lambda k: f"from t = {times[k]:.4g} s on"
    )


def excess_at_records(system: System, records: np.ndarray, where: Callable[[int], str]) -> str:
    """The same of any records by states; ``where`` says in words at which record it begins."""
    small = {} if system.implicit is None else system.implicit.small
    found = []
    for k, quantity in enumerate(system.states):
        sizes = np.abs(records[:, k])
        beyond = np.flatnonzero(sizes > small.get(quantity.name, np.inf))
        if len(beyond):
            found.append((int(beyond[0]), quantity, float(sizes.max())))
    if not found:
        return ""
    first, quantity, size = min(found, key=lambda entry: entry[0])
    others = ", ".join(q.name for _, q, _ in found if q is not quantity)
    more = f", as do {others} theirs" if others else ""
    return (
        f"{where(first)} {quantity.name} is larger than the "
        f"{small[quantity.name]:g} {quantity.unit} up to which it was declared small, and goes up "
        f"to {size:.3g}{more}; the equations, of first order in what is small, do not hold there"
    )


MOST_EVALUATED: Final = 1000  # records, evenly over the run, at which limits are evaluated


def range_excess(problem: Problem, recording: Recording) -> str:
    """Which components leave the range of their laws, from when on, and what that means."""
    source = problem.system.source
    answers = () if source is None else source.answers
    limits = [(answer.component, limit) for answer in answers for limit in answer.response.limits]
    if not limits or not len(recording.time):
        return ""
    rows = np.unique(np.linspace(0, len(recording.time) - 1, MOST_EVALUATED).astype(int))
    values = values_along(problem, recording.time[rows], recording.states[rows])
    with np.errstate(all="ignore"):
        found = evaluate([limit.excess for _, limit in limits], values)
    said: dict[str, list[tuple[float, str]]] = {}
    for (component, limit), excess in zip(limits, found, strict=True):
        beyond = np.flatnonzero(np.broadcast_to(excess, rows.shape) > 0.0)
        if len(beyond):
            since = float(recording.time[rows[beyond[0]]])
            said.setdefault(limit.sentence, []).append((since, component))
    return "; ".join(
        f"from t = {min(places)[0]:.4g} s on {', '.join(name for _, name in places)}: {sentence}"
        for sentence, places in said.items()
    )


_REASONS: Final = {
    Outcome.UNSOLVABLE: "no values within their bounds do what they have to, as where a driven "
    "motion pushes a body through a rigid contact",
    Outcome.STOPPED: "the allowed number of pivots was used up",
    Outcome.UNDECIDED: "no solution was found, and there may be none",
    Outcome.INACCURATE: "rounding spoils what is found, for some of them nearly depend on others",
}


def unsolved_step(system: System, report: Sequence[float] | np.ndarray, t: float) -> Failure:
    """What a step left in its report: an outcome, then which forces it has to do with."""
    assert system.rows is not None
    outcome = Outcome(int(report[0]))
    marks = np.asarray(report[1 : 1 + len(system.rows.reactions)])
    names = [q.name for q, mark in zip(system.rows.reactions, marks, strict=True) if mark]
    which = ", ".join(names or [q.name for q in system.rows.reactions])
    return Failure(
        f"the step from t = {t:.9g} s could not be solved for the set-valued forces {which}: "
        f"{_REASONS[outcome]}",
        "look at the bounds of these forces and at what drives the bodies they act on, give a "
        "force some compliance, or try a smaller step",
    )


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
