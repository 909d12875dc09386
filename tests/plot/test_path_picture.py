"""Pictures of paths: cones that are hit, what is covered, and scales that are said."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from matplotlib.collections import PolyCollection
from matplotlib.path import Path as Polygon
from numpy.typing import NDArray

import axletree as at
from axletree.ground.paths import Path
from axletree.plot.ground import draw_path
from axletree.runs.follow_path import FollowPath

SPEED = 20.0  # m/s
WIDTH, AHEAD, BEHIND = 1.8, 2.0, 2.2  # m
CARAVAN = {"width": 2.0, "ahead": 2.5, "behind": 2.4}
LAG = 6.5  # m, that it is behind


@dataclass(frozen=True)
class Told:
    """A drive that nobody simulated."""

    time: NDArray[np.float64]
    columns: dict[str, NDArray[np.float64]]

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        return self.columns[name]

    def __contains__(self, name: object) -> bool:
        return name in self.columns


def told(path: Path, offset: float = 0.0) -> Told:
    """Along a path, by an offset to the left, with a caravan that swings by the sine of time."""
    line = path.line
    s = np.arange(0.0, line.length + 10.0, 0.1)
    x, y, heading = (np.interp(s, line.station, v) for v in (line.x, line.y, line.heading))
    x, y = x - offset * np.sin(heading), y + offset * np.cos(heading)
    late = np.maximum(s - LAG, 0.0)
    columns = {
        "vehicle.x": x, "vehicle.y": y, "vehicle.heading": heading, "driver.station": s,
        "driver.offset": np.full(len(s), offset),
        "caravan.x": np.interp(late, s, x), "caravan.y": np.interp(late, s, y),
        "caravan.heading": np.interp(late, s, heading) + 0.12 * np.sin(s / 7.0),
    }  # fmt: skip
    return Told(s / SPEED, columns)


def follow(path: Path, **more: object) -> FollowPath:
    return at.FollowPath(
        path=path, speed=SPEED, width=WIDTH, ahead=AHEAD, behind=BEHIND, **more
    )  # type: ignore[arg-type]  # fmt: skip


def inside(path: Path, run: Told, name: str, box: tuple[float, float, float]) -> list[bool]:
    """Whether each cone is within one of the rectangles of a body, by polygons."""
    ahead, behind, width = box
    corners = np.array(
        [(ahead, width / 2), (ahead, -width / 2), (-behind, -width / 2), (-behind, width / 2)]
    )
    cones = np.array([(cone.x, cone.y) for cone in path.cones()])
    hit = np.zeros(len(cones), dtype=bool)
    for x, y, a in zip(*(run[f"{name}.{word}"] for word in ("x", "y", "heading")), strict=True):
        turn = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
        hit |= Polygon(corners @ turn + (x, y)).contains_points(cones)
    return hit.tolist()


def test_cones_are_checked_for_every_unit_of_a_train() -> None:
    path = at.Iso38881Path(width=2.0)
    manoeuvre, run = follow(path, towed={"caravan": CARAVAN}), told(path)
    assert {"caravan.x", "caravan.y", "caravan.heading"} <= set(manoeuvre.needed_outputs)
    found = {one.name: one.value for one in manoeuvre.findings(run)}
    by_car = inside(path, run, "vehicle", (AHEAD, BEHIND, WIDTH))
    ends = (CARAVAN["ahead"], CARAVAN["behind"], CARAVAN["width"])
    by_caravan = inside(path, run, "caravan", ends)
    assert not any(by_car)
    assert found["cones_hit"] == sum(by_caravan) > 0
    assert found["vehicle_clearance"] > 0.0 > found["caravan_clearance"] == found["clearance"]
    assert found["passed"] == 0.0
    alone = {one.name: one.value for one in follow(path).findings(run)}
    assert (alone["passed"], alone["clearance"]) == (1.0, found["vehicle_clearance"])
    assert "vehicle_clearance" not in alone


@pytest.mark.parametrize("path", [at.Iso38881Path(width=WIDTH), at.SkidPadPath()])
def test_what_left_the_lane_tells_no_clearance(path: Path) -> None:
    """10 m beside the line there is nothing of a car 1.8 m wide between cones or in the lane."""
    found = {one.name: one for one in follow(path).findings(told(path, offset=10.0))}
    assert found["clearance"].in_words == "none"
    assert found["clearance"].description.endswith(" (left the lane)")
    assert found["passed"].value == 0.0
    near = {one.name: one for one in follow(path).findings(told(path, offset=1.0))}
    assert -WIDTH < near["clearance"].value < 0.0
    assert "left" not in near["clearance"].description


def test_a_lane_change_is_drawn_with_lanes_cones_and_what_is_hit() -> None:
    path = at.Iso38882Path(width=WIDTH)
    manoeuvre, run = follow(path), told(path, offset=0.3)
    hit = np.array(inside(path, run, "vehicle", (AHEAD, BEHIND, WIDTH)))
    (axes,) = draw_path(manoeuvre, run).axes
    lines = {line.get_label(): line for line in axes.lines}
    places = np.array([(cone.x, cone.y) for cone in path.cones()])
    assert np.column_stack(lines["cones"].get_data()) == pytest.approx(places[~hit])
    marked = np.column_stack(lines["cones hit or missed"].get_data())
    assert marked == pytest.approx(places[hit])
    assert len(marked)
    assert lines["target path"].get_ydata()[-1] == pytest.approx(path.line.y[-1])
    assert len([line for line in axes.lines if len(line.get_xdata()) == 2]) == 6  # sides of lanes
    area = next(one for one in axes.collections if isinstance(one, PolyCollection))
    corners = np.vstack([polygon.vertices for polygon in area.get_paths()])
    assert corners[:, 1].max() == pytest.approx(path.line.y.max() + 0.3 + WIDTH / 2, abs=0.4)
    assert axes.get_title(loc="right") == f"y axis stretched {axes.get_aspect():g} times"
    assert "[m]" in axes.get_xlabel()


@pytest.mark.parametrize("path", [at.SkidPadPath(), at.CirclePath(radius=30.0)])
def test_what_is_as_wide_as_long_is_drawn_in_one_scale(path: Path) -> None:
    (axes,) = draw_path(follow(path), told(path)).axes
    assert axes.get_aspect() == 1.0
    assert axes.get_title(loc="right") == ""
    labels = axes.get_legend_handles_labels()[1]
    assert ("lane boundaries" in labels) == isinstance(path, at.SkidPadPath)
    assert "cones" not in labels


def test_a_skid_pad_has_the_lane_of_formula_student() -> None:
    path = at.SkidPadPath()
    found = {one.name: one.value for one in follow(path).findings(told(path, offset=0.4))}
    # In a circle to the right the front left corner is farthest out, to the left of the line.
    radius = 9.125 + 0.4 + 0.9
    assert found["clearance"] == pytest.approx(21.25 / 2 - np.hypot(radius, BEHIND), abs=0.02)
    assert found["passed"] == 0.0
