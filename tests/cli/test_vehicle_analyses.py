"""Commands that analyse a vehicle: what they say, what they leave, what they refuse."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from analysis.plain_car import plain_file
from reports.chart_reader import chart_panels
from typer.testing import CliRunner

import axletree as at
from axletree.cli.app import app
from axletree.cli.results import model_title

PLAIN = ["--model", "single-track"]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> str:
    return plain_file(tmp_path_factory.mktemp("plain"))


def called(*arguments: str) -> str:
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    return result.output


def metrics(folder: Path) -> dict[str, dict[str, float]]:
    found = json.loads((folder / "metrics.json").read_text())
    assert list(found["model"]["sha256"]) == ["plain.yaml"]
    assert (folder / "model" / "plain.yaml").is_file()
    return dict(found["metrics"])


def charts(folder: Path) -> dict[str, dict[str, Any]]:
    return chart_panels((folder / "report.html").read_text(encoding="utf-8"))


def test_cornering(source: str, tmp_path: Path) -> None:
    said = called("cornering", source, *PLAIN, "--speed", "90 km/h", "--pictures", "--out",
                  str(tmp_path))  # fmt: skip
    found = metrics(tmp_path)["understeer_gradient"]
    assert f"{found['value']:.4g} deg/(m/s^2)" in said
    heading, first, *rest = (tmp_path / "turns.csv").read_text().splitlines()
    assert "path.lateral [m/s^2]" in heading
    assert len(first.split(",")) == len(heading.split(","))
    assert len(rest) > 10
    assert all((tmp_path / f"{name}.png").is_file() for name in ("cornering", "handling"))
    panels = charts(tmp_path)
    assert "Roll" not in panels  # of a model in the plane
    (sideslip,) = panels["Sideslip"]["curves"]
    turns = np.genfromtxt(tmp_path / "turns.csv", delimiter=",", names=True, deletechars="")
    np.testing.assert_allclose(sideslip["x"], turns["path.lateral_[m/s^2]"], rtol=1e-5)
    np.testing.assert_allclose(sideslip["y"], np.degrees(turns["path.sideslip_[rad]"]), rtol=1e-4)
    assert len(panels["Handling diagram"]["curves"]) > 3


def test_yaw_moment_and_g_g(source: str, tmp_path: Path) -> None:
    called("yaw-moment", source, *PLAIN, "--sideslip", "2 deg", "--steer", "2 deg", "--lines", "3",
           "--out", str(tmp_path / "a"))  # fmt: skip
    assert metrics(tmp_path / "a")["stability_index"]["value"] < 0.0
    assert len((tmp_path / "a" / "yaw_moment.csv").read_text().splitlines()) == 1 + 9
    families = charts(tmp_path / "a")["Yaw moment diagram"]["curves"]
    assert [np.isnan(family["x"]).sum() for family in families] == [3, 3]  # lines, apart
    called("g-g", source, *PLAIN, "--speed", "50,70 km/h", "--directions", "3",
           "--out", str(tmp_path / "b"))  # fmt: skip
    assert metrics(tmp_path / "b")["acceleration_50_km_h"]["value"] > 0.0
    assert len((tmp_path / "b" / "g_g.csv").read_text().splitlines()) == 1 + 2 * 4
    envelopes = charts(tmp_path / "b")["Performance envelope"]
    assert envelopes["plan"]
    assert [curve["label"] for curve in envelopes["curves"]] == ["50 km/h", "70 km/h"]


@pytest.mark.long
def test_g_g_names_dents(tmp_path: Path) -> None:
    """Braked straight ahead the racing car gives less than between turns to both sides."""
    said = called("g-g", "formula-student", "--model", "two-track", "--speed", "36 km/h",
                  "--directions", "7", "--out", str(tmp_path))  # fmt: skip
    sizes = 11.508, 13.734  # m/s^2, at 180 and 150 deg
    depth = 100.0 * (sizes[1] * math.cos(math.radians(30.0)) / sizes[0] - 1.0)
    assert f"dent of {depth:.1f} % at 180 deg: axle saturated: rear" in said


def test_sensitivity(source: str, tmp_path: Path) -> None:
    said = called("sensitivity", source, *PLAIN, "-p", "axles.front.steering.ratio",
                  "--out", str(tmp_path))  # fmt: skip
    assert "vehicle.axles.front.steering.ratio = 16" in said
    found = metrics(tmp_path)
    gain = found["yaw_rate_gain"]["value"]
    by_ratio = found["yaw_rate_gain by vehicle.axles.front.steering.ratio"]["value"]
    assert by_ratio == pytest.approx(-gain / 16.0, rel=1e-8)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "-1.000 %/%" in page  # of the yaw rate gain by the ratio
    assert not (tmp_path / "sensitivity.png").exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["cornering", "pendulum"], "no section `vehicle`"),
        (["cornering", "SOURCE", "--speed", "20 kg"], "kg"),
        (["cornering", "SOURCE", "--speed", "20", "--radius", "50"], "either"),
        (["g-g", "SOURCE", "--speed", "fast"], "fast"),
        (["g-g", "SOURCE", "--directions", "2"], "3 or more"),
        (["sensitivity", "SOURCE"], "name a parameter"),
        (["sensitivity", "SOURCE", "skid", "-p", "body.mass"], "skid"),
        (["frequency", "SOURCE", "--speed", "3 kg"], "--speed: '3 kg' is a mass (kg)"),
        (["modes", "SOURCE", "--speed", "20 s"], "--speed: '20.0 s' is a time (s)"),
    ],
)
def test_refusals(
    source: str,
    arguments: list[str],
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, [source if a == "SOURCE" else a for a in arguments])
    assert result.exit_code == 2
    assert says in result.output
    assert "Traceback" not in result.output
    assert not list(tmp_path.iterdir())


COMMANDS = {
    "cornering": [], "g-g": [], "yaw-moment": [], "modes": [], "frequency": [],
    "sensitivity": ["-p", "body.mass"], "ladder": ["iso-7401-step"], "animate": ["iso-7401-step"],
}  # fmt: skip
WORKERS = {
    "cornering": "vehicle.cornering_curve", "g-g": "vehicle.g_g_diagram",
    "yaw-moment": "vehicle.yaw_moment_diagram", "modes": "vehicle.vehicle_modes",
    "frequency": "vehicle.steer_responses", "sensitivity": "studies.turn_sensitivity",
    "ladder": "comparison.drive_ladder", "animate": "animation._of_model",
}  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_a_place_that_takes_nothing_is_known_before_the_work(
    source: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def work(*_: object, **__: object) -> None:
        pytest.fail("worked for nothing")

    monkeypatch.setattr(f"axletree.cli.{WORKERS[command]}", work)
    (tmp_path / "file").touch()
    arguments = [command, source, *COMMANDS[command], "--out", str(tmp_path / "file" / "out")]
    result = CliRunner().invoke(app, arguments)
    assert "file is no folder" in result.output
    assert result.exit_code == 2


def test_frequencies_of_a_list_are_those_that_are_given(source: str, tmp_path: Path) -> None:
    called("frequency", source, *PLAIN, "--frequencies", "0.5,2 Hz,1", "--out", str(tmp_path))
    rows = (tmp_path / "frequency.csv").read_text().splitlines()[1:]
    assert [float(row.split(",")[0]) for row in rows] == [0.5, 1.0, 2.0]


def test_a_page_says_what_it_is_and_of_which_model(tmp_path: Path) -> None:
    """Two fidelities in two tabs have two titles."""
    called("frequency", "sedan", "--model", "linear", "--out", str(tmp_path))
    text = (tmp_path / "report.html").read_text("utf-8")
    assert "<title>sedan, linear: frequency response to steering</title>" in text
    assert model_title(at.read_model("sports-car")) == "sports car"
