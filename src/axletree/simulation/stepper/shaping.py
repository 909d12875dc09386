"""How an input goes over into a value that is set, so that rates of inputs are known.

A person, a controller or another program gives values at instants. The angle of a steering wheel
that is prescribed needs its rate and its acceleration, too: an input goes over into its new value
along a course, and inputs that are its rates follow from that. With s = (t - begin) / time

    u = end + P(s) exp(-d s)          P a polynomial of degree 5, d = 0 or 1

and without decay, d = 0, u is its end from s = 1 on. ``stepper.c`` has the same.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final

from axletree.core.errors import SimulationError
from axletree.core.units import UnitError, to_si
from axletree.expr import OperationCount
from axletree.expr.quantity import Quantity

# Value, rate and acceleration of a course at an instant, as ``InputTransition.at`` computes them.
COURSE_OPERATIONS: Final = OperationCount(17, 32, 0, 1)


@dataclass(frozen=True)
class InputTransition:
    """An input on its way to a value."""

    end: float
    begin: float = 0.0  # [s]
    pace: float = 0.0  # one over its time [1/s]; 0 where it has none
    decay: float = 0.0
    polynomial: tuple[float, ...] = (0.0,) * 6  # from power 0 up

    def at(self, t: float) -> tuple[float, float, float]:
        """Value, rate and acceleration at a time [s]."""
        k, d = self.polynomial, self.decay
        s = (t - self.begin) * self.pace
        factor = math.exp(-d * s) if d > 0.0 else float(s < 1.0)
        p = ((((k[5] * s + k[4]) * s + k[3]) * s + k[2]) * s + k[1]) * s + k[0]
        dp = (((5.0 * k[5] * s + 4.0 * k[4]) * s + 3.0 * k[3]) * s + 2.0 * k[2]) * s + k[1]
        ddp = ((20.0 * k[5] * s + 12.0 * k[4]) * s + 6.0 * k[3]) * s + 2.0 * k[2]
        return (
            self.end + p * factor,
            (dp - d * p) * factor * self.pace,
            (ddp - d * (2.0 * dp - d * p)) * factor * (self.pace * self.pace),
        )


@dataclass(frozen=True)
class InputShape(ABC):
    """A way in which an input goes over into a value."""

    name: ClassVar[str]
    code: ClassVar[int]  # of stepper.h
    time: float | str = field(default=0.0)  # [s]

    def __post_init__(self) -> None:
        try:
            seconds = to_si(self.time, expected="s")
        except UnitError as error:
            raise SimulationError(f"the time of a {self.name} input: {error}") from None
        if not (math.isfinite(seconds) and (seconds > 0.0 or self.code == HoldInput.code)):
            raise SimulationError(
                f"the time of a {self.name} input is {self.time!r}; expected a positive one in s"
            )
        object.__setattr__(self, "time", seconds)

    @property
    def seconds(self) -> float:
        """The time [s]."""
        return float(self.time)

    def towards(self, value: float, course: InputTransition, t: float) -> InputTransition:
        """From where a course is at t [s], and as fast as it moves there, to a value.

        Example:
        >>> import axletree as at
        >>> from axletree.simulation.stepper.shaping import InputTransition
        >>> course = at.LinearInput("10 ms").towards(0.2, InputTransition(0.0), 0.0)
        >>> [round(value, 3) for value in course.at(0.005)]  # half way: value, rate, acceleration
        [0.1, 20.0, 0.0]
        """
        position, rate, acceleration = course.at(t)
        T = self.seconds
        return self._course(value, t, position - value, rate * T, 0.5 * acceleration * T * T)

    @abstractmethod
    def _course(self, value: float, t: float, left: float, v: float, w: float) -> InputTransition:
        """From ``left`` beyond the value, with the first powers v and w of s."""


@dataclass(frozen=True)
class HoldInput(InputShape):
    """At once, and held until the next value; rates are 0.

    Example:
    >>> import axletree as at
    >>> at.HoldInput().seconds
    0.0
    """

    name: ClassVar[str] = "hold"
    code: ClassVar[int] = 0

    def _course(self, value: float, t: float, left: float, v: float, w: float) -> InputTransition:
        return InputTransition(value)


@dataclass(frozen=True)
class LinearInput(InputShape):
    """Along a straight line within a time [s]; the rate jumps, and the acceleration is 0.

    Example:
    >>> import axletree as at
    >>> at.LinearInput("10 ms").seconds
    0.01
    """

    name: ClassVar[str] = "linear"
    code: ClassVar[int] = 1

    def _course(self, value: float, t: float, left: float, v: float, w: float) -> InputTransition:
        return InputTransition(value, t, 1.0 / self.seconds, 0.0, (left, -left, 0.0, 0.0, 0.0, 0.0))


@dataclass(frozen=True)
class FilteredInput(InputShape):
    """Through a filter of second order with two equal time constants [s]: 1 / (1 + T s)^2.

    The acceleration jumps where a value is set; a ramp is followed 2 T behind.

    Example:
    >>> import axletree as at
    >>> at.FilteredInput("5 ms").seconds
    0.005
    """

    name: ClassVar[str] = "filter"
    code: ClassVar[int] = 2

    def _course(self, value: float, t: float, left: float, v: float, w: float) -> InputTransition:
        return InputTransition(
            value, t, 1.0 / self.seconds, 1.0, (left, v + left, 0.0, 0.0, 0.0, 0.0)
        )


@dataclass(frozen=True)
class SmoothInput(InputShape):
    """Along a polynomial of degree five within a time [s], to rest (Flash and Hogan 1985).

    Neither the input nor its rate nor its acceleration jumps.

    Example:
    >>> import axletree as at
    >>> at.SmoothInput("0.2 s").seconds
    0.2
    """

    name: ClassVar[str] = "smooth"
    code: ClassVar[int] = 3

    def _course(self, value: float, t: float, left: float, v: float, w: float) -> InputTransition:
        total = left + v + w
        rest = (
            -10.0 * total + 4.0 * v + 7.0 * w,
            15.0 * total - 7.0 * v - 12.0 * w,
            -6.0 * total + 3.0 * v + 5.0 * w,
        )
        return InputTransition(value, t, 1.0 / self.seconds, 0.0, (left, v, w, *rest))


# What inputs have unless a caller says otherwise. Those whose rates are inputs, too, such as the
# angle of a steering wheel, are filtered: 10 ms behind, and nothing in a car answers at 30 Hz.
UNSHAPED: Final = HoldInput()
SHAPED: Final = FilteredInput(5e-3)


@dataclass(frozen=True)
class ShapedInput:
    """An input that can be set: its place, those of its rates, and its shape."""

    places: tuple[int, int, int]  # of the input, its rate and its acceleration; or -1
    shape: InputShape


def shaped_inputs(
    inputs: Sequence[Quantity], chosen: dict[str, InputShape]
) -> tuple[ShapedInput, ...]:
    """Every input that is no rate of another one."""
    rates = {q.derivative_of: (k, q.name) for k, q in enumerate(inputs) if q.derivative_of}
    found = []
    for k, quantity in enumerate(inputs):
        if quantity.derivative_of:
            continue
        rate, name = rates.get(quantity.name, (-1, ""))
        acceleration = rates.get(name, (-1, ""))[0] if name else -1
        own = SHAPED if rate >= 0 else UNSHAPED
        shape = checked_shape(quantity.name, chosen.get(quantity.name, own))
        found.append(ShapedInput((k, rate, acceleration), shape))
    return tuple(found)


def checked_shape(name: str, shape: object) -> InputShape:
    """The shape of an input, if it is one."""
    if not isinstance(shape, InputShape):
        raise SimulationError(
            f"the shape of {name!r} is {shape!r}; expected one such as FilteredInput('5 ms')"
        )
    return shape
