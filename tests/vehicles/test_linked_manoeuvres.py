"""Vehicles by hard points in standard manoeuvres, with all of their links."""

from __future__ import annotations

import numpy as np
import pytest
from mechanisms.shipped_run import LINKED

import axletree as at
from axletree.components.axle_drives import AxleDrive, HalfShaftDrive


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(LINKED))
def test_a_step_of_the_steering_wheel_ends_in_the_turn_that_is_asked_for(name: str) -> None:
    """ISO 7401: the lateral acceleration settles near 4 m/s^2 at 80 km/h, where yaw rate times
    speed is that acceleration; and links agree with curves."""
    car = at.read_model(name)
    run = car.drive("iso-7401-step")
    rate, speed = run["vehicle.yaw_rate"], run["vehicle.forward_speed"]
    last = run["vehicle.lateral_acceleration"][-1]
    assert last == pytest.approx(rate[-1] * speed[-1], rel=0.02)
    assert last == pytest.approx(4.0, rel=0.12)
    curves = at.read_model(name, {"vehicle": {"fidelity": "full"}}).drive("iso-7401-step")
    other = curves["vehicle.yaw_rate"]
    assert other[-1] == pytest.approx(rate[-1], rel=0.05)
    assert np.abs(rate).max() == pytest.approx(np.abs(other).max(), rel=0.06)


@pytest.mark.slow
def test_a_manoeuvre_may_begin_with_a_steering_wheel_that_turns() -> None:
    """The rack of a rigid column has its rate at once, and the links of its axle follow; the body
    does not yaw yet."""
    run = at.read_model("double-wishbone-sports-car").drive("iso-7401-sine", watch=False)
    left, right = (run[f"front_{side}_upright_turn.wz"][0] for side in ("left", "right"))
    assert left == pytest.approx(right, rel=0.01)
    assert abs(left) > 0.01  # rad/s
    assert abs(run["chassis.wz"][0]) < 1e-9
    assert run.findings


@pytest.mark.parametrize(
    ("name", "kind"), [("five-link-sedan", HalfShaftDrive), ("leaf-spring-pickup", AxleDrive)]
)
@pytest.mark.parametrize("fidelity", ["links", "full"])
def test_half_shafts_come_from_the_body_and_live_axles_hold_their_torque(
    name: str, kind: type, fidelity: str
) -> None:
    car = at.read_model(name, {"vehicle": {"fidelity": fidelity}})
    assert type(car["rear_drive"]) is kind


@pytest.mark.long
@pytest.mark.parametrize("fidelity", ["links", "full"])
def test_a_sedan_squats_by_what_its_anti_squat_leaves(fidelity: str) -> None:
    """Of the load that goes to the rear axle as it accelerates, springs take all but the share of
    anti-squat, which the rig has from the velocities of the wheel centre; what the air lifts and
    pushes at 67 km/h is some of it."""
    car = at.read_model("five-link-sedan", {"vehicle": {"fidelity": fidelity}})
    rig = at.kinematics_and_compliance(car, "rear", bushings=False)
    names = ["rear_left_suspension.travel", "rear_left_tyre.Fz"]
    run = car.drive("acceleration", outputs=names, watch=False)
    k = int(np.searchsorted(run.time, 4.5))
    travel, load = (run[name][k] - run[name][0] for name in names)
    share = 1.0 - 1e3 * rig["wheel_rate"].left * travel / load
    assert travel > 0.01
    assert 100.0 * share == pytest.approx(rig["anti_squat"].left, abs=2.5)
