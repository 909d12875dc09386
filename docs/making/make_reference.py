"""Writes the pages of docs/reference that docstrings and the catalogue give."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FunctionType

sys.path.insert(0, str(Path(__file__).parent))

from reference_contents import PAGES
from reference_environments import environments_page
from reference_fields import Place, anchor, entry, index, piece, pieces_of, table
from reference_page import Entries, Names, Page, Pieces, Python, Section
from reference_python import described

from axletree import catalogue
from axletree.components.fields import FieldKind
from axletree.core.registry import load

FOLDER = Path(__file__).parent.parent / "reference"
HEAD = """\
# {page.title}

{page.introduction}

Made by `make reference` from the docstrings and the catalogue; in Python, `{page.package}`. Numbers
of equations without an author are those of {page.author}.
"""


def reference() -> dict[str, str]:
    """The text of each page by the name of its file."""
    pages = {f"{page.name}.md": _page(page) for page in PAGES}
    return pages | {"environments.md": environments_page().rstrip() + "\n"}


def _page(page: Page) -> str:
    parts = [HEAD.format(page=page)]
    told = {kind for section in page.sections for kind in _outer_pieces(section)}
    for section in page.sections:
        held = [kind for kind in _held_pieces(section) if kind not in told]
        told |= set(held)
        parts += [f"## {section.title}\n", *_section(section, page)]
        parts += [piece(kind, _places(page)) for kind in held]
    return "\n".join(parts).rstrip() + "\n"


def _outer_pieces(section: Section) -> list[type]:
    return pieces_of(section.outermost) if isinstance(section, Pieces) else []


def _held_pieces(section: Section) -> list[type]:
    """What stands in the fields of a section's entries and has fields of its own."""
    things = section.things if isinstance(section, Entries) else {}
    kinds = [load("entry", name, things) for name in things]
    return list(dict.fromkeys(inner for kind in kinds for inner in pieces_of(kind)[1:]))


def _section(section: Section, page: Page) -> list[str]:
    place = _places(page)
    match section:
        case Entries():
            listed = [entry(name, section.things, place) for name in section.things]
            return [index(section.things), *listed]
        case Pieces():
            pieces = [piece(kind, place) for kind in _outer_pieces(section)]
            return [f"{section.introduction}\n", *pieces]
        case Names():
            rows = [(f"`{name}`", section.sentence(name)) for name in section.names]
            return [table(("name", ""), rows)]
        case Python():
            described_here = [one for other in page.sections for one in _python(other)]
            return [described(thing, described_here) for thing in section.things]


def _python(section: Section) -> tuple[type | FunctionType, ...]:
    return section.things if isinstance(section, Python) else ()


def _places(page: Page) -> Place:
    """Where a page finds what its fields hold: a section with parts, or a piece."""

    def place(kind: FieldKind) -> str:
        if kind.holds is not None:
            return f"#{anchor(kind.holds)}"
        parts = getattr(catalogue, kind.section) if kind.section else {}
        for other in PAGES:
            for section in other.sections:
                if isinstance(section, Entries) and section.things.items() <= parts.items():
                    return f"{'' if other is page else f'{other.name}.md'}#{_slug(section.title)}"
        return ""

    return place


def _slug(title: str) -> str:
    return title.lower().replace(" ", "-")


if __name__ == "__main__":
    for name, text in reference().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
        print(FOLDER / name)
