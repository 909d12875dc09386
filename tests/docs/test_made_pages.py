"""What is made by programs is what they make: the reference and the pictures."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

import axletree as at
from axletree.catalogue import (
    COMPONENTS,
    INTEGRATORS,
    MODELS,
    NORMAL_FORCES,
    ROLLING_RADII,
    SLIPS,
    TYRES,
)

DOCS = Path(__file__).parent.parent.parent / "docs"


def made_by(program: str) -> dict[str, Any]:
    return runpy.run_path(str(DOCS / "making" / program))


def test_the_reference_is_up_to_date() -> None:
    pages = made_by("make_reference.py")["reference"]()
    kept = {name: (DOCS / "reference" / name).read_text(encoding="utf-8") for name in pages}
    stale = [name for name, text in pages.items() if kept[name] != text]
    assert stale == [], "docstrings or the catalogue have changed; run `make reference`"


def test_the_reference_has_everything_that_can_be_asked_for() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in (DOCS / "reference").glob("*.md"))
    tyres = (*TYRES, *SLIPS, *ROLLING_RADII, *NORMAL_FORCES)
    wanted = (*COMPONENTS, *tyres, *INTEGRATORS, *MODELS)
    missing = [name for name in wanted if f"`{name}`" not in text]
    assert missing == []
    offered = [name for name in at.__all__ if callable(getattr(at, name))]
    assert [name for name in offered if f"\n### {name}\n" not in text] == []


PROGRAMS = {  # the pictures that each makes
    "make_pictures.py": 16,
    "make_example_pictures.py": 15,
    "make_case_study_pictures.py": 4,
    "make_analysis_pictures.py": 4,
    "make_soil_pictures.py": 2,
    "make_manoeuvre_pictures.py": 2,
    "make_tutorial_pictures.py": 5,
    "make_environment_pictures.py": 1,
    "make_live_picture.py": 1,
    "make_studio_pictures.py": 2,
    "make_rig_pictures.py": 4,
    "make_optimal_manoeuvre_pictures.py": 1,
}
# From runs that tests/references/test_off_road_truck.py makes anyway and tries the first with, and
# in small by tests/vehicles/test_vehicle_sweep.py, test_snaking.py, test_vehicle_modes.py,
# test_soft_ground.py, test_race_track.py, test_lane_change.py and
# tests/analysis/test_cornering_pictures.py. Those of one's own car and of the first drive are left
# by commands that tests/docs/test_page_commands.py runs. Those of the report are made in small by
# tests/reports/test_report_page.py.
TRIED_ELSEWHERE = {
    "make_truck_picture.py": 1,
    "make_ride_pictures.py": 2,
    "make_path_pictures.py": 3,
    "make_sweep_pictures.py": 2,
    "make_trailer_pictures.py": 1,
    "make_own_car_picture.py": 1,
    "make_first_drive_picture.py": 1,
    "make_animation_pictures.py": 3,
    "make_report_pictures.py": 2,
    "make_vehicle_pictures.py": 4,
    "make_cornering_pictures.py": 5,
    "make_soft_ground_picture.py": 1,
    "make_million_cars_picture.py": 1,
}


@pytest.mark.pages
def test_the_picture_of_many_cars_is_made_of_few(tmp_path: Path) -> None:
    (path,) = made_by("make_million_cars_picture.py")["make_pictures"](tmp_path, 256, 128)
    assert path.stat().st_size > 1000


@pytest.mark.pages
@pytest.mark.parametrize("program", PROGRAMS)
def test_the_pictures_can_be_made(program: str, tmp_path: Path) -> None:
    written = made_by(program)["make_pictures"](tmp_path)
    names = {path.name for path in written}
    assert len(names) == PROGRAMS[program]
    assert names <= {path.name for path in (DOCS / "pictures").iterdir()}
    assert all(path.stat().st_size > 1000 for path in written)


def test_no_picture_is_left_over() -> None:
    assert len(list((DOCS / "pictures").iterdir())) == sum((PROGRAMS | TRIED_ELSEWHERE).values())
