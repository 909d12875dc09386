"""The page on soils: every law has its row."""

from __future__ import annotations

import re
from pathlib import Path

from axletree.catalogue import SOIL_LAWS
from axletree.core.registry import load

PAGE = Path(__file__).parent.parent.parent / "docs" / "theory" / "soils.md"


def test_it_has_every_law() -> None:
    """A row for each, in the order and words of the catalogue."""
    rows = re.findall(r"^\| `([^`]+)` \| `(\w+)` \| (.+) \|$", PAGE.read_text("utf-8"), re.M)
    kinds = {name: load("law", name, SOIL_LAWS) for name in SOIL_LAWS}
    assert rows == [(name, kind.__name__, kind.summary) for name, kind in kinds.items()]
