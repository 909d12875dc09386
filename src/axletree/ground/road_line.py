"""A road by the middle of its lanes: places, heights, banking, widths, as road files have them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from axletree.core.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class RoadLine:
    """Rows in the order of travel; of a closed one the first place is not given again at its end.

    Example:
    >>> import numpy as np
    >>> from axletree.ground.road_line import RoadLine
    >>> rows = np.array([[0.0, 0.0, 0.0], [10.0, 0.0, 0.5]])  # m
    >>> edges = np.array([3.0, 3.0]), np.array([-5.0, -5.0])  # m to the left
    >>> road = RoadLine("street", rows, np.zeros(2), *edges, closed=False).in_the_middle()
    >>> road.points[0].tolist(), float(road.left[0])  # m: 1 m to the right of where it was
    ([0.0, -1.0, 0.0], 4.0)
    """

    name: str
    points: FloatArray  # m: x, y, z
    banking: FloatArray  # rad, positive where the left side is higher
    left: FloatArray  # m to the left of the line, of the left edge
    right: FloatArray  # likewise of the right edge, which is negative to the right
    closed: bool

    @property
    def heading(self) -> FloatArray:
        """Of each place [rad]."""
        ends = self.points[:, :2]
        ahead, behind = np.roll(ends, -1, axis=0), np.roll(ends, 1, axis=0)
        if not self.closed:
            ahead[-1], behind[0] = ends[-1], ends[0]
        along = ahead - behind
        return np.asarray(np.arctan2(along[:, 1], along[:, 0]))

    def in_the_middle(self) -> RoadLine:
        """The line half-way between the edges; widths are along the banked road."""
        middle, half = 0.5 * (self.left + self.right), 0.5 * (self.left - self.right)
        heading, flat = self.heading, middle * np.cos(self.banking)
        moved = np.column_stack([
            -flat * np.sin(heading), flat * np.cos(heading), middle * np.sin(self.banking)
        ])  # fmt: skip
        return RoadLine(self.name, self.points + moved, self.banking, half, -half, self.closed)

    def reversed(self) -> RoadLine:
        """Driven the other way round."""
        back = slice(None, None, -1)
        return RoadLine(
            self.name, self.points[back], -self.banking[back], -self.right[back], -self.left[back],
            self.closed,
        )  # fmt: skip
