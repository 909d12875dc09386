"""What followers of a path share: the path that they know, and where they are beside it.

A follower measures place, heading and speed of the body, as a receiver of satellites with an
inertial platform gives them, knows the path as tables over its length, and steers by
``steering_actuator``. Where a driver is in the equations it takes the driver's hands off the wheel;
pedals stay the driver's. It begins at the beginning of its path, and steers straight where the
vehicle goes backwards. It does not check what it measures: a place that stays the same is
followed.

The station s of a point P of the vehicle is that of the foot of the normal, where the distance is
at right angles to the path: with the place C(s), the tangent t and the curvature k of the path,

    s+ = s + (P - C(s)) . t / (1 - k e),  e = offset to the left,                              (1)

is Newton's step, of which an instant takes two, from where the last one found it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Self

from axletree.components.fields import positive
from axletree.controllers.channels import (
    ADDED_STEERING,
    HANDS_OFF,
    command,
    kept,
    measured_of_body,
)
from axletree.controllers.contract import (
    ControlledVehicle,
    Law,
    OnboardController,
    ReferenceController,
    known_vehicle,
    limited,
)
from axletree.core.errors import ModelError
from axletree.core.registry import refuse_unknown
from axletree.expr import Expr, Value, as_expr, atan2, cos, interpolate, maximum, sin, where
from axletree.expr.quantity import Quantity
from axletree.expr.tables import Table
from axletree.ground.paths import CentreLine, Path
from axletree.metrics.vehicle_signals import FORWARD_SPEED, HEADING, X, Y
from axletree.vehicles.vehicle import Vehicle

BACKWARDS = 0.5  # m/s, faster than which a vehicle goes backwards
_STEPS = 2  # of Newton, in an instant
NEAREST_FOOT = 0.2  # of 1 - k e; the foot of the normal is not unique at the centre of a curve


@dataclass(frozen=True)
class FollowsPath(OnboardController):
    """What has a path, and commands an angle beside that of the steering wheel.

    Example:
    >>> import axletree as at
    >>> car = at.read_model("sedan").described["vehicle"]
    >>> follower = at.PurePursuitController.of(car, path=at.CirclePath(radius="40 m"))
    >>> [one.name for one in follower.commanded]
    ['steering_actuator.command']
    """

    controls: ClassVar[Mapping[str, bool]] = {"steering": True}
    sees: ClassVar[tuple[str, ...]] = (X, Y, HEADING, FORWARD_SPEED)

    lock: float = positive("rad", "greatest angle of the steering wheel", default=8.0)
    vehicle: ControlledVehicle = known_vehicle()
    path: Path = field(kw_only=True)
    driven: bool = field(kw_only=True, default=False)  # whether a driver has the wheel in hand

    @classmethod
    def of(  # type: ignore[override]
        cls, vehicle: Vehicle, path: Path | None = None, **numbers: float | str
    ) -> Self:
        """For a vehicle, and for the path of its driver unless another is given.

        Example:
        >>> import axletree as at
        >>> car = at.read_model("sedan").described["vehicle"]
        >>> at.StanleyController.of(car, at.StraightPath(), gain="1.5 1/s").gain
        1.5
        """
        refuse_unknown("number", numbers, cls.own_numbers(), f"the controller {cls.word!r}")
        driver = vehicle.driver
        known = path if path is not None or driver is None else driver.path
        if not isinstance(known, Path):
            found = "none" if known is None else repr(known)
            raise ModelError(
                f"the controller {cls.word!r} follows a path, and has {found}; drive a manoeuvre "
                "along one, such as iso-3888-1, or give it one: "
                f"at.{cls.__name__}.of(vehicle, path=at.CirclePath(radius=50.0))"
            )
        in_hand = driver is not None and driver.path is not None
        return cls(vehicle=ControlledVehicle.of(vehicle), path=known, driven=in_hand, **numbers)  # type: ignore[arg-type]

    def problems(self) -> list[str]:
        self.vehicle.need(self.word, steered=True, by_wheels=False)
        return []

    @property
    def measured(self) -> tuple[Quantity, ...]:
        return measured_of_body(*self.sees)

    @property
    def commanded(self) -> tuple[Quantity, ...]:
        angle = command(ADDED_STEERING, "rad", "angle added to that of the steering wheel")
        taken = command(HANDS_OFF, "1", "share of the steering that is taken from the driver")
        return (angle, taken) if self.driven else (angle,)

    def commands(self, wheels: Any, lock: Any) -> dict[str, Any]:
        """By the angle of the road wheels [rad].

        Example:
        >>> import axletree as at
        >>> car = at.read_model("sedan").described["vehicle"]
        >>> at.StanleyController.of(car, at.StraightPath()).commands(0.02, 8.0)  # rad
        {'steering_actuator.command': 0.3}
        """
        angle = limited(self.vehicle.ratio * wheels, -lock, lock)
        return {ADDED_STEERING: angle, **({HANDS_OFF: 1.0} if self.driven else {})}


@dataclass(frozen=True)
class PathTables:
    """A line over its length, as expressions read it."""

    x: Table  # [m]
    y: Table  # [m]
    heading: Table  # [rad]
    curvature: Table  # [1/m]

    @classmethod
    def of(cls, line: CentreLine) -> Self:
        """Made once, for splines take a while."""
        return cls(*line.places, line.headings, line.curvatures)


@dataclass(frozen=True)
class BesidePath:
    """Where a point of the vehicle is beside a path."""

    station: Expr  # [m] of the foot of the normal
    offset: Expr  # [m], to the left
    heading: Expr  # [rad] of the path over that of the vehicle, to the left
    curvature: Expr  # [1/m] of the path
    x: Expr  # [m], of the point
    y: Expr  # [m]


def beside_path(
    path: PathTables, seen: Mapping[str, Expr], station: Value, ahead: float
) -> BesidePath:
    """Of a point so far [m] ahead of the body's centre, from the station [m] found before (1).

    Example:
    >>> import axletree as at
    >>> from axletree.controllers.path_following import PathTables, beside_path
    >>> from axletree.expr import as_expr, evaluate
    >>> names = ("vehicle.x", "vehicle.y", "vehicle.heading")
    >>> seen = {name: as_expr(value) for name, value in zip(names, (10.0, 2.0, 0.0))}
    >>> line = PathTables.of(at.StraightPath().line)
    >>> place = beside_path(line, seen, as_expr(9.0), ahead=1.5)
    >>> evaluate([place.station, place.offset], {})  # m
    [11.5, 2.0]
    """
    heading = seen[HEADING]
    x, y = seen[X] + ahead * cos(heading), seen[Y] + ahead * sin(heading)
    s = as_expr(station)
    for _ in range(_STEPS):
        along, offset, bend = _from_path(path, s, x, y)
        s = s + along / maximum(1.0 - bend * offset, NEAREST_FOOT)
    _, offset, bend = _from_path(path, s, x, y)
    turned = interpolate(path.heading, s) - heading
    return BesidePath(s, as_expr(offset), as_expr(atan2(sin(turned), cos(turned))), bend, x, y)


def _from_path(path: PathTables, s: Expr, x: Expr, y: Expr) -> tuple[Expr, Expr, Expr]:
    """Of a point: how far along the tangent and to the left of C(s) [m]; the curvature there."""
    over, left = x - interpolate(path.x, s), y - interpolate(path.y, s)
    heading = interpolate(path.heading, s)
    c, d = cos(heading), sin(heading)
    return c * over + d * left, c * left - d * over, interpolate(path.curvature, s)


@dataclass(frozen=True)
class PathFollower(FollowsPath, ReferenceController):
    """A follower that is written as expressions.

    Example:
    >>> import axletree as at
    >>> issubclass(at.StanleyController, at.ReferenceController)
    True
    """

    @property
    def memory(self) -> tuple[Quantity, ...]:
        return (kept(f"{self.word}.station", "m", "station along the path"),)

    def law(self, seen: Mapping[str, Expr], p: Mapping[str, Value]) -> Law:
        known = f"{self.word}.station"
        beside = beside_path(self.tables, seen, seen[known], self.ahead)
        forwards = seen[FORWARD_SPEED] > -BACKWARDS
        wheels = where(forwards, self.wheel_angle(beside, seen, p), 0.0)
        return Law(self.commands(wheels, p["lock"]), {known: beside.station})

    @cached_property
    def tables(self) -> PathTables:
        """Of its path."""
        return PathTables.of(self.path.line)

    @property
    @abstractmethod
    def ahead(self) -> float:
        """Of the body's centre [m] is the point that is led along the path."""

    @abstractmethod
    def wheel_angle(
        self, beside: BesidePath, seen: Mapping[str, Expr], p: Mapping[str, Value]
    ) -> Value:
        """That is asked for of the road wheels [rad], left if positive.

        Example:
        >>> import axletree as at
        >>> from axletree.controllers.path_following import beside_path
        >>> from axletree.expr import ZERO, as_expr, evaluate
        >>> own = at.StanleyController.of(
        ...     at.read_model("sedan").described["vehicle"], at.StraightPath()
        ... )
        >>> seen = dict.fromkeys(own.sees, ZERO) | {"vehicle.y": as_expr(0.2)}  # m, at rest
        >>> beside = beside_path(own.tables, seen, 0.0, own.ahead)
        >>> angle = own.wheel_angle(beside, seen, own.numbers)
        >>> print(f"{evaluate([as_expr(angle)], {})[0]:.3f} rad")  # -atan(2.5 0.2 / 1)
        -0.464 rad
        """
