"""The contract of controllers that are made for a vehicle.

Those of the first kind, ``ReferenceController``, are written as expressions:

1. A controller is a frozen dataclass: its numbers are fields, with unit and bounds, and parameters
   of its system.
2. ``measured`` and ``commanded`` are quantities by the names that vehicles have for them,
   ``memory`` is what it keeps, by names of its own.
3. ``law`` gives commands, and the memory of the next instant, as expressions of what is measured,
   of the memory and of the parameters. It is evaluated every ``interval``, and nothing else is.
4. ``controls`` are the groups of actuators that its vehicle needs, ``rules`` how its commands come
   together with those of other controllers.
5. ``of`` makes one for a vehicle, from its description. Lengths of tyres, masses and understeer are
   what an engineer types into a controller; states that no sensor of a car gives are not measured.

Those of the second kind, ``SolvingController``, solve something in every instant: they have all of
this but a law, and run in Python alone.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import combinations
from typing import Any, ClassVar, Protocol, Self

from axletree.components.fields import Part, part_fields, positive
from axletree.core.errors import ModelError
from axletree.core.registry import few_names, refuse_unknown
from axletree.expr import Expr, Value, maximum, minimum
from axletree.expr.quantity import Quantity
from axletree.vehicles.brake_lines import BrakeLines
from axletree.vehicles.linear_single_track import AxleNumbers, linear_single_track
from axletree.vehicles.statics import wheel_heights
from axletree.vehicles.steer_estimate import understeer_at
from axletree.vehicles.suspensions import SIDES
from axletree.vehicles.vehicle import Fidelity, Vehicle

_GENTLE = 0.2  # m/s^2, of the turn that the understeer is of
_ALIKE = 0.02  # of a number: what fidelities of one vehicle differ by, and more
_COMPARED = {"wheelbase": " m", "ratio": "", "mass": " kg", "yaw_inertia": " kg m^2"}


@dataclass(frozen=True)
class ControlledWheel:
    """What a controller knows of a wheel.

    Example:
    >>> from axletree.controllers.contract import ControlledWheel
    >>> ControlledWheel("front_left", "front", 0.31, 1.37, 0.785, True, False).rate  # m
    'front_left_axle.rate'
    """

    name: str
    axle: str
    radius: float  # [m], at which it rolls
    x: float  # [m], ahead of the body's centre of mass
    y: float  # [m], to the left
    braked: bool
    driven: bool

    def differences(self, other: ControlledWheel) -> tuple[str, ...]:
        """What this wheel of another vehicle has otherwise, in words; lengths by more than 2 %.

        Example:
        >>> from axletree.controllers.contract import ControlledWheel
        >>> wide = ControlledWheel("front_left", "front", 0.31, 1.37, 0.785, True, False)  # m
        >>> slim = ControlledWheel("front_left", "front", 0.31, 1.37, 0.65, True, False)
        >>> wide.differences(slim)
        ('front_left: 0.785 m to the left, not 0.65 m',)
        """
        length = math.hypot(other.x, other.y)
        found = [
            f"{self.name}: {own:.3g} m {said}, not {its:.3g} m"
            for own, its, said, size in (
                (self.radius, other.radius, "of radius", other.radius),
                (self.x, other.x, "ahead of the centre of mass", length),
                (self.y, other.y, "to the left", length),
            )
            if abs(own - its) > _ALIKE * size
        ]
        if self.braked != other.braked:
            found.append(f"{self.name} {'with' if self.braked else 'without'} a brake")
        if self.driven != other.driven:
            found.append(f"{self.name} {'with' if self.driven else 'without'} a drive")
        return tuple(found)

    @property
    def rate(self) -> str:
        """The name of its angular velocity [rad/s], which a wheel speed sensor gives."""
        return f"{self.name}_axle.rate"

    @property
    def share(self) -> str:
        """The name of the share of the torque of its brake."""
        return f"{self.name}_modulator.share"

    @property
    def torque(self) -> str:
        """The name of the torque of its brake beside the driver's [N m]."""
        return f"{self.name}_modulator.torque"

    @property
    def motor(self) -> str:
        """The name of the torque of its motor [N m]."""
        return f"{self.name}_motor.torque"

    @property
    def pressure(self) -> str:
        """The name of the pressure of its calliper [Pa]."""
        return f"{self.name}_calliper.pressure"

    @property
    def inlet(self) -> str:
        """The name of the opening of the inlet valve of its calliper."""
        return f"{self.name}_inlet.opening"

    @property
    def outlet(self) -> str:
        """The name of that of the outlet valve."""
        return f"{self.name}_outlet.opening"

    @property
    def damping(self) -> str:
        """The name of the coefficient of its damper [N s/m]."""
        return f"{self.name}_actuator.damping"

    @property
    def suspension_speed(self) -> str:
        """The name of its speed up in the body [m/s]."""
        return f"{self.name}_suspension.speed"


@dataclass(frozen=True)
class ControlledVehicle:
    """What a controller knows of its vehicle, without its trailers.

    Example:
    >>> import axletree as at
    >>> from axletree.controllers.contract import ControlledVehicle
    >>> own = ControlledVehicle.of(at.read_model("sedan").described["vehicle"])
    >>> own.wheelbase, own.ratio, [wheel.name for wheel in own.wheels if wheel.driven]  # m, 1
    (2.85, 15.0, ['rear_left', 'rear_right'])
    """

    wheelbase: float  # [m]
    ratio: float  # of the steering
    understeer: float  # [rad/(m/s^2)], of gentle turns
    mass: float  # [kg]
    yaw_inertia: float  # [kg m^2]
    wheels: tuple[ControlledWheel, ...]
    fidelity: Fidelity = Fidelity.FULL
    centre: float = 0.0  # [m], of all mass ahead of the body's
    axles: tuple[AxleNumbers, ...] = ()  # of the linear single-track model
    lines: BrakeLines | None = None  # with valves, in place of modulators of the brakes

    @classmethod
    def of(cls, vehicle: Vehicle) -> Self:
        """From the description.

        Example:
        >>> import axletree as at
        >>> from axletree.controllers.contract import ControlledVehicle
        >>> own = ControlledVehicle.of(at.read_model("suv").described["vehicle"])
        >>> [wheel.axle for wheel in own.wheels]
        ['front', 'front', 'rear', 'rear']
        """
        ratios = [a.steering.ratio for a in vehicle.axles.values() if a.steering is not None]
        heights, single = wheel_heights(vehicle), linear_single_track(vehicle)
        wheels = tuple(
            ControlledWheel(
                f"{name}_{side}", name, heights[name], axle.position, 0.5 * sign * axle.track,
                axle.brakes is not None, axle.drive is not None,
            )
            for name, axle in vehicle.axles.items()
            for side, sign in SIDES.items()
        )  # fmt: skip
        return cls(
            vehicle.wheelbase, ratios[0] if ratios and ratios[0] is not None else 0.0,
            understeer_at(vehicle, _GENTLE), single.mass, single.yaw_inertia, wheels,
            vehicle.fidelity, single.centre, tuple(single.axles.values()), vehicle.brake_lines,
        )  # fmt: skip

    @property
    def braked(self) -> tuple[ControlledWheel, ...]:
        """Wheels with a brake."""
        return tuple(wheel for wheel in self.wheels if wheel.braked)

    @property
    def driven(self) -> tuple[ControlledWheel, ...]:
        """Wheels with a drive."""
        return tuple(wheel for wheel in self.wheels if wheel.driven)

    @property
    def front(self) -> float:
        """Of the first axle [m] ahead of the body's centre of mass."""
        return max(wheel.x for wheel in self.wheels)

    @property
    def rear(self) -> float:
        """A wheelbase behind it [m]."""
        return self.front - self.wheelbase

    @property
    def front_slip(self) -> float:
        """Slip angle of the first axle by lateral acceleration [rad/(m/s^2)]: the mass that it
        carries over its cornering stiffness.

        Example:
        >>> import axletree as at
        >>> from axletree.controllers.contract import ControlledVehicle
        >>> own = ControlledVehicle.of(at.read_model("sedan").described["vehicle"])
        >>> print(f"{1e3 * own.front_slip:.1f} mrad/(m/s^2)")
        6.9 mrad/(m/s^2)
        """
        first, last = (
            end(self.axles, key=lambda axle: axle.position) for end in (max, min)
        )  # whose side forces act behind them by their trails
        front, rear = first.position - first.trail, last.position - last.trail
        return self.mass * (self.centre - rear) / (front - rear) / first.stiffness

    def steady_yaw_rate(self, v: Value, steering: Value, understeer: Value) -> Value:
        """Of the linear single-track model [rad/s], v d / (L + K v^2), by the steering wheel [rad].

        Example:
        >>> from axletree.controllers.contract import ControlledVehicle
        >>> own = ControlledVehicle(2.5, 16.0, 0.002, 1500.0, 2500.0, ())
        >>> own.steady_yaw_rate(20.0, 0.8, 0.002)  # m/s, rad, rad/(m/s^2): 20 0.05 / (2.5 + 0.8)
        0.30303030303030304
        """
        return v * steering / self.ratio / (self.wheelbase + understeer * v * v)

    def differences(self, other: ControlledVehicle) -> tuple[str, ...]:
        """What another vehicle has otherwise, in words; numbers by more than 2 %.

        Example:
        >>> import axletree as at
        >>> from axletree.controllers.contract import ControlledVehicle
        >>> known, driven = (
        ...     ControlledVehicle.of(at.read_model(name).described["vehicle"])
        ...     for name in ("sedan", "sports-car")
        ... )
        >>> known.differences(driven)[0]
        'wheelbase 2.85 m, not 2.5 m'
        """
        found = []
        for name, unit in _COMPARED.items():
            own, its = getattr(self, name), getattr(other, name)
            if abs(own - its) > _ALIKE * max(abs(own), abs(its)):
                said = name.replace("_", " ")
                found.append(f"{said} {own:.4g}{unit}, not {its:.4g}{unit}")
        if self.lines != other.lines:
            found.append("other brake lines")
        known, has = ({one.name: one for one in car.wheels} for car in (self, other))
        if lacking := [name for name in known if name not in has]:
            found.append(f"wheels {few_names(lacking, 6)}, which it has not")
        if further := [name for name in has if name not in known]:
            found.append(f"nothing of its wheels {few_names(further, 6)}")
        for name in known.keys() & has.keys():
            found += known[name].differences(has[name])
        return tuple(found)

    def need(
        self, word: str, *, braked: bool = False, driven: bool = False, steered: bool = False,
        by_wheels: bool = True,
    ) -> None:  # fmt: skip
        """A ``ModelError`` unless it has what the controller of this word acts on.

        Brakes and drives, and the speeds of wheels, are those of left and right wheels, which
        models on a single track have not.

        Example:
        >>> from axletree.controllers.contract import ControlledVehicle
        >>> ControlledVehicle(2.5, 0.0, 0.0, 1e3, 1e3, ()).need("esc", steered=True)
        Traceback (most recent call last):
        axletree.core.errors.ModelError: the controller 'esc' needs a steering; the vehicle has none
        """
        if by_wheels and self.fidelity in (Fidelity.LINEAR, Fidelity.SINGLE_TRACK):
            raise ModelError(
                f"fidelity: {self.fidelity.value}: the controller {word!r} sees or moves left and "
                "right wheels, which it has not; take two-track, 14-dof or full"
            )
        lacks = []
        if braked and not any(wheel.braked for wheel in self.wheels):
            lacks.append("brakes")
        if driven and not any(wheel.driven for wheel in self.wheels):
            lacks.append("a drive")
        if steered and not self.ratio:
            lacks.append("a steering")
        if lacks:
            raise ModelError(
                f"the controller {word!r} needs {' and '.join(lacks)}; the vehicle has none"
            )


@dataclass(frozen=True)
class Law:
    """What a controller makes of an instant: commands and its next memory, by their names.

    Example:
    >>> from axletree.controllers.contract import Law
    >>> from axletree.expr import symbol
    >>> Law({"driver.throttle": 0.1 * symbol("error")}, {}).commands
    {'driver.throttle': 0.1*error}
    """

    commands: Mapping[str, Value]
    memory: Mapping[str, Value]


class OnboardController(Part, ABC):
    """A controller that is made for a vehicle.

    Example:
    >>> import axletree as at
    >>> car = at.read_model("sedan").described["vehicle"]
    >>> isinstance(at.StabilityController.of(car), at.OnboardController)
    True
    """

    word: ClassVar[str] = ""  # that of the catalogue, by which its memory is named
    controls: ClassVar[Mapping[str, bool]] = {}
    rules: ClassVar[Mapping[str, str]] = {}  # by the last part of an input's name

    interval: float
    vehicle: ControlledVehicle

    @classmethod
    def of(cls, vehicle: Vehicle, **numbers: float | str) -> Self:
        """For a vehicle; ``numbers`` are fields with another value than proposed.

        Example:
        >>> import axletree as at
        >>> car = at.read_model("sedan").described["vehicle"]
        >>> at.AntiLockController.of(car, slip="9 %").slip
        0.09
        """
        refuse_unknown("number", numbers, cls.own_numbers(), f"the controller {cls.word!r}")
        return cls(vehicle=ControlledVehicle.of(vehicle), **numbers)  # type: ignore[call-arg]

    @classmethod
    def needs(cls, vehicle: Vehicle) -> Mapping[str, bool]:
        """The groups of actuators that it needs of a vehicle, which may have others already.

        Example:
        >>> import axletree as at
        >>> lines = {"brake_lines": {"layout": "diagonal"}, "controls": {"anti_lock": False}}
        >>> car = at.read_model("compact-car", {"vehicle": lines}).described["vehicle"]
        >>> at.AntiLockController.needs(car), at.StabilityController.needs(car)
        ({'anti_lock': False}, {'brakes': True})
        """
        return cls.controls

    @classmethod
    def own_numbers(cls) -> tuple[str, ...]:
        """The names of its numbers.

        Example:
        >>> import axletree as at
        >>> at.CruiseController.own_numbers()
        ('interval', 'speed', 'gain', 'reset', 'brakes', 'backwards')
        """
        return tuple(name for name, _ in part_fields(cls))

    @property
    @abstractmethod
    def measured(self) -> tuple[Quantity, ...]:
        """What it sees."""

    @property
    @abstractmethod
    def commanded(self) -> tuple[Quantity, ...]:
        """What it may set."""


class ReferenceController(OnboardController):
    """A controller written as expressions.

    Example:
    >>> import axletree as at
    >>> car = at.read_model("sedan").described["vehicle"]
    >>> isinstance(at.StabilityController.of(car), at.ReferenceController)
    True
    """

    @property
    def memory(self) -> tuple[Quantity, ...]:
        """What it keeps, with its values at the beginning as defaults."""
        return ()

    @abstractmethod
    def law(self, seen: Mapping[str, Expr], p: Mapping[str, Value]) -> Law:
        """Of one instant; ``seen`` has what is measured and kept, ``p`` its numbers.

        Example:
        >>> import axletree as at
        >>> from axletree.expr import symbol
        >>> cruise = at.CruiseController.of(at.read_model("sedan").described["vehicle"], speed=25.0)
        >>> names = [q.name for q in (*cruise.measured, *cruise.memory)]
        >>> law = cruise.law({name: symbol(name) for name in names}, cruise.numbers)
        >>> sorted(law.commands)
        ['driver.brake', 'driver.throttle']
        """


class Running(Protocol):
    """A controller at work."""

    def reset(self) -> None: ...

    def update(self, t: float, measured: Mapping[str, float]) -> Mapping[str, float]: ...


class SolvingController(OnboardController):
    """A controller that solves for its commands in every instant, in Python.

    Example:
    >>> import axletree as at
    >>> issubclass(at.PredictivePathController, at.SolvingController)
    True
    """

    @abstractmethod
    def running(self) -> Running:
        """The controller at work, as before its first instant.

        Example:
        >>> import axletree as at
        >>> car = at.read_model("sedan").described["vehicle"]
        >>> runs = at.PredictivePathController.of(car, at.StraightPath()).running()
        >>> seen = dict.fromkeys(at.PredictivePathController.sees, 0.0)
        >>> found = runs.update(0.0, seen | {"vehicle.forward_speed": 20.0})  # m/s
        >>> print(f"{abs(found['steering_actuator.command']):.3f} rad")
        0.000 rad
        """


def proposed_interval(seconds: float) -> Any:
    """The field ``interval`` of a controller.

    Example:
    >>> import axletree as at
    >>> at.CruiseController.of(at.read_model("sedan").described["vehicle"]).interval  # s
    0.02
    """
    return positive("s", "between its instants", default=seconds)


def known_vehicle() -> Any:
    """The field ``vehicle`` of a controller.

    Example:
    >>> import axletree as at
    >>> car = at.read_model("sedan").described["vehicle"]
    >>> at.StabilityController.of(car).vehicle.wheelbase  # m
    2.85
    """
    return field(kw_only=True)


def lagged(before: Value, aimed: Value, lag: Value, h: Value) -> Value:
    """What follows an aim by a lag of the first order, an interval h later: implicit Euler.

    Example:
    >>> from axletree.controllers.contract import lagged
    >>> lagged(1.0, 2.0, 0.3, 0.1)
    1.25
    """
    return before + h / (lag + h) * (aimed - before)


def second_highest(values: Sequence[Value]) -> Value:
    """Of two values or more, one that a single of them, which is too high, does not reach.

    Example:
    >>> from axletree.controllers.contract import second_highest
    >>> second_highest([3.0, 9.0, 5.0])
    5.0
    """
    return reduce(maximum, (minimum(a, b) for a, b in combinations(values, 2)))


def second_lowest(values: Sequence[Value]) -> Value:
    """Likewise from below.

    Example:
    >>> from axletree.controllers.contract import second_lowest
    >>> second_lowest([3.0, 9.0, 5.0])
    5.0
    """
    return reduce(minimum, (maximum(a, b) for a, b in combinations(values, 2)))


def rolling_speed(wheels: Sequence[ControlledWheel], seen: Mapping[str, Expr]) -> Value:
    """At which wheels roll over the ground [m/s]: the mean of all but the fastest and the slowest,
    one of which may be braked, in the air, or without a sensor that works.
    """
    speeds = [wheel.radius * seen[wheel.rate] for wheel in wheels]
    total = reduce(lambda a, b: a + b, speeds)
    inner = total - reduce(maximum, speeds) - reduce(minimum, speeds)
    return inner / (len(speeds) - 2)


def limited(value: Value, lower: Value, upper: Value) -> Value:
    """Within two limits.

    Example:
    >>> from axletree.controllers.contract import limited
    >>> limited(1.2, 0.0, 1.0), limited(-0.5, 0.0, 1.0)
    (1.0, 0.0)
    """
    return minimum(maximum(value, lower), upper)


def beyond(value: Value, limit: Value) -> Value:
    """By how much a value is above a limit, or below its negative; 0 in between.

    Example:
    >>> from axletree.controllers.contract import beyond
    >>> beyond(5.0, 2.0), beyond(-5.0, 2.0), beyond(1.5, 2.0)
    (3.0, -3.0, 0.0)
    """
    return maximum(value - limit, 0.0) + minimum(value + limit, 0.0)
