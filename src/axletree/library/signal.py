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
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from axletree.core.errors import AxletreeError, ModelError
from axletree.core.expr import (
    Beyond,
    Expr,
    symbol,
    symbols_of,
)
from axletree.core.expr.parse import parse_expression
from axletree.core.units import to_si
from axletree.library.curve import Interpolation, interpolation, numbers_in, table_through
from axletree.library.fields import structure

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
            "the symbol axletree.library.signal.TIME, and on inputs such as driver.brake"
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
