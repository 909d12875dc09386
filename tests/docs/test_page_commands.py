"""Every command that a page shows is understood as it stands there, and quick ones are run."""

from __future__ import annotations

import re
import shlex
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

import axletree as at
from axletree.catalogue import MODELS
from axletree.cli.app import app

ROOT = Path(__file__).parent.parent.parent
FILES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
PAGES = [path.relative_to(ROOT).as_posix() for path in FILES]
GALLERY = "docs/gallery.md"  # whose captions are whole commands
QUICK = ("check", "derive", "doctor", "export", "graph", "list", "schema")
OWN_FILE = re.compile(r"\.(yaml|py|tir|csv)\b|\bout/")


def commands_of(page: str) -> list[list[str]]:
    """The words after ``axletree`` of each line of a block that begins with it."""
    text = (ROOT / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^```(?:sh)?\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    lines += re.findall(r"^    (axletree .*)$", text, re.MULTILINE)
    if page == GALLERY:
        lines += re.findall(r"`(axletree [^`]+)`", text)
    return [shlex.split(x, comments=True)[1:] for x in lines if x.startswith("axletree ")]


def parse(words: list[str]) -> dict[str, Any]:
    """What a command is given, as the command line reads it, without running anything."""
    command: Any = whole_command()
    while hasattr(command, "commands"):
        command, words = command.commands[words[0]], words[1:]
    return dict(command.make_context(command.name, words).params)


@cache
def whole_command() -> Any:
    return typer.main.get_command(app)


@cache
def manoeuvres_of(model: str) -> set[str]:
    return set(at.read_model(model).manoeuvres)


@pytest.mark.parametrize("page", [page for page in PAGES if commands_of(page)])
def test_the_commands_of_a_page_are_understood(page: str) -> None:
    """Words and options; and what the package has under the names of a model and a manoeuvre."""
    for words in commands_of(page):
        given = parse(words)
        model = given.get("model")
        if not isinstance(model, str) or OWN_FILE.search(model):
            continue
        assert model in MODELS, words
        manoeuvre = given.get("manoeuvre")
        if manoeuvre is not None and given.get("soil") is None:  # which brings its own manoeuvres
            assert manoeuvre in manoeuvres_of(model), words


def quick_commands() -> list[str]:
    """Those that take no time and name things of the package alone; each once."""
    shown = [shlex.join(words) for page in PAGES for words in commands_of(page)]
    quick = [line for line in shown if line.startswith(QUICK) and not OWN_FILE.search(line)]
    return list(dict.fromkeys(quick))


@pytest.mark.parametrize("line", quick_commands())
def test_quick_commands_do_what_they_say(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, shlex.split(line))
    assert result.exit_code == 0, result.output
    assert result.stdout


def test_a_command_that_is_not_understood_is_found() -> None:
    with pytest.raises(KeyError):
        parse(["drive", "sedan"])
    with pytest.raises(Exception, match="No such option"):
        parse(["run", "sedan", "--velocity", "20"])
