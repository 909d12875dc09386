"""How fast a path is driven, by limits of acceleration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from axletree.components.fields import fixed_number
from axletree.components.parts import Part
from axletree.core.arrays import FloatArray


@dataclass(frozen=True)
class Pace(Part):
    """The fastest that limits of acceleration allow, as if every place were steady.

    Lateral acceleration v^2 k is at most ``lateral``. Along the path it is at most ``driving`` and
    at least -``braking`` where it is straight, and in a curve what an ellipse leaves:
    sqrt(1 - (v^2 k / lateral)^2) of that.

    Example:
    >>> import numpy as np
    >>> from axletree.ground.pace import Pace
    >>> pace = Pace(lateral=8.0, driving=3.0, braking=9.0)  # m/s^2
    >>> pace.speeds(np.array([0.0, 1.0]), np.array([0.02, 0.02])).tolist()  # sqrt(8 / 0.02) m/s
    [20.0, 20.0]
    """

    summary: ClassVar[str] = "speeds along a path by limits of acceleration"

    lateral: float = fixed_number("m/s^2", "maximum lateral acceleration", lower=0.0, above=True)
    driving: float = fixed_number("m/s^2", "maximum acceleration", lower=0.0, above=True)
    braking: float = fixed_number("m/s^2", "maximum deceleration", lower=0.0, above=True)
    top: float = fixed_number("m/s", "maximum speed", default=60.0, lower=0.0, above=True)
    start: float = fixed_number(
        "m/s", "maximum speed at the first station; 0: what the limits allow", default=0.0,
        lower=0.0,
    )  # fmt: skip

    def speeds(
        self,
        station: FloatArray,
        curvature: FloatArray,
        first: float | None = None,
        last: float | None = None,
    ) -> FloatArray:
        """[m/s] at stations [m] of a line with curvatures [1/m]; at most ``first``, or else
        ``start``, at its beginning and ``last`` at its end. There is one pass forwards and one
        backwards.

        Example:
        >>> import numpy as np
        >>> from axletree.ground.pace import Pace
        >>> pace = Pace(lateral=8.0, driving=4.0, braking=9.0)  # m/s^2
        >>> pace.speeds(np.array([0.0, 50.0]), np.zeros(2), first=0.0).tolist()  # sqrt(2 * 4 * 50)
        [0.0, 20.0]
        """
        bend = np.abs(curvature)
        first = self.start or None if first is None else first
        squares = np.minimum(self.lateral / np.maximum(bend, 1e-9), self.top**2)
        for place, speed in ((0, first), (-1, last)):
            if speed is not None:
                squares[place] = min(squares[place], speed * speed)
        steps = np.diff(station)
        for k in range(len(steps)):
            gain = 2.0 * steps[k] * self.driving * self._left(squares[k] * bend[k])
            squares[k + 1] = min(squares[k + 1], squares[k] + gain)
        for k in reversed(range(len(steps))):
            gain = 2.0 * steps[k] * self.braking * self._left(squares[k + 1] * bend[k + 1])
            squares[k] = min(squares[k], squares[k + 1] + gain)
        return np.asarray(np.sqrt(squares))

    def _left(self, acceleration: float) -> float:
        """What a lateral acceleration leaves of the limits along the path, of 1."""
        share = acceleration / self.lateral
        return float(np.sqrt(max(1.0 - share * share, 0.0)))


def time_along(station: FloatArray, speeds: FloatArray) -> FloatArray:
    """[s] from the first station on, with even gains of speed between two stations."""
    steps = 2.0 * np.diff(station) / (speeds[1:] + speeds[:-1])
    return np.concatenate([[0.0], np.cumsum(steps)])
