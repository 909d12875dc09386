"""A rover that looks like one: an equipment box below solar panels, a mast with cameras, a dish.

It is as long, wide and high as the inertia of its body says, above wheels whose bars are the
model's own. The physics know nothing of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from axletree.reports.animation.mesh import EMPTY_MESH, axes_along, ball, bar, box, disc, lathe
from axletree.reports.animation.scene import ShownPiece

_WHEELS: Final = 6  # that a rover has at least
_HEAVIEST: Final = 1000.0  # kg, of its body
_FOIL, _CELLS, _METAL, _DARK, _WHITE = "#c9a227", "#1d3f72", "part", "tyre", "lamp"
_GRID: Final = (5, 4)  # panels along and across


@dataclass(frozen=True)
class RoverMeasures:
    """Of its body, in its axes [m]."""

    low: np.ndarray
    high: np.ndarray
    radius: float  # of its wheels
    half_width: float  # to the outsides of its wheels


def is_rover(wheels: int, mass: float) -> bool:
    """Whether a body on so many wheels, of a mass [kg], is that of a rover.

    Example:
    >>> from axletree.reports.animation.rover_shape import is_rover
    >>> is_rover(6, 120.0), is_rover(6, 9000.0), is_rover(4, 120.0)
    (True, False, False)
    """
    return wheels >= _WHEELS and mass < _HEAVIEST


def rover_shape(measures: RoverMeasures) -> list[ShownPiece]:
    """The pieces of the body.

    Example:
    >>> import numpy as np
    >>> from axletree.reports.animation.rover_shape import RoverMeasures, rover_shape
    >>> low, high = np.array([-0.6, -0.5, -0.2]), np.array([0.6, 0.5, 0.3])  # m
    >>> pieces = rover_shape(RoverMeasures(low, high, 0.3, 0.9))
    >>> float(max(piece.mesh.points[:, 2].max() for piece in pieces)) > 1.0  # the mast
    True
    """
    low, high, r = measures.low, measures.high, measures.radius
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    inner = np.array([0.88, 0.72, 1.0])
    case = box(middle - inner * half * [1.0, 1.0, 0.0], middle + inner * half)
    deck, thick = float(high[2]), 0.05 * r
    wide = max(half[1], 0.7 * measures.half_width)
    panel = box((low[0], -wide, deck + 0.04 * r), (high[0], wide, deck + 0.04 * r + thick))
    cells = EMPTY_MESH
    along, across = _GRID
    for i in range(along):
        for k in range(across):
            x = low[0] + np.array([i + 0.05, i + 0.95]) / along * (high[0] - low[0])
            y = -wide + np.array([k + 0.05, k + 0.95]) / across * 2.0 * wide
            top = deck + 0.04 * r + thick
            cells += box((x[0], y[0], top - 0.5 * thick), (x[1], y[1], top + 0.02 * r))
    foot = np.array([high[0] - 0.25 * half[0], 0.45 * half[1], deck])
    peak = foot + np.array([0.0, 0.0, 2.1 * r])
    mast = bar(foot, peak, 0.14 * r)
    head = box(peak + [-0.12 * r, -0.42 * r, 0.0], peak + [0.2 * r, 0.42 * r, 0.32 * r])
    eyes = EMPTY_MESH
    for side in (-0.26, 0.26):
        lens = disc(np.array([1.0, 0.0, 0.0]), 0.11 * r, 0.12 * r)
        eyes += lens.placed(np.eye(3), peak + [0.24 * r, side * r, 0.17 * r])
    hold = np.array([low[0] + 0.25 * half[0], -0.5 * half[1], deck])
    aim = np.array([-0.5, -0.3, 0.81]) / np.linalg.norm([-0.5, -0.3, 0.81])
    neck = hold + np.array([0.0, 0.0, 0.7 * r])
    profile = [(0.0, 0.0), (0.28 * r, 0.05 * r), (0.5 * r, 0.17 * r), (0.5 * r, 0.19 * r),
               (0.28 * r, 0.08 * r), (0.0, 0.03 * r)]  # fmt: skip
    dish = lathe(profile, 20, closed=False).placed(axes_along(aim), neck)
    stand = bar(hold, neck, 0.09 * r) + bar(neck, neck + 0.32 * r * aim, 0.04 * r)
    stand += ball(neck + 0.32 * r * aim, 0.05 * r)
    joints = np.array([[0.9 * high[0], 0.1 * r], [high[0] + 0.7 * r, 0.35 * r],
                       [high[0] + 0.85 * r, -0.5 * r]])  # fmt: skip
    shoulder, elbow, hand = (
        np.array([x, -0.4 * half[1], middle[2] + above]) for x, above in joints
    )
    arm = bar(shoulder, elbow, 0.1 * r) + bar(elbow, hand, 0.09 * r)
    return [
        ShownPiece(case, _FOIL), ShownPiece(panel, _METAL), ShownPiece(cells, _CELLS),
        ShownPiece(mast + stand + arm, _METAL), ShownPiece(head + dish, _WHITE),
        ShownPiece(eyes, _DARK),
    ]  # fmt: skip
