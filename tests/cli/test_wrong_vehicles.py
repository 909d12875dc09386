"""Files of vehicles that are wrong: a message with its place, an exit code, and nothing written."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from axletree.cli.app import EXIT_USER_ERROR, app

BODY = "base: sedan\nvehicle:\n  body: {{mass: {}}}\n"
LAW = "base: sedan\nvehicle:\n  axles:\n    front:\n      tyre: {{law: {}}}\n"
PLACE, TYRE = (
    "car.yaml, line 3, vehicle.body.mass: ",
    "car.yaml, line 5, vehicle.axles.front.tyre.law: ",
)
FILE = "{{type: property-file, file: {}}}"
BOMB = "a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]\n"
    for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
WRONG = {
    "another unit": (BODY.format("1250 m"), PLACE + "'1250 m' is a length (m), but a mass (kg)"),
    "no unit": (BODY.format("1250 stones"), PLACE + "unknown unit 'stones'"),
    "no number": (BODY.format(".nan"), PLACE + "nan is not a finite number"),
    "without end": (BODY.format(".inf"), PLACE + "inf is not a finite number"),
    "a negative mass": (BODY.format("-1250 kg"), PLACE + "-1250 kg is not allowed"),
    "an unknown tyre": (LAW.format("fialla"), TYRE + "unknown part 'fialla'"),
    "a missing tyre file": (
        LAW.format(FILE.format("mine.tir")), TYRE + "mine.tir: there is no such file"
    ),
    "a tyre file elsewhere": (
        LAW.format(FILE.format("../mine.tir")),
        TYRE.removesuffix(": ") + ".file: '../mine.tir' is outside the folder",
    ),
    "a path of a missing tyre file": (
        LAW.format("mine.tir"), TYRE + "mine.tir: there is no such file"
    ),
    "a path of a tyre file elsewhere": (
        LAW.format("../mine.tir"), TYRE + "file: '../mine.tir' is outside the folder"
    ),
    "a base elsewhere": (
        "base: ../other.yaml\n", "car.yaml, line 1, base: file: '../other.yaml' is outside"
    ),
    "a base that is not there": (
        "base: other.yaml\n", "car.yaml, line 1, base: other.yaml: there is no such file"
    ),
    "a circle of bases": (
        "base: round.yaml\n", "car.yaml, line 1, base: the files run in a circle: round.yaml"
    ),
    "10 MB": (
        BODY.format("1250 kg") + f"# {'x' * 97}\n" * 100_000, "car.yaml: the file is too large"
    ),
    "aliases of aliases": (BOMB, "car.yaml, line 5, e: more than 20000 values, with aliases"),
    "depth": ("vehicle: " + "[" * 500, "car.yaml, line 1, vehicle: nested too deep"),
    "a tag": ("base: !!python/name:os.system\n", "car.yaml, line 1, base: tags such as"),
    "half a file": ("base: sedan\nvehicle: {body: [\n", "car.yaml, line 3: no valid YAML"),
    "a key twice": ("base: sedan\nbase: suv\n", "car.yaml, line 2, base: the key 'base' appears"),
    "an unknown key": (
        "base: sedan\nvehicle:\n  bodi: {mass: 1}\n",
        "car.yaml, line 2, vehicle: Vehicle has no 'bodi'",
    ),
    "a list": ("- sedan\n", "car.yaml, line 1: expected a mapping"),
    "nothing": ("", "car.yaml: the file is empty"),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_file_is_a_message(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, message = WRONG[what]
    folder = tmp_path / "cars"
    folder.mkdir()
    monkeypatch.chdir(folder)
    Path("car.yaml").write_text(text, encoding="utf-8")
    Path("round.yaml").write_text("base: car.yaml\n")
    refused("run car.yaml iso-7401-step", message)
    assert sorted(path.name for path in folder.iterdir()) == ["car.yaml", "round.yaml"]


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("check lost.yaml", "lost.yaml: there is no such file"),
        ("run lost.yaml iso-7401-step", "lost.yaml: there is no such file"),
        ("sweep lost.yaml -p body.mass=1,2", "lost.yaml: there is no such file"),
        ("compare lost.yaml sedan -m iso-7401-step", "lost.yaml: there is no such file"),
        ("check sedann", "unknown model 'sedann' in the catalogue; did you mean 'sedan'"),
        ("run sedan iso-7401-stop", "unknown manoeuvre 'iso-7401-stop' in sedan; did you mean"),
        (
            "run sedan step-steer --model half-track",
            "'half-track' is not one of bushings, links, full, 14-dof",
        ),
        ("run pendulum --format mdf5", "unknown format 'mdf5' in the catalogue; did you mean"),
        ("check .", ". is a folder; expected the path of a model file"),
    ],
)
def test_a_wrong_command_is_a_message(
    command: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    refused(command, message)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def refused(command: str, message: str) -> None:
    result = CliRunner().invoke(app, command.split())
    assert result.exit_code == EXIT_USER_ERROR, result.output
    assert message in result.output
    assert "Traceback" not in result.output
