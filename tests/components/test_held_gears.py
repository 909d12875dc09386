"""Gears that are held: torque and speed by the ratio, at once or within the time of a change."""

from __future__ import annotations

import numpy as np
import pytest

import axletree as at
from axletree.components.signals import Constant
from axletree.core.errors import AxletreeError
from axletree.core.registry import load, section

RATIOS, FINAL, TORQUE = (4.0, 2.0, 1.0), 3.0, 50.0  # N m of the source
INERTIA = 10.0  # kg m^2 of each wheel
SHIFT_RATE = 100.0  # rad/s of the source


def stand(**settings: object) -> at.Model:
    """Two wheels on axles, turned by a source of constant torque."""
    source = load("power source", "constant-torque", section("POWER_SOURCES"))(f"{TORQUE} N*m")
    model = at.Model("stand", gravity=(0, 0, 0))
    wheels = [
        model.add(at.RigidBody(word, 10.0, (INERTIA, INERTIA, INERTIA)))
        for word in ("left", "right")
    ]
    axles = [
        model.add(at.Revolute(f"{w.name}_axle", model.ground, w, axis=(0, 1, 0))) for w in wheels
    ]
    model.add(
        at.AxleDrive(
            "drive", *axles, source, gears=RATIOS, final_drive=FINAL, shift_rate=SHIFT_RATE,
            **{"selected": at.Input(), **settings},
        )
    )  # fmt: skip
    return model


def accelerated(model: at.Model, gear: float, rate: float) -> tuple[float, float]:
    """Acceleration of the wheels at a rate, and the rate of the source [rad/s^2, rad/s]."""
    system = model.formulate()
    state = system.state({"left_axle.rate": rate, "right_axle.rate": rate})
    inputs = {"drive.throttle": 1.0, "drive.clutch": 0.0}
    if "drive.selected" in system.inputs:
        inputs["drive.selected"] = gear
    found = system.rhs(state, inputs=inputs)["left_axle.rate"]
    return found, system.outputs_at(state, inputs=inputs)["drive.speed"]


@pytest.mark.parametrize("rate", [0.0, 5.0, 60.0])  # rad/s, below the first change and above all
def test_torque_and_speed_are_those_of_the_gear_that_is_selected(rate: float) -> None:
    """Each wheel has half of ratio, final drive and torque, whatever its rate is."""
    for number, ratio in enumerate(RATIOS, start=1):
        found, speed = accelerated(stand(), number, rate)
        assert found == pytest.approx(0.5 * ratio * FINAL * TORQUE / INERTIA, rel=1e-12)
        assert speed == pytest.approx(ratio * FINAL * rate, rel=1e-12)


@pytest.mark.parametrize("rate", [0.0, 8.2, 8.35, 12.0, 16.7, 60.0])
def test_at_zero_gears_change_as_without_a_lever(rate: float) -> None:
    plain = stand(selected=Constant(0.0))
    assert "drive.selected" not in plain.formulate().inputs
    assert accelerated(stand(), 0.0, rate) == accelerated(plain, 0.0, rate)


def test_a_gear_that_is_selected_is_changed_in_its_time() -> None:
    """At an even pace to the last twentieth, which fades with a twentieth of the time."""
    system = stand(shift_time="0.4 s").formulate()
    run = system.simulate(
        0.6, step=1e-3, method="rk4", watch=False, outputs=["drive.gear"],
        initial={"left_axle.rate": 60.0, "right_axle.rate": 60.0, "drive.shifted_1": 1.0,
                 "drive.shifted_2": 0.0},
        inputs={"drive.throttle": 0.0, "drive.clutch": 0.0, "drive.selected": 3.0},
    )  # fmt: skip
    pace, fading = 1.0 / 0.4, 0.05 * 0.4
    late = run.time - 0.95 / pace
    expected = np.where(late < 0.0, run.time * pace, 1.0 - 0.05 * np.exp(-late / fading))
    np.testing.assert_allclose(run["drive.shifted_2"], expected, atol=1e-5)
    np.testing.assert_allclose(run["drive.shifted_1"], 1.0, atol=1e-12)
    assert run["drive.gear"][[0, -1]].tolist() == [RATIOS[1], RATIOS[2]]


def test_only_gears_that_there_are_can_be_selected() -> None:
    lever = stand().formulate().inputs["drive.selected"]
    assert (lever.lower, lever.upper, lever.default) == (0.0, 3.0, 0.0)
    with pytest.raises(AxletreeError, match="gears: no axle of the vehicle has a drive with sever"):
        at.read_model("electric-car", {"vehicle": {"controls": {"gears": True}}})
