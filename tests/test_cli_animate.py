"""``axletree animate`` and ``axletree run --animation``: pages beside the results."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from axletree.cli.app import EXIT_USER_ERROR, app


def invoke(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_a_run_its_folder_and_its_model_give_the_same_page(tmp_path: Path) -> None:
    ran = invoke("run", "pendulum", "--duration", "1", "--animation", "--out", tmp_path / "ran")
    assert ran.exit_code == 0, ran.output
    page = tmp_path / "ran" / "animation.html"
    assert f"animation: {page}" in ran.stdout
    text = page.read_bytes()
    page.unlink()
    again = invoke("animate", tmp_path / "ran")
    assert again.exit_code == 0, again.output
    assert page.read_bytes() == text
    made = invoke("animate", "pendulum", "--duration", "1", "--png", "--out", tmp_path / "made")
    assert made.exit_code == 0, made.output
    assert (tmp_path / "made" / "animation.html").read_bytes() == text
    assert (tmp_path / "made" / "animation.png").read_bytes().startswith(b"\x89PNG")
    assert not (tmp_path / "made" / "animation.gif").exists()


def test_a_run_without_animation_leaves_no_old_one(tmp_path: Path) -> None:
    (tmp_path / "animation.html").write_text("of another run", encoding="utf-8")
    assert invoke("run", "pendulum", "--duration", "0.1", "--out", tmp_path).exit_code == 0
    assert not (tmp_path / "animation.html").exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["rlc-circuit"], "no body that moves"),
        (["."], "has no results of a run; expected run.npz"),
        ([".", "step-steer"], "has been run already"),
        (["pendulum", "step-steer"], "unknown manoeuvre 'step-steer'"),
        (["pendulum", "--speed", "3"], "--speed is that of a manoeuvre"),
        (["pendulumm"], "pendulumm"),
    ],
)
def test_mistakes_are_told(arguments: list[str], says: str, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        result = invoke("animate", *arguments)
    assert result.exit_code == EXIT_USER_ERROR
    assert says in result.stderr
    assert list(tmp_path.iterdir()) == []
