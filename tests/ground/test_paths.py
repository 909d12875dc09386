"""Lines that drivers follow: places, headings and curvatures, lanes of standards, and cones."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import axletree as at
from axletree.catalogue import PATHS
from axletree.core.registry import load
from axletree.ground.paths import Cone, Footprint, Path, Swept, least_clearance

SAMPLES: dict[str, dict[str, Any]] = {
    "circle": {"radius": 30.0},
    "circuit": {
        "through": [[60 * math.cos(a), 40 * math.sin(a)] for a in np.arange(0.0, 6.25, 0.125)]
    },
    "centre-line": {"through": [[5.0, 5.0], [5.0, 25.0], [15.0, 45.0], [15.0, 65.0]]},
}
RADIUS = 30.0  # m


def path(word: str) -> Path:
    made: Path = load("path", word, PATHS)(**SAMPLES.get(word, {}))
    return made


@pytest.mark.parametrize("word", PATHS)
def test_place_heading_and_curvature_of_a_line_belong_together(word: str) -> None:
    line = path(word).line
    assert (line.x[0], line.y[0], line.heading[0]) == pytest.approx((0.0, 0.0, 0.0), abs=1e-9)
    arc = line.station[1]
    chords = np.hypot(np.diff(line.x), np.diff(line.y))
    assert chords == pytest.approx(arc, abs=2e-4)
    directions = np.unwrap(np.arctan2(np.diff(line.y), np.diff(line.x)))
    between = 0.5 * (line.heading[1:] + line.heading[:-1])
    of_means = np.abs(np.diff(line.curvature)).max() * arc / 12.0  # by Taylor's series
    assert directions == pytest.approx(between, abs=of_means + 5e-4)
    turned = np.cumsum(0.5 * (line.curvature[1:] + line.curvature[:-1]) * arc)
    assert turned == pytest.approx(line.heading[1:], abs=2e-2)


def test_a_circle_has_one_centre() -> None:
    path = at.CirclePath(radius=-RADIUS, laps=2.0)
    line = path.line
    on = line.station > 41.0
    assert np.ptp((line.x + RADIUS * np.sin(line.heading))[on]) < 5e-3
    assert np.ptp((line.y - RADIUS * np.cos(line.heading))[on]) < 5e-3
    assert path.finish == pytest.approx(40.0 + 4.0 * math.pi * RADIUS)
    assert line.length == pytest.approx(path.finish + 60.0, rel=1e-4)


def test_lanes_are_those_of_the_standards() -> None:
    """By hand for a width of 2 m: lanes of 2.45, 2.65 and 2.85 m; 2.45, 3 and 3 m."""
    first, second, third = at.Iso38881Path(width=2.0, entry=0.0).lanes()
    assert [one.left - one.right for one in (first, second, third)] == pytest.approx(
        [2.45, 2.65, 2.85]
    )
    assert second.right - first.right == pytest.approx(3.5)
    assert [second.begin, second.end, third.begin, third.end] == [45.0, 70.0, 95.0, 125.0]
    first, second, third = at.Iso38882Path(width=2.0, entry=0.0).lanes()
    assert [one.left - one.right for one in (first, second, third)] == pytest.approx(
        [2.45, 3.0, 3.0]
    )
    assert [second.right - first.left, third.left - first.left] == pytest.approx([1.0, 0.0])
    assert [second.begin, second.end, third.begin, third.end] == [25.5, 36.5, 49.0, 61.0]


def test_a_cone_is_as_near_as_the_side_of_the_car() -> None:
    x = np.linspace(0.0, 20.0, 201)
    still = np.zeros_like(x)
    cones = (Cone(10.0, 1.5, 1.0), Cone(10.0, -1.0, -1.0), Cone(10.0, 0.5, -1.0), Cone(30.0, 0, 1))
    box = Footprint(width=1.8, ahead=2.0, behind=2.0)
    near = least_clearance(cones, Swept(box, x, still, still))
    assert near[:3] == pytest.approx([0.6, 0.1, -1.4])
    assert math.isnan(near[3])  # was not reached
    # A car that slides along x at an angle reaches further out: at its front corner.
    slides = least_clearance(cones[:1], Swept(box, x, still, still + 0.1))
    beside = 1.5 - 2.0 * math.sin(0.1)  # of the cone from the axis, along y, where the front is
    assert slides[0] == pytest.approx(beside / math.cos(0.1) - 0.9 + 0.02 * math.tan(0.1), abs=0.02)


def test_what_makes_no_line_is_said() -> None:
    with pytest.raises(at.AxletreeError, match="points 1 and 2 of the line are the same"):
        at.CentreLinePath(through=[[0.0, 0.0], [0.0, 0.0], [1.0, 0.0]])
    with pytest.raises(at.AxletreeError, match=r"expected two points \[x, y\] or more"):
        at.CentreLinePath(through=[[0.0, 0.0, 1.0], [1.0, 0.0, 1.0]])
    with pytest.raises(at.AxletreeError, match="entry 5 m is shorter than the spacing 18 m"):
        at.SlalomPath(entry=5.0)
    with pytest.raises(at.AxletreeError, match="radius must not be zero"):
        at.CirclePath(radius=0.0)
