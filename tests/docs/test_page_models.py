"""Every YAML block of a page can be read: as a whole file, or as a part of one.

A block is a whole file where it names its `base` or has `components`, and a file of a tyre where it
says which it is `like`. Any other is tried in each place of SURROUNDINGS, in files that are
otherwise sound, and has to fit into one of them. Where the first key of a block stands there again,
each of them begins a block of its own.
"""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import numpy as np
import pytest

import axletree as at
from axletree.core.errors import AxletreeError
from axletree.wheel.tyres.tyre_file import new_tyre_file, write_tyre_file

ROOT = Path(__file__).parent.parent.parent
SURFACES = "docs/theory/surfaces.md"  # whose blocks tests/docs/test_surfaces_page.py reads
PAGES = sorted((ROOT / "docs").rglob("*.md"))
SURROUNDINGS = {  # what stands before a block, and how far it is indented there
    "base: rolling-tyre\ncomponents:": 2,
    "base: rolling-tyre\ncomponents:\n  tyre:": 4,
    "base: soil-bin\ncomponents:\n  soil:": 4,
    "base: soil-bin\ncomponents:\n  soil:\n    law:": 6,
    "base: car": 0,
    "base: sedan": 0,
    "base: sedan\nvehicle:\n  axles:\n    front:": 6,
    "base: car-with-caravan\nvehicle:": 2,
}


def blocks() -> list[tuple[str, str]]:
    """Page and text of each."""
    found = []
    for path in PAGES:
        name = path.relative_to(ROOT).as_posix()
        for text in re.findall(r"^```yaml\n(.*?)^```$", path.read_text("utf-8"), re.M | re.S):
            first = re.match(r"[\w-]+:", text)
            assert first is not None, text
            pieces = re.split(rf"^(?={first[0]})", text, flags=re.M)[1:]
            found += [(name, piece) for piece in pieces if name != SURFACES]
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With the files that pages name."""
    tmp_path = tmp_path_factory.mktemp("pages")
    (tmp_path / "soils.yaml").write_text("ploughed-field: {type: sandy-loam-lll-15}")
    around = np.linspace(0.0, 2.0 * np.pi, 12, endpoint=False)
    places = 80.0 * np.column_stack([np.cos(around), np.sin(around)])
    np.savetxt(tmp_path / "track.csv", places, delimiter=",")
    numbers = dict(at.MagicFormula62(**at.MagicFormula62.example).numbers)
    sections = {
        "MODEL": {"FITTYP": 62.0},
        "VERTICAL": {"FNOMIN": numbers.pop("FNOMIN")},
        "PARAMETER": numbers,
    }
    (tmp_path / "tyres").mkdir()
    for name in ("tyre.tir", "tyres/my.tir"):
        write_tyre_file(new_tyre_file(name, sections), tmp_path / name)
    return tmp_path


def read(text: str, folder: Path) -> None:
    (folder / "page.yaml").write_text(text)
    at.read_model(folder / "page.yaml")


def read_tyre(text: str, folder: Path) -> None:
    (folder / "tyre.yaml").write_text(text)
    read("base: rolling-tyre\ncomponents: {tyre: {like: tyre.yaml}}", folder)


@pytest.mark.parametrize(("page", "text"), blocks())
def test_a_block_can_be_read(page: str, text: str, folder: Path) -> None:
    if re.search("^(base|components):", text, re.M):
        return read(text, folder)
    if re.search("^like:", text, re.M):
        return read_tyre(text, folder)
    refused = []
    for before, indent in SURROUNDINGS.items():
        try:
            return read(f"{before}\n{textwrap.indent(text, indent * ' ')}", folder)
        except AxletreeError as error:
            refused.append(f"{before!r}: {error}")
    return pytest.fail(f"{page}: no place takes\n{text}\n" + "\n".join(refused))


def test_a_block_that_fits_nowhere_is_found(folder: Path) -> None:
    with pytest.raises(pytest.fail.Exception, match="no place takes"):
        test_a_block_can_be_read("page", "law: {type: linear, grip: 1}", folder)
