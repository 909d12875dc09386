"""Where words of marks stand best: near what they tell of, clear of curves and of one another.

All places are in pixels of the figure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

SPACING: Final = 4.0  # pixels of a cell of the map of what words keep clear of
GRID: Final = np.array([8.0, 5.0])  # pixels between places that are tried
NEAR: Final = 7.0  # pixels between mark and words, at which they belong together
LEADER: Final = np.linspace(0.1, 1.0, 12)[None, :, None]  # places along the line to words
FEW: Final = 250  # places that cost least otherwise, whose lines to words are looked at
LEAVES: Final = 12.0  # pixels from a mark, where the line to words has left its curve
# What words are charged for; of a curve and of what a line to words crosses, by the point.
COVERED, CURVE, CROSSED, CUT, MET, FAR, ASIDE = 1e5, 30.0, 60.0, 8.0, 90.0, 1.0, 0.1


@dataclass(frozen=True)
class Place:
    """Where words may belong to, in pixels: anywhere along a line, best at its anchor."""

    anchor: np.ndarray
    low: np.ndarray
    high: np.ndarray


@dataclass(frozen=True)
class Ground:
    """What words keep clear of, in pixels."""

    frame: Any
    taken: np.ndarray  # boxes of dots and of other words
    leaders: np.ndarray  # lines to other words, by their ends
    curve: np.ndarray  # cells


def best_centre(half: np.ndarray, place: Place, ground: Ground) -> tuple[np.ndarray, float]:
    """The middle of a box within the axes that costs least, and what it costs."""
    frame, taken = ground.frame, ground.taken
    centres = _grid(np.array([frame.x0, frame.y0]) + half, np.array([frame.x1, frame.y1]) - half)
    low, high = centres - half, centres + half
    ends = np.clip(centres, place.low, place.high)
    gap = np.maximum(np.maximum(low - ends, ends - high), 0.0)
    apart = np.minimum(high[:, None], taken[:, 2:]) - np.maximum(low[:, None], taken[:, :2])
    covered = np.prod(np.maximum(apart, 0.0), axis=2).sum(axis=1)
    cost = (
        COVERED * (covered > 0.0) + covered
        + FAR * np.abs(np.linalg.norm(gap, axis=1) - NEAR)
        + CURVE * _cells_inside(ground.curve, low - frame.p0, high - frame.p0)
        + ASIDE * np.linalg.norm(ends - place.anchor, axis=1)
    )  # fmt: skip
    few = np.argsort(cost, kind="stable")[:FEW]
    cost = cost[few] + _cost_of_leaders(ends[few], centres[few], place, ground)
    least = int(np.argmin(cost))
    return np.asarray(centres[few][least]), float(cost[least])


def _cost_of_leaders(
    ends: np.ndarray, centres: np.ndarray, place: Place, ground: Ground
) -> np.ndarray:
    """Of lines from a mark to the middles of its words: what they run through."""
    leader = ends[:, None] + LEADER * (centres - ends)[:, None]
    taken, corner = ground.taken, ground.frame.p0
    own = np.all((place.anchor >= taken[:, :2]) & (place.anchor <= taken[:, 2:]), axis=1)
    others = taken[~own]
    within = (leader[:, :, None] > others[:, :2]) & (leader[:, :, None] < others[:, 2:])
    return np.asarray(
        CROSSED * np.all(within, axis=3).sum(axis=(1, 2))
        + CUT * _cut(ground.curve, leader - corner, ends - corner)
        + MET * _met(ends, centres, ground.leaders)
    )


def _met(ends: np.ndarray, centres: np.ndarray, others: np.ndarray) -> np.ndarray:
    """How many other lines each line from an end to a centre crosses."""
    a, b, c, d = ends[:, None], centres[:, None], others[None, :, :2], others[None, :, 2:]
    return np.asarray(
        ((_turn(a, b, c) * _turn(a, b, d) < 0.0) & (_turn(c, d, a) * _turn(c, d, b) < 0.0)).sum(1)
    )


def _turn(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """On which side of the line from a to b a place c is, by its sign."""
    u, v = b - a, c - a
    return np.asarray(u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0])


def _cut(curve: np.ndarray, leader: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """How many places of lines to words are on curves, away from their ends."""
    cells = np.clip(_cells(leader), 0, np.array(curve.shape) - 1)
    far = np.linalg.norm(leader - ends[:, None], axis=2) > LEAVES
    return np.asarray((curve[cells[..., 0], cells[..., 1]] * far).sum(axis=1))


def _cells_inside(curve: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """How many cells of the curve's map are in boxes: its sums from the corner tell at once."""
    sums = curve.cumsum(axis=0).cumsum(axis=1)
    a, b = (
        np.clip((corner / SPACING).astype(int), 0, np.array(curve.shape) - 1)
        for corner in (low, high)
    )
    return np.asarray(
        sums[b[:, 0], b[:, 1]] - sums[a[:, 0], b[:, 1]]
        - sums[b[:, 0], a[:, 1]] + sums[a[:, 0], a[:, 1]]
    )  # fmt: skip


def _grid(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Places between two corners; where there is no room, the one between them."""
    middle = 0.5 * (low + high)
    low, high = np.minimum(low, middle), np.maximum(high, middle)
    count = np.ceil((high - low) / GRID).astype(int) + 1
    x, y = (np.linspace(a, b, n) for a, b, n in zip(low, high, count, strict=True))
    return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)


def curve_map(frame: Any, curves: Sequence[np.ndarray]) -> np.ndarray:
    """Cells of the axes through which curves run, that are given in pixels."""
    found = np.zeros((int(frame.width / SPACING) + 2, int(frame.height / SPACING) + 2))
    for one in curves:
        points = one[np.isfinite(one).all(axis=1)]
        if len(points) > 1:
            way = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1)))
            even = np.arange(0.0, way[-1], 0.5 * SPACING)
            along = np.stack([np.interp(even, way, column) for column in points.T], axis=1)
            cells = _cells(along - frame.p0)
            cells = cells[np.all((cells > 0) & (cells < found.shape), axis=1)]
            found[cells[:, 0], cells[:, 1]] = 1.0
    return found


def _cells(pixels: np.ndarray) -> np.ndarray:
    """Of places from the lower left corner of the axes."""
    return np.asarray((pixels / SPACING).astype(int) + 1)
