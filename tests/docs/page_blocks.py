"""What pages show: fenced blocks by language, commands of the shell, and files."""

from __future__ import annotations

import ast
import re
import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
# What several pages show is run with the first of them: those that tell what it prints stand first.
FOLDERS = ("docs/tutorials", "docs/how-to", "docs/theory", "docs/reference", "docs/project", "docs")
PAGES = [
    *(
        path.relative_to(ROOT).as_posix()
        for folder in FOLDERS
        for path in sorted((ROOT / folder).glob("*.md"))
    ),
    *("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "benchmarks/engines.md"),
]
FENCE = re.compile(r"^ *(`{3,}|~{3,})(.*)$")
PROGRAMS = ("axletree", "make", "pip", "python")
# A program in a block says what it is given and does nothing else. So it is the shell that reads
# quotes, remarks and loops, as it does for a reader; names of files with stars stay as they are.
SAYS = "() { printf '%s' {}; for word do printf '\\037%s' \"$word\"; done; printf '\\036'; }"


@dataclass(frozen=True)
class Block:
    """Between two fences; ``shown_by`` is the language of the block that ends where it begins."""

    language: str
    text: str
    shown_by: str = ""


@cache
def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


@cache
def blocks_of(page: str) -> tuple[Block, ...]:
    found: list[Block] = []
    begun: tuple[str, str, str] | None = None  # fence, language, language of the one before
    lines: list[str] = []
    before = ""  # language of a block that ended on the last line
    for line in text_of(page).splitlines():
        fence = FENCE.match(line)
        if begun is None:
            if fence is not None:
                begun, lines = (fence[1], fence[2].strip(), before), []
            before = ""
        elif fence is not None and fence[1].startswith(begun[0]) and not fence[2]:
            found.append(Block(begun[1], "".join(f"{x}\n" for x in lines), begun[2]))
            before, begun = begun[1], None
        else:
            lines.append(line)
    assert begun is None, f"{page}: a block has no end"
    return tuple(found)


def prose_of(page: str) -> str:
    """The page without its blocks."""
    kept, fence = [], ""
    for line in text_of(page).splitlines():
        found = FENCE.match(line)
        if found is not None and (not fence or found[1].startswith(fence)):
            fence = "" if fence else found[1]
        elif not fence:
            kept.append(line)
    return "\n".join(kept)


@cache
def calls_in(block: Block) -> tuple[tuple[str, ...], ...]:
    """The words of each call of a program in a block of the shell, the program first."""
    told = "\n".join(f"{program}{SAYS.replace('{}', program)}" for program in PROGRAMS)
    shell = ["sh", "-efuc", f"{told}\n{block.text}"]
    done = subprocess.run(shell, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), (block.text, done.stderr)
    return tuple(tuple(call.split("\037")) for call in done.stdout.split("\036") if call)


def calls_in_prose(page: str) -> list[tuple[str, ...]]:
    """Likewise of what stands between single backticks."""
    called = "|".join(PROGRAMS)
    found = re.findall(rf"(?<!`)`((?:{called})\s[^`]+)`(?!`)", prose_of(page))
    return [tuple(shlex.split(call)) for call in found]


def files_of(page: str) -> dict[str, str]:
    """What the Python of a page writes with ``Path(name).write_text(text)``, by name."""
    texts: dict[str, str] = {}
    files: dict[str, str] = {}
    for node in _nodes(page):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str(text))):
                texts[name] = text
            case ast.Call(
                func=ast.Attribute(value=ast.Call(args=[ast.Constant(value=name)]), attr=attribute),
                args=[written],
            ) if attribute == "write_text":
                match written:
                    case ast.Constant(value=str(text)):
                        files[name] = text
                    case ast.Name(id=variable):
                        files[name] = texts[variable]
    return files


def _nodes(page: str) -> Iterator[ast.AST]:
    for block in blocks_of(page):
        if block.language == "python":
            yield from (node for line in ast.parse(block.text).body for node in ast.walk(line))
