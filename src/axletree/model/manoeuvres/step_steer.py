"""Steering in a step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import maximum, minimum
from axletree.library.fields import optional_parameter, parameter
from axletree.library.signal import TIME
from axletree.model.manoeuvres.contract import Aim, Manoeuvre, Signal, driven_inputs


@dataclass(frozen=True, kw_only=True)
class StepSteer(Manoeuvre):
    """Angles go from 0 to ``angle`` within ``rise`` and stay there.

    In between they follow s^3 (10 - 15 s + 6 s^2) with s from 0 to 1: rate and acceleration
    begin and end at 0, so that no force jumps.

    Example:
    >>> import axletree as at
    >>> from axletree.core.expr import evaluate
    >>> step = at.StepSteer(speed=20.0, steering=["steer"], angle="2 deg", begin=1.0, rise=0.2)
    >>> angles = (evaluate([step.signals["steer"]], {at.TIME: t})[0] for t in (0.5, 1.1, 2.0))
    >>> [round(float(angle), 4) for angle in angles]  # rad: before, half way, after
    [0.0, 0.0175, 0.0349]
    """

    summary: ClassVar[str] = "steering in a step, without a jump in acceleration"

    steering: tuple[str, ...] = driven_inputs("rad", "inputs that follow the step")
    angle: float = parameter("rad", "angle after the step, to the left if positive")
    begin: float = parameter("s", "time at which the step begins", default=1.0, lower=0.0)
    rise: float = parameter("s", "time that it takes", default=0.2, lower=0.0, above=True)
    level: float | None = optional_parameter(
        "m/s^2", "lateral acceleration of the last second, that the angle is found for; then it is "
        "a first guess", lower=0.0, above=True,
    )  # fmt: skip

    @property
    def aim(self) -> Aim | None:
        return None if self.level is None else Aim(self.level, self.duration - 1.0, self.duration)

    def own_signals(self) -> dict[str, Signal]:
        s = minimum(maximum((TIME - self.begin) * (1.0 / self.rise), 0.0), 1.0)
        course = self.angle * s * s * s * (10.0 + s * (6.0 * s - 15.0))
        return dict.fromkeys(self.steering, course)
