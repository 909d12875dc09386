"""Marks of findings in a panel, with their words where neither curves nor other words are."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from axletree.core.plot_style import GREY, INK, PAPER, SMALL
from axletree.model.manoeuvres.diagram import Kind, Mark
from axletree.simulation.word_places import Ground, Place, best_centre, curve_map

WRAPPED: Final = (30, 20)  # letters of a line: as long as this, or shorter where that fits better
ROOM: Final = (0.04, 0.2)  # of the width and height of the axes, beyond the curves
SHORT: Final = 30.0  # what shorter lines are charged for, by what is said in them
PASSES: Final = 3  # in which words find their places


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
    said: dict[tuple[float, float], list[Mark]] = {}  # what is read at one place stands together
    for mark in known:
        said.setdefault(_anchor(mark), []).append(mark)
    dots = [axes.transData.transform((m.x, m.y)) for m in known if m.kind is Kind.POINT]
    drawn = [_line(axes, mark) for mark in known if mark.kind is not Kind.POINT]
    curve = curve_map(
        axes.get_window_extent(),
        [*(axes.transData.transform(line.get_xydata()) for line in lines), *drawn],
    )
    words = [
        _measured(axes, [mark.words(title) for mark in together], _place_of(axes, anchor, together))
        for anchor, together in said.items()
    ]
    _place(axes, words, [np.array([*place - 5.0, *place + 5.0]) for place in dots], curve)


def _place_of(axes: Any, anchor: tuple[float, float], marks: Sequence[Mark]) -> Place:
    """Anywhere along a line; of dots, and of what differs, where they are."""
    there = np.asarray(axes.transData.transform(anchor))
    if any(mark.kind is not marks[0].kind for mark in marks) or marks[0].kind is Kind.POINT:
        return Place(there, there, there)
    line = _line(axes, marks[0])
    return Place(there, line.min(axis=0), line.max(axis=0))


def _line(axes: Any, mark: Mark) -> np.ndarray:
    """The ends of what is drawn, in pixels."""
    frame = axes.get_window_extent()
    ends = np.asarray(axes.transData.transform([(mark.x, mark.y)] * 2))
    if mark.kind is Kind.LEVEL:
        ends[:, 0] = frame.x0, frame.x1
    elif mark.kind is Kind.MOMENT:
        ends[:, 1] = frame.y0, frame.y1
    elif mark.kind is Kind.SPAN:
        ends[0] = axes.transData.transform((mark.start, mark.y))
    return ends


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


@dataclass(frozen=True)
class _Words:
    """What stands together, and half of its width and height [pixels] with lines of each length."""

    text: Any
    place: Place
    wrapped: tuple[tuple[str, np.ndarray], ...]
    short: float  # what shorter lines are charged for


def _measured(axes: Any, words: Sequence[str], place: Place) -> _Words:
    """Written at its anchor."""
    text = axes.annotate(
        "", place.anchor, xycoords="figure pixels", fontsize=SMALL, color=INK,
        ha="center", va="center", textcoords="figure pixels", xytext=place.anchor, zorder=6,
        arrowprops={"arrowstyle": "-", "color": GREY, "linewidth": 0.7, "shrinkA": 0, "shrinkB": 3},
        bbox={"boxstyle": "square,pad=0.1", "facecolor": PAPER, "edgecolor": "none", "alpha": 0.8},
    )  # fmt: skip
    wrapped: dict[str, np.ndarray] = {}
    for longest in WRAPPED:
        lines = "\n".join(line for one in words for line in textwrap.wrap(one, longest))
        if lines not in wrapped:
            text.set_text(lines)
            size = text.get_window_extent(axes.figure.canvas.get_renderer())
            wrapped[lines] = 0.5 * np.array([size.width, size.height]) + 2.0
    return _Words(text, place, tuple(wrapped.items()), SHORT * len(words))


def _place(
    axes: Any, words: Sequence[_Words], dots: Sequence[np.ndarray], curve: np.ndarray
) -> None:
    """Each where it costs least beside those before it, then beside all others; large first."""
    frame, boxes, leaders = axes.get_window_extent(), dict[int, Any](), dict[int, Any]()
    order = sorted(range(len(words)), key=lambda k: -float(np.prod(words[k].wrapped[0][1])))
    for k in order * (PASSES if len(words) > 1 else 1):
        one = words[k]
        taken, crossed = (
            np.array([*first, *(made[other] for other in made if other != k)]).reshape(-1, 4)
            for first, made in ((dots, boxes), ((), leaders))
        )
        lines, half, centre = _fitted(one, Ground(frame, taken, crossed, curve))
        end = np.clip(centre, one.place.low, one.place.high)
        boxes[k] = np.array([*centre - half, *centre + half])
        leaders[k] = np.array([*end, *centre])
        one.text.set_text(lines)
        _move(one.text, centre, end)


def _fitted(words: _Words, ground: Ground) -> tuple[str, np.ndarray, np.ndarray]:
    """Lines, half of their size, and the place of their middle; shorter ones where that helps."""
    found, least = None, math.inf
    for k, (lines, half) in enumerate(words.wrapped):
        if least > k * words.short:
            centre, cost = best_centre(half, words.place, ground)
            if cost + k * words.short < least:
                found, least = (lines, half, centre), cost + k * words.short
    assert found is not None
    return found


def _move(text: Any, centre: np.ndarray, end: np.ndarray) -> None:
    """In inches from the corner, so that it stays there at any resolution."""
    dots = text.figure.dpi
    text.xyann, text.anncoords = tuple(72.0 * centre / dots), "figure points"
    text.xy, text.xycoords = tuple(72.0 * end / dots), "figure points"
