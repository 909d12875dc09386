"""Drives, brakes by pressure, an elastic column and loads, as vehicles describe them."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from vehicles.test_vehicle import G, described

import axletree as at
from axletree.core.errors import ModelError
from axletree.system.system import System
from axletree.vehicles.assembly import assemble_vehicle
from axletree.vehicles.data_sheet import data_sheet
from axletree.vehicles.statics import wheel_heights, wheel_loads
from axletree.vehicles.vehicle import Vehicle

STIFFNESS, RATIO = 110.0, 16.0  # N m/rad of the column
SOURCE = {"type": "electric-motor", "full_torque": 300.0, "full_power": 1e5, "cut_off": 1500.0}


def equipped() -> dict[str, Any]:
    given = described()
    front, rear = given["axles"]["front"], given["axles"]["rear"]
    front["drive"] = {"source": SOURCE, "final_drive": 9.0, "efficiency": 0.95}
    front["steering"] |= {"column_stiffness": STIFFNESS, "column_damping": 0.5, "trail": 0.02}
    front["brakes"] = {"torque_per_pressure": "15 N*m/bar", "pedal_pressure": "120 bar"}
    front["brakes"]["slip_limit"] = 0.08
    rear["brakes"] = {"torque_per_pressure": "9 N*m/bar", "knee_pressure": "30 bar"}
    given["loads"] = {
        "driver": {"mass": "75 kg", "position": [0.1, 0.0, 0.6]},
        "luggage": {"mass": "90 kg", "position": ["-1.5 m", 0.0, 0.7]},
    }
    return given


@cache
def car() -> System:
    model = at.Model("car")
    assemble_vehicle(Vehicle(**equipped()), model)
    return model.formulate()


def test_loads_press_the_axles_by_their_levers_and_make_it_sink() -> None:
    """Moments about the rear axle; springs and tyres in series take what is added."""
    vehicle = Vehicle(**equipped())
    added = G * (75.0 * 1.5 + 90.0 * -0.1) / 2.5
    empty = wheel_loads(Vehicle(**described()))
    assert wheel_loads(vehicle)["front"] == pytest.approx(empty["front"] + 0.5 * added)
    assert data_sheet(vehicle)["mass"] == pytest.approx(Vehicle(**described()).mass + 165.0)
    trimmed = car().trim({"chassis.vx": 20.0}).states
    run = car().simulate(0.01, step=1e-3, method="rk4", initial=trimmed)
    for axle, load in wheel_loads(vehicle).items():
        assert run[f"{axle}_left_tyre.Fz"][0] == pytest.approx(load, rel=5e-3)
    rear = G * 165.0 - added
    assert trimmed["rear_heave.position"] == pytest.approx(0.5 * rear / 2.4e4, rel=0.03)
    # Toe and camber press the front wheels outward, which lifts the body by their guides a little.
    travel = trimmed["front_left_suspension.travel"]
    assert travel == pytest.approx(0.5 * added / 2.2e4, abs=6e-4)


def test_the_elastic_column_stays_behind_and_the_motor_gives_its_power() -> None:
    """The moment of both wheels about their kingpins, over that of the column at the wheels."""
    system = car()
    start = system.trim({"chassis.vx": 20.0})
    inputs = {"driver.steering": "0.4*min(t/0.3, 1)^2", "driver.throttle": 0.05}
    run = system.simulate(2.5, step=1e-3, method="rk4", initial=start.states, inputs=inputs)
    sides = ("left", "right")
    twist = np.mean([run[f"front_{side}_steer.twist"][-1] for side in sides])
    moment = sum(
        run[f"front_{side}_tyre.Mz"][-1] - 0.02 * run[f"front_{side}_tyre.Fy"][-1] for side in sides
    )
    assert twist > 1e-3
    assert twist == pytest.approx(-moment / (STIFFNESS * RATIO**2), rel=0.05)
    mean = np.mean([run[f"front_{side}_kingpin.angle"][-1] for side in sides])
    assert mean == pytest.approx(0.4 / RATIO - twist, abs=2e-4)  # but for the Ackermann geometry
    shaft = run["front_drive.speed"][-1]
    wheels = np.mean([run[f"front_{side}_axle.rate"][-1] for side in sides])
    assert shaft == pytest.approx(9.0 * wheels)
    assert run["front_drive.torque"][-1] == pytest.approx(0.05 * 1e5 / shaft * 9.0 * 0.95)


def test_brakes_have_the_pressure_of_the_pedal_and_of_the_line() -> None:
    system = car()
    start = system.trim({"chassis.vx": 20.0}).states
    inputs = {"driver.brake": 0.1, "driver.brake_pressure": 25e5}
    run = system.simulate(0.01, step=1e-3, method="rk4", initial=start, inputs=inputs)
    assert run["front_left_brake.torque"][-1] == pytest.approx(15.0 * (12.0 + 25.0))
    assert run["rear_right_brake.torque"][-1] == pytest.approx(9.0 * (30.0 + 0.3 * 5.0))


def test_brakes_with_a_slip_limit_give_way_before_the_wheels_lock() -> None:
    """Full pedal: 1800 N m at a front wheel, where its tyre takes some 1200 N m."""
    system = car()
    start = system.trim({"chassis.vx": 20.0}).states
    inputs = {"driver.brake": "min(t/0.1, 1)"}
    run = system.simulate(1.2, step=1e-3, method="rk4", initial=start, inputs=inputs)
    radius = wheel_heights(Vehicle(**equipped()))["front"]
    after = run.time > 0.4
    speed, rate = run["vehicle.forward_speed"][after], run["front_left_axle.rate"][after]
    slip = 1.0 - radius * rate / speed
    assert slip.min() > 0.08
    assert slip.max() < 0.18
    expected = 1800.0 * (1.0 - (slip - 0.08) / 0.1)
    assert run["front_left_brake.limited_torque"][after] == pytest.approx(expected, abs=60.0)
    assert -run["front_left_brake.friction"][after] == pytest.approx(
        run["front_left_brake.limited_torque"][after], rel=1e-9
    )
    lost = (speed[0] - speed[-1]) / (run.time[-1] - run.time[after][0])
    assert 5.0 < lost < 9.0


@pytest.mark.parametrize(
    ("axle", "piece", "change", "message"),
    [
        ("front", "drive", {"torque": 100.0}, "either torque, at full throttle, or a source"),
        ("front", "drive", {"source": None}, "either torque, at full throttle, or a source"),
        ("front", "drive", {"gears": [2.0, 1.0]}, "2 gears need a shift_rate"),
        ("front", "drive", {"source": {"type": "steam"}}, "unknown part 'steam'"),
        ("front", "drive", {"source": None, "torque": 9.0}, "final_drive needs a source"),
        ("front", "brakes", {"torque": 100.0}, "either torque, with the pedal down, or torque_per"),
        ("front", "brakes", {"torque_per_pressure": "3 N*m"}, "write for example '2.5 N"),
        ("rear", "brakes", {"torque_per_pressure": None, "torque": 9.0}, "knee_pressure needs"),
        ("front", "steering", {"column_stiffness": None}, "column_damping needs a column_stiff"),
    ],
)
def test_what_does_not_go_together_is_refused(
    axle: str, piece: str, change: dict[str, Any], message: str
) -> None:
    given = equipped()
    given["axles"][axle][piece] |= change
    with pytest.raises(ModelError, match=message):
        Vehicle(**given)


def test_loads_that_would_tip_it_are_refused() -> None:
    given = equipped()
    given["loads"]["luggage"] = {"mass": 2000.0, "position": [-4.0, 0.0, 1.0]}
    with pytest.raises(ModelError, match="loads: they are so far out"):
        Vehicle(**given)
