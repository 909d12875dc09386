"""Accelerations that a vehicle can hold, by its description alone: quasi-steady limits over speed.

Tyres give at most the greatest forces of their laws under the loads that they have, with load
transfer (``wheel_loads``) and the lift of the air; engines and brakes what they have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import ClassVar

import numpy as np

from axletree.components.driveline import ConstantTorque
from axletree.components.loads import STANDARD_DENSITY
from axletree.core.arrays import FloatArray
from axletree.core.errors import AxletreeError
from axletree.expr import as_expr, evaluate, symbol
from axletree.ground.path_driver import Pace
from axletree.model.model import STANDARD_GRAVITY
from axletree.vehicles.drive_and_brakes import Brakes, Drive
from axletree.vehicles.statics import wheel_heights
from axletree.vehicles.vehicle import Vehicle
from axletree.vehicles.wheel_loads import LoadTransfer, load_transfer
from axletree.wheel.contract import Contact, TyreLaw, with_velocities

_LOADS = np.array([0.05, 0.3, 0.6, 1.0, 1.5, 2.0, 3.0])  # of the load at rest, of tables of grip
_SLIPS = np.geomspace(0.02, 0.4, 14)  # slips and slip angles [rad], of which one has the peak
_SPEED = 20.0  # m/s, of tyres
_PLAIN_FRICTION = 1.0  # of laws without a greatest force
_PEDAL = np.linspace(0.0, 1.0, 41)
_PASSES = 30  # of accelerations by loads, and of halving
_SLOWEST = 3.0  # m/s, below which limits are those at this speed
_TABLE_SPEEDS, _CORNER_SPEEDS = 25, 600
_STEEPEST = 40.0  # m/s^2, beyond which nothing is looked for


@dataclass(frozen=True)
class PerformanceLimits:
    """Accelerations [m/s^2] at speeds [m/s]: across, forward and backward alone.

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> from axletree.vehicles.performance_limits import performance_limits
    >>> own = at.read_model("sedan").described["vehicle"]
    >>> limits = performance_limits(own, np.array([25.0]))
    >>> f"{limits.lateral[0]:.1f} m/s^2 across"
    '9.0 m/s^2 across'
    """

    speeds: FloatArray
    lateral: FloatArray
    driving: FloatArray
    braking: FloatArray


def performance_limits(vehicle: Vehicle, speeds: FloatArray) -> PerformanceLimits | None:
    """At speeds [m/s]; None of a vehicle that its springs do not keep upright."""
    loads = load_transfer(vehicle)
    if loads is None:
        return None
    own = _Limits(vehicle, loads, np.asarray(speeds, dtype=float))
    return PerformanceLimits(own.speeds, own.lateral(), own.driving(), own.braking())


@dataclass(frozen=True)
class OwnPace(Pace):
    """A share of what a vehicle holds at each speed, and at most the limits that are given.

    In a curve the limits along the path are what an ellipse leaves of them, as of every pace.

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> from axletree.vehicles.performance_limits import OwnPace
    >>> most, curve = {"lateral": 20.0, "driving": 20.0, "braking": 20.0}, np.full(2, 0.02)  # 1/m
    >>> for name in ("van", "sports-car"):
    ...     own = OwnPace(**most, vehicle=at.read_model(name).described["vehicle"], share=0.7)
    ...     print(f"{name}: {own.speeds(np.array([0.0, 1.0]), curve)[0]:.1f} m/s")
    van: 17.1 m/s
    sports-car: 19.9 m/s
    """

    summary: ClassVar[str] = "speeds along a path by a share of what the vehicle holds"

    vehicle: Vehicle = field(kw_only=True, repr=False)
    share: float = field(kw_only=True)

    @cached_property
    def _table(self) -> tuple[FloatArray, FloatArray]:
        """Speeds [m/s], and in rows lateral acceleration, driving and braking [m/s^2] there."""
        most = (self.lateral, self.driving, self.braking)
        speeds = np.linspace(_SLOWEST, self.top, _TABLE_SPEEDS)
        found = performance_limits(self.vehicle, speeds)
        if found is None:
            return speeds, np.outer(most, np.ones_like(speeds))
        rows = (found.lateral, found.driving, found.braking)
        pairs = zip(rows, most, strict=True)
        return speeds, np.array([np.minimum(self.share * row, limit) for row, limit in pairs])

    @property
    def hardest(self) -> float:
        return float(self._table[1][0].max())

    def _corner_squares(self, bend: FloatArray) -> FloatArray:
        """Up to the first speed at which the curvature asks for more than there is."""
        speeds = np.linspace(_SLOWEST, self.top, _CORNER_SPEEDS)
        lateral = np.interp(speeds, self._table[0], self._table[1][0])
        held = np.minimum.accumulate(lateral / speeds**2)
        return np.asarray(np.interp(-bend, -held, speeds) ** 2)

    def _limits(self, square: float) -> tuple[float, float, float]:
        speeds, rows = self._table
        speed = float(np.sqrt(square))
        lateral, driving, braking = (float(np.interp(speed, speeds, row)) for row in rows)
        return lateral, driving, braking


@dataclass(frozen=True)
class _Limits:
    vehicle: Vehicle
    loads: Mapping[str, LoadTransfer]
    speeds: FloatArray

    @property
    def _pressure(self) -> FloatArray:
        return np.asarray(0.5 * STANDARD_DENSITY * self.speeds**2)

    def _mean(self, name: str, along: FloatArray | float = 0.0) -> FloatArray:
        """Load of each wheel of an axle [N] with an acceleration along the path."""
        own = self.loads[name]
        return np.maximum(own.standing + own.pitch * along + own.lift * self._pressure, 0.0)

    def _grip(self, name: str, load: FloatArray, aside: bool) -> FloatArray:
        """The greatest force of a tyre of an axle [N]."""
        axle, standing = self.vehicle.every_axle[name], self.loads[name].standing
        table = _peaks(axle.tyre.law, axle.wheel.radius, axle.tyre.stiffness, standing)
        known = np.concatenate([[0.0], standing * _LOADS])
        return np.asarray(np.interp(load, known, np.concatenate([[0.0], table[int(aside)]])))

    def lateral(self) -> FloatArray:
        """Until the first axle gives no more, or all inner wheels are up."""
        low, high = np.zeros_like(self.speeds), np.full_like(self.speeds, _STEEPEST)
        for _ in range(_PASSES):
            middle = 0.5 * (low + high)
            held = self._holds(middle)
            low, high = np.where(held, middle, low), np.where(held, high, middle)
        return low

    def _holds(self, across: FloatArray) -> FloatArray:
        able = np.full(self.speeds.shape, True)
        tips = carries = np.zeros_like(self.speeds)
        for name, own in self.loads.items():
            mean = self._mean(name)
            shift = np.minimum(own.roll * across, mean)
            grip = self._grip(name, mean - shift, True) + self._grip(name, mean + shift, True)
            able &= grip >= 2.0 * own.standing / STANDARD_GRAVITY * across
            tips, carries = tips + own.track * own.roll * across, carries + own.track * mean
        return np.asarray(able & (tips < carries))

    def driving(self) -> FloatArray:
        """By engines and by what driven wheels transmit, less drag; at least 0."""
        along = np.zeros_like(self.speeds)
        driven = {k: a.drive for k, a in self.vehicle.axles.items() if a.drive is not None}
        given = {k: self._thrust(k, drive) for k, drive in driven.items()}
        for _ in range(_PASSES):
            pulls = [
                np.minimum(force, 2.0 * self._grip(k, self._mean(k, along), False))
                for k, force in given.items()
            ]
            wanted = (sum(pulls, np.zeros_like(along)) - self._drag) / self._mass
            along = 0.5 * (along + wanted)
        return np.maximum(along, 0.0)

    def _thrust(self, name: str, drive: Drive) -> FloatArray:
        """At full throttle [N], in the gear that gives most."""
        height = wheel_heights(self.vehicle)[name]
        source = drive.source
        if source is None:
            assert drive.torque is not None
            source = ConstantTorque(2.0 * drive.torque)
        best = np.zeros_like(self.speeds)
        for gear in drive.gears:
            ratio = gear * drive.final_drive
            rates = self.speeds / height * ratio
            torques = [
                float(source.torque(as_expr(1.0), as_expr(rate), source.numbers))
                for rate in rates.tolist()
            ]
            best = np.maximum(best, np.array(torques) * ratio)
        return best * drive.efficiency * drive.share / height

    @property
    def _drag(self) -> FloatArray:
        units = (unit for unit in self.vehicle.units.values() if unit.air is not None)
        areas = sum(unit.air.area * unit.air.drag for unit in units if unit.air is not None)
        return self._pressure * areas

    @property
    def _mass(self) -> float:
        """With that of wheels which are spun up [kg]."""
        heights = wheel_heights(self.vehicle)
        spun = sum(
            2.0 * axle.wheel.spin_inertia / heights[name] ** 2
            for name, axle in self.vehicle.every_axle.items()
        )
        return self.vehicle.train_mass + spun

    def braking(self) -> FloatArray:
        """With the pedal as far down as no axle locks that has no anti-lock system."""
        heights = wheel_heights(self.vehicle)
        braked = {k: a.brakes for k, a in self.vehicle.every_axle.items() if a.brakes is not None}
        forces = {k: 2.0 * _torques(brakes) / heights[k] for k, brakes in braked.items()}
        low, high = np.zeros_like(self.speeds), np.ones_like(self.speeds)
        for _ in range(_PASSES):
            middle = 0.5 * (low + high)
            held = self._rolls(braked, forces, middle)
            low, high = np.where(held, middle, low), np.where(held, high, middle)
        held = self._rolls(braked, forces, np.ones_like(self.speeds))
        return self._slowed(braked, forces, np.where(held, 1.0, low))

    def _slowed(
        self, braked: Mapping[str, Brakes], forces: Mapping[str, FloatArray], pedal: FloatArray
    ) -> FloatArray:
        """Deceleration with the pedal so far down."""
        slower = np.zeros_like(self.speeds)
        for _ in range(_PASSES):
            total = self._drag
            for name, brakes in braked.items():
                force = np.interp(pedal, _PEDAL, forces[name])
                if brakes.slip_limit is not None:
                    grip = 2.0 * self._grip(name, self._mean(name, -slower), False)
                    force = np.minimum(force, grip)
                total = total + force
            slower = 0.5 * (slower + total / self._mass)
        return slower

    def _rolls(
        self, braked: Mapping[str, Brakes], forces: Mapping[str, FloatArray], pedal: FloatArray
    ) -> FloatArray:
        slower = self._slowed(braked, forces, pedal)
        able = np.full(self.speeds.shape, True)
        for name, brakes in braked.items():
            if brakes.slip_limit is None:
                grip = 2.0 * self._grip(name, self._mean(name, -slower), False)
                able &= np.interp(pedal, _PEDAL, forces[name]) <= grip
        return able


def _torques(brakes: Brakes) -> FloatArray:
    """Of a brake [N m] over the pedal."""
    pedal, pressure = symbol("driver.brake"), symbol("driver.brake_pressure")
    at_wheel = brakes.at_wheel()
    return np.array([evaluate([at_wheel], {pedal: p, pressure: 0.0})[0] for p in _PEDAL.tolist()])


@lru_cache(maxsize=64)
def _peaks(
    law: TyreLaw, radius: float, stiffness: float, standing: float
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The greatest longitudinal and lateral force [N] under each of the loads of tables.

    A law whose force grows on and on, as that of a linear tyre, tells nothing of grip.
    """
    found: tuple[list[float], list[float]] = ([], [])
    for load in (standing * _LOADS).tolist():
        for aside, forces in enumerate(found):
            sizes = [_force(law, radius, stiffness, load, slip, bool(aside)) for slip in _SLIPS]
            grows = sizes[-1] >= max(sizes) and sizes[-1] > 1.2 * _PLAIN_FRICTION * load
            forces.append(_PLAIN_FRICTION * load if grows else max(sizes))
    return tuple(found[0]), tuple(found[1])


def _force(
    law: TyreLaw, radius: float, stiffness: float, load: float, slip: float, aside: bool
) -> float:
    along, across = (0.0, float(slip)) if aside else (float(slip), 0.0)
    contact = Contact(
        load, along, across, forward_speed=_SPEED, radius=radius, deflection=load / stiffness
    )
    try:
        forces = law(with_velocities(contact))
        return abs(float(forces.Fy if aside else forces.Fx))
    except AxletreeError:  # a law that does not slip
        return _PLAIN_FRICTION * load
