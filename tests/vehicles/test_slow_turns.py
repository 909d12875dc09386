"""Roll, understeer and wheel loads by the description alone, against closed forms and models."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from vehicles.test_package_vehicles import described as packaged
from vehicles.test_vehicle import G, described

import axletree as at
from axletree.vehicles.assembly import assemble_vehicle
from axletree.vehicles.data_sheet import data_sheet
from axletree.vehicles.linear_single_track import linear_single_track
from axletree.vehicles.steer_estimate import understeer_at, understeer_gradient
from axletree.vehicles.vehicle import Vehicle

PER_G = math.degrees(G)
WITHOUT_TRAILERS = ("compact-car", "sedan", "sports-car", "suv", "van", "truck-4x2")


def linear_gradient(vehicle: Vehicle) -> float:
    """m / (s1 - s2) (-s2 / C1 - s1 / C2) of the linear single-track model [rad/(m/s^2)]."""
    own = linear_single_track(vehicle)
    front, rear = own.axles["front"], own.axles["rear"]
    s_1, s_2 = (axle.position - own.centre - axle.trail for axle in (front, rear))
    return own.mass / (s_1 - s_2) * (-s_2 / front.stiffness - s_1 / rear.stiffness)


def without_trail(vehicle: Vehicle) -> Vehicle:
    """On kingpins above the wheels' centres, which the wheels' own inertia does not turn."""
    front = vehicle.axles["front"]
    assert front.steering is not None
    steering = replace(front.steering, trail=0.0)
    return replace(vehicle, axles={**vehicle.axles, "front": replace(front, steering=steering)})


@pytest.mark.parametrize("name", WITHOUT_TRAILERS)
def test_understeer_of_a_gentle_turn_is_that_of_the_linear_single_track(name: str) -> None:
    vehicle = without_trail(packaged(name))
    assert understeer_at(vehicle, 1e-3) == pytest.approx(linear_gradient(vehicle), rel=1e-3)


@pytest.mark.slow
def test_the_sheet_has_the_understeer_of_all_models_of_the_sedan() -> None:
    """In the plane within 1 % of the linear model; with roll within 4 % of the full one, which is
    driven and feels the air."""
    sheet, sedan = data_sheet(packaged("sedan")), at.read_model("sedan")
    linear = PER_G * linear_gradient(packaged("sedan"))
    assert sheet["understeer gradient"] == pytest.approx(linear, rel=0.01)
    found = {one.name: G * one.value for one in at.cornering_curve(sedan, "80 km/h").findings}
    assert sheet["understeer gradient with roll"] == pytest.approx(
        found["understeer_gradient"], rel=0.04
    )
    assert sheet["roll gradient"] == pytest.approx(found["roll_gradient"], rel=5e-3)


@pytest.mark.slow
def test_the_sheet_has_the_roll_of_a_van_that_cargo_makes_sink() -> None:
    sheet = data_sheet(packaged("van"))
    curve = at.cornering_curve(at.read_model("van"), "60 km/h")
    found = {one.name: G * one.value for one in curve.findings}
    assert sheet["roll gradient"] == pytest.approx(found["roll_gradient"], rel=0.02)
    assert sheet["understeer gradient with roll"] == pytest.approx(
        found["understeer_gradient"], rel=0.1
    )


@pytest.mark.slow
def test_the_sheet_has_the_understeer_of_a_truck_on_solid_axles() -> None:
    sheet = data_sheet(packaged("truck-4x2"))
    curve = at.cornering_curve(at.read_model("truck-4x2"), "60 km/h")
    found = {one.name: G * one.value for one in curve.findings}
    assert sheet["understeer gradient with roll"] == pytest.approx(
        found["understeer_gradient"], rel=0.1
    )


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "speed"),
    [
        ("compact-car", "80 km/h"),
        ("suv", "80 km/h"),
        ("car-with-caravan", "60 km/h"),
        ("car-with-tail-heavy-caravan", "60 km/h"),
        ("tractor-semitrailer", "60 km/h"),
    ],
)
def test_the_sheet_has_the_understeer_with_roll_of_the_full_model(name: str, speed: str) -> None:
    sheet = data_sheet(packaged(name))
    found = {
        one.name: G * one.value for one in at.cornering_curve(at.read_model(name), speed).findings
    }
    assert sheet["understeer gradient with roll"] == pytest.approx(
        found["understeer_gradient"], rel=0.1
    )


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "speed"),
    [
        ("macpherson-compact-car", "80 km/h"),
        ("leaf-spring-pickup", "60 km/h"),
        ("beam-axle-truck", "60 km/h"),
    ],
)
def test_the_sheet_has_the_understeer_of_the_links_of_hard_points(name: str, speed: str) -> None:
    sheet = data_sheet(packaged(name))
    found = {
        one.name: G * one.value for one in at.cornering_curve(at.read_model(name), speed).findings
    }
    assert sheet["understeer gradient with roll"] == pytest.approx(
        found["understeer_gradient"], rel=0.1
    )
    assert sheet["roll gradient"] == pytest.approx(found["roll_gradient"], rel=0.03)


STIFF = {"vehicle": {"axles": {"front": {"steering": {"column_stiffness": "5 MN*m/rad"}}}}}


@pytest.mark.long
def test_an_assist_takes_its_part_of_the_twist_of_the_column() -> None:
    """Of the links, the difference to a stiff column; in the plane it is the same without roll."""
    models, sheets = [], []
    for changes in ({}, STIFF):
        model = at.read_model("five-link-sedan", changes)
        curve = at.cornering_curve(model, "80 km/h")
        models.append(next(G * x.value for x in curve.findings if x.name == "understeer_gradient"))
        own = model.described["vehicle"]
        sheets.append(PER_G * understeer_gradient(own, leans=True).angle)
    assert sheets[0] - sheets[1] == pytest.approx(models[0] - models[1], rel=0.1)


def test_an_assist_in_proportion_makes_the_column_as_much_stiffer() -> None:
    """Three times the torque of the bar, half of it at the speed: 1 + 1.5 times as stiff."""
    steering = {
        "assist": [[0.0, 0.0], [20.0, 60.0]],
        "assist_over_speed": [[0.0, 0.5], [90.0, 0.5]],
    }
    parts = []
    for own in (steering, {"assist": None, "assist_over_speed": None}):
        changes = {"vehicle": {"axles": {"front": {"steering": own}}}}
        vehicle = at.read_model("five-link-sedan", changes).described["vehicle"]
        parts.append(understeer_gradient(vehicle, leans=False).column)
        assert "understeer gradient" in [row.name for row in data_sheet(vehicle).rows]
    assert parts[0] == pytest.approx(parts[1] / 2.5, rel=1e-6)


def test_the_sheet_is_silent_about_roll_where_the_steering_has_an_assist() -> None:
    """Of the links: the sedan on five links has 0.94 deg/g, and the sheet would have 0.66."""
    assert "understeer gradient with roll" not in [
        x.name for x in data_sheet(packaged("five-link-sedan")).rows
    ]


@pytest.mark.parametrize("name", ["sports-car", "formula-student"])
def test_the_sheet_is_silent_where_a_differential_resists_turns(name: str) -> None:
    """In the full model it adds as much understeer as tyres have, or many times of that."""
    names = [row.name for row in data_sheet(packaged(name)).rows]
    assert "understeer gradient" in names
    assert "understeer gradient with roll" not in names


def test_without_curves_roll_is_that_of_springs_and_tyres_in_series() -> None:
    """All masses times heights push; without a roll centre springs carry the same as tyres."""
    given = described()
    front = given["axles"]["front"]
    front["suspension"] = {"type": "independent", "stiffness": 2.2e4, "mass": 15.0}
    given["axles"]["rear"]["suspension"] = {**front["suspension"], "anti_roll": 3e3}
    sheet = data_sheet(Vehicle(**given))
    moment = sheet["mass"] * G * sheet["height of the centre of mass"]
    springs = [0.5 * 2.2e4 * 1.5**2, (0.5 * 2.2e4 + 3e3) * 1.5**2]
    stiffness = sum(1.0 / (1.0 / one + 1.0 / (0.5 * 2e5 * 1.5**2)) for one in springs)
    expected = math.degrees(moment / (stiffness - moment))
    assert sheet["roll gradient"] == pytest.approx(expected, rel=1e-9)


def test_wheel_loads_of_a_driver_on_the_left_are_those_of_the_model_that_stands() -> None:
    given = described()
    given["loads"] = {"driver": {"mass": 100.0, "position": [0.1, 0.35, 0.6]}}
    model = at.Model("car")
    vehicle = Vehicle(**given)
    assemble_vehicle(vehicle, model)
    stands = model.formulate().trim({"chassis.vx": 0.0})
    sheet = data_sheet(vehicle)
    for axle in ("front", "rear"):
        left, right = (sheet[f"{axle} {side} wheel load"] for side in ("left", "right"))
        assert 0.5 * (left + right) == pytest.approx(sheet[f"{axle} wheel load"], rel=1e-12)
        told = [stands[f"{axle}_{side}_tyre.Fz"] for side in ("left", "right")]
        assert left - right == pytest.approx(told[0] - told[1], rel=0.02)
        assert [left, right] == pytest.approx(told, rel=5e-3)


def test_wheels_that_carry_the_same_have_one_row() -> None:
    names = [row.name for row in data_sheet(Vehicle(**described())).rows]
    assert "front wheel load" in names
    assert not [name for name in names if "left" in name or "right" in name]
