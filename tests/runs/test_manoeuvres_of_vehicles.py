"""Standard manoeuvres of vehicles, and what they are measured for, against closed forms."""

from __future__ import annotations

import hashlib
import json
import math
import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner
from vehicles.test_fidelity import RATIO, planar_numbers, system, vehicle
from vehicles.test_vehicle import described, written

import axletree as at
from axletree import catalogue
from axletree.analysis.drive import drive_start
from axletree.analysis.handling.steer_response import response_of_linear
from axletree.analysis.studies.comparison import ComparedRun, comparison_table
from axletree.cli.app import app
from axletree.cli.run import run_plan
from axletree.components.file_entries import written_part
from axletree.core.errors import AxletreeError, ModelError
from axletree.core.registry import load
from axletree.metrics.acceleration_and_braking import Stopping
from axletree.metrics.findings import yes_no
from axletree.metrics.steering_response import (
    LATERAL_RESPONSE,
    bandwidth,
    estimate_response,
    response_of_run,
)
from axletree.metrics.vehicle_signals import YAW_RATE
from axletree.model_files.included_files import source_files
from axletree.reports.results import RunRecipe, write_metrics
from axletree.runs.ground_manoeuvres import ground_manoeuvres
from axletree.runs.standard_manoeuvres import emergency_pedal, path_manoeuvres, standard_manoeuvres
from axletree.simulation.trajectory import Trajectory
from axletree.vehicles.assembly import assemble_vehicle
from axletree.vehicles.pieces import Driver
from axletree.vehicles.statics import wheel_loads
from axletree.vehicles.steer_estimate import steering_wheel_angle
from axletree.vehicles.vehicle import Vehicle

SPEED = 80.0 / 3.6
METHOD = "subdivided-rk45"
TWICE = {
    "iso-7401-step": "step-steer", "iso-4138-ramp": "ramp-steer", "iso-7401-sine": "sine-steer",
    "iso-7401-pulse": "pulse-steer", "iso-7401-sweep": "frequency-sweep",
    "iso-7401-random": "random-steer",
    "iso-19365-sine-with-dwell": "sine-with-dwell", "iso-21994-braking": "braking",
    "iso-7975-braking-in-turn": "braking-in-turn", "iso-10521-coast-down": "coast-down",
}  # fmt: skip


@dataclass(frozen=True)
class Recorded:
    time: np.ndarray
    columns: dict[str, np.ndarray]

    def __getitem__(self, name: str) -> np.ndarray:
        return self.columns[name]

    def __contains__(self, name: object) -> bool:
        return name in self.columns


@cache
def driven(name: str) -> tuple[Trajectory, dict[str, float]]:
    """A run of the single-track model with linear tyres, and its findings."""
    manoeuvre = standard_manoeuvres(vehicle("single-track"))[name]
    run = system("single-track").drive(manoeuvre, step=2e-3, method=METHOD, outputs=[*NAMES])
    return run, {found.name: found.value for found in manoeuvre.findings(run)}


NAMES = (
    "vehicle.forward_speed", "vehicle.lateral_speed", "vehicle.yaw_rate", "vehicle.sideslip",
    "vehicle.roll", "vehicle.x", "vehicle.y", "vehicle.heading", "driver.steering", "driver.brake",
    "driver.throttle",
)  # fmt: skip


# -- what there is ------------------------------------------------------------------------------
def test_every_vehicle_drives_the_standard_manoeuvres(tmp_path: Path) -> None:
    found = at.read_model(written(tmp_path, vehicle=described())).manoeuvres
    assert {*TWICE, *TWICE.values(), "coasting", "acceleration"} <= set(found)
    assert all(found[name] == found[other] for name, other in TWICE.items())


def test_the_pedal_goes_all_the_way_down_with_anti_lock_systems_alone() -> None:
    given = described()
    assert 0.0 < emergency_pedal(Vehicle(**given)) < 1.0
    for axle in given["axles"].values():
        axle["brakes"]["slip_limit"] = 0.1
    found = standard_manoeuvres(Vehicle(**given))
    usual: Any = found["braking"]
    assert found["iso-21994-braking"] == replace(usual, pedal=1.0)
    given["axles"]["rear"]["brakes"]["slip_limit"] = None
    assert emergency_pedal(Vehicle(**given)) < 1.0


def test_of_a_vehicle_that_spins_no_stopping_distance_is_told() -> None:
    time = np.linspace(0.0, 5.0, 501)
    columns = {
        "driver.brake": np.minimum(time, 1.0),
        "vehicle.forward_speed": np.maximum(20.0 - 5.0 * time, 0.0),
        "vehicle.lateral_speed": 0.0 * time,
    }
    for turn, told in ((1.5, True), (1.7, False)):
        run: Any = Recorded(time, {**columns, "vehicle.heading": turn * time / 5.0})
        found = {one.name: one for one in Stopping().findings(run)}
        assert found["maximum_heading_change"].value == pytest.approx(math.degrees(turn))
        distance = found["stopping_distance"]
        assert (distance.value == pytest.approx(40.0, rel=1e-3)) == told
        assert math.isnan(distance.value) != told
        assert ("spins" in distance.description) != told


def test_a_trailing_vehicle_has_those_that_it_can_drive() -> None:
    """Without drive, brakes and steering it coasts."""
    given = described()
    for axle in given["axles"].values():
        for key in ("drive", "brakes", "steering"):
            axle.pop(key, None)
    found = standard_manoeuvres(Vehicle(**given))
    assert set(found) == {"coasting", "coast-down", "iso-10521-coast-down"}


def test_manoeuvres_of_a_vehicle_can_be_written_to_a_file() -> None:
    for name, manoeuvre in standard_manoeuvres(vehicle("full")).items():
        fields = written_part(manoeuvre, name, "MANOEUVRES")
        kind = load("manoeuvre", fields.pop("type"), catalogue.MANOEUVRES)
        assert kind(**fields) == manoeuvre


# -- the linear single-track model --------------------------------------------------------------
def understeer() -> tuple[float, float]:
    """Wheelbase [m], and K = m / L (b / C_f - a / C_r) [rad/(m/s^2)]."""
    mass, _, a, b, front, rear = planar_numbers()
    return a + b, mass / (a + b) * (b / front - a / rear)


def test_a_ramp_finds_the_understeer_gradient_of_the_closed_form() -> None:
    length, K = understeer()
    _, found = driven("ramp-steer")
    assert found["understeer_gradient"] == pytest.approx(math.degrees(K), rel=3e-2)
    assert found["characteristic_speed"] == pytest.approx(3.6 * math.sqrt(length / K), rel=2e-2)
    speed = SPEED
    sensitivity = math.radians(1.0) * speed**2 / (RATIO * (length + K * speed**2))
    assert found["steering_sensitivity"] == pytest.approx(sensitivity, rel=2e-2)
    assert "roll_gradient" not in found  # in the plane


def test_a_step_finds_the_gains_of_the_closed_form() -> None:
    length, K = understeer()
    run, found = driven("step-steer")
    speed = float(np.mean(run["vehicle.forward_speed"][run.time > 5.0]))
    gain = speed / (RATIO * (length + K * speed**2))
    assert found["yaw_rate_gain"] == pytest.approx(gain, rel=1e-2)
    expected = gain * speed * math.radians(1.0)
    assert found["lateral_acceleration_gain"] == pytest.approx(expected, rel=1e-2)
    assert found["steady_lateral_acceleration"] == pytest.approx(4.0, rel=1e-5)  # its level


def test_the_angle_of_a_level_goes_smoothly_with_a_parameter() -> None:
    """A quadratic through three masses hits the fourth; by its slope the angle is seen to move."""
    made, step = system("single-track"), standard_manoeuvres(vehicle("single-track"))["step-steer"]
    masses = [1180.0 * (1.0 + share) for share in (-0.01, 0.0, 0.01, 0.02)]
    driven: list[Any] = [drive_start(made, step, {"body.mass": m}).manoeuvre for m in masses]
    angles = [one.angle for one in driven]
    expected = angles[0] - 3.0 * angles[1] + 3.0 * angles[2]
    assert angles[3] == pytest.approx(expected, rel=1e-6)
    assert abs(angles[3] / angles[0] - 1.0) > 1e-3


def test_a_step_recomputed_by_hand() -> None:
    """Times after ISO 7401, by the records alone."""
    run, found = driven("step-steer")
    t, wheel, yaw = run.time, run["driver.steering"], run["vehicle.yaw_rate"]
    half = t[np.argmax(wheel >= 0.5 * wheel[-1])]
    steady = np.mean(yaw[t >= t[-1] - 1.0])
    assert found["yaw_rate_response_time"] == pytest.approx(
        t[np.argmax(yaw >= 0.9 * steady)] - half, abs=5e-3
    )
    assert found["yaw_rate_peak_time"] == pytest.approx(t[np.argmax(yaw)] - half, abs=5e-3)
    assert found["yaw_rate_overshoot"] == pytest.approx(100.0 * (max(yaw) / steady - 1.0), abs=1e-9)
    slip = abs(math.degrees(np.mean(run["vehicle.sideslip"][t >= t[-1] - 1.0])))
    assert found["tb_factor"] == pytest.approx(slip * found["yaw_rate_peak_time"], rel=1e-9)


def test_a_constant_radius_is_that_of_the_path_and_of_the_closed_form() -> None:
    """a = v^2 / R and ratio (atan(L / R) + K a) at the steering wheel; the velocity is along the
    rear wheels but for their slip. The driver stays a centimetre beside the path."""
    turn = path_manoeuvres(vehicle("single-track"))["constant-radius"]
    model = at.Model("car")
    led = replace(vehicle("single-track"), driver=Driver(**turn.changes["vehicle"]["driver"]))
    assemble_vehicle(led, model)
    run = model.formulate().drive(turn, step=2e-3, method=METHOD, outputs=[])
    found = {one.name: one.value for one in turn.findings(run)}
    (length, K), (mass, _, a, _, _, rear) = understeer(), planar_numbers()
    behind = -led.axles["rear"].position  # the axle from the centre of the body's mass
    v, radius = 40.0 / 3.6, 40.0
    side = v**2 / radius
    assert found["steady_speed"] == pytest.approx(v, rel=1e-3)
    assert found["steady_radius"] == pytest.approx(radius, rel=1e-3)
    assert found["steady_lateral_acceleration"] == pytest.approx(side, rel=2e-3)
    wheel = math.degrees(RATIO * (math.atan(length / radius) + K * side))
    assert found["steering_wheel_angle"] == pytest.approx(wheel, rel=1e-2)
    assert "steady_roll" not in found
    sideslip = math.degrees(behind / radius - mass * a / length * side / rear)
    assert found["steady_sideslip"] == pytest.approx(sideslip, rel=2e-2)


def planar_response(frequencies: np.ndarray) -> dict[str, np.ndarray]:
    """Of the linear single-track model with two states, to the steering wheel."""
    mass, inertia, a, b, front, rear = planar_numbers()
    v = SPEED
    A = np.array([
        [-(front + rear) / (mass * v), (b * rear - a * front) / (mass * v) - v],
        [(b * rear - a * front) / (inertia * v), -(a * a * front + b * b * rear) / (inertia * v)],
    ])  # fmt: skip
    B = np.array([front / mass, a * front / inertia]) / RATIO
    s = 2j * np.pi * frequencies
    lateral, yaw = np.array([np.linalg.solve(one * np.eye(2) - A, B) for one in s]).T
    return {YAW_RATE: yaw, LATERAL_RESPONSE: s * lateral + v * yaw}


@pytest.mark.parametrize("name", ["frequency-sweep", "pulse-steer"])
def test_sweep_pulse_and_linearisation_have_one_frequency_response(name: str) -> None:
    """And that is the one of the model with two states, but for wheels that are turned."""
    frequencies = np.geomspace(0.2, 3.0, 60)
    run, found = driven(name)
    of_run = response_of_run(run, frequencies)
    made = system("single-track")
    linear = made.linearise(
        made.trim({"chassis.vx": SPEED}).states,
        outputs=["vehicle.yaw_rate", "vehicle.lateral_speed"],
    )
    of_linear, closed = response_of_linear(linear, SPEED, frequencies), planar_response(frequencies)
    for key, word in ((YAW_RATE, "yaw_rate"), (LATERAL_RESPONSE, "lateral_acceleration")):
        gain = np.abs(of_linear[key])
        assert np.abs(of_run[key] - of_linear[key]) == pytest.approx(0.0, abs=2e-2 * gain[0])
        assert np.abs(of_linear[key] - closed[key]) == pytest.approx(0.0, abs=3e-2 * gain[0])
        expected = bandwidth(frequencies, gain)
        assert found[f"{word}_bandwidth"] == pytest.approx(expected, rel=2e-2)


def test_random_steering_has_the_frequency_response_of_the_linearisation() -> None:
    """By spectra, where the transform of a run that rings out is of no use."""
    run, found = driven("random-steer")
    seen = estimate_response(run, 0.2, 3.0, 20.0)
    closed = planar_response(seen.frequencies)
    for key, word in ((YAW_RATE, "yaw_rate"), (LATERAL_RESPONSE, "lateral_acceleration")):
        gain = np.abs(closed[key])
        assert np.abs(seen.response[key] - closed[key]) == pytest.approx(0.0, abs=4e-2 * gain[0])
        expected = bandwidth(seen.frequencies, gain)
        assert found[f"{word}_bandwidth"] == pytest.approx(expected, rel=3e-2)
    assert found["coherence"] > 0.98


def test_random_steering_is_the_same_again_and_another_by_number() -> None:
    first, again, other = (
        at.RandomSteer(speed=20.0, steering=["steer"], deviation=0.02, realisation=number)
        for number in (1, 1, 2)
    )
    assert first.signals == again.signals
    assert first.signals != other.signals
    with pytest.raises(ModelError, match="there are no waves that fit 0.1 s"):
        at.RandomSteer(speed=20.0, steering=["steer"], deviation=0.02, duration=0.1)


# -- others ---------------------------------------------------------------------------------------
def test_a_stop_is_as_long_as_the_pedal_is_set_for() -> None:
    """6 m/s^2 by radii without load, of which wheels that turn take a part; while the pedal goes
    down for 0.2 s, half of that passes without braking."""
    run, found = driven("braking")
    mass, radius = turned_mass()
    expected = 6.0 * vehicle("full").mass / mass * 0.31 / radius
    mean = found["mean_fully_developed_deceleration"]
    assert mean == pytest.approx(expected, rel=1e-2)
    v = 100.0 / 3.6
    assert found["stopping_distance"] == pytest.approx(0.1 * v + v * v / (2.0 * mean), rel=5e-3)
    covered = run["vehicle.x"][-1] - np.interp(1.0, run.time, run["vehicle.x"])
    assert covered == pytest.approx(found["stopping_distance"], abs=5e-3)


def turned_mass() -> tuple[float, float]:
    """The mass with what wheels add to it [kg], and the mean of their radii under load [m]."""
    own, loads = vehicle("full"), wheel_loads(vehicle("full"))
    axles = own.axles.items()
    radii = {name: axle.wheel.radius - loads[name] / axle.tyre.stiffness for name, axle in axles}
    wheels = sum(2.0 * axle.wheel.spin_inertia / radii[name] ** 2 for name, axle in axles)
    return own.mass + wheels, sum(radii.values()) / len(radii)


def test_a_turn_is_braked_from_the_acceleration_that_it_is_set_for() -> None:
    _, found = driven("braking-in-turn")
    assert found["first_lateral_acceleration"] == pytest.approx(4.0, rel=1e-2)
    assert found["mean_deceleration"] == pytest.approx(4.0 * 0.9, rel=5e-2)
    assert 0.9 < found["yaw_rate_ratio"] < 1.3


def test_a_sine_with_dwell_is_one_period_and_a_rest() -> None:
    run, found = driven("sine-with-dwell")
    wheel, period = run["driver.steering"], 1.0 / 0.7
    top = 5.0 * steering_wheel_angle(vehicle("full"), SPEED, 0.3 * 9.80665)
    assert max(wheel) == pytest.approx(top, rel=1e-4)
    rests = (run.time > 1.0 + 0.75 * period) & (run.time < 1.5 + 0.75 * period)
    assert wheel[rests] == pytest.approx(-top, rel=1e-9)
    after = run.time > 1.5 + period
    assert wheel[after] == pytest.approx(0.0, abs=1e-12)
    assert (found["stable"], found["responsive"]) == (1.0, 1.0)  # with tyres that never slide


def test_an_acceleration_is_that_of_the_torque() -> None:
    _, found = driven("acceleration")
    mass, radius = turned_mass()
    expected = 2.0 * 800.0 / radius / mass
    assert found["maximum_acceleration"] == pytest.approx(expected, rel=1e-2)
    gained = (100.0 - 10.0) / 3.6
    assert found["time_to_speed"] == pytest.approx(gained / expected + 0.1, rel=1e-2)


def test_a_speed_that_the_drive_cannot_keep_is_said_and_one_that_it_can() -> None:
    """By the power of its engine: 300 km/h are too fast for the sedan, 150 km/h are not."""
    model = at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}})
    fast = replace(model.manoeuvres["step-steer"], speed=300.0 / 3.6)
    says = "sedan cannot begin the manoeuvre at 300 km/h.*driver.throttle keeps that speed; at "
    with pytest.raises(AxletreeError, match=says + r"(240|195|150) km/h there is one"):
        model.formulate().drive(fast)


def test_what_is_yes_or_no_is_so_in_tables() -> None:
    no_run: Any = None
    rows = [ComparedRun(word, no_run, (yes_no("passed", word == "a", "passes between all cones"),))
            for word in "ab"]  # fmt: skip
    table = comparison_table(rows)
    assert table is not None
    assert re.search(r"^passes between all cones +yes +no *$", table.text(), re.M)
    (found,) = rows[0].findings
    assert (found.value, found.unit) == (1.0, "yes/no")


def test_a_coast_down_is_in_neutral_unless_it_is_in_gear() -> None:
    """The clutch takes the drive off: at full throttle a car goes on as it was."""
    found = standard_manoeuvres(vehicle("full"))
    assert found["coast-down"].inputs == {"driver.clutch": 1.0}
    assert found["coast-down-in-gear"].inputs == {}
    made = system("single-track")
    start = made.trim({"chassis.vx": SPEED}).states
    for clutch, gained in ((0.0, 2.0 * 800.0 / turned_mass()[1] / turned_mass()[0]), (1.0, 0.0)):
        inputs = {"driver.throttle": 1.0, "driver.clutch": clutch}
        run = made.simulate(1.0, step=2e-3, method=METHOD, initial=start, inputs=inputs)
        speed = run["vehicle.forward_speed"]
        assert speed[-1] - speed[0] == pytest.approx(gained, rel=2e-2, abs=1e-3)


# -- the command -------------------------------------------------------------------
def test_a_linear_model_does_not_coast(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A force keeps its speed, while the single-track model is driven."""
    path = written(tmp_path, vehicle=described())
    for fidelity, kept in (("linear", ", kept by an external force"), ("single-track", "")):
        model = at.read_model(path, {"vehicle": {"fidelity": fidelity}})
        run_plan(model, model.formulate(), "pulse-steer", "20 m/s", {}, {})
        assert capsys.readouterr().out == f"initial condition: steady state at 72 km/h{kept}\n"


@pytest.mark.slow
def test_the_command_leaves_metrics_that_can_be_had_again(tmp_path: Path) -> None:
    base = written(tmp_path, "base.yaml", vehicle=described())
    path = written(tmp_path, base="base.yaml", vehicle={"body": {"mass": 1200.0}})
    texts = []
    for out in (tmp_path / "one", tmp_path / "two"):
        arguments = ["run", str(path), "iso-7401-step", "--speed", "80km/h"]
        arguments += ["--model", "single-track", "--duration", "4", "--out", str(out)]
        arguments += ["--output", "vehicle.x"]
        result = CliRunner().invoke(app, arguments)
        assert result.exit_code == 0, result.output
        texts.append((out / "metrics.json").read_text(encoding="utf-8"))
    assert texts[0] == texts[1]
    told = json.loads(texts[0])
    assert told["model"]["sha256"] == {
        file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in (path, base)
    }
    assert (tmp_path / "one" / "model" / "base.yaml").read_bytes() == base.read_bytes()
    assert told["manoeuvre"]["name"] == "iso-7401-step"
    assert told["manoeuvre"]["type"] == "step-steer"
    assert told["versions"]["axletree"] == at.__version__
    settings = told["settings"]
    assert (settings["duration"], settings["fidelity"]) == (4.0, "single-track")
    assert settings["initial"]["chassis.vx"] == pytest.approx(SPEED)
    run = Trajectory.read(tmp_path / "one" / "run.npz")
    angle = told["manoeuvre"]["angle"]  # that of the run, which the level asks for
    assert angle == pytest.approx(run["driver.steering"][-1], rel=1e-12)
    assert angle != at.read_model(path).manoeuvres["iso-7401-step"].angle
    late = run.time >= 3.0
    gain = np.mean(run["vehicle.yaw_rate"][late]) / run["driver.steering"][-1]
    assert told["metrics"]["yaw_rate_gain"] == {
        "value": pytest.approx(gain, rel=1e-12), "unit": "1/s",
        "description": "steady-state yaw rate gain",
    }  # fmt: skip
    assert re.search(rf"^steady-state yaw rate gain +{gain:.4g} 1/s$", result.stdout, re.M)
    assert told["verdict"]["outcome"] == "no criterion"
    assert re.search(r"^verdict: no criterion: steering in a step.* 80 km/h$", result.stdout, re.M)


def test_what_a_manoeuvre_has_by_default_is_told_with_its_results() -> None:
    """Such as the realisation of a rough road, by which it can be had again."""
    rough = ground_manoeuvres(vehicle("full"))["iso-8608-c"]
    recipe = RunRecipe("car", {}, ("iso-8608-c", rough), {}, {}, at.__version__)
    told = json.loads(json.dumps(recipe.content()["manoeuvre"]))
    assert (told["road"]["realisation"], told["road"]["road_class"]) == (1, "C")
    kind = load("manoeuvre", told.pop("type"), catalogue.MANOEUVRES)
    assert told.pop("name") == "iso-8608-c"
    assert kind(**told) == rough


def test_models_of_the_package_are_copied_beside_what_is_based_on_them(tmp_path: Path) -> None:
    path = written(tmp_path, base="car-with-tail-heavy-caravan")
    recipe = RunRecipe("car", source_files(path), None, {}, {}, at.__version__)
    write_metrics(tmp_path / "out", [], recipe, complete=True)
    told = json.loads((tmp_path / "out" / "metrics.json").read_text(encoding="utf-8"))
    models = Path(at.__file__).parent / "data" / "models"
    shipped = [f"{name}.yaml" for name in ("car-with-tail-heavy-caravan", "car-with-caravan")]
    originals = {f"package/{name}": models / name for name in (*shipped, "sedan.yaml")}
    originals[path.name] = path
    assert told["model"]["sha256"].keys() == originals.keys()
    for name, original in originals.items():
        copy = (tmp_path / "out" / "model" / name).read_bytes()
        assert copy == original.read_bytes()
        assert hashlib.sha256(copy).hexdigest() == told["model"]["sha256"][name]
