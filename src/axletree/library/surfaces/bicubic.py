"""Bicubic patches between the vertices of a grid, after Andres 2009, chapter 5."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from axletree.library.fields import choice, fixed_number, parameter
from axletree.library.grid import Rows, grid
from axletree.library.surfaces.contract import Parameters, Surface, Value
from axletree.library.surfaces.curvature import radius_of
from axletree.library.surfaces.hermite_grid import HermiteGrid, Outside
from axletree.library.surfaces.slope_rule import SlopeRule, with_slopes

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
    slope_rule: SlopeRule = choice(
        SlopeRule, "how slopes that are not given are found", default=SlopeRule.LEVEL
    )
    outside: Outside = choice(
        Outside, "the ground beside the grid: held at the height of its border, or at zero",
        default=Outside.HELD,
    )  # fmt: skip

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

    @property
    def least_radius(self) -> float:
        return self._least_radius

    @functools.cached_property
    def _least_radius(self) -> float:
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
