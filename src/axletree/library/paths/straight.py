"""A straight line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from axletree.library.fields import fixed_number
from axletree.library.paths.centre_line import Column
from axletree.library.paths.contract import Path


@dataclass(frozen=True)
class StraightPath(Path):
    """Straight on along x; it goes on beyond its length.

    Example:
    >>> import axletree as at
    >>> at.StraightPath(length="200 m").line.length  # m
    200.0
    """

    summary: ClassVar[str] = "a straight line"

    length: float = fixed_number("m", "length", default=200.0, lower=0.0, above=True)

    def points(self) -> Column:
        return np.array([[0.0, 0.0], [self.length, 0.0]])
