"""Steady motions, solved and not guessed: ``trim`` and ``steady_state``.

``trim``: ``hold`` says which states are given, ``find`` which inputs are not; a run can start
in it. ``steady_state``: any values are given, such as speed and radius, and steer and drive are
found. What is steady follows from the equations alone (``conditions``), whatever the vehicle is
made of.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Sequence

from axletree.analysis.steady.conditions import conditions_of
from axletree.analysis.steady.equations import SteadyEquations, SteadyPoint
from axletree.analysis.steady.problem import (
    GivenValues,
    SteadyStateError,
    TrimError,
    TrimStart,
    Values,
    found_groups,
    in_si,
    known_quantities,
    read_given,
)
from axletree.analysis.steady.result import SteadyState, Trim, as_state, excursion_of
from axletree.analysis.steady.search import FoundMotion, SteadySearch, TrimSearch
from axletree.core.registry import unknown_name
from axletree.expr import Expr, evaluate
from axletree.expr.quantity import Role
from axletree.simulation.problem import Problem
from axletree.system.edit import with_smooth_forces
from axletree.system.system import System

ROUNDING = 1e-18


def trim(
    system: System,
    hold: Values | None = None,
    *,
    find: Sequence[str | Sequence[str]] = (),
    inputs: Values | None = None,
    parameters: Values | None = None,
    time: float = 0.0,
) -> Trim:
    """The steady motion near the start of the model; texts may carry units.

    Parameters
    ----------
    hold: values of states that are given. Where no speed other than 0 is among them, every
        speed is 0: the system stands.
    find: inputs whose levels are found; names within a sequence of their own share one
        level. Where fewer are found than states are held, a moving system coasts: all its
        speeds fall in one proportion, which is found, too.
    inputs: levels of the other inputs; the rates of prescribed motions are 0.
    parameters: values that are not the model's own.
    time: s, where the equations depend on it.

    Raises ``TrimError`` with the conditions that are not met, or with what is left open.

    Example:
    >>> import axletree as at
    >>> stands = at.read_model("quarter-car").formulate().trim()
    >>> strut = stands.states["strut.position"]
    >>> print(f"{18e3 * (0.5 - strut):.2f} N")  # of its spring: the weight of 300 kg
    2941.99 N
    """
    system = with_smooth_forces(system)
    given, levels = hold or {}, inputs or {}
    known = {q.name: k for k, q in enumerate(system.inputs) if not q.derivative_of}
    groups = found_groups(find, "input", known, levels, f"system {system.name!r}", TrimError)
    start = TrimStart(system, levels, parameters or {}, time)
    problem = start.at(given)
    index = {quantity.name: k for k, quantity in enumerate(system.states)}
    held = [index[name] for name in given]
    speeds = [k for k, q in enumerate(system.states) if q.role is Role.SPEED]
    conditions = conditions_of(system)
    moves = any(problem.states[k] for k in held if k in speeds)
    coasts = moves and len(groups) < len(set(held) & set(conditions.settled))
    steady = TrimSearch(
        conditions, problem, held if moves else sorted({*held, *speeds}), groups,
        stands=not moves, coasts=coasts, easier=start.easier(given),
    ).solve()  # fmt: skip
    return _result(steady, tuple(given))


def _result(steady: FoundMotion, held: tuple[str, ...]) -> Trim:
    equations, motion = steady.equations, steady.motion
    system = equations.conditions.system
    names = [quantity.name for quantity in system.states]
    rates = evaluate(system.derivatives, equations.values(motion))
    levels = zip(system.inputs, motion.inputs.tolist(), strict=True)
    return Trim(
        system=system.name,
        states=dict(zip(names, (_cleared(x) for x in motion.states.tolist()), strict=True)),
        inputs={quantity.name: level for quantity, level in levels if not quantity.derivative_of},
        rates=dict(zip(names, rates, strict=True)),
        decay=motion.decay,
        residual=steady.residual,
        held=held,
        found=tuple(system.inputs[k].name for group in equations.found for k in group),
        drifting=tuple(names[k] for k in steady.drifting),
        open=tuple(names[k] for k in steady.open),
    )


def _cleared(value: float) -> float:
    """Without what rounding leaves of a zero."""
    return value if abs(value) > ROUNDING else 0.0


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
    system = with_smooth_forces(system)
    search, guess, read = prepare_search(system, given or {}, find, start, time)
    found = as_state(search.equations, search.solve(guess), read)
    if remark := excursion_of([found], lambda _: "in this steady motion"):
        warnings.warn(remark, stacklevel=2)
    return found


def prepare_search(
    system: System,
    given: Values,
    find: Sequence[str | Sequence[str]],
    start: Values | SteadyState | None,
    time: float,
    along: str | None = None,
) -> tuple[SteadySearch, SteadyPoint, GivenValues]:
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


def _along(system: System, given: GivenValues, name: str | None) -> Expr | None:
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


def _found(
    system: System, find: Sequence[str | Sequence[str]], given: GivenValues
) -> list[list[Expr]]:
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
