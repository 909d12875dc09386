"""Manoeuvres that vehicles drive on soft ground, at and near rest.

What they ask for follows from what the vehicle is able to on its soil.
"""

from __future__ import annotations

import math
from typing import Any

from axletree.ground.surfaces import Ramp
from axletree.metrics.vehicle_signals import BRAKE, THROTTLE
from axletree.model.manoeuvre import Manoeuvre
from axletree.runs.acceleration_and_braking import Coasting
from axletree.runs.slopes import HillClimb, SlopeStart, SlopeStop
from axletree.runs.soft_ground import DrawbarPull, SoftSpot
from axletree.runs.standard_manoeuvres import FORWARD
from axletree.vehicles.assembly import HOOK_FORCE
from axletree.vehicles.soil_mobility import SoilMobility, soil_mobility
from axletree.vehicles.suspensions import SIDES
from axletree.vehicles.vehicle import Vehicle
from axletree.wheel.soils.contract import SoilLaw
from axletree.wheel.soils.layers import SoilMap, SoilPatch

_SPEED = 1.0  # m/s, at which clutches of engines still slip, so that throttles are torques
CLIMBED, _STEEPEST = 0.3, math.radians(8.0)  # of the slope that it could climb, and at most
_BEYOND = 2.0  # of the greatest pull, that a pull comes to
HILL, HILL_LENGTH, HILL_EDGE = 0.6, 300.0, 150.0  # slope [1] that it gets to, and lengths [m]
RUN_UP = 1.0  # m, from the first wheels to the foot of the hill
SPOT_AHEAD, SPOT_LENGTH, SPOT_WIDTH = 4.0, 3.0, 50.0  # m, of the soft spot from the first wheels
SOFTENED = ("cohesive_modulus", "frictional_modulus", "cone_index")
SOFT = 0.7  # of their value, in a soft spot


def soil_manoeuvres(vehicle: Vehicle) -> dict[str, Manoeuvre]:
    """By name; a file of a vehicle may have others, and others of these names."""
    axles = vehicle.every_axle.values()
    if all(axle.drive is None for axle in axles):
        return {"coasting": Coasting(speed=_SPEED, forward=FORWARD)}
    able = soil_mobility(vehicle)
    driven: dict[str, Any] = {"drives": (THROTTLE,), "drive": able.throttle(able.best_traction)}
    found: dict[str, Manoeuvre] = {
        "drawbar-pull": DrawbarPull(
            speed=0.0, forward=FORWARD, loads=(HOOK_FORCE,), begin=1.0, rise=60.0,
            force=-_BEYOND * max(able.maximum_pull, 0.0),
            pulls=_of_wheels(vehicle, "drawbar_pull"), **driven,
        ),
    }  # fmt: skip
    if any(axle.brakes is not None for axle in axles):
        found |= _on_slopes(able)
    first = vehicle.ends[0]
    if not vehicle.fidelity.is_planar:
        hill = Ramp(
            x=first + RUN_UP, rise=HILL * (HILL_LENGTH - HILL_EDGE), length=HILL_LENGTH,
            edge=HILL_EDGE,
        )  # fmt: skip
        found["hill-climb"] = HillClimb(
            speed=0.0, forward=FORWARD, slopes=_of_wheels(vehicle, "slope"), road=hill, **driven
        )
    soft = _softened(vehicle.soil.law) if vehicle.soil is not None else None
    if soft is not None and able.moves and all(axle.soil is None for axle in axles):
        middle = first + SPOT_AHEAD + 0.5 * SPOT_LENGTH
        patch = SoilPatch(soft, SPOT_LENGTH, SPOT_WIDTH, x=middle)
        assert vehicle.soil is not None
        found["soft-spot"] = SoftSpot(
            speed=_SPEED, forward=FORWARD, driven_by=(THROTTLE,), duration=20.0,
            sinkages=_of_wheels(vehicle, "sinkage"), ground=SoilMap(vehicle.soil.law, (patch,)),
        )  # fmt: skip
    return found


def _on_slopes(able: SoilMobility) -> dict[str, Manoeuvre]:
    slope = max(0.0, min(_STEEPEST, CLIMBED * able.steepest))
    drive = able.throttle(0.5 * (able.traction_for(slope) + able.best_traction))
    brakes: dict[str, Any] = {"slope": slope, "forward": FORWARD, "pedals": (BRAKE,)}
    found: dict[str, Manoeuvre] = {
        "slope-start": SlopeStart(**brakes, drives=(THROTTLE,), drive=drive)
    }
    if able.moves:
        found["slope-stop"] = SlopeStop(**brakes, speed=_SPEED, driven_by=(THROTTLE,))
    return found


def _softened(law: SoilLaw) -> SoilLaw | None:
    """The law on softer soil; None where it has no number for that."""
    own = law.numbers.items()
    soft = {name: SOFT * value for name, value in own if name.rpartition(".")[2] in SOFTENED}
    return law.with_numbers(soft) if soft else None


def _of_wheels(vehicle: Vehicle, output: str) -> tuple[str, ...]:
    return tuple(
        f"{name}_{side}_soil.{output}"
        for name in vehicle.every_axle
        for side in SIDES
        if vehicle.soil_under(name) is not None
    )
