"""``model.drive()``: the run that a model proposes, in Python as by the command."""

from __future__ import annotations

import numpy as np
import pytest

import axletree as at


def test_it_is_as_the_model_proposes() -> None:
    model = at.read_model("pendulum")
    proposed, run = model.run, model.drive()
    same = model.formulate().simulate(
        proposed.duration, step=proposed.step, method=proposed.method, outputs=proposed.outputs
    )
    assert run.time[-1] == proposed.duration
    np.testing.assert_array_equal(run["pin.angle"], same["pin.angle"])


def test_set_valued_forces_are_formulated_for_the_method() -> None:
    run = at.read_model("quarter-vehicle-on-soil").drive()
    assert run.method == "complementarity"
    assert run.time[-1] == 20.0


def test_what_is_given_comes_before_what_is_proposed() -> None:
    run = at.read_model("pendulum").drive(step="2 ms", outputs=[], record_interval="10 ms")
    assert len(run) == 100 * run.time[-1] + 1
    assert "energy.total" not in run


def test_a_model_without_a_run_says_so() -> None:
    with pytest.raises(at.AxletreeError, match="cart proposes no duration"):
        at.Model("cart").drive()


def test_a_speed_and_a_system_have_no_run_of_their_own() -> None:
    model = at.read_model("pendulum")
    for driven, speed in ((model, 20.0), (model.formulate(), None)):
        with pytest.raises(at.AxletreeError, match="pendulum is to be driven without a manoeuvre"):
            driven.drive(speed=speed)
