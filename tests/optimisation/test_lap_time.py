"""Tracks, and laps by the envelope of a car: rings have closed forms."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from optimisation.lap_samples import HALF, RADIUS, given_envelope, ring
from scipy.optimize import brentq

import axletree as at
from axletree.core.errors import AxletreeError, ModelError
from axletree.optimisation.lap_time.envelope import CarEnvelope, envelope_of
from axletree.optimisation.lap_time.free_line import free_line_lap
from axletree.optimisation.lap_time.line_of_least_curvature import line_of_least_curvature
from axletree.optimisation.lap_time.quasi_steady import quasi_steady_lap
from axletree.reports.lap_sections import lap_sections


@pytest.fixture(scope="module")
def envelope() -> CarEnvelope:
    return given_envelope()


def steady_speed(envelope: CarEnvelope, radius: float) -> float:
    """v^2 / r = lateral(v)."""
    limits = envelope.pace.limits
    return float(brentq(lambda v: v * v / radius - limits.at(v)[0], 1.0, 40.0))


def test_a_ring_is_driven_at_the_speed_of_its_radius(envelope: CarEnvelope) -> None:
    lap = quasi_steady_lap(envelope, ring(), "centre-line")
    expected = 2.0 * np.pi * RADIUS / steady_speed(envelope, RADIUS)
    assert lap.time == pytest.approx(expected, rel=1e-4)
    assert lap["lateral_acceleration"].max() <= envelope.pace.limits.lateral.max() * (1.0 + 1e-6)


def test_the_line_of_least_curvature_of_a_ring_is_its_outside() -> None:
    pytest.importorskip("casadi")
    line = line_of_least_curvature(ring(), car_width=2.0)
    assert line.offset == pytest.approx(-(HALF - 1.0), abs=5e-3)  # 4 m to the right
    assert line.curvature == pytest.approx(1.0 / (RADIUS + HALF - 1.0), rel=1e-4)


def test_the_quickest_line_of_a_ring_is_its_inside(envelope: CarEnvelope) -> None:
    """T = 2 pi sqrt(r / a): the shorter way is the quicker one, where grip does not change much."""
    pytest.importorskip("casadi")
    track = ring()
    lap = free_line_lap(envelope, track, quasi_steady_lap(envelope, track, "centre-line"))
    inside = RADIUS - HALF + 0.5 * envelope.width
    expected = 2.0 * np.pi * inside / steady_speed(envelope, inside)
    assert lap.time == pytest.approx(expected, rel=1e-3)
    assert lap["offset"] == pytest.approx(HALF - 0.5 * envelope.width, abs=0.05)


def test_speeds_are_those_that_brakes_and_drive_reach(envelope: CarEnvelope) -> None:
    """Every place is within the envelope, on the line of the package's own circuit."""
    lap = quasi_steady_lap(envelope, at.read_track("lindenring"), "centre-line")
    limits = envelope.pace.limits
    for v, along, across in zip(
        lap["speed"][:-1], lap["acceleration"][:-1], lap["lateral_acceleration"][:-1], strict=True
    ):
        lateral, driving, braking = limits.at(float(v))
        assert abs(across) <= lateral * 1.001
        assert -braking * 1.05 <= along <= driving * 1.05
    assert lap["speed"][0] == lap["speed"][-1]


@pytest.mark.slow
def test_a_lap_of_a_car_by_name() -> None:
    found = envelope_of(at.read_model("van"))
    assert found.top == pytest.approx(45.0, abs=1.0)
    lap = at.lap("van", "lindenring", method="centre-line")
    assert lap.time == pytest.approx(np.trapezoid(1.0 / lap["speed"], lap["station"]), rel=1e-3)


@pytest.mark.long
def test_cars_rank_alike_on_a_given_and_on_a_free_line() -> None:
    pytest.importorskip("casadi")
    cars = ("van", "sedan", "sports-car", "formula-student")
    times = {
        method: [at.lap(car, "lindenring", method=method).time for car in cars]
        for method in ("centre-line", "minimum-curvature", "free-line")
    }
    orders = {method: np.argsort(found).tolist() for method, found in times.items()}
    assert orders["centre-line"] == orders["minimum-curvature"] == orders["free-line"]
    for slow, line, free in zip(*times.values(), strict=True):
        assert free < line < slow


def test_two_laps_over_one_another(envelope: CarEnvelope) -> None:
    track = ring()
    slow = quasi_steady_lap(envelope, track, "centre-line")
    outer = np.full(len(track.station), -2.0)
    wide = quasi_steady_lap(
        envelope, track, "outside", outer, 0.0 * outer, np.full(len(outer), 1.0 / (RADIUS + 2.0))
    )
    behind = wide.behind(slow)
    assert behind[0] == 0.0
    assert behind[-1] == pytest.approx(wide.time - slow.time)
    assert sum(one.time for one in wide.sectors(4)) == pytest.approx(wide.time)
    sections = lap_sections([slow, wide], envelope)
    titles = [one.title for one in sections]
    assert titles == ["Track map", "Time difference", "Along the lap", "Accelerations"]


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def circle_text(columns: str, count: int = 40, radius: float = 80.0) -> str:
    turn = np.linspace(0.0, 2.0 * np.pi, count, endpoint=False)
    extra = {"": "", "w": ", 9.0", "rl": ", 3.0, 6.0"}[columns]
    rows = [f"{radius * np.cos(a):.4f}, {radius * np.sin(a):.4f}{extra}" for a in turn]
    return "\n".join(rows)


@pytest.mark.parametrize(
    ("columns", "head", "left", "right"),
    [("", "x, y", 5.0, 5.0), ("w", "", 4.5, 4.5),
     ("rl", "# x_m,y_m,w_tr_right_m,w_tr_left_m", 6.0, 3.0)],
)  # fmt: skip
def test_centre_lines_as_teams_have_them(
    tmp_path: Path, columns: str, head: str, left: float, right: float
) -> None:
    file = write(tmp_path / "loop.csv", f"{head}\n{circle_text(columns)}\n")
    track = at.read_track(file, smoothing=0.0)
    assert track.length == pytest.approx(2.0 * np.pi * 80.0, rel=1e-5)
    assert track.curvature == pytest.approx(1.0 / 80.0, rel=2e-3)
    assert (track.left[0], track.right[0]) == (left, right)


def test_a_log_of_gps_over_some_laps(tmp_path: Path) -> None:
    """Three laps of a circle with 0.5 m of noise: the line is within the noise of its mean."""
    random = np.random.default_rng(3)
    turn = np.linspace(0.0, 2.0 * np.pi * 3.02, 900)
    x = 150.0 * np.cos(turn) + random.normal(0.0, 0.2, 900)
    y = 150.0 * np.sin(turn) + random.normal(0.0, 0.2, 900)
    metre = 180.0 / np.pi / 6378137.0
    rows = [f"{48.0 + b * metre:.9f},{11.0 + a * metre / np.cos(np.radians(48.0)):.9f}"
            for a, b in zip(x, y, strict=True)]  # fmt: skip
    file = write(tmp_path / "log.csv", "latitude,longitude\n" + "\n".join(rows))
    track = at.read_track(file, width=8.0)
    # The meridian's radius of curvature at 48 deg is 0.4 % below the equator's.
    assert track.length == pytest.approx(2.0 * np.pi * 150.0, rel=8e-3)
    assert np.abs(track.curvature - 1.0 / 150.0).max() < 0.5 / 150.0
    assert 0.0 < track.smoothing_rms < 0.5


@pytest.mark.parametrize(
    ("change", "said"),
    [(lambda p: np.delete(p, slice(5, 16), axis=0), "gap of .* after point 5"),
     (lambda p: p[:30], "between the last point and the first.*say that the track is open"),
     (lambda p: np.vstack([p, p]), "turns by|crosses itself|the same"),
     (lambda p: np.column_stack([p[:, 0], p[:, 1] * p[:, 0] / 80.0]), "crosses itself"),
     (lambda p: 0.05 * p, "beyond the centre of a curve"),
     (lambda p: p * np.nan, "not finite"), (lambda p: p[:4], "8 points")],
)  # fmt: skip
def test_bad_tracks_are_named(change: object, said: str) -> None:
    turn = np.linspace(0.0, 2.0 * np.pi, 40, endpoint=False)
    points = change(80.0 * np.column_stack([np.cos(turn), np.sin(turn)]))  # type: ignore[operator]
    with pytest.raises(ModelError, match=said):
        at.Track.through("bad", points, 5.0, 5.0)


def test_bad_questions_are_named(tmp_path: Path) -> None:
    narrow = ring(half=0.9)
    with pytest.raises(ModelError, match=r"the track is 1\.80 m wide, and the car"):
        at.lap("van", narrow, method="centre-line")
    with pytest.raises(AxletreeError, match="no described vehicle"):
        at.lap("pendulum", narrow, method="centre-line")
    with pytest.raises(AxletreeError, match="centre-line"):
        at.lap("van", narrow, method="centre")
    with pytest.raises(AxletreeError, match="lindenring"):
        at.read_track("lindenrin")
    with pytest.raises(ModelError, match="line 3: expected numbers"):
        at.read_track(write(tmp_path / "a.csv", "x,y\n0,0\nfar,1\n"))
    with pytest.raises(ModelError, match="5 columns"):
        at.read_track(write(tmp_path / "b.csv", "0,0,1,2,3\n1,0,1,2,3\n"))
    with pytest.raises(ModelError, match="degrees are expected"):
        at.read_track(write(tmp_path / "c.csv", "lat,lon\n480000,110000\n480001,110001\n"))
