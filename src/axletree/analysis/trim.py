"""Trim: the steady motion in which a run can start, solved and not guessed.

``hold`` says which states are given, ``find`` which inputs are not. What is steady follows
from the equations alone (``trim_conditions``), whatever the vehicle is made of.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from axletree.analysis.found_levels import found_groups
from axletree.analysis.trim_conditions import conditions_of
from axletree.analysis.trim_search import Steady, TrimError, TrimSearch
from axletree.analysis.trim_start import TrimStart, Values
from axletree.core.expr import evaluate
from axletree.core.quantity import Role
from axletree.system.system import System

ROUNDING = 1e-18


@dataclass(frozen=True)
class Trim:
    """A steady motion; all values in SI units, by name.

    Example:
    >>> import axletree as at
    >>> coasts = at.read_model("bicycle-car").formulate().trim({"chassis.vx": "20 m/s"})
    >>> coasts.held, coasts.drifting[:2]
    (('chassis.vx',), ('chassis.x', 'chassis.y'))
    >>> coasts.rates["chassis.x"]  # m/s
    20.0
    """

    system: str
    states: Mapping[str, float]
    inputs: Mapping[str, float]  # those given and those found; rates of motions are 0
    rates: Mapping[str, float]  # of all states: accelerations, and how coordinates drift
    decay: float  # [1/s]: every speed p changes by decay * p; 0 unless it coasts
    residual: float  # the largest of what should vanish, in the unit of its rate
    held: tuple[str, ...]  # states
    found: tuple[str, ...]  # inputs
    drifting: tuple[str, ...]  # coordinates that nothing depends on, as they were at the start
    open: tuple[str, ...]  # states that the conditions leave open, near to the start


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


def _result(steady: Steady, held: tuple[str, ...]) -> Trim:
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
