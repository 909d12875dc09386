"""Inputs over time: constants, tables and expressions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final, SupportsFloat

import numpy as np

from axletree.core.errors import AxletreeError, ExpressionError
from axletree.core.units import UnitError, to_si
from axletree.expr import (
    Beyond,
    Expr,
    Table,
    directional_derivative,
    evaluate,
    interpolate,
    parse_expression,
    substitute,
    symbols_of,
)
from axletree.expr.quantity import Quantities, Quantity, Role
from axletree.system.edit import map_expressions
from axletree.system.system import Definition, System

_ROUNDING: Final = 1e-9  # relative: what a value may lie beyond its bounds by
_SAME_SPEED: Final = 1e-6  # of the greatest: what rounding may make of two equal speeds

InputSignal = Any  # a number or text, an expression of time, a Table, or a pair (times, values)


@dataclass(frozen=True)
class InputTable:
    """An input that follows a table over time."""

    index: int  # in the inputs of the system
    table: Table


def as_signal(value: InputSignal, allowed: Sequence[Expr], unit: str) -> float | Expr | Table:
    """What a user gave for an input, checked; a pair of arrays is joined by straight lines.

    Before its first and after its last point such a table keeps its end values. A text is a
    value that may carry a unit, or an expression of ``t`` [s] with a value in SI units.
    """
    if isinstance(value, str):
        value = _from_text(value, allowed[0], unit)
    if isinstance(value, Expr):
        strays = [e.name for e in symbols_of([value]) if e not in allowed]
        if strays:
            raise ExpressionError(
                f"it depends on {', '.join(strays)}; an input may depend on "
                f"{allowed[0].name!r} and on parameters only"
            )
        return float(value) if value.is_number else value
    if isinstance(value, Table):
        return value
    if isinstance(value, tuple | list) and len(value) == 2 and np.ndim(value[0]) > 0:
        return Table.linear(value[0], value[1], Beyond.VALUE_HELD)
    if np.ndim(value) != 0 or not isinstance(value, SupportsFloat):
        kind = f"shape {np.shape(value)}" if np.ndim(value) else f"type {type(value).__name__}"
        raise ExpressionError(
            f"it has {kind}; expected a number, a text such as '0.1*sin(2*t)', an expression of "
            f"{allowed[0].name!r}, a pair (times, values) of equal length, or a Table"
        )
    return float(value)


def _from_text(text: str, time: Expr, unit: str) -> float | Expr:
    try:
        return to_si(text, expected=unit)
    except UnitError as error:
        no_value = error
    try:
        return parse_expression(text, {"t": time, "time": time})
    except AxletreeError as error:
        raise ExpressionError(f"as a value, {no_value}; as an expression of t, {error}") from None


InputCourse = float | Expr | Table

_LOOKS: Final = 101  # at a course, for whether it keeps to bounds: at equal distances in time


def excess_inputs(given: Mapping[str, InputSignal], system: System, duration: float) -> list[str]:
    """What of inputs that somebody asks for leaves their bounds within the duration [s].

    Levels of a steady motion that was found may lie beyond, and are not for here. What cannot be
    read is left to who uses it.

    Example:
    >>> import axletree as at
    >>> from axletree.simulation.signals import excess_inputs
    >>> car = at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}}).formulate()
    >>> excess_inputs({"driver.brake": "0.3 + t", "driver.throttle": 0.5}, car, 2.0)
    ["input 'driver.brake' comes to 2.3; expected values between 0 and 1"]
    """
    known = {quantity.name: quantity for quantity in system.inputs}
    found = []
    for name, value in given.items():
        quantity = known.get(name)
        if quantity is None or not (np.isfinite(quantity.lower) or np.isfinite(quantity.upper)):
            continue
        course = np.array(_looked_at(value, quantity, system, duration))
        beyond = np.maximum(quantity.lower - course, course - quantity.upper)
        if not len(course) or beyond.max() <= _ROUNDING * (1.0 + abs(course).max()):
            continue
        unit = "" if quantity.unit == "1" else f" {quantity.unit}"
        found.append(
            f"input {name!r} comes to {course[beyond.argmax()]:.6g}{unit}; expected values between "
            f"{quantity.lower:g} and {quantity.upper:g}{unit}"
        )
    return found


def _looked_at(
    value: InputSignal, quantity: Quantity, system: System, duration: float
) -> Sequence[float]:
    """Values of a course; of a table at its points, too."""
    allowed = [system.time.symbol, *(one.symbol for one in system.parameters)]
    try:
        course = as_signal(value, allowed, quantity.unit)
    except (AxletreeError, TypeError, ValueError):
        return ()
    times = np.linspace(0.0, duration, _LOOKS)
    if isinstance(course, Table):
        inner = [one for one in course.breakpoints if 0.0 <= one <= duration]
        return [float(course.evaluate(t)) for t in (*times, *inner)]
    if isinstance(course, Expr):
        numbers = {one.symbol: one.default for one in system.parameters}
        return [float(evaluate([course], numbers | {allowed[0]: float(t)})[0]) for t in times]
    return (course,)


def with_rates(signals: Mapping[str, InputCourse], system: System) -> dict[str, InputCourse]:
    """The signals, and the derivatives of those whose rates are inputs of their own.

    A rate that is given stays as it is given.
    """
    found = dict(signals)
    for quantity in system.inputs:  # a rate comes after what it is the rate of
        if quantity.derivative_of in found and quantity.name not in found:
            found[quantity.name] = _rate(found[quantity.derivative_of], system)
    return found


def _rate(course: InputCourse, system: System) -> InputCourse:
    if isinstance(course, Table):
        return course.derivative()
    if isinstance(course, Expr):
        rate = directional_derivative([course], {system.time.symbol: 1.0})[0]
        return float(rate) if rate.is_number else rate
    return 0.0


def corners(
    signals: Mapping[str, InputCourse], system: System, start: float, end: float
) -> list[str]:
    """Prescribed motions whose tables jump in speed between start and end [s].

    Such a jump takes an impulse, which is in no acceleration and so in no force; those whose
    acceleration nothing depends on are left out.
    """
    sources = {quantity.name: quantity.derivative_of for quantity in system.inputs}
    jumping = {}
    for acceleration in system.inputs:
        rate = acceleration.derivative_of
        course = signals.get(rate) if rate and sources.get(rate) else None
        if isinstance(course, Table) and _jumps(course, start, end):
            jumping[acceleration.symbol] = str(sources[rate])
    if not jumping:
        return []
    used = symbols_of([*system.derivatives, *(output.expression for output in system.outputs)])
    return [jumping[symbol] for symbol in used if symbol in jumping]


def _jumps(rate: Table, start: float, end: float) -> bool:
    points = np.array([x for x in rate.breakpoints if start < x < end])
    if not len(points):
        return False
    before, after = rate.evaluate(np.nextafter(points, -np.inf)), rate.evaluate(points)
    greatest = np.abs([before, after]).max()
    return bool(np.abs(after - before).max() > _SAME_SPEED * greatest)


def values_at(
    system: System,
    signals: Mapping[str, InputCourse],
    parameters: np.ndarray,
    inputs: np.ndarray,
    time: float,
) -> dict[Expr, float]:
    """Numbers for time, parameters and inputs at one instant."""
    values = {system.time.symbol: time}
    values |= {q.symbol: float(v) for q, v in zip(system.parameters, parameters, strict=True)}
    for quantity, level in zip(system.inputs, inputs, strict=True):
        course = signals.get(quantity.name, float(level))
        if isinstance(course, Table):
            course = interpolate(course, system.time.symbol)
        value = evaluate([course], values)[0] if isinstance(course, Expr) else course
        values[quantity.symbol] = float(value)
    return values


def with_expressions(system: System, expressions: dict[Expr, Expr]) -> tuple[System, list[float]]:
    """The system with expressions in the place of inputs, which keep their place in u.

    What an expression is multiplied by is a parameter of the new system, after its others, and the
    second result. So expressions that differ by this alone give the same system again, whose code
    is there already.
    """
    if not expressions:
        return system, []
    pairs = tuple((place, Expr(1.0, found.node)) for place, found in expressions.items())
    return _with_expressions(system, pairs), [e.coefficient for e in expressions.values()]


@lru_cache(maxsize=8)
def _with_expressions(system: System, pairs: tuple[tuple[Expr, Expr], ...]) -> System:
    expressions = dict(pairs)
    inputs = {quantity.symbol: quantity for quantity in system.inputs}
    sizes = {place: _size_of(inputs[place]) for place in expressions}
    courses = {place: sizes[place].symbol * found for place, found in expressions.items()}
    changed = map_expressions(system, lambda found: substitute(found, courses))
    # An input that is recorded is found by name among the intermediates.
    recorded = [
        Definition(quantity, courses[quantity.symbol])
        for quantity in system.inputs
        if quantity.symbol in courses
    ]
    return replace(
        changed,
        intermediates=(*changed.intermediates, *recorded),
        parameters=Quantities([*changed.parameters, *sizes.values()]),
    )


def _size_of(quantity: Quantity) -> Quantity:
    words = f"what the course of {quantity.name} is multiplied by"
    return Quantity(f"{quantity.name}.size", "1", words, Role.PARAMETER, default=1.0)
