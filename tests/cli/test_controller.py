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
"""
RUN = ["run", "bicycle-car", "coasting", "--no-report", "--out", "out"]


def run(*words: str) -> tuple[int, str]:
    Path("mine.py").write_text(CONTROLLER)
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
        (["mine.py"], "expected file.fmu, file.py:Class, or a word"),
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
