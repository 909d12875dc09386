"""Every command that a page shows has the words and options that it is shown with."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer

from axletree.cli.app import app

DOCS = Path(__file__).parent.parent.parent / "docs"
PAGES = sorted(str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md"))


def commands_of(page: str) -> list[list[str]]:
    """The words after ``axletree`` of each line that begins with it."""
    text = (DOCS / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^```(?:sh)?\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    return [shlex.split(x, comments=True)[1:] for x in lines if x.startswith("axletree ")]


def parse(words: list[str]) -> None:
    """As the command line does, without running anything."""
    command: Any = typer.main.get_command(app)
    while hasattr(command, "commands"):
        command, words = command.commands[words[0]], words[1:]
    command.make_context(command.name, words)


@pytest.mark.parametrize("page", [page for page in PAGES if commands_of(page)])
def test_the_commands_of_a_page_are_understood(page: str) -> None:
    for words in commands_of(page):
        parse(words)


def test_a_command_that_is_not_understood_is_found() -> None:
    with pytest.raises(KeyError):
        parse(["drive", "sedan"])
    with pytest.raises(Exception, match="No such option"):
        parse(["run", "sedan", "--velocity", "20"])
