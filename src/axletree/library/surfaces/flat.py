"""Flat ground."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from axletree.library.surfaces.contract import Parameters, Surface, Value


@dataclass(frozen=True)
class Flat(Surface):
    """The xy plane of the road frame.

    Example:
    >>> import axletree as at
    >>> at.Flat().height(3.0, 1.0, {})  # m
    0.0
    """

    summary: ClassVar[str] = "the xy plane of the road frame"

    def height(self, x: Value, y: Value, p: Parameters) -> Value:
        return 0.0

    def slopes(self, x: Value, y: Value, p: Parameters) -> tuple[Value, Value]:
        return 0.0, 0.0

    @property
    def least_radius(self) -> float:
        return math.inf
