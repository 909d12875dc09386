"""What a vehicle is able to on its soil, by the law of its wheels under their static loads."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from axletree.expr import evaluate, number
from axletree.model.model import STANDARD_GRAVITY
from axletree.vehicles.statics import wheel_loads
from axletree.vehicles.units import Axle
from axletree.vehicles.vehicle import Vehicle
from axletree.vehicles.wheels import law_wheel
from axletree.wheel.soils.contract import SoilLaw

_SLIPS = np.linspace(0.02, 1.0, 50)  # of driven wheels
TOWED = np.linspace(-0.3, 0.0, 61)  # of others, among which one turns without torque


@dataclass(frozen=True)
class SoilMobility:
    """Forces [N] of a vehicle on level ground, without what inertia and height move of its load."""

    weight: float
    resistance: float  # of all wheels, towed
    traction: NDArray[np.float64]  # torque of driven wheels over their radius, over slip
    pull: NDArray[np.float64]  # of the whole vehicle, over slip
    rim_force: float  # of the drives, from rest with the throttle open

    @property
    def maximum_pull(self) -> float:
        """Negative where it does not move."""
        return float(self.pull.max())

    @property
    def moves(self) -> bool:
        return self.maximum_pull > 0.0

    @property
    def steepest(self) -> float:
        """The slope that it can climb [rad], negative where it does not move."""
        return math.asin(max(min(self.maximum_pull / self.weight, 1.0), -1.0))

    @property
    def best_traction(self) -> float:
        """At which it pulls most."""
        return float(self.traction[self.pull.argmax()])

    def traction_for(self, slope: float) -> float:
        """That carries it up a slope [rad], or the best."""
        enough = np.flatnonzero(self.pull >= self.weight * math.sin(slope))
        return float(self.traction[enough[0]]) if enough.size else self.best_traction

    def throttle(self, force: float) -> float:
        """The position at which the drives make a force [N] at rest, or 1."""
        return min(1.0, force / self.rim_force)


def soil_mobility(vehicle: Vehicle) -> SoilMobility:
    """Of a vehicle of which at least one axle is driven, all on soil."""
    loads, resistance, rim_force = wheel_loads(vehicle), 0.0, 0.0
    traction, pull = np.zeros_like(_SLIPS), np.zeros_like(_SLIPS)
    for name, axle in vehicle.every_axle.items():
        soil = vehicle.soil_under(name)
        if soil is None:
            continue
        towed = 2.0 * _towed(soil.law, axle, loads[name])
        resistance += towed
        if axle.drive is None:
            pull = pull - towed
            continue
        forces = soil.law(np.full_like(_SLIPS, loads[name]), law_wheel(axle, slip=_SLIPS))
        traction = traction + 2.0 * forces.torque / axle.wheel.radius
        pull = pull + 2.0 * forces.drawbar_pull
        rim_force += _full_torque(axle) / axle.wheel.radius
    return SoilMobility(
        vehicle.train_mass * STANDARD_GRAVITY, resistance, traction, pull, rim_force
    )


def _towed(law: SoilLaw, axle: Axle, load: float) -> float:
    """The resistance of a wheel that turns without any torque [N]."""
    forces = law(np.full_like(TOWED, load), law_wheel(axle, slip=TOWED))
    return -float(np.interp(0.0, forces.torque, forces.drawbar_pull))


def _full_torque(axle: Axle) -> float:
    """On the wheels of an axle, from rest with the throttle open [N m]."""
    drive = axle.drive
    assert drive is not None
    if drive.source is None:
        assert drive.torque is not None
        return 2.0 * drive.torque
    stalled = drive.stalled()
    if stalled is not None:
        return stalled.torque
    source = drive.source.torque(number(1.0), number(0.0), drive.source.numbers)
    ratio = drive.gears[0] * drive.final_drive
    return ratio * drive.share * drive.efficiency * float(evaluate([source], {})[0])
