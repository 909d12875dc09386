"""Accelerations that a vehicle holds over speed, and a pace that asks for a share of them.

They are found as quasi-steady turns of the vehicle in the plane, with load transfer
(``analysis.handling.performance_envelope``); here is what they are and how a pace uses them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from functools import cached_property, lru_cache
from typing import ClassVar

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.ground.friction_maps import UniformFriction
from axletree.ground.path_driver import Pace
from axletree.ground.surfaces import Flat
from axletree.model.model import Model
from axletree.vehicles.assembly import assemble_vehicle
from axletree.vehicles.vehicle import Fidelity, Vehicle
from axletree.vehicles.wheel_loads import load_transfer

TURN_SHARE = 0.7  # of the lateral acceleration, at which what is left along the path is known
ROUNDEST, _SQUAREST = 1.0, 12.0  # exponents of what is between a rhombus and a rectangle
COARSE = 3  # speeds at which limits are found, beside the fastest
_HALVINGS = 40
_CORNER_SPEEDS = 600


@dataclass(frozen=True)
class PerformanceLimits:
    """Accelerations [m/s^2] at speeds [m/s]: across, forward and backward alone, and in a turn.

    Between speeds, lateral acceleration and braking change with the square of the speed, as wings
    press, and driving as the power does, which is acceleration times speed.

    Example:
    >>> import numpy as np
    >>> from axletree.vehicles.performance_limits import PerformanceLimits
    >>> rows = ([9.0, 9.0], [4.0, 2.0], [10.0, 10.0], [0.8, 0.8], [0.7, 0.7])
    >>> own = PerformanceLimits(np.array([10.0, 20.0]), *map(np.array, rows))
    >>> own.at(15.0)  # m/s^2: 40 W/kg at both speeds
    (9.0, 2.6666666666666665, 10.0)
    """

    speeds: FloatArray
    lateral: FloatArray
    driving: FloatArray
    braking: FloatArray
    driving_left: FloatArray  # share of it at ``TURN_SHARE`` of the lateral acceleration
    braking_left: FloatArray

    def at(self, speed: float) -> tuple[float, float, float]:
        """Lateral acceleration, driving and braking [m/s^2] at a speed [m/s]."""
        v = min(max(speed, float(self.speeds[0])), float(self.speeds[-1]))
        square, squares = v * v, self.speeds**2
        lateral, braking = (
            float(np.interp(square, squares, row)) for row in (self.lateral, self.braking)
        )
        power = float(np.interp(v, self.speeds, self.driving * self.speeds))
        return lateral, power / v, braking

    def exponents(self, speed: float) -> tuple[float, float]:
        """n of driving and braking in a turn: (along / alone)^n + (lateral / alone)^n = 1."""
        driving, braking = self._exponents
        return tuple(float(np.interp(speed, self.speeds, row)) for row in (driving, braking))  # type: ignore[return-value]

    @cached_property
    def _exponents(self) -> tuple[FloatArray, FloatArray]:
        rows = (self.driving_left, self.braking_left)
        return tuple(np.array([_exponent(left) for left in row.tolist()]) for row in rows)  # type: ignore[return-value]


def _exponent(left: float) -> float:
    """n of left^n + TURN_SHARE^n = 1, as round or as square as it may be at most."""
    low, high = ROUNDEST, _SQUAREST
    for _ in range(_HALVINGS):
        n = 0.5 * (low + high)
        low, high = (n, high) if left**n + TURN_SHARE**n > 1.0 else (low, n)
    return 0.5 * (low + high)


@dataclass(frozen=True)
class OwnPace(Pace):
    """A share of what a vehicle holds at each speed, and at most the limits that are given.

    The share is of all its accelerations: of tyres, of engines and of brakes.

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> from axletree.vehicles.performance_limits import OwnPace
    >>> curve = np.full(2, 0.02)  # 1/m
    >>> for name in ("van", "sports-car"):
    ...     own = OwnPace(share=0.7, vehicle=at.read_model(name).described["vehicle"])
    ...     print(f"{name}: {own.speeds(np.array([0.0, 1.0]), curve)[0]:.1f} m/s")
    van: 15.8 m/s
    sports-car: 18.9 m/s
    """

    summary: ClassVar[str] = "speeds along a path by a share of what the vehicle holds"

    vehicle: Vehicle = field(kw_only=True, repr=False)
    speed_count: int = field(kw_only=True, repr=False, default=COARSE)
    weight: float = field(kw_only=True, repr=False, default=1.0)  # share of it, on the ground
    grip: float = field(kw_only=True, repr=False, default=1.0)  # factor on friction

    @cached_property
    def limits(self) -> PerformanceLimits:
        """What the vehicle holds, all of it."""
        vehicle = self.vehicle
        if self.grip != 1.0:
            road = Flat(friction_map=UniformFriction(factor=self.grip))
            vehicle = replace(vehicle, road=road)
        content = _Content(_in_the_plane(vehicle))
        return _limits_of(content, self.top, self.speed_count, self.weight)

    @property
    def hardest(self) -> float:
        most = self.share * float(self.limits.lateral.max())
        return min(most, self.lateral or most)

    def _corner_squares(self, bend: FloatArray) -> FloatArray:
        """Up to the first speed at which the curvature asks for more than there is."""
        own = self.limits.speeds
        speeds = np.linspace(own[0], own[-1], _CORNER_SPEEDS)
        lateral = np.array([self._alone(speed)[0] for speed in speeds.tolist()])
        held = np.minimum.accumulate(lateral / speeds**2)
        # Below the lowest speed limits are those there.
        slow = np.sqrt(lateral[0] / np.maximum(bend, held[0]))
        found = np.where(bend > held[0], slow, np.interp(-bend, -held, speeds))
        return np.asarray(found**2)

    def _alone(self, speed: float) -> tuple[float, float, float]:
        """Lateral acceleration, driving and braking [m/s^2] that are asked for."""
        given = (self.lateral, self.driving, self.braking)
        pairs = zip(self.limits.at(speed), given, strict=True)
        lateral, driving, braking = (min(self.share * own, most or np.inf) for own, most in pairs)
        return lateral, driving, braking

    def _along(self, square: float, bend: float) -> tuple[float, float]:
        speed = float(np.sqrt(square))
        lateral, driving, braking = self._alone(speed)
        used = min(square * bend / lateral, 1.0)
        forward, backward = self.limits.exponents(speed)
        return (
            driving * (1.0 - used**forward) ** (1.0 / forward),
            braking * (1.0 - used**backward) ** (1.0 / backward),
        )


def own_pace(pace: Pace, vehicle: Vehicle) -> Pace:
    """The pace for a vehicle: its own, where the pace asks for a share of what it holds.

    Example:
    >>> import axletree as at
    >>> from axletree.ground.path_driver import Pace
    >>> from axletree.vehicles.performance_limits import own_pace
    >>> sedan = at.read_model("sedan").described["vehicle"]
    >>> f"{own_pace(Pace(share=0.5), sedan).hardest:.1f} m/s^2"
    '4.6 m/s^2'
    """
    if not pace.share or isinstance(pace, OwnPace):
        return pace
    given = {one.name: getattr(pace, one.name) for one in fields(Pace)}
    return OwnPace(**given, vehicle=vehicle)


def with_own_pace(vehicle: Vehicle) -> Vehicle:
    """With a driver whose pace is the vehicle's own, where it asks for a share of that.

    Example:
    >>> import axletree as at
    >>> from axletree.vehicles.performance_limits import with_own_pace
    >>> sedan = at.read_model("sedan").described["vehicle"]
    >>> with_own_pace(sedan) is sedan  # which has no driver
    True
    """
    driver = vehicle.driver
    if driver is None or driver.pace is None or not driver.pace.share:
        return vehicle
    return replace(vehicle, driver=replace(driver, pace=own_pace(driver.pace, vehicle)))


_OWN_LOADS = (Fidelity.TWO_TRACK_STATIC, Fidelity.SINGLE_TRACK)  # no load transfer, no wings


def _in_the_plane(vehicle: Vehicle) -> Vehicle:
    """The vehicle as its limits are found: without a driver, and with load transfer if it stands
    upright on its springs. A model whose loads stay as they stand is paced by them."""
    upright = load_transfer(vehicle) is not None
    fidelity = Fidelity.TWO_TRACK if upright else Fidelity.TWO_TRACK_STATIC
    if vehicle.fidelity in _OWN_LOADS:
        fidelity = vehicle.fidelity
    road = Flat(friction_map=vehicle.road.friction_map)
    return replace(vehicle, fidelity=fidelity, driver=None, road=road, posts=False)


@dataclass(frozen=True, eq=True)
class _Content:
    """A vehicle by what it has, so that what is found of it is found once."""

    vehicle: Vehicle

    def __hash__(self) -> int:
        return hash((self.vehicle.train_mass, self.vehicle.wheelbase))


@lru_cache(maxsize=16)
def _limits_of(content: _Content, top: float, speed_count: int, weight: float) -> PerformanceLimits:
    model = Model("pace")
    assemble_vehicle(content.vehicle, model)
    model.described["vehicle"] = content.vehicle
    return model.performance_limits(top, speed_count, weight)
