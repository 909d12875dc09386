"""``axletree run --controller``: classes of Python files, and what is none."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from axletree.cli.app import app

CONTROLLER = """\
class Steer:
    reads, sets, interval = ["chassis.rate"], ["steer.angle"], "10 ms"

    def reset(self):
        pass

    def update(self, t, measured):
        if t > 1.0:
            raise ValueError("no signal")
        return {"steer.angle": 0.01}


class Rateless(Steer):
    interval = None


class Alone(Steer):
    rules = {"steer.angle": "alone"}


class First(Steer):
    def update(self, t, measured):
        return {"steering": 0.0}


class Late(Steer):
    timeout = "0.1 s"

    def update(self, t, measured):
        while t > 0.1:
            pass
        return {"steer.angle": 0.0}
"""
C_CONTROLLER = """\
const char *steer_reads[] = {"chassis.rate", 0};
const char *steer_sets[] = {"steer.angle", 0};
const double steer_interval = 0.01;
static double sum;
void steer_reset(void) { sum = 0.0; }
void steer_update(double t, const double *measured, double *commands)
{
    sum += 0.01;
    if (t < 1.0) commands[0] = 0.01 * sum - 0.0 * measured[0];
}
"""
RUN = ["run", "bicycle-car", "coasting", "--no-report", "--out", "out"]


def run(*words: str) -> tuple[int, str]:
    Path("mine.py").write_text(CONTROLLER)
    Path("steer.c").write_text(C_CONTROLLER)
    for name in ("broken.c", "broken.so"):
        Path(name).write_text("double steer(")
    result = CliRunner().invoke(app, [*RUN, *words])
    return result.exit_code, f"{result.output} {result.exception}"


def test_a_controller_of_a_file_drives_and_its_failure_leaves_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, said = run("--controller", "mine.py:Steer")
    assert code != 0
    assert "the controller 'Steer' at t = 1.01 s raises ValueError: no signal" in said
    assert (tmp_path / "out" / "run.npz").is_file()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["mine.py:Stear"], "mine.py has no Stear; its classes are Steer"),
        (["other.py:Steer"], "there is no file other.py"),
        (["mine.py"], "expected file.fmu, file.py:Class, file.c:name, or a word"),
        (["mine.py:Steer", "--controller", "mine.py:Alone"], "'Alone' by the rule 'alone'"),
        (["mine.py:First"], "at t = 0 s gives 'steering', which is none of its commands"),
        (["mine.py:Late"], "at t = 0.11 s gives no answer within 0.1 s"),
        (["steer.c:steer"], "'steer' at t = 1 s gives nan for 'steer.angle'"),
        (["steer.c:stear"], "the file has no stear_reads, stear_sets, stear_reset, stear_update"),
        (["broken.c:steer"], "broken.c is not compiled"),
        (["other.c:steer"], "there is no file other.c"),
        (["broken.so:steer"], "broken.so is no library that can be loaded"),
        (["mine.py:Rateless"], "has no interval"),
        (["esc.fmu"], "needs --control-interval"),
        (["mine.py:Steer", "--control-interval", "1.5 ms"], "no whole number of steps"),
        (["mine.py:Steer", "--audit"], "--audit runs once more"),
    ],
)
def test_what_is_none_is_told(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, text = run("--controller", *words)
    assert code != 0
    assert said in text


def test_a_procedure_takes_controllers_of_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(
        "class Clutch:\n"
        "    reads, sets = [], ['driver.clutch']\n"
        "    def reset(self): open('reset.txt', 'a').write('x')\n"
        "    def update(self, t, measured): return {'driver.clutch': 1.0}\n"
    )
    command = ["procedure", "sedan", "iso-21994", "--model", "single-track", "--no-report",
               "--out", "out", "--controller"]  # fmt: skip
    done = CliRunner().invoke(app, [*command, "mine.py:Clutch"])
    assert "Clutch has no interval; give it one, or --control-interval" in done.output
    done = CliRunner().invoke(app, [*command, "mine.py:Clutch", "--control-interval", "10ms"])
    assert done.exit_code == 0, done.output
    assert Path("reset.txt").read_text() == "xxx"  # before each of the three stops
    done = CliRunner().invoke(app, [*command, "stanley"])
    assert done.exit_code != 0
    assert "iso-21994 has none: the steering wheel is held straight" in done.output


def test_a_procedure_that_a_controller_stops_keeps_its_run_and_no_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(
        "class Clutch:\n"
        "    reads, sets, interval = [], ['driver.clutch'], '10 ms'\n"
        "    def reset(self): pass\n"
        "    def update(self, t, measured): return {'driver.clutch': 0.0 if t < 1.0 else 1 / 0}\n"
    )
    command = ["procedure", "sedan", "iso-21994", "--model", "single-track", "--no-report",
               "--out", "out", "--controller", "mine.py:Clutch"]  # fmt: skip
    Path("out").mkdir()
    Path("out/metrics.json").write_text('{"verdict": "passed"}')  # of a day on which it did not
    done = CliRunner().invoke(app, command)
    assert done.exit_code != 0
    assert "not judged: a controller failed" in done.output
    assert "'Clutch' at t = 1 s raises ZeroDivisionError" in f"{done.output} {done.exception}"
    assert "verdict" not in done.output
    assert sorted(one.name for one in Path("out").iterdir()) == ["stopped-run.npz"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("driver.reverse=2", "'driver.reverse' comes to 2; expected values between 0 and 1"),
        ("driver.brake=0.2+0.2*t", "'driver.brake' comes to 2.2; expected values between 0 and 1"),
        ("driver.steering=2000 deg", "'driver.steering' comes to 34.9066 rad; expected values"),
    ],
)
def test_an_input_beyond_its_bounds_is_told(given: str, said: str, tmp_path: Path) -> None:
    words = ["run", "sedan", "coasting", "--model", "single-track", "--no-report", "--out",
             str(tmp_path), "--input", given]  # fmt: skip
    done = CliRunner().invoke(app, words)
    assert done.exit_code != 0
    assert said in f"{done.output} {done.exception}"
    assert not list(tmp_path.iterdir())
