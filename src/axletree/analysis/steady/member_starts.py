"""Steady starts of many members at once, from the one of the model that they are variants of.

In a steady motion the rates of all states are 0, but for those on which no other rate depends: the
place on a plane, the course, the angles of wheels. What is found are the states, but for those that
are given, and the levels of inputs. Newton steps are taken with the model's own matrix, which is
factorised once, while rates of all members are computed side by side; a member whose values are a
tenth off is there after some ten of them. Who does not come there is left to a search of its own.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.simulation.batch.lane_code import ArrayColumns, LaneCode

_AT_REST: Final = 1e-6  # of rates that vanish in a steady motion [1/s times the state's unit]
_CLOSE: Final = 1e-9  # likewise, of what a member is found to
_GAIN: Final = 0.5  # less than this share of what was left: a further step is worth its time
_MOST: Final = 60  # Newton steps
_SHIFT: Final = 1e-6  # of a state, for differences
_PORTION: Final = 1 << 14  # members whose rates are computed at once
_SINGULAR: Final = 1e-12


@dataclass(frozen=True)
class SteadyStart:
    """Of the model: a motion at time [s] whose rates members are to have."""

    time: float
    states: FloatArray
    inputs: FloatArray
    parameters: FloatArray
    given: tuple[int, ...]  # states that stay as they are
    levels: tuple[int, ...]  # inputs that are found


@dataclass(frozen=True)
class MemberStarts:
    """First states and levels in rows, and which members were found."""

    states: FloatArray
    levels: FloatArray
    found: np.ndarray


def member_starts(
    code: LaneCode,
    start: SteadyStart,
    count: int,
    parameters: Collection[tuple[int, FloatArray]],
    near: FloatArray | None = None,
) -> MemberStarts | None:
    """Those of so many members, who differ by columns of parameters at these places.

    They are looked for from states in rows that are ``near``, or else from the model's own.

    None where the model's own motion is not steady in this sense, such as one that coasts.
    """
    free = [k for k in range(len(start.states)) if k not in start.given]
    levels = list(start.levels)
    jacobian = _jacobian(code, start, free)
    kept = _steady_rows(jacobian, free)
    own_rates = _rates(code, start, start.states[None], start.inputs[None, levels], ())[0]
    if not (np.abs(own_rates[kept]) <= _AT_REST).all():
        return None
    step = _newton_matrix(jacobian[kept])
    states = np.tile(start.states, (count, 1)) if near is None else near.copy()
    found = np.tile(start.inputs[levels], (count, 1))
    is_found = np.zeros(count, dtype=bool)
    for first in range(0, count, _PORTION):
        rows = slice(first, min(first + _PORTION, count))
        own = [(place, column[rows]) for place, column in parameters]
        x, u = states[rows], found[rows]
        worst = np.full(len(x), np.inf)
        for _ in range(_MOST):
            off = _rates(code, start, x, u, own)[:, kept]
            before, worst = worst, np.max(np.abs(off), axis=1)
            goes_on = (worst > _CLOSE) | (worst < _GAIN * before)
            goes_on &= (worst > 0.0) & np.isfinite(off).all(axis=1)
            if not goes_on.any():
                break
            change = off @ step
            x[np.ix_(goes_on, free)] -= change[goes_on, : len(free)]
            u[goes_on] -= change[goes_on, len(free) :]
        is_found[rows] = worst <= _CLOSE
    return MemberStarts(states, found, is_found)


def _rates(
    code: LaneCode,
    start: SteadyStart,
    states: FloatArray,
    levels: FloatArray,
    parameters: Collection[tuple[int, FloatArray]],
) -> FloatArray:
    x = ArrayColumns.of(start.states, list(enumerate(states.T)))
    u = ArrayColumns.of(start.inputs, list(zip(start.levels, levels.T, strict=True)))
    p = ArrayColumns.of(start.parameters, list(parameters))
    return code.rates(start.time, x, u, p, len(states))


def _jacobian(code: LaneCode, start: SteadyStart, free: list[int]) -> FloatArray:
    """Of the rates by what is found, by central differences."""
    levels, count = list(start.levels), len(free) + len(start.levels)
    values = np.concatenate([start.states[free], start.inputs[levels]])
    shifts = _SHIFT * np.maximum(np.abs(values), 1.0)
    both = np.concatenate([np.diag(shifts), -np.diag(shifts)])
    states = np.tile(start.states, (2 * count, 1))
    states[:, free] += both[:, : len(free)]
    found = start.inputs[levels] + both[:, len(free) :]
    rates = _rates(code, start, states, found, ())
    jacobian: FloatArray = ((rates[:count] - rates[count:]) / (2.0 * shifts)[:, None]).T
    return jacobian


def _steady_rows(jacobian: FloatArray, free: list[int]) -> list[int]:
    """The states whose rates are to be 0: without those on which no rate of these depends."""
    kept = list(range(len(jacobian)))
    while True:
        unfelt = {k for j, k in enumerate(free) if not jacobian[kept, j].any()}
        fewer = [k for k in kept if k not in unfelt]
        if len(fewer) == len(kept):
            return kept
        kept = fewer


def _newton_matrix(jacobian: FloatArray) -> FloatArray:
    """By which rates that are off are multiplied, in rows, to have the changes of what is found.

    What rates do not depend on keeps its value.
    """
    columns = np.max(np.abs(jacobian), axis=0)
    scales = np.where(columns > 0.0, columns, 1.0)
    rows = np.max(np.abs(jacobian / scales), axis=1)
    weights = np.where(rows > 0.0, rows, 1.0)
    inverse = np.linalg.pinv(jacobian / scales / weights[:, None], rcond=_SINGULAR)
    step: FloatArray = (inverse / weights / scales[:, None]).T
    return step
