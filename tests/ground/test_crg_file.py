"""OpenCRG files: what their reader says at places, on a grid; and what cannot be read."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from axletree.core.errors import ModelError, ModelWarning
from axletree.ground.grid_surfaces import Bicubic
from axletree.ground.opencrg import crg_surface

STEP, SIDES = 0.5, (-1.0, 0.0, 0.5, 2.0)  # distances along, places across [m]
HEIGHTS = np.round(np.random.default_rng(6).uniform(-0.05, 0.05, (9, 4)), 4)


def write_straight(path: Path, start: tuple[float, float] = (0.0, 0.0)) -> Path:
    """A straight road, as text, written here by hand."""
    length = STEP * (len(HEIGHTS) - 1)
    head = [
        "$CT", "a straight road of a test", "$", "$ROAD_CRG",
        "reference_line_start_u = 0.0", f"reference_line_end_u = {length}",
        f"reference_line_increment = {STEP}",
        f"reference_line_start_x = {start[0]}", f"reference_line_start_y = {start[1]}",
        f"reference_line_end_x = {start[0] + length}", f"reference_line_end_y = {start[1]}",
        "reference_line_start_phi = 0.0", "reference_line_end_phi = 0.0",
        "$", "$ROAD_CRG_MODS", "$", "$KD_DEFINITION", "#:LRFI",
        f"U:reference line u,m,0.0,{STEP}",
        *(f"D:long section at v = {v},m" for v in SIDES), "$",
        "$" * 72,
    ]  # fmt: skip
    rows = ["".join(f"{z:10.4f}" for z in row) for row in HEIGHTS]
    path.write_text("\n".join([*head, *rows]) + "\n")
    return path


def surface(path: Path, **fields: Any) -> Bicubic:
    pytest.importorskip("pycrg")
    return crg_surface({"file": str(path), **fields})


def test_a_straight_road_has_the_heights_of_the_file(tmp_path: Path) -> None:
    found = surface(write_straight(tmp_path / "road.crg", (10.0, -3.0)))
    assert (found.x, found.y) == pytest.approx((10.0, -4.0))
    assert (found.length_x, found.length_y) == pytest.approx((4.0, 3.0))
    assert np.shape(found.heights) == (9, 7)  # across as close as the closest of the file
    for j, v in enumerate(SIDES):
        z = found.height(10.0 + STEP * np.arange(9), -3.0 + v, found.numbers)
        assert z == pytest.approx(HEIGHTS[:, j], abs=1e-7)


def test_the_road_may_be_moved_and_be_given_friction(tmp_path: Path) -> None:
    path = write_straight(tmp_path / "road.crg")
    icy = {"type": "uniform", "factor": 0.2}
    moved = surface(path, x=100.0, y="2 m", friction_map=icy)
    assert (moved.x, moved.y) == pytest.approx((100.0, 1.0))
    assert moved.friction(101.0, 2.0, moved.numbers) == 0.2
    there, here = surface(path), moved
    assert here.height(101.3, 2.2, here.numbers) == pytest.approx(
        there.height(1.3, 0.2, there.numbers)
    )


def test_a_curved_road_is_laid_on_a_rectangle(tmp_path: Path) -> None:
    """Against the reader's own heights at places of the road."""
    pycrg = pytest.importorskip("pycrg")
    u, v = np.arange(0.0, 40.01, 0.25), np.linspace(-2.0, 2.0, 17)
    z = 0.05 * np.sin(0.5 * u[:, None]) * np.cos(0.6 * v[None, :])
    phi = np.cumsum(np.full(len(u) - 1, 0.25 / 20.0))  # a radius of 20 m
    path = tmp_path / "curve.crg"
    pycrg.write(path, z, 0.25, v, phi, banking=np.full(len(u), 0.05), fmt="KRBI")
    found = surface(path, spacing=0.2)
    generator = np.random.default_rng(1)
    along, aside = generator.uniform(1.0, 39.0, 500), generator.uniform(-1.7, 1.7, 500)
    with pycrg.RoadSurface.open(path) as road:
        x, y = road.uv_to_xy_many(along, aside)
        expected = road.uv_to_z_many(along, aside)
    assert np.ptp(expected) > 0.1
    assert found.height(x, y, found.numbers) == pytest.approx(expected, abs=3e-4)


def test_lines_of_the_header_that_are_ignored_are_told(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = write_straight(tmp_path / "road.crg")
    expected = surface(path)
    bad = "".join(f"\nno_such_entry_{k} = 3" for k in range(4))
    text = path.read_text()
    path.write_text(
        text.replace("reference_line_end_phi = 0.0", f"reference_line_end_phi = 0.0{bad}")
    )
    with pytest.warns(ModelWarning, match=r"road\.crg: .*line 14: .*no_such_entry_0") as caught:
        found = surface(path)
    (warning,) = caught
    assert "no_such_entry_2" in str(warning.message)
    assert "; and 1 more" in str(warning.message)
    assert found == expected
    assert capfd.readouterr().err == ""


def test_without_the_reader_the_message_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pycrg", None)
    with pytest.raises(ModelError, match=r"needs the package pycrg; .*'axletree\[crg\]'"):
        crg_surface({"file": str(write_straight(tmp_path / "road.crg"))})


@pytest.mark.parametrize(
    ("file", "fields", "message"),
    [
        ("none.crg", {}, "none.crg: there is no such file"),
        ("bad.crg", {}, "bad.crg: cannot be read as OpenCRG"),
        ("road.crg", {"spacing": -1}, "spacing: -1 m is not allowed"),
        ("road.crg", {"spacing": "1 s"}, "spacing: .*1 s"),
        ("road.crg", {"spacing": 1e-3}, r"are too many, .* give a spacing of 0\.0069 m or more"),
        ("road.crg", {"x": "1 s"}, "x: .*1 s"),
        ("road.crg", {"spaces": 1}, "unknown field 'spaces' in road.crg; did you mean"),
        ("road.crg", {"heights": [[1]]}, "unknown field 'heights'"),
    ],
)
def test_mistakes(tmp_path: Path, file: str, fields: dict[str, Any], message: str) -> None:
    write_straight(tmp_path / "road.crg")
    (tmp_path / "bad.crg").write_text("$CT\nno road\n$\n")
    with pytest.raises(ModelError, match=message):
        surface(tmp_path / file, **fields)


def changed(path: Path, old: str, new: str) -> Path:
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))
    return path


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("end_phi = 0.0", "end_phi = zero", r"line 13: reference_line_end_phi = 'zero': expected"),
        ("end_u = 4.0", "end_u = 1,5  ! m", r"line 6: reference_line_end_u = '1,5': expected a"),
        ("start_x = 0.0", "start_x = nan", r"line 8: reference_line_start_x = 'nan'"),
        ("increment = 0.5", "increment = -0.5", r"line 7: .*'-0.5': expected a positive number"),
        ("increment = 0.5", "increment =", r"line 7: reference_line_increment = '': expected"),
        ("_MODS\n", "_MODS\nscale_z_grid = 2x\n", r"line 16: scale_z_grid = '2x': expected a num"),
        ("#:LRFI", "#:TEXT", r"line 18: '#:TEXT' is no format of data; expected #:LRFI"),
        ("u,m,0.0,0.5", "u,m,0.0,half", r"line 19: .*'half' is no number"),
        ("v = 0.5,m", "v = ,m", r"line 22: .*'' is no number"),
        ("v = 0.5,m", "v = 0.5,ft", r"line 22: cannot be read as OpenCRG: .*unit"),
    ],
)
def test_a_value_of_the_header_that_is_none_is_told_with_its_line(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    """The reader takes most of these for 0 and says nothing."""
    path = changed(write_straight(tmp_path / "road.crg"), old, new)
    with pytest.raises(ModelError, match=rf"road\.crg, {message}"):
        surface(path)


def test_all_bad_values_are_told_at_once_and_comments_are_none(tmp_path: Path) -> None:
    path = changed(write_straight(tmp_path / "road.crg"), "end_x = 4.0", "end_x = a")
    changed(path, "end_y = 0.0", "end_y = b")
    changed(path, "start_phi = 0.0", "start_phi = 0.0 ! = c\n* increment = d")
    changed(path, "a straight road", "width = wide, a straight road")
    with pytest.raises(ModelError) as raised:
        surface(path)
    assert [text.partition("road.crg, ")[2] for text in raised.value.problems] == [
        "line 10: reference_line_end_x = 'a': expected a number",
        "line 11: reference_line_end_y = 'b': expected a number",
    ]


def test_an_end_that_the_data_do_not_reach_is_told_with_its_line(tmp_path: Path) -> None:
    path = changed(write_straight(tmp_path / "road.crg"), "end_u = 4.0", "end_u = 40.0")
    with pytest.warns(ModelWarning, match=r"road\.crg, line 6: .* is 40, but 9 rows .* end at 4;"):
        assert surface(path).length_x == pytest.approx(4.0)
    changed(path, "end_u = 40.0", "end_u = 4.0")
    changed(path, "end_x = 4.0", "end_x = 7.0")
    with pytest.warns(ModelWarning, match=r"error at end: \(reference_line_end_x in line 10"):
        assert surface(path).length_x == pytest.approx(4.0)
