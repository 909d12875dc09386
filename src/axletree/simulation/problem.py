"""What is to be integrated: a system with values for everything that it leaves open.

Everything that a user gives by name is checked here; all mistakes are found before one
error names them.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.core.errors import AxletreeError, SimulationError
from axletree.core.registry import unknown_name
from axletree.core.units import UnitError, to_si
from axletree.expr import Expr, Table
from axletree.expr.quantity import Quantity
from axletree.simulation.signals import (
    InputSignal,
    InputTable,
    as_signal,
    corners,
    values_at,
    with_expressions,
    with_rates,
)
from axletree.system.consistent_states import consistent_states
from axletree.system.start import bound_quantities
from axletree.system.system import System

_WHY_UNKNOWN: Final = {
    "parameter": "; one that was 0 when the equations were formed is left out of them: form "
    "them with another value to change it in a run",
    "state": "; beside states, first values may be those of other joints and bodies, and of "
    "positions and velocities of points, such as 'rod.end.position.z'",
}


class SettingsError(SimulationError):
    """Settings of a run that make no sense; ``problems`` holds one sentence for each."""

    def __init__(self, *problems: str) -> None:
        self.problems = problems
        lines = "\n".join(f"  - {problem}" for problem in problems)
        super().__init__(problems[0] if len(problems) == 1 else f"the run cannot start:\n{lines}")


@dataclass(frozen=True)
class Tolerances:
    """Error that a variable-step method may make in a step: relative * |x| + absolute."""

    relative: float = 1e-6
    absolute: float = 1e-9  # in the unit of each state


USUAL_TOLERANCES: Final = Tolerances()


@dataclass(frozen=True)
class Problem:
    """A system, its start, and the span of time; all values in SI units."""

    system: System  # with the inputs that are expressions put into its equations
    states: FloatArray  # at the start
    inputs: FloatArray  # constants; the places of tables are overwritten
    tables: tuple[InputTable, ...]
    parameters: FloatArray
    outputs: tuple[str, ...] | None  # the chosen ones; None: all
    start: float  # s
    duration: float  # s
    step: float | None  # s; of a variable-step method the longest
    record_interval: float | None  # s
    tolerances: Tolerances
    signals: tuple[str, ...] = ()  # inputs that follow tables or expressions
    controllers: Any = None  # Controllers, which set inputs in the run


def state_problem(
    system: System,
    *,
    initial: Mapping[str, float | str] | None = None,
    inputs: Mapping[str, InputSignal] | None = None,
    parameters: Mapping[str, float | str] | None = None,
    outputs: Sequence[str] | None = None,
    start: float | str = 0.0,
    duration: float | str = 1.0,
    step: float | str | None = None,
    record_interval: float | str | None = None,
    tolerances: Tolerances = USUAL_TOLERANCES,
) -> Problem:
    """The problem of a run, as ``simulate`` has its settings; of one instant, ``start``."""
    problems: list[str] = []
    given = {"start": start, "duration": duration, "step": step, "record_interval": record_interval}
    times = {name: _in_si(name, value, "s", problems) for name, value in given.items()}
    problems += _wrong_times(times, tolerances)
    first = _values(
        "state", first_quantities(system, initial or {}), initial or {}, system, problems
    )
    changed = _values("parameter", system.parameters, parameters or {}, system, problems)
    constants = _filled(system.parameters, changed)
    signals = with_rates(_signals(inputs or {}, system, problems), system)
    plain = {name: s for name, s in signals.items() if isinstance(s, float)}
    levels = _filled(system.inputs, _values("input", system.inputs, plain, system, problems))
    if problems:
        raise SettingsError(*problems)
    _warn_of_corners(signals, system, times)
    now = values_at(system, signals, constants, levels, float(times["start"]))
    states = consistent_states(system, first, now)
    index = {quantity.name: k for k, quantity in enumerate(system.inputs)}
    expressions = {
        system.inputs[index[name]].symbol: s for name, s in signals.items() if isinstance(s, Expr)
    }
    tables = [InputTable(index[n], s) for n, s in signals.items() if isinstance(s, Table)]
    driven, sizes = with_expressions(system, expressions)
    return Problem(
        driven,
        states,
        levels,
        tuple(tables),
        np.array([*constants, *sizes], dtype=float),
        None if outputs is None else beside_states(system, outputs),
        float(times["start"]),
        float(times["duration"]),
        times["step"],
        times["record_interval"],
        tolerances,
        tuple(name for name, signal in signals.items() if not isinstance(signal, float)),
    )


def beside_states(system: System, outputs: Sequence[str]) -> tuple[str, ...]:
    """The names that are no states, which are recorded without being asked for."""
    states = {quantity.name for quantity in system.states}
    return tuple(name for name in outputs if name not in states)


def first_quantities(system: System, names: Collection[str]) -> tuple[Quantity, ...]:
    """The states, and what else of these names a first value can be given of."""
    own = {quantity.name for quantity in system.states}
    others = [name for name in names if name not in own]
    if system.source is None or not others:
        return system.states
    return (*system.states, *bound_quantities(system.source, others))


def instant_values(
    system: System,
    states: Mapping[str, float | str],
    inputs: Mapping[str, float | str],
    parameters: Mapping[str, float | str],
    time: float,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """States, inputs and parameters of one instant: all states as given, the rest filled up."""
    problems: list[str] = []
    if not _is_finite(time):
        problems.append(f"time is {time!r}; expected a time in seconds")
    missing = [q.name for q in system.states if q.name not in states]
    if missing:
        problems.append(
            f"the state lacks {', '.join(missing)}; system.state() completes a partial one"
        )
    arrays = []
    for kind, quantities, given in (
        ("state", system.states, states),
        ("input", system.inputs, inputs),
        ("parameter", system.parameters, parameters),
    ):
        arrays.append(_filled(quantities, _values(kind, quantities, given, system, problems)))
    if problems:
        raise SettingsError(*problems)
    x, u, p = arrays
    return x, u, p


def _warn_of_corners(
    signals: Mapping[str, float | Expr | Table], system: System, times: Mapping[str, Any]
) -> None:
    end = float(times["start"]) + float(times["duration"])
    for name in corners(signals, system, float(times["start"]), end):
        warnings.warn(
            f"the table of {name!r} jumps in speed at its points, and the forces that this takes "
            "are not computed; use Table.spline(times, values) or Table.smooth of "
            "axletree.expr, which have no corners",
            stacklevel=4,
        )


def _wrong_times(times: Mapping[str, Any], tolerances: Tolerances) -> list[str]:
    problems = []
    if not _is_finite(times["start"]):
        problems.append(f"start is {times['start']!r}; expected a time in seconds")
    positive = {name: value for name, value in times.items() if name != "start"}
    positive |= {
        "relative_tolerance": tolerances.relative,
        "absolute_tolerance": tolerances.absolute,
    }
    for name, value in positive.items():
        left_out = value is None and name != "duration"
        if not left_out and not (_is_finite(value) and value > 0.0):
            unit = "" if "tolerance" in name else " of seconds"
            problems.append(f"{name} is {value!r}; expected a positive number{unit}")
    return problems


def _is_finite(value: Any) -> bool:
    """Whether this is one finite number, and not a text, a list or nothing."""
    try:
        return np.ndim(value) == 0 and math.isfinite(value)
    except TypeError:
        return False


def _in_si(name: str, value: Any, unit: str, problems: list[str]) -> Any:
    """A text, which may carry a unit, as a number in SI units; all else as it is."""
    if not isinstance(value, str):
        return value
    try:
        return to_si(value, expected=unit)
    except UnitError as error:
        problems.append(f"{name}: {error}")
        return 1.0  # stands in for it until all problems are found


def _values(
    kind: str,
    quantities: Sequence[Quantity],
    given: Mapping[str, Any],
    system: System,
    problems: list[str],
) -> dict[str, float]:
    """The given values in SI units; complaints go to ``problems``."""
    known = {quantity.name: quantity for quantity in quantities}
    values = {}
    for name, text in given.items():
        if name not in known:
            unknown = str(unknown_name(kind, name, known, f"system {system.name!r}"))
            problems.append(unknown + (_WHY_UNKNOWN.get(kind, "") if system.source else ""))
            continue
        value = _in_si(f"{kind} {name!r}", text, known[name].unit, problems)
        problem = _wrong_value(kind, known[name], value)
        if problem is None:
            values[name] = value
        else:
            problems.append(problem)
    if kind == "parameter" and system.source is not None:
        problems += system.source.problems_with(values)
    return values


def wrong_parameters(system: System, values: Mapping[str, float]) -> list[str]:
    """What is wrong with values of parameters, one by one and for the components they belong to."""
    problems: list[str] = []
    _values("parameter", system.parameters, values, system, problems)
    return problems


def _filled(quantities: Sequence[Quantity], given: Mapping[str, float]) -> FloatArray:
    """Defaults with the given values in their places."""
    return np.array([given.get(q.name, q.default) for q in quantities], dtype=float)


def _wrong_value(kind: str, quantity: Quantity, value: Any) -> str | None:
    given = f"{kind} {quantity.name!r} is {value!r}"
    if not _is_finite(value):
        return f"{given}; expected one finite number in {quantity.unit}"
    if kind == "input":  # levels of a steady motion that was found may lie beyond
        return None
    if quantity.above and float(value) <= quantity.lower:
        return f"{given} {quantity.unit}; expected a value greater than {quantity.lower:g}"
    if not quantity.lower <= float(value) <= quantity.upper:
        return (
            f"{given} {quantity.unit}; expected a value between "
            f"{quantity.lower:g} and {quantity.upper:g}"
        )
    return None


def _signals(
    inputs: Mapping[str, InputSignal], system: System, problems: list[str]
) -> dict[str, float | Expr | Table]:
    units = {quantity.name: quantity.unit for quantity in system.inputs}
    allowed = [system.time.symbol, *(quantity.symbol for quantity in system.parameters)]
    signals: dict[str, float | Expr | Table] = {}
    for name, value in inputs.items():
        if name not in units:
            problems.append(str(unknown_name("input", name, units, f"system {system.name!r}")))
            continue
        try:
            signals[name] = as_signal(value, allowed, units[name])
        except (AxletreeError, TypeError, ValueError) as error:
            problems.append(f"input {name!r} cannot be used: {error}")
    return signals
