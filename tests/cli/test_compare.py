"""``axletree compare``: folders and models over one another."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from reports.chart_reader import chart_panels
from typer.testing import CliRunner, Result

import axletree as at
from axletree.cli.app import EXIT_USER_ERROR, app


def invoke(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_a_folder_and_a_model_are_compared(tmp_path: Path) -> None:
    system = at.read_model("pendulum").formulate()
    heavy = system.simulate(10.0, step=1e-3, parameters={"rod.mass": 2.0}, outputs=["energy.total"])
    heavy.to_npz(tmp_path / "heavy" / "run.npz")
    out = tmp_path / "out"
    asked = ("compare", tmp_path / "heavy", "light=pendulum", "-q", "energy.*", "--out", out)
    result = invoke(*asked, "--pictures")
    assert result.exit_code == 0, result.output
    assert "light from heavy" in result.stdout
    assert "energy.total" in result.stdout
    # Twice the mass has twice the energy, which stays what it was: 9.80665 * 0.5 * cos 0.3.
    assert (out / "distances.csv").read_text().splitlines()[2] == "energy.total,4.68 (50.0 %),J"
    assert (out / "comparison.png").stat().st_size > 1000
    panels = chart_panels((out / "report.html").read_text(encoding="utf-8"))
    (apart,) = panels["energy.total: difference from heavy"]["curves"]
    np.testing.assert_allclose(apart["y"], 9.80665 * 0.5 * math.cos(0.3), rtol=1e-4)
    same = invoke("compare", "a=pendulum", "b=pendulum", "-q", "pin.*", "--no-report", "--out", out)
    assert same.stdout.splitlines()[2].split() == ["pin.rate", "equal", "rad/s"]
    assert not (out / "report.html").exists()
    assert not (out / "comparison.png").exists()
    assert not (out / "findings.csv").exists()


def test_a_model_in_python_of_another_folder_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("models").mkdir()
    text = "import axletree as at\n\nswing = at.read_model('pendulum')\n"
    Path("models", "mine.py").write_text(text, encoding="utf-8")
    result = invoke("compare", "models/mine.py:swing", "pendulum", "--out", "out")
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["pendulum"], "one run alone cannot be compared"),
        (["pendulum", "pendulum"], "two runs are called pendulum; name them"),
        (["pendulum", "."], "has no results of a run"),
        ([".", ".", "-m", "step-steer"], "folders hold finished runs"),
        (["pendulum", "bicycle-car", "-m", "step-steer"], "unknown manoeuvre 'step-steer'"),
        (["nobody", "."], "unknown model 'nobody'"),
        (["out/nobody/step", "pendulum"], "there is no folder 'out/nobody/step'"),
        (["cars/mine.yaml", "pendulum"], "cars/mine.yaml: there is no such file"),
    ],
)
def test_a_mistake_is_a_message(
    arguments: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = invoke("compare", *arguments, "--out", tmp_path / "out")
    assert result.exit_code == EXIT_USER_ERROR, result.output
    assert says in result.output
    assert not (tmp_path / "out").exists()
