"""A guess of how fast axles turn, from which the search for a steady motion starts.

A model that stands at its start has wheels that stand, too. At the speed that is asked for these
would slide, and Newton's method ends in motions of wheels that spin or slide, or nowhere.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

import numpy as np

from axletree.analysis.rolling_conditions import TyreAtStart, tyres_at_start
from axletree.core.expr import evaluate
from axletree.simulation.problem import Problem
from axletree.simulation.signals import values_at
from axletree.system.system import System


def rolling_guess(system: System, problem: Problem, held: Collection[int]) -> np.ndarray:
    """The states of the problem, axles that stand turned so that their tyres do not slide.

    A sliding speed is linear in the rate of an axle, but for tyres whose shape depends on it.
    """
    index = {quantity.name: k for k, quantity in enumerate(system.states)}
    symbols = [quantity.symbol for quantity in system.states]
    others = values_at(system, {}, problem.parameters, problem.inputs, problem.start)
    states = problem.states.copy()
    for tyre in _tyres(system):
        places = [index[name] for name in tyre.axle_speeds]
        if tyre.sliding_speed is None or len(places) != 1 or places[0] in held:
            continue
        sliding = []
        for rate in (0.0, 1.0):
            states[places[0]] = rate
            values = others | dict(zip(symbols, states.tolist(), strict=True))
            sliding.append(float(evaluate([tyre.sliding_speed], values)[0]))
        change = sliding[1] - sliding[0]
        states[places[0]] = -sliding[0] / change if change else 0.0
    return states


@lru_cache(maxsize=8)
def _tyres(system: System) -> tuple[TyreAtStart, ...]:
    return tuple(tyres_at_start(system))
