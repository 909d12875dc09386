"""A line through points that are given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from axletree.core.errors import ModelError
from axletree.library.grid import Rows, grid
from axletree.library.paths.centre_line import Column
from axletree.library.paths.contract import Path


@dataclass(frozen=True)
class CentreLinePath(Path):
    """The spline through points, such as the centre line of a road or a race track.

    It is moved and turned so that it begins at the origin along x. For several laps the points are
    given several times.

    Example:
    >>> import axletree as at
    >>> bend = at.CentreLinePath(through=((0, 0), (30, 0), (60, 0), (90, 0)))  # m
    >>> print(f"{bend.line.length:.1f} m")
    90.0 m
    """

    summary: ClassVar[str] = "a smooth line through points"

    through: Rows = grid("m", "places x, y in the order in which they are passed")

    def problems(self) -> list[str]:
        try:
            _ = self.line
        except ModelError as error:
            return list(error.problems)
        return []

    def points(self) -> Column:
        return np.array(self.through)
