"""Variables that were taken as small, at the records of a run or in steady motions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from axletree.simulation.problem import Problem
from axletree.simulation.recording import Recording
from axletree.system.system import System


def find_excursion(problem: Problem, recording: Recording) -> str:
    """Which variable left its bound first, when, and how far it went; empty if none did."""
    times = recording.time.tolist()
    return excursion(problem.system, recording.states, lambda k: f"from t = {times[k]:.4g} s on")


def excursion(system: System, records: np.ndarray, where: Callable[[int], str]) -> str:
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
