"""A slalom about cones in a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from axletree.library.fields import fixed_number
from axletree.library.paths.centre_line import Column
from axletree.library.paths.contract import Cone, Path

SPACING = 0.25  # m between points


@dataclass(frozen=True)
class SlalomPath(Path):
    """A cosine about cones on a straight line, the first of which is passed on its left.

    Example:
    >>> import axletree as at
    >>> first, second = at.SlalomPath(spacing="18 m", cone_count=5).cones()[:2]
    >>> second.x - first.x, first.side, second.side  # m; to the right of the vehicle, to the left
    (18.0, -1.0, 1.0)
    """

    summary: ClassVar[str] = "a slalom about cones in a row"

    spacing: float = fixed_number("m", "distance of the cones", default=18.0, lower=2.0)
    cone_count: int = fixed_number("1", "number of cones", default=8, lower=1, whole=True)
    swing: float = fixed_number("m", "distance of the line from each cone", default=1.3, lower=0.0)
    entry: float = fixed_number("m", "way to the first cone", default=50.0, lower=0.0)

    def points(self) -> Column:
        d, last = self.spacing, self.entry + self.spacing * (self.cone_count - 1)
        x = np.arange(0.0, last + 2.0 * d + self.entry, SPACING)
        swung = self.swing * np.cos(np.pi * (x - self.entry) / d)
        # On the way to the first cone and from the last one: from and to the middle.
        near = np.clip(np.minimum(x - self.entry + d, last + d - x) / d, 0.0, 1.0)
        side = np.where(x < self.entry, 1.0, (-1.0) ** (self.cone_count - 1))
        eased = side * self.swing * 0.5 * (1.0 - np.cos(np.pi * near))
        return np.column_stack([x, np.where(near < 1.0, eased, swung)])

    def cones(self) -> tuple[Cone, ...]:
        sides = (-1.0, 1.0)
        return tuple(
            Cone(self.entry + k * self.spacing, 0.0, sides[k % 2]) for k in range(self.cone_count)
        )

    def problems(self) -> list[str]:
        if self.entry < self.spacing:
            return [f"entry {self.entry:g} m is shorter than the spacing {self.spacing:g} m"]
        return []
