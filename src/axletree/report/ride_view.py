"""From where a drive is seen, without perspective."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

NOTHING = 5e-3  # of 1, the part of an axis that is not seen


@dataclass(frozen=True)
class View:
    """At azimuth 0 x goes to the right; at elevation 0 a drive is seen from the side, at 90 degrees
    from above. Both are in rad.

    Example:
    >>> from axletree.report.ride_view import View
    >>> View().labels  # from the side
    ('x', 'z')
    """

    azimuth: float = 0.0  # [rad], about z
    elevation: float = 0.0  # [rad], of the eye above the horizon

    def project(self, points: np.ndarray) -> np.ndarray:
        """To the right and up on the paper [m]; the last axis of points is x, y, z [m].

        Example:
        >>> import math
        >>> import numpy as np
        >>> from axletree.report.ride_view import View
        >>> above = View(elevation=math.radians(90.0))
        >>> above.project(np.array([3.0, 2.0, 1.0])).round(6).tolist()  # m
        [3.0, 2.0]
        """
        right = np.array([math.cos(self.azimuth), math.sin(self.azimuth), 0.0])
        depth = np.array([-right[1], right[0], 0.0])
        up = depth * math.sin(self.elevation) + np.array([0.0, 0.0, math.cos(self.elevation)])
        return np.stack([points @ right, points @ up], axis=-1)

    @property
    def labels(self) -> tuple[str, str] | None:
        """The axes of the ground that go right and up on the paper, such as x and z, y and -x;
        None where the view is oblique, so that no axis is one of the paper.
        """
        right, up = (_axis(parts) for parts in self.project(np.eye(3)).T)
        return (right, up) if right and up else None


def _axis(parts: np.ndarray) -> str:
    """The name of a direction by its parts along x, y and z; empty if it is along none of them."""
    seen = np.flatnonzero(np.abs(parts) >= NOTHING)
    if len(seen) != 1:
        return ""
    return ("-" if parts[seen[0]] < 0.0 else "") + "xyz"[seen[0]]
