"""A driver in the equations: stays on circles, comes back to lines, passes cones or does not."""

from __future__ import annotations

import math
import re
from functools import cache
from pathlib import Path as File
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner
from vehicles.test_vehicle import described, written

import axletree as at
from axletree.catalogue import PATHS
from axletree.cli.app import app
from axletree.core.registry import load
from axletree.ground.paths import Path
from axletree.metrics.findings import Finding
from axletree.system.system import System
from axletree.vehicles.assembly import assemble_vehicle
from axletree.vehicles.vehicle import Vehicle

RADIUS, WHEELBASE, REAR = 30.0, 2.5, 1.4  # m, of the circle and of the car
RATIO = 16.0
SIDE_TO_SIDE = 1.8  # m, width of the car
FORWARD = {"forward": "chassis.vx", "driven_by": ("driver.throttle",)}


def path(word: str) -> Path:
    made: Path = load("path", word, PATHS)(**({"radius": RADIUS} if word == "circle" else {}))
    return made


@cache
def car(word: str) -> System:
    model = at.Model("car")
    given = {**described(), "fidelity": "two-track", "driver": {"path": path(word)}}
    assemble_vehicle(Vehicle(**given), model)
    return model.formulate()


def driven(
    word: str, speed: float, parameters: dict[str, float] | None = None, **more: Any
) -> at.Trajectory:
    manoeuvre = at.FollowPath(path=path(word), speed=speed, **FORWARD, **more)
    return car(word).drive(manoeuvre, step=2e-3, parameters=parameters, watch=False)


# -- steering -----------------------------------------------------------------------------------
def test_it_stays_on_a_circle() -> None:
    run = driven("circle", 5.0)
    assert np.abs(run["driver.offset"]).max() < 0.01
    on = run["driver.station"] > 45.0
    # Wheels that roll where they point: tan(angle) = wheelbase / radius of the rear axle's circle.
    rolling = math.atan(WHEELBASE / math.sqrt(RADIUS**2 - REAR**2))
    assert run["driver.steering"][on][-1] / RATIO == pytest.approx(rolling, rel=0.02)


def test_who_takes_the_wheelbase_for_shorter_drives_beside_the_circle() -> None:
    """Where K = k - 2 e / L^2, wanted with the wheelbase he believes in, is the circle's own."""
    L = 5.0 * 1.0
    known = {"driver.look_ahead": 1.0, "driver.understeer": 0.0}
    exact = driven("circle", 5.0, known)["driver.offset"][-1]
    short = {**known, "driver.wheelbase": 0.9 * WHEELBASE}
    believed = driven("circle", 5.0, short)["driver.offset"][-1]
    assert believed - exact == pytest.approx(-(1.0 / 0.9 - 1.0) / RADIUS * L**2 / 2.0, rel=0.03)


def test_the_way_back_to_a_line_is_that_of_a_damped_oscillator() -> None:
    """e'' + 2 e' / T + 2 e / T^2 = 0, where hands and tyres are quick beside T."""
    T = 4.0
    back = {"initial": {"chassis.y": 0.5}, "duration": 16.0}
    run = driven("straight", 10.0, {"driver.look_ahead": T}, **back)
    t = run.time
    expected = 0.5 * np.exp(-t / T) * (np.cos(t / T) + np.sin(t / T))
    assert run["vehicle.y"] == pytest.approx(expected, abs=0.02)
    assert run["driver.offset"] == pytest.approx(run["vehicle.y"], abs=1e-9)


@pytest.mark.parametrize("speed", [5.0, 20.0, 45.0])
def test_it_is_steady_at_any_speed(speed: float) -> None:
    run = driven("straight", speed, initial={"chassis.y": 1.0}, duration=12.0)
    assert run["driver.offset"].min() > -0.35
    assert np.abs(run["driver.offset"][-500:]).max() < 5e-3


def test_angle_rate_and_acceleration_of_the_wheel_belong_together() -> None:
    run = driven("straight", 20.0, initial={"chassis.y": 1.0}, duration=3.0)
    for value, rate in (("steering", "steering_rate"), ("steering_rate", "steering_acceleration")):
        slope = np.gradient(run[f"driver.{value}"], run.time)
        peak = np.abs(run[f"driver.{rate}"]).max()
        # Away from the start, where the hands are told of the offset from one instant to the next.
        assert slope[9:-1] == pytest.approx(run[f"driver.{rate}"][9:-1], abs=2e-3 * peak)
    mean = 0.5 * (run["front_left_steer.angle"] + run["front_right_steer.angle"])
    assert mean * RATIO == pytest.approx(run["driver.steering"], abs=1e-3)


# -- speed --------------------------------------------------------------------------------------
@pytest.mark.parametrize(("begin", "kept"), [(10.0, 20.0), (30.0, 15.0)])
def test_speed_settles(begin: float, kept: float) -> None:
    run = driven("straight", begin, {"driver.speed": kept}, duration=20.0)
    speed = run["vehicle.forward_speed"]
    assert speed[-1] == pytest.approx(kept, abs=0.02)
    beyond = (speed - kept) * math.copysign(1.0, kept - begin)
    assert beyond.max() < 0.08 * abs(kept - begin)  # the integral does not run away meanwhile
    pedals = run["driver.throttle"], run["driver.brake"]
    assert all(pedal.min() > -1e-9 and pedal.max() < 1.0 + 1e-9 for pedal in pedals)
    assert max(pedal.max() for pedal in pedals) > 0.9


# -- cones --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("word", "speed", "passes"),
    [
        ("iso-3888-1", 80.0, True),
        ("iso-3888-1", 120.0, False),
        ("iso-3888-2", 45.0, True),
        ("iso-3888-2", 80.0, False),
    ],
)
def test_a_lane_change_is_passed_at_some_speeds(word: str, speed: float, passes: bool) -> None:
    manoeuvre = at.FollowPath(path=path(word), speed=speed / 3.6, width=SIDE_TO_SIDE, **FORWARD)
    run = car(word).drive(manoeuvre, step=2e-3)
    found = {one.name: one for one in manoeuvre.findings(run)}
    assert found["passed"].value == passes
    assert (found["cones_hit"].value == 0.0) == passes
    assert (found["clearance"].value >= 0.0) == passes
    # By the corners of the car alone: none is outside of the second lane while it is beside it.
    lane = path(word).lanes()[1]  # type: ignore[attr-defined]
    outside = []
    for along in (2.0, -2.2):
        for across in (0.9, -0.9):
            c, s = np.cos(run["vehicle.heading"]), np.sin(run["vehicle.heading"])
            x = run["vehicle.x"] + along * c - across * s
            y = run["vehicle.y"] + along * s + across * c
            beside = (x > lane.begin) & (x < lane.end)
            outside.append(((y > lane.left) | (y < lane.right))[beside].any())
    assert any(outside) == (not passes)


# -- files --------------------------------------------------------------------------------------
@pytest.mark.slow
def test_a_file_is_driven_through_the_cones(tmp_path: File, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, vehicle=described())
    command = ["run", "car.yaml", "iso-3888-1", "--model", "single-track", "--speed", "60 km/h"]
    result = CliRunner().invoke(app, [*command, "--step", "5 ms", "--pictures"])
    assert result.exit_code == 0, result.output
    assert re.search(r"cones hit or missed\W+0\n", result.output)
    folder = tmp_path / "out" / "car" / "iso-3888-1-single-track"
    assert (folder / "run.npz").exists()
    assert (folder / "path.png").read_bytes().startswith(b"\x89PNG")
    assert ">Path</h2>" in (folder / "report.html").read_text(encoding="utf-8")


def test_what_cannot_be_followed_is_said() -> None:
    model = at.Model("car")
    assemble_vehicle(Vehicle(**described(), fidelity="single-track"), model)
    manoeuvre = at.FollowPath(path="straight", speed=20.0, forward="chassis.vx")
    with pytest.raises(at.AxletreeError, match=r"read_model\(file, manoeuvre.changes\)"):
        model.formulate().drive(manoeuvre)
    given = described()
    del given["axles"]["front"]["steering"]
    with pytest.raises(at.AxletreeError, match="no axle has a steering"):
        assemble_vehicle(Vehicle(**given, driver={"path": "straight"}), at.Model("car"))
    with pytest.raises(at.AxletreeError, match="a path is followed at a speed above 0"):
        at.FollowPath(path="straight", speed=0.0)


def test_findings_are_numbers_with_names() -> None:
    manoeuvre = at.FollowPath(path="straight", speed=20.0)
    (found,) = manoeuvre.findings(driven("straight", 20.0, duration=1.0))
    assert isinstance(found, Finding)
    assert (found.name, found.unit) == ("maximum_path_deviation", "m")
    assert found.value < 1e-9


def test_a_file_with_inputs_of_its_own_is_read_with_a_driver(tmp_path: File) -> None:
    """Brakes by pressure follow what the driver leaves open, and a run's pedals are left out."""
    given = described()
    given["axles"]["front"]["brakes"] = {"torque_per_pressure": 2e-4}
    run = {"duration": 1.0, "inputs": {"driver.throttle": 0.2, "driver.brake_pressure": "1 bar"}}
    lap = {"type": "follow-path", "speed": "36 km/h", "path": "slalom", "forward": "chassis.vx"}
    lap |= {"driven_by": "driver.throttle"}
    file = written(tmp_path, vehicle=given, run=run, manoeuvres={"lap": lap})
    changes = at.read_model(file).manoeuvres["lap"].changes
    model = at.read_model(file, changes)
    assert list(model.run.inputs) == ["driver.brake_pressure"]
    open_inputs = {"driver.brake_pressure", "driver.clutch", "driver.correction"}
    assert open_inputs == {q.name for q in model["driver"].inputs()}
    assert model.manoeuvres["lap"].span == pytest.approx(26.4)  # 263.5 m at 10 m/s
