"""Car, skidder and rover on soft soil: loads, rest on a slope, steady drives and turns."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from agreement import Agrees
from mechanisms.shipped_run import shipped_system
from oracles.wheel_in_soil import adaptive_forces
from scipy.optimize import brentq

import axletree as at
from axletree.wheel.soils.contract import WheelInSoil

CAR, SKIDDER, ROVER = "car-on-soil", "skidder-on-soil", "rover"
LARGE = [pytest.param(CAR, marks=pytest.mark.slow), pytest.param(ROVER, marks=pytest.mark.long)]
NAMES = [SKIDDER, *LARGE]
GRAVITY = {CAR: 9.81, SKIDDER: 9.81, ROVER: 1.62}  # m/s^2
MASS = {CAR: 2077.0 + 4 * 38.0, SKIDDER: 2 * 7280.0 + 4 * 557.0, ROVER: 186.0}
RADIUS = {CAR: 0.355, SKIDDER: 0.94, ROVER: 0.15}
WIDTH = {CAR: 0.225, ROVER: 0.16}
BRAKE = {CAR: 3e3, SKIDDER: 40e3, ROVER: 20.0}  # N m
DRIVE = {CAR: "drive.torque", SKIDDER: "drive.torque", ROVER: "supply.voltage"}
FULL = {CAR: 700.0, SKIDDER: 15e3, ROVER: 24.0}  # N m or V
SETTLED = {CAR: 80.0, SKIDDER: 60.0, ROVER: 40.0}  # s, of a drive from rest
SLOPE, PULL = 0.05, 0.02  # rad, of the weight
NOTHING: Mapping[str, Any] = MappingProxyType({})


def wheels(name: str) -> list[str]:
    axles = (q.name for q in shipped_system(name).states if q.name.endswith("_axle.rate"))
    return [name.removesuffix("_axle.rate") for name in axles]


def driven(
    name: str,
    duration: float,
    inputs: Mapping[str, Any] = NOTHING,
    first: Mapping[str, float] = NOTHING,
    slope: float = 0.0,
    step: float = 10e-3,
    **other: Any,
) -> at.Trajectory:
    """Uphill by a slope [rad]; a name with a star is that of all wheels."""
    g = GRAVITY[name]
    where = {"gravity.x": -g * math.sin(slope), "gravity.z": -g * math.cos(slope)}
    if name == ROVER:
        where |= of_all(name, {"*soil.surface.rise": other.pop("rise", 0.0)})
    method = other.pop("method", "complementarity")
    system = shipped_system(name, "set-valued" if method == "complementarity" else "projected")
    return system.simulate(
        duration,
        step=step,
        method=method,
        inputs=of_all(name, inputs),
        initial=of_all(name, first),
        parameters=where,
        watch=False,
        **other,
    )


def of_all(name: str, values: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in values.items():
        starred = key.startswith("*")
        names = [f"{wheel}_{key[1:]}" for wheel in wheels(name)] if starred else [key]
        found |= dict.fromkeys(names, value)
    return found


def total(run: at.Trajectory, name: str, quantity: str) -> np.ndarray:
    return np.sum([run[f"{wheel}_soil.{quantity}"] for wheel in wheels(name)], axis=0)


# -- standing --------------------------------------------------------------------------------
def sinkage(name: str, load: float, slip: float = 0.0) -> float:
    """Where adaptive integration of the stresses gives the load [m]."""
    law = next(part.law for part in at.read_model(name) if isinstance(part, at.SoilWheel))
    wheel = WheelInSoil(RADIUS[name], WIDTH[name], slip)
    return brentq(lambda z: adaptive_forces(law.soil, z, wheel)[0] - load, 1e-3, 0.5 * wheel.radius)


@cache
def parked(name: str) -> at.Trajectory:
    return driven(name, 20.0, record_interval=1.0)


@pytest.mark.validation("soils")
@pytest.mark.parametrize("name", NAMES)
def test_the_soil_carries_the_weight(name: str, agrees: Agrees) -> None:
    run = parked(name)
    agrees(
        "vehicle that stands on soil: load of all wheels", total(run, name, "normal_force")[-1],
        MASS[name] * GRAVITY[name], rel=1e-6, unit="N", source="Closed form, weight", case=name,
    )  # fmt: skip


@pytest.mark.validation("soils")
@pytest.mark.parametrize("name", LARGE)
def test_standing_wheels_sink_in_as_far_as_the_stresses_say_or_deeper(
    name: str, agrees: Agrees
) -> None:
    """Soil is compacted by the greatest load of their landing, and gives nothing back."""
    run = parked(name)
    for wheel in wheels(name):
        depth, load = (run[f"{wheel}_soil.{q}"][-1] for q in ("sinkage", "normal_force"))
        assert 1.0 - 1e-9 < depth / sinkage(name, load) < 1.1
    if name == CAR:  # the loads by lever arms, but for forces between front and rear wheels
        for wheel, arm in (("front_left", 1.487), ("rear_right", 1.353)):
            by_hand = (2077.0 * arm / (1.353 + 1.487) / 2.0 + 38.0) * 9.81
            agrees(
                "car that stands on soil: load of a wheel", run[f"{wheel}_soil.normal_force"][-1],
                by_hand, rel=5e-4, unit="N", source="Closed form, lever arms",
                case=wheel.replace("_", " "),
            )  # fmt: skip


@pytest.mark.validation("soils")
@pytest.mark.parametrize("name", NAMES)
def test_it_brakes_to_a_stop_on_a_slope_and_stays(name: str, agrees: Agrees) -> None:
    """For a minute, at a speed of exactly zero."""
    slope, rate = 0.12, 1.5
    rolling = {"chassis.vx": rate * RADIUS[name], "*axle.rate": rate}
    held = {"*brake.torque": BRAKE[name]}
    run = driven(name, 80.0, held, rolling, slope, record_interval=0.1)
    stands = run.time > 20.0
    assert run["chassis.vx"][0] > 0.2
    for speed in ("chassis.vx", "chassis.wz", *(f"{wheel}_axle.rate" for wheel in wheels(name))):
        assert not run[speed][stands].any(), speed
    # A body on struts may still bounce and roll, by rounding.
    assert np.abs(run["chassis.vy"][stands]).max() < 1e-11
    assert np.ptp(run["chassis.x"][stands]) < 1e-12
    weight = MASS[name] * GRAVITY[name]
    pulls = total(run, name, "drawbar_pull")[stands]
    agrees(
        "vehicle braked to a stop on a slope of soil: pull of all wheels over a minute", pulls,
        weight * math.sin(slope), rel=1e-6, unit="N",
        source="Closed form, part of the weight", case=name,
    )  # fmt: skip


# -- driving straight ------------------------------------------------------------------------
def at_work(name: str, drive: Any) -> dict[str, Any]:
    return {f"*{DRIVE[name]}": drive, "hitch.force": -PULL * MASS[name] * GRAVITY[name]}


@cache
def uphill(name: str) -> at.Trajectory:
    """From rest to a steady speed, against a pull."""
    work = at_work(name, ([0.0, 3.0], [0.0, FULL[name]]))
    return driven(name, SETTLED[name], work, slope=SLOPE, record_interval=0.1)


def steady(name: str) -> dict[str, float]:
    return {q.name: uphill(name)[q.name][-1] for q in shipped_system(name).states}


@pytest.mark.validation("soils")
@pytest.mark.parametrize("name", NAMES)
def test_a_steady_drive_balances(name: str, agrees: Agrees) -> None:
    run, weight = uphill(name), MASS[name] * GRAVITY[name]
    speed, pitch = run["chassis.vx"], run["chassis.pitch"][-1]
    assert speed[-1] > 0.1
    assert speed[-1] == pytest.approx(speed[-50], rel=1e-6)
    along = math.sin(SLOPE) + PULL * math.cos(pitch)
    up = math.cos(SLOPE) - PULL * math.sin(pitch)
    agrees(
        "vehicle that pulls uphill on soil: forces of all wheels along and across",
        [total(run, name, q)[-1] for q in ("drawbar_pull", "normal_force")],
        [weight * along, weight * up], rel=1e-5, unit="N",
        source="Closed form, balance of forces", case=name,
    )  # fmt: skip


@pytest.mark.validation("soils")
@pytest.mark.parametrize("name", LARGE)
def test_rolling_wheels_sink_in_as_far_as_the_stresses_say(name: str, agrees: Agrees) -> None:
    run = uphill(name)
    for wheel in wheels(name):
        told = ("sinkage", "normal_force", "slip")
        depth, load, slip = (run[f"{wheel}_soil.{q}"][-1] for q in told)
        agrees(
            "vehicle that pulls uphill on soil: sinkage of a wheel", depth,
            sinkage(name, load, slip), rel=1e-6, unit="m",
            source="Independent model, stresses integrated adaptively",
            case=f"{name}, {wheel.replace('_', ' ')}",
        )  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_both_sides_are_alike_straight_ahead(name: str) -> None:
    run = uphill(name)
    assert run["chassis.x"][-1] > 3.0
    assert np.abs(run["chassis.y"]).max() < 1e-9
    for left in (wheel for wheel in wheels(name) if wheel.endswith("left")):
        right = left.replace("left", "right")
        for quantity in ("sinkage", "slip", "drawbar_pull"):
            both = [run[f"{wheel}_soil.{quantity}"] for wheel in (left, right)]
            assert both[0] == pytest.approx(both[1], rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_the_smooth_path_keeps_the_same_steady_speed(name: str) -> None:
    first, work = steady(name), at_work(name, FULL[name])
    smooth = driven(name, 2.0, work, first, SLOPE, 1e-3, method="rk4", outputs=[])
    for rate in ("chassis.vx", *(f"{wheel}_axle.rate" for wheel in wheels(name))):
        assert smooth[rate][-1] == pytest.approx(first[rate], rel=1e-6), rate


@pytest.mark.validation("soils")
@pytest.mark.parametrize("name", NAMES)
def test_halving_the_step_halves_the_error(name: str, agrees: Agrees) -> None:
    """From a steady drive, as the drives go down to a half within a second."""
    work = at_work(name, ([0.0, 1.0], [FULL[name], 0.5 * FULL[name]]))
    ends = []
    for step in (10e-3, 5e-3, 2.5e-3):
        run = driven(name, 1.5, work, steady(name), SLOPE, step)
        ends.append([run["chassis.vx"][-1], run["chassis.x"][-1]])
    changes = np.diff(ends, axis=0)
    agrees(
        "vehicle on soil as its drive goes down: order of the error in the step",
        np.log2(changes[0] / changes[1]), [1.0, 1.0], abs=0.15,
        source="Theory of the method, first order", case=name,
    )  # fmt: skip


# -- turning ---------------------------------------------------------------------------------
@cache
def turning(angle: float) -> at.Trajectory:
    inputs = {"*drive.torque": ([0.0, 3.0], [0.0, 600.0]), "steer.angle": angle}
    return driven(CAR, 50.0, inputs, record_interval=0.1)


@pytest.mark.slow
def test_a_steady_turn_of_the_car_takes_its_side_forces() -> None:
    """Mass times v^2 / r, to the middle of the circle that the last 10 s are an arc of."""
    angle = 0.1
    run = turning(angle)
    way = run["chassis.x"] + 1j * run["chassis.y"]
    a, b, c = way[-101], way[-51], way[-1]
    w = (c - a) / (b - a)
    middle = a + (b - a) * (w - abs(w) ** 2) / (2j * w.imag)
    yaw = run["chassis.yaw"][-1]
    assert ((middle - c) * np.exp(-1j * yaw)).imag > 20.0  # steered to the left, turns to the left
    speed = abs(way[-1] - way[-2]) / 0.1
    force = 0j
    for wheel in wheels(CAR):
        pull, side = (run[f"{wheel}_soil.{q}"][-1] for q in ("drawbar_pull", "side_force"))
        heading = yaw + (angle if wheel.startswith("front") else 0.0)
        force += (pull + 1j * side) * np.exp(1j * heading)
    radius = abs(middle - c)
    needed = MASS[CAR] * speed**2 / radius * (middle - c) / radius
    assert abs(force - needed) < 1e-3 * abs(needed)


@pytest.mark.slow
def test_a_turn_to_the_right_is_the_mirror_image() -> None:
    left, right = turning(0.1), turning(-0.1)
    assert left["chassis.y"].max() > 20.0
    assert right["chassis.y"] == pytest.approx(-left["chassis.y"], abs=1e-9)
    assert right["chassis.x"] == pytest.approx(left["chassis.x"], abs=1e-9)


# -- rockers and bogies ----------------------------------------------------------------------
@pytest.mark.long
def test_the_differential_halves_what_one_side_meets() -> None:
    """A hill of 0.1 m under the left wheels: the right side stays as it is, on level ground."""
    run = driven(ROVER, 25.0, {"*supply.voltage": ([0.0, 3.0], [0.0, 24.0])}, rise=0.1)
    left, right = run["left_pivot.angle"], run["right_pivot.angle"]
    assert left == pytest.approx(-right, abs=1e-9)
    assert np.abs(left).max() > math.radians(2.0)
    assert np.abs(run["chassis.pitch"] + right).max() < math.radians(0.15)
    assert np.abs(run["right_bogie_pivot.angle"]).max() < math.radians(0.15)
    for wheel in wheels(ROVER):
        height, load = run[f"{wheel}_wheel.position.z"], run[f"{wheel}_soil.normal_force"]
        climbed = 0.1 if wheel.endswith("left") else 0.0
        assert height.max() - height[-1] == pytest.approx(climbed, abs=2e-3)
        assert load.min() > 38.0  # of 50 N
