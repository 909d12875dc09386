"""Manoeuvres of vehicles with trailers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from axletree.model.manoeuvres.contract import Manoeuvre
from axletree.model.manoeuvres.pulse_steer import PulseSteer
from axletree.model.manoeuvres.sine_steer import SineSteer
from axletree.vehicles.rolling import rolling_together
from axletree.vehicles.settling import full_name
from axletree.vehicles.vehicle import Vehicle

PERIOD = 2.5  # s, of the steering wheel in a lane change
LANE_CHANGE, PULSE = 2.0, 4.0  # m/s^2, of lateral acceleration that angles are set for


def trailer_manoeuvres(
    vehicle: Vehicle, begins: Mapping[str, Any], angle: Callable[[float], float]
) -> dict[str, Manoeuvre]:
    """By name, with the angle of the steering wheel [rad] for a lateral acceleration [m/s^2]."""
    names = list(vehicle.trailers)
    if not names:
        return {}
    ahead, _ = vehicle.ends
    swings: list[dict[str, Any]] = [
        {"type": "rearward-amplification", "last": names[-1], "ahead": ahead}
    ]
    if not vehicle.fidelity.is_planar:
        swings.append({"type": "rollover", "axles": _held(vehicle)})
    towing = names[-2] if len(names) > 1 else "vehicle"
    dies = {"type": "trailer-damping", "trailer": names[-1], "towing": towing}
    change = SineSteer(
        **begins, amplitude=angle(LANE_CHANGE), period=PERIOD, periods=1.0, duration=8.0,
        metrics=_written(swings),
    )  # fmt: skip
    pulse = PulseSteer(**begins, angle=angle(PULSE), duration=10.0, metrics=_written([dies]))
    return {
        "single-lane-change": change, "iso-14791-lane-change": change,
        "trailer-pulse": pulse, "iso-9815-pulse": pulse,
    }  # fmt: skip


def _held(vehicle: Vehicle) -> list[str]:
    """Axles that the last trailer tips on: of all that rolls with it, those that do not steer."""
    units = list(vehicle.units)
    together = next(
        names
        for names in (tuple(rolling_together(vehicle, first)) for first in units)
        if units[-1] in names
    )
    return [
        full_name(name, axle)
        for name in together
        for axle, own in vehicle.units[name].axles.items()
        if own.steering is None
    ]


def _written(metrics: list[dict[str, Any]]) -> Any:
    """Metrics as files write them; they are made when they are first used."""
    return tuple(metrics)
