"""``axletree tyre``: pictures, comparison and fits from the command line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from reports.chart_reader import chart_panels
from typer.testing import CliRunner

from axletree.analysis.studies.tyre_characteristics import slip_sweep
from axletree.cli.app import EXIT_USER_ERROR, app
from axletree.wheel.tyres.fiala import Fiala
from axletree.wheel.tyres.law_files import read_tyre_law
from axletree.wheel.tyres.tyre_file import read_tyre_file

TRUE = Fiala(0.17, 95e3, 70e3, 0.01, 1.05, 0.6)
START = """! a start
[MODEL]
PROPERTY_FILE_FORMAT = 'FIALA'
[UNITS]
LENGTH = 'mm'
[DIMENSION]
WIDTH = 150     $ first guess
[PARAMETER]
CSLIP = 80000
CALPHA = 60000
ROLLING_RESISTANCE = 0
UMIN = 0.8
UMAX = 1.0
"""


def run(*arguments: str | Path) -> str:
    result = CliRunner().invoke(app, ["tyre", *map(str, arguments)])
    assert result.exit_code == 0, result.output
    return result.stdout


def refusal(*arguments: str | Path) -> str:
    result = CliRunner().invoke(app, ["tyre", *map(str, arguments)])
    assert result.exit_code == EXIT_USER_ERROR
    assert result.stdout == ""
    return result.stderr


@pytest.fixture
def data(tmp_path: Path) -> Path:
    alpha = np.linspace(-12.0, 12.0, 41)
    lines = ["S,alpha [deg],Fz [kN],Fx,Fy,Mz"]
    for load in (2.0, 4.0):
        for S, angle in [(0.0, a) for a in alpha] + [(a / 40.0, 0.0) for a in alpha]:
            f = slip_sweep(TRUE, load * 1e3, S, np.radians(angle))
            lines.append(f"{S},{angle},{load},{f.Fx[0]},{f.Fy[0]},{f.Mz[0]}")
    path = tmp_path / "rig.csv"
    path.write_text("\n".join(lines))
    return path


@pytest.mark.parametrize("command", ["plot", "compare", "fit"])
def test_help_has_an_example(command: str) -> None:
    assert f"Example: axletree tyre {command}" in run(command, "--help")


def test_plot(tmp_path: Path) -> None:
    out = run("plot", "fiala", "--loads", "2 kN, 5000", "--out", tmp_path / "f.svg")
    assert "at Fz = 2 kN" in out
    assert "at Fz = 5 kN" in out
    assert "cornering stiffness [kN/rad]                 117" in out
    assert (tmp_path / "f.svg").read_text().startswith("<?xml")


def test_plot_of_a_property_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my.tir").write_text(START)
    assert "picture: out/tyres/my.png" in run("plot", "my.tir")
    assert Path("out/tyres/my.png").read_bytes().startswith(b"\x89PNG")


def test_compare(tmp_path: Path) -> None:
    out = run("compare", "fiala", "linear", "--loads", "4 kN", "--out", tmp_path / "c.png")
    (line,) = [line for line in out.splitlines() if "pneumatic trail" in line]
    assert line.split()[-4:] == ["53.33", "30", "-43.8", "%"]
    same = run("compare", "fiala", "fiala", "--loads", "4 kN", "--out", tmp_path / "s.png")
    assert "fiala (first)  fiala (second)" in same


def test_fit_from_a_name(tmp_path: Path, data: Path) -> None:
    out = run("fit", data, "--law", "fiala", "--out", tmp_path / "fit", "--pictures")
    assert "164 points" in out
    assert "converged" in out
    fitted = read_tyre_law(tmp_path / "fit" / "fitted.yaml").numbers
    expected = {**TRUE.numbers, "rolling_resistance": Fiala.example["rolling_resistance"]}
    assert fitted == pytest.approx(expected, rel=1e-5)
    assert (tmp_path / "fit" / "fit.png").read_bytes().startswith(b"\x89PNG")
    panels = chart_panels((tmp_path / "fit" / "report.html").read_text(encoding="utf-8"))
    measured, law = panels["Fy"]["curves"]
    np.testing.assert_allclose(measured["y"], law["y"], atol=1e-3)  # kN, as it is its own law
    assert measured["points"]


def test_fit_from_a_property_file_keeps_the_rest_of_it(tmp_path: Path, data: Path) -> None:
    (tmp_path / "start.tir").write_text(START)
    free = "width,*_friction,*_stiffness"
    run("fit", data, "--law", tmp_path / "start.tir", "--free", free, "--out", tmp_path)
    file = read_tyre_file(tmp_path / "fitted.tir")
    assert file.text.startswith("! a start\n[MODEL]\n")
    assert "$ first guess" in file.text
    assert file.number("DIMENSION", "WIDTH") == pytest.approx(0.17, rel=1e-5)
    assert file.number("PARAMETER", "UMAX") == pytest.approx(1.05, rel=1e-5)
    assert "ROLLING_RESISTANCE = 0\n" in file.text


def test_mistakes_are_clean_messages(tmp_path: Path, data: Path) -> None:
    assert "unknown tyre law 'rubber'" in refusal("plot", "rubber")
    assert "there is no such file" in refusal("plot", tmp_path / "none.tir")
    assert "'2 m' is a length" in refusal("plot", "fiala", "--loads", "2 m")
    assert "expected a name that ends in" in refusal("plot", "fiala", "--out", tmp_path / "f.gif")
    assert "unknown parameter 'grip'" in refusal("fit", data, "--law", "fiala", "--free", "grip")
    data.write_text("S,Fz,Fx\n0,1,x\n")
    assert "rig.csv, line 2: 'x' in column Fx is no number" in refusal(
        "fit", data, "--law", "fiala"
    )
