"""Double lane changes of ISO 3888: passed at plausible speeds, failed at implausible ones."""

from __future__ import annotations

import runpy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import axletree as at
from axletree.core.errors import ModelError
from axletree.ground.lane_changes import Lane, Outline, widest_line

DOCS = Path(__file__).parent.parent.parent / "docs"


@pytest.mark.parametrize(
    ("word", "passes", "fails"),
    [
        pytest.param("iso-3888-1", 90.0, 140.0, marks=pytest.mark.long),
        pytest.param("iso-3888-2", 55.0, 75.0, marks=pytest.mark.slow),
    ],
)
def test_a_sedan_passes_and_fails(word: str, passes: float, fails: float, tmp_path: Path) -> None:
    plain = {"vehicle": {"fidelity": "two-track"}}
    manoeuvre: Any = at.read_model("sedan", plain).manoeuvres[word]
    changes = {"vehicle": {**plain["vehicle"], **manoeuvre.changes["vehicle"]}}
    system = at.read_model("sedan", changes).formulate()
    told = []
    for speed in (passes, fails):
        once = replace(manoeuvre, speed=speed / 3.6)
        run = system.drive(once, step=2e-3, method="subdivided-rk45", outputs=[])
        told.append({found.name: found.value for found in once.findings(run)})
    assert (told[0]["passed"], told[0]["cones_hit"]) == (1.0, 0.0)
    assert told[1]["passed"] == 0.0
    least = np.nanmin(once.cone_clearance(once.swept(run))["vehicle"])  # also of what left its lane
    assert least < -0.3  # clearly
    assert told[1]["cones_hit"] > 0
    write = runpy.run_path(str(DOCS / "making" / "make_path_pictures.py"))["written"]
    (picture,) = write(tmp_path, {"lane-change-failed.png": (once, run)})
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_the_widest_line_through_one_shift_is_made_of_parabolas() -> None:
    """Between lanes without length a shift d over a way L takes 4 d / L^2, if rates cost nothing;
    with them a little more."""
    x = np.arange(0.0, 100.5, 0.5)
    point = Outline(ahead=0.0, behind=0.0, width=0.0, rear=0.0)
    lanes = (Lane(0.0, 30.0, 0.0, 0.0), Lane(70.0, 100.0, 2.0, 2.0))
    y = widest_line(x, lanes, point, 0.0)
    bend = np.diff(y, 2) / 0.25
    least = 4.0 * 2.0 / 40.0**2
    assert least <= np.abs(bend).max() < 1.5 * least
    assert y[[0, 60, 140, -1]] == pytest.approx([0.0, 0.0, 2.0, 2.0], abs=1e-9)


def test_the_outline_stays_within_the_lanes() -> None:
    path = at.Iso38882Path(width=1.8)
    line = path.line
    for lane in path.lanes():
        for along in (2.0, -2.2):
            for across in (0.9, -0.9):
                c, s = np.cos(line.heading), np.sin(line.heading)
                x, y = line.x + along * c - across * s, line.y + along * s + across * c
                beside = (x > lane.begin) & (x < lane.end)
                assert (y[beside] < lane.left).all()
                assert (y[beside] > lane.right).all()


def test_too_wide_a_vehicle_is_said() -> None:
    with pytest.raises(ModelError, match="margin: 0.3 m is more than a lane leaves"):
        at.Iso38882Path(margin=0.3)
    narrow = (Lane(0.0, 5.0, -1.0, 1.0), Lane(6.0, 9.0, 8.0, 10.0))
    with pytest.raises(ModelError, match="no line leads a vehicle 1.8 m wide"):
        widest_line(np.arange(0.0, 12.0, 0.5), narrow, Outline(2.0, 2.0, 1.8, 1.4), 0.05)
