"""A circle on which speed rises, against the ramp at one speed and the closed form."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from vehicles.test_fidelity import planar_numbers, system, vehicle
from vehicles.test_vehicle import described

import axletree as at
from axletree.ground.path_driver import Pace
from axletree.runs.standard_manoeuvres import path_manoeuvres, standard_manoeuvres
from axletree.vehicles.assembly import assemble_vehicle
from axletree.vehicles.pieces import Driver
from axletree.vehicles.vehicle import Vehicle

RADIUS, SPEED = 100.0, 80.0 / 3.6  # m, of the circle; m/s, of the ramp
METHOD = "subdivided-rk45"


@pytest.mark.slow
def test_gradients_at_one_radius_are_those_at_one_speed() -> None:
    """K is one number; sideslip is l / R - c a, so that its slope differs by l / v^2."""
    own = vehicle("single-track")
    circle = path_manoeuvres(own)["iso-4138-constant-radius"]
    model = at.Model("car")
    led = replace(own, driver=Driver(**circle.changes["vehicle"]["driver"]))
    assemble_vehicle(led, model)
    run = model.formulate().drive(circle, step=2e-3, method=METHOD, outputs=[])
    found = {one.name: one.value for one in circle.findings(run)}
    ramp = standard_manoeuvres(own)["iso-4138-ramp"]
    ramped = system("single-track").drive(ramp, step=2e-3, method=METHOD, outputs=[])
    told = {one.name: one.value for one in ramp.findings(ramped)}
    mass, _, a, b, front, rear = planar_numbers()
    length = a + b
    K = mass / length * (b / front - a / rear)
    assert found["maximum_path_deviation"] < 0.05
    assert found["understeer_gradient"] == pytest.approx(told["understeer_gradient"], rel=0.03)
    assert found["understeer_gradient"] == pytest.approx(math.degrees(K), rel=0.03)
    closed = -math.degrees(mass * a / length / rear)
    assert found["sideslip_gradient"] == pytest.approx(closed, rel=0.03)
    behind = -own.axles["rear"].position
    other = told["sideslip_gradient"] - math.degrees(behind / SPEED**2)
    assert found["sideslip_gradient"] == pytest.approx(other, rel=0.03)
    # Speed doubles meanwhile: there is no sensitivity at one speed. The level is not passed by far.
    assert math.isnan(found["steering_sensitivity"])
    assert found["maximum_lateral_acceleration"] == pytest.approx(3.0, rel=0.03)
    side = run["vehicle.yaw_rate"] * run["vehicle.forward_speed"]
    rate = np.gradient(side, run.time)[(side > 0.5) & (side < 2.9)]
    assert 0.0 < np.percentile(rate, 1) < np.percentile(rate, 99) < 0.05  # m/s^2 in a second: slow


def test_the_circle_ends_where_the_level_is_reached() -> None:
    """Of a vehicle that would tip at 0.9 g or so, and of one that is tall."""
    for given in (
        described(),
        {**described(), "body": {**described()["body"], "centre_height": 1.5}},
    ):
        circle = path_manoeuvres(Vehicle(**given))["iso-4138-constant-radius"]
        line, pace = circle.path.line, circle.pace  # type: ignore[attr-defined]
        speeds = pace.speeds(line.station, line.curvature)
        last = float(np.interp(circle.path.finish, line.station, speeds))  # type: ignore[attr-defined]
        assert last == pytest.approx(pace.top, rel=1e-3)
        assert pace.top**2 / RADIUS <= 3.0 + 1e-9


def test_a_pace_may_begin_slowly() -> None:
    """v^2 = v0^2 + 2 a s where it is straight."""
    pace = Pace(lateral=8.0, driving=0.5, braking=5.0, start=4.0)
    s = np.linspace(0.0, 50.0, 501)
    assert pace.speeds(s, np.zeros(501)) == pytest.approx(np.sqrt(16.0 + s), rel=1e-9)
    assert pace.speeds(s, np.zeros(501), first=6.0)[0] == 6.0
