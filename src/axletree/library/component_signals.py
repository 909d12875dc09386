"""What a component makes of its signals: expressions, inputs, outputs."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from axletree.core.expr import (
    Beyond,
    Expr,
    directional_derivative,
    interpolate,
    symbol,
    symbols_of,
)
from axletree.core.expr.expression import ZERO
from axletree.core.quantity import Quantity, Role
from axletree.library.curve import Interpolation, table_through
from axletree.library.fields import kind_of
from axletree.library.signal import (
    MOTION,
    SIGNAL,
    TIME,
    Constant,
    Input,
    Signal,
    TimeFunction,
    TimeTable,
)


@dataclass(frozen=True)
class Course:
    """A prescribed motion: value, rate and acceleration."""

    value: Expr
    rate: Expr
    acceleration: Expr


def signal_value(component: Any, name: str, beyond: Beyond = Beyond.VALUE_HELD) -> Expr:
    """The expression that stands for a signal field in the equations."""
    return _expression(getattr(component, name), f"{component.name}.{name}", beyond)


def motion_course(component: Any, name: str) -> Course:
    """A motion field and its two derivatives with respect to time."""
    given, full_name = getattr(component, name), f"{component.name}.{name}"
    value = signal_value(component, name, Beyond.SLOPE_CONTINUES)
    if isinstance(given, Input):
        return Course(value, symbol(f"{full_name}_rate"), symbol(f"{full_name}_acceleration"))
    followed = followed_inputs(component)
    rates = {symbol(name): symbol(f"{name}_rate") for name in followed}
    rates |= {symbol(f"{name}_rate"): symbol(f"{name}_acceleration") for name in followed}
    (rate,) = directional_derivative([value], {TIME: 1.0, **rates})
    return Course(value, rate, directional_derivative([rate], {TIME: 1.0, **rates})[0])


def signal_inputs(component: Any) -> tuple[Quantity, ...]:
    """The inputs of all fields of a component that are left open."""
    found = []
    for name, word, unit, text in _signal_fields(component):
        given, full_name = getattr(component, name), f"{component.name}.{name}"
        if not isinstance(given, Input):
            continue
        found.append(Quantity(full_name, unit, text, Role.INPUT, given.value))
        if word == MOTION:
            rate = Quantity(
                f"{full_name}_rate", f"{unit}/s", f"rate of the {name}", Role.INPUT,
                derivative_of=full_name,
            )  # fmt: skip
            acceleration = Quantity(
                f"{full_name}_acceleration", f"{unit}/s^2", f"second derivative of the {name}",
                Role.INPUT, derivative_of=rate.name,
            )  # fmt: skip
            found += [rate, acceleration]
    return tuple(found)


def followed_inputs(component: Any, *, of_motions: bool = False) -> list[str]:
    """Inputs of other components that signals depend on; of motions alone, if asked for."""
    found: dict[str, None] = {}
    for name, word, _, _ in _signal_fields(component):
        given = getattr(component, name)
        if isinstance(given, TimeFunction) and (word == MOTION or not of_motions):
            strangers = (one for one in symbols_of([given.expression]) if one != TIME)
            found |= dict.fromkeys(one.name for one in strangers)
    return list(found)


def time_functions(component: Any) -> Iterator[tuple[str, str, str, Expr]]:
    """(field, unit, description, value) of every signal given as a function of time."""
    for name, word, unit, text in _signal_fields(component):
        if isinstance(getattr(component, name), TimeFunction | TimeTable):
            beyond = Beyond.SLOPE_CONTINUES if word == MOTION else Beyond.VALUE_HELD
            yield name, unit, text, signal_value(component, name, beyond)


def _signal_fields(component: Any) -> Iterator[tuple[str, str, str, str]]:
    for item in dataclasses.fields(component):
        kind = kind_of(item)
        if kind is not None and kind.word in (SIGNAL, MOTION):
            yield item.name, kind.word, kind.unit, kind.description


def _expression(given: Signal, full_name: str, beyond: Beyond) -> Expr:
    if isinstance(given, Input):
        return symbol(full_name)
    if isinstance(given, Constant):
        return symbol(full_name) if given.value else ZERO
    if isinstance(given, TimeFunction):
        return given.expression
    kind = given.kind or Interpolation.SMOOTH
    return interpolate(table_through(given.times, given.values, kind, beyond), TIME)
