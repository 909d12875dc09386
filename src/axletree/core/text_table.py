"""Tables of text: aligned for a terminal, as Markdown, as HTML, as comma-separated values."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape


@dataclass(frozen=True)
class TextTable:
    """A title, columns, rows of texts, and sentences below; a column is left-aligned if its
    name ends in a colon, which is not shown."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()

    @property
    def headings(self) -> tuple[str, ...]:
        return tuple(column.removesuffix(":") for column in self.columns)

    def text(self) -> str:
        widths = [max(map(len, cells)) for cells in zip(self.headings, *self.rows, strict=True)]
        lines = [self._line(row, widths) for row in (self.headings, *self.rows)]
        return "\n".join([self.title, *lines, *self.notes])

    def markdown(self) -> str:
        rule = [":---" if column.endswith(":") else "---:" for column in self.columns]
        headings, *rows = [[_escaped(cell) for cell in row] for row in (self.headings, *self.rows)]
        lines = [f"| {' | '.join(row)} |" for row in (headings, rule, *rows)]
        notes = [f"\n{note}" for note in self.notes]
        return "\n".join([f"### {self.title}", "", *lines, *notes]) + "\n"

    def html(self) -> str:
        """As notebooks show it; all text is escaped.

        Example:
        >>> from axletree.core.text_table import TextTable
        >>> TextTable("rod", ("name:", "mass"), (("rod", "1 kg"),)).html()[:34]
        '<table><caption>rod</caption><tr><'
        """
        sides = ["left" if column.endswith(":") else "right" for column in self.columns]
        lines = [_html_row("th", self.headings, sides)]
        lines += [_html_row("td", row, sides) for row in self.rows]
        notes = "".join(f"<p>{escape(note)}</p>" for note in self.notes)
        return f"<table><caption>{escape(self.title)}</caption>{''.join(lines)}</table>{notes}"

    def csv(self) -> str:
        """The title, the headings and the rows; the notes are left to the other forms."""
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow([self.title])
        writer.writerows([self.headings, *self.rows])
        return stream.getvalue()

    def _line(self, row: Sequence[str], widths: Sequence[int]) -> str:
        return "  ".join(self._cells(row, widths)).rstrip()

    def _cells(self, row: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
        for column, cell, width in zip(self.columns, row, widths, strict=True):
            yield cell.ljust(width) if column.endswith(":") else cell.rjust(width)


def _escaped(cell: str) -> str:
    return cell.replace("|", "\\|").replace("*", "\\*")


def _html_row(kind: str, row: Sequence[str], sides: Sequence[str]) -> str:
    cells = (
        f'<{kind} style="text-align:{side}">{escape(cell)}</{kind}>'
        for cell, side in zip(row, sides, strict=True)
    )
    return f"<tr>{''.join(cells)}</tr>"
