"""Friction by the cells of a grid, after Andres 2009, section 5.2.1.6."""

from __future__ import annotations

import enum
import functools
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from axletree.library.fields import choice, fixed_number, parameter
from axletree.library.friction_maps.cell_grid import CellGrid
from axletree.library.friction_maps.contract import FrictionMap, Parameters, Value
from axletree.library.grid import Rows, grid


class OutsideCells(enum.Enum):
    """The friction beside the cells."""

    ONE = "one"  # the friction of the tyre's law, as Andres 2009 has it
    HELD = "held"  # that of the nearest cell


@dataclass(frozen=True)
class FrictionCells(FrictionMap):
    """A factor for each cell.

    It changes in a step from cell to cell, as in Andres 2009, or smoothly along a transition.
    A place on the border belongs to the cell of greater x or y.

    Example:
    >>> import axletree as at
    >>> cells = at.FrictionCells(factors=((1.0, 0.2), (1.0, 1.0)), length_x=10.0, length_y=4.0)
    >>> float(cells.factor_at(2.0, 3.0, cells.numbers))
    0.2
    """

    summary: ClassVar[str] = "a factor for each cell of a grid"

    factors: Rows = grid("1", "factors: a row for each cell along x, in it a number for each "
                         "along y", lower=0.0)  # fmt: skip
    length_x: float = fixed_number("m", "length of all cells along x", lower=0.0, above=True)
    length_y: float = fixed_number("m", "length of all cells along y", lower=0.0, above=True)
    x: float = parameter("m", "x of the first corner", default=0.0)
    y: float = parameter("m", "y of the first corner", default=0.0)
    transition: float = fixed_number(
        "m", "width along which the factor changes; a step if 0", default=0.0, lower=0.0
    )
    outside: OutsideCells = choice(
        OutsideCells, "the factor beside the cells", default=OutsideCells.ONE
    )

    def problems(self) -> list[str]:
        smallest = min(self._steps)
        if self.transition > smallest:
            return [
                f"transition: {self.transition:g} m is wider than a cell; at most {smallest:g} m"
            ]
        return []

    @property
    def _steps(self) -> tuple[float, float]:
        return self.length_x / len(self.factors), self.length_y / len(self.factors[0])

    @functools.cached_property
    def _cells(self) -> CellGrid:
        held = self.outside is OutsideCells.HELD
        values = np.array(self.factors)
        around = np.pad(values, 1, mode="edge") if held else np.pad(values, 1, constant_values=1.0)
        return CellGrid(around, *self._steps, self.transition)

    def factor_at(self, x: Value, y: Value, p: Parameters) -> Value:
        (found,) = self._cells.at(x - p["x"], y - p["y"])
        return found
