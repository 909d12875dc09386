"""Double lane changes between cones."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from axletree.library.fields import fixed_number
from axletree.library.paths.centre_line import Column
from axletree.library.paths.contract import Cone, Path, lane

SPACING = 0.25  # m between points
AFTER = 30.0  # m of straight line after the last lane


@dataclass(frozen=True)
class Lane:
    """A lane along x, between two boundaries y [m]."""

    begin: float
    end: float
    right: float
    left: float


@dataclass(frozen=True)
class LaneChangePath(Path):
    """Through three lanes, the second to the left of the others.

    From one lane to the next the line follows s^3 (10 - 15 s + 6 s^2) with s from 0 to 1. It begins
    and ends ``within`` the lanes: room beside the vehicle is used for a wider turn.
    """

    width: float = fixed_number("m", "width of the vehicle without mirrors", default=1.8, lower=0.5)
    entry: float = fixed_number("m", "way to the first lane", default=50.0, lower=0.0)
    within: float = fixed_number(
        "m", "way within a lane on which the line turns", default=5.0, lower=0.0, upper=5.0
    )

    @abstractmethod
    def lanes(self) -> Sequence[Lane]:
        """The three lanes; y = 0 is the middle of the first."""

    def points(self) -> Column:
        first, second, third = self.lanes()
        sides = [0.5 * (one.left + one.right) for one in (first, second, third)]
        x = np.arange(0.0, third.end + AFTER, SPACING)
        y = np.zeros_like(x)
        for k, (before, after) in enumerate([(first, second), (second, third)]):
            begin, end = before.end - self.within, after.begin + self.within
            s = np.clip((x - begin) / (end - begin), 0.0, 1.0)
            y += (sides[k + 1] - sides[k]) * s**3 * (10.0 + s * (6.0 * s - 15.0))
        return np.column_stack([x, y])

    def cones(self) -> tuple[Cone, ...]:
        found = (lane(one.begin, one.end, one.right, one.left) for one in self.lanes())
        return tuple(cone for cones in found for cone in cones)


@dataclass(frozen=True)
class Iso38881Path(LaneChangePath):
    """The double lane change of ISO 3888-1.

    Lanes of 15 m, 25 m and 30 m, 30 m and 25 m apart, 1.1, 1.2 and 1.3 times the width of the
    vehicle wide and 0.25 m. The right boundary of the second is 3.5 m to the left of the others.
    """

    summary: ClassVar[str] = "the double lane change of ISO 3888-1"

    def lanes(self) -> Sequence[Lane]:
        x, widths = self.entry, [share * self.width + 0.25 for share in (1.1, 1.2, 1.3)]
        right = -0.5 * widths[0]
        return (
            Lane(x, x + 15.0, right, right + widths[0]),
            Lane(x + 45.0, x + 70.0, right + 3.5, right + 3.5 + widths[1]),
            Lane(x + 95.0, x + 125.0, right, right + widths[2]),
        )


@dataclass(frozen=True)
class Iso38882Path(LaneChangePath):
    """The obstacle avoidance of ISO 3888-2.

    Lanes of 12 m, 11 m and 12 m, 13.5 m and 12.5 m apart. The first is 1.1 times the width of the
    vehicle wide and 0.25 m, the second that width and 1 m, the third 1.3 times that width and
    0.25 m, but 3 m at least. The right boundary of the second is 1 m to the left of the left
    boundary of the others.
    """

    summary: ClassVar[str] = "the obstacle avoidance of ISO 3888-2"

    within: float = fixed_number(
        "m", "way within a lane on which the line turns", default=3.0, lower=0.0, upper=5.0
    )

    def lanes(self) -> Sequence[Lane]:
        x, first = self.entry, 1.1 * self.width + 0.25
        left = 0.5 * first
        return (
            Lane(x, x + 12.0, left - first, left),
            Lane(x + 25.5, x + 36.5, left + 1.0, left + 2.0 + self.width),
            Lane(x + 49.0, x + 61.0, left - max(1.3 * self.width + 0.25, 3.0), left),
        )
