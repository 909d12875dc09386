"""Where words of marks stand best: near what they tell of, clear of curves and of one another.

All places are in pixels of the figure.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

SPACING: Final = 4.0  # pixels of a cell of the map of what words keep clear of
GRID: Final = np.array([8.0, 5.0])  # pixels between places that are tried
NEAR: Final = 7.0  # pixels between mark and words, at which they belong together
LEADER: Final = np.linspace(0.1, 1.0, 12)[None, :, None]  # places along the line to words
PASSES: Final = 3  # in which words find their places
EASY: Final = 12.0  # cost of words, below which no other order is tried
FEW: Final = 250  # places whose lines to words are looked at together
LEAVES: Final = 12.0  # pixels from a mark, where the line to words has left its curve
# What words are charged for; of a curve and of what a line to words crosses, by the point.
COVERED, CURVE, CROSSED, CUT, MET, FAR, ASIDE = 1e5, 30.0, 60.0, 8.0, 90.0, 1.0, 0.1


@dataclass(frozen=True)
class Place:
    """Where words may belong to: anywhere between two ends of a line, best at its anchor."""

    anchor: np.ndarray
    low: np.ndarray
    high: np.ndarray

    def nearest(self, places: np.ndarray) -> np.ndarray:
        """Where lines from places go to."""
        return np.asarray(np.clip(places, self.low, self.high))


@dataclass(frozen=True)
class Words:
    """What stands together; half of its width and height with lines of each length."""

    place: Place
    halves: tuple[np.ndarray, ...]
    short: float  # what shorter lines are charged for


@dataclass(frozen=True)
class Seat:
    """Where words stand, and with lines of which length."""

    lines: int
    centre: np.ndarray
    cost: float


@dataclass(frozen=True)
class Ground:
    """What words keep clear of."""

    frame: Any
    taken: np.ndarray  # boxes of dots, and of other words
    curve: np.ndarray  # cells
    leaders: np.ndarray = field(default_factory=lambda: np.zeros((0, 4)))  # to others, by ends


def arranged(words: Sequence[Words], ground: Ground) -> list[Seat]:
    """Seats for all: large ones first, or in other orders where that comes to less.

    After each order, those that found none but dear seats in it go first.
    """
    given = list(range(len(words)))
    large = sorted(given, key=lambda k: -float(np.prod(words[k].halves[0])))
    best, least = list[Seat](), math.inf
    for first in (large, given, given[::-1]):
        order: list[int] | None = first
        while order and least > EASY * len(words):
            seats = _in_turn(words, order, ground)
            cost = sum(seat.cost for seat in seats)
            if cost < least:
                best, least = seats, cost
            order = _dear_first(order, seats) if order is first else None
    return best


def _dear_first(order: Sequence[int], seats: Sequence[Seat]) -> list[int] | None:
    """Another order, if it is one."""
    dear = {k: -seats[k].cost for k in order if seats[k].cost >= CROSSED}
    changed = sorted(order, key=lambda k: dear.get(k, 0.0))
    return changed if changed != order else None


def _in_turn(words: Sequence[Words], order: Sequence[int], ground: Ground) -> list[Seat]:
    """Each beside those before it; then again beside all others."""
    seats, boxes, leaders = dict[int, Seat](), dict[int, Any](), dict[int, Any]()
    for k in list(order) * (PASSES if len(words) > 1 else 1):
        others = [other for other in boxes if other != k]
        taken = np.array([*ground.taken, *(boxes[other] for other in others)]).reshape(-1, 4)
        crossed = np.array([leaders[other] for other in others]).reshape(-1, 4)
        seat = _seat(words[k], replace(ground, taken=taken, leaders=crossed))
        half = words[k].halves[seat.lines]
        boxes[k] = np.array([*seat.centre - half, *seat.centre + half])
        leaders[k] = np.array([*words[k].place.nearest(seat.centre), *seat.centre])
        seats[k] = seat
    return [seats[k] for k in range(len(words))]


def _seat(words: Words, ground: Ground) -> Seat:
    """The best one; with shorter lines where that helps."""
    found = _best(words.halves[0], words.place, ground, 0)
    for k, half in enumerate(words.halves[1:], start=1):
        if found.cost > k * words.short:
            other = _best(half, words.place, ground, k)
            other = replace(other, cost=other.cost + k * words.short)
            found = min(found, other, key=lambda seat: seat.cost)
    return found


def _best(half: np.ndarray, place: Place, ground: Ground, lines: int) -> Seat:
    """That of a box within the axes which costs least."""
    frame, taken = ground.frame, ground.taken
    x, y = _grid(frame.p0 + half, frame.p1 - half)
    centres = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    low, high = centres - half, centres + half
    ends = place.nearest(centres)
    gap = np.maximum(np.maximum(low - ends, ends - high), 0.0)
    covered = (_shared(y, half[1], taken[:, 1::2]) @ _shared(x, half[0], taken[:, ::2]).T).ravel()
    cost = (
        COVERED * (covered > 0.0) + covered
        + FAR * np.abs(np.linalg.norm(gap, axis=1) - NEAR)
        + CURVE * _cells_inside(ground.curve, low - frame.p0, high - frame.p0)
        + ASIDE * np.linalg.norm(ends - place.anchor, axis=1)
    )  # fmt: skip
    order, best, least = np.argsort(cost, kind="stable"), 0, math.inf
    for few in np.split(order, range(FEW, len(order), FEW)):
        if cost[few[0]] >= least:
            break  # lines to words cost more only
        whole = cost[few] + _cost_of_leaders(half, ends[few], centres[few], ground)
        if whole.min() < least:
            best, least = int(few[np.argmin(whole)]), float(whole.min())
    return Seat(lines, np.asarray(centres[best]), least)


def _cost_of_leaders(
    half: np.ndarray, ends: np.ndarray, centres: np.ndarray, ground: Ground
) -> np.ndarray:
    """Of lines from a mark to the middles of its words, and of what these lines and words cross."""
    corner, first = ground.frame.p0, ends[:, None]
    leader = first + LEADER * (centres[:, None] - first)
    low, high = ground.taken[:, :2], ground.taken[:, 2:]
    crossed = _inside(leader, low, high) & ~_inside(first, low, high)
    start, end = ground.leaders[:, None, :2], ground.leaders[:, None, 2:]
    others = (start + LEADER * (end - start)).reshape(-1, 2)
    under = _inside(others, centres - half, centres + half).sum(axis=0)
    return np.asarray(
        CROSSED * (crossed.sum(axis=(1, 2)) + under)
        + CUT * _cut(ground.curve, leader - corner, ends - corner)
        + MET * _met(ends, centres, ground.leaders)
    )


def _inside(places: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Whether each place is in each box between corners."""
    x, y = places[..., 0, None], places[..., 1, None]
    return np.asarray((x > low[:, 0]) & (x < high[:, 0]) & (y > low[:, 1]) & (y < high[:, 1]))


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
        np.clip(cells, 0, np.array(curve.shape) - 1) for cells in (_cells(low) - 1, _cells(high))
    )
    return np.asarray(
        sums[b[:, 0], b[:, 1]] - sums[a[:, 0], b[:, 1]]
        - sums[b[:, 0], a[:, 1]] + sums[a[:, 0], a[:, 1]]
    )  # fmt: skip


def _shared(places: np.ndarray, half: float, taken: np.ndarray) -> np.ndarray:
    """Of sides about places, what lies within those of other boxes, by place and box."""
    middle = places[:, None]
    shared = np.minimum(middle + half, taken[:, 1]) - np.maximum(middle - half, taken[:, 0])
    return np.asarray(np.maximum(shared, 0.0))


def _grid(low: np.ndarray, high: np.ndarray) -> list[np.ndarray]:
    """Of places between two corners, each axis; where there is no room, the one between them."""
    middle = 0.5 * (low + high)
    low, high = np.minimum(low, middle), np.maximum(high, middle)
    count = np.ceil((high - low) / GRID).astype(int) + 1
    return [np.linspace(a, b, n) for a, b, n in zip(low, high, count, strict=True)]


def curve_map(frame: Any, curves: Sequence[np.ndarray]) -> np.ndarray:
    """Cells of the axes through which curves run, that are given in pixels."""
    found = np.zeros((int(frame.width / SPACING) + 2, int(frame.height / SPACING) + 2))
    for points in (part for one in curves for part in _unbroken(one)):
        if len(points) > 1:
            way = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1)))
            even = np.arange(0.0, way[-1], 0.5 * SPACING)
            along = np.stack([np.interp(even, way, column) for column in points.T], axis=1)
            cells = _cells(along - frame.p0)
            cells = cells[np.all((cells > 0) & (cells < found.shape), axis=1)]
            found[cells[:, 0], cells[:, 1]] = 1.0
    return found


def _unbroken(curve: np.ndarray) -> list[np.ndarray]:
    """Its parts between places that are not numbers."""
    known = np.isfinite(curve).all(axis=1)
    parts = np.split(np.arange(len(curve)), np.flatnonzero(~known))
    return [curve[part[known[part]]] for part in parts]


def _cells(pixels: np.ndarray) -> np.ndarray:
    """Of places from the lower left corner of the axes."""
    return np.asarray((pixels / SPACING).astype(int) + 1)
