"""OpenDRIVE: the line of each kind of geometry against a closed form, lanes, links, bad files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.special import fresnel

import axletree as at
from axletree.core.errors import ModelError, ModelWarning
from axletree.ground.opendrive import read_opendrive
from axletree.ground.road_line import RoadLine

LANES = (
    '<lanes><laneSection s="0"><left><lane id="1" type="driving"><width sOffset="0" a="3.5" b="0" '
    'c="0" d="0"/></lane></left><right><lane id="-1" type="driving"><width sOffset="0" a="4.5" '
    'b="0" c="0" d="0"/></lane><lane id="-2" type="sidewalk"><width sOffset="0" a="2" b="0" c="0" '
    'd="0"/></lane></right></laneSection></lanes>'
)


def geometry(inner: str, s: float, x: float, y: float, heading: float, length: float) -> str:
    place = f's="{s!r}" x="{x!r}" y="{y!r}" hdg="{heading!r}" length="{length!r}"'
    return f"<geometry {place}>{inner}</geometry>"


def road_text(
    pieces: str, length: float, more: str = "", lanes: str = LANES, name: str = "1"
) -> str:
    return (
        f'<road id="{name}" length="{length!r}" junction="-1">{more}<planView>{pieces}</planView>'
        f"{lanes}</road>"
    )


def read(folder: Path, *roads: str, spacing: float = 2.0) -> RoadLine:
    file = folder / "road.xodr"
    file.write_text(f'<OpenDRIVE><header revMajor="1" revMinor="7"/>{"".join(roads)}</OpenDRIVE>')
    return read_opendrive(file, spacing)


def one_piece(folder: Path, inner: str, length: float, more: str = "") -> RoadLine:
    return read(folder, road_text(geometry(inner, 0.0, 3.0, -2.0, 0.4, length), length, more))


def in_the_piece(road: RoadLine) -> np.ndarray:
    """u, v of places, by the origin and heading of ``one_piece``."""
    x, y = road.points[:, 0] - 3.0, road.points[:, 1] + 2.0
    c, s = np.cos(0.4), np.sin(0.4)
    return np.array([c * x + s * y, c * y - s * x])


def test_a_spiral_is_the_integral_of_fresnel(tmp_path: Path) -> None:
    """x = a C(s / a), y = a S(s / a) with a = sqrt(pi L R), of a clothoid from straight to R."""
    length, radius = 80.0, 25.0  # 1.6 rad
    road = one_piece(tmp_path, f'<spiral curvStart="0" curvEnd="{1 / radius}"/>', length)
    s = np.linspace(0.0, length, len(road.points))
    scale = np.sqrt(np.pi * length * radius)
    sine, cosine = fresnel(s / scale)
    assert in_the_piece(road) == pytest.approx(scale * np.array([cosine, sine]), abs=1e-9)


def test_an_arc_of_two_turns_stays_on_its_circle(tmp_path: Path) -> None:
    length = 4.0 * np.pi * 15.0
    road = one_piece(tmp_path, '<arc curvature="-0.06666666666666667"/>', length)
    u, v = in_the_piece(road)
    assert np.hypot(u, v + 15.0) == pytest.approx(15.0, abs=1e-9)


def test_a_cubic_is_followed_by_its_length(tmp_path: Path) -> None:
    """v = u^2 / 50, whose length is (u sqrt(1 + w^2) + 25 asinh w) / 2 with w = u / 25."""
    length = 60.0
    road = one_piece(tmp_path, '<poly3 a="0" b="0" c="0.02" d="0"/>', length)
    u, v = in_the_piece(road)
    w = u / 25.0
    assert v == pytest.approx(0.02 * u * u, abs=1e-9)
    ways = 0.5 * (u * np.sqrt(1.0 + w * w) + 25.0 * np.arcsinh(w))
    assert ways == pytest.approx(np.linspace(0.0, length, len(u)), abs=1e-3)


@pytest.mark.parametrize("by_length", [False, True])
def test_parametric_cubics_are_those_of_bezier(tmp_path: Path, by_length: bool) -> None:
    ends = np.array([[0.0, 0.0], [20.0, 0.0], [40.0, 5.0], [60.0, 15.0]])
    matrix = np.array([[1, 0, 0, 0], [-3, 3, 0, 0], [3, -6, 3, 0], [-1, 3, -3, 1]], dtype=float)
    cubic, length = matrix @ ends, 62.0
    stretch = length ** -np.arange(4.0) if by_length else np.ones(4)
    written = " ".join(
        f'{k}{axis}="{float(cubic[j, i] * stretch[j])!r}"'
        for i, axis in enumerate("UV")
        for j, k in enumerate("abcd")
    )
    kind = "arcLength" if by_length else "normalized"
    road = one_piece(tmp_path, f'<paramPoly3 pRange="{kind}" {written}/>', length)
    p = np.linspace(0.0, 1.0, len(road.points))[:, None]
    bernstein = np.hstack([(1 - p) ** 3, 3 * p * (1 - p) ** 2, 3 * p * p * (1 - p), p**3])
    assert in_the_piece(road) == pytest.approx((bernstein @ ends).T, abs=1e-9)


def stadium(straight: float = 100.0, radius: float = 30.0) -> tuple[list[str], float]:
    half = np.pi * radius
    arc = f'<arc curvature="{1 / radius!r}"/>'
    pieces = [
        geometry("<line/>", 0.0, 0.0, 0.0, 0.0, straight),
        geometry(arc, straight, straight, 0.0, 0.0, half),
        geometry("<line/>", straight + half, straight, 2.0 * radius, np.pi, straight),
        geometry(arc, 2.0 * straight + half, 0.0, 2.0 * radius, np.pi, half),
    ]
    return pieces, 2.0 * (straight + half)


HILL = (
    '<elevationProfile><elevation s="0" a="1" b="0.02" c="0" d="0"/>'
    '<elevation s="40" a="1.8" b="0" c="0" d="0"/></elevationProfile>'
    '<lateralProfile><superelevation s="0" a="-0.1" b="0" c="0" d="0"/></lateralProfile>'
)


def test_lanes_make_the_width_and_superelevation_the_banking(tmp_path: Path) -> None:
    road = one_piece(tmp_path, "<line/>", 60.0, HILL)
    assert (road.left[0], road.right[0], road.banking[0]) == (3.5, -4.5, -0.1)
    middle = road.in_the_middle()  # half a metre to the right, which is the higher side
    assert middle.points[0, 2] == pytest.approx(1.0 + 0.5 * np.sin(0.1))
    assert middle.points[10, 2] - middle.points[0, 2] == pytest.approx(0.02 * 20.0)
    assert middle.points[-1, 2] - middle.points[0, 2] == pytest.approx(0.8)
    aside = middle.points[0, :2] - road.points[0, :2]
    assert aside == pytest.approx(0.5 * np.cos(0.1) * np.array([np.sin(0.4), -np.cos(0.4)]))


def test_a_road_whose_ends_meet_is_a_track(tmp_path: Path) -> None:
    pieces, length = stadium()
    road = read(tmp_path, road_text("".join(pieces), length))
    assert road.closed
    track = at.read_track(tmp_path / "road.xodr", smoothing=0.005)
    # Half a metre to the right of the reference line.
    assert track.length == pytest.approx(length + 2.0 * np.pi * 0.5, rel=1e-4)
    assert (track.left[0], track.right[0]) == (4.0, 4.0)
    assert track.smoothing_rms <= 0.00501
    assert track.relief is None or np.abs(track.at("height", track.station)).max() < 1e-9


def test_roads_that_follow_one_another_are_one(tmp_path: Path) -> None:
    """The second half of a stadium as a road of its own, written against the travel."""
    pieces, length = stadium()
    whole = read(tmp_path, road_text("".join(pieces), length), spacing=length / 99.99)
    half = 0.5 * length
    backwards = [
        geometry('<arc curvature="-0.03333333333333333"/>', 0.0, 0.0, 0.0, np.pi, np.pi * 30.0),
        geometry("<line/>", np.pi * 30.0, 0.0, 60.0, 0.0, 100.0),
    ]
    swapped = LANES.replace("3.5", "9").replace("4.5", "3.5").replace('"9"', '"4.5"')
    link = '<link><successor elementType="road" elementId="{}" contactPoint="{}"/></link>'
    back = '<link><predecessor elementType="road" elementId="a" contactPoint="start"/></link>'
    road = read(
        tmp_path,
        road_text("".join(pieces[:2]), half, link.format("b", "end"), name="a"),
        road_text("".join(backwards), half, back, swapped, name="b"),
        spacing=length / 99.99,
    )
    assert road.closed
    assert len(road.points) == len(whole.points)
    assert road.points == pytest.approx(whole.points, abs=1e-9)
    assert road.left == pytest.approx(whole.left)


GOOD = road_text(geometry("<line/>", 0.0, 0.0, 0.0, 0.0, 60.0), 60.0)


@pytest.mark.parametrize(
    ("roads", "said"),
    [
        ("", "no road"),
        (GOOD.replace("<line/>", "<circle/>"), "is 'circle'; expected line, arc"),
        (GOOD.replace('hdg="0.0"', ""), "hdg is missing"),
        (GOOD.replace('hdg="0.0"', 'hdg="nan"'), "hdg is 'nan'"),
        (GOOD.replace('x="0.0"', 'x="1e300"'), "x is '1e300'"),
        (GOOD.replace('length="60.0"', 'length="-1"'), "-1 m long"),
        (GOOD.replace('length="60.0" j', 'length="70" j'), "length is 70 m, and its geometry"),
        (GOOD.replace('a="3.5"', 'a="-9"'), "-4.5 m wide"),
        (GOOD.replace("driving", "grass"), "0 m wide"),
        (road_text(geometry("<line/>", 0.0, 0.0, 0.0, 0.0, 30.0)
                   + geometry("<line/>", 30.0, 31.0, 0.0, 0.0, 30.0), 60.0), "gap of 1 m"),
        (road_text(geometry("<line/>", 0.0, 0.0, 0.0, 0.0, 30.0)
                   + geometry("<line/>", 30.0, 30.0, 0.0, 0.1, 30.0), 60.0), "turns by 5.73 deg"),
        (GOOD + GOOD.replace('id="1" length', 'id="2" length'), "roads? 2 do not follow road 1"),
    ],
)  # fmt: skip
def test_bad_roads_are_named(tmp_path: Path, roads: str, said: str) -> None:
    with pytest.raises(ModelError, match=said):
        read(tmp_path, roads)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entities_are_refused(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "bomb.xodr"
    text = f'<?xml version="1.0" encoding="{encoding}"?><!DOCTYPE x [<!ENTITY a "aa">]><OpenDRIVE/>'
    file.write_bytes(text.encode(encoding))
    with pytest.raises(ModelError, match="document type"):
        read_opendrive(file)


def test_what_is_not_read_is_told(tmp_path: Path) -> None:
    shape = '<lateralProfile><shape s="0" t="0" a="0" b="0" c="0" d="0"/></lateralProfile>'
    with pytest.warns(ModelWarning, match="the shape across of its lateralProfile is not read"):
        one_piece(tmp_path, "<line/>", 60.0, shape)
