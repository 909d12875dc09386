"""The commands that pages show, each with the first page that shows it."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from functools import cache
from glob import glob
from itertools import pairwise
from typing import Any

import typer
from docs.page_blocks import PAGES, Block, blocks_of, calls_in, calls_in_prose, text_of
from docs.page_files import file_key

from axletree.cli.app import app

UsageError = typer.BadParameter.__base__ or Exception  # of Click, which Typer may have in it
Words = tuple[str, ...]
MISTAKES = {  # shown as such, with what is answered
    ("run", "sedan", "iso-7401-stp"): "iso-7401-step",
    ("run", "sedan", "step-steer", "--soil", "dry-sand-lll"): "drawbar-pull, slope-start",
}
UNTIL_ENDED = {  # go on until somebody ends them; tests/cli/test_studio.py does
    ("studio", car) for car in ("sedan", "car.yaml", "pushrod-formula-student")
}
HISTORY = "CHANGELOG.md"  # what was so when it was written
INCOMPLETE = re.compile("Missing (parameter|argument)|requires an argument")
PLACEHOLDER = re.compile(r"[A-Z]+|\.\.\.")  # in the place of a word


@dataclass(frozen=True)
class Step:
    """Commands of one block, and what the page shows of what they print."""

    commands: tuple[Words, ...]
    shown: str = ""


def parse(words: Words) -> dict[str, Any]:
    """What a command is given, as the command line reads it, without running anything."""
    command, left = whole_command(), list(words)
    while hasattr(command, "commands"):
        name = left.pop(0)
        if name not in command.commands:
            raise KeyError(name)
        command = command.get_command(None, name)
    return dict(command.make_context(command.name, left).params)


@cache
def whole_command() -> Any:
    return typer.main.get_command(app)


@cache
def is_whole(words: Words) -> bool:
    """Whether it can be run; prose also names commands without what they are given."""
    if any(PLACEHOLDER.fullmatch(word) for word in words):
        return False
    try:
        parse(words)
    except IndexError:  # a group of commands
        return False
    except UsageError as error:
        if INCOMPLETE.search(str(error)):
            return False
        raise
    return True


@cache
def shown_steps(page: str) -> tuple[Step, ...]:
    """Those of blocks in order, then those in the prose."""
    steps = []
    for block, after in pairwise((*blocks_of(page), Block("", ""))):
        if block.language == "sh":
            shown = after.text if (after.language, after.shown_by) == ("text", "sh") else ""
            steps.append(Step(_of_axletree(calls_in(block)), shown))
    return (*steps, Step(_of_axletree(calls_in_prose(page))))


def _of_axletree(calls: Any) -> tuple[Words, ...]:
    return tuple(tuple(words) for program, *words in calls if program == "axletree")


def mentioned(page: str) -> list[Words]:
    """All of them, also those that are not whole."""
    return [words for step in shown_steps(page) for words in step.commands]


@cache
def steps_of(page: str) -> tuple[Step, ...]:
    """What is run with the page: whole commands that no page before it shows, of equal files.

    Those whose text or results the page goes on with are run in any case.
    """
    if page == HISTORY:
        return ()
    before = {run for other in PAGES[: PAGES.index(page)] for run in _runs(other)}
    steps = []
    for step in shown_steps(page):
        kept = [
            words
            for words in dict.fromkeys(step.commands)
            if is_whole(words)
            and (step.shown or _is_read(page, words) or _with_files(page, words) not in before)
        ]
        if kept:
            steps.append(Step(tuple(kept), step.shown))
            before |= {_with_files(page, words) for words in kept}
    return tuple(steps)


def _is_read(page: str, words: Words) -> bool:
    """Whether a command of the page reads what a run leaves."""
    folder = f"out/{words[1]}/" if words[0] == "run" else None
    return folder is not None and any(folder in w for other in mentioned(page) for w in other)


@cache
def _runs(page: str) -> frozenset[tuple[Words, ...]]:
    return frozenset(_with_files(page, words) for words in mentioned(page) if page != HISTORY)


@cache
def _with_files(page: str, words: Words) -> tuple[Words, ...]:
    parts = [part for word in words for part in re.split("[=:]", word)]
    return words, tuple(key for part in parts if (key := file_key(page, part)) is not None)


def expanded(words: Words) -> list[str]:
    """With names of files in the place of a word with a star, as the shell has it."""
    found = [sorted(glob(word)) if "*" in word else [] for word in words]
    return [name for word, names in zip(words, found, strict=True) for name in names or [word]]


def remarked_paths(words: Words) -> set[str]:
    """Places in ``out`` that a remark behind the command tells, on any page."""
    found: set[str] = set()
    for page in PAGES:
        for line, remark in re.findall(r"^(axletree .*?) +# (.*)$", text_of(page), re.MULTILINE):
            if tuple(shlex.split(line)[1:]) == words:
                found |= set(paths_in(remark))
    return found


def paths_in(text: str) -> list[str]:
    """Places in ``out`` that it names; ``make`` leaves those of the demo and of the site."""
    return re.findall(r"\bout/(?!demo\b|site\b|compare\b)[\w./-]*\w", text)
