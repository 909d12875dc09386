"""What vehicles cover on their way along a path, and how far cones and boundaries are from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from axletree.components.fields import parameter
from axletree.components.parts import Part
from axletree.core.arrays import FloatArray
from axletree.ground.paths import Cone, Path

FEET = 6  # steps to the foot of a normal


@dataclass(frozen=True)
class Footprint(Part):
    """The rectangle that a body covers, about the place that tells where it is."""

    summary: ClassVar[str] = "the rectangle that a body covers"

    width: float = parameter("m", "width", lower=0.0)
    ahead: float = parameter("m", "from the centre of the body's mass to the front end")
    behind: float = parameter("m", "from there to the rear end")

    def problems(self) -> list[str]:
        return [] if self.ahead + self.behind >= 0.0 else ["its front end is behind its rear end"]


@dataclass(frozen=True, eq=False)
class Swept:
    """A footprint on its way: a record for each place [m] and heading [rad]."""

    footprint: Footprint
    x: FloatArray
    y: FloatArray
    heading: FloatArray

    @property
    def corners(self) -> NDArray[np.float64]:
        """Places [m] by record, corner and axis; front left, front right, rear right, rear left."""
        box = self.footprint
        half, c, s = 0.5 * box.width, np.cos(self.heading), np.sin(self.heading)
        ends = ((box.ahead, half), (box.ahead, -half), (-box.behind, -half), (-box.behind, half))
        found = [(self.x + u * c - w * s, self.y + u * s + w * c) for u, w in ends]
        return np.moveaxis(np.array(found), 2, 0)


def least_clearance(cones: Sequence[Cone], swept: Swept) -> FloatArray:
    """Of each cone, how near [m] the side of a body came; negative where it is hit or passed on the
    wrong side, nan where the body did not pass."""
    box, cosine, sine = swept.footprint, np.cos(swept.heading), np.sin(swept.heading)
    found = np.full(len(cones), np.nan)
    for k, cone in enumerate(cones):
        dx, dy = cone.x - swept.x, cone.y - swept.y
        along, left = dx * cosine + dy * sine, dy * cosine - dx * sine
        beside = (along <= box.ahead) & (along >= -box.behind)
        if beside.any():
            found[k] = (cone.side * left[beside] - 0.5 * box.width).min()
    return found


def lane_clearance(path: Path, station: FloatArray, swept: Swept) -> FloatArray:
    """How far [m] the corner of a body is within its lane that is farthest out, at each record.

    ``station`` is beside the body that is led along the path, which may be another one.
    """
    line, found = path.line, np.full(len(station), np.inf)
    for corner in np.moveaxis(swept.corners, 1, 0):
        foot = station
        for _ in range(FEET):
            turned = np.interp(foot, line.station, line.heading)
            x, y = (
                corner[:, axis] - np.interp(foot, line.station, values)
                for axis, values in enumerate((line.x, line.y))
            )
            foot = foot + x * np.cos(turned) + y * np.sin(turned)
        room = path.half_width(foot)
        aside = np.abs(y * np.cos(turned) - x * np.sin(turned))
        if room is not None:
            found = np.minimum(found, room - aside)
    return found
