"""A second run reads what the first one worked out, and only where nothing has changed."""

from __future__ import annotations

import re
import warnings
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import numpy as np
import pytest
from typer.testing import CliRunner

import axletree as at
from axletree.cli import prepared_runs
from axletree.cli.app import app
from axletree.cli.prepared_runs import description_key
from axletree.cli.run import described_model
from axletree.components.file_entries import located_files
from axletree.model.model import Model
from axletree.simulation import fixed_step
from axletree.simulation.trajectory import Trajectory

CAR = "name: mine\nbase: sedan\nvehicle: {fidelity: single-track, body: {mass: 1400}}\n"
RUN = ("run", "car.yaml", "iso-7401-step", "--step", "5 ms", "--no-report", "--out", "out")


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AXLETREE_CACHE", str(tmp_path / "cache"))
    Path("car.yaml").write_text(CAR, encoding="utf-8")


def driven(*options: str) -> tuple[str, Trajectory]:
    """What is printed but for the times that it takes, and the records."""
    result = CliRunner().invoke(app, [*RUN, *options], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return re.sub(r"(in|steps,) [\d.e+-]+.*", "", result.output), Trajectory.read(
        Path("out/run.npz")
    )


def forbid(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> NoReturn:
        raise AssertionError("this was known")

    monkeypatch.setattr(Model, "formulate", fail)
    monkeypatch.setattr(prepared_runs, "drive_start", fail)
    monkeypatch.setattr(fixed_step, "lower", fail)


@pytest.mark.slow
def test_a_second_run_forms_solves_and_compiles_nothing_unless_something_has_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text, run = driven()
    forbid(monkeypatch)
    again, same = driven()
    assert again == text
    for name in run.names:
        np.testing.assert_array_equal(run[name], same[name])
    for options in (
        ("--speed", "70 km/h"),
        ("--parameter", "body.mass=1500"),
        ("--model", "two-track"),
        ("--output", "chassis.ax"),  # another program is compiled
    ):
        with pytest.raises(AssertionError, match="this was known"):
            driven(*options)
    Path("car.yaml").write_text(CAR.replace("1400", "1500"), encoding="utf-8")
    with pytest.raises(AssertionError, match="this was known"):
        driven()


def test_a_file_that_the_model_names_is_part_of_it() -> None:
    """At any depth, by any of the words that name files."""
    tyre = Path("tyre.yaml")
    Path("car.yaml").write_text("name: mine\nbase: half.yaml\n", encoding="utf-8")
    Path("half.yaml").write_text(
        "base: sedan\nvehicle: {axles: {front: {tyre: {law: tyre.yaml}}}}\n", encoding="utf-8"
    )
    keys = []
    for stiffness in (7e4, 8e4, 7e4):
        text = f"{{type: linear, slip_stiffness: 9e4, cornering_stiffness: {stiffness}}}"
        tyre.write_text(f"{text}\n", encoding="utf-8")
        with located_files() as files:
            described_model("car.yaml", {}, None)
        assert {path.name for path in files} == {"half.yaml", "tyre.yaml"}
        keys.append(description_key("car.yaml", files))
    assert keys[0] == keys[2] != keys[1]


def test_a_model_of_python_is_prepared_each_time() -> None:
    assert description_key("models.py:car", []) is None


@pytest.mark.filterwarnings("default")
def test_what_warns_does_so_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    formulate = Model.formulate

    def cautious(model: Model, *given: object, **options: object) -> object:
        warnings.warn("mind the step", stacklevel=2)
        return formulate(model, *given, **options)

    monkeypatch.setattr(Model, "formulate", cautious)
    for _ in range(2):
        words = ["run", "pendulum", "--duration", "0.01", "--no-report", "--out", "out"]
        assert "mind the step" in CliRunner().invoke(app, words).output


@pytest.mark.slow
def test_what_a_driver_learnt_is_kept() -> None:
    """Both times by the command, and by the model in Python, it is one run."""
    lane_change = ["run", "car.yaml", "iso-3888-2", "--speed", "45 km/h", "--no-report"]
    runs = []
    for _ in range(2):
        result = CliRunner().invoke(app, [*lane_change, "--out", "out"], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        runs.append(Trajectory.read(Path("out/run.npz")))
    runs.append(at.read_model("car.yaml").drive("iso-3888-2", speed="45 km/h"))
    for other in runs[1:]:
        np.testing.assert_array_equal(other["vehicle.y"], runs[0]["vehicle.y"])
    unpractised = replace(at.read_model("car.yaml").manoeuvres["iso-3888-2"], practice=0)
    first = at.read_model("car.yaml").drive(unpractised, speed="45 km/h")
    assert np.abs(first["vehicle.y"] - runs[0]["vehicle.y"]).max() > 1e-3  # m
