"""Speeds along paths by limits of acceleration, circuits, and laps of them."""

from __future__ import annotations

import math
import runpy
from functools import cache
from pathlib import Path as File
from typing import Any

import numpy as np
import pytest
from vehicles.test_vehicle import described, written

import axletree as at
from axletree.core.errors import AxletreeError
from axletree.ground.path_driver import Pace, time_along
from axletree.ground.paths import CircuitPath
from axletree.ground.race_track import ready_track, track_of_file
from axletree.runs.follow_path import FollowPath
from axletree.runs.standard_manoeuvres import path_manoeuvres
from axletree.vehicles.assembly import assemble_vehicle
from axletree.vehicles.vehicle import Vehicle

DOCS = File(__file__).parent.parent.parent / "docs"
PACE = Pace(lateral=6.0, driving=3.0, braking=5.0, top=50.0)


# -- speeds -------------------------------------------------------------------------------------
def test_on_a_circle_the_speed_is_that_of_the_lateral_limit() -> None:
    s = np.linspace(0.0, 200.0, 401)
    speeds = PACE.speeds(s, np.full(401, -1.0 / 40.0))
    assert speeds == pytest.approx(math.sqrt(6.0 * 40.0), rel=1e-12)
    assert time_along(s, speeds)[-1] == pytest.approx(200.0 / math.sqrt(240.0), rel=1e-12)


def test_between_two_speeds_a_straight_is_driven_and_braked() -> None:
    """v^2 = 10^2 + 2 * 3 s up to where it meets 5^2 + 2 * 5 (200 - s), at s = 120.3 m."""
    s = np.linspace(0.0, 200.0, 2001)
    speeds = PACE.speeds(s, np.zeros(2001), first=10.0, last=5.0)
    expected = np.sqrt(np.minimum(100.0 + 6.0 * s, 25.0 + 10.0 * (200.0 - s)))
    assert speeds == pytest.approx(expected, rel=1e-9)
    top = math.sqrt(100.0 + 6.0 * 1925.0 / 16.0)
    taken = (top - 10.0) / 3.0 + (top - 5.0) / 5.0
    assert time_along(s, speeds)[-1] == pytest.approx(taken, rel=1e-4)


def test_in_a_curve_an_ellipse_is_left_for_braking() -> None:
    s, bend = np.linspace(0.0, 100.0, 1001), 1.0 / 100.0
    v = PACE.speeds(s, np.full(1001, bend), last=10.0)
    along, across = -np.gradient(v * v / 2.0, s), v * v * bend
    braked = (v < 0.98 * math.sqrt(600.0)) & (s < 99.0)
    assert braked.any()
    used = (along / 5.0) ** 2 + (across / 6.0) ** 2
    assert used[braked] == pytest.approx(1.0, abs=2e-2)


# -- circuits -----------------------------------------------------------------------------------
def ring(**more: Any) -> CircuitPath:
    angles = np.arange(0.0, 2.0 * math.pi, 0.1)[:62]
    angles *= 2.0 * math.pi / 6.2
    return CircuitPath(
        through=np.column_stack([50.0 * np.sin(angles), 50.0 - 50.0 * np.cos(angles)]), **more
    )


def test_a_lap_of_a_ring_is_as_long_as_a_circle() -> None:
    assert ring().finish == pytest.approx(2.0 * math.pi * 50.0, rel=1e-4)
    assert ring(laps=2).finish == pytest.approx(4.0 * math.pi * 50.0, rel=1e-4)
    assert ring().line.length > ring().finish + 55.0
    assert 1.0 / ring().line.curvature[5:-5] == pytest.approx(50.0, rel=1e-2)


def test_a_track_is_read_from_a_file(tmp_path: File) -> None:
    shipped = ready_track("lindenring")
    file = tmp_path / "own.csv"
    rows = "\n".join(", ".join(f"{value:.3f}" for value in row) for row in shipped.through)
    file.write_text(f"x, y, width  # of a lap\n{rows}\n", encoding="utf-8")
    assert track_of_file({"file": str(file)}).through == shipped.through
    assert shipped.half_width(np.array([0.0])) == pytest.approx(0.5 * shipped.through[0][2])
    closed = shipped.line.heading[np.searchsorted(shipped.line.station, shipped.finish)]
    assert closed == pytest.approx(2.0 * math.pi, abs=0.02)


def test_a_manoeuvre_finds_its_track_beside_the_model(tmp_path: File) -> None:
    rows = "\n".join(f"{x}, {y}" for x, y in ring().through)
    (tmp_path / "own.csv").write_text(rows, encoding="utf-8")
    path = {"type": "race-track", "file": "own.csv"}
    lap = {"type": "follow-path", "path": path, "speed": 10.0, "forward": "chassis.vx"}
    file = written(tmp_path, vehicle=described(), manoeuvres={"lap": lap})
    found = at.read_model(file).manoeuvres["lap"]
    assert isinstance(found, FollowPath)
    assert found.path.finish == pytest.approx(ring().finish)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "has no points"),
        ("x, y\n1, 2\n3, four\n", r"line 3: expected numbers x, y .* got '3, four'"),
        ("1, 2\n3, 4, 5\n", "line 2: expected 2 numbers, got 3"),
        ("1, 2\n3, 4\n", "expected 8 points"),
        ("\n".join(f"{k}, 0" for k in [*range(9), 8]), "points 9 and 10 are the same"),
    ],
)
def test_what_is_no_track_is_said(tmp_path: File, text: str, says: str) -> None:
    file = tmp_path / "bad.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(AxletreeError, match=says):
        track_of_file({"file": str(file)})
    with pytest.raises(AxletreeError, match="lindenring"):
        track_of_file({"track": "nowhere"})


# -- laps ---------------------------------------------------------------------------------------
@cache
def lap() -> tuple[FollowPath, at.Trajectory]:
    given = {**described(), "fidelity": "two-track"}
    race = path_manoeuvres(Vehicle(**given))["race-track"]
    assert isinstance(race, FollowPath)
    model = at.Model("car")
    assemble_vehicle(Vehicle(**given, **race.changes["vehicle"]), model)
    return race, model.formulate().drive(race, step=2e-3, record_interval=2e-2)


@pytest.mark.slow
def test_a_lap_stays_in_its_lane_and_takes_little_more_than_is_planned() -> None:
    race, run = lap()
    found = {one.name: one.value for one in race.findings(run)}
    assert found["passed"] == 1.0
    assert found["planned_time"] < found["lap_time"] < 1.15 * found["planned_time"]
    # By hand: the first record behind the finish, and corners of the car from points of the line.
    done = int(np.argmax(run["driver.station"] >= race.path.finish))
    assert found["lap_time"] == pytest.approx(run.time[done], abs=2e-2)
    line, x, y = race.path.line, run["vehicle.x"][:done:20], run["vehicle.y"][:done:20]
    fine = np.arange(0.0, line.length, 0.05)
    on = [np.interp(fine, line.station, values) for values in (line.x, line.y)]
    near = np.hypot(x[:, None] - on[0], y[:, None] - on[1]).min(axis=1)
    assert near.max() < found["maximum_path_deviation"] + 0.05
    room = 0.5 * min(row[2] for row in race.path.through)  # type: ignore[attr-defined]
    assert found["clearance"] > room - near.max() - 0.5 * race.width - 0.6
    speed = np.interp(run["driver.station"][:done], line.station,
                      race.pace.speeds(line.station, line.curvature))  # type: ignore[union-attr]  # fmt: skip
    assert (run["vehicle.forward_speed"][:done] - speed).max() < 1.0
    program = runpy.run_path(str(DOCS / "making" / "make_ride_pictures.py"))
    plan, over = program["lap_figure"]("A lap", race, run).axes
    assert np.ptp(plan.lines[2].get_xdata()) == pytest.approx(np.ptp(run["vehicle.x"][:done]))
    assert over.lines[1].get_ydata()[0] == pytest.approx(3.6 * race.speed)
