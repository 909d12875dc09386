"""The contract of friction maps: how slippery the ground is at a place.

A map is a part with one formula, ``factor_at(x, y, p)``, written once with the functions of
``expr``: it answers in kind to floats, arrays and expressions. The factor multiplies
the friction that a tyre has on dry ground; 1 changes nothing, 0 is ideally smooth ice.

Cells of a grid are looked up at a cost that does not depend on the place.
"""

from __future__ import annotations

import enum
import functools
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np

from axletree.components.fields import (
    Parameters,
    Part,
    Rows,
    chosen,
    fixed_number,
    grid,
    optional_parameter,
    parameter,
    positive,
)
from axletree.expr import cos, sin
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
    smooth_step,
)


class FrictionMap(Part, ABC):
    """Friction over the ground.

    Example:
    >>> from dataclasses import dataclass
    >>> import axletree as at
    >>> from axletree.expr import where
    >>> from axletree.components.fields import parameter
    >>> from axletree.ground.friction_maps import FrictionMap
    >>> @dataclass(frozen=True)
    ... class Thawing(FrictionMap):
    ...     line: float = parameter("m", "x from which on the ground is dry")
    ...
    ...     def factor_at(self, x, y, p):
    ...         return where(x < p["line"], 0.3, 1.0)
    >>> road = at.Flat(friction_map=Thawing("20 m"))
    >>> [road.friction(x, 0.0, road.numbers) for x in (15.0, 25.0)]
    [0.3, 1.0]
    """

    @abstractmethod
    def factor_at(self, x: Value, y: Value, p: Parameters) -> Value:
        """The factor on friction [1], not negative, at x, y [m] in the axes of the road frame;
        ``p`` has the parameters by name.

        Example:
        >>> import numpy as np
        >>> import axletree as at
        >>> ice = at.SplitFriction(left=0.2, right=1.0, begin="30 m")
        >>> ice.factor_at(np.array([10.0, 50.0]), 1.0, ice.numbers).round(3).tolist()
        [1.0, 0.2]
        """


@dataclass(frozen=True)
class NoFrictionMap(FrictionMap):
    """The friction of the tyre's law everywhere.

    Example:
    >>> import axletree as at
    >>> at.NoFrictionMap().factor_at(5.0, 0.0, {})
    1.0
    """

    summary: ClassVar[str] = "the friction of the tyre's law everywhere"

    def factor_at(self, x: Value, y: Value, p: Parameters) -> Value:
        return 1.0


@dataclass(frozen=True)
class UniformFriction(FrictionMap):
    """Wet, icy or sticky ground.

    Example:
    >>> import axletree as at
    >>> wet = at.Flat(friction_map=at.UniformFriction(factor=0.6))
    >>> wet.friction(5.0, 0.0, wet.numbers)
    0.6
    """

    summary: ClassVar[str] = "one factor everywhere: wet or icy ground"

    factor: float = parameter("1", "factor on friction", lower=0.0)

    def factor_at(self, x: Value, y: Value, p: Parameters) -> Value:
        return p["factor"]


@dataclass(frozen=True)
class SplitFriction(FrictionMap):
    """One factor to the left of a line and another to its right (split mu).

    Between them the factor changes smoothly along a short way, as it does while the contact
    patch of a tyre crosses the line. With ``begin`` friction is that of dry ground up to there.

    Example:
    >>> import axletree as at
    >>> ice = at.SplitFriction(left=0.2, right=1.0)
    >>> [round(float(ice.factor_at(5.0, y, ice.numbers)), 3) for y in (1.0, -1.0)]  # m to the left
    [0.2, 1.0]
    """

    summary: ClassVar[str] = "one factor to the left of a line and one to its right"

    left: float = parameter("1", "factor on friction to the left", lower=0.0)
    right: float = parameter("1", "factor on friction to the right", lower=0.0)
    x: float = parameter("m", "x of a point of the line", default=0.0)
    y: float = parameter("m", "y of a point of the line", default=0.0)
    heading: float = parameter(
        "rad", "direction of the line, from the x axis to the left", default=0.0
    )
    transition: float = positive("m", "width along which the factor changes", default=0.1)
    begin: float | None = optional_parameter(
        "m", "distance along the line from its point, before which the factor is 1; left out: none"
    )

    def factor_at(self, x: Value, y: Value, p: Parameters) -> Value:
        c, s = cos(p["heading"]), sin(p["heading"])
        leftward = c * (y - p["y"]) - s * (x - p["x"])
        part = smooth_step(leftward / p["transition"] + 0.5)
        factor = p["right"] + (p["left"] - p["right"]) * part
        if self.begin is None:
            return factor
        beyond = c * (x - p["x"]) + s * (y - p["y"]) - p["begin"]
        return 1.0 + (factor - 1.0) * smooth_step(beyond / p["transition"] + 0.5)


# Friction by the cells of a grid, after Andres 2009, section 5.2.1.6.


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
    outside: OutsideCells = chosen(OutsideCells.ONE, "the factor beside the cells")

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


# The nearest border between two cells, and how far the change from one to the other has come.
_BORDER: Final = c_text("cell_border")


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
        return self._identifier("cells", self.around, self.step_x, self.step_y, self.transition)

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
