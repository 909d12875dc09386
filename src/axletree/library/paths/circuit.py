"""A race track: a line that comes back to its beginning, and the lane about it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from axletree.library.fields import fixed_number
from axletree.library.grid import Rows, grid
from axletree.library.paths.centre_line import CentreLine, Column
from axletree.library.paths.contract import Path

LEAST = 8  # points of a lap
NARROWEST = 1.0  # m


@dataclass(frozen=True)
class CircuitPath(Path):
    """The spline through points of a lap, the first of which is not given again at its end.

    It begins at the first point, along the line. Behind the last lap it goes on for a while. A
    third number of a point is the width of the lane there.

    Example:
    >>> import axletree as at
    >>> import numpy as np
    >>> turn = np.linspace(0.0, 2.0 * np.pi, 40, endpoint=False)
    >>> ring = at.CircuitPath(through=100.0 * np.transpose([np.sin(turn), 1.0 - np.cos(turn)]))  # m
    >>> print(f"{ring.finish:.1f} m")  # 2 pi * 100
    628.3 m
    """

    summary: ClassVar[str] = "laps of a race track by its centre line"

    through: Rows = grid("m", "places x, y of a lap, or x, y and the width of the lane there")
    width: float = fixed_number(
        "m", "width of the lane where points have none", default=10.0, lower=NARROWEST
    )
    laps: int = fixed_number("1", "number of laps", default=1, lower=1, whole=True)
    run_out: float = fixed_number("m", "way behind the last lap", default=60.0, lower=0.0)

    def problems(self) -> list[str]:
        if len(self.through) < LEAST or len(self.through[0]) not in (2, 3):
            return [
                f"through: expected {LEAST} points [x, y] or [x, y, width] or more, got "
                f"{len(self.through)} rows of {len(self.through[0])} numbers"
            ]
        if len(self.through[0]) == 3 and min(row[2] for row in self.through) < NARROWEST:
            return [f"through: a lane is narrower than {NARROWEST:g} m"]
        lap = np.array(self.through)[:, :2]
        same = np.flatnonzero(~np.hypot(*(lap - np.roll(lap, -1, axis=0)).T).astype(bool))
        if same.size:
            k = int(same[0]) + 1
            return [f"through: points {k} and {k % len(lap) + 1} are the same; remove one"]
        return []

    def points(self) -> Column:
        lap = np.array(self.through)[:, :2]
        steps = np.hypot(*np.diff(np.vstack([lap, lap[:1]]), axis=0).T)
        further = int(np.searchsorted(np.cumsum(steps), self.run_out)) + 2
        return np.vstack([*([lap] * self.laps), lap[: min(further, len(lap))]])

    @cached_property
    def finish(self) -> float:
        """Where the last lap ends: the foot of the normal from the first point."""
        line: CentreLine = self.line
        late = line.station > (self.laps - 0.5) / (self.laps + 0.5) * line.length
        k = int(np.flatnonzero(late)[np.argmin(np.hypot(line.x, line.y)[late])])
        along = -line.x[k] * np.cos(line.heading[k]) - line.y[k] * np.sin(line.heading[k])
        return float(line.station[k] + along)

    def half_width(self, station: Column) -> Column | None:
        if len(self.through[0]) == 2:
            return np.full(len(station), 0.5 * self.width)
        lap = np.array(self.through)
        steps = np.hypot(*np.diff(np.vstack([lap, lap[:1]])[:, :2], axis=0).T)
        places = np.concatenate([[0.0], np.cumsum(steps)])
        length = self.finish / self.laps
        widths = np.append(lap[:, 2], lap[0, 2])
        share = np.mod(station, length) / length * places[-1]
        return np.asarray(0.5 * np.interp(share, places, widths))
