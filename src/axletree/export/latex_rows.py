"""Equations in rows that fit a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from axletree.export.latex_pieces import Piece, scaled, term_text, visible

PAGE: Final = 85  # characters of a line, about
LEAST_ROOM: Final = 40  # for the right side, however long the left one is


@dataclass(frozen=True)
class Equation:
    """A left side and the rows of its right side."""

    left: str
    rows: tuple[str, ...]
    starts: bool = True  # whether the right side starts in the first row

    @property
    def text(self) -> str:
        """Lines of an environment that aligns."""
        first, *others = self.rows
        sign = "&=" if self.starts else "&"
        return " \\\\\n".join(
            [f"{self.left} {sign} {first}", *(rf"&\quad {row}" for row in others)]
        )


def equation(left: str, piece: Piece) -> Equation:
    """A sum is broken between its terms."""
    return Equation(left, tuple(_rows(piece, max(PAGE - visible(left), LEAST_ROOM))))


def balance(left: Piece, right: Piece) -> Equation:
    """Two sums that are equal; a left side that is long stands in rows of its own."""
    if left.width + right.width < PAGE:
        return Equation(left.text, (right.text,))
    first, *others = (f"{{}} {row}" for row in _rows(right, LEAST_ROOM * 2))
    above = _rows(left, LEAST_ROOM * 2)
    return Equation("", (*above, rf"\qquad = {first}", *others), starts=False)


def _rows(piece: Piece, room: int) -> list[str]:
    if piece.width <= room or not piece.terms:
        return [piece.text]
    texts = [term_text(*piece.terms[0], leading=True)]
    texts += [term_text(factor, term) for factor, term in piece.terms[1:]]
    widths = [scaled(abs(factor), term).width + 3 for factor, term in piece.terms]
    return _filled(texts, widths, room)


def call(results: Sequence[str], head: str, arguments: Sequence[str]) -> Equation:
    """A function that has several results."""
    left = rf"\left({', '.join(results)}\right)"
    texts = [f"{text}{',' if k < len(arguments) else ')'}" for k, text in enumerate(arguments, 1)]
    rows = _filled(texts, [visible(text) + 2 for text in texts], LEAST_ROOM)
    return Equation(left, (f"{head}({rows[0]}", *rows[1:]))


def solution(results: Sequence[str], given: Sequence[str], size: int, columns: int) -> Equation:
    """A x = b: the rows of A, then the columns of b."""
    matrix = [given[i * size : (i + 1) * size] for i in range(size)]
    unknown = [[results[k * size + i] for k in range(columns)] for i in range(size)]
    right = [[given[size**2 + k * size + i] for k in range(columns)] for i in range(size)]
    return Equation(_matrix(matrix) + _matrix(unknown), (_matrix(right),))


def vector(name: str, entries: Sequence[str]) -> Equation:
    """A column, written as a row."""
    texts = [f"{text}{',' if k < len(entries) else ')^{T}'}" for k, text in enumerate(entries, 1)]
    rows = _filled(texts, [visible(text) + 2 for text in texts], PAGE - 10)
    return Equation(name, (f"({rows[0]}", *rows[1:]))


def _matrix(rows: Sequence[Sequence[str]]) -> str:
    lines = r" \\ ".join(" & ".join(row) for row in rows)
    return rf"\begin{{bmatrix}} {lines} \end{{bmatrix}}"


def _filled(texts: Sequence[str], widths: Sequence[int], room: int) -> list[str]:
    """The texts in rows, as many in each as there is room for."""
    rows: list[list[str]] = [[]]
    used = 0
    for text, width in zip(texts, widths, strict=True):
        if used + width > room and rows[-1]:
            rows.append([])
            used = 0
        rows[-1].append(text)
        used += width
    return [" ".join(row) for row in rows]
