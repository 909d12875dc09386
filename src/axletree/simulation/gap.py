"""Constraints at the records of a run: a mechanism that comes apart is not passed over.

Forms differ in what happens beyond the reach of a mechanism: some end in values that are not
finite, others go on with coordinates that no longer close its loops.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from axletree.core.expr import evaluate
from axletree.simulation.problem import Problem
from axletree.simulation.recording import Recording
from axletree.simulation.symbol_values import values_along

OPEN: Final = 1e-3  # m or rad: more than drift that a form is to keep small
MOST_ROWS: Final = 200  # looked at, evenly over the run; what is torn stays torn


def find_gap(problem: Problem, recording: Recording) -> str:
    """Which constraint is violated most, by how much and since when; empty if none is."""
    constraints = problem.system.constraints
    if not constraints or not len(recording.time):
        return ""
    rows = np.unique(np.linspace(0, len(recording.time) - 1, MOST_ROWS).astype(int))
    values = values_along(problem, recording.time[rows], recording.states[rows])
    with np.errstate(all="ignore"):
        found = evaluate([c.position for c in constraints], values)
    gaps = np.abs(np.array([np.broadcast_to(gap, rows.shape) for gap in found]))
    gaps = np.where(np.isfinite(gaps), gaps, np.inf)
    if gaps.max() <= OPEN:
        return ""
    widest, _ = np.unravel_index(int(gaps.argmax()), gaps.shape)
    since = recording.time[rows[int(np.flatnonzero(gaps.max(axis=0) > OPEN)[0])]]
    return (
        f"from t = {since:.4g} s on the constraints are violated, that of "
        f"{constraints[widest].reaction.name} by up to {gaps.max():.3g}; either the mechanism "
        "cannot reach where it is driven, so check lengths and prescribed motions, or try a "
        "smaller step"
    )
