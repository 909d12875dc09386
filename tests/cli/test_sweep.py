"""``axletree sweep``: the table, the files, what it says of failures."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from reports.chart_reader import chart_panels
from typer.testing import CliRunner, Result

from axletree.__main__ import EXIT_INTERRUPTED
from axletree.cli.app import EXIT_USER_ERROR, app
from axletree.cli.studies import EXIT_FAILED_POINTS


def invoke(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_a_sweep_leaves_a_table_and_a_plot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = ("sweep", "pendulum", "-p", "rod.mass=1:2:3", "-p", "gravity.z=-9.81,-1.62")
    arguments += ("--duration", "0.5", "--workers", "2", "--output", "pin.angle")
    result = invoke(*arguments)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "pendulum, run: 6 points"
    assert lines[1].split("  ")[0] == "rod.mass [kg]"
    folder = tmp_path / "out" / "pendulum" / "sweep"
    assert {path.name for path in folder.iterdir()} == {
        "report.html", "points", "sweep.json", "table.csv", "table.json"
    }  # fmt: skip
    # The mass of a pendulum whose inertia does not grow with it slows nothing but gravity does.
    content = json.loads((folder / "table.json").read_text())
    last = [point["findings"]["pin.angle.final"] for point in content["points"]]
    assert last[0] < last[1]
    panels = chart_panels((folder / "report.html").read_text(encoding="utf-8"))
    heavy, light = panels["Final pin.angle"]["curves"]
    np.testing.assert_allclose([heavy["y"], light["y"]], [last[0::2], last[1::2]], rtol=1e-5)
    again = invoke(*arguments)
    assert again.stdout.splitlines()[0] == "pendulum, run: 6 points, 6 of them from before"


def test_failures_are_told_with_their_values(tmp_path: Path) -> None:
    result = invoke(
        "sweep", "pendulum", "-p", "rod.mass=-1:1:2", "--duration", "0.1", "--out", tmp_path
    )
    assert result.exit_code == EXIT_FAILED_POINTS
    assert "failed at rod.mass = -1 kg: parameter 'rod.mass' is -1.0 kg" in result.output
    assert "pendulum, run: 1 point\n" in result.output


def test_a_file_outside_of_the_folder_is_not_read(tmp_path: Path) -> None:
    model = tmp_path / "car" / "quarter.yaml"
    model.parent.mkdir()
    model.write_text(files("axletree.data.models").joinpath("quarter-car.yaml").read_text())
    (tmp_path / "secret.yaml").write_text("unloaded_radius: 0.3\n")
    result = invoke(
        "sweep", model, "-p", "components.tyre.like=../secret.yaml", "--out", tmp_path / "out"
    )
    assert result.exit_code == EXIT_FAILED_POINTS
    assert "'../secret.yaml' is outside the folder of the model" in result.output
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "no plot: no point of the sweep found anything" in page


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["pendulum", "-p", "rod.mass"], "expected NAME=VALUE"),
        (["pendulum", "-p", "rod.mass=1,2", "-p", "rod.mass=3,4"], "'rod.mass' twice"),
        (["pendulum", "-p", "rod.mass=1,2", "--duration", "1 kg"], "is a mass"),
        (["nothing.yaml", "-p", "rod.mass=1,2"], "nothing.yaml: there is no such file"),
        (["nobody", "-p", "rod.mass=1,2"], "unknown model 'nobody'"),
        (["nothing.py:car", "-p", "rod.mass=1,2"], "nothing.py: no Python file of this name"),
    ],
)
def test_a_mistake_is_a_message(arguments: list[str], says: str, tmp_path: Path) -> None:
    result = invoke("sweep", *arguments, "--out", tmp_path / "out")
    assert result.exit_code == EXIT_USER_ERROR, result.output
    assert says in result.output
    assert "Traceback" not in result.output
    assert not (tmp_path / "out").exists()


# The command, which is sent the signal of Ctrl-C when it has written the third point.
STOPPED = """
import os, signal
from axletree.__main__ import main
from axletree.analysis.studies.sweep import SweepFolder
write, written = SweepFolder.write, []
def watched(*given):
    write(*given)
    written.append(given)
    if len(written) == 3:
        os.kill(os.getpid(), signal.SIGINT)
SweepFolder.write = watched
main()
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is a signal elsewhere")
def test_ctrl_c_keeps_what_is_done_and_the_same_command_goes_on(tmp_path: Path) -> None:
    """The whole command in a process of its own, with the signal that a terminal sends."""
    words = ["sweep", "pendulum", "--out", str(tmp_path / "out"), "-p", "rod.mass=1:2:40"]
    words += ["--duration", "0.5", "--output", "pin.angle"]
    points = tmp_path / "out" / "points"
    stopped = subprocess.run([sys.executable, "-c", STOPPED, *words], capture_output=True)
    assert stopped.returncode == EXIT_INTERRUPTED
    assert b"the same command continues from there" in stopped.stderr
    kept = {path.name: path.read_bytes() for path in points.glob("*.json")}
    assert 3 <= len(kept) < 40
    assert not list(points.glob(".*"))  # nothing half-written
    command = [sys.executable, "-m", "axletree", *words]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0
    assert f"pendulum, run: 40 points, {len(kept)} of them from before" in done.stdout
    assert {name: (points / name).read_bytes() for name in kept} == kept
    assert len(list(points.glob("*.json"))) == 40
