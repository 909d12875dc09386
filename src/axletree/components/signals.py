"""Signals: what a driver or a source follows over time.

A signal field takes

1. ``Input()``, the default: an input of the model called ``component.field``;
2. a number or a quantity such as ``"5 N*m"``: a parameter of that name;
3. an expression of time: an ``Expr`` of ``TIME``, or a text such as ``"2*sin(3*t)"``; it may
   also depend on inputs of other components, as in ``"0.35*driver.brake"``;
4. a ``TimeTable``, or ``{times:, values:, kind:}``.

A motion field prescribes a motion and needs two derivatives as well. They are exact for
expressions and tables; an input brings two more, ``component.field_rate`` and
``component.field_acceleration``.

Below stands what a component makes of its signals: expressions, inputs, outputs.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from axletree.components.curves import Interpolation, interpolation, numbers_in, table_through
from axletree.components.fields import kind_of, structure
from axletree.core.errors import AxletreeError, ModelError
from axletree.core.units import to_si
from axletree.expr import Beyond, Expr, directional_derivative, interpolate, symbol, symbols_of
from axletree.expr.expression import ZERO
from axletree.expr.quantity import Quantity, Role
from axletree.expr.text import parse_expression

TIME = symbol("time")  # [s]
SIGNAL, MOTION = "signal", "motion"  # words of the two kinds of field

_QUANTITY = re.compile(r"\s*[+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?+\s*(?:(?:[^\W\d_]|[°%]).*)?")

_OTHERS = re.compile(r"[A-Za-z_]\w*\.[A-Za-z_]\w*", re.ASCII)  # component.field


@dataclass(frozen=True)
class Input:
    """Left open: given when the model runs; ``value``, SI, where nothing is given.

    Example:
    >>> import axletree as at
    >>> pendulum = at.read_model("pendulum")
    >>> motor = pendulum.add(at.JointTorque("motor", pendulum["pin"], torque=at.Input("2 N*m")))
    >>> [f"{q.name} = {q.default} {q.unit}" for q in pendulum.formulate().inputs]
    ['motor.torque = 2.0 N*m']
    """

    value: float = 0.0


OPEN = Input()


@dataclass(frozen=True)
class Constant:
    """A number, which stays a parameter of the model."""

    value: float


@dataclass(frozen=True)
class TimeFunction:
    """An expression of ``TIME``."""

    expression: Expr


@dataclass(frozen=True)
class TimeTable:
    """Values, in the SI unit of the field they are for, at times [s], which rise.

    Without a kind it is smooth (continuous slope), and for a motion a spline (continuous
    acceleration). Beyond its ends a table of forces holds its value, one of motions its rate.

    Example:
    >>> import axletree as at
    >>> pendulum = at.read_model("pendulum", {"gravity": [0, 0, 0]})
    >>> table = at.TimeTable((0.0, 1.0), (0.0, 0.2), "linear")  # s, N m
    >>> motor = pendulum.add(at.JointTorque("motor", pendulum["pin"], torque=table))
    >>> rates = pendulum.formulate().rhs({"pin.angle": 0, "pin.rate": 0}, time=0.5)
    >>> print(f"{rates['pin.rate']:.4f} rad/s^2")  # 0.1 / 0.333
    0.3003 rad/s^2
    """

    times: tuple[float, ...]
    values: tuple[float, ...]
    kind: Interpolation | None = None


Signal = Input | Constant | TimeFunction | TimeTable


def signal(unit: str, description: str, *, default: Any = OPEN) -> Any:
    """A field that follows a signal."""

    def check(value: Any) -> Signal:
        return _checked(value, unit, Interpolation.SMOOTH)

    return structure(SIGNAL, description, check, default, unit)


def motion(unit: str, description: str, *, default: Any = OPEN) -> Any:
    """A field that prescribes a motion, with its rate and acceleration."""

    def check(value: Any) -> Signal:
        checked = _checked(value, unit, Interpolation.SPLINE)
        if isinstance(checked, TimeTable) and checked.kind is not Interpolation.SPLINE:
            raise ModelError(
                "a linear or smooth table jumps in its acceleration and cannot prescribe a "
                "motion; use kind: spline"
            )
        return checked

    return structure(MOTION, description, check, default, unit)


def names_in(text: str) -> list[str]:
    """Inputs of components that the text of an expression names."""
    return _OTHERS.findall(text)


# -- checks -----------------------------------------------------------------------------


def _checked(value: Any, unit: str, default_kind: Interpolation) -> Signal:
    if isinstance(value, TimeTable | Mapping):
        return _checked_table(value, unit, default_kind)
    if isinstance(value, str) and value.strip() == "input":
        return Input()
    if isinstance(value, TimeFunction):
        value = value.expression
    if isinstance(value, str) and not _QUANTITY.fullmatch(value):
        value = _parsed(value)
    if isinstance(value, Expr) and not value.is_number:
        return _checked_function(value)
    if isinstance(value, Input):
        return Input(_quantity(value.value, unit))
    plain = value.value if isinstance(value, Constant) else value
    return Constant(_quantity(float(plain) if isinstance(plain, Expr) else plain, unit))


def _quantity(value: Any, unit: str) -> float:
    try:
        return to_si(value, expected=unit)
    except AxletreeError as error:
        raise ModelError(
            f"{error}; a signal is an input, a number, an expression of t or a table"
        ) from None


def _parsed(text: str) -> Expr:
    others = {name: symbol(name) for name in names_in(text)}
    try:
        return parse_expression(text, {"t": TIME, "time": TIME, **others})
    except AxletreeError as error:
        raise ModelError(str(error)) from None


def _checked_function(expression: Expr) -> TimeFunction:
    strangers = [found.name for found in symbols_of([expression]) if found != TIME]
    wrong = [name for name in strangers if not _OTHERS.fullmatch(name)]
    if wrong:
        raise ModelError(
            f"the expression depends on {', '.join(wrong)}; a signal may depend on time, in Python "
            "the symbol axletree.components.signals.TIME, and on inputs such as driver.brake"
        )
    return TimeFunction(expression)


def _checked_table(value: Any, unit: str, default_kind: Interpolation) -> TimeTable:
    if isinstance(value, Mapping):
        unknown = sorted(set(map(str, value)) - {"times", "values", "kind"})
        missing = [key for key in ("times", "values") if key not in value]
        if unknown or missing:
            found = f"unknown key {unknown[0]!r}" if unknown else f"missing key {missing[0]!r}"
            raise ModelError(f"{found}; a table over time has times, values and, if wanted, kind")
        value = TimeTable(value["times"], value["values"], value.get("kind"))
    kind = default_kind if value.kind is None else interpolation(value.kind)
    times, values = numbers_in(value.times, "s", "times"), numbers_in(value.values, unit, "values")
    table_through(times, values, kind, Beyond.VALUE_HELD)  # points that make no table are refused
    return TimeTable(times, values, kind)


@dataclass(frozen=True)
class MotionCourse:
    """A prescribed motion: value, rate and acceleration."""

    value: Expr
    rate: Expr
    acceleration: Expr


def signal_value(component: Any, name: str, beyond: Beyond = Beyond.VALUE_HELD) -> Expr:
    """The expression that stands for a signal field in the equations."""
    return _expression(getattr(component, name), f"{component.name}.{name}", beyond)


def motion_course(component: Any, name: str) -> MotionCourse:
    """A motion field and its two derivatives with respect to time."""
    given, full_name = getattr(component, name), f"{component.name}.{name}"
    value = signal_value(component, name, Beyond.SLOPE_CONTINUES)
    if isinstance(given, Input):
        return MotionCourse(value, symbol(f"{full_name}_rate"), symbol(f"{full_name}_acceleration"))
    followed = followed_inputs(component)
    rates = {symbol(name): symbol(f"{name}_rate") for name in followed}
    rates |= {symbol(f"{name}_rate"): symbol(f"{name}_acceleration") for name in followed}
    (rate,) = directional_derivative([value], {TIME: 1.0, **rates})
    return MotionCourse(value, rate, directional_derivative([rate], {TIME: 1.0, **rates})[0])


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
