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
from axletree.library.paths.gates import Lane, Outline, widest_line

SPACING = 0.5  # m between points
AFTER = 30.0  # m after the last lane
LET_GO = 2.0  # m within the first lane, where the accelerator is released


@dataclass(frozen=True)
class LaneChangePath(Path):
    """Through three lanes, the second to the left of the others, with the widest turns that the
    lanes leave room for."""

    width: float = fixed_number("m", "width of the vehicle without mirrors", default=1.8, lower=0.5)
    ahead: float = fixed_number(
        "m", "from what is led along the path to the front end", default=2.0, lower=0.0
    )
    behind: float = fixed_number("m", "from there to the rear end", default=2.2, lower=0.0)
    rear: float = fixed_number("m", "from there to the rear axle", default=1.4, lower=0.0)
    entry: float = fixed_number("m", "way to the first lane", default=50.0, lower=0.0)
    margin: float = fixed_number(
        "m", "that the line leaves between vehicle and cones", default=0.1, lower=0.0
    )

    @abstractmethod
    def lanes(self) -> Sequence[Lane]:
        """The three lanes [m]; y = 0 is the middle of the first.

        Example:
        >>> import axletree as at
        >>> second = at.Iso38882Path(width=1.8, entry=0.0).lanes()[1]
        >>> second.begin, second.end, round(second.left - second.right, 3)
        (25.5, 36.5, 2.8)
        """

    def problems(self) -> list[str]:
        room = min(one.left - one.right for one in self.lanes()) - self.width - 2.0 * self.margin
        return [] if room >= 0.0 else [f"margin: {self.margin:g} m is more than a lane leaves"]

    def points(self) -> Column:
        lanes = self.lanes()
        x = np.arange(0.0, lanes[-1].end + AFTER, SPACING)
        outline = Outline(self.ahead, self.behind, self.width, self.rear)
        return np.column_stack([x, widest_line(x, lanes, outline, self.margin)])

    def boundaries(self) -> tuple[Column, ...]:
        return tuple(
            np.array([[one.begin, y], [one.end, y]])
            for one in self.lanes()
            for y in (one.right, one.left)
        )

    def cones(self) -> tuple[Cone, ...]:
        found = (lane(one.begin, one.end, one.right, one.left) for one in self.lanes())
        return tuple(cone for cones in found for cone in cones)


@dataclass(frozen=True)
class Iso38881Path(LaneChangePath):
    """The double lane change of ISO 3888-1.

    Lanes of 15 m, 25 m and 30 m, 30 m and 25 m apart, 1.1, 1.2 and 1.3 times the width of the
    vehicle wide and 0.25 m. The right boundary of the second is 3.5 m to the left of the others.

    Example:
    >>> import axletree as at
    >>> places = [cone.x for cone in at.Iso38881Path(width=1.8).cones()]  # m, width of the vehicle
    >>> round(max(places) - min(places), 3)  # m
    125.0
    """

    summary: ClassVar[str] = "the double lane change of ISO 3888-1"

    margin: float = fixed_number(
        "m", "that the line leaves between vehicle and cones", default=0.16, lower=0.0
    )

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
    boundary of the others. 2 m within the first lane the driver lets the pedals go.

    Example:
    >>> import axletree as at
    >>> places = [cone.x for cone in at.Iso38882Path(width=1.8).cones()]  # m, width of the vehicle
    >>> round(max(places) - min(places), 3)  # m
    61.0
    """

    summary: ClassVar[str] = "the obstacle avoidance of ISO 3888-2"

    @property
    def release(self) -> float | None:
        return self.entry + LET_GO

    def lanes(self) -> Sequence[Lane]:
        x, first = self.entry, 1.1 * self.width + 0.25
        left = 0.5 * first
        return (
            Lane(x, x + 12.0, left - first, left),
            Lane(x + 25.5, x + 36.5, left + 1.0, left + 2.0 + self.width),
            Lane(x + 49.0, x + 61.0, left - max(1.3 * self.width + 0.25, 3.0), left),
        )
