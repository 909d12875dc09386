"""Curves through points: how tables of numbers are read, checked and integrated."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass
from typing import Any

from axletree.components.fields import structure
from axletree.core.errors import AxletreeError, ModelError
from axletree.core.units import to_si
from axletree.expr import Beyond, Table


class Interpolation(enum.Enum):
    """What runs between two points of a table."""

    LINEAR = "linear"  # straight lines, the slope jumps
    SMOOTH = "smooth"  # continuous slope, no overshoot
    SPLINE = "spline"  # continuous slope and curvature


_MAKERS = {
    Interpolation.LINEAR: Table.linear,
    Interpolation.SMOOTH: Table.smooth,
    Interpolation.SPLINE: Table.spline,
}


@dataclass(frozen=True)
class Curve:
    """A characteristic given by points (x, y) in the units of the field it is for; x rises.

    Example:
    >>> import axletree as at
    >>> pull = at.Curve((-0.1, 0.0, 0.1), (-200.0, 0.0, 400.0))  # m, N
    >>> float(pull.table.evaluate(0.1))
    400.0
    """

    x: tuple[float, ...]
    y: tuple[float, ...]
    kind: Interpolation = Interpolation.SMOOTH

    @property
    def table(self) -> Table:
        """The table through its points; beyond the ends the slope continues."""
        return table_through(self.x, self.y, self.kind, Beyond.SLOPE_CONTINUES)


def table_through(
    x: Sequence[float], y: Sequence[float], kind: Interpolation, beyond: Beyond
) -> Table:
    """The table; points that make none are a ModelError."""
    try:
        return _MAKERS[kind](x, y, beyond)
    except AxletreeError as error:
        raise ModelError(str(error)) from None


def integral(table: Table) -> Table:
    """The antiderivative that is 0 at its lowest breakpoint."""
    rows: list[tuple[float, ...]] = []
    total = 0.0  # at the origin of the row
    for k, row in enumerate(table.coefficients):
        integrated = (total, *(c / (power + 1) for power, c in enumerate(row)))
        rows.append(integrated)
        if 0 < k < len(table.breakpoints):
            width = table.breakpoints[k] - table.breakpoints[k - 1]
            total += sum(c * width**power for power, c in enumerate(integrated) if power)
    lowest = min(row[0] for row in rows)
    return Table(table.breakpoints, tuple((row[0] - lowest, *row[1:]) for row in rows))


def numbers_in(values: Any, unit: str, what: str) -> tuple[float, ...]:
    """A list of numbers or quantities, in SI units."""
    if isinstance(values, str | Mapping) or not hasattr(values, "__len__"):
        raise ModelError(f"expected a list of {what} [{unit}], got {values!r}")
    try:
        return tuple(to_si(value, expected=unit) for value in values)
    except AxletreeError as error:
        raise ModelError(f"{what}: {error}") from None


def interpolation(value: Any) -> Interpolation:
    """The member of the enumeration, or of its word."""
    for member in Interpolation:
        if value in (member, member.value):
            return member
    words = ", ".join(member.value for member in Interpolation)
    raise ModelError(f"kind {value!r} is not one of {words}")


def curve(x_unit: str, y_unit: str, description: str, *, default: Any = MISSING) -> Any:
    """A field for a characteristic: a ``Curve``, ``{x:, y:, kind:}`` or pairs ``[[x, y], ...]``."""

    def check(value: Any) -> Curve | None:
        if value is None and default is None:
            return None
        x, y, kind = _parts(value)
        made = Curve(numbers_in(x, x_unit, "x"), numbers_in(y, y_unit, "y"), interpolation(kind))
        _ = made.table  # points that make no table are refused here
        return made

    return structure("curve", f"{description}; x in {x_unit}", check, default, y_unit)


def _parts(value: Any) -> tuple[Any, Any, Any]:
    if isinstance(value, Curve):
        return value.x, value.y, value.kind
    if isinstance(value, Mapping):
        unknown = sorted(set(map(str, value)) - {"x", "y", "kind"})
        missing = sorted({"x", "y"} - set(value))
        if unknown or missing:
            found = f"unknown key {unknown[0]!r}" if unknown else f"missing key {missing[0]!r}"
            raise ModelError(f"{found}; a curve has x, y and, if wanted, kind")
        return value["x"], value["y"], value.get("kind", Interpolation.SMOOTH)
    pairs = None if isinstance(value, str) or not hasattr(value, "__len__") else list(value)
    if not pairs or any(isinstance(p, str) or not hasattr(p, "__len__") for p in pairs):
        raise ModelError(
            f"expected points as [[x, y], ...] or {{x: [...], y: [...]}}, got {value!r}"
        )
    for k, pair in enumerate(pairs, start=1):
        if len(pair) != 2:
            raise ModelError(f"point {k} has {len(pair)} numbers, expected x and y: {list(pair)!r}")
    return [p[0] for p in pairs], [p[1] for p in pairs], Interpolation.SMOOTH
