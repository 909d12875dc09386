"""Checks of a run: drift of constraints, variables beyond small, ranges, steps, orientations.

1. ``constraint_drift``, ``torn_apart``: a mechanism that comes apart is not passed over. Forms
   differ in what happens beyond the reach of a mechanism: some end in values that are not finite,
   others go on with coordinates that no longer close its loops. ``passed_dead_centre``: what is
   driven to the end of its reach and has a freedom left goes on in another assembly.
   ``lost_digits``: a loop far from where the order of its elimination was chosen.
2. ``small_variable_excess``: variables that were taken as small, at the records of a run or in
   steady motions.
3. ``range_excess``: components whose laws leave their range.
   ``left_behind``: belts that are given at rest under a wheel that rolls.
4. ``unsolved_step``: steps that could not be solved, which forces, when, and what to try.
5. ``check_start_orientation``, ``lost_orientation``: orientations that three angles cannot
   describe, where a run can neither start nor go on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from axletree.components.contract import RangeLimit, SetValued
from axletree.components.edges import Gimbal
from axletree.core.errors import InitialValueError
from axletree.core.registry import few_names
from axletree.expr import Expr, evaluate, interpolate, substitute
from axletree.expr.quantity import Quantity
from axletree.simulation.mlcp.problem import Outcome
from axletree.simulation.problem import Problem
from axletree.simulation.recording import Failure, Recording
from axletree.simulation.trajectory import peak_records
from axletree.system.dead_centre import ClosureMargins, closure_margins, lost_pivot
from axletree.system.system import System

LARGEST_DRIFT: Final = 1e-3  # m or rad: more than drift that a form is to keep small
MOST_RECORDS: Final = 200  # looked at, evenly over the run; what is torn stays torn


def constraint_drift(problem: Problem, recording: Recording) -> str:
    """Which constraint is violated most, by how much and since when; empty if none is."""
    constraints = problem.system.constraints
    if not constraints or not len(recording.time):
        return ""
    rows = np.unique(np.linspace(0, len(recording.time) - 1, MOST_RECORDS).astype(int))
    gaps = _gaps(problem, recording.time[rows], recording.states[rows])
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


def torn_apart(
    problem: Problem, time: float, states: Sequence[float] | np.ndarray
) -> Failure | None:
    """The failure of a step after which constraints are not satisfied; None if they are.

    Where a mechanism is driven beyond its reach, the step back onto the constraints ends anywhere.
    """
    if not problem.system.constraints:
        return None
    gaps = _gaps(problem, np.array([time]), np.array([states], dtype=float))
    if gaps.max() <= LARGEST_DRIFT:
        return None
    worst = problem.system.constraints[int(gaps.argmax())].reaction.name
    return Failure(
        f"at t = {time:.9g} s the constraint of {worst} can no longer be satisfied: it is violated "
        f"by {gaps.max():.3g}",
        "either the mechanism cannot reach where it is driven, so check lengths and prescribed "
        "motions, or try a smaller step",
    )


NEAR_DEAD_CENTRE: Final = 0.15  # times the usual independence of constraints in a run
# Configurations that are looked at: evenly over the run, fewer of large systems, and around lows.
_EVENLY, _FOR_SPEEDS, _AROUND = (200, 1000), 20_000, 200
_LOWEST: Final = 3  # of the former
_NO_LOW: Final = 0.7  # times what is usual: where all are above it, no closer look is taken


def passed_dead_centre(problem: Problem, recording: Recording) -> str:
    """Which loop comes next to a dead centre, and when; empty if none does.

    Looked for between records, too, where a method has left its visits.
    """
    equations = problem.system.source
    if equations is None or not problem.system.constraints:
        return ""
    time, states = _along(recording)
    count = np.clip(_FOR_SPEEDS // max(len(equations.speeds), 1), *_EVENLY)
    rows = np.unique(np.linspace(0, len(time) - 1, count).astype(int))
    found = _margins(problem, time[rows], states[rows]) if len(time) > 2 else None
    if found is None:
        return ""
    sizes = found.sizes
    coarse = found.margins(sizes)
    # Of times and not of steps: next to a dead centre a solver takes many of these.
    even = np.linspace(time[0], time[-1], len(rows))
    usual = float(np.median(np.interp(even, time[rows], coarse)))
    if coarse.min() > _NO_LOW * usual:
        return ""
    lows = np.argsort(coarse)[:_LOWEST]
    around = [rows[lows]]
    for k in lows:
        begin, end = rows[max(k - 1, 0)], rows[min(k + 1, len(rows) - 1)]
        around.append(np.linspace(begin, end, _AROUND).astype(int))
    rows = np.unique(np.concatenate(around))
    found = _margins(problem, time[rows], states[rows])
    if found is None:
        return ""
    fine = found.margins(sizes)
    lowest = int(fine.argmin())
    if not fine[lowest] < NEAR_DEAD_CENTRE * usual:
        return ""
    text = (
        f"at t = {time[rows[lowest]]:.4g} s there is a dead centre, or one is near, of "
        f"{found.loops(lowest, sizes)}, whose constraints are {100.0 * fine[lowest] / usual:.2g} % "
        "as independent as usual: reactions have no bound there, and what goes on may do so in "
        "another assembly; if the mechanism is driven there, it cannot reach any further, so check "
        "lengths and prescribed motions"
    )
    if found.dependent:
        text += (
            f"; or it is one of the form alone, which finds {few_names(found.dependent)} from the "
            "other speeds: the form 'projected' has none of its own"
        )
    return text


def lost_digits(problem: Problem, recording: Recording) -> str:
    """Which elimination of a loop lost its digits, and when; empty if none did."""
    if not problem.system.pivots:
        return ""
    time, states = _along(recording)
    rows = np.unique(np.linspace(0, len(time) - 1, _EVENLY[1]).astype(int))
    values = values_along(problem, time[rows], states[rows])
    found = lost_pivot(problem.system, values, len(rows))
    if found is None:
        return ""
    return (
        f"at t = {time[rows[found.row]]:.4g} s the embedded loop of {found.loop} comes to where "
        f"its elimination has no pivot for {found.speed}: what is found of the loop loses digits "
        "there; name other dependent speeds, Embedded(dependent=(...)), or take the form "
        "'projected'"
    )


def _along(recording: Recording) -> tuple[np.ndarray, np.ndarray]:
    """Times and states of records and between them."""
    if recording.visits is None:
        return recording.time, recording.states
    time = np.concatenate([recording.time, recording.visits[0]])
    states = np.concatenate([recording.states, recording.visits[1]])
    order = np.argsort(time, kind="stable")
    return time[order], states[order]


def _margins(problem: Problem, time: np.ndarray, states: np.ndarray) -> ClosureMargins | None:
    return closure_margins(problem.system, values_along(problem, time, states), len(time))


def _gaps(problem: Problem, time: np.ndarray, states: np.ndarray) -> np.ndarray:
    """How far constraints, in rows, are violated at records, in columns."""
    values = values_along(problem, time, states)
    with np.errstate(all="ignore"):
        found = evaluate([c.position for c in problem.system.constraints], values)
    gaps = np.abs(np.array([np.broadcast_to(gap, time.shape) for gap in found]))
    return np.where(np.isfinite(gaps), gaps, np.inf)


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


MOST_EVALUATED: Final = 1000  # records, evenly over the run, at which limits are evaluated, and
_STRETCHES: Final = 10  # of it, in which they are also where a state is extreme: no peak is lost


def check_start_range(problem: Problem) -> None:
    """An error where a component starts beyond what its law has an answer for."""
    limits = [(name, limit) for name, limit in _limits(problem.system) if limit.bars_start]
    if not limits:
        return
    here = np.array([problem.start])
    found = _excesses(problem, [limit for _, limit in limits], here, problem.states[None, :])
    beyond = [
        f"{name}: {limit.sentence}"
        for (name, limit), excess in zip(limits, found, strict=True)
        if not np.max(excess) <= 0.0
    ]
    if beyond:
        raise InitialValueError(f"{problem.system.name} cannot start: {'; '.join(beyond)}")


_CARRIED: Final = 0.1  # m/s or rad/s: what is slower may as well be at rest


def left_behind(problem: Problem) -> str:
    """Which parts start at rest on what moves, as a belt that is given so under a rolling wheel.

    Where no first value is given, such parts start with what carries them.
    """
    system, source = problem.system, problem.system.source
    if source is None:
        return ""
    first = len(source.speeds) + len(source.coordinates)
    internal = zip(system.states[first:], problem.states[first:], strict=True)
    still = {q.name for q, x in internal if x == 0.0 and q.unit in ("m/s", "rad/s")}
    if not still:
        return ""
    carried = [
        (s.quantity, s.usual_start)
        for s in source.internal
        if s.quantity.name in still and s.usual_start is not None
    ]
    here = values_along(problem, np.array([problem.start]), problem.states[None, :])
    speeds = [float(np.max(v)) for v in evaluate([start for _, start in carried], here)]
    found = [
        f"{q.name} starts at 0, and what carries it moves at {speed:.4g} {q.unit}"
        for (q, _), speed in zip(carried, speeds, strict=True)
        if abs(speed) > _CARRIED
    ]
    if not found:
        return ""
    return (
        f"{'; '.join(found)}: springs between them take up the difference at once; leave it out of "
        "the first values, and it starts with its wheel"
    )


def _limits(system: System) -> list[tuple[str, RangeLimit]]:
    if system.source is None or system.rows is None:
        return [] if system.source is None else list(system.source.limits)
    found = []
    for answer in system.source.answers:
        rigid = [one for force in answer.response.set_valued for one in _rigid_limits(force)]
        found += [(answer.component, one) for one in (*answer.response.limits, *rigid)]
    return found


def _rigid_limits(force: SetValued) -> tuple[RangeLimit, ...]:
    """Of a contact that a step is solved for: it holds what is beyond it where it is."""
    if force.position is None:
        return ()
    text = (
        f"it is closed by more than {1e3 * LARGEST_DRIFT:g} mm, and what is rigid holds it there; "
        "start it outside"
    )
    return (RangeLimit(-force.position - LARGEST_DRIFT, text, bars_start=True),)


def _excesses(
    problem: Problem, limits: Sequence[RangeLimit], time: np.ndarray, states: np.ndarray
) -> list[np.ndarray]:
    """Of each limit; forces that are unknowns of steps by their smooth laws."""
    rows, values = problem.system.rows, values_along(problem, time, states)
    laws = (
        {}
        if rows is None
        else {q.symbol: law for q, law in zip(rows.reactions, rows.smooth, strict=True)}
    )
    excesses = substitute([limit.excess for limit in limits], laws)
    with np.errstate(all="ignore"):
        return [np.broadcast_to(found, time.shape) for found in evaluate(excesses, values)]


def range_excess(problem: Problem, recording: Recording) -> str:
    """Which components leave the range of their laws, from when on, and what that means."""
    failed = recording.failure is not None
    found = (one for one in _limits(problem.system) if not one[1].bars_start)
    limits = [one for one in found if failed or not one[1].is_harmless]
    if not limits or not len(recording.time):
        return ""
    evenly = np.linspace(0, len(recording.time) - 1, MOST_EVALUATED).astype(int)
    columns = recording.states.T if len(recording.time) > MOST_EVALUATED else ()
    looked_at = np.zeros(len(recording.time), dtype=bool)
    looked_at[np.concatenate([evenly, *(peak_records(x, _STRETCHES) for x in columns)])] = True
    rows = np.flatnonzero(looked_at)
    time, states = recording.time[rows], recording.states[rows]
    excesses = _excesses(problem, [limit for _, limit in limits], time, states)
    said: dict[str, dict[str, float]] = {}
    for (component, limit), excess in zip(limits, excesses, strict=True):
        since = first_lasting(time, excess > 0.0, limit.lasts)
        if since is not None:
            places = said.setdefault(limit.sentence, {})
            places[component] = min(since, places.get(component, since))
    return "; ".join(
        f"from t = {min(places.values()):.4g} s on {', '.join(places)}: {sentence}"
        for sentence, places in said.items()
    )


def first_lasting(time: np.ndarray, beyond: np.ndarray, lasts: float) -> float | None:
    """When something is so for the first time that lasts for at least so long [s]."""
    changes = np.diff(np.concatenate([[False], beyond, [False]]).astype(int))
    for first, after in zip(*(np.flatnonzero(changes == way) for way in (1, -1)), strict=True):
        if time[after - 1] - time[first] >= lasts:
            return float(time[first])
    return None


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


# Orientations that three angles cannot describe.
#
# Where the first and the last of three axes come in line, the rates of their angles have no
# bound. A motion that comes near such a place turns these angles by up to half a turn within
# a few steps; a motion exactly through it goes on as if nothing were there. A step that does
# neither has lost the orientation, and nothing in the numbers shows it later. So the start is
# checked, and steps are watched.

SMALLEST_SINE: Final = 1e-9  # rad between the first and the last axis, at the start
NEAR_SINGULAR: Final = 0.1  # likewise: what may be the cause of a run that stops


@dataclass(frozen=True)
class EulerAngles:
    """Three angles of a system that do not tell all motions apart everywhere."""

    component: str
    gimbal: Gimbal
    first: int  # the places of the first and the middle angle among the states
    middle: int

    def is_locked(self, states: Sequence[float] | np.ndarray, within: float) -> bool:
        """Whether the first and the last axis are in line within an angle [rad]."""
        return abs(self.gimbal.apart(float(states[self.middle]))) <= within

    def sentence(self, states: Sequence[float] | np.ndarray) -> str:
        """Where they are in line, next to these states, and what is wrong there."""
        return f"{self.component}: {self.gimbal.sentence(float(states[self.middle]))}"


def euler_angles_of(system: System) -> tuple[EulerAngles, ...]:
    """Every joint of the tree whose orientation is three angles."""
    if system.source is None:
        return ()
    place = {quantity.name: k for k, quantity in enumerate(system.states)}
    return tuple(
        EulerAngles(component, gimbal, place[names[0]], place[names[1]])
        for component, gimbal, names in system.source.gimbals
    )


def check_start_orientation(system: System, states: np.ndarray) -> None:
    """There the equations divide by zero, in the kinematics or in the mass matrix."""
    for turns in euler_angles_of(system):
        if turns.is_locked(states, SMALLEST_SINE):
            raise InitialValueError(
                f"{turns.sentence(states)}, so that a run cannot start there; start from another "
                "angle, or give it another orientation, such as 'quaternion', which has no such "
                "place"
            )


StateValues = Sequence[float] | np.ndarray

MOST_PER_STEP: Final = 0.5  # rad that the first angle may turn in a step near such a place
MOST_ACROSS: Final = 1e-4  # rad likewise in a step that passes it: there a motion is in a plane

_OTHER_ANGLES: Final = (
    "give it another orientation, such as 'quaternion', which has no such place, or take much "
    "smaller steps"
)


def angle_places(turns: Sequence[EulerAngles]) -> np.ndarray:
    """What the watch in C looks at: places of first and middle angle, whether axes repeat."""
    rows = [(three.first, three.middle, int(three.gimbal.repeated)) for three in turns]
    return np.array(rows or [(0, 0, 0)], np.int64)


def first_lost(
    turns: Sequence[EulerAngles], before: StateValues, after: StateValues
) -> EulerAngles | None:
    """The first three angles whose orientation a step has lost; as in C."""
    return next((three for three in turns if _is_lost(three, before, after)), None)


def _is_lost(three: EulerAngles, before: StateValues, after: StateValues) -> bool:
    turned = abs(after[three.first] - before[three.first])
    middle, shift = after[three.middle], 0.0 if three.gimbal.repeated else 0.5
    here, there = (math.floor(x / math.pi + shift) for x in (middle, before[three.middle]))
    if turned > MOST_ACROSS and here != there:
        return True
    return bool(turned > MOST_PER_STEP and abs(three.gimbal.apart(middle)) < NEAR_SINGULAR)


def lost_orientation(
    turns: Sequence[EulerAngles],
    states: Sequence[Quantity],
    before: StateValues,
    after: StateValues,
    t: float,
) -> Failure:
    """The failure of a step to t after which orientation is lost."""
    three = first_lost(turns, before, after)
    assert three is not None
    turned = after[three.first] - before[three.first]
    return Failure(
        f"at t = {t:.9g} s {states[three.first].name!r} turned by {turned:.3g} rad in one step, "
        f"near where it is not defined: {three.sentence(after)}",
        _OTHER_ANGLES,
    )


def with_cause(failure: Failure, turns: Sequence[EulerAngles], last: StateValues) -> Failure:
    """The failure with its likely cause, where the last good states were near such a place."""
    near = [three for three in turns if three.is_locked(last, NEAR_SINGULAR)]
    if not near:
        return failure
    place = near[0].sentence(last)
    return Failure(f"{failure.message}, near where {place}", _OTHER_ANGLES)
