"""Height maps from CSV files, arrays and images, as parts of a model file."""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from axletree.components.file_entries import located_part
from axletree.core.errors import ModelError
from axletree.core.problems import Problems
from axletree.core.yaml_document import Entry, read_document
from axletree.ground.grid_surfaces import Bicubic, SlopeRule
from axletree.ground.height_map import height_map_surface, read_heights
from axletree.ground.surfaces import SurfaceSum

HEIGHTS = np.array([[0.0, 0.1, 0.2], [0.3, 0.5, 0.4]])  # at two x and three y


def surface(path: Path, **fields: Any) -> Bicubic:
    return height_map_surface({"file": str(path), **fields})


def test_an_array(tmp_path: Path) -> None:
    np.save(tmp_path / "ground.npy", HEIGHTS)
    found = surface(tmp_path / "ground.npy", spacing="50 cm", x=1.0)
    assert np.array(found.heights) == pytest.approx(HEIGHTS)
    assert (found.length_x, found.length_y, found.x) == (0.5, 1.0, 1.0)
    assert found.slope_rule is SlopeRule.CENTRAL
    assert found.height(1.5, 0.5, found.numbers) == pytest.approx(0.5)


@pytest.mark.parametrize(
    "text",
    [
        "0, 0.1, 0.2\n0.3, 0.5, 0.4\n",
        "# heights [m]\n0;0.1;0.2\n\n0.3;0.5;0.4  # the end\n",
        "\ufeff0\t0.1\t0.2\n3e-1\t0.5\t0.4",
        "0 0.1  0.2\n0.3 0.5 0.4",
    ],
)
def test_a_csv_file(tmp_path: Path, text: str) -> None:
    (tmp_path / "ground.csv").write_text(text, encoding="utf-8")
    assert read_heights(tmp_path / "ground.csv") == pytest.approx(HEIGHTS)


def test_an_image_is_seen_from_above(tmp_path: Path) -> None:
    """Its columns run along x; its top row is at the greatest y."""
    pixels = np.array([[0, 51], [102, 153], [204, 255]], dtype=np.uint8)
    Image.fromarray(pixels).save(tmp_path / "ground.png")
    found = surface(tmp_path / "ground.png", spacing=1.0, low=-0.5, high=0.5)
    expected = np.array([[0.8, 0.4, 0.0], [1.0, 0.6, 0.2]]) - 0.5
    assert np.array(found.heights) == pytest.approx(expected)


def test_an_image_of_sixteen_bits_keeps_them(tmp_path: Path) -> None:
    pixels = np.array([[0, 1], [65534, 65535]], dtype=np.uint16)
    Image.fromarray(pixels).save(tmp_path / "ground.png")
    found = read_heights(tmp_path / "ground.png", 0.0, 65535.0)
    assert found == pytest.approx(np.array([[65534.0, 0.0], [65535.0, 1.0]]))


def test_a_coloured_image_is_taken_as_grey(tmp_path: Path) -> None:
    Image.new("RGB", (3, 2), (100, 100, 100)).save(tmp_path / "ground.png")
    found = read_heights(tmp_path / "ground.png", high=2.55)
    assert found == pytest.approx(np.ones((3, 2)))


def test_further_fields_are_those_of_the_patches(tmp_path: Path) -> None:
    np.save(tmp_path / "g.npy", HEIGHTS)
    fields = {"slope_rule": "monotone", "outside": "zero"}
    icy = {"type": "uniform", "factor": 0.1}
    found = surface(tmp_path / "g.npy", length_x=4, length_y=2, friction_map=icy, **fields)
    assert found == Bicubic(HEIGHTS, 4.0, 2.0, friction_map=icy, **fields)


@pytest.mark.parametrize(
    ("file", "fields", "message"),
    [
        ("none.npy", {}, r"none\.npy: there is no such file"),
        ("a.tif", {}, r"a\.tif: unknown kind of file; expected \.csv, \.npy"),
        ("a.npy", {"spacing": "3 s"}, "spacing: .*3 s"),
        ("a.npy", {"spacing": 0}, "spacing: 0 m is not allowed, it must be greater than 0"),
        ("a.npy", {}, "length_x is missing: give it, or the spacing"),
        ("a.npy", {"spacing": 1, "length_y": 2}, "spacing and length_y say the same"),
        ("a.npy", {"spacing": 1, "space": 2}, "unknown field 'space' in a.npy; did you mean"),
        ("a.npy", {"spacing": 1, "high": 2}, "low and high are for images"),
        ("a.npy", {"spacing": 1, "outside": "far"}, r"a\.npy: Bicubic, outside: 'far' is not one"),
        ("bad.npy", {"spacing": 1}, "bad.npy: cannot be read as an array of numbers"),
        ("objects.npy", {"spacing": 1}, "objects.npy: expected real numbers, got an array of obj"),
        ("flat.npy", {"spacing": 1}, "flat.npy: expected rows and columns, got an array of 1"),
        ("nan.npy", {"spacing": 1}, "nan.npy: Bicubic, heights: row 1: nan is not a finite"),
        ("bad.csv", {"spacing": 1}, "bad.csv, line 2: .*'x'"),
        ("ragged.csv", {"spacing": 1}, "ragged.csv, line 2: 1 numbers, but 2 before"),
        ("empty.csv", {"spacing": 1}, "empty.csv: the file has no numbers"),
        ("row.csv", {"spacing": 1}, r"row\.csv: 1 x 3 heights .* two rows and two columns"),
        ("column.csv", {"spacing": 1}, r"column\.csv: 3 x 1 heights .* two rows and two columns"),
        ("line.png", {"spacing": 1, "high": 1}, r"line\.png: 1 x 4 heights make no surface"),
        ("a.png", {"spacing": 1}, "high: the height of white is missing"),
        ("bad.png", {"spacing": 1, "high": 1}, "bad.png: this is no PNG file"),
        ("cut.png", {"spacing": 1, "high": 1}, "cut.png: cannot be read as an image"),
        ("large.png", {"spacing": 1, "high": 1}, "1000 x 300 pixels are too many"),
    ],
)
def test_mistakes(tmp_path: Path, file: str, fields: dict[str, Any], message: str) -> None:
    np.save(tmp_path / "a.npy", HEIGHTS)
    np.save(tmp_path / "flat.npy", HEIGHTS[0])
    np.save(tmp_path / "nan.npy", [[np.nan, 1.0], [1.0, 1.0]])
    np.save(tmp_path / "objects.npy", np.array([{}, 1], dtype=object), allow_pickle=True)
    for name in ("bad.npy", "bad.png", "a.tif"):
        (tmp_path / name).write_bytes(b"\x00\x01\x02")
    (tmp_path / "bad.csv").write_text("1,2\n3,x\n")
    (tmp_path / "ragged.csv").write_text("1,2\n3\n")
    (tmp_path / "empty.csv").write_text("# nothing\n")
    (tmp_path / "row.csv").write_text("1,2,3\n")
    (tmp_path / "column.csv").write_text("1\n2\n3\n")
    Image.new("L", (2, 2)).save(tmp_path / "a.png")
    (tmp_path / "cut.png").write_bytes((tmp_path / "a.png").read_bytes()[:40])
    Image.new("L", (1, 4)).save(tmp_path / "line.png")
    Image.new("L", (1000, 300)).save(tmp_path / "large.png")
    with pytest.raises(ModelError, match=message):
        surface(tmp_path / file, **fields)


def npy_header(path: Path, shape: tuple[int, ...]) -> None:
    with path.open("wb") as stream:
        heading = {"descr": "<f8", "fortran_order": False, "shape": shape}
        np.lib.format.write_array_header_1_0(stream, heading)


def png_header(path: Path, width: int, height: int) -> None:
    """A picture that would take gigabytes, in a file of a few bytes."""
    content = struct.pack(">II5B", width, height, 8, 0, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR" + content)


def test_what_would_take_all_memory_is_refused_by_its_header(tmp_path: Path) -> None:
    npy_header(tmp_path / "a.npy", (10**6, 10**6))
    png_header(tmp_path / "a.png", 10**5, 10**5)
    with pytest.raises(ModelError, match="1000000 x 1000000 heights are too many"):
        read_heights(tmp_path / "a.npy")
    with pytest.raises(ModelError, match="100000 x 100000 pixels are too many"):
        read_heights(tmp_path / "a.png", high=1.0)


@pytest.mark.parametrize("kind", ["complex128", "datetime64[s]", "U3", "object"])
def test_only_real_numbers_are_heights(tmp_path: Path, kind: str) -> None:
    np.save(tmp_path / "a.npy", np.zeros((2, 2), dtype=kind), allow_pickle=True)
    with pytest.raises(ModelError, match="expected real numbers, got an array of"):
        read_heights(tmp_path / "a.npy")


def test_a_picture_of_another_kind_is_no_png(tmp_path: Path) -> None:
    Image.new("L", (2, 2)).save(tmp_path / "a.png", format="TIFF")
    with pytest.raises(ModelError, match=r"a\.png: this is no PNG file, whatever its name says"):
        read_heights(tmp_path / "a.png", high=1.0)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("suffix", [".csv", ".npy", ".png"])
def test_a_pipe_is_not_waited_for(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    os.mkfifo(path)
    with pytest.raises(ModelError, match="this is no plain file, but a folder, a pipe or a device"):
        read_heights(path, high=1.0)


@pytest.mark.parametrize("fields", [{}, {"file": 5}])
def test_a_file_must_be_named(fields: dict[str, Any]) -> None:
    with pytest.raises(ModelError, match="file: expected the path of a height map"):
        height_map_surface(fields)


def located(text: str, folder: Path) -> Any:
    entry: Entry = read_document(text, Problems("model.yaml"))
    return located_part(entry, "SURFACES", folder).plain


def test_the_path_is_that_from_the_model_file(tmp_path: Path) -> None:
    plain = located("{type: height-map, file: maps/g.npy, spacing: 1}", tmp_path)
    assert plain["file"] == str(tmp_path / "maps" / "g.npy")


def test_a_map_within_a_sum_is_found_from_there_too(tmp_path: Path) -> None:
    np.save(tmp_path / "g.npy", HEIGHTS)
    text = """\
type: sum
surfaces:
  - {type: sine, amplitude: 0.1, wavelength: 3}
  - {type: height-map, file: g.npy, spacing: 1}
"""
    plain = located(text, tmp_path)
    plain.pop("type")
    made = SurfaceSum(**plain)
    assert np.array(made.surfaces[1].heights) == pytest.approx(HEIGHTS)  # type: ignore[attr-defined]


def test_a_path_does_not_lead_out_of_the_folder(tmp_path: Path) -> None:
    text = "{type: sum, surfaces: [{type: height-map, file: ../g.npy, spacing: 1}]}"
    with pytest.raises(ModelError, match=r"'../g.npy' is outside the folder of the model"):
        located(text, tmp_path)
