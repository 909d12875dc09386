"""The sedan with a torque converter: stall, creep, a cycle, and what is told of wrong ones."""

from __future__ import annotations

import math
from functools import cache

import pytest

import axletree as at
from axletree.analysis.drive_cycle import CycleResult
from axletree.core.errors import ModelError, TrimError
from axletree.simulation.trajectory import Trajectory
from axletree.vehicles.data_sheet import data_sheet
from axletree.vehicles.drive_and_brakes import Drive

STALLED = 3.4325e-3  # N m s^2/rad^2, of the published curve at a turbine that stands
RATIO = 5.7656 / 3.4325  # of its torques there
GEARS = 4.7 * 3.15 * 0.92
OUTPUTS = ("rear_drive.engine_torque", "rear_drive.torque", "rear_drive.speed",
           "rear_drive.lock_up", "rear_drive.gear")  # fmt: skip


@cache
def car() -> at.Model:
    return at.read_model("automatic-sedan", {"vehicle": {"fidelity": "single-track"}})


@cache
def driven(manoeuvre: str) -> Trajectory:
    return car().drive(manoeuvre, outputs=OUTPUTS)


def finding(run: Trajectory, name: str) -> float:
    return next(float(one.value) for one in run.findings if one.name == name)


def test_the_data_sheet_has_the_stall_speed_by_the_k_factor() -> None:
    """The engine has 300 N m there: K sqrt(T), with K = 1 / sqrt(k) in rpm / sqrt(N m)."""
    sheet = data_sheet(car().described["vehicle"])
    K = 30.0 / math.pi / math.sqrt(STALLED)
    assert sheet["rear stall speed"] == pytest.approx(K * math.sqrt(300.0), rel=1e-4)
    force = RATIO * 300.0 * GEARS / 0.325
    assert sheet["rear stall force at the wheels"] == pytest.approx(force, rel=1e-3)
    manual = data_sheet(at.read_model("sedan").described["vehicle"])
    assert not [row for row in manual.rows if "stall" in row.name]


def test_on_the_brakes_the_engine_comes_to_its_stall_speed() -> None:
    run = driven("stall")
    rate = run["rear_drive.speed"][-1]
    torque = run["rear_drive.engine_torque"][-1]
    assert rate == pytest.approx(math.sqrt(torque / STALLED), rel=1e-3)
    assert finding(run, "stall_speed") == pytest.approx(30.0 / math.pi * rate)
    assert run["rear_drive.torque"][-1] == pytest.approx(RATIO * torque * GEARS, rel=1e-3)
    rear = car().described["vehicle"].axles["rear"].brakes
    assert run["rear_drive.torque"][-1] == pytest.approx(0.7 * 2.0 * rear.greatest, rel=0.02)
    assert finding(run, "distance") < 1e-3


def test_it_creeps_with_the_force_of_the_data_sheet_to_a_steady_speed() -> None:
    run, vehicle = driven("creep"), car().described["vehicle"]
    force = data_sheet(vehicle)["rear creep force at rest"]
    turning = sum(2.0 * a.wheel.spin_inertia / a.wheel.radius**2 for a in vehicle.axles.values())
    expected = force / (vehicle.mass + turning)  # tyres that hardly roll resist little
    assert finding(run, "creep_acceleration") == pytest.approx(expected, rel=0.02)
    assert 4.0 < finding(run, "creep_speed") < 9.0
    k = len(run.time) - 200
    assert run["chassis.vx"][k] == pytest.approx(run["chassis.vx"][-1], rel=1e-4)


def test_its_clutch_closes_from_the_second_gear_on() -> None:
    run = driven("acceleration")
    first = run["rear_drive.gear"] > 4.699
    assert run["rear_drive.lock_up"][first].max() == 0.0
    locked = run["rear_drive.gear"] < 2.2
    assert run["rear_drive.lock_up"][locked].min() == 1.0
    manual = at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}}).drive("acceleration")
    assert finding(run, "time_to_speed") == pytest.approx(finding(manual, "time_to_speed"), rel=0.1)


@cache
def cycled() -> CycleResult:
    burns = {"rear": {"drive": {"source": {"fuel": {"type": "willans", "efficiency": 0.4}}}}}
    plane = {"fidelity": "single-track", "axles": burns}
    hop = at.DriveCycle("hop", (0.0, 2.0, 10.0, 13.0, 18.0, 20.0), (0.0, 0.0, 9.0, 9.0, 0.0, 0.0))
    return at.read_model("automatic-sedan", {"vehicle": plane}).cycle(hop)


def test_a_cycle_from_rest_closes_with_what_the_converter_takes() -> None:
    """It stands on its brakes, against the idling engine, and drives off; nothing is lost."""
    result = cycled()
    flows = {flow.name: flow.energy for flow in result.flows}
    assert result.residual < 1e-5
    assert 0.05 < flows["torque converters"] / flows["gears and engines"] < 1.0
    assert abs(result.run["chassis.vx"][result.run.time < 1.9]).max() < 1e-6
    assert result["fuel_consumption"] > 5.0
    assert result["time_off_cycle"] == 0.0


def test_without_fuel_the_engine_is_the_supply() -> None:
    hop = at.DriveCycle("hop", (0.0, 1.0, 5.0), (0.0, 0.0, 4.0))
    result = car().cycle(hop)
    assert [flow.name for flow in result.supplied] == ["from the engine"]
    assert result.residual < 1e-5


def test_motors_at_wheels_have_none() -> None:
    vehicle = at.read_model("automatic-sedan").described["vehicle"]
    own = vehicle.axles["rear"].drive.converter
    with pytest.raises(ModelError, match="wheel_motors has no converter"):
        at.read_model("electric-car", {"vehicle": {"axles": {"rear": {"drive": {
            "wheel_motors": True, "converter": own}}}}})  # fmt: skip
    with pytest.raises(ModelError, match="converter needs a source"):
        Drive(torque=500.0, converter=own)


def test_at_rest_without_brakes_the_engine_is_named() -> None:
    with pytest.raises(TrimError, match="idles behind a torque converter .* driver.brake"):
        car().formulate().trim(speed=0.0)
    held = car().formulate().trim(speed=0.0, inputs={"driver.brake": 0.5})
    creep = data_sheet(car().described["vehicle"])["rear creep force at rest"]
    assert held["rear_drive.torque"] == pytest.approx(creep * 0.325, rel=1e-6)
