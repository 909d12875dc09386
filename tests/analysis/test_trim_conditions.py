"""One entry to steady motions: asked by conditions of the path, too many of them, and too few."""

from __future__ import annotations

import math
from typing import Any

import pytest
from mechanisms.by_hand import single_track
from mechanisms.shipped_run import shipped_system
from vehicles.test_fidelity import system as vehicle_system

import axletree as at
from axletree.analysis.steady.continuation import SpecialKind
from axletree.core.errors import AxletreeError, TrimError
from axletree.system.system import System

KEEPERS = ["steer.angle", "drive.torque"]


@pytest.fixture(scope="module")
def car() -> System:
    return shipped_system("bicycle-car")


@pytest.mark.parametrize(
    "asked",
    [
        {"speed": 20.0, "lateral_acceleration": 4.0},
        {"speed": "72 km/h", "radius": "0.1 km"},
        {"lateral_acceleration": 4.0, "radius": 100.0},
        {"speed": 20.0, "lateral_acceleration": 4.0, "radius": 100.0},
        {"given": {"speed": 20.0, "radius": 100.0}},
        {"given": {"chassis.rate": 0.2}, "speed": 20.0, "radius": 100.0},  # more, which agrees
    ],
)
def test_a_turn_by_any_of_its_conditions(car: System, asked: dict[str, Any]) -> None:
    turn = at.trim(car, find=KEEPERS, **asked)
    assert turn["speed"] == pytest.approx(20.0, rel=1e-9)
    assert turn["lateral_acceleration"] == pytest.approx(4.0, rel=1e-9)
    assert turn["radius"] == pytest.approx(100.0, rel=1e-9)
    assert turn.yaw_rate == pytest.approx(0.2, rel=1e-9)
    assert turn.inputs["steer.angle"] == pytest.approx(0.0366530168, rel=1e-8)
    assert turn.decay == 0.0


def test_to_the_right_it_is_the_mirror_image(car: System) -> None:
    left = car.trim(speed=20.0, radius=100.0, find=KEEPERS)
    right = car.trim(speed=20.0, radius=-100.0, find=KEEPERS)
    assert right.inputs["steer.angle"] == pytest.approx(-left.inputs["steer.angle"], rel=1e-9)
    assert right["lateral_acceleration"] == pytest.approx(-4.0, rel=1e-9)


def test_a_model_and_its_system_have_the_same_motion() -> None:
    model = at.read_model("quarter-car")
    assert at.trim(model).states == model.formulate().trim().states


def test_a_described_vehicle_finds_its_own_pedals() -> None:
    car = vehicle_system("single-track")
    straight = car.trim(speed=20.0)
    assert straight.found == ("driver.throttle",)
    assert straight.given == {"chassis.vx": 20.0}
    turn = car.trim(speed=20.0, lateral_acceleration=3.0)
    assert turn.found == ("driver.steering", "driver.throttle")
    assert turn["vehicle.yaw_rate"] == pytest.approx(0.15, rel=1e-9)
    assert car.trim(speed=0).given == {}
    coasts = car.trim(speed=20.0, find=())
    assert (coasts.found, coasts.held) == ((), ("chassis.vx",))


def test_a_quantity_of_the_system_goes_before_that_of_a_path() -> None:
    by_hand = single_track("80e3*alpha_f", "90e3*alpha_r")
    found = by_hand.trim(lateral_acceleration=4.0, find=["delta"])
    assert found["r"] == pytest.approx(4.0 / 20.0, rel=1e-12)


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (
            {"speed": 20.0, "lateral_acceleration": 4.0, "radius": 120.0},
            r"do not agree: .* 3.33333 m/s\^2, and lateral_acceleration is off by 0.666667 m/s\^2",
        ),
        ({"radius": 120.0}, "radius alone says no turn"),
        ({"speed": 0.0, "radius": 50.0}, "stands makes no turn"),
        ({"speed": "20 kg", "radius": 50.0}, "speed: .*kg"),
        ({"speed": 0, "given": {"chassis.vx": 3.0}}, "is to rest"),
        ({"wheels": at.RollingWheels(), "given": {"speed": 3.0}}, "'speed' is no state"),
    ],
)
def test_what_does_not_fit_together_is_said(car: System, asked: dict[str, Any], says: str) -> None:
    with pytest.raises(TrimError, match=says):
        at.trim(car, find=() if "wheels" in asked else KEEPERS, **asked)


def test_of_too_many_values_those_that_are_off_are_named(car: System) -> None:
    """Two inputs for three values: each is off by what the other two make of it."""
    with pytest.raises(TrimError) as caught:
        at.trim(car, {"chassis.rate": 0.25}, KEEPERS, speed=20.0, radius=100.0)
    told = str(caught.value)
    assert "Without chassis.rate there is one, with chassis.rate = 0.2 rad/s" in told
    assert "it is off by -0.05 rad/s" in told
    assert "Without radius there is one, with radius = 80 m: it is off by -20 m" in told


def test_a_system_that_is_no_vehicle_has_no_radius() -> None:
    with pytest.raises(TrimError, match="has no output 'speed'"):
        shipped_system("pendulum").trim(speed=1.0, radius=3.0)
    with pytest.raises(AxletreeError, match="nothing says which state is its speed"):
        shipped_system("pendulum").trim(speed=1.0)


def test_an_input_alone_says_how_fast_it_goes() -> None:
    """A sledge with 4 N s/m of drag that 20 N push; without the push it rests."""
    model = at.Model("sledge")
    body = model.add(at.RigidBody("body", 10.0, (1.0, 1.0, 1.0)))
    track = model.add(at.Prismatic("track", model.ground, body, axis="x"))
    model.add(at.SlideSpringDamper("drag", track, stiffness=0.0, damping=4.0))
    model.add(at.JointForce("push", track))
    system = model.formulate()
    assert system.trim(inputs={"push.force": 20.0})["track.speed"] == pytest.approx(5.0)
    assert system.trim()["track.speed"] == 0.0
    with pytest.raises(TrimError, match=r"at rest: .*track.speed changes by 2 m/s\^2"):
        system.trim(speed=0, inputs={"push.force": 20.0})


def test_a_trim_is_continued_to_the_limit_and_names_it(car: System) -> None:
    limit = at.trim(car, speed=20.0, lateral_acceleration=0.0, find=KEEPERS).continued(
        "lateral_acceleration", 12.0, step=1.0, points=25
    )
    (fold,) = [one for one in limit.special if one.kind is SpecialKind.FOLD]
    with pytest.raises(TrimError) as caught:
        at.trim(car, speed=20.0, lateral_acceleration=12.0, find=KEEPERS)
    reached = str(caught.value).partition("The closest that was reached")[2]
    value = float(reached.partition("lateral_acceleration = ")[2].partition(" ")[0])
    assert value == pytest.approx(fold.value, rel=1e-3)
    assert limit.unit == "m/s^2"
    assert limit["steer.angle"][0] == pytest.approx(0.0, abs=1e-12)


def test_a_coasting_motion_is_continued_as_one() -> None:
    """It loses speed by its drag, 4 N s/m on 10 kg, whatever the speed is."""
    model = at.Model("sledge")
    body = model.add(at.RigidBody("body", 10.0, (1.0, 1.0, 1.0)))
    track = model.add(at.Prismatic("track", model.ground, body, axis="x"))
    model.add(at.SlideSpringDamper("drag", track, stiffness=0.0, damping=4.0))
    coasts = model.formulate().trim({"track.speed": 5.0})
    branch = coasts.continued("drag.damping", 8.0, step=1.0)
    assert [point.decay for point in branch.points] == pytest.approx(-branch.values / 10.0)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("steady_state", r"trim\(given, find\)"),
        ("rolling_start", "wheels=RollingWheels"),
        ("continue_steady", "continued"),
    ],
)
def test_names_of_before_say_what_they_are_now(car: System, name: str, meant: str) -> None:
    with pytest.raises(AttributeError, match=meant):
        getattr(car, name)


def test_slips_of_a_motion_by_tyre(car: System) -> None:
    driven = car.trim({"chassis.vx": 20.0}, ["drive.torque"], inputs={"steer.angle": 0.02})
    assert set(driven.slips) == {"front_tyre", "rear_tyre"}
    assert math.isfinite(driven.slips["rear_tyre"])
