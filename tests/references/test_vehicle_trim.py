"""Steady motions of the vehicles: against published tables, statics by hand and long runs."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from agreement import Agrees
from mechanisms.shipped_run import shipped_system

import axletree as at
from axletree.core.errors import TrimError
from axletree.expr.quantity import Role
from axletree.system.system import System
from axletree.wheel.tyre import Tyre

CORNERS = ("front_left", "front_right", "rear_left", "rear_right")
GRAVITY = 9.80665
WEIGHT = GRAVITY * (2077 + 4 * 38)  # [N] of the car


@pytest.fixture(scope="module")
def car() -> System:
    return shipped_system("car")


def mirrored_car() -> System:
    """The car with tyres of its right side on the right: conicity and ply steer balance."""
    described, symmetric = at.read_model("car"), at.Model("car")
    for part in described:
        is_right = isinstance(part, Tyre) and "right" in part.name
        symmetric.add(replace(part, mirrored=True) if is_right else part)
    symmetric.start = described.start
    return symmetric.formulate()


@pytest.mark.validation("vehicles")
def test_the_coasting_car_stands_as_the_table_of_first_values_says(
    car: System, agrees: Agrees
) -> None:
    """Morency 2007, table A.8, to its rounding; z alone is 6e-5 m off there.

    The means of left and right are those of an independent model in maximal coordinates.
    Four tyres of one side pull to one side: left and right differ by the roll angle.
    """
    found = car.trim({"chassis.vx": 20.0})
    struts = [found.states[f"{corner}_strut.position"] for corner in CORNERS]
    front, rear = sum(struts[:2]) / 2, sum(struts[2:]) / 2
    assert (round(front, 6), round(rear, 6)) == (0.563154, 0.561682)
    assert (round(front, 4), round(rear, 4)) == (0.5632, 0.5617)
    for what, ours, expected in (("front", front, 0.5632), ("rear", rear, 0.5617)):
        agrees(
            f"car coasting at 20 m/s: length of the {what} struts", ours, expected, abs=5e-5,
            unit="m", source="Morency 2007, table A.8",
        )  # fmt: skip
    agrees(
        "car coasting at 20 m/s: height of the centre of mass", found.states["chassis.z"], 0.8995,
        abs=6.5e-5, unit="m", source="Morency 2007, table A.8",
        note="the printed height does not stand on the printed strut lengths by 0.06 mm; an "
        "independent model in maximal coordinates has 0.899436 m, as here.",
    )  # fmt: skip
    agrees(
        "car coasting at 20 m/s: height of the centre of mass", found.states["chassis.z"], 0.899436,
        abs=1e-6, unit="m", source="Independent model, in maximal coordinates",
    )  # fmt: skip
    assert abs(found.states["chassis.z"] - 0.8995) == pytest.approx(6.4e-5, abs=1e-6)
    agrees(
        "car coasting at 20 m/s: pitch angle", math.degrees(found.states["chassis.pitch"]), 0.005,
        abs=5e-4, unit="deg", source="Morency 2007, table A.8",
    )  # fmt: skip
    spread = 0.76 * 2 * -found.states["chassis.roll"]
    assert struts[1] - struts[0] == pytest.approx(spread, rel=0.15)  # the tyres give way, too
    assert found.residual < 1e-10
    assert set(found.drifting) == {
        "chassis.x", "chassis.y", "chassis.yaw", *(f"{corner}_axle.angle" for corner in CORNERS)
    }  # fmt: skip


@pytest.mark.validation("vehicles")
def test_a_coasting_car_slows_as_its_rolling_resistance_says(car: System, agrees: Agrees) -> None:
    """Without side pull: My = 0.01 R0 Fz on each wheel; the wheels' inertia helps it on."""
    found = mirrored_car().trim({"chassis.vx": 20.0})
    assert found.rates["chassis.vx"] == pytest.approx(-0.0978, abs=5e-5)
    assert found.states["chassis.roll"] == pytest.approx(0.0, abs=1e-12)
    assert found.states["front_left_strut.position"] == pytest.approx(0.563154, abs=1e-6)
    assert found.states["front_right_strut.position"] == pytest.approx(0.563154, abs=1e-6)
    assert found.states["rear_left_strut.position"] == pytest.approx(0.561682, abs=1e-6)
    # Each wheel: I dw/dt = -My - Fx R_l; with dw/dt = (w/v) dv/dt and m dv/dt = sum Fx.
    spin = found.states["front_left_axle.rate"] / 20.0
    loaded = 0.355 - WEIGHT / 4 / 304e3
    inertia = 2229.0 + 4 * 1.56 * spin / loaded
    by_hand = -0.01 * 0.344 * WEIGHT / loaded / inertia
    agrees(
        "coasting car: deceleration by rolling resistance", found.rates["chassis.vx"], by_hand,
        rel=2e-3, unit="m/s²", source="Closed form, rolling resistance and inertia of wheels",
    )  # fmt: skip
    for corner in CORNERS:
        rate, acceleration = (d[f"{corner}_axle.rate"] for d in (found.states, found.rates))
        assert acceleration / rate == pytest.approx(found.decay, rel=1e-9)
    # Held straight by the steering, the car as it is coasts alike.
    straight = car.trim({"chassis.vx": 20.0, "chassis.wz": 0.0}, find=["steer.angle"])
    assert straight.rates["chassis.vx"] == pytest.approx(found.rates["chassis.vx"], rel=1e-4)
    assert math.degrees(straight.inputs["steer.angle"]) == pytest.approx(0.0089, abs=1e-4)


@pytest.mark.validation("vehicles")
def test_the_standing_car_distributes_its_weight(car: System, agrees: Agrees) -> None:
    """Moments about the rear axle; the struts lean by the pitch angle and carry the wheels on."""
    found = car.trim()
    assert all(found.states[q.name] == 0.0 for q in car.states if q.role is Role.SPEED)
    front, rear = (found.states[f"{axle}_strut.position"] for axle in ("front_left", "rear_left"))
    assert (round(front, 6), round(rear, 6)) == (0.563589, 0.560993)
    assert math.degrees(found.states["chassis.pitch"]) == pytest.approx(-0.021, abs=5e-4)
    forward = -0.5623 * math.sin(found.states["chassis.pitch"])  # of all wheels
    body_on_front = 2077 * GRAVITY * (1.487 - forward) / (1.353 + 1.487) / 2
    agrees(
        "standing car: length of the front struts", front, 0.674 - body_on_front / 48289, abs=1e-7,
        unit="m", source="Closed form, statics",
    )  # fmt: skip
    body_on_rear = 2077 * GRAVITY / 2 - body_on_front
    agrees(
        "standing car: length of the rear struts", rear, 0.72 - body_on_rear / 30518, abs=1e-7,
        unit="m", source="Closed form, statics",
    )  # fmt: skip
    radius = 0.355 - (body_on_front + 38 * GRAVITY) / 304e3
    nose = found.states["chassis.z"] - 1.353 * math.sin(found.states["chassis.pitch"])
    assert nose == pytest.approx(front + radius, abs=1e-6)
    # At rest lagged slip is a spring, which may be stretched: how far is left as it is.
    assert set(found.open) == {f"{corner}_tyre.q2" for corner in CORNERS}


def test_a_disturbed_car_settles_where_the_trim_says(car: System) -> None:
    found = car.trim()
    disturbed = dict(found.states)
    disturbed |= {"chassis.z": 0.95, "chassis.roll": 0.02, "front_left_strut.position": 0.58}
    # Sideways it swings on the tyres' lag, which at rest is a spring without a damper.
    run = car.simulate(90.0, step=1e-3, record_interval=90.0, initial=disturbed, outputs=[])
    for name in ("chassis.z", "chassis.pitch", *(f"{corner}_strut.position" for corner in CORNERS)):
        assert run[name][-1] == pytest.approx(found.states[name], abs=2e-6)


def test_a_car_goes_on_as_it_was_trimmed(car: System) -> None:
    """Coasting, its speed falls as told and nothing else moves; driven, not even that."""
    coasting = car.trim({"chassis.vx": 20.0})
    run = car.simulate(
        2.0, step=1e-3, initial=coasting.states, inputs=coasting.inputs, outputs=[]
    )  # fmt: skip
    for name in ("chassis.z", "chassis.pitch", "front_left_strut.position", "rear_right_tyre.q1"):
        assert run[name] == pytest.approx(coasting.states[name], rel=2e-3, abs=1e-6)
    assert run["chassis.vx"][-1] == pytest.approx(20.0 + 2.0 * coasting.rates["chassis.vx"])
    brakes = [f"{corner}_brake.torque" for corner in CORNERS]
    driven = car.trim({"chassis.vx": 20.0}, find=[brakes])
    assert driven.decay == 0.0
    assert driven.inputs[brakes[0]] == driven.inputs[brakes[3]] == pytest.approx(18.79, abs=0.01)
    by_hand = 0.01 * 0.344 * WEIGHT / 4  # each torque against its wheel's rolling resistance
    assert driven.inputs[brakes[0]] == pytest.approx(by_hand, rel=2e-3)
    run = car.simulate(2.0, step=1e-3, initial=driven.states, inputs=driven.inputs, outputs=[])
    drifting = set(driven.drifting)
    for name, value in driven.states.items():
        if name not in drifting:
            assert run[name] == pytest.approx(value, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    "start",
    [
        {"chassis.z": 1.5},
        {f"{wheel}_axle.rate": 0.0 for wheel in ("front", "left", "right")},
    ],
    ids=["in the air", "with blocked wheels"],
)
@pytest.mark.parametrize("hold", [{"chassis.vx": 10.0}, {}], ids=["coasting", "standing"])
def test_a_start_from_far_off_ends_in_the_same_motion(
    start: dict[str, float], hold: dict[str, float]
) -> None:
    model = at.read_model("three-wheeler")
    near = model.formulate().trim(hold)
    model.start = {**model.start, **start}
    found = model.formulate().trim(hold)
    # At rest two tyres may stay stretched against one another: their lagged slips are springs, and
    # any share of that is a balance.
    against = ("left_tyre.q2", "right_tyre.q2") if not hold else ()
    assert [found.states[name] for name in against] == pytest.approx([0.0] * len(against), abs=1e-5)
    states = {name: value for name, value in found.states.items() if name not in against}
    assert states == pytest.approx({name: near.states[name] for name in states}, rel=1e-7, abs=1e-7)


def test_the_skidder_stands_and_coasts_on_its_tyres() -> None:
    skidder = shipped_system("skidder")
    standing, coasting = skidder.trim(), skidder.trim({"chassis.vx": 10.0})
    sunk = GRAVITY * (2 * 7280 + 4 * 557) / (4 * 500e3)
    for found in (standing, coasting):
        assert found.states["chassis.z"] == pytest.approx(1.403783, abs=1e-6)
        assert found.states["chassis.z"] == pytest.approx(0.94 - sunk + 0.5461, abs=1e-9)
        assert found.states["chassis.pitch"] == pytest.approx(0.0, abs=1e-12)
    # Nothing resists its rolling: it keeps its speed, and its wheels turn at v / R_l.
    assert coasting.decay == pytest.approx(0.0, abs=1e-12)
    for corner in CORNERS:
        rate = coasting.states[f"{corner}_axle.rate"]
        assert rate == pytest.approx(10.0 / (0.94 - sunk), rel=1e-12)


def test_a_car_in_a_steady_turn(car: System) -> None:
    """What a run ends in, some time after its steering wheel was turned and held."""
    run = car.simulate(
        6.0, step=1e-3, initial=car.trim({"chassis.vx": 20.0}).states, outputs=[],
        inputs={"steer.angle": "pi/360*(1+tanh(5*(t-1)))"},
    )  # fmt: skip
    found = car.trim({"chassis.vx": run["chassis.vx"][-1]}, inputs={"steer.angle": "1 deg"})
    assert found.states["chassis.wz"] == pytest.approx(run["chassis.wz"][-1], rel=2e-3)
    assert found.states["chassis.roll"] == pytest.approx(run["chassis.roll"][-1], rel=5e-3)
    assert found.states["chassis.vy"] == pytest.approx(run["chassis.vy"][-1], rel=0.02)


def test_the_bicycle_car_rolls_on_as_its_radius_says() -> None:
    found = shipped_system("bicycle-car").trim({"chassis.vx": "36 km/h"})
    assert found.states["chassis.vx"] == 10.0
    assert found.states["front_axle.rate"] == pytest.approx(10.0 / 0.3, rel=1e-6)
    assert found.decay == pytest.approx(0.0, abs=1e-12)
    assert "chassis.angle" in found.drifting  # where it heads


def test_the_bicycle_car_turns_as_a_single_track_model_says() -> None:
    """steer = L/R + (m_f - m_r) a/C, the trails of a third of the width moving load forwards.

    Its speeds are along the axes of the ground and turn with it.
    """
    system, acceleration = shipped_system("bicycle-car"), 0.01
    found = system.trim(
        {"chassis.vx": 20.0, "chassis.rate": acceleration / 20.0},
        find=["steer.angle", "drive.torque"],
    )
    base, stiffness, trail = 2.7, 110e3, 0.2 / 3.0
    front, rear = 1460 * 1.5 / base + 20.0, 1460 * 1.2 / base + 20.0
    steer = base * acceleration / 20.0**2
    steer += (front - rear + 2.0 * 1500.0 * trail / base) * acceleration / stiffness
    assert found.inputs["steer.angle"] == pytest.approx(steer, rel=1e-4)
    assert found.rates["chassis.vy"] == pytest.approx(acceleration, rel=1e-9)
    assert found.residual < 1e-12
    tight = system.trim(
        {"chassis.vx": 10.0, "chassis.rate": 0.4}, find=["steer.angle", "drive.torque"]
    )
    run = system.simulate(
        4.0, step=1e-3, initial=tight.states, inputs=tight.inputs, outputs=["front_tyre.Fy"]
    )
    assert run["chassis.rate"] == pytest.approx(0.4, rel=1e-7)
    speed = np.hypot(run["chassis.vx"], run["chassis.vy"])
    assert speed == pytest.approx(speed[0], rel=1e-7)
    assert run["chassis.angle"][-1] == pytest.approx(1.6, rel=1e-6)


def test_a_heading_in_quaternions_turns_as_one_in_angles() -> None:
    """Values of inputs that are found do not depend on how the heading is described."""
    described, other = at.read_model("three-wheeler"), at.Model("other")
    for part in described:
        is_chassis = part.name == "chassis"
        other.add(replace(part, orientation="quaternion") if is_chassis else part)
    angles = {"chassis.roll", "chassis.pitch"}
    other.start = {name: x for name, x in described.start.items() if name not in angles}
    hold = {"chassis.vx": 10.0, "chassis.wz": 0.4}
    find = ["steer.angle", ["left_drive.torque", "right_drive.torque"]]
    by_angles = described.formulate().trim(hold, find=find)
    found = other.formulate().trim(hold, find=find)
    assert found.inputs == pytest.approx(by_angles.inputs, rel=1e-9)
    e = np.array([found.states[f"chassis.e{k}"] for k in range(4)])
    roll = math.atan2(2.0 * (e[0] * e[1] + e[2] * e[3]), 1.0 - 2.0 * (e[1] ** 2 + e[2] ** 2))
    assert roll == pytest.approx(by_angles.states["chassis.roll"], rel=1e-9)


@pytest.mark.slow
def test_a_turn_is_reached_from_a_start_at_rest() -> None:
    """The drifting car stands at its start. At 4 m/s^2 its wheels roll, each on its circle."""
    found = shipped_system("drifting-car").trim(
        {"chassis.vx": 10.0, "chassis.wz": 0.4},
        find=["steer.angle", ["rear_left_drive.torque", "rear_right_drive.torque"]],
    )  # fmt: skip
    assert found.inputs["steer.angle"] == pytest.approx(2.5 * 0.4 / 10.0, rel=0.03)
    for side, sign in (("left", -1.0), ("right", 1.0)):
        rolling = (10.0 + sign * 0.75 * 0.4) / (found.states["chassis.z"] - 0.1)
        assert found.states[f"rear_{side}_axle.rate"] == pytest.approx(rolling, rel=0.01)


@pytest.mark.slow
def test_a_turn_that_the_tyres_do_not_hold_says_how_far_they_do(car: System) -> None:
    """With a friction coefficient below 1 the car holds less than 9.81 m/s^2."""
    find = ["steer.angle", [f"{corner}_brake.torque" for corner in CORNERS]]
    with pytest.raises(TrimError, match=r"closest that was reached is one with") as told:
        car.trim({"chassis.vx": 20.0, "chassis.wz": 0.7}, find=find)
    limit = float(re.findall(r"chassis.wz = (\S+) rad/s", str(told.value))[-1])
    assert 0.2 < limit < GRAVITY / 20.0
    reached = car.trim({"chassis.vx": 20.0, "chassis.wz": 0.98 * limit}, find=find)
    assert reached.residual < 1e-9


def test_the_three_wheeler_coasts_under_a_driver_on_its_left() -> None:
    """Rolling resistance of 3 mm over the loaded radius, against mass and wheels."""
    three_wheeler = shipped_system("three-wheeler")
    found = three_wheeler.trim({"chassis.vx": 10.0})
    mass, loaded = 445.0, 0.2676
    inertia = mass + 3 * 0.4 / loaded**2
    by_hand = -0.003 / loaded * mass * GRAVITY / inertia
    assert found.rates["chassis.vx"] == pytest.approx(by_hand, rel=0.01)
    assert found.states["left_strut.position"] < found.states["right_strut.position"]
    for name, value in at.read_model("three-wheeler").start.items():
        assert found.states[name] == pytest.approx(value, rel=3e-4, abs=3e-5), name
    driven = three_wheeler.trim(
        {"chassis.vx": 10.0}, find=[["left_drive.torque", "right_drive.torque"]]
    )
    assert driven.inputs["left_drive.torque"] > 0.0
    assert driven.rates["chassis.vx"] == pytest.approx(0.0, abs=1e-10)


def test_the_quarter_car_stands_where_its_springs_carry_it() -> None:
    found = shipped_system("quarter-car").trim(inputs={"road.position": 0.1})
    strut, radius = 0.5 - 300 * GRAVITY / 18e3, 0.31 - 340 * GRAVITY / 180e3
    assert found.states["strut.position"] == pytest.approx(strut, abs=1e-12)
    assert found.states["guide.position"] == pytest.approx(0.1 + radius + strut, abs=1e-12)


@pytest.mark.slow
@pytest.mark.shipped_flags
def test_a_vehicle_ahead_of_a_bump_is_trimmed_as_on_level_ground() -> None:
    described, other = at.read_model("three-wheeler"), at.Model("other")
    bump = at.Bump(x=50.0, length=1.0, rise=0.05)
    for part in described:
        other.add(replace(part, surface=bump) if isinstance(part, Tyre) else part)
    other.start = described.start
    level = described.formulate().trim({"chassis.vx": 10.0})
    found = other.formulate().trim({"chassis.vx": 10.0})
    assert found.states == pytest.approx(level.states, rel=1e-12, abs=1e-12)
    assert set(found.drifting) == set(level.drifting)
    other.start = {**described.start, "chassis.x": 49.05}  # the front wheel is on it
    with pytest.raises(TrimError, match="no steady motion"):
        other.formulate().trim({"chassis.vx": 10.0})


@pytest.mark.parametrize("from_chassis", [True, False])
def test_a_torque_drives_a_wheel_whatever_its_angle(from_chassis: bool) -> None:
    """From the chassis it stands in the equations in the turning axes of the wheel."""
    model = at.Model("cart")
    cart = model.add(at.RigidBody("cart", 100.0, (1.0, 1.0, 1.0)))
    track = model.add(at.Prismatic("track", model.ground, cart, axis="x"))
    model.add(at.SlideSpringDamper("drag", track, stiffness=0.0, damping=4.0))
    wheel = model.add(at.BodyOfRevolution("wheel", 10.0, 0.5, 0.3, axis="y"))
    axle = model.add(at.Revolute("axle", cart.point(0, 0, 0.29), wheel, axis="y"))
    law = at.LinearTyre(slip_stiffness=1e5, cornering_stiffness=1e5)
    spring = at.LinearNormalForce(stiffness=1e5)
    model.add(
        at.Tyre("tyre", axle, model.ground, unloaded_radius=0.31, normal_force=spring, law=law)
    )
    about_axle = at.TorqueDriver("drive", cart, wheel, axis="y")
    model.add(about_axle if from_chassis else at.JointTorque("drive", axle))
    model.start = {"track.speed": 4.0, "axle.rate": 14.0}
    found = model.formulate().trim({"track.speed": 5.0}, find=["drive.torque"])
    assert found.inputs["drive.torque"] == pytest.approx(4.0 * 5.0 * 0.29, rel=1e-9)
    assert "axle.angle" in found.drifting
