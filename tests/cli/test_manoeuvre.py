"""``run MODEL MANOEUVRE`` and ``trim`` on a single-track car."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from axletree.cli.app import EXIT_USER_ERROR, app
from axletree.cli.run import pace_in_words, time_in_words
from axletree.core.problems import Problems
from axletree.core.yaml_document import read_document
from axletree.model_files.read import read_model
from axletree.simulation.trajectory import Trajectory


def invoke(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def output(*arguments: str | Path) -> str:
    result = invoke(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_manoeuvre_is_driven_from_its_steady_motion(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = output("run", "bicycle-car", "step-steer", "--output", "steer.angle")
    folder = tmp_path / "out" / "bicycle-car" / "step-steer"
    assert (folder / "run.csv").exists()
    assert "initial condition: coasting at 72 km/h" in text
    assert re.search(r"^5 s in [\d.]+ (ms|us): [\d.]+ times faster than real time$", text, re.M)
    run = Trajectory.read(folder / "run.npz")
    assert run.time[-1] == 5.0
    assert run["steer.angle"][-1] == pytest.approx(0.0349066, rel=1e-6)
    assert run["front_axle.rate"][0] == pytest.approx(20.0 / 0.3, rel=1e-6)
    assert "bicycle car: step-steer" in (folder / "report.html").read_text(encoding="utf-8")


def test_its_speed_and_more_can_be_changed(tmp_path: Path) -> None:
    output(
        "run", "bicycle-car", "coasting", "--speed", "36 km/h", "--duration", "1",
        "--input", "drive.torque=90 N*m", "--initial", "chassis.y=2", "--out", tmp_path,
        "--output", "drive.torque", "--parameter", "body.mass=1500",
    )  # fmt: skip
    run = Trajectory.read(tmp_path / "run.npz")
    assert (run["chassis.vx"][0], run["chassis.y"][0], run.time[-1]) == (10.0, 2.0, 1.0)
    assert run["drive.torque"] == pytest.approx(90.0)
    # 300 N at the road push 1540 kg and two wheels from the very start.
    gain = 300.0 / (1540.0 + 2 * 2.0 / 0.3**2)
    assert run["chassis.vx"][-1] == pytest.approx(10.0 + gain, rel=1e-4)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["brakeing"], "unknown manoeuvre 'brakeing' in bicycle_car; did you mean"),
        (
            ["--speed", "10"],
            "--speed applies to a manoeuvre; name one: axletree run MODEL MANOEUVRE",
        ),
        (["braking", "--speed", "10 kg"], "kg"),
        (["braking", "--speed", "-10"], "not allowed"),
        (["braking", "--input", "drive.torque=1"], "two signals are given for the input"),
    ],
)
def test_a_mistake_is_a_message(arguments: list[str], says: str, tmp_path: Path) -> None:
    result = invoke("run", "bicycle-car", *arguments, "--out", tmp_path)
    assert result.exit_code == EXIT_USER_ERROR
    assert says in result.output
    assert "Traceback" not in result.output


def test_a_model_without_manoeuvres_says_so(tmp_path: Path) -> None:
    result = invoke("run", "pendulum", "swing", "--out", tmp_path)
    assert result.exit_code == EXIT_USER_ERROR
    assert "unknown manoeuvre 'swing' in pendulum, which has none" in result.output


def test_a_trim_is_a_table_and_a_start(tmp_path: Path) -> None:
    path = tmp_path / "start.yaml"
    text = output("trim", "three-wheeler", "--speed", "36 km/h", "--out", path)
    assert text.startswith("three_wheeler: coasting at 36 km/h, -0.106 m/s^2")
    assert re.search(r"^  chassis\.z +0\.5005\d+ m +0 m/s$", text, re.M)
    assert re.search(r"^  front_axle\.rate +37\.2\d+ rad/s +-0\.39\d+ rad/s\^2$", text, re.M)
    assert "nothing depends on it: chassis.x, chassis.y, chassis.yaw, front_axle.angle" in text
    written = read_document(path.read_text(encoding="utf-8"), Problems("start")).plain["start"]
    model = read_model("three-wheeler")
    found = model.formulate().trim({"chassis.vx": 10.0})
    assert written == {name: value for name, value in found.states.items() if value}
    model.start = written
    again = model.formulate()
    rates = again.rhs(again.state())
    assert rates["chassis.vz"] == pytest.approx(0.0, abs=1e-3)
    assert rates["front_strut.speed"] == pytest.approx(0.0, abs=1e-9)


def test_a_trim_finds_what_drives() -> None:
    text = output(
        "trim", "three-wheeler", "--speed", "10", "--find", "left_drive.torque, right_drive.torque"
    )
    assert text.startswith("three_wheeler: steady state at 36 km/h\n")
    assert re.search(r"^  left_drive\.torque +6\.54\d+ N\*m$", text, re.M)


def test_a_trim_without_speed_stands() -> None:
    text = output("trim", "quarter-car", "--input", "road.position=100 mm")
    assert text.startswith("quarter_car: at rest\n")
    assert re.search(r"^  guide\.position +0\.728\d+ m", text, re.M)


def test_a_trim_may_hold_other_states() -> None:
    arguments = ("--hold", "chassis.wz=0.1", "--find", "steer.angle", "--forward", "chassis.vx")
    text = output("trim", "three-wheeler", "--speed", "10", *arguments)
    assert "chassis.wz = 0.1 rad/s" in text
    assert re.search(r"^  steer\.angle +0\.0\d+ rad$", text, re.M)


def test_a_forward_speed_without_a_speed_is_not_ignored() -> None:
    result = invoke("trim", "pendulum", "--forward", "nobody")
    assert result.exit_code == EXIT_USER_ERROR
    assert "--forward nobody says which state --speed is" in result.output


def test_a_motion_that_is_not_there_is_a_message() -> None:
    result = invoke("trim", "car-multibody")
    assert result.exit_code == EXIT_USER_ERROR
    assert "chassis.vz changes by -9.81 m/s^2" in result.output


@pytest.mark.parametrize(
    ("ratio", "says"),
    [(365.43, "365 times faster"), (1.0, "1 times faster"), (0.765, "1.31 times slower")],
)
def test_a_run_that_takes_longer_than_it_lasts_is_called_slower(ratio: float, says: str) -> None:
    assert pace_in_words(ratio) == f"{says} than real time"


@pytest.mark.parametrize(
    ("seconds", "says"),
    [(2.9, "2.9 s"), (0.9999, "1 s"), (0.0897, "89.7 ms"), (2.41e-3, "2.41 ms"),
     (1.45e-6, "1.45 us"), (2e-9, "0.002 us"), (123.4, "123 s")],
)  # fmt: skip
def test_a_time_is_told_in_a_unit_that_is_read_at_a_glance(seconds: float, says: str) -> None:
    assert time_in_words(seconds) == says
