"""Coasting, acceleration by the pedal, and braking: by torque, by the pedal and in a turn."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from axletree.components.fields import optional_parameter, parameter
from axletree.components.signals import TIME
from axletree.expr import Beyond, Table, maximum, minimum
from axletree.model.manoeuvre import Aim, DrivenSignal, Manoeuvre, driven_inputs


@dataclass(frozen=True, kw_only=True)
class Coasting(Manoeuvre):
    """Nothing is done; with ``inputs``, whatever they do.

    With ``driven_by`` the vehicle goes on at its speed instead of losing it.

    Example:
    >>> import axletree as at
    >>> coasts = at.Coasting(speed="90 km/h", duration="30 s")
    >>> coasts.speed, coasts.span, coasts.signals  # m/s, s
    (25.0, 30.0, {})
    """

    summary: ClassVar[str] = "coasting, with further inputs if given"

    def own_signals(self) -> dict[str, DrivenSignal]:
        return {}


@dataclass(frozen=True, kw_only=True)
class PedalManoeuvre(Manoeuvre, ABC):
    """A pedal that goes down in a straight line, and stays."""

    pedals: tuple[str, ...] = driven_inputs("1", "inputs that follow the pedal")
    pedal: float = parameter("1", "final position", default=1.0, lower=0.0, upper=1.0)
    begin: float = parameter("s", "time at which it is applied", default=1.0, lower=0.0)
    rise: float = parameter("s", "rise time", default=0.2, lower=0.0, above=True)

    def own_signals(self) -> dict[str, DrivenSignal]:
        return dict.fromkeys(self.pedals, linear_ramp(self.begin, self.rise, 0.0, self.pedal))


@dataclass(frozen=True, kw_only=True)
class Acceleration(PedalManoeuvre):
    """Rolling free at the speed until the pedal goes down and stays.

    Example:
    >>> import axletree as at
    >>> go = at.Acceleration(speed=5.0, pedals=["driver.throttle"])
    >>> float(go.signals["driver.throttle"].evaluate(go.begin + go.rise))  # of the pedal's way
    1.0
    """

    summary: ClassVar[str] = "acceleration in a straight line"

    duration: float = parameter("s", "length of the run", default=30.0, lower=0.0, above=True)


@dataclass(frozen=True, kw_only=True)
class Braking(Manoeuvre):
    """The same torque on each of the inputs, in straight lines from 0 and back to 0.

    The defaults are the profile of Morency 2007, figure 5.8. Nothing switches the sign of the
    torque: held long enough, it turns the wheels backwards.

    Example:
    >>> import axletree as at
    >>> stop = at.Braking(speed=20.0, brakes=["drive.torque"], torque="-1 kN*m")
    >>> float(stop.signals["drive.torque"].evaluate(stop.begin + stop.rise))  # N m
    -1000.0
    """

    summary: ClassVar[str] = "a torque ramped up, held and released"

    brakes: tuple[str, ...] = driven_inputs("N*m", "inputs that follow the torque")
    torque: float = parameter("N*m", "torque; against the wheels if negative")
    begin: float = parameter("s", "start time", default=2.0, lower=0.0)
    rise: float = parameter("s", "time to the full torque", default=0.5, lower=0.0, above=True)
    hold: float = parameter("s", "duration of the full torque", default=2.0, lower=0.0, above=True)
    release: float = parameter("s", "time to release it", default=0.5, lower=0.0, above=True)

    def own_signals(self) -> dict[str, DrivenSignal]:
        full = self.begin + self.rise
        falling = full + self.hold
        times = [self.begin, full, falling, falling + self.release]
        course = Table.linear(times, [0.0, self.torque, self.torque, 0.0], Beyond.VALUE_HELD)
        return dict.fromkeys(self.brakes, course)


@dataclass(frozen=True, kw_only=True)
class PedalBraking(PedalManoeuvre):
    """Straight on at the speed until the pedal goes down and stays; the drive fades meanwhile.

    Example:
    >>> import axletree as at
    >>> stop = at.PedalBraking(speed="100 km/h", pedals=["driver.brake"], pedal=0.6)
    >>> float(stop.signals["driver.brake"].evaluate(stop.begin + stop.rise))  # of the pedal's way
    0.6
    """

    summary: ClassVar[str] = "braking in a straight line"

    def drive_share(self) -> Table | None:
        return linear_ramp(self.begin, self.rise, 1.0, 0.0)


@dataclass(frozen=True, kw_only=True)
class BrakingInTurn(Manoeuvre):
    """Into a turn with a drive that stays, and when it is steady the pedal down.

    The steering wheel stays where it is; the drive fades while the pedal goes down, as in ISO 7975.

    Example:
    >>> import axletree as at
    >>> inputs = {"steering": ["driver.steering"], "pedals": ["driver.brake"]}
    >>> turn = at.BrakingInTurn(speed=20.0, angle=0.5, pedal=0.4, **inputs)  # m/s, rad, 1
    >>> pressed = turn.signals["driver.brake"]
    >>> [round(float(pressed.evaluate(time)), 3) for time in (turn.begin, turn.begin + turn.rise)]
    [0.0, 0.4]
    """

    summary: ClassVar[str] = "braking in a turn"

    steering: tuple[str, ...] = driven_inputs("rad", "inputs that steer")
    angle: float = parameter("rad", "steering angle of the turn, to the left if positive")
    turn: float = parameter("s", "time in which it is steered", default=1.0, lower=0.0, above=True)
    pedals: tuple[str, ...] = driven_inputs("1", "inputs that follow the pedal")
    pedal: float = parameter("1", "final position", default=1.0, lower=0.0, upper=1.0)
    begin: float = parameter("s", "time at which it is applied", default=5.0, lower=0.0)
    rise: float = parameter("s", "rise time", default=0.2, lower=0.0, above=True)

    level: float | None = optional_parameter(
        "m/s^2", "lateral acceleration before braking, that the angle is found for; then it is a "
        "first guess", lower=0.0, above=True,
    )  # fmt: skip

    @property
    def aim(self) -> Aim | None:
        return None if self.level is None else Aim(self.level, self.begin - 0.5, self.begin)

    def problems(self) -> list[str]:
        if self.begin < self.turn:
            return [f"it brakes at {self.begin:g} s, before it has turned at {self.turn:g} s"]
        return super().problems()

    def own_signals(self) -> dict[str, DrivenSignal]:
        s = minimum(maximum(TIME * (1.0 / self.turn), 0.0), 1.0)
        course = self.angle * s * s * s * (10.0 + s * (6.0 * s - 15.0))
        steering: dict[str, DrivenSignal] = dict.fromkeys(self.steering, course)
        pedal = linear_ramp(self.begin, self.rise, 0.0, self.pedal)
        return steering | dict.fromkeys(self.pedals, pedal)

    def drive_share(self) -> Table | None:
        return linear_ramp(self.begin, self.rise, 1.0, 0.0)


@dataclass(frozen=True, kw_only=True)
class BrakedManoeuvre(Manoeuvre, ABC):
    """Brakes of friction, whose torque is a bound: they hold and never drive.

    Their inputs are torques, or pedals that they follow.
    """

    brakes: tuple[str, ...] = driven_inputs("N*m", "inputs that are torques", default=())
    torque: float = parameter("N*m", "torque of each brake when it is on", default=0.0, lower=0.0)
    pedals: tuple[str, ...] = driven_inputs("1", "inputs that are pedals", default=())
    pedal: float = parameter(
        "1", "position of each pedal when it is down", default=1.0, lower=0.0, upper=1.0
    )

    def pressed(self, course: Callable[[float], Table]) -> dict[str, DrivenSignal]:
        """All inputs of brakes, whose course is that of a torque [N m] or position [1] when on.

        Example:
        >>> import axletree as at
        >>> from axletree.runs.acceleration_and_braking import linear_ramp
        >>> stop = at.SlopeStop(speed=5.0, forward="vx", brakes=["disc.torque"], torque="2 kN*m")
        >>> course = stop.pressed(lambda level: linear_ramp(1.0, 0.5, 0.0, level))["disc.torque"]
        >>> [float(course.evaluate(time)) for time in (1.0, 1.25, 2.0)]  # N m
        [0.0, 1000.0, 2000.0]
        """
        torques: dict[str, DrivenSignal] = dict.fromkeys(self.brakes, course(self.torque))
        return torques | dict.fromkeys(self.pedals, course(self.pedal))

    def problems(self) -> list[str]:
        found = super().problems()
        if not self.brakes and not self.pedals:
            found.append(
                "nothing brakes; give brakes, inputs that are torques, or pedals, as driver.brake"
            )
        return found


def linear_ramp(begin: float, rise: float, first: float, last: float) -> Table:
    """``first`` up to the time ``begin`` [s], ``last`` from ``rise`` [s] later on."""
    return Table.linear([begin, begin + rise], [first, last], Beyond.VALUE_HELD)
