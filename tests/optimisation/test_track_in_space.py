"""Tracks with heights and banking: curvatures of ribbons, and the files that they come from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import axletree as at
from axletree.core.errors import ModelError

RADIUS, COUNT = 100.0, 120
TURN = np.linspace(0.0, 2.0 * np.pi, COUNT, endpoint=False)
CIRCLE = RADIUS * np.column_stack([np.cos(TURN), np.sin(TURN)])


def through(points: np.ndarray, **more: object) -> at.Track:
    settings = {"left": 4.0, "right": 4.0, "smoothing": 0.0, **more}
    return at.Track.through("track", points, **settings)  # type: ignore[arg-type]


def test_a_helix_has_its_curvature_and_torsion() -> None:
    """R / (R^2 + h^2) and h / (R^2 + h^2), with a rise of 2 pi h in a turn."""
    rise = 8.0
    turn = np.linspace(0.0, 1.8 * np.pi, COUNT)
    points = np.column_stack([RADIUS * np.cos(turn), RADIUS * np.sin(turn), rise * turn])
    track = through(points, closed=False)
    inside = slice(20, -20)
    square = RADIUS**2 + rise**2
    assert track.length == pytest.approx(1.8 * np.pi * np.sqrt(square), rel=1e-5)
    assert track.curvature[inside] == pytest.approx(RADIUS / square, rel=1e-4)
    assert track.relief is not None
    assert track.relief.twist[inside] == pytest.approx(rise / square, rel=1e-4)
    assert track.relief.vertical_curvature[inside] == pytest.approx(0.0, abs=1e-6)


def test_a_ring_on_an_inclined_plane_is_a_ring() -> None:
    """Banking and slope that turn with the heading are those of a plane, which has no curvature."""
    tilt = 0.15
    points = np.column_stack(
        [CIRCLE[:, 0] * np.cos(tilt), CIRCLE[:, 1], CIRCLE[:, 0] * np.sin(tilt)]
    )
    normal = np.array([-np.sin(tilt), 0.0, np.cos(tilt)])
    ahead = np.roll(points, -1, axis=0) - np.roll(points, 1, axis=0)
    ahead /= np.linalg.norm(ahead, axis=1)[:, None]
    left = np.cross(normal, ahead)
    slope = np.arcsin(ahead[:, 2])
    banking = np.arcsin(left[:, 2] / np.cos(slope))
    track = through(points, banking=banking)
    assert track.length == pytest.approx(2.0 * np.pi * RADIUS, rel=1e-5)
    assert track.curvature == pytest.approx(1.0 / RADIUS, rel=2e-3)
    assert track.relief is not None
    assert track.relief.twist == pytest.approx(0.0, abs=2e-5)
    assert track.relief.vertical_curvature == pytest.approx(0.0, abs=2e-5)
    x, y = track.places(track.station, np.full(len(track.station), 3.0))
    z = track.heights(track.station, np.full(len(track.station), 3.0))
    assert np.column_stack([x, y, z]) @ normal == pytest.approx(0.0, abs=2e-3)


def frames(track: at.Track) -> np.ndarray:
    """Axes along, across and normal by station, from heading, slope and banking."""
    relief = track.relief
    assert relief is not None
    found = []
    for psi, theta, phi in zip(track.heading, relief.slope, relief.banking, strict=True):
        about_z = np.array(
            [[np.cos(psi), -np.sin(psi), 0], [np.sin(psi), np.cos(psi), 0], [0, 0, 1]]
        )
        about_y = np.array(
            [[np.cos(theta), 0, -np.sin(theta)], [0, 1, 0], [np.sin(theta), 0, np.cos(theta)]]
        )
        about_x = np.array(
            [[1, 0, 0], [0, np.cos(phi), -np.sin(phi)], [0, np.sin(phi), np.cos(phi)]]
        )
        found.append(about_z @ about_y @ about_x)
    return np.array(found)


def test_curvatures_are_those_by_which_the_axes_turn() -> None:
    """R^T R' by differences, of a lap with hills, dips and banking that changes."""
    points = np.column_stack([1.5 * CIRCLE[:, 0], CIRCLE[:, 1], 6.0 * np.sin(2.0 * TURN)])
    track = through(points, banking=0.2 * np.cos(3.0 * TURN), spacing=0.5)
    axes, step = frames(track), track.station[1]
    slopes = (axes[2:] - axes[:-2]) / (2.0 * step)
    turning = np.swapaxes(axes[1:-1], 1, 2) @ slopes
    assert track.relief is not None
    for found, (i, j), sign in (
        (track.relief.twist, (2, 1), 1.0),
        (track.relief.vertical_curvature, (0, 2), -1.0),
        (track.curvature, (1, 0), 1.0),
    ):
        assert found[1:-1] == pytest.approx(sign * turning[:, i, j], abs=2e-6)
    along = np.diff(np.column_stack([track.x, track.y, track.relief.height]), axis=0) / step
    assert np.sum(along * axes[:-1, :, 0], axis=1) == pytest.approx(1.0, abs=1e-5)


def test_a_track_may_cross_itself_by_a_bridge() -> None:
    eight = 100.0 * np.column_stack([np.cos(TURN), np.sin(2.0 * TURN)])
    for height, is_bridge in ((3.0, True), (1.0, False)):
        points = np.column_stack([eight, height * np.sin(TURN)])  # 2 height apart at the crossing
        if is_bridge:
            assert through(points).relief is not None
        else:
            with pytest.raises(ModelError, match="crosses itself.*if there is a bridge"):
                through(points)


@pytest.mark.parametrize(
    ("points", "more", "said"),
    [
        (CIRCLE, {"banking": 5.0}, r"banking of point 1 is 5 rad.*are these degrees"),
        (
            np.column_stack([CIRCLE, 1000.0 * np.sin(TURN)]),
            {},
            "steeper than 60 deg; heights are in",
        ),
    ],
)
def test_units_of_heights_and_angles(points: np.ndarray, more: dict[str, float], said: str) -> None:
    with pytest.raises(ModelError, match=said):
        through(points, **more)


def rows(*columns: np.ndarray) -> str:
    return "\n".join(",".join(f"{value:.9f}" for value in row) for row in np.column_stack(columns))


@pytest.mark.parametrize(
    ("title", "factor"),
    [("banking_deg", 180.0 / np.pi), ("banking [rad]", 1.0), ("banking_percent", 100.0)],
)
def test_columns_of_heights_and_banking(tmp_path: Path, title: str, factor: float) -> None:
    file = tmp_path / "hill.csv"
    bank = np.full(COUNT, np.tan(0.05) if "percent" in title else 0.05)
    text = rows(CIRCLE[:, 0], CIRCLE[:, 1], 2.0 * np.cos(TURN), np.full(COUNT, 9.0), factor * bank)
    file.write_text(f"x_m,y_m,z_m,width,{title}\n{text}\n", encoding="utf-8")
    track = at.read_track(file)
    assert track.relief is not None
    assert track.relief.banking == pytest.approx(0.05, abs=1e-6)
    expected = 2.0 * np.cos(track.station / track.length * 2.0 * np.pi)
    assert track.relief.height == pytest.approx(expected, abs=0.1)
    assert 0.0 <= track.relief.smoothing_rms <= 0.05 * 1.01
    assert track.left == pytest.approx(4.5)


def test_banking_without_a_unit_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "hill.csv"
    file.write_text("x,y,banking\n" + rows(CIRCLE, 0.0 * TURN), encoding="utf-8")
    with pytest.raises(ModelError, match="'banking' has no unit; call it banking_deg"):
        at.read_track(file)


def test_altitudes_of_a_log(tmp_path: Path) -> None:
    """Two laps over a hill of 5 m with 0.5 m of noise in the altitude."""
    turn = np.linspace(0.0, 2.0 * np.pi * 2.02, 700)
    random = np.random.default_rng(5)
    metre = 180.0 / np.pi / 6378137.0
    latitude = 10.0 + 200.0 * np.sin(turn) * metre
    longitude = 20.0 + 200.0 * np.cos(turn) * metre / np.cos(np.radians(10.0))
    altitude = 300.0 + 5.0 * np.sin(turn) + random.normal(0.0, 0.5, 700)
    file = tmp_path / "log.csv"
    file.write_text("lat,lon,altitude\n" + rows(latitude, longitude, altitude), encoding="utf-8")
    track = at.read_track(file, width=8.0)
    assert track.relief is not None
    expected = 300.0 + 5.0 * np.sin(track.station / track.length * 2.0 * np.pi)
    assert np.sqrt(np.mean((track.relief.height - expected) ** 2)) < 0.5
    assert 0.0 < track.relief.smoothing_rms < 0.5


def test_the_middle_of_a_crg_road(tmp_path: Path) -> None:
    """A curve of 40 m that climbs by 3 % and is banked by 5 %, with a grain of 2 cm."""
    pycrg = pytest.importorskip("pycrg")
    u, v = np.arange(0.0, 100.01, 0.25), np.linspace(-4.0, 4.0, 17)
    grain = 0.02 * np.sin(7.0 * u[:, None]) * np.cos(2.0 * v[None, :])
    z = 0.03 * u[:, None] + 0.05 * v[None, :] + grain
    phi = np.cumsum(np.full(len(u) - 1, 0.25 / 40.0))
    pycrg.write(tmp_path / "curve.crg", z, 0.25, v, phi, fmt="KRBI")
    track = at.read_track(tmp_path / "curve.crg")
    assert not track.closed
    assert track.relief is not None
    inside = slice(5, -5)
    assert track.relief.slope[inside] == pytest.approx(np.arctan(0.03), abs=2e-3)
    assert track.relief.banking[inside] == pytest.approx(np.arctan(0.05), abs=2e-3)
    assert 1.0 / track.at("curvature", np.array([50.0]))[0] == pytest.approx(40.0, rel=0.03)
    assert track.left == pytest.approx(4.0)
