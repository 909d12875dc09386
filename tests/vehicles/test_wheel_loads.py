"""Wheel loads of the planar two-track model: balances by hand, and the full model beside it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from vehicles.test_vehicle import described

import axletree as at
from axletree.core.errors import ModelError
from axletree.expr import evaluate, number, symbol
from axletree.model.model import STANDARD_GRAVITY
from axletree.vehicles.assembly import assemble_vehicle
from axletree.vehicles.statics import heights_of_masses, wheel_heights, wheel_loads
from axletree.vehicles.vehicle import Vehicle
from axletree.vehicles.wheel_loads import QuasiStaticLoads

WHEELS = ("front_left", "front_right", "rear_left", "rear_right")


@cache
def turn(fidelity: str, name: str = "sedan", **bars: str) -> dict[str, float]:
    axles = {axle: {"suspension": {"anti_roll": rate}} for axle, rate in bars.items()}
    car = at.read_model(name, {"vehicle": {"fidelity": fidelity, "axles": axles}}).formulate()
    found = car.trim(speed="20 m/s", lateral_acceleration="5 m/s^2")
    return {wheel: found[f"{wheel}_tyre.Fz"] for wheel in WHEELS} | {
        "steering": found.inputs["driver.steering"]
    }


def vehicle_of(name: str) -> Vehicle:
    found: Vehicle = at.read_model(name).described["vehicle"]
    return found


def test_in_a_turn_loads_are_those_of_the_full_model() -> None:
    plane, full = turn("two-track"), turn("full")
    for wheel in WHEELS:
        assert plane[wheel] == pytest.approx(full[wheel], rel=0.02)
    weight = STANDARD_GRAVITY * vehicle_of("sedan").mass
    assert sum(plane[wheel] for wheel in WHEELS) == pytest.approx(weight, rel=5e-3)


def test_a_bar_in_front_takes_load_transfer_to_the_front_and_adds_understeer() -> None:
    soft, stiff = turn("two-track", front="5 kN/m"), turn("two-track", front="40 kN/m")
    moved = [found["front_right"] - found["front_left"] for found in (soft, stiff)]
    assert moved[1] > 1.2 * moved[0]
    assert stiff["steering"] > soft["steering"]


def test_braking_takes_mass_times_height_over_wheelbase_to_the_front() -> None:
    model = at.read_model("sedan", {"vehicle": {"fidelity": "two-track"}})
    car, own = model.formulate(), vehicle_of("sedan")
    start = car.trim({"chassis.vx": 25.0}).states
    inputs = {"driver.brake": "0.3*min(t/0.2, 1)"}
    run = car.simulate(1.5, step=2e-3, method="rk4", initial=start, inputs=inputs)
    heights = wheel_heights(own)
    moment = sum(mass * height for mass, height in heights_of_masses(own, ""))
    for name, axle in own.axles.items():
        spun = 2.0 * axle.wheel.spin_inertia / heights[name]
        moment += axle.unsprung_mass * heights[name] + spun
    slower = -run["vehicle.longitudinal_acceleration"][-1]
    assert slower > 2.0
    front = run["front_left_tyre.Fz"][-1] + run["front_right_tyre.Fz"][-1]
    lift = _pressed(own, float(run["vehicle.forward_speed"][-1]))[0]
    expected = 2.0 * wheel_loads(own)["front"] + lift + moment * slower / own.wheelbase
    assert front == pytest.approx(expected, rel=1e-3)


def _pressed(own: Vehicle, speed: float) -> tuple[float, float]:
    """Loads of the air on the front and the rear axle [N]."""
    assert own.air is not None
    pressure = 0.5 * 1.225 * speed**2 * own.air.area
    return -pressure * own.air.front_lift, -pressure * own.air.rear_lift


def test_wings_press_the_axles_down() -> None:
    own = vehicle_of("formula-student")
    model = at.read_model("formula-student", {"vehicle": {"fidelity": "two-track"}})
    found = model.formulate().trim({"chassis.vx": 25.0}, find=["driver.throttle"])
    for axle, pressed in zip(("front", "rear"), _pressed(own, 25.0), strict=True):
        both = found[f"{axle}_left_tyre.Fz"] + found[f"{axle}_right_tyre.Fz"]
        assert both == pytest.approx(2.0 * wheel_loads(own)[axle] + pressed, rel=1e-6)


def _loads(along: float, across: float) -> np.ndarray:
    """Of a car with 3 kN under each front and 2 kN under each rear wheel."""
    ground, body = at.Model().ground, at.RigidBody("body", 1000.0)
    loads = QuasiStaticLoads(
        "wheel_loads", ground, body, ("front", "rear"), standing=(3e3, 2e3), shifted=(0.0, 0.0),
        pitch=(-100.0, 100.0), roll=(250.0, 150.0), lift=(0.0, 0.0), track=(1.5, 1.4),
    )  # fmt: skip
    x, y = symbol("along"), symbol("across")
    means = loads._means(x, number(0.0))
    wanted = [*means, *loads._shifts(means, y)]
    values = {q.symbol: q.default for q in loads.parameters()} | {x: along, y: across}
    return np.array(evaluate(wanted, values))


def test_no_wheel_pulls_and_nothing_is_lost() -> None:
    front, rear, over, behind = _loads(2.0, 5.0)
    assert (front, rear, over, behind) == pytest.approx((2800.0, 2200.0, 1250.0, 750.0))
    # The inner front wheel is up: the rear axle takes the rest of the moment, by its own track.
    front, rear, over, behind = _loads(0.0, 12.2)
    assert (front, over) == pytest.approx((3000.0, 3000.0))
    assert 1.5 * over + 1.4 * behind == pytest.approx(12.2 * (1.5 * 250.0 + 1.4 * 150.0))
    # Both inner wheels are up, and the front axle is.
    assert _loads(0.0, -40.0) == pytest.approx([3000.0, 2000.0, -3000.0, -2000.0])
    assert _loads(50.0, 0.0) == pytest.approx([0.0, 5000.0, 0.0, 0.0])


def test_a_body_that_its_springs_do_not_hold_upright_is_refused() -> None:
    given: dict[str, Any] = described()
    for axle in given["axles"].values():
        axle["suspension"] |= {"stiffness": 1.0, "anti_roll": 0.0}
    soft = Vehicle(**given, fidelity="two-track")
    model = at.Model("soft")
    with pytest.raises(ModelError, match="too soft to carry it in roll.*or take two-track-static"):
        assemble_vehicle(soft, model)
    assemble_vehicle(replace(soft, fidelity="two-track-static"), at.Model("static"))
