"""Actuators of vehicles: what they do beside the driver, by the forces and motions that follow."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

import axletree as at
from axletree.core.errors import ModelError
from axletree.vehicles.linear_single_track import linear_single_track
from axletree.vehicles.statics import wheel_heights

EVERY = {"brakes": True, "drive": True, "motors": True, "steering": True, "suspension": True}


def vehicle(name: str, **controls: bool) -> at.Model:
    return at.read_model(name, {"vehicle": {"controls": controls}})


def inputs_of(model: at.Model) -> set[str]:
    return {q.name for q in model.formulate().inputs}


@pytest.mark.parametrize("name", ["sedan", "van"])
def test_a_vehicle_with_actuators_that_rest_drives_as_one_without(name: str) -> None:
    """Every group, with nothing set: the equations are the same functions of the state."""
    plain, controlled = at.read_model(name).formulate(), vehicle(name, **EVERY).formulate()
    state = plain.state({"chassis.vx": 20.0, "chassis.wz": 0.1})
    inputs = {"driver.brake": 0.3, "driver.throttle": 0.2, "driver.steering": 0.4}
    before = plain.rhs(state, inputs=inputs)
    after = controlled.rhs(controlled.state(dict(state)), inputs=inputs)
    for quantity, rate in before.items():
        assert after[quantity] == pytest.approx(rate, rel=1e-9, abs=1e-9), quantity


@pytest.mark.parametrize(("model", "fidelity"), [
    ("double-wishbone-sports-car", "links"), ("suv", "full"), ("car-with-caravan", "full"),
])  # fmt: skip
def test_every_vehicle_has_the_inputs_of_its_wheels(model: str, fidelity: str) -> None:
    changes = {"vehicle": {"controls": {"brakes": True, "suspension": True}, "fidelity": fidelity}}
    read = at.read_model(model, changes)
    names = [one.name for one in read.components]
    wheels = [name.removesuffix("_brake") for name in names if name.endswith("_brake")]
    assert wheels
    found = {q.name for component in read.components for q in component.inputs()}
    for wheel in wheels:
        expected = ("modulator.share", "modulator.torque", "actuator.force", "actuator.damping")
        assert {f"{wheel}_{one}" for one in expected} <= found


def test_a_brake_has_the_share_of_what_is_asked_for() -> None:
    """share max(T + M, 0), of the torques on the file's own numbers: 20 and 9 N m/bar, 110 bar."""
    car = vehicle("sedan", brakes=True)
    asked = {
        "driver.brake": 0.1,
        "front_left_modulator.share": 0.5, "front_left_modulator.torque": 100.0,
        "front_right_modulator.torque": -1e4,
        "rear_left_modulator.share": 0.0, "rear_right_modulator.torque": 50.0,
    }  # fmt: skip
    names = [f"{axle}_{side}_brake.friction" for axle in ("front", "rear")
             for side in ("left", "right")]  # fmt: skip
    run = car.drive("coasting", speed="80 km/h", inputs=asked, outputs=names)
    at_work = [float(run[name][30]) for name in names]  # after 0.3 s
    expected = [0.5 * (0.1 * 2200.0 + 100.0), 0.0, 0.0, 0.1 * 990.0 + 50.0]  # N m
    assert np.abs(at_work) == pytest.approx(expected, abs=1e-6)


def test_motors_push_by_their_torque_over_the_radius() -> None:
    """Newton's second law of the whole car, forces acting as high as wheels stand."""
    system = vehicle("sedan", motors=True).formulate()
    open_clutch = {"driver.clutch": 1.0}
    torques = {f"rear_{side}_motor.torque": 300.0 for side in ("left", "right")}  # N m
    rolls = system.trim({"chassis.vx": 5.0}, inputs=open_clutch, speed=None)
    speeds = [
        system.simulate(
            "0.6 s", step="2 ms", initial=rolls.states, inputs={**open_clutch, **more}
        )["chassis.vx"]
        for more in ({}, torques)
    ]  # fmt: skip
    own = vehicle("sedan").described["vehicle"]
    height, inertia = wheel_heights(own)["rear"], 4.0 * 1.1  # m, kg m^2, of all wheels
    expected = 2.0 * 300.0 / height / (own.mass + inertia / (height * 0.325))
    gained = (speeds[1] - speeds[0])[[150, 300]]
    assert (gained[1] - gained[0]) / 0.3 == pytest.approx(expected, rel=0.005)


def test_the_steering_actuator_adds_its_angle() -> None:
    system = vehicle("compact-car", steering=True).formulate()
    hold, find = {"chassis.vx": 20.0}, ["driver.throttle"]
    by_hand = system.trim(hold, find, inputs={"driver.steering": 0.5})
    added = {"driver.steering": 0.2, "steering_actuator.command": 0.3}
    by_actuator = system.trim(hold, find, inputs=added)
    turned = "chassis.wz"
    assert abs(by_hand[turned]) > 0.05
    assert by_actuator[turned] == pytest.approx(by_hand[turned], rel=1e-8)


def test_a_command_of_steering_is_followed_by_three_equal_poles() -> None:
    """1 - e^(-wt) (1 + wt + (wt)^2 / 2), the step of three equal lags."""
    system = vehicle("sedan", steering=True).formulate()
    run = system.simulate(
        "0.1 s", step="1 ms", inputs={"steering_actuator.command": 0.3},
        outputs=["steering_actuator.angle"],
    )  # fmt: skip
    wt = 100.0 * run.time
    expected = 0.3 * (1.0 - np.exp(-wt) * (1.0 + wt + 0.5 * wt * wt))
    assert run["steering_actuator.angle"] == pytest.approx(expected, abs=1e-5)


@pytest.mark.slow
def test_an_active_damper_is_as_more_of_the_passive_one() -> None:
    """500 N s/m by controllers, and by the file; along z and along the guide differ a little."""
    more = {
        "axles": {
            "front": {"suspension": {"damping": "2400 N*s/m"}},
            "rear": {"suspension": {"damping": "2450 N*s/m"}},
        }
    }
    passive = at.read_model("sedan", {"vehicle": more})
    active = vehicle("sedan", suspension=True)
    wheels = [f"{axle}_{side}" for axle in ("front", "rear") for side in ("left", "right")]
    damped = {f"{wheel}_actuator.damping": 500.0 for wheel in wheels}
    runs = [
        passive.drive("step-steer", speed="80 km/h"),
        active.drive("step-steer", speed="80 km/h", inputs=damped),
        active.drive("step-steer", speed="80 km/h"),
    ]
    roll = [np.asarray(run["vehicle.roll"]) for run in runs]
    assert np.max(np.abs(roll[1] - roll[0])) < 0.02 * np.max(np.abs(roll[2] - roll[0]))


@pytest.mark.slow
def test_an_active_bar_is_as_a_passive_one_with_its_moment() -> None:
    """In a steady turn the moment of 6 kN/m more at the front, from the travels of that car."""
    stiffer = {"axles": {"front": {"suspension": {"anti_roll": "20 kN/m"}}}}
    hold, find, turns = {"chassis.vx": 20.0}, ["driver.throttle"], {"driver.steering": 0.6}
    travels = [f"front_{side}_suspension.travel" for side in ("left", "right")]
    passive = at.read_model("sedan", {"vehicle": stiffer}).formulate()
    leaning = passive.trim(hold, find, inputs=turns)
    left, right = (leaning[name] for name in travels)
    moment = 1.57 * 6e3 * (left - right)  # N m, by the track
    active = vehicle("sedan", suspension=True).formulate()
    held = active.trim(hold, find, inputs={**turns, "front_anti_roll.moment": moment})
    free = active.trim(hold, find, inputs=turns)
    roll = "chassis.roll"
    assert abs(free[roll] - leaning[roll]) > 1e-3
    assert held[roll] == pytest.approx(leaning[roll], rel=0.01)


def test_what_a_vehicle_has_not_is_refused_by_name() -> None:
    with pytest.raises(ModelError, match="controls.suspension: in the plane there is none"):
        at.read_model(
            "sedan", {"vehicle": {"fidelity": "two-track", "controls": {"suspension": True}}}
        )
    with pytest.raises(ModelError, match="controls.brakes: a linear model has none"):
        at.read_model("sedan", {"vehicle": {"fidelity": "linear", "controls": {"brakes": True}}})
    with pytest.raises(ModelError, match="clutches"):
        at.read_model("sedan", {"vehicle": {"controls": {"clutches": True}}})


@pytest.mark.slow
def test_without_the_ideal_limit_wheels_lock() -> None:
    """Full pedal on the sedan, whose file has an anti-lock limit."""
    slows = {}
    for ideal in (True, False):
        model = vehicle("sedan", anti_lock=ideal)
        pressed = {"driver.brake": ([0.0, 0.1], [0.0, 1.0])}  # s, 1
        manoeuvre = dataclasses.replace(model.manoeuvres["coasting"], duration=1.0)
        run = model.drive(
            manoeuvre, speed="80 km/h", inputs=pressed, outputs=["front_left_axle.rate"]
        )
        slows[ideal] = float(run["front_left_axle.rate"][-1])
    assert slows[True] > 30.0
    assert abs(slows[False]) < 0.5  # rad/s


def test_a_model_with_actuators_is_written_and_read(tmp_path: Path) -> None:
    car = vehicle("sedan", **EVERY)
    at.write_model(car, tmp_path / "car.yaml")
    again = at.read_model(tmp_path / "car.yaml")

    def levels(model: at.Model) -> dict[str, float]:
        return {q.name: q.default for one in model.components for q in one.inputs()}

    assert levels(again) == levels(car)
    assert levels(car)["front_left_modulator.share"] == 1.0


def test_a_pressure_in_the_calliper_brakes_by_its_gain() -> None:
    """20 N m/bar in front and 9 N m/bar behind, of the file; after the valves, beside the pedal."""
    car = vehicle("sedan", brakes=True)
    asked = {
        "driver.brake": 0.1, "front_left_modulator.pressure": "10 bar",
        "front_right_modulator.pressure": "-5 bar", "front_right_modulator.share": 0.5,
        "rear_left_modulator.pressure": "20 bar", "rear_left_modulator.torque": 30.0,
    }  # fmt: skip
    names = [f"{axle}_{side}_brake.friction" for axle in ("front", "rear")
             for side in ("left", "right")]  # fmt: skip
    run = car.drive("coasting", speed="80 km/h", inputs=asked, outputs=names)
    expected = [
        0.1 * 2200.0 + 10 * 20.0,
        0.5 * (0.1 * 2200.0 - 5 * 20.0),
        0.1 * 990.0 + 20 * 9.0 + 30.0,
        0.1 * 990.0,
    ]  # N m
    assert np.abs([float(run[name][30]) for name in names]) == pytest.approx(expected, abs=1e-6)


def test_brakes_by_torque_have_no_pressure() -> None:
    found = inputs_of(vehicle("truck-4x2", brakes=True))
    assert "front_left_modulator.torque" in found
    assert "front_left_modulator.pressure" not in found


@pytest.mark.parametrize("fidelity", ["single-track", "two-track", "full"])
def test_a_steering_torque_holds_what_an_angle_needs(fidelity: str) -> None:
    """In a steady turn the torque is that of both kingpins over the steering's slopes, found by two
    turns of the vehicle whose angle is given."""
    given = {"fidelity": fidelity, "controls": {"steering_torque": True}}
    free = at.read_model("sedan", {"vehicle": given}).formulate()
    held = at.read_model("sedan", {"vehicle": {"fidelity": fidelity}}).formulate()
    keep, find, angle, change = {"chassis.vx": 20.0}, ["driver.throttle"], 0.5, 1e-3
    turns = [
        held.trim(keep, find, inputs={"driver.steering": angle + k * change}) for k in (0, 1, -1)
    ]
    torque = 0.0
    for side in ("left", "right"):
        at_kingpin, *asked = (
            turns[0][f"front_{side}_steer.torque"],
            *(turn[f"front_{side}_steer.angle"] for turn in turns[1:]),
        )
        torque += at_kingpin * (asked[0] - asked[1]) / (2.0 * change)
    assert torque > 5.0  # N m
    found = free.trim(keep, find, inputs={"driver.steering_torque": torque})
    assert found["driver.steering"] == pytest.approx(angle, rel=1e-5)
    assert found["driver.felt_torque"] == pytest.approx(torque, rel=1e-6)


def test_a_torque_first_turns_the_steering_wheel_alone() -> None:
    """J a'' + C a' + K a = M, kingpins do not move yet; K of the column's 2.5 N m/deg."""
    given = {"fidelity": "single-track", "controls": {"steering_torque": True}}
    system = at.read_model("sedan", {"vehicle": given}).formulate()
    rolls = system.trim({"chassis.vx": 20.0}, ["driver.throttle"])
    run = system.simulate(
        "2 ms", step="0.05 ms", initial=rolls.states, inputs={"driver.steering_torque": 3.0},
        watch=False,
    )  # fmt: skip
    inertia, column = 0.04, 2.5 * 180.0 / np.pi
    damping = 0.6 + 0.5  # N m s/rad, of the steering wheel and of the column
    w, d = np.sqrt(column / inertia), damping / (2.0 * inertia)
    t, wd = run.time, np.sqrt(w * w - d * d)
    expected = 3.0 / column * (1.0 - np.exp(-d * t) * (np.cos(wd * t) + d / wd * np.sin(wd * t)))
    assert run["driver.steering"][-1] == pytest.approx(expected[-1], rel=0.02)


def test_a_steering_wheel_that_is_let_go_comes_back() -> None:
    given = {"fidelity": "two-track", "controls": {"steering_torque": True}}
    car = at.read_model("suv", {"vehicle": given})
    asked = {"driver.steering_torque": ([0.0, 1.0, 1.1], [3.0, 3.0, 0.0])}
    run = car.drive("coasting", speed=20.0, inputs=asked, watch=False)
    angle = run["driver.steering"]
    assert angle[90] > 0.1
    assert np.max(np.abs(angle[run.time > 4.0])) < 0.02


COLUMN = 1146.0  # N m/rad, 20 N m/deg, in the place of a column that is rigid


def test_a_rigid_column_has_one_that_is_stated_between_a_torque_and_the_wheels() -> None:
    """The torque is that which a rigid steering takes, and the steering wheel is ahead by what the
    column gives way, but for what kingpins that carry unequal loads give way unequally."""
    torque_of = {"fidelity": "two-track", "controls": {"steering_torque": True}}
    free = at.read_model("sports-car", {"vehicle": torque_of}).formulate()
    held = at.read_model("sports-car", {"vehicle": {"fidelity": "two-track"}}).formulate()
    keep, find = {"chassis.vx": 20.0}, ["driver.throttle"]
    angle, change = 0.2, 1e-3
    turns = [
        held.trim(keep, find, inputs={"driver.steering": angle + k * change}) for k in (0, 1, -1)
    ]
    torque = 0.0
    for side in ("left", "right"):
        ahead, behind = (turn[f"front_{side}_steer.angle"] for turn in turns[1:])
        slope = (ahead - behind) / (2.0 * change)
        torque += turns[0][f"front_{side}_steer.torque"] * slope
    assert torque > 3.0  # N m
    found = free.trim(keep, find, inputs={"driver.steering_torque": torque})
    assert found["driver.felt_torque"] == pytest.approx(torque, rel=1e-9)
    ahead = found["driver.steering"] - angle
    assert ahead == pytest.approx(torque / COLUMN, rel=0.03)


def test_a_torque_turns_the_steering_wheel_of_a_linear_model() -> None:
    """Steady turns and modes are those of J a'' = M - C a' - n t F with the equations of the
    linear single-track model, here as a matrix of lateral speed, yaw rate, angle and its rate."""
    still = {"side": 0.0, "yaw_moment": 0.0}  # of the air
    changed = {"fidelity": "linear", "controls": {"steering_torque": True}, "air": still}
    car = at.read_model("sedan", {"vehicle": changed})
    described, system, u = car.described["vehicle"], car.formulate(), 25.0  # m/s
    own, kingpin = linear_single_track(described), described.axles["front"].steering.trail
    front, rear = own.axles["front"], own.axles["rear"]
    share, trail = front.steer, front.trail + kingpin
    m, J, mass, inertia = 0.04, 0.6, own.mass, own.yaw_inertia
    rows = np.zeros((4, 4))  # of m v', J r', a', J a''
    for axle in (front, rear):
        x, steer = axle.position - own.centre, axle.steer
        force = -axle.stiffness * np.array([1.0 / u, x / u, -steer, 0.0])  # by v, r, a, a'
        rows[0] += force / mass
        rows[1] += (x - axle.trail) * force / inertia
        if axle is front:
            rows[3] -= share * trail * force / m
    rows[0, 1] -= u
    rows[2, 3] = 1.0
    rows[3, 3] -= J / m
    matrix = system.linearise(system.trim({"chassis.vx": u}).states).A
    kept = sorted(np.linalg.eigvals(rows), key=lambda one: (one.real, one.imag))
    found = np.linalg.eigvals(matrix)
    for one in kept:
        assert np.min(np.abs(found - one)) < 1e-4 * abs(one)
    turn = system.trim({"chassis.vx": u}, inputs={"driver.steering_torque": 1.5})
    assert share * trail * turn["front_tyres.Fy"] == pytest.approx(1.5, rel=1e-9)
    by_hand = np.linalg.solve(rows, [0.0, 0.0, 0.0, -1.5 / m])
    assert turn["driver.steering"] == pytest.approx(by_hand[2], rel=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["double-wishbone-sports-car", pytest.param("beam-axle-truck", marks=pytest.mark.long)]
)
def test_a_torque_moves_racks_and_pitman_arms(name: str) -> None:
    """The torque that holds a steady turn is the load on what steers by its travel."""
    free = at.read_model(name, {"vehicle": {"controls": {"steering_torque": True}}}).formulate()
    held = at.read_model(name)
    steering = held.described["vehicle"].axles["front"].steering
    keep, find, angle = {"chassis.vx": 15.0}, ["driver.throttle"], 0.2
    turn = held.formulate().trim(keep, find, inputs={"driver.steering": angle})
    load = "front_steer.force" if steering.rack is not None else "front_steer.torque"
    torque = turn[load] * steering.travel
    found = free.trim(keep, find, inputs={"driver.steering_torque": torque})
    assert abs(torque) > 0.5  # N m
    assert found["driver.felt_torque"] == pytest.approx(torque, rel=1e-9)
    assert found["driver.steering"] == pytest.approx(angle + torque / COLUMN, rel=1e-3)


def test_beside_a_driver_no_torque_turns_the_steering_wheel() -> None:
    given = {"driver": {"path": {"type": "straight"}}, "controls": {"steering_torque": True}}
    with pytest.raises(ModelError, match="a driver has the steering wheel"):
        at.read_model("sedan", {"vehicle": given})


def test_a_manoeuvre_by_angle_is_not_for_a_steering_wheel_by_torque() -> None:
    with pytest.raises(at.AxletreeError, match=r"'driver\.steering'.*'driver\.steering_torque'"):
        vehicle("sedan", steering_torque=True).drive("step-steer")
