"""Whether wheels that begin on the slippery side of a road stay there."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from axletree.analysis.metrics.vehicle_signals import HEADING, Y, reaches
from axletree.library.fields import fixed_number
from axletree.library.grid import Rows, grid
from axletree.model.manoeuvres.findings import Columns

LEAVES = " (leaves the low side)"


def low_side_wheels() -> Any:
    """A field with the places of the wheels."""
    return grid(
        "m", "places x, y of wheels on the slippery side: ahead of the centre of mass, and left",
        default=None,
    )  # fmt: skip


def edge_of_low_side() -> Any:
    """A field for the line that ends the slippery side, along the x axis of the ground."""
    return fixed_number("m", "y of the line at which that side ends", default=0.0)


def low_side_problems(wheels: Rows | None) -> list[str]:
    """What is wrong with the places, in words."""
    if not wheels or len(wheels[0]) == 2:
        return []
    return [f"low_side: expected rows x, y, got rows of {len(wheels[0])} numbers"]


def leaves_low_side(run: Columns, wheels: Rows | None, edge: float) -> float:
    """The first time [s] at which one of the wheels is beyond the line; nan if none ever is."""
    cosine, sine = np.cos(run[HEADING]), np.sin(run[HEADING])
    times = []
    for ahead, left in wheels or ():
        y = run[Y] + ahead * sine + left * cosine - edge
        times.append(reaches(run.time, -y * math.copysign(1.0, y[0]), 0.0))
    return min((time for time in times if not math.isnan(time)), default=math.nan)
