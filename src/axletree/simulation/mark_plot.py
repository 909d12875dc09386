"""Marks of findings in a panel, with their words where neither curves nor other words are."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from axletree.core.plot_style import GREY, INK, PAPER, SMALL
from axletree.model.manoeuvres.diagram import Kind, Mark
from axletree.simulation.word_places import Ground, Place, Words, arranged, curve_map

UNIT: Final = re.compile(r"\[(.*?)\]")  # in the label of an axis
WRAPPED: Final = (30, 20)  # letters of a line: as long as this, or shorter where that fits better
ROOM: Final = (0.04, 0.2)  # of the width and height of the axes, beyond the curves
SHORT: Final = 30.0  # what shorter lines are charged for, by what is said in them
DOT: Final = 5.0  # pixels, from the middle of a dot to where words may stand


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
    units = UNIT.findall(f"{axes.get_xlabel()} {axes.get_ylabel()}")
    texts = [_written(axes, [m.words(title, units) for m in marks]) for marks in said.values()]
    words = [
        Words(_place_of(axes, anchor, marks), tuple(wrapped.values()), SHORT * len(marks))
        for (anchor, marks), (_, wrapped) in zip(said.items(), texts, strict=True)
    ]
    seats = arranged(words, Ground(axes.get_window_extent(), _about(dots), curve))
    for (text, wrapped), one, seat in zip(texts, words, seats, strict=True):
        text.set_text(list(wrapped)[seat.lines])
        _move(text, seat.centre, one.place.nearest(seat.centre))


def _about(dots: Sequence[np.ndarray]) -> np.ndarray:
    """Boxes, by lower left and upper right corners."""
    return np.array([[*dot - DOT, *dot + DOT] for dot in dots]).reshape(-1, 4)


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


def _written(axes: Any, said: Sequence[str]) -> tuple[Any, dict[str, np.ndarray]]:
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
