"""Marks of findings in a panel, with their words where neither curves nor other words are."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from axletree.core.plot_style import GREY, INK, PAPER, SMALL
from axletree.model.manoeuvres.diagram import Kind, Mark

LONGEST: Final = 30  # letters of a line
ROOM: Final = (0.04, 0.2)  # of the width and height of the axes, beyond the curves
SPACING: Final = 4.0  # pixels of a cell of the map of what words keep clear of
GRID: Final = np.array([8.0, 5.0])  # pixels between places that are tried
NEAR: Final = 7.0  # pixels between mark and words, at which they belong together
LEADER: Final = np.linspace(0.1, 1.0, 12)[None, :, None]  # places along the line to words
# What words are charged for; of a curve and of a line to words that is crossed, by the point.
COVERED, CURVE, CROSSED, FAR = 1e5, 30.0, 60.0, 1.0


def draw_marks(axes: Any, title: str, marks: Sequence[Mark]) -> None:
    """Lines, dots and arrows first; then words, one after another where there is room."""
    known = [mark for mark in marks if mark.is_known]
    if not known:
        return
    axes.margins(*ROOM)
    lines = list(axes.get_lines())
    for mark in known:
        _draw(axes, mark)
    axes.autoscale_view()
    said: dict[tuple[float, float], list[str]] = {}  # what is read at one place stands together
    for mark in known:
        said.setdefault(_anchor(mark), []).append(mark.words(title))
    places = [axes.transData.transform(anchor) for anchor in said]
    taken = [np.array([*place - 5.0, *place + 5.0]) for place in places]
    arrows = [[(mark.start, mark.y), (mark.x, mark.y)] for mark in known if mark.kind is Kind.SPAN]
    curve = _map(axes, [*(line.get_xydata() for line in lines), *arrows])
    for words, place in zip(said.values(), places, strict=True):
        taken.append(_write(axes, words, place, np.array(taken), curve))


def _draw(axes: Any, mark: Mark) -> None:
    thin = {"color": INK, "linewidth": 0.8, "linestyle": (0, (4, 3)), "zorder": 3}
    if mark.kind is Kind.LEVEL:
        axes.axhline(mark.y, **thin)
    elif mark.kind is Kind.MOMENT:
        axes.axvline(mark.x, **thin)
    elif mark.kind is Kind.SPAN:
        arrow = {"arrowstyle": "<|-|>,head_width=0.18,head_length=0.4", "color": INK,
                 "linewidth": 1.0, "shrinkA": 0, "shrinkB": 0}  # fmt: skip
        axes.annotate("", (mark.x, mark.y), (mark.start, mark.y), arrowprops=arrow)
        axes.plot([mark.start, mark.x], [mark.y, mark.y], linestyle="none", marker="none")
    else:
        axes.plot(mark.x, mark.y, "o", color=PAPER, markeredgecolor=INK, markeredgewidth=1.4,
                  markersize=5.5, zorder=4)  # fmt: skip


def _anchor(mark: Mark) -> tuple[float, float]:
    if mark.kind is Kind.SPAN:
        return 0.5 * (mark.start + mark.x), mark.y
    return mark.x, mark.y


def _map(axes: Any, curves: Sequence[Any]) -> np.ndarray:
    """Cells of the axes through which curves run, summed up from the lower left corner."""
    frame = axes.get_window_extent()
    found = np.zeros((int(frame.width / SPACING) + 2, int(frame.height / SPACING) + 2))
    for one in curves:
        points = axes.transData.transform(np.asarray(one, dtype=float))
        points = points[np.isfinite(points).all(axis=1)]
        if len(points) > 1:
            way = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1)))
            even = np.arange(0.0, way[-1], 0.5 * SPACING)
            along = np.stack([np.interp(even, way, column) for column in points.T], axis=1)
            cells = ((along - frame.p0) / SPACING).astype(int) + 1
            cells = cells[np.all((cells > 0) & (cells < found.shape), axis=1)]
            found[cells[:, 0], cells[:, 1]] = 1.0
    return np.asarray(found.cumsum(axis=0).cumsum(axis=1))


def _write(
    axes: Any, words: Sequence[str], place: np.ndarray, taken: np.ndarray, curve: np.ndarray
) -> np.ndarray:
    """The box that the words take, in pixels."""
    lines = [line for text in words for line in textwrap.wrap(text, LONGEST)]
    text = axes.annotate(
        "\n".join(lines), place, xycoords="figure pixels", fontsize=SMALL, color=INK,
        ha="center", va="center", textcoords="figure pixels", xytext=place, zorder=6,
        arrowprops={"arrowstyle": "-", "color": GREY, "linewidth": 0.7, "shrinkA": 0, "shrinkB": 3},
        bbox={"boxstyle": "square,pad=0.1", "facecolor": PAPER, "edgecolor": "none", "alpha": 0.8},
    )  # fmt: skip
    size = text.get_window_extent(axes.figure.canvas.get_renderer())
    half = 0.5 * np.array([size.width, size.height]) + 2.0
    centre = _best(half, place, axes.get_window_extent(), taken, curve)
    # In inches from the corner, so that it stays there at any resolution.
    dots = axes.figure.dpi
    text.xyann = tuple(72.0 * centre / dots)
    text.anncoords = "figure points"
    text.xy = tuple(72.0 * place / dots)
    text.xycoords = "figure points"
    return np.array([*centre - half, *centre + half])


def _best(
    half: np.ndarray, place: np.ndarray, frame: Any, taken: np.ndarray, curve: np.ndarray
) -> np.ndarray:
    """The middle of a box within the axes that costs least."""
    centres = _grid(np.array([frame.x0, frame.y0]) + half, np.array([frame.x1, frame.y1]) - half)
    low, high = centres - half, centres + half
    gap = np.maximum(np.maximum(low - place, place - high), 0.0)
    distance = np.abs(np.linalg.norm(gap, axis=1) - NEAR)
    apart = np.minimum(high[:, None], taken[None, :, 2:]) - np.maximum(
        low[:, None], taken[None, :, :2]
    )
    covered = np.prod(np.maximum(apart, 0.0), axis=2).sum(axis=1)
    inside = _cells_inside(curve, low - frame.p0, high - frame.p0)
    leader = place + LEADER * (centres - place)[:, None]
    others = taken[np.any((place < taken[:, :2]) | (place > taken[:, 2:]), axis=1)]
    within = (leader[:, :, None] > others[:, :2]) & (leader[:, :, None] < others[:, 2:])
    crossed = np.all(within, axis=3).sum(axis=(1, 2))
    cost = COVERED * (covered > 0.0) + covered + CURVE * inside + CROSSED * crossed + FAR * distance
    return np.asarray(centres[int(np.argmin(cost))])


def _cells_inside(curve: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """How many cells of the curve's map are in boxes: its sums from the corner tell at once."""
    a, b = (
        np.clip((corner / SPACING).astype(int), 0, np.array(curve.shape) - 1)
        for corner in (low, high)
    )
    return np.asarray(
        curve[b[:, 0], b[:, 1]] - curve[a[:, 0], b[:, 1]]
        - curve[b[:, 0], a[:, 1]] + curve[a[:, 0], a[:, 1]]
    )  # fmt: skip


def _grid(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Places between two corners; where there is no room, the one between them."""
    middle = 0.5 * (low + high)
    low, high = np.minimum(low, middle), np.maximum(high, middle)
    x, y = (np.arange(a, b + step, step) for a, b, step in zip(low, high, GRID, strict=True))
    return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
