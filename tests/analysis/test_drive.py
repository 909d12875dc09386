"""Drives: the start that is solved, the inputs that follow, what is said where it cannot be."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import axletree as at
from axletree.analysis.drive import drive_start, states_as_inputs
from axletree.core.errors import AxletreeError
from axletree.expr import Beyond, Table
from axletree.model.manoeuvre import Manoeuvre
from axletree.system.system import System


def sledge(speed: float = 3.0) -> System:
    """10 kg on a horizontal track against a drag of 4 N s/m, with two open forces."""
    model = at.Model("sledge")
    body = model.add(at.RigidBody("body", 10.0, (1.0, 1.0, 1.0)))
    track = model.add(at.Prismatic("track", model.ground, body, axis="x"))
    model.add(at.SlideSpringDamper("drag", track, stiffness=0.0, damping=4.0))
    model.add(at.JointForce("push", track))
    model.add(at.JointForce("pull", track))
    model.start = {"track.speed": speed}
    return model.formulate()


def test_a_drive_begins_at_its_speed_and_coasts() -> None:
    run = sledge().drive(at.Coasting(speed="18 km/h", duration=2.0), outputs=[])
    assert run["track.speed"] == pytest.approx(5.0 * np.exp(-0.4 * run.time), rel=1e-9)


def test_what_drives_it_goes_on_to_do_so() -> None:
    driven = at.Coasting(speed=5.0, driven_by=["push.force"], outputs=["push.force"], duration=1.0)
    run = sledge().drive(driven)
    assert run["track.speed"] == pytest.approx(5.0, rel=1e-12)
    assert run["push.force"] == pytest.approx(20.0, rel=1e-12)


def test_further_inputs_are_there_from_the_start() -> None:
    """A headwind of 8 N is part of the steady motion; what it grows to is not."""
    manoeuvre = at.Coasting(
        speed=5.0, driven_by="push.force", inputs={"pull.force": "-8 - 2*t"}, duration=1.0,
        outputs=["push.force"],
    )  # fmt: skip
    run = sledge().drive(manoeuvre)
    assert run["push.force"] == pytest.approx(28.0)
    # 10 dv/dt = -4 (v - 5) - 2 t
    t = run.time
    expected = 5.0 - 0.5 * t + 1.25 * (1.0 - np.exp(-0.4 * t))
    assert run["track.speed"] == pytest.approx(expected, rel=1e-9)


def test_states_may_begin_otherwise() -> None:
    manoeuvre = at.Coasting(speed=5.0, initial={"track.position": 7.0}, duration=1.0)
    assert sledge().drive(manoeuvre, outputs=[])["track.position"][0] == 7.0


def test_parameters_hold_for_the_start_and_the_run() -> None:
    driven = at.Coasting(speed=5.0, driven_by="push.force", outputs=["push.force"], duration=1.0)
    run = sledge().drive(driven, parameters={"drag.damping": 6.0})
    assert run["push.force"] == pytest.approx(30.0)
    assert run["track.speed"] == pytest.approx(5.0, rel=1e-12)


@pytest.mark.parametrize(
    ("manoeuvre", "says"),
    [
        (at.Coasting(speed=5.0, inputs={"pul.force": 1.0}), "did you mean 'pull.force'"),
        (at.Coasting(speed=5.0, inputs={"pull.force": "1 kg"}), "input 'pull.force' cannot be"),
        (at.Coasting(speed=5.0, driven_by="pus.force"), "did you mean 'push.force'"),
        (at.Coasting(speed=5.0, forward="track.sped"), "did you mean 'track.speed'"),
        (at.Coasting(speed=5.0, initial={"track.sped": 1.0}), "did you mean 'track.speed'"),
        (at.Braking(speed=5.0, brakes="brake.torque", torque=-1.0), "brake.torque"),
    ],
)
def test_what_the_system_has_not_is_named(manoeuvre: Manoeuvre, says: str) -> None:
    with pytest.raises(AxletreeError, match=says):
        sledge().drive(manoeuvre)


def test_a_speed_needs_a_state() -> None:
    with pytest.raises(AxletreeError, match=r"starts without a speed.*in m/s: track.speed"):
        sledge(speed=0.0).drive(at.Coasting(speed=5.0))
    named = at.Coasting(speed=5.0, forward="track.speed", duration=1.0)
    assert sledge(speed=0.0).drive(named, outputs=[])["track.speed"][0] == 5.0


@pytest.mark.slow
def test_steering_of_a_driver_leads_the_same_way_without_the_driver() -> None:
    """The hands of the driver alone become inputs: who steers as they did passes the same cones."""
    car = at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}})
    change: Any = replace(car.manoeuvres["iso-3888-2"], practice=0)
    system = car.with_changes(change.changes).formulate()
    start = drive_start(system, change, {})
    hands = ("steering", "steering_rate", "steering_acceleration")
    free = states_as_inputs(system, "driver", hands)
    left = {quantity.name for quantity in system.states} - {one.name for one in free.states}
    assert left == {f"driver.{name}" for name in hands}
    assert free.inputs["driver.steering_rate"].derivative_of == "driver.steering"
    how: Any = {
        "step": "5 ms", "method": "subdivided-rk45", "parameters": start.parameters,
        "outputs": ["driver.offset"], "record_interval": "10 ms", "watch": False,
    }  # fmt: skip
    driven = system.simulate(5.0, initial=start.initial, inputs=start.inputs, **how)
    angle, rate = driven["driver.steering"].tolist(), driven["driver.steering_rate"].tolist()
    table = Table.hermite(driven.time.tolist(), angle, rate, Beyond.VALUE_HELD)
    kept = {name: start.initial[name] for name in start.initial if name not in left}
    steered = free.simulate(
        5.0, initial=kept, inputs={**start.inputs, "driver.steering": table}, **how
    )
    assert np.abs(driven["driver.offset"]).max() > 0.02  # m; the line is not followed exactly
    np.testing.assert_allclose(steered["driver.offset"], driven["driver.offset"], atol=1e-4)


def test_courses_that_leave_the_bounds_of_an_input_are_refused() -> None:
    car = at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}})
    peak = ([0.0, 1.001, 1.002, 1.003], [0.0, 0.0, 1.5, 0.0])  # between two looks
    with pytest.raises(AxletreeError, match=r"driver.brake' comes to 1.5; .* between 0 and 1"):
        car.drive("coasting", inputs={"driver.brake": peak})
    run = car.drive("coasting", inputs={"driver.clutch": 1.0}, watch=False)  # a bound is within
    assert run.complete


@pytest.mark.slow
def test_a_level_is_met_and_a_line_is_learnt_with_the_controllers_of_the_run() -> None:
    car = at.read_model("sedan", {"vehicle": {"fidelity": "two-track"}})
    given, name = ["torque-vectoring"], "vehicle.lateral_acceleration"
    step: Any = car.manoeuvres["step-steer"]
    run = car.drive(step, controllers=given, outputs=[name], watch=False)
    then = (run.time >= step.aim.first - 1e-9) & (run.time <= step.aim.last + 1e-9)
    assert np.mean(run[name][then]) == pytest.approx(step.level, rel=1e-6)
    found = car.drive("iso-3888-1", controllers=given, watch=False).findings
    off = next(one.value for one in found if one.name == "maximum_path_deviation")
    assert off < 0.03  # m; 0.19 by what is learnt of the car without them
