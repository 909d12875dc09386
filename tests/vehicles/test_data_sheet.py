"""The data sheet of a vehicle against simulation and numbers by hand, and what it warns of."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pytest
from mechanisms.two_wheeler import told
from typer.testing import CliRunner
from vehicles.test_vehicle import G, car, described, written

from axletree.cli.app import app
from axletree.core.errors import AxletreeError
from axletree.runs.standard_manoeuvres import path_manoeuvres
from axletree.vehicles.data_sheet import data_sheet
from axletree.vehicles.vehicle import Vehicle


def test_masses_and_frequencies_are_those_by_hand() -> None:
    sheet = data_sheet(Vehicle(**described()))
    assert sheet["mass"] == pytest.approx(1100.0 + 2 * 15.0 + 40.0 + 4 * 18.0)
    assert sheet["wheelbase"] == pytest.approx(2.5)
    sprung = 0.5 * 1100.0 * 1.4 / 2.5
    rate = 1.0 / (1.0 / 2.2e4 + 1.0 / 2e5)
    expected = math.sqrt(rate / sprung) / (2.0 * math.pi)
    assert sheet["front ride frequency"] == pytest.approx(expected, rel=1e-12)
    assert sheet["front share of the weight"] + sheet["rear share of the weight"] == pytest.approx(
        100.0
    )
    front = (0.5 * 2.2e4 + 8e3) * 1.5**2
    rear = 0.5 * 2.4e4 * 1.1**2
    assert sheet["roll stiffness"] == pytest.approx((front + rear) * math.pi / 180.0, rel=1e-12)
    assert sheet.warnings == ()


def test_a_row_that_is_not_there_is_named() -> None:
    sheet = data_sheet(Vehicle(**described()))
    with pytest.raises(AxletreeError, match="unknown row 'wheel base' in this data sheet; did you"):
        sheet["wheel base"]


def test_roll_and_understeer_gradients_are_those_of_a_slow_turn() -> None:
    """Toe and camber over travel take a fifth of the understeer."""
    sheet, system = data_sheet(Vehicle(**described())), car()
    start = system.trim({"chassis.vx": 20.0}).states
    inputs = {"driver.steering": "0.1*min(t, 1)"}
    run = system.simulate(4.0, step=1e-3, method="rk4", initial=start, inputs=inputs)
    lateral = run["chassis.wz"][-1] * run["chassis.vx"][-1] / G
    assert 0.03 < lateral < 0.15
    roll = math.degrees(run["chassis.roll"][-1])
    assert roll / lateral == pytest.approx(sheet["roll gradient"], rel=0.02)
    wheel = np.mean([run[f"front_{side}_steer.angle"][-1] for side in ("left", "right")])
    curvature = run["chassis.wz"][-1] / run["chassis.vx"][-1]
    understeer = math.degrees(wheel - 2.5 * curvature) / lateral
    assert understeer == pytest.approx(sheet["understeer gradient with roll"], rel=0.03)
    assert understeer < 0.9 * sheet["understeer gradient"]


def test_roll_centres_are_where_the_body_turns_above_contacts_that_stay() -> None:
    """The assembled car is leant by a small angle on wheels that stay on the ground."""
    sheet, system, small = data_sheet(Vehicle(**described())), car(), 1e-4
    stands = system.trim({"chassis.vx": 20.0}).states
    up = {"front_left_suspension.travel": -0.75, "front_right_suspension.travel": 0.75}
    leant = {"chassis.roll": 1.0, "rear_roll.angle": -1.0, **up}

    def contacts(angle: float) -> dict[str, float]:
        values = told(system, stands | {q: stands[q] + angle * x for q, x in leant.items()})
        both = {a: (f"{a}_left_tyre", f"{a}_right_tyre") for a in ("front", "rear")}
        return {a: np.mean([values[f"{t}.contact_point.y"] for t in both[a]]) for a in both}

    right, left = contacts(small), contacts(-small)
    for axle in ("front", "rear"):
        way = (right[axle] - left[axle]) / (2.0 * small)  # m/rad, about the body's frame
        height = 1e3 * (stands["chassis.z"] - way)
        assert sheet[f"{axle} roll centre height"] == pytest.approx(height, rel=5e-3)


def test_the_command_shows_it_and_warns_of_what_is_unusual(tmp_path: Path) -> None:
    given = described()
    given["axles"]["front"]["suspension"]["stiffness"] = 2e6
    shown = CliRunner().invoke(app, ["check", str(written(tmp_path, vehicle=given))])
    assert shown.exit_code == 0
    assert "front wheel load" in shown.output
    assert "unusual: front damping ratio is 0.0363; vehicles have 0.1 to 1" in shown.output


def test_the_command_reads_any_model() -> None:
    shown = CliRunner().invoke(app, ["check", "pendulum"])
    assert shown.output.startswith("pendulum: 2 components, 1 body\n")


def test_the_command_says_what_is_wrong(tmp_path: Path) -> None:
    given = described()
    given["body"]["mass"] = -5
    shown = CliRunner().invoke(app, ["check", str(written(tmp_path, vehicle=given))])
    assert shown.exit_code == 2
    assert "vehicle.body.mass: -5 kg is not allowed" in shown.output


def test_a_tall_vehicle_tips_where_moments_about_the_outer_wheels_balance(tmp_path: Path) -> None:
    given = described()
    given["body"]["centre_height"] = 1.4
    sheet = data_sheet(Vehicle(**given))
    m, h = sheet["mass"], sheet["height of the centre of mass"]
    front, rear = (2.0 * sheet[f"{name} wheel load"] for name in ("front", "rear"))
    tracks = [given["axles"][name]["track"] for name in ("front", "rear")]
    expected = 0.5 * (front * tracks[0] + rear * tracks[1]) / (m * G * h)
    assert sheet["rollover threshold"] == pytest.approx(expected, rel=1e-9)
    file = str(written(tmp_path, vehicle=given))
    told = f"unusual: rollover threshold is {expected:.3g} g; vehicles have 0.6 to 4"
    assert expected < 0.6
    assert told in CliRunner().invoke(app, ["check", file]).output
    run = ["run", file, "--model", "single-track", "--duration", "0.1", "--out", str(tmp_path)]
    assert told in CliRunner().invoke(app, run).output


def test_all_mistakes_of_a_mapping_are_told_at_once(tmp_path: Path) -> None:
    given = described()
    given["body"] |= {"mass": -5, "hight": 1.0, "inertia": [1.0, 2.0]}
    given["colour"] = "red"
    front, rear = (given["axles"][name] for name in ("front", "rear"))
    front["wheel"] = {**front["wheel"], "radius": 0}
    front["tyre"] = {**front["tyre"], "law": "fialla"}
    rear["tyre"] = {**rear["tyre"], "law": "../mine.tir"}
    output = CliRunner().invoke(app, ["check", str(written(tmp_path, vehicle=given))]).output
    assert "7 problems" in output
    for words in (
        "vehicle: Vehicle has no 'colour'", "vehicle.body: VehicleBody has no 'hight'",
        "vehicle.body.mass: -5 kg", "vehicle.body.inertia: expected 3 or 6",
        "vehicle.axles.front.wheel.radius: 0 m",
        "vehicle.axles.front.tyre.law: unknown part 'fialla' in the catalogue; did you mean",
        "vehicle.axles.rear.tyre.law: file: '../mine.tir' is outside the folder",
    ):  # fmt: skip
        assert words in output


def test_inertias_that_no_body_has_are_told_with_their_place(tmp_path: Path) -> None:
    given = described()
    given["body"]["inertia"] = [400.0, 1500.0, 5000.0]
    rear = given["axles"]["rear"]
    rear["wheel"] = {**rear["wheel"], "spin_inertia": 9.0}
    output = CliRunner().invoke(app, ["check", str(written(tmp_path, vehicle=given))]).output
    assert "2 problems" in output
    assert "vehicle.body.inertia: the principal inertias (400, 1500, 5000)" in output
    assert "vehicle.axles.rear.wheel: spin_inertia 9 exceeds twice" in output


def test_values_without_their_unit_are_unusual_and_impossible_ones_have_the_key_of_the_file(
    tmp_path: Path,
) -> None:
    given = described()
    front = given["axles"]["front"]
    front["suspension"]["static_camber"] = -1.5  # deg were meant
    front["steering"] = {"ratio": 1.5}
    warnings = data_sheet(Vehicle(**given)).warnings
    assert "front static camber is -85.9 deg; vehicles have -8 to 8" in warnings
    assert "front steering ratio is 1.5; vehicles have 2.5 to 40" in warnings
    front["tyre"] = {**front["tyre"], "stiffness": 230.0}
    given["axles"]["rear"]["brakes"]["slip_limit"] = 8.0
    output = CliRunner().invoke(app, ["check", str(written(tmp_path, vehicle=given))]).output
    assert "vehicle.axles.rear.brakes.slip_limit: 8 is never reached" in output
    given["axles"]["rear"]["brakes"]["slip_limit"] = 0.1
    output = CliRunner().invoke(app, ["check", str(written(tmp_path, vehicle=given))]).output
    assert "vehicle.axles.front.tyre: under its load of" in output


def test_the_width_of_the_body_is_that_between_cones() -> None:
    given = described()
    narrow = path_manoeuvres(Vehicle(**{**given, "body": {**given["body"], "width": 1.7}}))
    usual = path_manoeuvres(Vehicle(**given))
    widths = [getattr(found["iso-3888-1"], "width") for found in (narrow, usual)]  # noqa: B009
    tracks = [axle["track"] for axle in given["axles"].values()]
    assert widths == pytest.approx([1.7, max(tracks) + 0.3])


def test_a_vehicle_is_trimmed_with_its_throttle() -> None:
    """At 20 m/s on the level the throttle holds what rolls and drags."""
    arguments = ["trim", "compact-car", "--speed", "72 km/h", "--model", "single-track"]
    output = CliRunner().invoke(app, arguments).output
    assert "steady state at 72 km/h" in output
    (throttle,) = re.findall(r"driver.throttle +([0-9.]+) 1", output)
    assert 0.0 < float(throttle) < 1.0
    modes = CliRunner().invoke(app, ["linearise", *arguments[1:]]).output
    assert "independent states" in modes
