"""Models drive their manoeuvres by name, as the command does."""

from __future__ import annotations

import numpy as np
import pytest

import axletree as at
from axletree.core.errors import ModelError, SimulationError

SINGLE_TRACK = {"vehicle": {"fidelity": "single-track"}}


def test_a_driver_and_a_path_are_taken_in() -> None:
    run = at.read_model("sedan", SINGLE_TRACK).drive("iso-3888-1", speed="60 km/h")
    by_hand = at.read_model("sedan", SINGLE_TRACK)
    changed = by_hand.with_changes(by_hand.manoeuvres["iso-3888-1"].changes)
    assert "driver.steering" in run.states
    assert {q.name for q in changed.formulate().states} == set(run.states)
    assert run["vehicle.forward_speed", "km/h"][0] == pytest.approx(60.0)
    assert {one.name for one in run.findings} >= {"maximum_path_deviation"}


def test_what_a_model_proposes_is_taken() -> None:
    car = at.read_model("bicycle-car")
    run = car.drive("coasting")
    system = car.formulate()
    same = system.drive(
        car.manoeuvres["coasting"], step=car.run.step,
        record_interval=car.run.record_interval, outputs=list(car.run.outputs or ()),
    )  # fmt: skip
    np.testing.assert_array_equal(run["chassis.vx"], same["chassis.vx"])
    assert run.method == "rk4"


def test_inputs_are_beside_those_of_the_manoeuvre() -> None:
    car = at.read_model("bicycle-car")
    pushed = car.drive("coasting", inputs={"steer.angle": "0.01*t"})
    assert float(pushed["chassis.rate"][-1]) > 0.01  # rad/s
    with pytest.raises(ModelError, match="two signals are given for the input steer.angle"):
        car.drive("step-steer", inputs={"steer.angle": 0.0})


def test_what_was_added_is_not_lost_without_a_word() -> None:
    car = at.read_model("sedan", SINGLE_TRACK)
    car.start["chassis.x"] = 1.0
    with pytest.raises(ModelError, match="no longer as sedan.yaml says"):
        car.drive("iso-3888-1")
    assert len(car.drive("coasting", record_interval=1.0))  # which changes nothing of the file


def test_a_model_of_no_file_says_so() -> None:
    with pytest.raises(ModelError, match="was not read from a model file"):
        at.Model("cart").with_changes({"gravity": [0, 0, 0]})


def test_an_unknown_manoeuvre_is_told_with_what_may_be_meant() -> None:
    car = at.read_model("sedan")
    with pytest.raises(ModelError, match="did you mean 'iso-3888-1'"):
        car.drive("iso-3888-11")
    with pytest.raises(KeyError, match="unknown manoeuvre 'nope'"):
        car.manoeuvres["nope"]
    with pytest.raises(SimulationError, match="only models do"):
        at.read_model("bicycle-car").formulate().drive("coasting")
