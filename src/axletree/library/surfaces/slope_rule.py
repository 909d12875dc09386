"""Slopes at the vertices of a grid of which the heights alone are known."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

import numpy as np

from axletree.core.expr import Table


class SlopeRule(enum.Enum):
    """How slopes that are not given are found."""

    LEVEL = "level"  # 0 at every vertex, as Andres 2009 has it: the ground rises in terraces
    CENTRAL = "central"  # central differences: exact for a parabola, may overshoot at a step
    MONOTONE = "monotone"  # along a grid line no height exceeds those of its vertices


def with_slopes(heights: np.ndarray, rule: SlopeRule) -> np.ndarray:
    """Heights, slopes along x and y and twists, all per cell; shape (along x, along y, 4)."""
    along, across = (_RULES[rule](heights, axis) for axis in (0, 1))
    twist = np.zeros_like(heights)
    if rule is SlopeRule.CENTRAL:
        twist = _central(along, 1)
    return np.stack([heights, along, across, twist], axis=-1)


def _level(heights: np.ndarray, axis: int) -> np.ndarray:
    return np.zeros_like(heights)


def _central(heights: np.ndarray, axis: int) -> np.ndarray:
    """One-sided at the ends, there exact for a parabola where there are three points."""
    line: Any = heights
    if heights.shape[axis] > 2:
        return np.asarray(np.gradient(line, axis=axis, edge_order=2))
    return np.asarray(np.gradient(line, axis=axis))


def _monotone(heights: np.ndarray, axis: int) -> np.ndarray:
    return np.apply_along_axis(_monotone_line, axis, heights)


def _monotone_line(line: np.ndarray) -> np.ndarray:
    rows = Table.smooth(range(len(line)), line.tolist()).coefficients[1:]
    return np.array([row[1] for row in rows])


_RULES: dict[SlopeRule, Callable[[np.ndarray, int], np.ndarray]] = {
    SlopeRule.LEVEL: _level,
    SlopeRule.CENTRAL: _central,
    SlopeRule.MONOTONE: _monotone,
}
