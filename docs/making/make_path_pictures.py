"""Draws pictures of the page on drivers who follow paths."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import axletree as at
from axletree.plot.figure_files import write_figure
from axletree.plot.ground import draw_path
from axletree.runs.follow_path import FollowPath
from axletree.simulation.trajectory import Trajectory

# By the picture: a vehicle, its manoeuvre, the speed [km/h] and what is said of it.
DRIVES = {
    "lane-change-passed.png": ("sedan", "iso-3888-1", 95.0, "ISO 3888-1, a sedan at 95 km/h"),
    "lane-change-failed.png": ("sedan", "iso-3888-2", 70.0, "ISO 3888-2, a sedan at 70 km/h"),
    "lane-change-caravan.png": (
        "car-with-caravan", "iso-3888-1", 75.0, "ISO 3888-1, a sedan with a caravan at 75 km/h"
    ),
}  # fmt: skip


def make_pictures(folder: Path) -> list[Path]:
    """All pictures, written into the folder."""
    return written(folder, {name: driven(*drive[:3]) for name, drive in DRIVES.items()})


def driven(name: str, word: str, speed: float) -> tuple[FollowPath, Trajectory]:
    """A vehicle of the package through a manoeuvre, at a speed [km/h]."""
    manoeuvre = at.read_model(name).manoeuvres[word]
    assert isinstance(manoeuvre, FollowPath)
    manoeuvre = replace(manoeuvre, speed=speed / 3.6)
    system = at.read_model(name, manoeuvre.changes).formulate()
    run = system.drive(
        manoeuvre, step="2 ms", method="subdivided-rk45", record_interval="10 ms", outputs=[]
    )
    return manoeuvre, run


def written(folder: Path, drives: Mapping[str, tuple[FollowPath, Trajectory]]) -> list[Path]:
    """The pictures of drives, by the names of the pictures."""
    return [
        write_figure(draw_path(*drive, DRIVES[name][3]), folder / name)
        for name, drive in drives.items()
    ]


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "pictures"
    for path in make_pictures(target):
        print(path)
