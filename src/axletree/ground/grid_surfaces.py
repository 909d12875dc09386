"""Ground by heights on a grid: bicubic patches between them, after Andres 2009, chapter 5.

They are looked up at a cost that does not depend on the place. A rule gives the slopes at the
vertices where the heights alone are known.
"""

from __future__ import annotations

import enum
import functools
import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np

from axletree.components.fields import Parameters, Rows, chosen, fixed_number, grid, parameter
from axletree.expr import Table
from axletree.expr.functions import Value
from axletree.ground.functions import (
    CUBICS,
    Order,
    PlaneFunction,
    arrays_text,
    c_text,
    cubics,
    cubics_lines,
    data_text,
    function_text,
    scales,
)
from axletree.ground.surfaces import Surface, hessian_norm, radius_of

# Bicubic patches on a grid, looked up at a cost that does not depend on the place.
#
# Each cell of the grid is a patch of Andres 2009, eq. (5.1), with the correction that rows of
# its matrix G belong to x and columns to y (z there), and with a twist at each vertex, which is
# 0 there. Heights, slopes and twists are those of the vertices, so that the slopes are
# continuous over the borders of cells.

# NaN in is NaN out: it fails every comparison, and so reaches the place within the cell.
_PATCH: Final = c_text("grid_patch")


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
        shape = self.step_x, self.step_y, self.outside.value, self.repeats
        return self._identifier("grid", self.vertices, *shape)

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
        if not np.ndim(x) and not np.ndim(y) and math.isfinite(x) and math.isfinite(y):
            return self._values_at(float(x), float(y), orders)
        cells_x, cells_y = self.cells
        s, t = 1.0 / self.step_x * np.asarray(x), 1.0 / self.step_y * np.asarray(y)
        if self.repeats:
            s = s - cells_x * np.floor(s / cells_x)
        i, u, inside_x = _cell(s, cells_x)
        j, v, inside_y = _cell(t, cells_y)
        following = np.where(i + 1 < len(self.vertices), i + 1, 0)
        corners = [self.vertices[p, q] for p in (i, following) for q in (j, j + 1)]
        corners = [np.moveaxis(corner, -1, 0) for corner in corners]
        found = self._patches(corners, (u, v), (inside_x, inside_y), orders)
        return tuple(value[()] for value in found)

    def _values_at(self, x: float, y: float, orders: Sequence[Order]) -> tuple[Any, ...]:
        """The same by plain numbers, which take a tenth of the time of arrays of one."""
        cells_x, cells_y = self.cells
        s, t = 1.0 / self.step_x * x, 1.0 / self.step_y * y
        if self.repeats:
            s = s - cells_x * math.floor(s / cells_x)
        i, u, inside_x = _cell_of_number(s, cells_x)
        j, v, inside_y = _cell_of_number(t, cells_y)
        following = i + 1 if i + 1 < len(self.vertices) else 0
        corners = [self.vertices[p, q].tolist() for p in (i, following) for q in (j, j + 1)]
        return tuple(self._patches(corners, (u, v), (inside_x, inside_y), orders))

    def _patches(
        self,
        corners: Sequence[Any],
        place: tuple[Any, Any],
        inside: tuple[Any, Any],
        orders: Sequence[Order],
    ) -> list[Any]:
        """Values at a place in a cell, whose corners have components in front."""
        (u, v), (inside_x, inside_y) = place, inside
        by_x, by_y = scales(self.step_x), scales(self.step_y)
        found = []
        for m, n in orders:
            a = cubics(u, m, by_x[m] * inside_x if m else 1.0)
            b = cubics(v, n, by_y[n] * inside_y if n else 1.0)
            value = _patch(corners, a, b)
            held = self.outside is Outside.HELD
            found.append(value if held else inside_x * inside_y * value)
        return found

    def largest_curvature(self, points: int = 5) -> float:
        """The largest second derivative [1/m] in any direction, looked for in every cell at
        this many places along each axis, its borders among them."""
        cells_x, cells_y = self.cells
        following = np.arange(1, cells_x + 1) % len(self.vertices)
        rows, next_rows = self.vertices[:cells_x], self.vertices[following]
        corners = [
            np.moveaxis(side[:, q : q + cells_y], -1, 0)
            for side in (rows, next_rows)
            for q in (0, 1)
        ]
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


def _cell_of_number(s: float, cells: int) -> tuple[int, float, float]:
    """The same of a number that is finite."""
    cell = max(min(math.floor(s), cells - 1), 0)
    return cell, min(max(s - cell, 0.0), 1.0), 1.0 if 0.0 <= s <= cells else 0.0


def _patch(corners: Sequence[Any], a: Sequence[Any], b: Sequence[Any]) -> Any:
    near_0, near_1, far_0, far_1 = corners

    def across(first: Any, second: Any, k: int) -> Any:
        return (
            first[k] * b[0] + second[k] * b[1]
            + first[k + 2] * b[2] + second[k + 2] * b[3]
        )  # fmt: skip

    return (
        a[0] * across(near_0, near_1, 0) + a[1] * across(far_0, far_1, 0)
        + a[2] * across(near_0, near_1, 1) + a[3] * across(far_0, far_1, 1)
    )  # fmt: skip


class SlopeRule(enum.Enum):
    """How slopes that are not given are found."""

    LEVEL = "level"  # 0 at every vertex, as Andres 2009 has it: the ground rises in terraces
    CENTRAL = "central"  # central differences: exact for a parabola, may overshoot at a step
    MONOTONE = "monotone"  # along a grid line no height exceeds those of its vertices


def with_slopes(heights: np.ndarray, rule: SlopeRule) -> np.ndarray:
    """Heights, slopes along x and y and twists, all per cell; shape (along x, along y, 4)."""
    along, across = (_RULES[rule](heights, axis) for axis in (0, 1))
    twist = np.zeros_like(heights)
    if rule is SlopeRule.CENTRAL:
        twist = _central(along, 1)
    return np.stack([heights, along, across, twist], axis=-1)


def _level(heights: np.ndarray, axis: int) -> np.ndarray:
    return np.zeros_like(heights)


def _central(heights: np.ndarray, axis: int) -> np.ndarray:
    """One-sided at the ends, there exact for a parabola where there are three points."""
    line: Any = heights
    if heights.shape[axis] > 2:
        return np.asarray(np.gradient(line, axis=axis, edge_order=2))
    return np.asarray(np.gradient(line, axis=axis))


def _monotone(heights: np.ndarray, axis: int) -> np.ndarray:
    return np.apply_along_axis(_monotone_line, axis, heights)


def _monotone_line(line: np.ndarray) -> np.ndarray:
    rows = Table.smooth(range(len(line)), line.tolist()).coefficients[1:]
    return np.array([row[1] for row in rows])


_RULES: dict[SlopeRule, Callable[[np.ndarray, int], np.ndarray]] = {
    SlopeRule.LEVEL: _level,
    SlopeRule.CENTRAL: _central,
    SlopeRule.MONOTONE: _monotone,
}

LARGEST_GRID = 250_000  # vertices: 20 MB of C text, which compile in some seconds


@dataclass(frozen=True)
class Bicubic(Surface):
    """Heights, slopes and twists at the vertices of a grid, bicubic patches between them.

    Andres 2009, eq. (5.1) to (5.5), corrected; y there is z here, z there is -y. On a line of the
    grid both neighbouring patches give the same height and slopes. Beside the grid, which is
    at height 0 there, the height of the border is held by default; there the slope across the
    border jumps to 0 unless it is 0 on the border.

    Example:
    >>> import axletree as at
    >>> ground = at.Bicubic(heights=((0.0, 0.1), (0.0, 0.3)), length_x=4.0, length_y=4.0)  # m
    >>> float(ground.height(2.0, 2.0, ground.numbers))  # m, in the middle of four corners
    0.1
    """

    summary: ClassVar[str] = "bicubic patches between heights on a grid"

    heights: Rows = grid("m", "heights: a row for each x, in it a number for each y")
    length_x: float = fixed_number("m", "length of the grid along x", lower=0.0, above=True)
    length_y: float = fixed_number("m", "length of the grid along y", lower=0.0, above=True)
    x: float = parameter("m", "x of the first vertex", default=0.0)
    y: float = parameter("m", "y of the first vertex", default=0.0)
    slopes_x: Rows | None = grid("1", "dz/dx at the vertices; by slope_rule if left out",
                                 default=None)  # fmt: skip
    slopes_y: Rows | None = grid("1", "dz/dy at the vertices; by slope_rule if left out",
                                 default=None)  # fmt: skip
    twists: Rows | None = grid("1/m", "d2z/dxdy at the vertices; by slope_rule if left out",
                               default=None)  # fmt: skip
    slope_rule: SlopeRule = chosen(SlopeRule.LEVEL, "how slopes that are not given are found")
    outside: Outside = chosen(
        Outside.HELD, "the ground beside the grid: held at the height of its border, or at zero"
    )

    def problems(self) -> list[str]:
        shape = len(self.heights), len(self.heights[0])
        found = []
        if min(shape) < 2:
            found.append(f"heights: {shape[0]} x {shape[1]} vertices make no cell; give 2 x 2")
        if shape[0] * shape[1] > LARGEST_GRID:
            found.append(
                f"heights: {shape[0]} x {shape[1]} vertices are too many; the limit is "
                f"{LARGEST_GRID}: cut out what is driven on, or take every second one"
            )
        for name in ("slopes_x", "slopes_y", "twists"):
            given = getattr(self, name)
            if given is not None and (len(given), len(given[0])) != shape:
                found.append(
                    f"{name}: {len(given)} x {len(given[0])} numbers for "
                    f"{shape[0]} x {shape[1]} vertices"
                )
        return found

    @functools.cached_property
    def _grid(self) -> HermiteGrid:
        vertices = with_slopes(np.array(self.heights), self.slope_rule)
        rows, columns = vertices.shape[:2]
        step_x, step_y = self.length_x / (rows - 1), self.length_y / (columns - 1)
        given = (self.slopes_x, step_x), (self.slopes_y, step_y), (self.twists, step_x * step_y)
        for k, (values, per_cell) in enumerate(given, start=1):
            if values is not None:
                vertices[:, :, k] = np.array(values) * per_cell
        return HermiteGrid(vertices, step_x, step_y, self.outside)

    def height(self, x: Value, y: Value, p: Parameters) -> Value:
        return self._grid.at(x - p["x"], y - p["y"])[0]

    def slopes(self, x: Value, y: Value, p: Parameters) -> tuple[Value, Value]:
        _, along, across = self._grid.at(x - p["x"], y - p["y"])
        return along, across

    @functools.cached_property
    def least_radius(self) -> float:
        return radius_of(self._grid.largest_curvature())

    def cautions(self) -> list[str]:
        rows = np.array(self.heights)
        border = np.concatenate([rows[0], rows[-1], rows[:, 0], rows[:, -1]])
        jump = float(np.abs(border).max())
        if self.outside is Outside.HELD or jump == 0.0:
            return []
        return [
            f"the ground jumps by up to {jump:.3g} m at the border of its grid: beside it the "
            "height is zero, on it it is not; take outside: held, or heights of 0 at the border"
        ]
