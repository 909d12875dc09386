"""Steady motions under given values: speed and radius given, steer and drive found."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Sequence

from axletree.analysis.found_levels import found_groups
from axletree.analysis.steady_equations import SteadyEquations, SteadyPoint
from axletree.analysis.steady_given import (
    Given,
    SteadyStateError,
    Values,
    in_si,
    known_quantities,
    read_given,
)
from axletree.analysis.steady_motion import SteadyState, as_state, excursion_of
from axletree.analysis.steady_search import SteadySearch
from axletree.analysis.trim_conditions import conditions_of
from axletree.analysis.trim_start import TrimStart
from axletree.core.expr import Expr
from axletree.core.quantity import Role
from axletree.core.registry import unknown_name
from axletree.simulation.problem import Problem
from axletree.system.system import System


def steady_state(
    system: System,
    given: Values | None = None,
    find: Sequence[str | Sequence[str]] = (),
    *,
    start: Values | SteadyState | None = None,
    time: float = 0.0,
) -> SteadyState:
    """The steady motion near the start of the model; texts may carry units.

    Parameters
    ----------
    given: values of states, inputs, parameters and outputs, and of expressions of these such
        as ``"chassis.vx/chassis.wz"``. Inputs that are neither given nor found are 0.
    find: inputs and parameters whose levels are found; names within a sequence of their own
        share one level.
    start: first guesses of states and of what is found, or a steady motion nearby.
    time: s, where the equations depend on it.

    Vehicles turn at a constant rate: states that turn with the whole, such as a velocity along
    the axes of the ground, do so at the yaw rate. Raises ``SteadyStateError`` with the
    conditions that are not met and the closest motion that was reached. Warns of variables
    that were declared small and are larger than that.

    Example:
    >>> import axletree as at
    >>> steady = at.read_model("quarter-car").formulate().steady_state()
    >>> print(f"{steady['tyre.Fz']:.2f} N")  # the weight of 340 kg
    3334.26 N
    """
    search, guess, read = prepare(system, given or {}, find, start, time)
    found = as_state(search.equations, search.solve(guess), read)
    if remark := excursion_of([found], lambda _: "in this steady motion"):
        warnings.warn(remark, stacklevel=2)
    return found


def prepare(
    system: System,
    given: Values,
    find: Sequence[str | Sequence[str]],
    start: Values | SteadyState | None,
    time: float,
    along: str | None = None,
) -> tuple[SteadySearch, SteadyPoint, Given]:
    """Equations, a first guess, and what was given as numbers."""
    read = read_given(system, given)
    groups = _found(system, find, read)
    begin = TrimStart(system, read.inputs, read.parameters, time)
    states = {q.name: k for k, q in enumerate(system.states)}
    direct = {t.name: t.value for t in read.targets if t.name in states}
    problem = begin.at(direct if start is None else {})
    if start is not None:
        _apply(system, problem, start, {s for group in groups for s in group})
    for name, value in direct.items():
        problem.states[states[name]] = value
    followed = _along(system, read, along)
    equations = SteadyEquations(system, problem, read.targets, groups, followed, _unfelt(problem))
    if any(equations.along in group for group in groups):
        raise SteadyStateError(f"{along!r} is followed and is to be found; choose one")
    return SteadySearch(equations, begin), equations.guess, read


def _unfelt(problem: Problem) -> list[int]:
    """Coordinates of a system that moves which make no difference where it is."""
    system = problem.system
    speeds = [k for k, q in enumerate(system.states) if q.role is Role.SPEED]
    if not problem.states[speeds].any():
        return []
    values = {system.time.symbol: problem.start}
    for quantities, numbers in (
        (system.states, problem.states),
        (system.inputs, problem.inputs),
        (system.parameters, problem.parameters),
    ):
        symbols = (q.symbol for q in quantities)
        values |= dict(zip(symbols, numbers.tolist(), strict=True))
    return conditions_of(system).unfelt(values)


def _along(system: System, given: Given, name: str | None) -> Expr | None:
    """The symbol whose value is followed: of a target, an input or a parameter."""
    if name is None:
        return None
    known = {target.name: target.symbol for target in given.targets}
    known |= {q.name: q.symbol for q in (*system.inputs, *system.parameters)}
    if name not in known:
        if name in known_quantities(system):
            raise SteadyStateError(
                f"{name!r} is followed without a first value; give it one in given"
            )
        raise unknown_name("given value, input or parameter", name, known, system.name)
    return known[name]


def _found(system: System, find: Sequence[str | Sequence[str]], given: Given) -> list[list[Expr]]:
    """Symbols of inputs and parameters, those in a list sharing one level."""
    known = {q.name: q.symbol for q in system.parameters}
    known |= {q.name: q.symbol for q in system.inputs if not q.derivative_of}
    named = {*given.inputs, *given.parameters}
    where = f"system {system.name!r}"
    return found_groups(find, "input or parameter", known, named, where, SteadyStateError)


def _apply(
    system: System, problem: Problem, start: Values | SteadyState, found: Collection[Expr]
) -> None:
    """First guesses, into the numbers of a problem that nobody else has."""
    known = {q.name: (q, k, problem.states) for k, q in enumerate(system.states)}
    for quantities, numbers in (
        (system.inputs, problem.inputs),
        (system.parameters, problem.parameters),
    ):
        places = enumerate(quantities)
        known |= {q.name: (q, k, numbers) for k, q in places if q.symbol in found}
    values: Values
    if isinstance(start, SteadyState):
        everything = {**start.states, **start.inputs, **start.parameters}
        values = {name: x for name, x in everything.items() if name in known}
    else:
        values = start
    for name, value in values.items():
        if name not in known:
            kind = "state, or input or parameter that is to be found,"
            raise unknown_name(kind, name, known, f"system {system.name!r}")
        quantity, k, numbers = known[name]
        numbers[k] = in_si(name, value, quantity)
