"""``axletree animate`` and ``axletree run --animation``: pages beside the results."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree

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
        ([".", "step-steer"], "is a folder of results"),
        (["pendulum", "step-steer"], "unknown manoeuvre 'step-steer'"),
        (["pendulum", "--speed", "3"], "--speed applies to a manoeuvre"),
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


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("results")
    assert invoke("run", "pendulum", "--duration", "0.1", "--out", folder).exit_code == 0
    return folder


@pytest.mark.parametrize(
    ("file", "content", "says"),
    [
        ("metrics.json", "{", "does not say what its run follows from (JSONDecodeError"),
        ("metrics.json", "[]", "does not say what its run follows from (TypeError"),
        ("metrics.json", "{}", "does not say what its run follows from (KeyError: 'model')"),
        ("run.npz", "PK", "holds no trajectory"),
    ],
)
def test_damaged_results_are_told(
    file: str, content: str, says: str, results: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "damaged"
    copytree(results, folder)
    (folder / file).write_text(content, encoding="utf-8")
    result = invoke("animate", folder)
    assert result.exit_code == EXIT_USER_ERROR
    assert says in " ".join(result.stderr.split())
    assert file in result.stderr


def test_a_recipe_leads_to_no_file_outside_of_its_folder(results: Path, tmp_path: Path) -> None:
    folder = tmp_path / "led-away"
    copytree(results, folder)
    told = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))
    told["model"]["sha256"] = {"../../other.yaml": ""}
    (folder / "metrics.json").write_text(json.dumps(told), encoding="utf-8")
    result = invoke("animate", folder)
    assert result.exit_code == EXIT_USER_ERROR
    assert "names a model outside of its folder" in result.stderr


def test_a_folder_of_results_is_no_live_page(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["animate", str(tmp_path), "--live"])
    assert result.exit_code == 2
    assert "--live is for a model: axletree live MODEL" in result.output
