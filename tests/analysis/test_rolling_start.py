"""Starts in which wheels roll, against formulas by hand and the nearest points of the ground."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system
from scipy.optimize import minimize

import axletree as at
from axletree import catalogue
from axletree.core.errors import TrimError
from axletree.core.registry import UnknownNameError
from axletree.system.system import System

IDEAL = ("slim-ideal", "belted-ideal")
SLIPPING = [name for name in catalogue.READY_TYRES if name not in IDEAL]
RADII = {"slim": 0.3556, "circular": 0.2278, "belted": 0.2469}


def wheel(name: str, height: float = 0.4, **fields: Any) -> System:
    """A free hub of 30 kg with a wheel on it, at this height above the ground unless it is held."""
    model = at.Model("wheel")
    hub = model.add(at.RigidBody("hub", 30.0, (1.0, 1.0, 1.0)))
    turning = model.add(at.MasslessBody("turning"))
    axle = model.add(at.Revolute("axle", hub, turning, axis="y"))
    model.add(at.Tyre("tyre", axle, model.ground, **at.ready_tyre(name, **fields)))
    model.start = {"hub.z": radius(name) if name in IDEAL else height}
    return model.formulate()


def radius(name: str) -> float:
    return RADII[name.partition("-")[0]]


@pytest.mark.parametrize("name", SLIPPING)
def test_two_of_three_give_the_third(name: str) -> None:
    """Upright S = (R Omega - V) / |V|, in whatever order they are given."""
    system, R = wheel(name), radius(name)
    rotation = system.trim({"hub.vx": 5.0}, wheels=at.RollingWheels(slip={"tyre": -0.2}))
    assert rotation.states["axle.rate"] == pytest.approx(0.8 * 5.0 / R)
    translation = system.trim({"axle.rate": -30.0}, wheels=at.RollingWheels(slip={"tyre": 0.25}))
    assert translation.states["hub.vx"] == pytest.approx(-30.0 * R / 0.75)
    slip = system.trim({"hub.vx": 5.0, "axle.rate": 30.0}, wheels=at.RollingWheels())
    assert slip.slips["tyre"] == pytest.approx((30.0 * R - 5.0) / 5.0)
    assert slip.states["hub.z"] + slip.states.get("tyre.belt_z", 0.0) == pytest.approx(R)


@pytest.mark.parametrize("name", IDEAL)
def test_a_wheel_that_cannot_slip_rolls(name: str) -> None:
    system = wheel(name)
    start = system.trim({"hub.vx": 5.0}, wheels=at.RollingWheels())
    assert start.states["axle.rate"] == pytest.approx(5.0 / radius(name))
    assert {k for k, v in start.states.items() if v} == {"hub.vx", "hub.z", "axle.rate"}
    backwards = system.trim({"axle.rate": -7.0}, wheels=at.RollingWheels())
    assert backwards.states["hub.vx"] == pytest.approx(-7.0 * radius(name))
    with pytest.raises(TrimError, match="tyre cannot slip"):
        system.trim({"hub.vx": 5.0}, wheels=at.RollingWheels(slip={"tyre": 0.1}))


@pytest.mark.parametrize("name", catalogue.READY_TYRES)
def test_states_of_a_tyre_that_starts_rolling_stay(name: str) -> None:
    """With slip, a deflection and a lean: what the belt or the contact point does is steady."""
    system = wheel(name)
    given = {"hub.vx": 5.0, "hub.roll": 0.2, "hub.yaw": 0.5}
    if name in IDEAL:
        start = system.trim(given, wheels=at.RollingWheels())
    else:
        start = system.trim(given, wheels=at.RollingWheels(slip={"tyre": 0.03}, deflection="1 mm"))
    rates = system.rhs(start.states)
    own = [state for state in start.states if state.startswith("tyre.")]
    assert np.allclose([rates[state] for state in own], 0.0, atol=1e-6)
    assert start.states["hub.roll"] == 0.2
    assert start.states["hub.x"] == start.states["hub.y"] == 0.0


@pytest.mark.parametrize("normal_force", [{"type": "linear", "stiffness": 1e5, "damping": 1e3}])
def test_a_wheel_that_starts_inside_the_ground_is_put_on_it(normal_force: dict[str, Any]) -> None:
    """There its speeds contradict the constraint that it must not slip; on the ground they fit."""
    system = wheel("slim-ideal", height=0.0, normal_force=normal_force)
    start = system.trim({"hub.vx": "18 km/h"}, wheels=at.RollingWheels())
    assert start.states["hub.z"] == pytest.approx(radius("slim"))
    assert start.states["axle.rate"] == pytest.approx(5.0 / radius("slim"))


def test_a_car_gets_wheels_that_roll_on_the_road() -> None:
    car = shipped_system("car")
    start = car.trim(
        {"chassis.vx": 20.0, "chassis.wz": 0.3}, wheels=at.RollingWheels(deflection="15 mm")
    )
    run = car.simulate(0.001, step=1e-3, initial=start.states, outputs=None)
    for corner in ("front_left", "front_right", "rear_left", "rear_right"):
        assert run[f"{corner}_tyre.loaded_radius"][0] == pytest.approx(0.355 - 0.015, abs=1e-9)
        assert start.slips[f"{corner}_tyre"] == pytest.approx(0.0, abs=1e-9)
    left, right = (start.states[f"front_{side}_axle.rate"] for side in ("left", "right"))
    rolled = run["front_left_tyre.effective_radius"][0]
    assert 0.5 * (left + right) * rolled == pytest.approx(20.0, rel=1e-4)
    assert left < right - 0.3  # the inner wheels of a turn are slower


def test_a_bicycle_on_held_wheels_leans_and_rolls() -> None:
    bicycle = shipped_system("whipple-bicycle")
    start = bicycle.trim(
        {"rear_frame.vx": 5.0, "rear_frame.wx": 0.0, "steer.angle": 0.1}, wheels=at.RollingWheels()
    )
    run = bicycle.simulate(1e-3, step=1e-3, initial=start.states)
    assert run["rear_axle.rate"][0] == pytest.approx(5.0 / 0.3, rel=1e-3)
    assert start.states["rear_frame.wz"] != 0.0  # it rides a circle
    again = bicycle.state(start.states)  # refuses what contradicts the constraints
    assert again == pytest.approx(start.states, abs=1e-9)


HILL = {"type": "hill", "rise": 0.6, "radius": 3.0, "x": 2.0, "y": -0.5}


def gap(states: Any, R: float) -> float:
    """The least distance between the rim of a thin disc and points of the hill, from outside."""
    hill = at.Hill(rise=0.6, radius=3.0, x=2.0, y=-0.5)
    yaw, roll = states["hub.yaw"], states["hub.roll"]
    u = np.array([-math.sin(yaw) * math.cos(roll), math.cos(yaw) * math.cos(roll), math.sin(roll)])
    ahead = np.array([math.cos(yaw), math.sin(yaw), 0.0])
    up = np.cross(ahead, u)
    centre = np.array([states["hub.x"], states["hub.y"], states["hub.z"]])

    def apart(v: np.ndarray) -> float:
        rim = centre + R * (math.sin(v[0]) * ahead - math.cos(v[0]) * up)
        x, y = v[1:]
        return float(np.linalg.norm(rim - (x, y, float(hill.height(x, y, hill.numbers)))))

    options = {"xatol": 1e-9, "fatol": 1e-12, "maxiter": 4000}
    start = (0.0, centre[0], centre[1])
    return float(minimize(apart, start, method="Nelder-Mead", options=options).fun)


def test_a_leaning_wheel_is_put_on_a_hill_and_goes_along_it() -> None:
    system = wheel("slim-slipping", surface=HILL)
    given = {"hub.x": 0.8, "hub.vx": 4.0, "hub.roll": 0.2, "hub.yaw": 0.4}
    start = system.trim(given, wheels=at.RollingWheels())
    assert gap(start.states, 0.3556) < 1e-6
    assert start.states["hub.x"] == 0.8
    later = dict(start.states)
    for axis in "xyz":
        later[f"hub.{axis}"] += 1e-3 * start.states[f"hub.v{axis}"]
    assert gap(later, 0.3556) < 5e-6  # of the 4 mm that it has gone
    assert start.states["hub.vz"] > 0.5
    assert start.slips["tyre"] == pytest.approx(0.0, abs=1e-12)


def test_a_plane_vehicle_has_no_height_to_find() -> None:
    start = shipped_system("bicycle-car").trim(wheels=at.RollingWheels())
    assert set(start.slips.values()) == {0.0}
    rates = [value for name, value in start.states.items() if name.endswith("axle.rate")]
    assert rates
    assert all(rate > 10.0 for rate in rates)


def test_a_system_without_wheels_starts_as_it_is() -> None:
    pendulum = shipped_system("pendulum")
    assert pendulum.trim(wheels=at.RollingWheels()).states == pendulum.state()


def test_wheels_in_the_air_stay_there() -> None:
    start = wheel("belted-advanced").trim(
        {"hub.vx": 5.0, "hub.z": 0.7}, wheels=at.RollingWheels(deflection=None)
    )
    assert start.states["hub.z"] == 0.7
    # Slip is at the radius that the wheel would have there.
    assert start.states["axle.rate"] == pytest.approx(5.0 / 0.7)


def test_what_cannot_be_is_told() -> None:
    system = wheel("belted-advanced")
    angles = {"hub.roll": 0.0, "hub.pitch": 0.0}
    with pytest.raises(TrimError, match="tyre, deflection by"):
        system.trim({"hub.vx": 5.0, "hub.z": 0.7, **angles}, wheels=at.RollingWheels())
    speeds = {f"hub.{s}": 0.0 for s in ("vy", "vz", "yaw_rate", "pitch_rate", "roll_rate")}
    with pytest.raises(TrimError, match="tyre, slip by"):
        system.trim(
            {"hub.vx": 5.0, "axle.rate": 3.0, **speeds}, wheels=at.RollingWheels(slip={"tyre": 0.0})
        )
    with pytest.raises(UnknownNameError, match="tyer"):
        system.trim({"hub.vx": 5.0}, wheels=at.RollingWheels(slip={"tyer": None}))
