"""All models of a vehicle through one manoeuvre, side by side."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from agreement import Agrees
from typer.testing import CliRunner
from vehicles.test_fidelity import LINEAR
from vehicles.test_vehicle import described, written

import axletree as at
from axletree.analysis.studies.fidelity_ladder import (
    Ladder,
    drive_ladder,
    ladder_json,
    ladder_table,
)
from axletree.cli.app import EXIT_USER_ERROR, app
from axletree.cli.results import result_folder
from axletree.plot.studies import plot_ladder
from axletree.reports.analysis_sections import ladder_sections
from axletree.simulation.trajectory import Trajectory
from axletree.vehicles.vehicle import Fidelity, Vehicle

SMALL = [Fidelity.SINGLE_TRACK, Fidelity.LINEAR]
STEP = "iso-7401-step"


def file_in(folder: Path) -> Path:
    """A car with tyres that are linear, so that its models are nearly one."""
    given = described()
    for axle in given["axles"].values():
        axle["tyre"] = {"stiffness": 2e5, "law": LINEAR}
    return written(folder, vehicle=given)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return file_in(tmp_path_factory.mktemp("ladder"))


@pytest.fixture(scope="module")
def ladder(file: Path) -> Ladder:
    return drive_ladder(file, STEP, "72 km/h", [Fidelity.FOURTEEN, *SMALL])


@pytest.mark.slow
@pytest.mark.validation("vehicles")
def test_each_model_is_a_rung_and_small_ones_have_the_closed_gain(
    ladder: Ladder, file: Path, agrees: Agrees
) -> None:
    assert [rung.fidelity.value for rung in ladder.rungs] == ["14-dof", "single-track", "linear"]
    assert ladder.speed == pytest.approx(20.0)
    assert not ladder.left_out
    rolls = {rung.fidelity: np.abs(rung.run["vehicle.roll"]).max() for rung in ladder.rungs}
    assert rolls.pop(Fidelity.FOURTEEN) > 0.01
    assert set(rolls.values()) == {0.0}
    given = at.read_model(file).described["vehicle"]
    assert isinstance(given, Vehicle)
    for fidelity, greatest in (("linear", 1e-4), ("single-track", 1e-2)):
        rung = ladder[fidelity]
        gain = rung.finding("yaw_rate_gain")
        speed = float(np.mean(rung.run["vehicle.forward_speed"][rung.run.time > 5.0]))
        assert gain is not None
        expected = at.bicycle_model(given, speed).yaw_gain  # turns have taken some of the speed
        agrees(
            f"step steer, {fidelity} model: steady yaw gain", gain.value, expected, rel=greatest,
            unit="1/s", source="Closed form, at the speed of the turn",
        )  # fmt: skip


def test_the_table_and_the_file_have_all_findings(ladder: Ladder) -> None:
    table, told = ladder_table(ladder), json.loads(ladder_json(ladder))
    assert table.headings == ("finding", "14-dof", "single-track", "linear", "unit")
    assert len(table.rows) == len(told["metrics"]) == len(ladder["linear"].findings)
    values = told["metrics"]["yaw_rate_gain"]["values"]
    row = next(row for row in table.rows if row[0] == "steady-state yaw rate gain")
    assert [float(cell) for cell in row[1:-1]] == pytest.approx(list(values.values()), rel=1e-4)


def test_the_plot_has_a_curve_for_each_model_and_roll_for_those_that_roll(ladder: Ladder) -> None:
    axes = {one.get_title(loc="left"): one for one in plot_ladder(ladder).axes}
    counts = {title: len(one.lines) for title, one in axes.items()}
    assert counts == {
        "Steering wheel": 3, "Yaw rate": 3, "Lateral acceleration": 3, "Sideslip angle": 3,
        "Roll angle": 1, "Path": 3,
    }  # fmt: skip
    assert axes["Yaw rate"].get_ylabel() == "[deg/s]"
    drawn = axes["Yaw rate"].lines[2].get_ydata()
    assert np.max(drawn) == pytest.approx(
        np.degrees(ladder["linear"].run["vehicle.yaw_rate"].max()), rel=1e-3
    )


def test_the_page_has_the_curves_of_the_plot_and_distances_from_the_first(ladder: Ladder) -> None:
    models, distances = ladder_sections(ladder)
    assert {panel.title: len(panel.curves) for panel in models.panels}["Roll angle"] == 1
    assert models.tables[0].rows == ladder_table(ladder).rows
    assert distances.title == "Distances from 14-dof"
    # Columns of both: at the records of either run, by straight lines between them.
    first, other = ladder["14-dof"].run, ladder["linear"].run
    at_first = np.interp(first.time, other.time, other["vehicle.yaw_rate"])
    apart = float(np.abs(at_first - first["vehicle.yaw_rate"]).max())
    row = next(row for row in distances.tables[0].rows if row[0] == "vehicle.yaw_rate")
    assert float(row[2].partition(" ")[0]) == pytest.approx(apart, rel=5e-3)


def test_the_command_leaves_a_folder_and_says_who_cannot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = file_in(tmp_path)
    arguments = ["ladder", str(path), "coasting", "--model", "linear", "--model", "single-track"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    assert "linear left out: car does not drive 'coasting': the linear model" in result.output
    folder = tmp_path / "out" / "car" / "coasting-ladder"
    made = sorted(str(one.relative_to(folder)) for one in folder.rglob("*") if one.is_file())
    runs = ["single-track/run.csv", "single-track/run.npz"]
    assert made == ["metrics.csv", "metrics.json", "report.html", *runs]
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "linear is left out: car does not drive" in page
    assert len(Trajectory.read(folder / "single-track" / "run.npz")) > 100


def test_runs_of_two_fidelities_do_not_share_a_folder() -> None:
    folders = [result_folder("car", STEP, one) for one in (None, "linear", "single-track")]
    assert [folder.name for folder in folders] == [STEP, f"{STEP}-linear", f"{STEP}-single-track"]
    assert result_folder("car", None, None) == Path("out", "car")


@pytest.mark.parametrize("source", ["compact-car", "cars/compact-car.yaml", "cars.py:compact-car"])
def test_a_folder_has_the_name_that_a_model_was_asked_for_by(source: str) -> None:
    assert result_folder(source, STEP) == Path("out", "compact-car", STEP)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["car", "step-steer"], "car has no section 'vehicle'"),
        (["sedan", "loop"], "unknown manoeuvre 'loop' in sedan"),
        (["sedan", "braking", "--model", "linear"], "goes on at constant speed"),
        (["sedan", "step-steer", "--model", "bicycle"], "unknown fidelity 'bicycle'"),
        (["sedan", "step-steer", "--speed", "3 kg"], "3 kg"),
    ],
)
def test_a_mistake_is_a_message(arguments: list[str], says: str) -> None:
    result = CliRunner().invoke(app, ["ladder", *arguments])
    assert result.exit_code == EXIT_USER_ERROR, result.output
    assert says in result.output


@pytest.mark.parametrize(
    ("option", "key"), [(["--model", "two-track"], "fidelity"), (["--soil", "snow-us"], "soil")]
)
def test_a_mechanism_has_neither_fidelities_nor_soils(option: list[str], key: str) -> None:
    result = CliRunner().invoke(app, ["run", "pendulum", *option])
    assert result.exit_code == EXIT_USER_ERROR, result.output
    assert f"no section 'vehicle' in which '{key}'" in " ".join(result.output.split())
