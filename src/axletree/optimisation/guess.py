"""Where a solver begins: numbers, curves over s, or another solution, by names of quantities."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.core.errors import ModelError
from axletree.core.registry import unknown_name
from axletree.core.units import to_si
from axletree.optimisation.problem import LENGTH, RangeBounds
from axletree.optimisation.transcription import Maker

if TYPE_CHECKING:
    from axletree.optimisation.solution import OptimalSolution

GuessedCurve = float | str | tuple[FloatArray, FloatArray] | Callable[[FloatArray], FloatArray]
Guess = Mapping[str, GuessedCurve]


def guessed(maker: Maker, guess: Guess | OptimalSolution | None) -> FloatArray:
    """Unknowns of a mesh by a guess; what it leaves out goes straight from end to end, or is in the
    middle of its range."""
    problem, functions = maker.problem, maker.equations.points
    if guess is not None and not isinstance(guess, Mapping):
        guess = guess.as_guess()
    given: Guess = guess or {}
    names = [*functions.states, *maker.control_names, *maker.equations.parameters]
    problems = [
        str(unknown_name("state, control or parameter", name, names, "the problem"))
        for name in given
        if name not in names
    ]
    if problems:
        raise ModelError(problems)
    v = np.zeros(maker.count)
    share = _share(maker)
    states = zip(functions.states, maker.state_bounds, maker.states.T, strict=True)
    controls = zip(maker.control_names, maker.control_bounds, maker.controls.T, strict=True)
    units = {q.name: q.unit for q in (*functions.system.states, *functions.system.inputs)}
    for name, bounds, index in (*states, *controls):
        found = _along(given[name], maker.places, units[name]) if name in given else None
        v[index] = _between_ends(bounds, share) if found is None else found
    defaults = {q.name: q.default for q in problem.system.parameters}
    for name, place in zip(maker.equations.parameters, maker.parameters, strict=True):
        own = problem.bounds("length" if name == LENGTH else "parameters", name)
        value = given.get(name, defaults.get(name, _middle(own)))
        v[place] = float(value) if isinstance(value, int | float) else _middle(own)
    return v


def _share(maker: Maker) -> FloatArray:
    first, last = float(maker.places[0]), float(maker.places[-1])
    return np.asarray((maker.places - first) / (last - first))


def _along(curve: GuessedCurve, places: FloatArray, unit: str) -> FloatArray:
    if callable(curve):
        return np.broadcast_to(np.asarray(curve(places), dtype=float), places.shape)
    if isinstance(curve, tuple):
        return np.asarray(np.interp(places, *curve))
    return np.full(places.shape, to_si(curve, unit))


def _between_ends(bounds: RangeBounds, share: FloatArray) -> FloatArray:
    ends = [
        None if pair is None else 0.5 * (pair[0] + pair[1])
        for pair in (bounds.initial, bounds.final)
    ]
    first, last = ends
    if first is None and last is None:
        return np.full(share.shape, _middle(bounds))
    if first is None or last is None:
        return np.full(share.shape, last if first is None else first)
    return np.asarray(first + (last - first) * share)


def _middle(bounds: RangeBounds) -> float:
    low, high = bounds.lower, bounds.upper
    if np.isfinite(low) and np.isfinite(high):
        return 0.5 * (low + high)
    return min(max(0.0, low), high)
