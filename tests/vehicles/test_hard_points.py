"""Vehicles whose suspensions are given by hard points."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ruamel.yaml import YAML
from typer.testing import CliRunner

import axletree as at
from axletree.analysis.studies.fidelity_ladder import rungs_of
from axletree.cli.app import EXIT_USER_ERROR, app
from axletree.core.errors import ModelError
from axletree.model_files.read import model_text
from axletree.vehicles.data_sheet import data_sheet
from axletree.vehicles.linkages.contract import LinkedSuspension
from axletree.vehicles.suspensions import Independent, SolidAxle
from axletree.vehicles.vehicle import Fidelity, Vehicle

CAR = "double-wishbone-sports-car"
LEVEL = {"suspension": {"static_camber": 0.0, "static_toe": 0.0}}


def vehicle_of(model: at.Model) -> Vehicle:
    found = model.described["vehicle"]
    assert isinstance(found, Vehicle)
    return found


def linked(vehicle: Vehicle, axle: str = "front") -> LinkedSuspension:
    found = vehicle.axles[axle].suspension
    assert isinstance(found, LinkedSuspension)
    return found


def front(**changes: Any) -> at.Model:
    return at.read_model(CAR, {"vehicle": {"axles": {"front": changes}}})


# -- statics and steering ----------------------------------------------------------------


@pytest.mark.slow
def test_it_begins_as_it_is_designed() -> None:
    """At rest on level wheels nothing moves: springs carry body and links, loops are closed.

    Links are counted at their axles, from whose middle their centres are some centimetres: that
    leaves some 0.01 rad/s^2, as 0.01 % of the force of a spring would.
    """
    system = at.read_model(CAR, {"vehicle": {"axles": {"front": LEVEL, "rear": LEVEL}}}).formulate()
    rates = system.rhs(system.state())
    assert system.degrees_of_freedom == 14
    for name, rate in rates.items():
        assert abs(rate) < 0.02, name


def test_steering_follows_from_the_rack() -> None:
    """A hundredth of a turn turns both wheels by the ratio, in the mean."""
    axle = vehicle_of(at.read_model(CAR)).axles["front"]
    steering, kinematics = axle.steering, linked(vehicle_of(at.read_model(CAR))).kinematics
    assert steering is not None
    assert steering.travel is not None
    turned = 0.02 * np.pi
    moved = kinematics.at(np.array([[0.0, 0.0, s * steering.travel * turned] for s in (1, -1)]))
    angles = []
    for carrier in kinematics.linkage.carriers.values():
        s = moved.direction(carrier.link, carrier.spin_axis)
        left, right = np.arctan2(-s[:, 0], s[:, 1])
        angles.append(0.5 * (left - right))
    assert np.mean(angles) == pytest.approx(turned / steering.ratio, rel=1e-4)
    assert np.mean(angles) > 0.0  # to the left


def test_a_rack_behind_the_axle_moves_the_other_way() -> None:
    ahead = vehicle_of(at.read_model(CAR)).axles["front"].steering
    points = {
        "tie_rod_inner": ["-118 mm", "362 mm", "214 mm"],
        "tie_rod_outer": ["-128 mm", "705 mm", "210 mm"],
    }
    behind = vehicle_of(front(suspension={"points": points})).axles["front"].steering
    assert ahead is not None
    assert behind is not None
    assert ahead.travel == pytest.approx(0.058 / (2.0 * np.pi))
    assert behind.travel == pytest.approx(-0.058 / (2.0 * np.pi))
    assert behind.ratio > 0.0


def test_a_column_gives_way_at_the_rack() -> None:
    """k at the steering wheel is k / r^2 along a rack that moves by r for each radian."""
    model = front(steering={"rack": "58 mm/rev", "column_stiffness": "40 N*m/rad"})
    gear = model["front_steer"]
    r = 0.058 / (2.0 * np.pi)
    assert isinstance(gear, at.RackSteeringGear)
    assert gear.stiffness / gear.ratio**2 == pytest.approx(40.0 / r**2)


def test_points_in_axes_of_the_vehicle_are_the_same_car() -> None:
    plain = vehicle_of(at.read_model(CAR))
    points = {
        name: [x + 1.4, y, z]
        for name, (x, y, z) in vars(plain.axles["front"].suspension.points).items()
    }
    spring = {
        end: [x + 1.4, y, z]
        for end, (x, y, z) in (
            (end, getattr(linked(plain).spring, end)) for end in ("lower", "upper")
        )
    }
    given = {"axes": "vehicle", "points": points, "spring": spring}
    moved = vehicle_of(front(suspension=given))
    assert linked(moved).wheel_rate() == pytest.approx(linked(plain).wheel_rate(), rel=1e-9)
    ratios = [car.axles["front"].steering.ratio for car in (moved, plain)]  # type: ignore[union-attr]
    assert ratios[0] == pytest.approx(ratios[1], rel=1e-9)


# -- curves ------------------------------------------------------------------------------


def test_curves_are_those_of_the_linkage() -> None:
    """Between their points, too: camber, toe and track of the guide at 17 mm of travel."""
    suspension = linked(vehicle_of(at.read_model(CAR)))
    curves, z = suspension.curves(), 0.017
    assert isinstance(curves, Independent)
    carrier = suspension.kinematics.linkage.carriers["left"]
    there = suspension.kinematics.at(np.array([[z, z, 0.0]]))
    s, centre = there.direction(carrier.link, carrier.spin_axis)[0], carrier.centre
    y = there.point(carrier.link, centre)[0, 1]
    assert curves.camber is not None
    assert curves.toe is not None
    assert curves.outward is not None
    camber = curves.static_camber + float(curves.camber.table.evaluate(z))
    toe = curves.static_toe + float(curves.toe.table.evaluate(z))
    assert camber == pytest.approx(-np.arcsin(s[2]), abs=1e-7)
    assert toe == pytest.approx(np.arctan2(s[0], s[1]), abs=1e-7)
    assert float(curves.outward.table.evaluate(z)) == pytest.approx(y - centre[1], abs=1e-8)


def test_stops_act_where_the_spring_has_used_its_clearance() -> None:
    suspension = linked(vehicle_of(at.read_model(CAR)))
    curves = suspension.curves()
    assert isinstance(curves, Independent)
    coil = suspension.kinematics.linkage.coils[0]
    z = curves.bump_clearance
    at_stop = suspension.kinematics.at(np.array([[z, z, 0.0]]))
    shorter = np.linalg.norm(np.subtract(*coil.ends)) - at_stop.length(
        (coil.first, coil.second), coil.ends
    )
    assert shorter[0] == pytest.approx(0.028, abs=1e-9)


def test_a_stiffness_and_its_curve_agree() -> None:
    force = at.Curve((-0.1, 0.0, 0.1), (-3000.0, 0.0, 3000.0), "linear")  # m, N
    assert Independent("30 kN/m", mass="20 kg", force=force).wheel_rate() == 3e4
    with pytest.raises(ModelError, match="its slope at the design position is 30000 N/m"):
        Independent("20 kN/m", mass="20 kg", force=force)


def test_a_beam_has_the_roll_stiffness_of_its_springs(tmp_path: Path) -> None:
    """Springs of rate k that stand upright b apart: k b^2 / 2, whatever guides the axle."""
    from vehicles.linkages.linkage_samples import panhard_axle

    spring = {"stiffness": 3e4, "lower": (0.0, 0.5, 0.4), "upper": (0.0, 0.5, 0.7)}
    beam = panhard_axle(spring=spring).curves()
    assert isinstance(beam, SolidAxle)
    # The axle turns about a line that is not level, which lifts springs ahead of it or behind.
    assert beam.roll_rate(1.56) == pytest.approx(0.5 * 3e4 * 1.0**2, rel=0.02)


# -- models ------------------------------------------------------------------------------


def test_fidelities_are_those_that_the_points_give() -> None:
    words = [one.value for one in rungs_of(vehicle_of(at.read_model(CAR)))]
    assert words == ["links", "full", "14-dof", "two-track", "single-track", "linear"]
    sedan = vehicle_of(at.read_model("sedan"))
    assert Fidelity.LINKS not in sedan.fidelities
    with pytest.raises(ModelError, match="no axle has a suspension by hard points"):
        at.read_model("sedan", {"vehicle": {"fidelity": "links"}})


BUSHINGS = {"radial": "12 kN/mm", "axial": "1.5 kN/mm", "torsion": "60 N*m/rad"}


def test_bushings_take_the_place_of_hinges() -> None:
    """Two for each arm, their z along the hinge; other joints stay, and so do lower rungs."""
    suspension = {"lower_arm_bushings": BUSHINGS}
    axles = {"front": {"suspension": suspension}}
    soft, stiff = (
        at.read_model(CAR, {"vehicle": {"fidelity": fidelity, "axles": axles}})
        for fidelity in ("bushings", "links")
    )
    assert Fidelity.BUSHINGS in rungs_of(vehicle_of(stiff))
    assert "front_left_lower_arm_bearings" in stiff
    assert "front_left_lower_arm_bearings" not in soft
    assert "front_left_upper_arm_bearings" in soft
    bushing = soft["front_left_lower_arm_bearings_rear"]
    assert isinstance(bushing, at.Bushing)
    assert np.diag(bushing.stiffness).tolist() == [1.2e7, 1.2e7, 1.5e6]
    points = vehicle_of(soft).axles["front"].suspension.points  # type: ignore[attr-defined]
    along = np.subtract(points.lower_arm_rear, points.lower_arm_front)
    z = np.array(bushing.tail.turn)[:, 2]
    np.testing.assert_allclose(z, along / np.linalg.norm(along), atol=1e-12)


@pytest.mark.long
def test_stiff_bushings_are_hinges() -> None:
    """A turn on bushings ten times as stiff lies ten times as close to that on ideal joints."""
    off = []
    rigid = at.trim(at.read_model(CAR), speed="80 km/h", lateral_acceleration=2.0)
    for factor in (1.0, 10.0):
        given = {"radial": 1.2e7 * factor, "axial": 3e6 * factor}
        axles = {"front": {"suspension": {"lower_arm_bushings": given}}}
        car = at.read_model(CAR, {"vehicle": {"fidelity": "bushings", "axles": axles}})
        soft = at.trim(car, speed="80 km/h", lateral_acceleration=2.0)
        off.append(soft["driver.steering"] - rigid["driver.steering"])
    assert abs(off[0]) > 1e-4
    assert off[0] / off[1] == pytest.approx(10.0, rel=0.1)


@pytest.mark.slow
def test_links_and_curves_are_one_car_in_a_gentle_turn() -> None:
    """At 2 m/s^2 both have the same steering, roll, sideslip and loads within 1 %."""
    names = (
        "driver.steering", "chassis.roll", "vehicle.sideslip", "front_left_tyre.Fz",
        "rear_right_tyre.Fz",
    )  # fmt: skip
    found = []
    for fidelity in ("links", "full"):
        car = at.read_model(CAR, {"vehicle": {"fidelity": fidelity}})
        steady = at.trim(car, speed="80 km/h", lateral_acceleration=2.0)
        found.append([steady[name] for name in names])
    np.testing.assert_allclose(found[0], found[1], rtol=0.01)


# -- mistakes ----------------------------------------------------------------------------

MISTAKES: list[tuple[str, dict[str, Any], str]] = [
    (
        "track", {"track": "1.6 m"},
        "track: 1.6 m, but the wheel centres of the suspension's hard points are 1.55 m apart",
    ),
    (
        "ratio and rack", {"steering": {"rack": "58 mm/rev", "ratio": 14}},
        "steering.ratio: of a rack or pitman arm it follows from the hard points",
    ),
    (
        "other side", {"suspension": {"points": {"lower_ball_joint": [0.006, -0.715, 0.165]}}},
        "left lower_ball_joint is on the right, at y = -715 mm",
    ),
    (
        "no length", {"suspension": {"points": {"tie_rod_inner": [0.128, 0.705, 0.21]}}},
        "left_tie_rod has no length",
    ),
    (
        "ahead", {"suspension": {"points": {"wheel_centre": [0.02, 0.775, 0.318]}}},
        "wheel_centre: x is 0.02 m, and the axle's axes have their origin below",
    ),
    (
        "position", {"suspension": {"axes": "vehicle"}},
        "position: 1.4 m, but wheel_centre of the suspension is 0 m ahead of the centre of mass",
    ),
    (
        "level spring", {"suspension": {"spring": {"upper": [-0.008, 0.61, 0.175]}}},
        "left_spring has no length",
    ),
    ("unit", {"suspension": {"points": {"wheel_centre": ["0 kg", 0.7, 0.3]}}}, "is a mass"),
    (
        "millimetres", {"suspension": {"points": {"lower_ball_joint": [6, 715, 165]}}},
        "[6, 715, 165] m is no place of a vehicle; numbers without a unit are metres, write [6 mm,",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("case", "changes", "text"), MISTAKES, ids=[one[0] for one in MISTAKES])
def test_a_mistake_is_told_with_its_place(case: str, changes: dict[str, Any], text: str) -> None:
    with pytest.raises(ModelError, match=r"vehicle\.axles\.front") as error:
        front(**changes)
    assert text in str(error.value)


def test_an_error_has_the_line(tmp_path: Path) -> None:
    text = model_text(CAR).text
    file = tmp_path / "car.yaml"
    file.write_text(text.replace("track: 1.55 m", "track: 1.6 m"), encoding="utf-8")
    line = 1 + text[: text.index("track: 1.55 m")].count("\n")
    with pytest.raises(ModelError, match=f"line {line}, "):
        at.read_model(str(file))


def test_what_looks_wrong_is_a_warning() -> None:
    low = front(suspension={"points": {"lower_ball_joint": [0.006, 0.715, -0.0165]}})
    high = front(suspension={"points": {"wheel_centre": [0.0, 0.775, 0.348]}})
    below, above = (" ".join(data_sheet(vehicle_of(car)).warnings) for car in (low, high))
    assert "front suspension: left lower_ball_joint is below the road, at z = -16.5 mm" in below
    assert "front wheel centres are 0.348 m high in the hard points, and 0.318" in above
    assert not data_sheet(vehicle_of(at.read_model(CAR))).warnings


# -- the command -------------------------------------------------------------------------


def test_curves_can_be_pasted_in_place_of_hard_points(tmp_path: Path) -> None:
    folder = tmp_path / "curves"
    done = CliRunner().invoke(app, ["suspension", "curves", CAR, "front", "--out", str(folder)])
    assert done.exit_code == 0, done.output
    table = np.genfromtxt(folder / "curves.csv", delimiter=",", skip_header=1)
    entry = YAML(typ="safe").load(folder / "suspension.yaml")["suspension"]
    made = Independent(**{k: v for k, v in entry.items() if k != "type"})
    suspension = linked(vehicle_of(at.read_model(CAR)))
    assert made == suspension.curves()
    camber = np.degrees(made.camber.y) if made.camber else None
    np.testing.assert_allclose(table[:, 1], camber, rtol=1e-6, atol=1e-8)


def test_the_command_tells_what_has_no_hard_points() -> None:
    for arguments, text in (
        (["sedan", "front"], "has a suspension without hard points"),
        (["pendulum", "front"], "is no vehicle by body and axles"),
        ([CAR, "frnt"], "did you mean 'front'"),
    ):
        done = CliRunner().invoke(app, ["suspension", "curves", *arguments])
        assert done.exit_code == EXIT_USER_ERROR
        assert text in done.output + str(done.stderr)
