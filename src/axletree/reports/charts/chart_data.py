"""Panels as data of a page, which its program draws.

Columns are base64 of little-endian numbers, each once, however many curves share it: in single
precision, which a picture does not resolve, unless they are beyond its range. Of long runs there
are as many points as the page has room for, every peak among them.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

import numpy as np

from axletree.metrics.findings import Mark
from axletree.plot.labels import BRACKETED_UNIT
from axletree.plot.panels import Panel, PanelCurve, thinned
from axletree.plot.style import DARK, plotted_label

_PROGRAM = ("scale.js", "pens.js", "chart.js", "gestures.js", "copies.js", "board.js")
_STYLE = "charts.css"
_ROOM = 250_000  # numbers of all curves of a page: of 4 bytes each, some 1.3 MB of text
_FEWEST, _MOST = 300, 4000  # points of a curve
_LARGEST_SINGLE = 1e37
_TIME_LABEL = "time [s]"


class ChartPage:
    """What the charts of one page share.

    Example:
    >>> import numpy as np
    >>> from axletree.plot.panels import Panel, PanelCurve
    >>> from axletree.reports.charts.chart_data import ChartPage
    >>> time = np.linspace(0.0, 1.0, 11)  # s
    >>> page = ChartPage(curves=1)
    >>> panel = Panel("Speed", "time [s]", "[m/s]", (PanelCurve("car", time, 20.0 - time),))
    >>> page.data([panel])[0]["curves"][0], len(page.columns)
    ({'label': 'car', 'x': 0, 'y': 1, 'guide': False, 'points': False}, 2)
    """

    def __init__(self, curves: int) -> None:
        """With room for about so many curves."""
        self.most_points = int(np.clip(_ROOM / (2 * max(curves, 1)), _FEWEST, _MOST))
        self.columns: list[tuple[str, str]] = []  # precision and content
        self._numbers: dict[tuple[str, bytes], int] = {}

    def data(self, panels: Sequence[Panel]) -> list[dict[str, Any]]:
        """The panels of one place, as the program reads them."""
        return [self._panel(panel) for panel in panels]

    @property
    def shared(self) -> dict[str, Any]:
        """Columns, and the colours on light and on dark paper."""
        return {
            "columns": self.columns,
            "colours": {"light": list(DARK), "dark": list(DARK.values())},
        }

    @property
    def program(self) -> str:
        """The text of the scripts."""
        shared = (files("axletree.reports.animation") / "element.js").read_text(encoding="utf-8")
        return "\n".join([shared, *map(_file, _PROGRAM)])

    @property
    def style(self) -> str:
        """The text of the style sheet."""
        return _file(_STYLE)

    def _panel(self, panel: Panel) -> dict[str, Any]:
        units = BRACKETED_UNIT.findall(f"{panel.x_label} {panel.y_label}")
        return {
            "title": plotted_label(panel.title),
            "x": plotted_label(panel.x_label),
            "y": plotted_label(panel.y_label),
            "time": panel.x_label == _TIME_LABEL,
            "plan": panel.is_plan,
            "log": panel.is_logarithmic,
            "curves": [self._curve(curve, panel) for curve in panel.curves],
            "marks": [_mark(one, panel.title, units) for one in panel.marks if one.is_known],
        }

    def _curve(self, curve: PanelCurve, panel: Panel) -> dict[str, Any]:
        x, y = curve.x, curve.y
        if panel.x_label == _TIME_LABEL and len(x) > self.most_points:
            x, y = thinned(x, y, self.most_points)
        return {
            "label": plotted_label(curve.label), "x": self._column(x), "y": self._column(y),
            "guide": curve.is_guide, "points": curve.is_points,
        }  # fmt: skip

    def _column(self, values: np.ndarray) -> int:
        is_small = not np.any(np.abs(values) >= _LARGEST_SINGLE)  # gaps are nan
        precision, kind = ("single", "<f4") if is_small else ("double", "<f8")
        content = np.ascontiguousarray(values, dtype=kind).tobytes()
        if (precision, content) not in self._numbers:
            self._numbers[precision, content] = len(self.columns)
            self.columns.append((precision, base64.b64encode(content).decode()))
        return self._numbers[precision, content]


def _mark(mark: Mark, title: str, units: Sequence[str]) -> dict[str, Any]:
    place = {"kind": mark.kind.name.lower(), "x": mark.x, "y": mark.y}
    start = {"start": mark.start} if np.isfinite(mark.start) else {}
    return {**place, **start, "words": mark.words(title, units)}


def _file(name: str) -> str:
    return (files("axletree.reports.charts") / name).read_text(encoding="utf-8")
