"""Curves through points, and signals: what a driver or a source follows over time.

A curve is how tables of numbers are read, checked and integrated.

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

import enum
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass
from typing import Any

from axletree.components.fields import part_fields, structure
from axletree.core.errors import AxletreeError, ModelError, as_model_error
from axletree.core.units import to_si
from axletree.expr import (
    Beyond,
    Expr,
    Table,
    directional_derivative,
    interpolate,
    symbol,
    symbols_of,
)
from axletree.expr.expression import ZERO
from axletree.expr.quantity import Quantity, Role
from axletree.expr.text import parse_expression


class Interpolation(enum.Enum):
    """What runs between two points of a table."""

    LINEAR = "linear"  # straight lines, the slope jumps
    SMOOTH = "smooth"  # continuous slope, no overshoot
    SPLINE = "spline"  # continuous slope and curvature


_MAKERS = {
    Interpolation.LINEAR: Table.linear,
    Interpolation.SMOOTH: Table.smooth,
    Interpolation.SPLINE: Table.spline,
}


@dataclass(frozen=True)
class Curve:
    """A characteristic given by points (x, y) in the units of the field it is for; x rises.

    Example:
    >>> import axletree as at
    >>> pull = at.Curve((-0.1, 0.0, 0.1), (-200.0, 0.0, 400.0))  # m, N
    >>> float(pull.table.evaluate(0.1))
    400.0
    """

    x: tuple[float, ...]
    y: tuple[float, ...]
    kind: Interpolation = Interpolation.SMOOTH

    @property
    def table(self) -> Table:
        """The table through its points; beyond the ends the slope continues."""
        return table_through(self.x, self.y, self.kind, Beyond.SLOPE_CONTINUES)

    def turned(self) -> Curve:
        """-y over -x: the same characteristic seen from its other end.

        Example:
        >>> import axletree as at
        >>> at.Curve((-0.1, 0.0, 0.1), (-200.0, 0.0, 400.0)).turned().y
        (-400.0, -0.0, 200.0)
        """
        x, y = (tuple(-v for v in reversed(values)) for values in (self.x, self.y))
        return Curve(x, y, self.kind)

    def both_ways(self) -> Curve:
        """Of points from (0, 0) on, with -y over -x before them.

        Example:
        >>> import axletree as at
        >>> at.Curve((0.0, 2.0), (0.0, 5.0)).both_ways().y
        (-5.0, 0.0, 5.0)
        """
        before = self.turned()
        return Curve(before.x[:-1] + self.x, before.y[:-1] + self.y, self.kind)


def table_through(
    x: Sequence[float], y: Sequence[float], kind: Interpolation, beyond: Beyond
) -> Table:
    """The table; points that make none are a ModelError."""
    with as_model_error():
        return _MAKERS[kind](x, y, beyond)


def integral(table: Table) -> Table:
    """The antiderivative that is 0 at its lowest breakpoint."""
    rows: list[tuple[float, ...]] = []
    total = 0.0  # at the origin of the row
    for k, row in enumerate(table.coefficients):
        integrated = (total, *(c / (power + 1) for power, c in enumerate(row)))
        rows.append(integrated)
        if 0 < k < len(table.breakpoints):
            width = table.breakpoints[k] - table.breakpoints[k - 1]
            total += sum(c * width**power for power, c in enumerate(integrated) if power)
    lowest = min(row[0] for row in rows)
    return Table(table.breakpoints, tuple((row[0] - lowest, *row[1:]) for row in rows))


def numbers_in(values: Any, unit: str, what: str) -> tuple[float, ...]:
    """A list of numbers or quantities, in SI units."""
    if isinstance(values, str | Mapping) or not hasattr(values, "__len__"):
        raise ModelError(f"expected a list of {what} [{unit}], got {values!r}")
    with as_model_error(f"{what}: "):
        return tuple(to_si(value, expected=unit) for value in values)


def _check_keys(points: Mapping[str, Any], keys: tuple[str, str], what: str) -> None:
    """Both keys are wanted, the kind of interpolation may be there, and nothing else."""
    unknown = sorted(set(map(str, points)) - {*keys, "kind"})
    missing = [key for key in keys if key not in points]
    if unknown or missing:
        found = f"unknown key {unknown[0]!r}" if unknown else f"missing key {missing[0]!r}"
        raise ModelError(f"{found}; {what} has {keys[0]}, {keys[1]} and, if wanted, kind")


def interpolation(value: Any) -> Interpolation:
    """The member of the enumeration, or of its word."""
    for member in Interpolation:
        if value in (member, member.value):
            return member
    words = ", ".join(member.value for member in Interpolation)
    raise ModelError(f"kind {value!r} is not one of {words}")


def curve(x_unit: str, y_unit: str, description: str, *, default: Any = MISSING) -> Any:
    """A field for a characteristic: a ``Curve``, ``{x:, y:, kind:}`` or pairs ``[[x, y], ...]``."""

    def check(value: Any) -> Curve:
        x, y, kind = _parts(value)
        made = Curve(numbers_in(x, x_unit, "x"), numbers_in(y, y_unit, "y"), interpolation(kind))
        _ = made.table  # points that make no table are refused here
        return made

    return structure("curve", f"{description}; x in {x_unit}", check, default, y_unit)


def _parts(value: Any) -> tuple[Any, Any, Any]:
    if isinstance(value, Curve):
        return value.x, value.y, value.kind
    if isinstance(value, Mapping):
        _check_keys(value, ("x", "y"), "a curve")
        return value["x"], value["y"], value.get("kind", Interpolation.SMOOTH)
    pairs = None if isinstance(value, str) or not hasattr(value, "__len__") else list(value)
    if not pairs or any(isinstance(p, str) or not hasattr(p, "__len__") for p in pairs):
        raise ModelError(
            f"expected points as [[x, y], ...] or {{x: [...], y: [...]}}, got {value!r}"
        )
    for k, pair in enumerate(pairs, start=1):
        if len(pair) != 2:
            raise ModelError(f"point {k} has {len(pair)} numbers, expected x and y: {list(pair)!r}")
    return [p[0] for p in pairs], [p[1] for p in pairs], Interpolation.SMOOTH


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
    with as_model_error():
        return parse_expression(text, {"t": TIME, "time": TIME, **others})


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
        _check_keys(value, ("times", "values"), "a table over time")
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
            for suffix, per_time, text, of in (
                ("rate", "s", f"rate of the {name}", full_name),
                ("acceleration", "s^2", f"second derivative of the {name}", f"{full_name}_rate"),
            ):
                own = f"{full_name}_{suffix}", f"{unit}/{per_time}", text
                found.append(Quantity(*own, Role.INPUT, derivative_of=of))
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
    for name, kind in part_fields(component):
        if kind.word in (SIGNAL, MOTION):
            yield name, kind.word, kind.unit, kind.description


def _expression(given: Signal, full_name: str, beyond: Beyond) -> Expr:
    if isinstance(given, Input):
        return symbol(full_name)
    if isinstance(given, Constant):
        return symbol(full_name) if given.value else ZERO
    if isinstance(given, TimeFunction):
        return given.expression
    kind = given.kind or Interpolation.SMOOTH
    return interpolate(table_through(given.times, given.values, kind, beyond), TIME)
