"""Values of cells, looked up at a cost that does not depend on the place."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from axletree.library.surfaces.cubic_text import (
    CUBICS,
    arrays_text,
    cubics,
    cubics_lines,
    data_text,
    function_text,
    scales,
)
from axletree.library.surfaces.plane_function import Order, PlaneFunction

# The nearest border between two cells, and how far the change from one to the other has come.
_BORDER: Final = """\
static int axl_cell_border(double s, int cells, double width, double *part, double *inside)
{
    double border = floor(s + 0.5);
    border = border < cells ? border : cells;
    border = border > 0.0 ? border : 0.0;
    if (width > 0.0) {
        *part = (s - border) / width + 0.5;
    } else {
        *part = s < border ? 0.0 : 1.0;
    }
    *inside = width > 0.0 && *part >= 0.0 && *part <= 1.0 ? 1.0 : 0.0;
    *part = *part < 0.0 ? 0.0 : *part;
    *part = *part > 1.0 ? 1.0 : *part;
    *part = s == s ? *part : s;
    return (int)border;
}
"""


@dataclass(frozen=True, eq=False)
class CellGrid(PlaneFunction):
    """Cells from x = 0, y = 0 on, with a border of further cells around them.

    From the middle of a transition to the next the value is constant; along a transition it
    is a cubic with level ends.
    """

    around: np.ndarray  # values, shape (cells along x + 2, cells along y + 2)
    step_x: float  # [m]
    step_y: float  # [m]
    transition: float  # [m], at most a step; 0 for a sudden change

    @functools.cached_property
    def name(self) -> str:
        shape = (self.around.shape, self.step_x, self.step_y, self.transition)
        content = repr(shape).encode() + np.ascontiguousarray(self.around).tobytes()
        return f"axl_cells_{hashlib.blake2b(content, digest_size=8).hexdigest()}"

    @functools.cached_property
    def needs(self) -> tuple[str, ...]:
        return CUBICS, _BORDER, data_text(self.name, self.around)

    @property
    def _widths(self) -> tuple[float, float]:
        """Of a transition, in cells."""
        return self.transition / self.step_x, self.transition / self.step_y

    @property
    def is_stepped(self) -> bool:
        return self.transition == 0.0

    @property
    def _scales(self) -> list[float]:
        return scales(
            self.transition or 1.0
        )  # of a step all derivatives are 0, whatever stands here

    def text(self, name: str, orders: Sequence[Order]) -> str:
        rows, columns = self.around.shape
        (width_x, width_y), per_metre = self._widths, self._scales
        lines = [
            f"const double s = {1.0 / self.step_x!r} * input[0];",
            f"const double t = {1.0 / self.step_y!r} * input[1];",
            "double u, v, inside_x, inside_y;",
            "const double *cell;",
            "int i, j;",
            arrays_text(orders),
            f"i = axl_cell_border(s, {rows - 2}, {width_x!r}, &u, &inside_x);",
            f"j = axl_cell_border(t, {columns - 2}, {width_y!r}, &v, &inside_y);",
            f"cell = {self.name} + i * {columns} + j;",
            *cubics_lines((m for m, _ in orders), "a", "u", "inside_x", per_metre),
            *cubics_lines((n for _, n in orders), "b", "v", "inside_y", per_metre),
        ]
        for k, (m, n) in enumerate(orders):
            lines += [
                f"output[{k}] = a{m}[0] * (cell[0] * b{n}[0] + cell[1] * b{n}[1])",
                f"    + a{m}[1] * (cell[{columns}] * b{n}[0] + cell[{columns + 1}] * b{n}[1]);",
            ]
        if orders == ((0, 0),):
            lines.append("(void)inside_x, (void)inside_y;")
        return function_text(name, lines)

    def values(self, x: Any, y: Any, orders: Sequence[Order]) -> tuple[Any, ...]:
        rows, columns = self.around.shape
        (width_x, width_y), per_metre = self._widths, self._scales
        i, u, inside_x = _border(1.0 / self.step_x * np.asarray(x), rows - 2, width_x)
        j, v, inside_y = _border(1.0 / self.step_y * np.asarray(y), columns - 2, width_y)
        cell = self.around
        found = []
        for m, n in orders:
            a = cubics(u, m, per_metre[m] * inside_x if m else 1.0)
            b = cubics(v, n, per_metre[n] * inside_y if n else 1.0)
            value = a[0] * (cell[i, j] * b[0] + cell[i, j + 1] * b[1])
            value = value + a[1] * (cell[i + 1, j] * b[0] + cell[i + 1, j + 1] * b[1])
            found.append(value[()])
        return tuple(found)


def _border(s: Any, cells: int, width: float) -> tuple[Any, Any, Any]:
    border = np.floor(s + 0.5)
    border = np.where(border < cells, border, cells)
    border = np.where(border > 0.0, border, 0.0)
    if width > 0.0:
        part = (s - border) / width + 0.5
        inside = np.where((part >= 0.0) & (part <= 1.0), 1.0, 0.0)
    else:
        part = np.where(s < border, 0.0, 1.0)
        inside = np.zeros_like(part)
    part = np.where(part < 0.0, 0.0, part)
    part = np.where(part > 1.0, 1.0, part)
    return border.astype(int), np.where(np.isnan(s), s, part), inside
