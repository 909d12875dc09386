"""Files of soils, and the messages about what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from axletree.core.errors import ModelError
from axletree.wheel.soils.soil import Soil, listed_soil
from axletree.wheel.soils.soil_file import read_soils
from axletree.wheel.soils.wong_reece import WongReece

TEXT = """\
ploughed-field: {type: sandy-loam-lll-15, cohesion: 1.2 kPa, friction_angle: 27 deg}
test-track:
  type: bekker
  cohesive_modulus: 1e3
  frictional_modulus: 2 MPa
  sinkage_exponent: 0.9
  cohesion: 800
  friction_angle: 0.5
beach: dry-sand-lll
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "soils.yaml"
    path.write_text(TEXT)
    return path


def test_soils_by_name(file: Path) -> None:
    soils = read_soils(file)
    expected = listed_soil(
        "sandy-loam-lll-15", cohesion=1200.0, friction_angle=float(np.radians(27.0))
    )
    assert soils["ploughed-field"] == expected
    assert soils["test-track"] == Soil(1e3, 2e6, 0.9, 800.0, 0.5)
    assert soils["beach"] == listed_soil("dry-sand-lll")


def test_a_part_takes_its_soil_from_a_file(file: Path) -> None:
    spec = {"type": "soil-file", "file": str(file), "soil": "test-track"}
    assert WongReece(spec).soil == read_soils(file)["test-track"]
    assert WongReece(spec | {"cohesion": "2 kPa"}).soil.cohesion == 2000.0


def test_all_mistakes_of_a_file_are_told_with_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "soils.yaml"
    path.write_text(
        "a: {type: dry-sand-lll, cohesion: -1 kPa}\n"
        "b: {type: bekker}\n"
        "c: {type: dry-sand}\n"
        "d: {type: dry-sand-lll, colour: 2}\n"
        "e: {type: soil-file, file: other.yaml}\n"
    )
    with pytest.raises(ModelError) as caught:
        read_soils(path)
    text = str(caught.value)
    for line, words in (
        (1, "a: DrySandLll, cohesion: -1000 Pa is not allowed, it must be at least 0"),
        (2, "b: bekker needs 'cohesive_modulus'"),
        (3, "c: unknown part 'dry-sand'"),
        (4, "d: dry-sand-lll has no 'colour'"),
        (5, "e: type: 'soil-file' leads to a further file"),
    ):
        assert f"line {line}, {words}" in text


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"soil": "beach"}, "file: expected the path of a file of soils"),
        ({"file": "FILE", "soil": "beech"}, "unknown soil 'beech'.*did you mean 'beach'"),
        ({"file": "FILE"}, "expected the name of a soil of .*, got None"),
        ({"file": "FILE", "soil": "beach", "colour": 1}, "unknown field 'colour' in a soil"),
        ({"file": "none.yaml", "soil": "beach"}, "none.yaml: there is no such file"),
    ],
)
def test_mistakes_of_a_part(file: Path, fields: dict[str, str], words: str) -> None:
    given = {key: str(file) if value == "FILE" else value for key, value in fields.items()}
    with pytest.raises(ModelError, match=words):
        WongReece({"type": "soil-file", **given})


@pytest.mark.parametrize("text", ["- 1\n", "5\n", "", "a: [1, 2]\n", "a: {type: [1]}\n"])
def test_no_soils(tmp_path: Path, text: str) -> None:
    path = tmp_path / "soils.yaml"
    path.write_text(text)
    with pytest.raises(ModelError, match="soils.yaml"):
        read_soils(path)
