"""The contract of reference controllers.

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
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from axletree.components.fields import Part, positive
from axletree.core.errors import ModelError
from axletree.expr import Expr, Value, maximum, minimum
from axletree.expr.quantity import Quantity, Role
from axletree.vehicles.linear_single_track import linear_single_track
from axletree.vehicles.statics import wheel_heights
from axletree.vehicles.steer_estimate import understeer_at
from axletree.vehicles.suspensions import SIDES
from axletree.vehicles.vehicle import Fidelity, Vehicle

_GENTLE = 0.2  # m/s^2, of the turn that the understeer is of


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
        if vehicle.fidelity in (Fidelity.LINEAR, Fidelity.SINGLE_TRACK):
            raise ModelError(
                f"fidelity: {vehicle.fidelity.value}: controllers of brakes, drives and dampers "
                "act on left and right wheels, which it has not; take two-track, 14-dof or full"
            )
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
        )  # fmt: skip

    def need(
        self, word: str, *, braked: bool = False, driven: bool = False, steered: bool = False
    ) -> None:
        """A ``ModelError`` unless it has what the controller of this word acts on.

        Example:
        >>> from axletree.controllers.contract import ControlledVehicle
        >>> ControlledVehicle(2.5, 0.0, 0.0, 1e3, 1e3, ()).need("esc", steered=True)
        Traceback (most recent call last):
        axletree.core.errors.ModelError: the controller 'esc' needs a steering; the vehicle has none
        """
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


class ReferenceController(Part, ABC):
    """A controller written as expressions.

    Example:
    >>> import axletree as at
    >>> car = at.read_model("sedan").described["vehicle"]
    >>> isinstance(at.StabilityController.of(car), at.ReferenceController)
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
        return cls(vehicle=ControlledVehicle.of(vehicle), **numbers)  # type: ignore[call-arg]

    @property
    @abstractmethod
    def measured(self) -> tuple[Quantity, ...]:
        """What it sees."""

    @property
    @abstractmethod
    def commanded(self) -> tuple[Quantity, ...]:
        """What it may set."""

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


def measurement(name: str, unit: str, description: str) -> Quantity:
    return Quantity(name, unit, description, Role.INPUT)


def command(name: str, unit: str, description: str) -> Quantity:
    return Quantity(name, unit, description, Role.OUTPUT)


def kept(name: str, unit: str, description: str, start: float = 0.0) -> Quantity:
    return Quantity(name, unit, description, Role.STATE, start)


def wheel_rates(wheels: Sequence[ControlledWheel]) -> tuple[Quantity, ...]:
    """Of the wheel speed sensors."""
    return tuple(
        measurement(wheel.rate, "rad/s", f"angular velocity of the wheel {wheel.name}")
        for wheel in wheels
    )


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
