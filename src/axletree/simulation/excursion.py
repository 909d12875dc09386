"""Variables that were taken as small, at the records of a run: whether they stayed so."""

from __future__ import annotations

import numpy as np

from axletree.simulation.problem import Problem
from axletree.simulation.recording import Recording


def find_excursion(problem: Problem, recording: Recording) -> str:
    """Which variable left its bound first, when, and how far it went; empty if none did."""
    system = problem.system
    small = {} if system.implicit is None else system.implicit.small
    found = []
    for k, quantity in enumerate(system.states):
        sizes = np.abs(recording.states[:, k])
        beyond = np.flatnonzero(sizes > small.get(quantity.name, np.inf))
        if len(beyond):
            found.append((float(recording.time[beyond[0]]), quantity, float(sizes.max())))
    if not found:
        return ""
    since, quantity, size = min(found, key=lambda entry: entry[0])
    others = ", ".join(q.name for _, q, _ in found if q is not quantity)
    more = f", as do {others} theirs" if others else ""
    return (
        f"from t = {since:.4g} s on {quantity.name} is larger than the "
        f"{small[quantity.name]:g} {quantity.unit} up to which it was declared small, and goes up "
        f"to {size:.3g}{more}; the equations, of first order in what is small, do not hold there"
    )
