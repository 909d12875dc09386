"""Steady motions: small systems and vehicles by hand, and the same motion in other coordinates."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from agreement import Agrees
from mechanisms.by_hand import by_hand, single_track
from mechanisms.shipped_run import shipped_system

import axletree as at
from axletree.core.errors import AxletreeError, TrimError
from axletree.system.system import System
from axletree.wheel.tyre import Tyre

SPEED = "sqrt(chassis.vx^2 + chassis.vy^2)"


@pytest.fixture(scope="module")
def bicycle_car() -> System:
    return shipped_system("bicycle-car")


def test_a_root_of_equations_written_by_hand() -> None:
    system = by_hand("cubic", {"x": "mu - x^3", "y": "x - 2*y"}, parameters={"mu": 8.0})
    found = system.trim(start={"x": 1.0})
    assert found.states == pytest.approx({"x": 2.0, "y": 1.0}, rel=1e-12)
    assert system.trim({"mu": 27.0}, start={"x": 1.0})["x"] == pytest.approx(3.0)
    assert found.eigenvalues == pytest.approx([-2.0, -12.0])


def test_an_input_that_gives_an_output_its_value() -> None:
    system = by_hand("lag", {"x": "u - 3*x"}, inputs={"u": 0.0}, outputs={"y": "2*x"})
    found = system.trim({"y": 4.0}, find=["u"])
    assert found.inputs["u"] == pytest.approx(6.0)
    assert found["y"] == pytest.approx(4.0)
    assert found["x + u"] == pytest.approx(8.0)
    assert found.given == {"y": 4.0}


@pytest.mark.validation("vehicles")
@pytest.mark.parametrize(
    "given", [{"r": 0.2}, {"radius": 100.0}, {"lateral_acceleration": 4.0}, {"u/r": 100.0}]
)
def test_steady_cornering_of_a_linear_single_track_car(
    given: dict[str, float], agrees: Agrees
) -> None:
    """delta = L/R + K a_y, with K = m/L (b/Cf - a/Cr); v = b r - u alpha_r."""
    cf, cr, m, a, b, u, r = 80e3, 90e3, 1500.0, 1.2, 1.5, 20.0, 0.2
    found = single_track("80e3*alpha_f", "90e3*alpha_r").trim(given, find=["delta"])
    length = a + b
    understeer = m / length * (b / cf - a / cr)
    slip_r = m * u * r * a / length / cr
    agrees(
        "single-track car in a steady turn: steering angle and speed across",
        [found.inputs["delta"], found.states["v"]],
        [length * r / u + understeer * u * r, b * r - u * slip_r], rel=1e-12, unit="rad, m/s",
        source="Closed form, understeer gradient", case=f"{next(iter(given))} is given",
    )  # fmt: skip
    assert found["r"] == pytest.approx(r)


def test_places_written_by_hand_drift() -> None:
    """Tracking equations of a single-track car: x, y and the heading go on, and have no mode."""
    forces = "80e3*(delta - (v + 1.2*r)/u)", "90e3*(1.5*r - v)/u"
    rates = {
        "v": f"({forces[0]} + {forces[1]})/1500 - u*r",
        "r": f"(1.2*{forces[0]} - 1.5*{forces[1]})/2500",
        "psi": "r", "x": "u*cos(psi) - v*sin(psi)", "y": "u*sin(psi) + v*cos(psi)",
    }  # fmt: skip
    car = by_hand(
        "tracked", rates, inputs={"delta": 0.0}, parameters={"u": 20.0},
        coordinates=("psi", "x", "y"),
    )  # fmt: skip
    found = car.trim({"u/r": 100.0}, find=["delta"])
    plain = single_track("80e3*alpha_f", "90e3*alpha_r").trim({"r": 0.2}, ["delta"])
    assert found.inputs == pytest.approx(plain.inputs)
    assert set(found.drifting) == {"psi", "x", "y"}
    assert found.rates["psi"] == pytest.approx(0.2)
    assert found.eigenvalues == pytest.approx(plain.eigenvalues)


def test_speeds_along_the_ground_turn_with_the_car(bicycle_car: System) -> None:
    """A relative equilibrium: what a run goes on in, round and round."""
    found = bicycle_car.trim(
        {SPEED: "72 km/h", "chassis.rate": "0.2 rad/s"}, find=["steer.angle", "drive.torque"]
    )
    assert found.yaw_rate == pytest.approx(0.2)
    assert found.open == ()  # the heading is free, and nothing else
    assert found[f"{SPEED}/chassis.rate"] == pytest.approx(100.0)
    assert found.rates["chassis.vy"] == pytest.approx(0.2 * found.states["chassis.vx"])
    run = bicycle_car.simulate(
        10.0, step=1e-3, initial=found.states, inputs=found.inputs, outputs=[]
    )
    speed = np.hypot(run["chassis.vx"], run["chassis.vy"])
    assert speed == pytest.approx(20.0, rel=1e-10)
    assert run["chassis.rate"] == pytest.approx(0.2, rel=1e-9)
    assert run["rear_tyre.q2"] == pytest.approx(found.states["rear_tyre.q2"], rel=1e-9)
    vx, vy = found["chassis.vx"], found["chassis.vy"]
    away = np.hypot(run["chassis.x"] + vy / 0.2, run["chassis.y"] - vx / 0.2)
    assert away == pytest.approx(100.0, rel=1e-9)
    assert run["chassis.angle"][-1] == pytest.approx(2.0)


@pytest.mark.validation("vehicles")
def test_axle_forces_of_a_turning_car_by_hand(bicycle_car: System, agrees: Agrees) -> None:
    """Forces and moments about the centre of mass, which the wheels draw 4 mm back."""
    found = bicycle_car.trim(
        {SPEED: 20.0, f"{SPEED}/chassis.rate": 80.0}, find=["steer.angle", "drive.torque"]
    )
    steer, rear = found.inputs["steer.angle"], found["rear_tyre.Fy"]
    front = found["front_tyre.Fy"] * math.cos(steer) + found["front_tyre.Fx"] * math.sin(steer)
    moments = found["front_tyre.Mz"] + found["rear_tyre.Mz"]
    agrees(
        "bicycle-car in a turn of 80 m: moment of the front about the centre of mass",
        1.204 * front + moments, 1.496 * rear, rel=1e-9, unit="N m",
        source="Closed form, moment of the rear",
    )  # fmt: skip
    slip = math.atan2(found["chassis.vy"], found["chassis.vx"]) - found["chassis.angle"]
    agrees(
        "bicycle-car in a turn of 80 m: side force of both axles", front + rear,
        1500.0 * 20.0**2 / 80.0 * math.cos(slip), rel=1e-9, unit="N",
        source="Closed form, m v²/R",
    )  # fmt: skip


def test_the_eigenvalues_of_a_turn_do_not_depend_on_the_heading(bicycle_car: System) -> None:
    given = {SPEED: 20.0, "chassis.rate": 0.2}
    find = ["steer.angle", "drive.torque"]
    first = bicycle_car.trim(given, find)
    turned = {
        "chassis.angle": 1.0 + first.states["chassis.angle"],
        "chassis.vx": math.cos(1.0) * first["chassis.vx"] - math.sin(1.0) * first["chassis.vy"],
        "chassis.vy": math.sin(1.0) * first["chassis.vx"] + math.cos(1.0) * first["chassis.vy"],
    }
    other = bicycle_car.trim(given, find, start={**first.states, **turned})
    assert other["chassis.angle"] == pytest.approx(turned["chassis.angle"], abs=1e-6)
    assert other.eigenvalues == pytest.approx(first.eigenvalues, rel=1e-9)
    assert len(first.eigenvalues) == 9  # 14 states, of which 3 drift by place and 2 by wheels
    assert "chassis.angle" not in first.linearisation.states


def test_growth_in_a_turn_is_that_of_a_disturbed_run(bicycle_car: System) -> None:
    """The slowest mode, at 20 m/s in a turn, as the speed and yaw rate of a run go back."""
    found = bicycle_car.trim(
        {SPEED: 20.0, "chassis.rate": 0.2}, find=["steer.angle", "drive.torque"]
    )
    slowest = found.eigenvalues[0].real
    scale = 1e-4
    run = bicycle_car.simulate(
        20.0, step=1e-3, outputs=[], inputs=found.inputs,
        initial={**found.states, "chassis.vx": found["chassis.vx"] * (1.0 + scale)},
    )  # fmt: skip
    off = np.hypot(run["chassis.vx"], run["chassis.vy"]) - 20.0
    rate = math.log(off[-1] / off[-10001]) / 10.0
    assert rate == pytest.approx(slowest, rel=1e-3)


def test_what_is_not_met_is_told_with_the_closest_motion(bicycle_car: System) -> None:
    """Two axles of 6000 N each hold 1500 kg up to 8 m/s^2, which they come near to."""
    saturated = single_track("6000*tanh(10*alpha_f)", "6000*tanh(12*alpha_r)", b=1.2)
    with pytest.raises(TrimError, match=r"lateral_acceleration = 9:.*closest") as info:
        saturated.trim({"lateral_acceleration": 9.0}, find=["delta"])
    assert "changes by" in str(info.value)
    reached = float(str(info.value).rpartition("lateral_acceleration = ")[2].partition(". ")[0])
    assert 7.9 < reached <= 8.0
    with pytest.raises(TrimError, match="nothing that is free can meet"):
        by_hand("rising", {"x": "1 + 0*x"}).trim()


def test_mistakes_are_named() -> None:
    system = by_hand("lag", {"x": "u - 3*x"}, inputs={"u": 0.0}, parameters={"k": 1.0})
    with pytest.raises(AxletreeError, match="unknown quantity 'z'"):
        system.trim({"z": 1.0})
    with pytest.raises(AxletreeError, match="unknown input or parameter 'q'"):
        system.trim(find=["q"])
    with pytest.raises(TrimError, match="given and is to be found"):
        system.trim({"u": 1.0}, find=["u"])
    with pytest.raises(TrimError, match="is no expression"):
        system.trim({"x +": 1.0})
    with pytest.raises(
        AxletreeError, match="unknown state, or input or parameter that is to be found, 'w'"
    ):
        system.trim(start={"w": 1.0})
    with pytest.raises(TrimError, match="x: .*no quantity"):
        system.trim({"x": "a lot"})
    rooted = by_hand("rooted", {"x": "2 - sqrt(x)"}, start={"x": -1.0})
    with pytest.raises(TrimError, match="cannot begin where the equations have no values"):
        rooted.trim()
    assert rooted.trim(start={"x": 1.0})["x"] == pytest.approx(4.0)
    with pytest.raises(TrimError, match=r"2\*x: .*lots"):
        system.trim({"2*x": "3 lots"})


@pytest.mark.parametrize("orientation", ["quaternion", "312"])
def test_a_turn_is_the_same_in_other_coordinates(orientation: str) -> None:
    """A heading in a quaternion is seen by all speeds, and turns with the whole."""
    drive = ["left_drive.torque", "right_drive.torque"]
    given = {"chassis.vx": 10.0, "chassis.wz": 0.2}
    usual = shipped_system("three-wheeler").trim(given, ["steer.angle", drive])
    model = at.Model("three_wheeler")
    described = at.read_model("three-wheeler")
    for part in described:
        is_free = isinstance(part, at.Free)
        model.add(replace(part, orientation=orientation) if is_free else part)
    kept = [q.name for q in model.formulate().states]
    model.start = {name: x for name, x in described.start.items() if name in kept}
    found = model.formulate().trim(given, ["steer.angle", drive])
    assert found.inputs == pytest.approx(usual.inputs, rel=1e-9)
    assert found.eigenvalues == pytest.approx(usual.eigenvalues, rel=1e-6, abs=1e-6)
    assert (found.yaw_rate is None) == (orientation == "312")
    assert usual.yaw_rate is None


def test_a_turn_is_reached_from_a_start_at_rest() -> None:
    """The wheels stand at the start of the model, and roll in the motion that trim finds."""
    system = shipped_system("drifting-car")
    given = {"chassis.vx": 10.0, "chassis.wz": 0.4}
    find = ["steer.angle", ["rear_left_drive.torque", "rear_right_drive.torque"]]
    found, trimmed = system.trim(given, find), system.trim(given, find=find)
    settled = [name for name in trimmed.states if name not in trimmed.drifting]
    assert {name: found.states[name] for name in settled} == pytest.approx(
        {name: trimmed.states[name] for name in settled}, abs=1e-9
    )
    assert found.inputs == pytest.approx(trimmed.inputs)


def test_a_parameter_is_found() -> None:
    """The speed of a turn of 100 m at 4 m/s^2 is 20 m/s; and two that share a level."""
    car = single_track("80e3*alpha_f", "90e3*alpha_r")
    turn = {"lateral_acceleration": 4.0, "radius": 100.0}
    found = car.trim(turn, find=["delta", "u"], start={"u": 15.0})
    assert found.parameters["u"] == pytest.approx(20.0, rel=1e-12)
    assert found.found == ("delta", "u")
    given = car.trim({"radius": 100.0, "u": 20.0}, find=["delta"], start=found)
    assert given.inputs == pytest.approx(found.inputs)
    system = by_hand("two", {"x": "a*b + u - x"}, inputs={"u": 0.0}, parameters={"a": 1, "b": 2})
    shared = system.trim({"x": 9.0}, find=[["a", "b"]])
    assert (shared["a"], shared["b"]) == pytest.approx((3.0, 3.0))
    with pytest.raises(TrimError, match="'a' is given and is to be found"):
        system.trim({"x": 9.0, "a": 2.0}, find=["a"])
    with pytest.raises(TrimError, match="'a' is followed and is to be found"):
        system.trim({"x": 9.0}, ["a"]).continued("a", 2.0, step=0.1)


def test_a_vehicle_ahead_of_a_bump_runs_as_on_level_ground() -> None:
    described, other = at.read_model("three-wheeler"), at.Model("other")
    for part in described:
        bump = at.Bump(x=50.0, length=1.0, rise=0.05)
        other.add(replace(part, surface=bump) if isinstance(part, Tyre) else part)
    other.start = described.start
    drive = [["left_drive.torque", "right_drive.torque"]]
    level = described.formulate().trim({"chassis.vx": 10.0}, drive)
    ahead = other.formulate().trim({"chassis.vx": 10.0}, drive)
    assert ahead.states == pytest.approx(level.states, rel=1e-9, abs=1e-9)
    assert set(ahead.drifting) == set(level.drifting)
    assert ahead.eigenvalues == pytest.approx(level.eigenvalues, rel=1e-6, abs=1e-6)
