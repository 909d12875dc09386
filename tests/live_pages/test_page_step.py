"""Longer steps are taken where positions agree, and refused where they do not."""

from __future__ import annotations

import pytest

import axletree as at
from axletree.live_pages import page_step as module
from axletree.live_pages.page_step import page_step
from axletree.simulation.problem import SettingsError
from axletree.simulation.simulate import form_for
from axletree.simulation.stepper.step_program import SOLVED_METHOD, own_start
from axletree.system.formulation import formulate


def test_solved_steps_are_as_long_as_they_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_DRIVEN", 5.0)
    model = at.read_model("quarter-vehicle-on-soil")
    system = formulate(model, form=form_for(SOLVED_METHOD))
    start = own_start(system)
    assert page_step(model, system, start, None, SOLVED_METHOD, {}) == 10e-3
    monkeypatch.setattr(module, "_AGREED", 1e-7)
    assert page_step(model, system, start, None, SOLVED_METHOD, {}) == 1e-3
    with pytest.raises(SettingsError, match="steps of 10 ms are too long for the page: .* is off"):
        page_step(model, system, start, "10 ms", SOLVED_METHOD, {})


def test_explicit_steps_are_of_a_millisecond() -> None:
    model = at.read_model("pendulum")
    system = model.formulate()
    assert page_step(model, system, own_start(system), None, "rk4", {}) == 1e-3
    assert page_step(model, system, own_start(system), "4 ms", "rk4", {}) == 4e-3
    with pytest.raises(SettingsError, match="expected a time from 0.01 to 50 ms"):
        page_step(model, system, own_start(system), "1 s", "rk4", {})
