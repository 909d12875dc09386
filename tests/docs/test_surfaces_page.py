"""The page on surfaces: every part has its row, and its model files can be read."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from axletree.catalogue import FRICTION_MAPS, PART_FILES, SURFACES
from axletree.components.fields import kind_of, part
from axletree.components.file_entries import located_part
from axletree.core.problems import Problems
from axletree.core.registry import load
from axletree.core.yaml_document import read_document
from axletree.ground.surfaces import Surface

PAGE = (Path(__file__).parent.parent.parent / "docs" / "theory" / "surfaces.md").read_text(
    encoding="utf-8"
)
EXAMPLES = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.M | re.S)


@pytest.mark.parametrize("section", [SURFACES, FRICTION_MAPS])
def test_every_part_has_a_row(section: dict[str, str]) -> None:
    rows = re.findall(r"^\| `([^`]+)`(?: \(default\))? \| `(\w+)` \| (.+) \|$", PAGE, re.M)
    kinds = {name: load("part", name, section) for name in section}
    expected = [(name, kind.__name__, kind.summary) for name, kind in kinds.items()]
    assert [row for row in rows if row in expected] == expected


def test_every_kind_of_file_has_a_row() -> None:
    words = [name.removeprefix("SURFACES.") for name in PART_FILES if name.startswith("SURFACES.")]
    assert words
    assert all(f"\n| `{word}` | `Bicubic` |" in PAGE for word in words)


def checked(value: Any) -> Any:
    @dataclasses.dataclass
    class Holder:
        surface: Surface = part("SURFACES", "a surface")

    kind = kind_of(dataclasses.fields(Holder)[0])
    assert kind is not None
    return kind.check(value)


@pytest.mark.parametrize("text", EXAMPLES)
def test_the_examples_can_be_read(text: str, tmp_path: Path) -> None:
    document = read_document(text, Problems("page")).content
    entry = document.get("surface") or document["tyre"].content["surface"]
    if "opencrg" in text:
        pycrg = pytest.importorskip("pycrg")
        (tmp_path / "roads").mkdir()
        across = np.linspace(-1.0, 1.0, 5)
        pycrg.write(tmp_path / "roads" / "country.crg", np.zeros((9, 5)), 0.5, across)
    if "height-map" in text:
        (tmp_path / "maps").mkdir()
        Image.new("L", (4, 3)).save(tmp_path / "maps" / "field.png")
    surface = checked(located_part(entry, "SURFACES", tmp_path).plain)
    assert isinstance(surface, Surface)
    assert np.isfinite(surface.height(1.0, 2.0, surface.numbers))
