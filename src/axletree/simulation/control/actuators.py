"""Actuators: what becomes of a command on its way to an input.

At each step of the run the command of a delay ago, within the limits, is followed by a lag of the
first order, whose step over the length h is exact,

    y += (command - y) (1 - e^(-h / lag)),

by no more than the rate times h. In between the input holds its value.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from axletree.core.units import UnitError, to_si
from axletree.simulation.problem import SettingsError

_ALMOST: Final = 1e-9  # s, by which an instant may be off through rounding


@dataclass(frozen=True)
class Actuator:
    """What lies between a command and an input; in SI units of the input, or with unit.

    Parameters
    ----------
    lag: s of the first-order lag; 0: none.
    rate: by which the input changes in 1 s at most; None: at once.
    lower, upper: limits of the command, beyond which it stays at its end; None: without one.
    delay: s until a command reaches the actuator, less than the run lasts.

    Example:
    >>> import axletree as at
    >>> pump = at.Actuator(lag="50 ms", rate="20 kN*m/s", lower=0.0, upper="2500 N*m")
    >>> moving = pump.motion("front_left_modulator.torque", "N*m", start=0.0, step=0.01)
    >>> moving.command(0.0, 4000.0)
    >>> print(f"{moving.move(0.0):.1f} N m")  # 2500 N m: by 453 without the limit of the rate
    200.0 N m
    """

    lag: float | str = 0.0
    rate: float | str | None = None
    lower: float | str | None = None
    upper: float | str | None = None
    delay: float | str = 0.0

    def motion(self, name: str, unit: str, *, start: float, step: float) -> ActuatorMotion:
        """That of a run, for an input of this name and unit, at the steps [s] of the run.

        Example:
        >>> import axletree as at
        >>> moving = at.Actuator(lag="10 ms").motion("driver.brake", "1", start=0.0, step=0.01)
        >>> moving.command(0.0, 1.0)
        >>> print(f"{moving.move(0.0):.3f}")  # 1 - 1/e
        0.632
        """
        problems = list(self._problems(name, unit))
        if problems:
            raise SettingsError(*problems)
        own = self._in_si(unit)
        share = 1.0 - math.exp(-step / own["lag"]) if own["lag"] else 1.0
        limits = own.get("lower", -math.inf), own.get("upper", math.inf)
        return ActuatorMotion(start, share, own.get("rate", math.inf) * step, limits, own["delay"])

    def _in_si(self, unit: str) -> dict[str, float]:
        """What is given."""
        units = {"lag": "s", "delay": "s", "rate": f"{unit}/s", "lower": unit, "upper": unit}
        return {
            name: to_si(value, expected=expected)
            for name, expected in units.items()
            if (value := getattr(self, name)) is not None
        }

    def _problems(self, name: str, unit: str) -> Iterator[str]:
        where = f"the actuator of {name!r}"
        try:
            own = self._in_si(unit)
        except UnitError as error:
            yield f"{where}: {error}"
            return
        for field in ("lag", "delay"):
            if own[field] < 0.0:
                yield f"{where}: {field} is {own[field]:g} s; expected 0 or more"
        if own.get("rate", 1.0) <= 0.0:
            yield f"{where}: rate is {own['rate']:g}; expected more than 0"
        if own.get("lower", -math.inf) > own.get("upper", math.inf):
            yield f"{where}: lower is above upper"


class ActuatorMotion:
    """An actuator in a run."""

    def __init__(
        self, start: float, share: float, most: float, limits: tuple[float, float], delay: float
    ) -> None:
        """``share`` of what is missing, and what is the ``most``, that a step goes."""
        self._level, self._share, self._most = start, share, most
        self._limits, self._delay = limits, delay
        self._wanted = start
        self._commands: deque[tuple[float, float]] = deque()  # of which it knows nothing yet

    def command(self, t: float, value: float) -> None:
        """A command at t [s].

        Example:
        >>> import axletree as at
        >>> moving = at.Actuator(delay="20 ms").motion("x", "1", start=0.0, step=0.01)
        >>> moving.command(0.0, 1.0)
        >>> [moving.move(0.01 * k) for k in range(4)]
        [0.0, 0.0, 1.0, 1.0]
        """
        self._commands.append((t, min(max(value, self._limits[0]), self._limits[1])))

    def move(self, t: float) -> float:
        """The level from t [s] to the end of the step that begins there.

        Example:
        >>> import axletree as at
        >>> moving = at.Actuator(rate="2 1/s").motion("x", "1", start=0.0, step=0.1)
        >>> moving.command(0.0, 0.5)
        >>> [round(moving.move(0.1 * k), 3) for k in range(4)]
        [0.2, 0.4, 0.5, 0.5]
        """
        while self._commands and self._commands[0][0] <= t - self._delay + _ALMOST:
            self._wanted = self._commands.popleft()[1]
        missing = (self._wanted - self._level) * self._share
        self._level += min(max(missing, -self._most), self._most)
        return self._level
