"""Replay: a vehicle driven by the inputs of its own run gives the run again."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import axletree as at
from axletree.analysis.measurements.agreement import agreement
from axletree.analysis.measurements.channel_sources import MeasurementError
from axletree.analysis.measurements.measurement import Measurement
from axletree.analysis.measurements.replay import ReplayedDrive, replay_plan
from axletree.core.errors import SimulationError
from axletree.model.model import Model
from axletree.simulation.trajectory import Trajectory

MOTION = ["vehicle.yaw_rate", "vehicle.lateral_acceleration", "vehicle.forward_speed"]
CONTROLS = ["driver.steering", "driver.throttle", "driver.brake"]


@cache
def car() -> Model:
    return at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}})


@cache
def first_run() -> Trajectory:
    """Braking in a turn: steering, throttle and brake all move."""
    return car().drive(
        "iso-7975-braking-in-turn", outputs=[*MOTION, *CONTROLS], step="2 ms",
        record_interval="10 ms", watch=False,
    )  # fmt: skip


def measured(names: list[str], begin: float = 0.0) -> Measurement:
    run = first_run()
    columns = {name: run[name] for name in names}
    units = {name: run.units[name] for name in names}
    return Measurement("drive.mf4", run.time + begin, columns, units, {})


def test_pedals_and_steering_give_the_run_again() -> None:
    """The way between records is all that differs: error of order interval squared and more."""
    record = measured([*MOTION, *CONTROLS], begin=100.0)
    again = car().replay(record, step="2 ms", watch=False)
    assert again.time[0] == 100.0
    found = agreement(again, record)
    for name in MOTION:
        assert found[name].statistics.normalised_rms < 2e-5, name
        assert found[name].statistics.determination > 0.9999999


def test_a_speed_is_followed_by_pedals_of_its_own() -> None:
    record = measured([*MOTION, "driver.steering"])
    again = car().replay(record, step="2 ms", watch=False)
    found = agreement(again, record)
    speeds = found["vehicle.forward_speed"]
    assert np.ptp(speeds.measured) > 10.0  # m/s: it brakes
    assert speeds.statistics.normalised_rms < 0.02
    assert found["vehicle.yaw_rate"].statistics.determination > 0.99
    assert again["driver.brake"].max() > 0.1


def test_acceleration_is_integrated_where_no_speed_is_measured() -> None:
    run = first_run()
    change = np.gradient(run["vehicle.forward_speed"], run.time)
    columns = {
        "driver.steering": run["driver.steering"], "vehicle.longitudinal_acceleration": change,
    }  # fmt: skip
    units = {"driver.steering": "rad", "vehicle.longitudinal_acceleration": "m/s^2"}
    record = Measurement("drive.csv", run.time, columns, units, {})
    with pytest.raises(MeasurementError, match="give the speed at the start"):
        replay_plan(car(), record)
    plan = replay_plan(car(), record, speed=float(run["vehicle.forward_speed"][0]))
    wanted = plan.manoeuvre.signals["driver.speed"].evaluate(run.time)
    np.testing.assert_allclose(wanted, run["vehicle.forward_speed"], atol=0.02)
    assert "integral of vehicle.longitudinal_acceleration" in plan.notes[-1]


def test_a_linear_model_has_no_drive_and_keeps_its_speed() -> None:
    linear = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}})
    run = linear.drive("iso-7401-step", outputs=[*MOTION, "driver.steering"], watch=False)
    names = [*MOTION, "driver.steering"]
    units = {name: run.units[name] for name in names}
    record = Measurement("drive.csv", run.time, {n: run[n] for n in names}, units, {})
    assert replay_plan(linear, record).notes[-1] == "no drive in this model: coasts"
    found = agreement(linear.replay(record, watch=False), record)
    assert found["vehicle.yaw_rate"].statistics.normalised_rms < 1e-5


def test_what_cannot_be_replayed_says_why() -> None:
    whole = measured([*MOTION, *CONTROLS])
    with pytest.raises(SimulationError, match=r"pendulum has no input driver\.steering"):
        at.read_model("pendulum").replay(whole)
    with pytest.raises(MeasurementError, match=r"has no channel driver\.steering"):
        car().replay(measured(MOTION))
    with pytest.raises(MeasurementError, match="has none of driver.throttle"):
        car().replay(measured([*MOTION, "driver.steering"]), by=ReplayedDrive.PEDALS)
    slow = measured([*MOTION, "driver.steering"])
    columns = {**slow.columns, "vehicle.forward_speed": 0.0 * slow.time}
    standing = Measurement("drive.mf4", slow.time, columns, slow.units, {})
    with pytest.raises(MeasurementError, match="a speed is followed from at least"):
        car().replay(standing)
    back = {**slow.columns, "vehicle.forward_speed": slow["vehicle.forward_speed"] - 40.0}
    with pytest.raises(MeasurementError, match="begins forwards or at rest"):
        car().replay(Measurement("drive.mf4", slow.time, back, slow.units, {}))


def test_a_driver_without_a_path_leaves_the_wheel_to_an_input() -> None:
    changed = car().with_changes({"vehicle": {"driver": {"speed": 20.0}}})
    system = changed.formulate()
    inputs = {quantity.name for quantity in system.inputs}
    assert {"driver.steering", "driver.speed"} <= inputs
    assert {"driver.throttle", "driver.brake"} <= {q.name for q in system.states}
    with pytest.raises(at.AxletreeError, match="speeds are chosen along a path"):
        car().with_changes({"vehicle": {"driver": {"speed": 20.0, "pace": {"share": 0.6}}}})


def test_a_file_is_driven_by_its_name(tmp_path: Path) -> None:
    """As by the measurement that is read of it."""
    path = tmp_path / "drive.csv"
    rows = [f"{0.1 * k:.1f};{2.0 * min(k, 5):.1f};72" for k in range(11)]
    path.write_text("\n".join(["t;LWI;v", "s;deg;km/h", *rows]), encoding="utf-8")
    channels = {"driver.steering": "LWI", "vehicle.forward_speed": "v"}
    by_name = car().replay(path, channels=channels, watch=False)
    measured = at.read_measurement(path, channels)
    again = car().replay(measured, watch=False)
    np.testing.assert_array_equal(by_name["vehicle.yaw_rate"], again["vehicle.yaw_rate"])
    with pytest.raises(MeasurementError, match="is read already"):
        car().replay(measured, channels=channels)
