"""The page on how Axletree works names files, folders and sections that there are."""

from __future__ import annotations

import re
from pathlib import Path

from axletree import catalogue

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "how-it-works.md").read_text(encoding="utf-8")
PROSE = re.sub(r"^```.*?^```$", "", PAGE, flags=re.MULTILINE | re.DOTALL)
CODE = re.findall(r"`([^`\n]+)`", PROSE)
SOURCE = ROOT / "src" / "axletree"


def test_every_file_and_folder_of_the_page_is_there() -> None:
    """A file by the end of its path, a folder by its place in the package or in its family."""
    there = [path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*.py")]
    files = [name for name in CODE if name.endswith((".py", ".yaml"))]
    folders = [name for name in CODE if name.endswith("/")]
    there += [path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*.yaml")]
    assert len(files) > 30
    assert len(folders) > 20
    assert [name for name in files if not any(f"/{p}".endswith(f"/{name}") for p in there)] == []
    assert [name for name in folders if not any(f"/{name}" in f"/{p}" for p in there)] == []


def test_every_section_of_the_catalogue_is_in_the_file_that_the_page_says() -> None:
    """Rows end in a section and its file."""
    rows = re.findall(r"\| `([A-Z_]+)`, `catalogue\.py` \|$", PROSE, re.MULTILINE)
    assert len(rows) > 8
    assert [section for section in rows if not isinstance(vars(catalogue).get(section), dict)] == []
