"""Bicubic patches on a grid, looked up at a cost that does not depend on the place.

Each cell of the grid is a patch of Andres 2009, eq. (5.1), with the correction that rows of
its matrix G belong to x and columns to y (z there), and with a twist at each vertex, which is
0 there. Heights, slopes and twists are those of the vertices, so that the slopes are
continuous over the borders of cells.
"""

from __future__ import annotations

import enum
import functools
import hashlib
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

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
from axletree.library.surfaces.curvature import hessian_norm
from axletree.library.surfaces.plane_function import Order, PlaneFunction

# NaN in is NaN out: it fails every comparison, and so reaches the place within the cell.
_PATCH: Final = """\
static int axl_grid_cell(double s, int cells, double *local, double *inside)
{
    double cell = floor(s);
    cell = cell < cells - 1 ? cell : cells - 1;
    cell = cell > 0.0 ? cell : 0.0;
    *local = s - cell;
    *local = *local < 0.0 ? 0.0 : *local;
    *local = *local > 1.0 ? 1.0 : *local;
    *inside = s >= 0.0 && s <= cells ? 1.0 : 0.0;
    return (int)cell;
}

static double axl_grid_across(const double *v, const double *b)
{
    return v[0] * b[0] + v[4] * b[1] + v[2] * b[2] + v[6] * b[3];
}

static double axl_grid_patch(
    const double *row, const double *next, const double *a, const double *b)
{
    return a[0] * axl_grid_across(row, b) + a[1] * axl_grid_across(next, b)
        + a[2] * axl_grid_across(row + 1, b) + a[3] * axl_grid_across(next + 1, b);
}
"""


class Outside(enum.Enum):
    """What the ground is like beside the grid."""

    HELD = "held"  # the height of the nearest place on the border
    ZERO = "zero"  # height 0, as Andres 2009 has it: a step all around, unless the border is at 0


@dataclass(frozen=True, eq=False)
class HermiteGrid(PlaneFunction):
    """The patches; x = 0, y = 0 is the first vertex.

    ``vertices[i, j]`` holds z, dz/dx, dz/dy and d2z/dxdy at x = i step_x, y = j step_y; the
    last three are per cell, not per metre. Where the grid ``repeats``, its first row follows
    its last one, in x only. The outputs are z [m], dz/dx and dz/dy.
    """

    orders: ClassVar[tuple[Order, ...]] = ((0, 0), (1, 0), (0, 1))

    vertices: np.ndarray  # shape (along x, along y, 4) [m]
    step_x: float  # [m]
    step_y: float  # [m]
    outside: Outside = Outside.HELD
    repeats: bool = False

    @functools.cached_property
    def name(self) -> str:
        shape = (self.vertices.shape, self.step_x, self.step_y, self.outside.value, self.repeats)
        content = repr(shape).encode() + np.ascontiguousarray(self.vertices).tobytes()
        return f"axl_grid_{hashlib.blake2b(content, digest_size=8).hexdigest()}"

    @functools.cached_property
    def needs(self) -> tuple[str, ...]:
        return CUBICS, _PATCH, data_text(self.name, self.vertices)

    @property
    def cells(self) -> tuple[int, int]:
        """Along x and along y."""
        rows, columns = self.vertices.shape[:2]
        return (rows if self.repeats else rows - 1), columns - 1

    def text(self, name: str, orders: Sequence[Order]) -> str:
        (rows, columns), (cells_x, cells_y) = self.vertices.shape[:2], self.cells
        kept = "inside_x * inside_y * " if self.outside is Outside.ZERO else ""
        lines = [
            f"double s = {1.0 / self.step_x!r} * input[0];",
            f"const double t = {1.0 / self.step_y!r} * input[1];",
            "double u, v, inside_x, inside_y;",
            "const double *row, *next;",
            "int i, j;",
            arrays_text(orders),
            *([f"s = s - {cells_x}.0 * floor(s / {cells_x}.0);"] if self.repeats else []),
            f"i = axl_grid_cell(s, {cells_x}, &u, &inside_x);",
            f"j = axl_grid_cell(t, {cells_y}, &v, &inside_y);",
            f"row = {self.name} + 4 * (i * {columns} + j);",
            f"next = {self.name} + 4 * ((i + 1 < {rows} ? i + 1 : 0) * {columns} + j);",
            *cubics_lines((m for m, _ in orders), "a", "u", "inside_x", scales(self.step_x)),
            *cubics_lines((n for _, n in orders), "b", "v", "inside_y", scales(self.step_y)),
        ]
        for k, (m, n) in enumerate(orders):
            lines.append(f"output[{k}] = {kept}axl_grid_patch(row, next, a{m}, b{n});")
        return function_text(name, lines)

    def values(self, x: Any, y: Any, orders: Sequence[Order]) -> tuple[Any, ...]:
        cells_x, cells_y = self.cells
        s, t = 1.0 / self.step_x * np.asarray(x), 1.0 / self.step_y * np.asarray(y)
        if self.repeats:
            s = s - cells_x * np.floor(s / cells_x)
        i, u, inside_x = _cell(s, cells_x)
        j, v, inside_y = _cell(t, cells_y)
        following = np.where(i + 1 < len(self.vertices), i + 1, 0)
        corners = [self.vertices[p, q] for p in (i, following) for q in (j, j + 1)]
        by_x, by_y = scales(self.step_x), scales(self.step_y)
        found = []
        for m, n in orders:
            a = cubics(u, m, by_x[m] * inside_x if m else 1.0)
            b = cubics(v, n, by_y[n] * inside_y if n else 1.0)
            value = _patch(corners, a, b)
            held = self.outside is Outside.HELD
            found.append((value if held else inside_x * inside_y * value)[()])
        return tuple(found)

    def largest_curvature(self, points: int = 5) -> float:
        """The largest second derivative [1/m] in any direction, looked for in every cell at
        this many places along each axis, its borders among them."""
        cells_x, cells_y = self.cells
        following = np.arange(1, cells_x + 1) % len(self.vertices)
        rows, next_rows = self.vertices[:cells_x], self.vertices[following]
        corners = [side[:, q : q + cells_y] for side in (rows, next_rows) for q in (0, 1)]
        by_x, by_y = scales(self.step_x), scales(self.step_y)
        largest = 0.0
        for u, v in itertools.product(np.linspace(0.0, 1.0, points), repeat=2):
            zxx, zxy, zyy = (
                _patch(corners, cubics(u, m, by_x[m]), cubics(v, n, by_y[n]))
                for m, n in ((2, 0), (1, 1), (0, 2))
            )
            largest = max(largest, float(np.max(hessian_norm(zxx, zxy, zyy))))
        return largest


def _cell(s: Any, cells: int) -> tuple[Any, Any, Any]:
    """The cell, the place in it from 0 to 1, and whether s lies in a cell (1 or 0)."""
    cell = np.floor(s)
    cell = np.where(cell < cells - 1, cell, cells - 1)
    cell = np.where(cell > 0.0, cell, 0.0)
    local = s - cell
    local = np.where(local < 0.0, 0.0, local)
    local = np.where(local > 1.0, 1.0, local)
    return cell.astype(int), local, np.where((s >= 0.0) & (s <= cells), 1.0, 0.0)


def _patch(corners: Sequence[np.ndarray], a: Sequence[Any], b: Sequence[Any]) -> Any:
    near_0, near_1, far_0, far_1 = corners

    def across(first: np.ndarray, second: np.ndarray, k: int) -> Any:
        return (
            first[..., k] * b[0] + second[..., k] * b[1]
            + first[..., k + 2] * b[2] + second[..., k + 2] * b[3]
        )  # fmt: skip

    return (
        a[0] * across(near_0, near_1, 0) + a[1] * across(far_0, far_1, 0)
        + a[2] * across(near_0, near_1, 1) + a[3] * across(far_0, far_1, 1)
    )  # fmt: skip
