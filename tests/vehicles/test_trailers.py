"""Trailers and their hitches: loads by hand, motion by other formulations, and what is wrong."""

from __future__ import annotations

import copy
import math
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from agreement import Agrees
from scipy.signal import lsim
from typer.testing import CliRunner
from vehicles.test_fidelity import LINEAR
from vehicles.test_vehicle import AXLE, BEAM, G, described, written

import axletree as at
from axletree.cli.app import app
from axletree.components.bodies import RigidBody
from axletree.components.joints import Free, Spherical, Universal
from axletree.metrics.trains import RearwardAmplification, TrailerDamping
from axletree.metrics.wheel_loads import Rollover
from axletree.runs.acceleration_and_braking import PedalBraking
from axletree.runs.standard_manoeuvres import standard_manoeuvres
from axletree.runs.steering import SineSteer
from axletree.simulation.trajectory import Trajectory
from axletree.system.system import System
from axletree.vehicles.assembly import assemble_vehicle
from axletree.vehicles.data_sheet import data_sheet
from axletree.vehicles.hitches import BallHitch, FifthWheel, Hitch
from axletree.vehicles.statics import hitch_loads, sprung_loads, wheel_loads
from axletree.vehicles.vehicle import Vehicle

SPEED = 25.0
BALL = {"type": "ball", "position": -2.3, "height": 0.4, "coupling": 3.6, "yaw_damping": 700.0}
PLATE = {
    "type": "fifth-wheel", "position": -0.4, "height": 0.6, "coupling": 2.5,
    "roll_stiffness": 5e4, "roll_damping": 300.0,
}  # fmt: skip
AXLE_OF_TRAILER = {
    **AXLE, "suspension": {**BEAM, "spring_track": 1.4}, "brakes": {"torque": 700.0}
}  # fmt: skip


def trailer(hitch: dict[str, Any], position: float, mass: float) -> dict[str, Any]:
    body = {"mass": mass, "inertia": [400.0, 1500.0, 1600.0], "centre_height": 0.7}
    axles = {"axle": {**AXLE_OF_TRAILER, "position": position}}
    return copy.deepcopy({"hitch": hitch, "body": body, "axles": axles})


def towing(fidelity: str = "full", last: bool = True, **law: Any) -> dict[str, Any]:
    """A car with a trailer on its ball, and on that another one on a plate."""
    given = described() | {"fidelity": fidelity}
    given["trailers"] = {"first": trailer(BALL, -0.3, 800.0)}
    if last:
        given["trailers"]["last"] = trailer(PLATE, -0.5, 500.0)
    units = (given, *given["trailers"].values())
    for axle in (axle for unit in units for axle in unit["axles"].values()):
        axle["tyre"] |= {"law": law or axle["tyre"]["law"], "slip": "kinematic"}
    return given


@cache
def train(fidelity: str, last: bool = True) -> System:
    model = at.Model("train")
    law = LINEAR if fidelity == "single-track" else {}
    assemble_vehicle(Vehicle(**towing(fidelity, last, **law)), model)
    return model.formulate()


# -- static -------------------------------------------------------------------------------------
def test_hitches_and_axles_carry_what_levers_say() -> None:
    """From the last trailer forward: each puts its share on the one ahead of it."""
    vehicle = Vehicle(**towing())
    last = 500.0 * 0.5 / 3.0
    first = (800.0 * 0.3 + last * (0.3 - 0.4)) / 3.9
    hitches = hitch_loads(vehicle)
    assert hitches["last"] == pytest.approx(G * last, rel=1e-12)
    assert hitches["first"] == pytest.approx(G * first, rel=1e-12)
    sprung = sprung_loads(vehicle)
    assert sprung["last_axle"] == pytest.approx(G * (500.0 - last), rel=1e-12)
    assert sprung["first_axle"] == pytest.approx(G * (800.0 + last - first), rel=1e-12)
    assert sprung["front"] == pytest.approx(G * (1100.0 * 1.4 - first * 0.9) / 2.5, rel=1e-12)
    assert sprung["rear"] == pytest.approx(G * (1100.0 * 1.1 + first * 3.4) / 2.5, rel=1e-12)
    total = 2.0 * sum(wheel_loads(vehicle).values())
    assert total == pytest.approx(G * vehicle.train_mass, rel=1e-12)


def test_more_axles_settle_with_what_tows_them() -> None:
    """Springs of a stiff trailer lie on one line, and so does the ball, which the car holds."""
    given = towing(last=False)
    own = given["trailers"]["first"]
    own["axles"]["second"] = {**copy.deepcopy(own["axles"]["axle"]), "position": -1.2}
    own["loads"] = {"bricks": {"mass": 200.0, "position": [0.4, 0.0, 0.9]}}
    vehicle = Vehicle(**given)
    sprung, hitch = sprung_loads(vehicle), hitch_loads(vehicle)["first"]
    down = {name: sprung[name] / rate for name, rate in RATES.items()}
    slope = (down["first_axle"] - down["first_second"]) / 0.9
    ball = down["rear"] + (down["rear"] - down["front"]) / 2.5 * 0.9
    assert down["first_axle"] + slope * 3.9 == pytest.approx(ball, rel=1e-9)
    assert sprung["first_axle"] + sprung["first_second"] + hitch == pytest.approx(G * 1000.0)
    moment = 3.6 * hitch - 0.3 * sprung["first_axle"] - 1.2 * sprung["first_second"]
    assert moment == pytest.approx(G * 200.0 * 0.4, rel=1e-9)


RATES = {"front": 2.2e4, "rear": 2.4e4, "first_axle": 2.4e4, "first_second": 2.4e4}


def test_a_train_stands_as_it_is_designed() -> None:
    run = train("14-dof").simulate(1.0, step=1e-3, method="rk4", watch=False)
    loads = wheel_loads(Vehicle(**towing()))
    for axle, load in loads.items():
        assert run[f"{axle}_left_tyre.Fz"][-1] == pytest.approx(load, rel=1e-5)
    for name in ("first_hitch", "first_hitch_pitch", "last_hitch", "last_hitch_roll"):
        assert run[f"{name}.angle"] == pytest.approx(0.0, abs=1e-5)


def test_the_data_sheet_has_the_hitch_and_warns_of_it(tmp_path: Path) -> None:
    given = towing(last=False)
    sheet = data_sheet(Vehicle(**given))
    assert sheet.warnings == ()
    hitch = G * 800.0 * 0.3 / 3.9
    assert sheet["first hitch load"] == pytest.approx(hitch)
    assert sheet["mass with trailers"] == pytest.approx(1242.0 + 876.0)
    share = 100.0 * hitch / (G * 876.0)
    assert sheet["first share of the weight on the hitch"] == pytest.approx(share)
    assert sheet["front share of the weight"] + sheet["rear share of the weight"] == pytest.approx(
        100.0
    )
    given["trailers"]["first"]["loads"] = {"bricks": {"mass": 200, "position": [-1.8, 0, 0.8]}}
    shown = CliRunner().invoke(app, ["check", str(written(tmp_path, vehicle=given))])
    assert shown.exit_code == 0
    assert "unusual: first share of the weight on the hitch is -1.43 %" in shown.output


# -- motion -------------------------------------------------------------------------------------
@cache
def tumbled(hitch: Hitch | None, joint: type[Any]) -> Trajectory:
    """Two bodies that fly, joined by a hitch or by a joint of the library."""
    model = at.Model("pair", gravity=(0.0, 0.0, 0.0))
    front = model.add(RigidBody("front", 3.0, (1.0, 2.0, 2.5)))
    rear = model.add(RigidBody("rear", 2.0, (0.6, 1.4, 1.5)))
    model.add(Free("flight", model.ground.main_frame, front.main_frame))
    tail, head = front.point(-0.7, 0.0, 0.1, "tail"), rear.point(0.9, 0.0, -0.2, "head")
    if hitch is not None:
        hitch.add(model, "hitch", tail, head)
    elif joint is Universal:
        model.add(Universal("hitch", tail, head, first_axis="y", second_axis="z"))
    else:
        model.add(joint("hitch", tail, head))
    system = model.formulate()
    speeds = {
        "flight.wx": 0.8, "flight.wy": -0.5, "flight.wz": 1.1, "flight.vx": 1.0,
        "hitch.wy": 0.7, "hitch.wz": -0.9, "hitch_pitch.rate": 0.7, "hitch.rate": -0.9,
        "hitch.first_rate": 0.7, "hitch.second_rate": -0.9,
    }  # fmt: skip
    known = {quantity.name for quantity in system.states}
    initial = {name: speed for name, speed in speeds.items() if name in known}
    return system.simulate(1.0, step=1e-3, method="rk4", initial=initial)


@pytest.mark.parametrize(("kind", "joint"), [(BallHitch, Spherical), (FifthWheel, Universal)])
def test_hitches_move_as_joints_of_another_kind(kind: type[Hitch], joint: type[Any]) -> None:
    own = tumbled(kind(position=0.0, height=1.0, coupling=0.0), joint)
    other = tumbled(None, joint)
    for name in ("flight.x", "flight.y", "flight.z", "flight.yaw", "flight.pitch", "flight.roll"):
        assert own[name] == pytest.approx(other[name], abs=1e-9)
    assert np.ptp(own["hitch.angle"]) > 0.3


def yawed(**fields: float) -> Trajectory:
    """An arm of 5 kg m^2 about the hitch, with 1 rad/s at the start."""
    model = at.Model("arm", gravity=(0.0, 0.0, 0.0))
    arm = model.add(RigidBody("arm", 2.0, (2.0, 2.0, 3.0)))
    hitch = BallHitch(position=0.0, height=1.0, coupling=1.0, **fields)
    hitch.add_planar(model, "hitch", model.ground.main_frame, arm.point(1.0, 0.0, 0.0, "end"))
    initial = {"hitch.rate": 1.0}
    return model.formulate().simulate(
        2.0, step=1e-3, method="rk4", initial=initial, record_interval=0.1
    )


def test_dry_friction_slows_the_yaw_evenly_and_then_holds_it() -> None:
    run = yawed(yaw_friction=4.0)
    slides = run.time < 1.2
    assert run["hitch.rate"][slides] == pytest.approx(1.0 - 0.8 * run.time[slides], abs=1e-9)
    assert run["hitch.rate"][-1] == pytest.approx(0.0, abs=1e-6)


def test_units_touch_at_the_stop_and_swing_back() -> None:
    """After half a period of the stop's spring, pi / sqrt(k / J)."""
    run = yawed(stop_angle=0.5, stop_stiffness=2e3, stop_damping=0.0)
    back = 0.5 + math.pi / 20.0
    expected = np.where(run.time < 0.55, run.time, 0.5 - (run.time - back))
    free = (np.abs(run.time - 0.6) > 0.06) & (run.time < back + 0.9)
    assert run["hitch.angle"][free] == pytest.approx(expected[free], abs=2e-3)
    again = back + 1.0 + math.pi / 20.0  # it leaves the stop of the other side
    assert run["hitch.angle"][-1] == pytest.approx(-0.5 + 2.0 - again, abs=2e-3)


def by_hand_matrix(vehicle: Vehicle, speed: float) -> tuple[np.ndarray, np.ndarray]:
    """Units one behind the other in the plane, small angles, linear tyres: dx/dt = A x + b steer.

    In the ground: q is the place to the side of the car's centre and the heading of each unit. The
    place of any point is B q, and M = sum of m B B^T + J; a tyre gives -C (rate / speed - heading).
    """
    units = list(vehicle.units.values())
    size = 1 + len(units)
    M, D, K = (np.zeros((size, size)) for _ in range(3))
    centre, steered = np.eye(size)[0], np.zeros(size)
    for i, unit in enumerate(units):
        heading = np.eye(size)[1 + i]
        if i:
            hitch = unit.hitch  # type: ignore[attr-defined]
            centre = centre + hitch.position * np.eye(size)[i] - hitch.coupling * heading
            bent = heading - np.eye(size)[i]
            D += hitch.yaw_damping * np.outer(bent, bent)
        M += unit.body.mass * np.outer(centre, centre)
        M += unit.body.inertia[2] * np.outer(heading, heading)
        for axle in unit.axles.values():
            place = centre + axle.position * heading
            yaw = axle.suspension.unsprung_yaw_inertia(0.0) + 2.0 * axle.wheel.transverse_inertia
            M += axle.unsprung_mass * np.outer(place, place) + yaw * np.outer(heading, heading)
            stiffness = 2.0 * LINEAR["cornering_stiffness"]
            D += stiffness / speed * np.outer(place, place)
            K -= stiffness * np.outer(place, heading)
            steered += stiffness * place if axle.steering is not None else 0.0
    lower = np.hstack([-np.linalg.solve(M, K), -np.linalg.solve(M, D)])
    A = np.vstack([np.hstack([np.zeros_like(M), np.eye(size)]), lower])
    return A, np.concatenate([np.zeros(size), np.linalg.solve(M, steered)])


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.validation("vehicles")
def test_eigenvalues_are_those_of_a_matrix_by_hand(last: bool, agrees: Agrees) -> None:
    system = train("single-track", last)
    found = system.linearise(system.trim({"chassis.vx": SPEED}).states).eigenvalues
    A, _ = by_hand_matrix(Vehicle(**towing("single-track", last, **LINEAR)), SPEED)
    moving = [value for value in np.linalg.eigvals(A) if abs(value) > 1e-3]
    assert len(moving) == (6 if last else 4)
    nearest = [found[np.abs(found - value).argmin()] for value in moving]
    agrees(
        f"car with {'two trailers' if last else 'a trailer'}, single-track: eigenvalues", nearest,
        moving, rel=5e-3, unit="1/s", source="Equations by hand, mass and stiffness matrices",
    )  # fmt: skip


@pytest.mark.slow
def test_a_trailer_follows_and_its_brakes_follow_the_pedal() -> None:
    """In a steady turn all units have one yaw rate; the sensor and the joint say the same."""
    system = train("14-dof")
    start = system.trim({"chassis.vx": 15.0}).states
    inputs = {"driver.steering": "0.3*min(t, 1)", "driver.brake": "max(0, min(1, t - 7))"}
    run = system.simulate(
        8.0, step=2e-3, method="subdivided-rk45", initial=start, inputs=inputs, record_interval=0.02
    )
    steady = int(np.searchsorted(run.time, 6.5))
    for unit in ("first", "last"):
        turned = run[f"{unit}.yaw_rate"][steady]
        assert turned == pytest.approx(run["vehicle.yaw_rate"][steady], rel=1e-2)
        assert run[f"{unit}_axle_left_brake.torque"][-1] == pytest.approx(700.0)
    bent = run["first.heading"] - run["vehicle.heading"]
    assert bent[steady] < -0.03
    assert run["first_hitch.angle"][: steady + 1] == pytest.approx(bent[: steady + 1], abs=1e-3)
    rolled = run["last.roll"] - run["first.roll"]
    assert abs(rolled[steady]) < 0.3 * abs(run["last.roll"][steady])


# -- manoeuvres -----------------------------------------------------------------------------------
def test_trains_have_manoeuvres_of_their_own_that_measure_the_last_trailer() -> None:
    found = standard_manoeuvres(Vehicle(**towing()))
    assert found["iso-14791-lane-change"] == found["single-lane-change"]
    amplified, rollover = found["iso-14791-lane-change"].metrics
    assert amplified == RearwardAmplification(last="last", ahead=1.1)
    # The last rolls with the first, and that not with the car.
    assert rollover == Rollover(axles=("first_axle", "last_axle"))
    assert found["iso-9815-pulse"].metrics == (TrailerDamping(trailer="last", towing="first"),)
    assert "iso-9815-pulse" not in standard_manoeuvres(Vehicle(**described()))
    braking = found["braking"]
    assert isinstance(braking, PedalBraking)
    torques = 2.0 * (1500.0 + 900.0 + 2.0 * 700.0)
    assert braking.pedal == pytest.approx(6.0 * (1242.0 + 876.0 + 576.0) * 0.31 / torques)


@pytest.mark.validation("vehicles")
def test_a_lane_change_is_amplified_as_the_matrix_by_hand_says(agrees: Agrees) -> None:
    """Peaks of the run against those of the linear equations in the same lane change."""
    given = Vehicle(**towing("single-track", False, **LINEAR))
    change = standard_manoeuvres(given)["iso-14791-lane-change"]
    assert isinstance(change, SineSteer)
    change = replace(change, driven_by=(), speed=SPEED, amplitude=0.1)
    run = train("single-track", False).drive(change, step=2e-3, method="rk4")
    found = {one.name: one.value for one in change.findings(run)}
    A, push = by_hand_matrix(given, SPEED)
    steer = 0.1 / 16.0 * np.sin(2.0 * np.pi / 2.5 * np.minimum(run.time, 2.5))
    _, _, states = lsim((A, push[:, None], np.eye(6), np.zeros((6, 1))), steer, run.time)
    rates = states @ A.T + np.outer(steer, push)
    first, car, last = rates[:, 3], rates[:, 4], rates[:, 5]
    at_axle, centre = first + 1.1 * car, first - 2.3 * car - 3.6 * last
    expected = np.max(np.abs(centre)) / np.max(np.abs(at_axle))
    agrees(
        "car with a trailer, ISO 14791 lane change: rearward amplification",
        found["rearward_amplification"], expected, rel=1e-2,
        source="Equations by hand, integrated by SciPy",
    )  # fmt: skip
    assert found["rearward_amplification"] > 1.0


# -- what is wrong --------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (("hitch", "type"), "hook", "trailers.first.hitch: unknown part 'hook'"),
        (("hitch", "coupling"), -0.4, "first.hitch.coupling: -0.4 m is not ahead of the axles"),
        (("hitch", "height"), 0.0, "trailers.first.hitch.height: 0 m is not allowed"),
        (("hitch", "roll_stiffness"), 1.0, "first.hitch: ball has no 'roll_stiffness'"),
        (("hitch", "yaw_friction"), "3 N", "hitch.yaw_friction: '3 N' is a force"),
        (("axles", "axle", "steering"), {}, "the driver does not steer the wheels of a trailer"),
        (("axles", "axle", "position"), 3.0, "first_axle, rear would carry less than nothing|rear"),
        (("axles",), {}, "trailers.first.axles: expected Axle by name"),
        (("body", "mass"), -1.0, "trailers.first.body.mass: -1 kg is not allowed"),
    ],
)
def test_what_is_wrong_is_found_where_it_is(
    place: tuple[str, ...], value: Any, message: str, tmp_path: Path
) -> None:
    given = towing(last=False)
    inner: Any = given["trailers"]["first"]
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    with pytest.raises(at.AxletreeError, match="line [0-9]+.*(" + message + ")"):
        at.read_model(written(tmp_path, vehicle=given))


def test_all_that_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    given = towing()
    given["trailers"]["first"]["hitch"]["height"] = "3 kg"
    given["trailers"]["last"]["hitch"]["roll_stiffness"] = -1.0
    given["body"]["mass"] = math.nan
    with pytest.raises(at.AxletreeError) as caught:
        at.read_model(written(tmp_path, vehicle=given))
    for part in ("first.hitch.height", "last.hitch.roll_stiffness", "body.mass"):
        assert part in str(caught.value)


@pytest.mark.parametrize("name", ["vehicle", "driver", "front"])
def test_names_that_are_taken(name: str, tmp_path: Path) -> None:
    given = towing(last=False)
    own = given["trailers"].pop("first")
    given["axles"]["front_axle"] = given["axles"].pop("front")
    given["trailers"] = {name: own}
    with pytest.raises(at.AxletreeError, match="vehicles have this name|are called front_axle"):
        at.read_model(written(tmp_path, vehicle=given))
