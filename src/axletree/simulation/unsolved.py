"""Steps that could not be solved: which forces, when, and what to try."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from axletree.simulation.failure import Failure
from axletree.simulation.mlcp.problem import Outcome
from axletree.system.system import System

_WHY: Final = {
    Outcome.UNSOLVABLE: "no values within their bounds do what they have to, as where a driven "
    "motion pushes a body through a rigid contact",
    Outcome.STOPPED: "the allowed number of pivots was used up",
    Outcome.UNDECIDED: "no solution was found, and there may be none",
    Outcome.INACCURATE: "rounding spoils what is found, for some of them nearly depend on others",
}


def unsolved(system: System, report: Sequence[float] | np.ndarray, t: float) -> Failure:
    """What a step left in its report: an outcome, then which forces it has to do with."""
    assert system.rows is not None
    outcome = Outcome(int(report[0]))
    marks = np.asarray(report[1 : 1 + len(system.rows.reactions)])
    names = [q.name for q, mark in zip(system.rows.reactions, marks, strict=True) if mark]
    which = ", ".join(names or [q.name for q in system.rows.reactions])
    return Failure(
        f"the step from t = {t:.9g} s could not be solved for the set-valued forces {which}: "
        f"{_WHY[outcome]}",
        "look at the bounds of these forces and at what drives the bodies they act on, give a "
        "force some compliance, or try a smaller step",
    )
