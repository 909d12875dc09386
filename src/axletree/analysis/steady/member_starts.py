"""Steady starts of many members at once, from the one of the model that they are variants of.

In a steady motion the rates of all states are 0, but for those on which no other rate depends: the
place on a plane, the course, the angles of wheels. What is found are the states, but for those that
are given, and the levels of inputs. Newton steps are taken with the model's own matrix, which is
factorised once, while rates of all members are computed side by side; a member whose values are a
tenth off is there after some ten of them. Who is not there then, such as a car with springs of half
the stiffness, begins anew with a matrix of its own in each step, which takes two or three of them.
Who does not come there either is left to a search of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.simulation.batch.lane_code import ArrayColumns, LaneCode

_AT_REST: Final = 1e-6  # of rates that vanish in a steady motion [1/s times the state's unit]
_CLOSE: Final = 1e-9  # likewise, of what a member is found to
_GAIN: Final = 0.5  # less than this share of what was left: a further step is worth its time
_MOST: Final = 24  # Newton steps with the model's matrix
_MOST_OWN: Final = 12  # with the matrix of each member
_SHIFT: Final = 1e-6  # of a state, for differences
_PORTION: Final = 1 << 14  # members whose rates are computed at once
_PORTION_OWN: Final = 1 << 8  # whose matrices are: 40 rows and columns each, 80 cars for each
_SINGULAR: Final = 1e-12

_OwnColumns = Sequence[tuple[int, FloatArray]]  # places, and a value for each member


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
    parameters: _OwnColumns,
    inputs: _OwnColumns = (),
    near: FloatArray | None = None,
) -> MemberStarts | None:
    """Those of so many members, who differ by columns of parameters and of inputs at these places.

    They are looked for from states in rows that are ``near``, or else from the model's own.

    None where the model's own motion is not steady in this sense, such as one that coasts.
    """
    search = _Search.of(code, start)
    own_rates = search.rates(start.states[None], start.inputs[None, list(start.levels)], _Own())[0]
    if not (np.abs(own_rates) <= _AT_REST).all():
        return None
    states = np.tile(start.states, (count, 1)) if near is None else near.copy()
    found = np.tile(start.inputs[list(start.levels)], (count, 1))
    whole, step = _Own(tuple(parameters), tuple(inputs)), _newton_matrix(search.model_jacobian)
    worst = np.full(count, np.inf)
    for first in range(0, count, _PORTION):
        rows = np.arange(first, min(first + _PORTION, count))
        x, u, worst[rows] = search.by_one_matrix(states[rows], found[rows], whole.part(rows), step)
        states[rows], found[rows] = x, u
    left = np.flatnonzero(~(worst <= _CLOSE))
    for first in range(0, len(left), _PORTION_OWN):
        rows = left[first : first + _PORTION_OWN]
        x = np.tile(start.states, (len(rows), 1)) if near is None else near[rows]
        u = np.tile(start.inputs[list(start.levels)], (len(rows), 1))
        states[rows], found[rows], worst[rows] = search.by_own_matrices(x, u, whole.part(rows))
    return MemberStarts(states, found, worst <= _CLOSE)


@dataclass(frozen=True)
class _Own:
    """What members have of their own: columns of parameters and of inputs by their places."""

    parameters: _OwnColumns = ()
    inputs: _OwnColumns = ()

    def part(self, rows: np.ndarray) -> _Own:
        return _Own(
            [(place, column[rows]) for place, column in self.parameters],
            [(place, column[rows]) for place, column in self.inputs],
        )


@dataclass(frozen=True)
class _Search:
    """Newton steps of many members: states that are free, and the rows whose rates are to be 0."""

    code: LaneCode
    start: SteadyStart
    free: list[int]
    kept: list[int]
    model_jacobian: FloatArray  # of what is kept, by what is found

    @classmethod
    def of(cls, code: LaneCode, start: SteadyStart) -> _Search:
        free = [k for k in range(len(start.states)) if k not in start.given]
        whole = cls(code, start, free, list(range(len(start.states))), np.zeros((0, 0)))
        levels = start.inputs[None, list(start.levels)]
        (jacobian,) = whole.jacobians(start.states[None], levels, _Own())
        kept = _steady_rows(jacobian, free)
        return cls(code, start, free, kept, jacobian[kept])

    def rates(self, states: FloatArray, levels: FloatArray, own: _Own) -> FloatArray:
        """What is to vanish: [member, row]."""
        found = list(zip(self.start.levels, levels.T, strict=True))
        x = ArrayColumns.of(self.start.states, list(enumerate(states.T)))
        u = ArrayColumns.of(self.start.inputs, [*own.inputs, *found])
        p = ArrayColumns.of(self.start.parameters, list(own.parameters))
        return self.code.rates(self.start.time, x, u, p, len(states))[:, self.kept]

    def by_one_matrix(
        self, x: FloatArray, u: FloatArray, own: _Own, step: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """States, levels, and what is left of the rates of each member."""
        worst = np.full(len(x), np.inf)
        for _ in range(_MOST):
            off = self.rates(x, u, own)
            before, worst = worst, np.max(np.abs(off), axis=1)
            goes_on = (worst > _CLOSE) | (worst < _GAIN * before)
            goes_on &= (worst > 0.0) & np.isfinite(off).all(axis=1)
            if not goes_on.any():
                break
            self._change(x, u, goes_on, off @ step)
        return x, u, worst

    def by_own_matrices(
        self, x: FloatArray, u: FloatArray, own: _Own
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The same with a matrix of each member in each step."""
        worst = np.full(len(x), np.inf)
        for _ in range(_MOST_OWN):
            off = self.rates(x, u, own)
            before, worst = worst, np.max(np.abs(off), axis=1)
            goes_on = (worst > _CLOSE) | (worst < _GAIN * before)
            goes_on &= (worst > 0.0) & np.isfinite(off).all(axis=1)
            rows = np.flatnonzero(goes_on)
            if not len(rows):
                break
            change = np.zeros((len(x), len(self.free) + u.shape[1]))
            jacobians = self.jacobians(x[rows], u[rows], own.part(rows))
            change[rows] = self._newton_changes(jacobians, off[rows])
            self._change(x, u, goes_on, change)
        return x, u, worst

    def _newton_changes(self, jacobians: FloatArray, off: FloatArray) -> FloatArray:
        """By elimination where the model's matrix is square and regular without what no rate feels;
        else, and where a member's own is singular, the smallest changes. Not finite: none."""
        felt = np.flatnonzero(self.model_jacobian.any(axis=0))
        changes = np.zeros((len(off), jacobians.shape[2]))
        known = np.isfinite(jacobians).all(axis=(1, 2))
        square = jacobians[:, :, felt]
        if len(felt) == len(self.kept) and self._is_regular(felt):
            try:
                found = np.linalg.solve(square[known], off[known][:, :, None])[:, :, 0]
            except np.linalg.LinAlgError:
                pass
            else:
                changes[np.ix_(known, felt)] = found
                return changes
        for k in np.flatnonzero(known).tolist():
            changes[k] = off[k] @ _newton_matrix(jacobians[k])
        return changes

    def _is_regular(self, felt: np.ndarray) -> bool:
        scaled, _, _ = _scaled(self.model_jacobian[:, felt])
        return bool(np.linalg.cond(scaled) < _SINGULAR**-0.5)

    def _change(self, x: FloatArray, u: FloatArray, which: np.ndarray, change: FloatArray) -> None:
        x[np.ix_(which, np.array(self.free))] -= change[which, : len(self.free)]
        u[which] -= change[which, len(self.free) :]

    def jacobians(self, states: FloatArray, levels: FloatArray, own: _Own) -> FloatArray:
        """[member, row, what is found], by central differences, all of them side by side."""
        members, count = len(states), len(self.free) + levels.shape[1]
        values = np.hstack([states[:, self.free], levels])
        shifts = _SHIFT * np.maximum(np.abs(values), 1.0)
        rows = np.repeat(np.arange(members), 2 * count)
        varied = np.tile(np.repeat(np.arange(count), 2), members)
        signs = np.tile([1.0, -1.0], members * count)
        moved = values[rows]
        moved[np.arange(len(rows)), varied] += signs * shifts[rows, varied]
        x = states[rows]
        x[:, self.free] = moved[:, : len(self.free)]
        rates = self.rates(x, moved[:, len(self.free) :], own.part(rows))
        pairs = rates.reshape(members, count, 2, -1)
        slopes: FloatArray = (pairs[:, :, 0] - pairs[:, :, 1]) / (2.0 * shifts)[:, :, None]
        return slopes.transpose(0, 2, 1)


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
    scaled, weights, scales = _scaled(jacobian)
    inverse = np.linalg.pinv(scaled, rcond=_SINGULAR)
    step: FloatArray = (inverse / weights / scales[:, None]).T
    return step


def _scaled(jacobian: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Rows and columns of a like size, with what they were divided by."""
    columns = np.max(np.abs(jacobian), axis=0)
    scales = np.where(columns > 0.0, columns, 1.0)
    rows = np.max(np.abs(jacobian / scales), axis=1)
    weights = np.where(rows > 0.0, rows, 1.0)
    return jacobian / scales / weights[:, None], weights, scales
