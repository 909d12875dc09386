"""Steps that vehicles propose: for which methods and times, and how right runs by them are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import axletree as at
from axletree.analysis.drive import PROPOSED_STEP, drive_start, proposed_step
from axletree.metrics.vehicle_signals import LATERAL_ACCELERATION
from axletree.model.model import Run
from axletree.simulation.simulate import simulate

DIVIDED = Run(step=5e-3, method="subdivided-rk45")


@pytest.mark.parametrize(
    ("method", "times", "step"),
    [
        ("subdivided-rk45", (), 5e-3),
        ("subdivided-rk45", (61.900000000000006, 1e-2), 5e-3),
        ("subdivided-rk45", ("9.3 s", None), 5e-3),
        ("subdivided-rk45", (1.234, 1e-2), PROPOSED_STEP),  # no whole number of steps
        ("subdivided-rk45", (6.0, "1 ms"), PROPOSED_STEP),
        ("rk4", (6.0, 1e-2), PROPOSED_STEP),  # divides nothing
        ("complementarity", (), PROPOSED_STEP),
        ("lsoda", (6.0, 1e-2), 5e-3),  # its longest step
    ],
)
def test_steps_that_are_divided_are_for_methods_that_do(
    method: str, times: tuple[Any, ...], step: float
) -> None:
    assert proposed_step(DIVIDED, method, *times) == step


def test_other_steps_are_as_they_are_proposed() -> None:
    assert proposed_step(Run(step=2e-3, method="complementarity"), "rk4", 1.0) == 2e-3
    assert proposed_step(Run(step=2e-3), "subdivided-rk45", 1.0) == 2e-3
    assert proposed_step(Run(), "rk4") is None


def test_uneven_ground_has_shorter_steps() -> None:
    """A wheel that bounces touches the ground for milliseconds."""
    car = at.read_model("sedan")
    assert car.run.step == 5e-3
    for title, step in (("iso-14512-split-mu-braking", 5e-3), ("rough-road", 1e-3),
                        ("four-post", 1e-3)):  # fmt: skip
        assert car.with_changes(car.manoeuvres[title].changes).run.step == step


def test_light_wheels_on_stiff_tyres_have_shorter_steps() -> None:
    """14 kg on two springs of 100 kN/m would hop at 19 Hz; with arms and brakes it is 15 Hz."""
    for title, fidelity, step in (
        ("formula-student", "full", 2.5e-3), ("formula-student", "single-track", 5e-3),
        ("sports-car", "full", 5e-3),
    ):  # fmt: skip
        assert at.read_model(title, {"vehicle": {"fidelity": fidelity}}).run.step == step


def test_a_file_with_another_method_has_a_step_that_is_not_divided(tmp_path: Path) -> None:
    file = tmp_path / "own.yaml"
    file.write_text("base: sedan\nrun: {method: rk4}\n", encoding="utf-8")
    assert (at.read_model(file).run.method, at.read_model(file).run.step) == ("rk4", 1e-3)
    file.write_text("base: sedan\nrun: {method: rk4, step: 2e-3}\n", encoding="utf-8")
    assert at.read_model(file).run.step == 2e-3


@pytest.mark.slow
@pytest.mark.shipped_flags  # else left and right differ by rounding, which braking lets grow
@pytest.mark.parametrize(
    ("title", "span", "most"),
    [("iso-7401-step", 4.0, 1e-4), ("iso-21994-braking", 5.0, 1e-3)],
)
def test_runs_are_right_by_another_method(title: str, span: float, most: float) -> None:
    """Of the ranges, against order 8 with a tolerance of 1e-9; the brakes stop the car in 4 s."""
    car = at.read_model("sedan", {"vehicle": {"fidelity": "two-track"}})
    system, manoeuvre = car.formulate(), car.manoeuvres[title]
    start = drive_start(system, manoeuvre, {})
    given: dict[str, Any] = {
        "initial": start.initial, "inputs": start.inputs, "parameters": start.parameters,
        "outputs": [LATERAL_ACCELERATION], "record_interval": 2e-2,
    }  # fmt: skip
    run = simulate(system, span, step=car.run.step, method=str(car.run.method), **given)
    exact = simulate(
        system, span, method="dop853", relative_tolerance=1e-9, absolute_tolerance=1e-10, **given
    )
    assert run.note == ""
    for name in run.names:
        off, size = np.abs(run[name] - exact[name]).max(), np.ptp(exact[name])
        assert off <= most * max(size, 1e-3), name
