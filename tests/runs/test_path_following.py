"""What a driver knows of a vehicle: by its description, and by how it answers the wheel."""

from __future__ import annotations

import cmath
import math
from functools import cache

import numpy as np
import pytest
from vehicles.test_vehicle import described

import axletree as at
from axletree.analysis.drive import drive_start
from axletree.runs.follow_path import FollowPath
from axletree.system.system import System
from axletree.vehicles.assembly import _softening, assemble_vehicle
from axletree.vehicles.linear_single_track import LinearSingleTrack, linear_single_track
from axletree.vehicles.vehicle import Vehicle

SPEED = 25.0  # m/s
QUICK = 0.6  # Hz


@cache
def car() -> tuple[FollowPath, System, LinearSingleTrack]:
    path = at.CentreLinePath(through=[[0, 0], [80, 0], [130, 3], [180, 0], [300, 0]])
    model = at.Model("car")
    vehicle = Vehicle(**described(), fidelity="single-track", driver={"path": path, "speed": SPEED})
    assemble_vehicle(vehicle, model)
    drive = FollowPath(path=path, speed=SPEED, forward="chassis.vx", driven_by=("driver.throttle",))
    return drive, model.formulate(), linear_single_track(vehicle)


def answer(own: LinearSingleTrack, s: complex) -> complex:
    """Curvature of the path by the angle of the wheels, from forces and moments of two axles."""
    (a, front), (b, rear) = (
        (axle.position - own.centre, axle.stiffness) for axle in own.axles.values()
    )
    c, d = (axle.position - own.centre - axle.trail for axle in own.axles.values())  # of forces
    # Unknown are the sideslip angle and the yaw rate.
    matrix = np.array([
        [own.mass * SPEED * s + front + rear, own.mass * SPEED + (a * front + b * rear) / SPEED],
        [c * front + d * rear, own.yaw_inertia * s + (a * c * front + b * d * rear) / SPEED],
    ])  # fmt: skip
    slip, yaw = np.linalg.solve(matrix, [front, c * front])
    return complex((s * slip + yaw) / SPEED)


def test_a_driver_learns_how_the_vehicle_answers() -> None:
    drive, system, own = car()
    known = {q.name: q.default for q in system.parameters}
    learnt = drive_start(system, drive, {}).parameters
    wheelbase, rear = known["driver.wheelbase"], known["driver.rear"]
    steady = 1.0 / abs(answer(own, 0.0))
    understeer = (steady - wheelbase) / SPEED**2
    assert learnt["driver.understeer"] == pytest.approx(understeer, rel=0.05)
    w = 2.0 * math.pi * QUICK
    quick = answer(own, 1j * w) * steady
    stiffer = 1.0 + float(learnt["driver.understeer"]) * SPEED**2 / wheelbase
    late = float(learnt["driver.response"]) * SPEED / stiffer - rear / SPEED
    late += known.get("driver.tyre_lag", 0.0) / SPEED
    assert late == pytest.approx(-cmath.phase(quick) / w, abs=0.005)
    less = float(learnt["driver.keenness"]) * SPEED**2 / stiffer - 0.5 * (rear / SPEED) ** 2
    assert 1.0 / (1.0 + less * w * w) == pytest.approx(abs(quick), rel=0.01)
    # The description alone, without trails of tyres, tells much the same.
    for name in ("response", "keenness"):
        assert known[f"driver.{name}"] == pytest.approx(learnt[f"driver.{name}"], rel=0.1)


def test_what_is_given_is_not_learnt() -> None:
    drive, system, _ = car()
    given = {"driver.response": 1e-3}
    assert drive_start(system, drive, given).parameters["driver.response"] == 1e-3


def test_anticipation_makes_up_for_lags() -> None:
    """Who looks ahead too little or answers too little comes off the line several times as far."""
    drive, system, _ = car()

    def offset(**given: float) -> float:
        believes = {f"driver.{name}": value for name, value in given.items()}
        run = system.drive(drive, step=5e-3, parameters=believes)
        swerve = (run["driver.station"] > 85.0) & (run["driver.station"] < 200.0)
        return float(np.abs(run["driver.offset"][swerve]).max())

    knows = offset()  # of 3 m to the side and back, at 3.6 m/s^2
    assert knows < 0.03
    assert offset(response=1e-6) > 4.0 * knows


@pytest.mark.parametrize("name", ["sedan", "truck-4x2", "van"])
def test_tyres_get_softer_the_more_they_are_used(name: str) -> None:
    curve = _softening(at.read_model(name).described["vehicle"])
    assert curve.y[0] == 1.0
    assert all(np.diff(curve.y) > -0.02)
    assert 1.1 < curve.y[-1] < 3.0
