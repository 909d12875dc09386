"""The pages of docs/: their Python runs and prints what they say, their links lead somewhere."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

from axletree.catalogue import (
    BELTS,
    CONTACT_DYNAMICS,
    CONTACTS,
    LEVERS,
    NORMAL_FORCES,
    RIMS,
    ROLLING_RADII,
    SLIPS,
    TYRES,
)
from axletree.core.registry import load

DOCS = Path(__file__).parent.parent.parent / "docs"
PAGES = sorted(path.name for path in DOCS.glob("*.md"))
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")


def text_of(page: str) -> str:
    return (DOCS / page).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_the_python_of_a_page_prints_what_it_says(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The blocks of a page follow one another; a block of text is what the last one prints."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "page"}
    printed = ""
    for language, text in BLOCK.findall(text_of(page)):
        if language == "python":
            stream = io.StringIO()
            with contextlib.redirect_stdout(stream):
                exec(compile(text, page, "exec", dont_inherit=True), names)
            printed = stream.getvalue()
        elif language == "text":
            assert printed == text


@pytest.mark.parametrize("page", PAGES)
def test_the_links_of_a_page_lead_somewhere(page: str) -> None:
    targets = LINK.findall(text_of(page))
    assert [target for target in targets if not (DOCS / target).exists()] == []


def test_the_pages_are_there() -> None:
    wanted = {"tutorial.md", "linear-graphs.md", "reference.md", "conventions.md", "derivations.md"}
    assert wanted | {"tyres.md", "manoeuvres.md"} <= set(PAGES)


PARTS = [
    TYRES, CONTACTS, SLIPS, ROLLING_RADII, NORMAL_FORCES, RIMS, BELTS, CONTACT_DYNAMICS, LEVERS,
]  # fmt: skip


@pytest.mark.parametrize("section", PARTS)
def test_the_page_on_tyres_has_every_part(section: dict[str, str]) -> None:
    """A row for each, in the order and words of the catalogue."""
    rows = re.findall(
        r"^\| `([^`]+)`(?: \(default\))? \| `(\w+)` \| (.+) \|$", text_of("tyres.md"), re.M
    )
    kinds = {name: load("part", name, section) for name in section}
    expected = [(name, kind.__name__, kind.summary) for name, kind in kinds.items()]
    found = [row for row in rows if row in expected]
    assert found == expected


def test_the_tutorial_shows_what_it_prints() -> None:
    languages = [language for language, _ in BLOCK.findall(text_of("tutorial.md"))]
    assert languages.count("python") >= 10
    assert languages.count("text") >= 10


def test_every_picture_is_shown() -> None:
    shown = {target for page in PAGES for target in LINK.findall(text_of(page))}
    pictures = {f"pictures/{path.name}" for path in (DOCS / "pictures").iterdir()}
    assert pictures <= shown
