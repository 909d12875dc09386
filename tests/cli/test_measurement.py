"""``axletree compare`` with a measured file, and ``axletree replay``."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import axletree as at
from axletree.cli.app import EXIT_USER_ERROR, app
from axletree.simulation.trajectory import Trajectory

CHANNELS = """
channels:
  driver.steering: {column: SWA, unit: deg, sign: -1}
  vehicle.yaw_rate: {column: r, unit: deg/s, tolerance: 1 deg/s}
  vehicle.lateral_acceleration: {column: ay, unit: g}
  vehicle.forward_speed: {column: v, unit: km/h}
"""


def invoke(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@cache
def driven() -> Trajectory:
    car = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}})
    return car.drive("iso-7401-step", watch=False)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run, and what a logger has of it, 0.5 s late."""
    monkeypatch.chdir(tmp_path)
    run = driven()
    run.to_npz("run/run.npz")
    columns = (
        run.time + 0.5, -run["driver.steering", "deg"], run["vehicle.yaw_rate", "deg/s"],
        run["vehicle.lateral_acceleration"] / 9.80665, run["vehicle.forward_speed", "km/h"],
    )  # fmt: skip
    rows = (",".join(repr(float(v)) for v in row) for row in zip(*columns, strict=True))
    Path("drive.csv").write_text("\n".join(["time [s],SWA,r,ay,v", *rows]), encoding="utf-8")
    Path("map.yaml").write_text(CHANNELS, encoding="utf-8")
    return tmp_path


def test_a_run_is_compared_with_a_measurement(folder: Path) -> None:
    result = invoke(
        "compare", "run", "drive.csv", "--channels", "map.yaml", "--align", "vehicle.yaw_rate",
        "--validate", "iso-22140", "--pictures", "--out", "out",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    assert "500 ms earlier, as found by cross-correlation of vehicle.yaw_rate" in result.stdout
    assert "In the manner of ISO 22140" in result.stdout
    assert "no statement of conformity" in result.stdout
    left = sorted(path.name for path in (folder / "out").iterdir())
    assert left == [
        "agreement.csv", "agreement.png", "boundaries.csv", "boundaries.png", "overlay.csv",
        "report.html", "values.csv",
    ]  # fmt: skip
    line = (folder / "out" / "agreement.csv").read_text().splitlines()[3]
    assert line.startswith("vehicle.yaw_rate,")
    assert ",1.0000,1.0000,0.0 ms" in line
    page = (folder / "out" / "report.html").read_text(encoding="utf-8")
    assert "In the manner of ISO 22140" in page
    assert "http://" not in page.replace("http://www.w3.org", "")


def test_a_measured_drive_is_replayed(folder: Path) -> None:
    result = invoke(
        "replay", "sedan", "drive.csv", "--channels", "map.yaml", "--model", "linear",
        "--no-report", "--out", "out",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    assert "input: driver.steering as measured, by a cubic spline" in result.stdout
    rows = (folder / "out" / "agreement.csv").read_text().splitlines()
    yaw_rate = next(row for row in rows if row.startswith("vehicle.yaw_rate"))
    assert ",0.00 %,1.0000,1.0000," in yaw_rate
    again = Trajectory.read(folder / "out" / "run.npz")
    assert again.time[0] == 0.5
    part = invoke(
        "replay", "sedan", "drive.csv", "--channels", "map.yaml", "--model", "linear",
        "--from", "1 s", "--to", "3 s", "--no-report", "--out", "part",
    )  # fmt: skip
    assert part.exit_code == 0, part.output
    assert Trajectory.read(folder / "part" / "run.npz").time[-1] == pytest.approx(3.0)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["compare", "run", "drive.csv"], "says no unit of SWA"),
        (["compare", "run", "nothing.csv"], "there is no such file"),
        (["compare", "run", "run", "drive.csv"], "one run and one measured file are compared"),
        (["compare", "run", "run", "--align", "x"], "apply to measured files"),
        (["compare", "run", "drive.csv", "--channels", "no.yaml"], "there is no such file"),
        (["compare", "run", "drive.csv", "--channels", "map.yaml", "--filter", "x"], "--filter"),
        (["compare", "run", "drive.csv", "--channels", "map.yaml", "--delay", "3 m"], "--delay"),
        (
            ["compare", "run", "drive.csv", "--channels", "map.yaml", "--validate", "iso-1"],
            "unknown method of validation 'iso-1'",
        ),
        (["replay", "pendulum", "drive.csv", "--channels", "map.yaml"], "has no input"),
        (["replay", "sedan", "nothing.mf4"], "there is no such file"),
    ],
)
def test_a_mistake_is_a_message(folder: Path, arguments: list[str], says: str) -> None:
    result = invoke(*arguments, "--out", "out")
    assert result.exit_code == EXIT_USER_ERROR, result.output
    assert says in result.output
    assert not (folder / "out").exists()
