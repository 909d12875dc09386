"""Marks of findings in a panel, with their labels where neither curves nor other labels are.

``draw_marks`` draws. ``arrange_labels`` finds where labels stand best: near what they tell of,
clear of curves and of one another. All places are in pixels of the figure.
"""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from axletree.metrics.findings import Mark, MarkKind
from axletree.plot.style import GREY, INK, PAPER, SMALL

BRACKETED_UNIT: Final = re.compile(r"\[(.*?)\]")  # in the label of an axis
WRAPPED: Final = (30, 20)  # letters of a line: as long as this, or shorter where that fits better
_ROOM: Final = (0.04, 0.2)  # of the width and height of the axes, beyond the curves
SHORT: Final = 30.0  # what shorter lines are charged for, by what is said in them
DOT: Final = 5.0  # pixels, from the middle of a dot to where words may stand


def draw_marks(axes: Any, title: str, marks: Sequence[Mark]) -> None:
    """Lines, dots and arrows first; then words, one after another where there is room."""
    known = [mark for mark in marks if mark.is_known]
    if not known:
        return
    axes.margins(*_ROOM)
    lines = list(axes.get_lines())
    for mark in known:
        _draw(axes, mark)
    axes.autoscale_view()
    said: dict[tuple[float, float], list[Mark]] = {}  # what is read at one place stands together
    for mark in known:
        said.setdefault(_anchor(mark), []).append(mark)
    dots = [axes.transData.transform((m.x, m.y)) for m in known if m.kind is MarkKind.POINT]
    drawn = [_line(axes, mark) for mark in known if mark.kind is not MarkKind.POINT]
    curves = (axes.transData.transform(line.get_xydata()) for line in lines)
    curve = curve_map(axes.get_window_extent(), [*curves, *drawn])
    units = BRACKETED_UNIT.findall(f"{axes.get_xlabel()} {axes.get_ylabel()}")
    texts = [_label_of(axes, [m.words(title, units) for m in marks]) for marks in said.values()]
    words = [
        Label(_target_of(axes, anchor, marks), tuple(wrapped.values()), SHORT * len(marks))
        for (anchor, marks), (_, wrapped) in zip(said.items(), texts, strict=True)
    ]
    taken = np.array([[*dot - DOT, *dot + DOT] for dot in dots]).reshape(-1, 4)
    seats = arrange_labels(words, Obstacles(axes.get_window_extent(), taken, curve))
    for (text, wrapped), one, seat in zip(texts, words, seats, strict=True):
        text.set_text(list(wrapped)[seat.lines])
        _move(text, seat.centre, one.place.nearest(seat.centre))


def _target_of(axes: Any, anchor: tuple[float, float], marks: Sequence[Mark]) -> LabelTarget:
    """Anywhere along a line; of dots, and of what differs, where they are."""
    there = np.asarray(axes.transData.transform(anchor))
    if any(mark.kind is not marks[0].kind for mark in marks) or marks[0].kind is MarkKind.POINT:
        return LabelTarget(there, there, there)
    line = _line(axes, marks[0])
    return LabelTarget(there, line.min(axis=0), line.max(axis=0))


def _line(axes: Any, mark: Mark) -> np.ndarray:
    """The ends of what is drawn, in pixels."""
    frame = axes.get_window_extent()
    ends = np.asarray(axes.transData.transform([(mark.x, mark.y)] * 2))
    if mark.kind is MarkKind.LEVEL:
        ends[:, 0] = frame.x0, frame.x1
    elif mark.kind is MarkKind.MOMENT:
        ends[:, 1] = frame.y0, frame.y1
    elif mark.kind is MarkKind.SPAN:
        ends[0] = axes.transData.transform((mark.start, mark.y))
    return ends


def _draw(axes: Any, mark: Mark) -> None:
    thin = {"color": INK, "linewidth": 0.8, "linestyle": (0, (4, 3)), "zorder": 3}
    if mark.kind is MarkKind.LEVEL:
        axes.axhline(mark.y, **thin)
    elif mark.kind is MarkKind.MOMENT:
        axes.axvline(mark.x, **thin)
    elif mark.kind is MarkKind.SPAN:
        arrow = {"arrowstyle": "<|-|>,head_width=0.18,head_length=0.4", "color": INK,
                 "linewidth": 1.0, "shrinkA": 0, "shrinkB": 0}  # fmt: skip
        axes.annotate("", (mark.x, mark.y), (mark.start, mark.y), arrowprops=arrow)
        axes.plot([mark.start, mark.x], [mark.y, mark.y], linestyle="none", marker="none")
    else:
        axes.plot(mark.x, mark.y, "o", color=PAPER, markeredgecolor=INK, markeredgewidth=1.4,
                  markersize=5.5, zorder=4)  # fmt: skip


def _anchor(mark: Mark) -> tuple[float, float]:
    if mark.kind is MarkKind.SPAN:
        return 0.5 * (mark.start + mark.x), mark.y
    return mark.x, mark.y


def _label_of(axes: Any, said: Sequence[str]) -> tuple[Any, dict[str, np.ndarray]]:
    """A text without a place, and half of its size [pixels] with lines of each length."""
    text = axes.annotate(
        "", (0.0, 0.0), xycoords="figure pixels", fontsize=SMALL, color=INK,
        ha="center", va="center", textcoords="figure pixels", xytext=(0.0, 0.0), zorder=6,
        arrowprops={"arrowstyle": "-", "color": GREY, "linewidth": 0.7, "shrinkA": 0, "shrinkB": 3},
        bbox={"boxstyle": "square,pad=0.1", "facecolor": PAPER, "edgecolor": "none", "alpha": 0.8},
    )  # fmt: skip
    wrapped: dict[str, np.ndarray] = {}
    for longest in WRAPPED:
        lines = "\n".join(line for one in said for line in textwrap.wrap(one, longest))
        if lines not in wrapped:
            text.set_text(lines)
            size = text.get_window_extent(axes.figure.canvas.get_renderer())
            wrapped[lines] = 0.5 * np.array([size.width, size.height]) + 2.0
    return text, wrapped


def _move(text: Any, centre: np.ndarray, end: np.ndarray) -> None:
    """In inches from the corner, so that it stays there at any resolution."""
    dots = text.figure.dpi
    text.xyann, text.anncoords = tuple(72.0 * centre / dots), "figure points"
    text.xy, text.xycoords = tuple(72.0 * end / dots), "figure points"


_SPACING: Final = 4.0  # pixels of a cell of the map of what words keep clear of
GRID: Final = np.array([8.0, 5.0])  # pixels between places that are tried
_NEAR: Final = 7.0  # pixels between mark and words, at which they belong together
LEADER: Final = np.linspace(0.1, 1.0, 12)[None, :, None]  # places along the line to words
_PASSES: Final = 3  # in which words find their places
EASY: Final = 12.0  # cost of words, below which no other order is tried
FEW_POSITIONS: Final = 250  # places whose lines to words are looked at together
_LEAVES: Final = 12.0  # pixels from a mark, where the line to words has left its curve
# What words are charged for; of a curve and of what a line to words crosses, by the point.
COVERED, CURVE, CROSSED, CUT, _MET, DISTANCE, _ASIDE = 1e5, 30.0, 60.0, 8.0, 90.0, 1.0, 0.1


@dataclass(frozen=True)
class LabelTarget:
    """Where words may belong to: anywhere between two ends of a line, best at its anchor."""

    anchor: np.ndarray
    low: np.ndarray
    high: np.ndarray

    def nearest(self, places: np.ndarray) -> np.ndarray:
        """Where lines from places go to."""
        return np.asarray(np.clip(places, self.low, self.high))


@dataclass(frozen=True)
class Label:
    """What stands together; half of its width and height with lines of each length."""

    place: LabelTarget
    halves: tuple[np.ndarray, ...]
    short: float  # what shorter lines are charged for


@dataclass(frozen=True)
class Position:
    """Where words stand, and with lines of which length."""

    lines: int
    centre: np.ndarray
    cost: float


@dataclass(frozen=True)
class Obstacles:
    """What words keep clear of."""

    frame: Any
    taken: np.ndarray  # boxes of dots, and of other words
    curve: np.ndarray  # cells
    leaders: np.ndarray = field(default_factory=lambda: np.zeros((0, 4)))  # to others, by ends


def arrange_labels(words: Sequence[Label], ground: Obstacles) -> list[Position]:
    """Seats for all: large ones first, or in other orders where that comes to less.

    After each order, those that found none but dear seats in it go first.
    """
    given = list(range(len(words)))
    large = sorted(given, key=lambda k: -float(np.prod(words[k].halves[0])))
    best, least = list[Position](), math.inf
    for first in (large, given, given[::-1]):
        order: list[int] | None = first
        while order and least > EASY * len(words):
            seats = _in_turn(words, order, ground)
            cost = sum(seat.cost for seat in seats)
            if cost < least:
                best, least = seats, cost
            order = _costly_first(order, seats) if order is first else None
    return best


def _costly_first(order: Sequence[int], seats: Sequence[Position]) -> list[int] | None:
    """Another order, if it is one."""
    dear = {k: -seats[k].cost for k in order if seats[k].cost >= CROSSED}
    changed = sorted(order, key=lambda k: dear.get(k, 0.0))
    return changed if changed != order else None


def _in_turn(words: Sequence[Label], order: Sequence[int], ground: Obstacles) -> list[Position]:
    """Each beside those before it; then again beside all others."""
    seats, boxes, leaders = dict[int, Position](), dict[int, Any](), dict[int, Any]()
    for k in list(order) * (_PASSES if len(words) > 1 else 1):
        others = [other for other in boxes if other != k]
        taken = np.array([*ground.taken, *(boxes[other] for other in others)]).reshape(-1, 4)
        crossed = np.array([leaders[other] for other in others]).reshape(-1, 4)
        seat = _best_position(words[k], replace(ground, taken=taken, leaders=crossed))
        half = words[k].halves[seat.lines]
        boxes[k] = np.array([*seat.centre - half, *seat.centre + half])
        leaders[k] = np.array([*words[k].place.nearest(seat.centre), *seat.centre])
        seats[k] = seat
    return [seats[k] for k in range(len(words))]


def _best_position(words: Label, ground: Obstacles) -> Position:
    """The best one; with shorter lines where that helps."""
    found = _cheapest(words.halves[0], words.place, ground, 0)
    for k, half in enumerate(words.halves[1:], start=1):
        if found.cost > k * words.short:
            other = _cheapest(half, words.place, ground, k)
            other = replace(other, cost=other.cost + k * words.short)
            found = min(found, other, key=lambda seat: seat.cost)
    return found


def _cheapest(half: np.ndarray, place: LabelTarget, ground: Obstacles, lines: int) -> Position:
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
        + DISTANCE * np.abs(np.linalg.norm(gap, axis=1) - _NEAR)
        + CURVE * _cells_inside(ground.curve, low - frame.p0, high - frame.p0)
        + _ASIDE * np.linalg.norm(ends - place.anchor, axis=1)
    )  # fmt: skip
    order, best, least = np.argsort(cost, kind="stable"), 0, math.inf
    for few in np.split(order, range(FEW_POSITIONS, len(order), FEW_POSITIONS)):
        if cost[few[0]] >= least:
            break  # lines to words cost more only
        whole = cost[few] + _cost_of_leaders(half, ends[few], centres[few], ground)
        if whole.min() < least:
            best, least = int(few[np.argmin(whole)]), float(whole.min())
    return Position(lines, np.asarray(centres[best]), least)


def _cost_of_leaders(
    half: np.ndarray, ends: np.ndarray, centres: np.ndarray, ground: Obstacles
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
        + _MET * _met(ends, centres, ground.leaders)
    )


def _inside(places: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Whether each place is in each box between corners."""
    x, y = places[..., 0, None], places[..., 1, None]
    return np.asarray((x > low[:, 0]) & (x < high[:, 0]) & (y > low[:, 1]) & (y < high[:, 1]))


def _met(ends: np.ndarray, centres: np.ndarray, others: np.ndarray) -> np.ndarray:
    """How many other lines each line from an end to a centre crosses."""
    a, b, c, d = ends[:, None], centres[:, None], others[None, :, :2], others[None, :, 2:]
    apart = side_of_line(a, b, c) * side_of_line(a, b, d) < 0.0
    across = side_of_line(c, d, a) * side_of_line(c, d, b) < 0.0
    return np.asarray((apart & across).sum(1))


def side_of_line(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """On which side of the line from a to b a place c is, by its sign."""
    u, v = b - a, c - a
    return np.asarray(u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0])


def _cut(curve: np.ndarray, leader: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """How many places of lines to words are on curves, away from their ends."""
    cells = np.clip(_cells(leader), 0, np.array(curve.shape) - 1)
    far = np.linalg.norm(leader - ends[:, None], axis=2) > _LEAVES
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
    found = np.zeros((int(frame.width / _SPACING) + 2, int(frame.height / _SPACING) + 2))
    for points in (part for one in curves for part in _unbroken(one)):
        if len(points) > 1:
            way = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1)))
            even = np.arange(0.0, way[-1], 0.5 * _SPACING)
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
    return np.asarray((pixels / _SPACING).astype(int) + 1)
