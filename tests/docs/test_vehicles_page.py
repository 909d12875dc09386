"""The page on vehicles has all of the package, with sources."""

from __future__ import annotations

import re
from pathlib import Path

from axletree.catalogue import VEHICLES

PAGE = Path(__file__).parent.parent.parent / "docs" / "how-to" / "vehicles.md"


def test_every_vehicle_of_the_package_has_a_row_with_its_source() -> None:
    head, *_ = PAGE.read_text(encoding="utf-8").split("\n## ")  # other tables follow
    sources = dict(re.findall(r"^\| `([\w-]+)` \|.* \| (.+) \|$", head, re.M))
    assert sources.keys() == VEHICLES.keys()
    assert all("generic" in text or re.search(r"\d{4}", text) for text in sources.values())
