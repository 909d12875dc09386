"""Vehicles by body and axles: static loads, symmetry, steering, files and what is wrong in them."""

from __future__ import annotations

import copy
import math
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ruamel.yaml import YAML

import axletree as at
from axletree.system.system import System
from axletree.vehicles.assembly import assemble_vehicle
from axletree.vehicles.drive_and_brakes import Brakes
from axletree.vehicles.statics import sprung_loads, wheel_loads
from axletree.vehicles.vehicle import Vehicle

G = 9.80665
LAW = {
    "type": "fiala", "width": 0.2, "slip_stiffness": 8e4, "cornering_stiffness": 6e4,
    "peak_friction": 1.0, "sliding_friction": 0.8, "rolling_resistance": 0.0,
}  # fmt: skip
WHEEL = {"mass": 18.0, "spin_inertia": 1.0, "transverse_inertia": 0.6, "radius": 0.31}
TYRE = {"stiffness": 2e5, "law": LAW, "slip": "kinematic"}  # closed forms have no lag
AXLE = {"track": 1.5, "wheel": WHEEL, "tyre": TYRE}
GUIDED = {
    "type": "independent", "stiffness": 2.2e4, "damping": 1.8e3, "mass": 15.0, "anti_roll": 8e3,
    "static_camber": -0.02, "static_toe": 0.002, "bump_clearance": 0.06,
    "camber": [[-0.1, 0.03], [0.0, 0.0], [0.1, -0.04]],
    "toe": [[-0.1, -0.005], [0.0, 0.0], [0.1, 0.004]],
    "outward": [[-0.1, -0.01], [0.0, 0.0], [0.1, 0.002]],
}  # fmt: skip
BEAM = {
    "type": "solid-axle", "stiffness": 2.4e4, "damping": 1.7e3, "mass": 40.0, "roll_inertia": 12.0,
    "spring_track": 1.1,
}  # fmt: skip


def described() -> dict[str, Any]:
    front = {**AXLE, "position": 1.1, "suspension": GUIDED, "brakes": {"torque": 1500.0}}
    front |= {"steering": {"ratio": 16.0, "ackermann": 1.0}, "drive": {"torque": 800.0}}
    rear = {**AXLE, "position": -1.4, "suspension": BEAM, "brakes": {"torque": 900.0}}
    body = {"mass": 1100.0, "inertia": [450.0, 1600.0, 1750.0], "centre_height": 0.55}
    return copy.deepcopy({"body": body, "axles": {"front": front, "rear": rear}})


def written(folder: Path, file: str = "car.yaml", **content: Any) -> Path:
    path = folder / file
    with path.open("w", encoding="utf-8") as stream:
        YAML(typ="safe").dump(content, stream)
    return path


@cache
def car() -> System:
    model = at.Model("car")
    assemble_vehicle(Vehicle(**described()), model)
    return model.formulate()


# -- tyres --------------------------------------------------------------------------------------
def test_tyres_are_on_a_carcass_unless_they_are_not() -> None:
    """Of 1.5 and 0.5 times the vertical stiffness; laws that go by velocities have none."""
    given = described()
    del given["axles"]["front"]["tyre"]["slip"]
    given["axles"]["rear"]["tyre"] = {"stiffness": 2e5, "law": "advanced-friction"}
    model = at.Model("car")
    assemble_vehicle(Vehicle(**given), model)
    assert model["front_left_tyre"].slip == at.Carcass(3e5, 1e5)
    assert model["rear_left_tyre"].slip == at.KinematicSlip()


def test_brakes_that_stick_can_be_followed_by_steps_of_two_milliseconds() -> None:
    """Wheel and mount have no eigenvalue that swings, and none beyond 1000/s."""
    (wheel,) = (q.default for q in car().parameters if q.name == "front_left_wheel.axial_inertia")
    (k,) = (q.default for q in car().parameters if q.name == "front_left_brake.stiffness")
    (back,) = (q.default for q in car().parameters if q.name == "front_left_brake.springback")
    roots = np.roots([1.0, k * back / wheel, k / wheel])
    assert np.isreal(roots).all()
    assert np.sort(roots) == pytest.approx([-723.607, -276.393], rel=1e-6)
    brakes = Brakes(torque=2200.0)
    assert brakes.mount_stiffness(1.1) == pytest.approx(2.2e5)
    assert brakes.mount_stiffness(1e-6) == pytest.approx(4.4e4)  # 0.05 rad with the pedal down


# -- static -------------------------------------------------------------------------------------
def test_two_axles_carry_what_the_lever_says() -> None:
    vehicle = Vehicle(**described())
    sprung = sprung_loads(vehicle)
    assert sprung["front"] == pytest.approx(1100.0 * G * 1.4 / 2.5, rel=1e-12)
    assert sprung["rear"] == pytest.approx(1100.0 * G * 1.1 / 2.5, rel=1e-12)
    loads = wheel_loads(vehicle)
    assert loads["front"] == pytest.approx(0.5 * sprung["front"] + (15.0 + 18.0) * G, rel=1e-12)
    assert 2.0 * sum(loads.values()) == pytest.approx(vehicle.mass * G, rel=1e-12)


def test_three_axles_carry_what_springs_under_a_stiff_body_do() -> None:
    given = described()
    given["axles"]["middle"] = {**given["axles"]["rear"], "position": -0.9}
    loads = sprung_loads(Vehicle(**given))
    places = {"front": 1.1, "rear": -1.4, "middle": -0.9}
    rates = {"front": 2.2e4, "rear": 2.4e4, "middle": 2.4e4}
    settled = {name: loads[name] / rates[name] for name in loads}
    slopes = [
        (settled["front"] - settled[name]) / (places["front"] - places[name])
        for name in ("rear", "middle")
    ]
    assert slopes[0] == pytest.approx(slopes[1], rel=1e-9)  # three points of one line
    assert sum(loads.values()) == pytest.approx(1100.0 * G)
    moment = sum(loads[name] * places[name] for name in loads)
    assert moment == pytest.approx(0.0, abs=1e-9 * 1100.0 * G)


def test_it_stands_as_it_is_designed() -> None:
    """Static toe and camber turn the tyres' forces a little, and nothing else moves it."""
    run = car().simulate(2.0, step=1e-3, method="rk4", watch=False)
    assert run["chassis.z"] == pytest.approx(0.55, abs=5e-4)
    assert run["front_left_suspension.travel"] == pytest.approx(0.0, abs=5e-4)
    loads = wheel_loads(Vehicle(**described()))
    for wheel in ("front_left", "front_right", "rear_left", "rear_right"):
        expected = loads[wheel.partition("_")[0]]
        assert run[f"{wheel}_tyre.Fz"][-1] == pytest.approx(expected, rel=1e-3)


# -- motion -------------------------------------------------------------------------------------
def turned(steering: float) -> at.Trajectory:
    system = car()
    start = system.trim({"chassis.vx": 20.0}).states
    inputs = {"driver.steering": f"{steering}*min(t/0.2, 1)^2"}
    return system.simulate(2.0, step=1e-3, method="rk4", initial=start, inputs=inputs)


def test_right_is_the_mirror_image_of_left() -> None:
    left, right = turned(0.3), turned(-0.3)
    assert left["chassis.wz"][-1] > 0.05
    for name in ("chassis.wz", "chassis.vy", "chassis.roll"):
        assert left[name] == pytest.approx(-right[name], abs=1e-9)
    for axle in ("front", "rear"):
        inside, outside = left[f"{axle}_left_tyre.Fz"], left[f"{axle}_right_tyre.Fz"]
        assert outside[-1] > inside[-1] + 200.0
        assert inside == pytest.approx(right[f"{axle}_right_tyre.Fz"], rel=1e-8)


def test_with_ackermann_both_wheels_turn_about_one_point() -> None:
    """cot(outer) - cot(inner) = track / wheelbase."""
    run = turned(1.6)
    outer, inner = (run[f"front_{side}_steer.angle"][-1] for side in ("right", "left"))
    assert inner > outer > 0.0
    assert 1.0 / math.tan(outer) - 1.0 / math.tan(inner) == pytest.approx(1.5 / 2.5, rel=1e-9)


def test_pedals_reach_the_wheels() -> None:
    system = car()
    start = system.trim({"chassis.vx": 20.0}).states
    inputs = {"driver.brake": 0.2, "driver.throttle": 0.5}
    run = system.simulate(0.1, step=1e-3, method="rk4", initial=start, inputs=inputs)
    assert run["front_left_brake.torque"] == pytest.approx(np.full(len(run.time), 300.0))
    assert run["rear_right_brake.torque"] == pytest.approx(np.full(len(run.time), 180.0))
    assert run["front_left_drive.torque"] == pytest.approx(np.full(len(run.time), 400.0))


# -- files --------------------------------------------------------------------------------------
def test_a_file_may_start_from_another(tmp_path: Path) -> None:
    written(tmp_path, "base.yaml", name="first", vehicle=described(), gravity=[0, 0, -9.0])
    changes = {"body": {"mass": "1300 kg"}, "axles": {"front": {"suspension": {"damping": 9.0}}}}
    path = written(tmp_path, "heavy.yaml", base="base.yaml", vehicle=changes)
    model = at.read_model(path)
    assert model.name == "heavy"
    assert model.gravity == (0.0, 0.0, -9.0)
    assert model["body"].mass == 1300.0
    assert model["front_left_spring"].damping == 9.0
    assert model["front_left_spring"].stiffness == 2.2e4


def test_a_file_may_have_components_of_its_own_beside_the_vehicle(tmp_path: Path) -> None:
    rope = {"type": "force-driver", "tail": "ground", "head": "body", "direction": "x"}
    model = at.read_model(written(tmp_path, vehicle=described(), components={"rope": rope}))
    assert "rope" in model
    assert "rear_beam" in model


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (("body", "mass"), "1300 m", "vehicle.body.mass: '1300 m' is a length"),
        (("body", "mass"), -1.0, "vehicle.body.mass: -1 kg is not allowed"),
        (("axles", "front", "track"), math.nan, "axles.front.track: nan is not a finite number"),
        (
            ("axles", "front", "tyre", "law"),
            "fialla",
            "axles.front.tyre.law: unknown part 'fialla'",
        ),
        (("axles", "rear", "position"), 2.0, "all are on one side of the centre of mass"),
        (("axles", "rear", "position"), 1.1, "two of them have the same position"),
        (("axles", "rear", "wheel"), 3, "axles.rear.wheel: expected a mapping of mass, spin"),
        (("axles", "front", "colour"), "red", "axles.front: Axle has no 'colour'; it has position"),
        (("axles", "front", "steering", "ratio"), 0.0, "front.steering: ratio must not be zero"),
    ],
)
def test_what_is_wrong_is_found_where_it_is(
    place: tuple[str, ...], value: Any, message: str, tmp_path: Path
) -> None:
    given = described()
    inner: Any = given
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    with pytest.raises(at.AxletreeError, match="line [0-9]+.*" + message.replace(".", r"\.")):
        at.read_model(written(tmp_path, vehicle=given))


@pytest.mark.parametrize(
    ("base", "message"),
    [
        ("me.yaml", "base: the files run in a circle: me.yaml - me.yaml"),
        ("../me.yaml", "base: file: '../me.yaml' is outside the folder of the model"),
        ("nowhere.yaml", "base: nowhere.yaml: there is no such file"),
        ("pendulumm", "base: unknown model .* did you mean 'pendulum'"),
        (3, "base: unknown model '3' in the catalogue"),
    ],
)
def test_a_base_that_cannot_be_had(base: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(at.AxletreeError, match=message):
        at.read_model(written(tmp_path, "me.yaml", base=base))


# -- changes and standard manoeuvres --------------------------------------------------------------
def test_a_file_may_be_read_with_changes(tmp_path: Path) -> None:
    path = written(tmp_path, vehicle=described())
    model = at.read_model(path, {"vehicle": {"body": {"mass": "1300 kg"}, "fidelity": "two-track"}})
    assert model["body"].mass == 1300.0
    assert "front_unsprung" in model
    with pytest.raises(at.AxletreeError, match="'three' is not one of bushings, links"):
        at.read_model(path, {"vehicle": {"fidelity": "three"}})
