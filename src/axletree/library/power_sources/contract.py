"""The contract of power sources: torque of a shaft over its speed and a throttle."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from axletree.core.expr import Expr, maximum, minimum
from axletree.library.part import Part


class PowerSource(Part, ABC):
    """Engine or motor without inertia: its torque is a function of speed and throttle.

    A throttle above 1 is as one of 1. One below 0 continues the line to 0 and brakes: a search for
    a steady motion that passes there finds its way back.

    Example:
    >>> from dataclasses import dataclass
    >>> from axletree.library.fields import parameter
    >>> from axletree.library.power_sources.contract import PowerSource, opened
    >>> @dataclass(frozen=True)
    ... class Series(PowerSource):
    ...     stall_torque: float = parameter("N*m", "torque at rest", lower=0.0)
    ...     half_speed: float = parameter("rad/s", "speed at half of it", lower=0.0, above=True)
    ...
    ...     def torque(self, throttle, speed, p):
    ...         return opened(throttle) * p["stall_torque"] / (1.0 + speed / p["half_speed"])
    >>> motor = Series("400 N*m", half_speed="50 rad/s")
    >>> float(motor.torque(1.0, 150.0, motor.numbers))  # N m
    100.0
    """

    @abstractmethod
    def torque(self, throttle: Expr, speed: Expr, p: Any) -> Expr:
        """[N m], driving if positive, from a throttle of 0 to 1 and the shaft's speed [rad/s];
        ``p`` has the parameters by name.

        Example:
        >>> from axletree.library.power_sources.constant_torque import ConstantTorque
        >>> motor = ConstantTorque("200 N*m")
        >>> [float(motor.torque(throttle, 80.0, motor.numbers)) for throttle in (0.25, 1.0, 1.2)]
        [50.0, 200.0, 200.0]
        """


def opened(throttle: Expr) -> Expr:
    """The throttle, at most 1."""
    most: Expr = minimum(throttle, 1.0)
    return most


def within_one(share: Expr) -> Expr:
    """A share, kept between 0 and 1."""
    kept: Expr = maximum(minimum(share, 1.0), 0.0)
    return kept
