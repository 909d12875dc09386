"""Edges of the turns that a driver can make: those of all searches for limits."""

from __future__ import annotations

import numpy as np

from axletree.analysis.handling.turn_branch import Ending
from axletree.analysis.steady.turning import ALONG, EFFORT, TURN_STEERING, Turning
from axletree.core.arrays import FloatArray
from axletree.vehicles.suspensions import SIDES

SIDEWAYS = np.radians(25.0)  # of sideslip, beyond which no turns are looked for
# Of road wheels: a description has no stop of the steering, and no vehicle is to be limited by one
# that it may not have. Steerings of cars end at some 30 to 45 deg. Chosen: with 35 and 60 deg the
# limits of shipped vehicles are the same to 1e-3.
_FULL_LOCK = np.radians(45.0)
# Times the path speed, of the faster rim of an axle: slips of one half, at which a tyre slides as
# that of a locked wheel does (sxS of TMeasy is 0.5 to 0.6). Chosen: with 0.25 and 4, and with 0.7
# and 1.5, limits are the same to 1e-3 but for a racing car that brakes and turns.
_LOCKS, _SPINS = 0.5, 2.0
_BACKWARDS = -0.02  # likewise, of any rim: brakes do not turn wheels backwards
_ROUNDING = 2e-6  # of margins: rad, shares of a pedal, of a speed


class TurnBounds:
    """Edges of the turns that count: pedals, sideslip, steering, and axles that roll.

    Beyond what its pedals give a vehicle is towed. A locked axle leaves it no direction: in
    front nothing steers it, behind nothing keeps it from spinning round. One wheel of an axle may
    lock.
    """

    def __init__(self, turning: Turning, lock: float = _FULL_LOCK) -> None:
        """Maximum road wheel angle [rad], by the ratio of the steering."""
        self.turning = turning
        vehicle = turning.of.vehicle
        steerings = (axle.steering for axle in vehicle.axles.values())
        self._ratio = min((one.ratio for one in steerings if one is not None), key=abs)
        self._steering_wheel = abs(self._ratio) * lock  # [rad], its greatest angle
        self._steering = turning.names.index(TURN_STEERING.name)
        self._wheels = {
            name: [k for k, q in enumerate(turning.names) if q in _rates(name)]
            for name in vehicle.every_axle
        }
        self._radii = {name: axle.wheel.radius for name, axle in vehicle.every_axle.items()}

    def margins(self, y: FloatArray) -> dict[Ending, float]:
        """What is left of each [rad, or shares]; negative beyond an edge."""
        left = self.rows(y)
        return {
            Ending.BRAKE: left[0], Ending.THROTTLE: left[1], Ending.SIDEWAYS: left[2:4].min(),
            Ending.FULL_LOCK: left[4:6].min(),
            Ending.LOCKED: left[6::4].min(initial=1.0),
            Ending.SPINNING: left[7::4].min(initial=1.0),
        }  # fmt: skip

    def hold(self, y: FloatArray) -> bool:
        """Whether a turn is within all of them."""
        return bool(self.rows(y).min() >= -_ROUNDING)

    def locked_axle(self, y: FloatArray) -> str:
        """The one whose rims are slowest."""
        return min(self._wheels, key=lambda name: self._radii[name] * y[self._wheels[name]].max())

    def start(
        self,
        straight: FloatArray,
        sideslip: float,
        wheels: float,
        rims: float,
        accelerations: FloatArray,
    ) -> FloatArray:
        """What a search may begin at, though it is no turn, from unknowns straight ahead.

        Angles of sideslip and road wheels [rad], how many times as fast rims turn, and the
        accelerations along and across the path [m/s^2].
        """
        y, names = straight.copy(), self.turning.names
        speed, (along, across) = float(self.turning.rows(straight)[-3]), accelerations
        given = {
            "chassis.vx": speed * np.cos(sideslip), "chassis.vy": speed * np.sin(sideslip),
            "chassis.rate": across / speed, "chassis.wz": across / speed,
            TURN_STEERING.name: self._ratio * wheels, EFFORT.name: along / np.hypot(along, across),
            ALONG.name: along,
        }  # fmt: skip
        for k, name in enumerate(names):
            y[k] = wheels if name.endswith("_kingpin.angle") else given.get(name, y[k])
        y[[k for own in self._wheels.values() for k in own]] *= rims
        return y

    def rows(self, y: FloatArray) -> FloatArray:
        """What must not be negative: pedals, sideslip, steering wheel, and four of each axle."""
        speed = float(self.turning.rows(y)[-3])
        ranges = [
            (y[self.turning.effort], -1.0, 1.0),
            (self.turning.sideslip(y), -SIDEWAYS, SIDEWAYS),
            (y[self._steering], -self._steering_wheel, self._steering_wheel),
        ]  # fmt: skip
        for name, wheels in self._wheels.items():
            slow, fast = np.sort(self._radii[name] / speed * y[wheels])[[0, -1]]
            ranges += [(fast, _LOCKS, _SPINS), (slow, _BACKWARDS, _SPINS)]
        return np.array([left for q, low, high in ranges for left in (q - low, high - q)])

    def row_slopes(self, y: FloatArray) -> FloatArray:
        """d rows / d y."""
        unit, slopes = np.eye(len(y)), self.turning.rows.slopes(y)
        speed, by_speed = float(self.turning.rows(y)[-3]), slopes[-3]
        by = [unit[self.turning.effort], slopes[-1], unit[self._steering]]
        for name, wheels in self._wheels.items():
            order = [wheels[k] for k in np.argsort(y[wheels])]
            for k in (order[-1], order[0]):
                by.append(self._radii[name] / speed * (unit[k] - y[k] / speed * by_speed))
        return np.array([sign * own for own in by for sign in (1.0, -1.0)])


def _rates(axle: str) -> list[str]:
    """Names of the spin rates of an axle's wheels."""
    return [f"{axle}_{side}_axle.rate" for side in SIDES]
