"""What is to be integrated: a system with values for everything that it leaves open.

Everything that a user gives by name is checked here; all mistakes are found before one
error names them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from axletree.code.compile import Vector
from axletree.core.errors import AxletreeError, SimulationError
from axletree.core.expr import Expr, Table
from axletree.core.quantity import Quantity
from axletree.core.registry import unknown_name
from axletree.simulation.signals import (
    InputTable,
    Signal,
    as_signal,
    values_at,
    with_expressions,
    with_rates,
)
from axletree.system.initialise import consistent_states
from axletree.system.system import System


class SettingsError(SimulationError):
    """Settings of a run that make no sense; ``problems`` holds one sentence for each."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        lines = "\n".join(f"  - {problem}" for problem in problems)
        super().__init__(problems[0] if len(problems) == 1 else f"the run cannot start:\n{lines}")


@dataclass(frozen=True)
class Tolerances:
    """Error that a variable-step method may make in a step: relative * |x| + absolute."""

    relative: float = 1e-6
    absolute: float = 1e-9  # in the unit of each state


@dataclass(frozen=True)
class Problem:
    """A system, its start, and the span of time; all values in SI units."""

    system: System  # with the inputs that are expressions put into its equations
    states: Vector  # at the start
    inputs: Vector  # constants; the places of tables are overwritten
    tables: tuple[InputTable, ...]
    parameters: Vector
    outputs: tuple[str, ...] | None  # the chosen ones; None: all
    start: float  # s
    duration: float  # s
    step: float | None  # s; of a variable-step method the longest
    record_interval: float | None  # s
    tolerances: Tolerances


def state_problem(
    system: System,
    *,
    initial: Mapping[str, float],
    inputs: Mapping[str, Signal],
    parameters: Mapping[str, float],
    outputs: Sequence[str] | None,
    start: float,
    duration: float,
    step: float | None,
    record_interval: float | None,
    tolerances: Tolerances,
) -> Problem:
    problems = _wrong_times(start, duration, step, record_interval, tolerances)
    _values("state", system.states, initial, system, problems)
    constants = _values("parameter", system.parameters, parameters, system, problems)
    signals = with_rates(_signals(inputs, system, problems), system)
    plain = {name: s for name, s in signals.items() if isinstance(s, float)}
    levels = _values("input", system.inputs, plain, system, problems)
    if problems:
        raise SettingsError(problems)
    now = values_at(system, signals, constants, levels, float(start))
    states = consistent_states(system, initial, now)
    index = {quantity.name: k for k, quantity in enumerate(system.inputs)}
    expressions = {
        system.inputs[index[name]].symbol: s for name, s in signals.items() if isinstance(s, Expr)
    }
    tables = [InputTable(index[n], s) for n, s in signals.items() if isinstance(s, Table)]
    return Problem(
        with_expressions(system, expressions),
        states,
        levels,
        tuple(tables),
        constants,
        None if outputs is None else tuple(outputs),
        float(start),
        float(duration),
        step,
        record_interval,
        tolerances,
    )


def _wrong_times(
    start: float,
    duration: float,
    step: float | None,
    record_interval: float | None,
    tolerances: Tolerances,
) -> list[str]:
    problems = []
    if not _is_finite(start):
        problems.append(f"start is {start!r}; expected a time in seconds")
    positive = {
        "duration": duration,
        "step": step,
        "record_interval": record_interval,
        "relative_tolerance": tolerances.relative,
        "absolute_tolerance": tolerances.absolute,
    }
    for name, value in positive.items():
        if value is not None and not (_is_finite(value) and value > 0.0):
            unit = "" if "tolerance" in name else " of seconds"
            problems.append(f"{name} is {value!r}; expected a positive number{unit}")
    return problems


def _is_finite(value: Any) -> bool:
    """Whether this is one finite number, and not a text, a list or nothing."""
    try:
        return np.ndim(value) == 0 and math.isfinite(value)
    except TypeError:
        return False


def _values(
    kind: str,
    quantities: Sequence[Quantity],
    given: Mapping[str, float],
    system: System,
    problems: list[str],
) -> Vector:
    """Defaults with the given values in their places; complaints go to ``problems``."""
    index = {quantity.name: k for k, quantity in enumerate(quantities)}
    values = np.array([quantity.default for quantity in quantities], dtype=float)
    for name, value in given.items():
        if name not in index:
            problems.append(str(unknown_name(kind, name, index, f"system {system.name!r}")))
            continue
        quantity = quantities[index[name]]
        problem = _wrong_value(kind, quantity, value)
        if problem is None:
            values[index[name]] = value
        else:
            problems.append(problem)
    return values


def _wrong_value(kind: str, quantity: Quantity, value: Any) -> str | None:
    given = f"{kind} {quantity.name!r} is {value!r}"
    if not _is_finite(value):
        return f"{given}; expected one finite number in {quantity.unit}"
    if not quantity.lower <= float(value) <= quantity.upper:
        return (
            f"{given} {quantity.unit}; expected a value between "
            f"{quantity.lower:g} and {quantity.upper:g}"
        )
    return None


def _signals(
    inputs: Mapping[str, Signal], system: System, problems: list[str]
) -> dict[str, float | Expr | Table]:
    known = [quantity.name for quantity in system.inputs]
    allowed = [system.time.symbol, *(quantity.symbol for quantity in system.parameters)]
    signals: dict[str, float | Expr | Table] = {}
    for name, value in inputs.items():
        if name not in known:
            problems.append(str(unknown_name("input", name, known, f"system {system.name!r}")))
            continue
        try:
            signals[name] = as_signal(value, allowed)
        except (AxletreeError, TypeError, ValueError) as error:
            problems.append(f"input {name!r} cannot be used: {error}")
    return signals
