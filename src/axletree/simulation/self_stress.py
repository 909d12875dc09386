"""Forces at rest that the motion does not determine: how much rows press against one another.

Rows that are held and depend on one another, A' n = 0, may press along n with any force. Of all
solutions that of least norm has none of it: its forces are at right angles to every such n. Sweeps,
and steps whose matrix is not symmetric, end with another solution. Rows that nearly depend on one
another, |A' n| < ``LEVER`` |n| with rows of unit length, have one solution, in which they may press
with many times the load. The page on set-valued forces has the reasons.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from axletree.core.arrays import FloatArray
from axletree.core.registry import few_names
from axletree.equations.set_valued_forces import SetValuedRow
from axletree.expr import Expr, evaluate
from axletree.simulation.checks import first_lasting, values_along
from axletree.simulation.complementarity import COMPLEMENTARITY_SWEEPS, LEVER
from axletree.simulation.mlcp.methods import Pivoting
from axletree.simulation.mlcp.problem import ComplementarityProblem, Outcome
from axletree.simulation.problem import Problem
from axletree.simulation.recording import Recording

_PRESSED: Final = 0.01  # of the largest force in the same unit: less is not worth a word
_LASTS: Final = 0.1  # [s]; what is shorter is a step in which something comes to rest
_EXACTLY: Final = 1e-9  # of rows of unit length: they depend on one another but for rounding
_MOST_RECORDS: Final = 200  # evenly over the run
_INSIDE: Final = 0.02  # of a bound, which moves a little within a step
_AT_REST: Final = 1e-6  # [m/s or rad/s], of a row of unit length
_BOUNDS: Final = "lower", "upper"
_GIVES: Final = "compliance", "stiffness", "damping"  # of a row that holds none of them is not 0
_UNLESS_GIVEN: Final = {"lower": -np.inf, "upper": np.inf, **dict.fromkeys(_GIVES, 0.0)}

_OF_SWEEPS = "take method='complementarity', which shares by least norm"
_OF_LOADS = (
    "give one of them some compliance, for loads depend on these forces, and no least norm is "
    "found then"
)
_OF_LEVERS = (
    f"give them some compliance or a spring: they hold a motion of which they see less than "
    f"{100 * LEVER:g} %, with forces that no real contact is stiff enough for"
)


def unshared_forces(problem: Problem, recording: Recording, method: str) -> str:
    """Which forces are not those of least norm at rest, since when, and by how much.

    ``method`` is the name of the one that took the steps. Looked at are forces that are recorded;
    empty if nothing is to be said of them.
    """
    if not _symmetric(problem):
        return _pressing(problem, recording, _RestingRows.beyond_least_norm, _OF_LOADS)
    if method == COMPLEMENTARITY_SWEEPS.name:
        return _pressing(problem, recording, _RestingRows.beyond_least_norm, _OF_SWEEPS)
    return ""


def jammed_forces(problem: Problem, recording: Recording) -> str:
    """The same of forces that hold a motion by a short lever: they are those of their laws."""
    return _pressing(problem, recording, _RestingRows.by_short_levers, _OF_LEVERS)


def _pressing(
    problem: Problem,
    recording: Recording,
    pressing: Callable[[_RestingRows, int], FloatArray],
    advice: str,
) -> str:
    rows = _recorded_rows(problem, recording)
    if len(rows) < 2 or not len(recording.time):
        return ""
    places = np.unique(np.linspace(0, len(recording.time) - 1, _MOST_RECORDS).astype(int))
    resting = _RestingRows(problem, recording, rows, places)
    if not resting.several:
        return ""
    time = recording.time[places]
    lasts = min(_LASTS, 0.5 * float(time[-1] - time[0]))
    pressed = np.array([pressing(resting, k) for k in range(len(places))])
    shares = pressed / resting.largest
    since = first_lasting(time, shares.max(axis=1) > _PRESSED, lasts)
    if since is None:
        return ""
    return _sentence(rows, pressed * (time >= since)[:, None], shares, since) + advice


def _sentence(
    rows: Sequence[SetValuedRow], pressed: FloatArray, shares: FloatArray, since: float
) -> str:
    shares = np.where(pressed > 0.0, shares, 0.0)
    worst = shares.max(axis=0)
    order = [int(i) for i in np.argsort(-worst, kind="stable") if worst[i] > _PRESSED]
    first = rows[order[0]].reaction
    names = few_names([rows[i].reaction.name for i in order])
    return (
        f"from t = {since:.4g} s on the motion does not determine how {names} share what they "
        f"hold: they press against one another, {first.name} with up to "
        f"{pressed[:, order[0]].max():.3g} {first.unit}; rely on what they do together, and "
    )


def _recorded_rows(problem: Problem, recording: Recording) -> list[SetValuedRow]:
    source = problem.system.source
    if problem.system.rows is None or source is None:
        return []
    recorded = {quantity.name for quantity in recording.output_quantities}
    return [row for row in source.set_valued if row.reaction.name in recorded]


class _RestingRows:
    """Rows at records: their forces, which of them are at rest, and what they see of speeds."""

    def __init__(
        self,
        problem: Problem,
        recording: Recording,
        rows: Sequence[SetValuedRow],
        places: NDArray[np.intp],
    ) -> None:
        column = {q.name: k for k, q in enumerate(recording.output_quantities)}
        forces = recording.outputs[places][:, [column[row.reaction.name] for row in rows]]
        values = {**values_along(problem, recording.time[places], recording.states[places])}
        values |= {row.reaction.symbol: forces[:, k] for k, row in enumerate(rows)}
        for quantity in problem.system.unknown_forces:  # that are not recorded
            values.setdefault(quantity.symbol, np.zeros(len(places)))
        source = problem.system.source
        assert source is not None
        speeds, kept = len(source.speeds), source.constraints
        self._forces, self._problem, self._rows, self._values = forces, problem, rows, values
        self._A = _matrices([row.jacobian for row in rows], speeds, values, len(places))
        self._B = _matrices([c.jacobian for c in kept], speeds, values, len(places))
        slow = np.abs([_evaluated(row.law["velocity"], values, len(places)) for row in rows]).T
        self._slow = slow <= _AT_REST * np.sqrt(np.sum(self._A**2, axis=2))
        self.largest = self._largest([row.reaction.unit for row in rows])

    @property
    def several(self) -> bool:
        """Whether two rows rest at one record: of others nothing is to be said, and to evaluate
        their laws takes long."""
        return bool((self._slow.sum(axis=1) > 1).any())

    @cached_property
    def _laws(self) -> dict[str, FloatArray]:
        """What says whether rows are held: a column for each row. All are evaluated at once, for
        those of one contact have most of their expressions in common."""
        known = [
            (name, k, row.law[name])
            for k, row in enumerate(self._rows)
            for name in _UNLESS_GIVEN
            if name in row.law
        ]
        now = evaluate([expression for _, _, expression in known], self._values)
        found = {name: np.full(self._forces.shape, other) for name, other in _UNLESS_GIVEN.items()}
        for (name, k, _), value in zip(known, now, strict=True):
            found[name][:, k] = value
        return found

    @cached_property
    def _rests(self) -> NDArray[np.bool_]:
        gives = sum(self._laws[name] for name in _GIVES) > 0.0
        return np.asarray(self._slow & ~gives)

    @cached_property
    def _does(self) -> FloatArray | None:
        if _symmetric(self._problem):
            return None
        return _accelerations(self._problem, self._rows, self._values, len(self._forces))

    def _largest(self, units: Sequence[str]) -> FloatArray:
        """Of the forces in the unit of each, over the run."""
        sizes = np.abs(self._forces).max(axis=0)
        alike = [max(s for s, u in zip(sizes, units, strict=True) if u == unit) for unit in units]
        return np.maximum(alike, np.finfo(float).tiny)

    def beyond_least_norm(self, record: int) -> FloatArray:
        """What each force differs by from the least norm of those that do the same."""
        found = np.zeros(self._forces.shape[1])
        held = np.flatnonzero(self._rests[record])
        if held.size > 1:
            seen = _allowed(self._A[record][held], self._B[record])
            does = seen if self._does is None else self._does[record][held]
            force, matrix = self._forces[record, held], does @ does.T
            lower, upper = (self._laws[name][record, held] for name in _BOUNDS)
            lower, upper = np.minimum(lower, force), np.maximum(upper, force)
            problem = ComplementarityProblem(matrix, -matrix @ force, lower, upper)
            solution = Pivoting().solve(problem, start=force)
            if solution.outcome is Outcome.SOLVED:
                found[held] = np.abs(solution.unknowns - force)
        return found

    def by_short_levers(self, record: int) -> FloatArray:
        """What each force between its bounds has along what the speeds hardly notice."""
        found, force = np.zeros(self._forces.shape[1]), self._forces[record]
        if not self._has_levers(record):
            return found
        lower, upper = (self._laws[name][record] for name in _BOUNDS)
        inside = (force - lower > _INSIDE * np.abs(lower)) & (
            upper - force > _INSIDE * np.abs(upper)
        )
        held = np.flatnonzero(self._rests[record] & inside)
        held, seen, sizes = self._seen(record, held)
        if held.size > 1:
            left, values, _ = np.linalg.svd(seen)
            small = np.concatenate([values, np.zeros(held.size - values.size)]) < LEVER
            along, _ = np.linalg.qr(left[:, small] / sizes[:, None])
            found[held] = np.abs(along @ (along.T @ force[held]))
        return found

    def _has_levers(self, record: int) -> bool:
        """Whether any of the slow rows may be levers, which takes no law: singular values of some
        rows of a matrix are not less than the least one of all of them."""
        slow, seen, _ = self._seen(record, np.flatnonzero(self._slow[record]))
        if slow.size < 2:
            return False
        values = np.linalg.svd(seen, compute_uv=False)
        return bool(values.size < slow.size or values[-1] < 2.0 * LEVER)

    def _seen(
        self, record: int, rows: NDArray[np.intp]
    ) -> tuple[NDArray[np.intp], FloatArray, FloatArray]:
        """Of these rows those that see anything, what they see as rows of unit length, and how
        long these were."""
        seen = _allowed(self._A[record][rows], self._B[record])
        sizes = np.sqrt(np.sum(seen**2, axis=1))
        rows, seen, sizes = (array[sizes > _EXACTLY] for array in (rows, seen, sizes))
        return rows, seen / sizes[:, None], sizes


def _symmetric(problem: Problem) -> bool:
    """Whether forces do what their rows see; not where loads depend on forces beside these."""
    return problem.system.rows is not None and problem.system.rows.symmetric


def _accelerations(
    problem: Problem,
    rows: Sequence[SetValuedRow],
    values: Mapping[Expr, FloatArray],
    count: int,
) -> FloatArray:
    """By a unit of each force, of each record."""
    of, source = problem.system.rows, problem.system.source
    assert of is not None
    assert source is not None
    speeds, names = len(source.speeds), [quantity.name for quantity in of.reactions]
    places = [speeds * (1 + names.index(row.reaction.name)) for row in rows]
    columns = [dict(enumerate(of.values[place : place + speeds])) for place in places]
    return _matrices(columns, speeds, values, count)


def _allowed(seen: FloatArray, constraints: FloatArray) -> FloatArray:
    """What rows see of motions that the constraints leave."""
    if not len(constraints) or not len(seen):
        return seen
    _, values, right = np.linalg.svd(constraints)
    rank = int(np.count_nonzero(values > _EXACTLY * values[0]))
    return np.asarray(seen @ right[rank:].T)


def _matrices(
    rows: Iterable[Mapping[int, Expr]], speeds: int, values: Mapping[Expr, FloatArray], count: int
) -> FloatArray:
    """Of each record, from rows by index of the speed."""
    listed = list(rows)
    found = np.zeros((count, len(listed), speeds))
    for k, row in enumerate(listed):
        for speed, column in zip(row, evaluate(list(row.values()), values), strict=True):
            found[:, k, speed] = column
    return found


def _evaluated(law: Expr, values: Mapping[Expr, FloatArray], count: int) -> FloatArray:
    return np.broadcast_to(evaluate([law], values)[0], count)
