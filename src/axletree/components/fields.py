"""What a component is made of, declared: each field's unit, bounds and one sentence.

A component is a frozen dataclass whose fields are made by the functions of this file.
The declaration serves construction from Python, model files, the JSON schema, the
reference pages and the parameters of the equations alike.

``grid`` declares a field of rows and columns of numbers.
"""

from __future__ import annotations

import dataclasses
import enum
import math
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass
from typing import Any

import numpy as np

from axletree.core.errors import AxletreeError, ModelError
from axletree.core.units import to_si
from axletree.expr.vectors import unit_vector


@dataclass(frozen=True)
class FieldKind:
    """How a field is checked; ``check`` returns the value to keep or raises ModelError."""

    word: str  # what the field is, for schema and reference
    description: str
    check: Callable[[Any], Any]
    unit: str = "1"
    lower: float = -math.inf
    upper: float = math.inf
    above: bool = False  # whether the lower bound itself is excluded
    length: int = 1  # components of a vector
    choices: tuple[str, ...] = ()
    section: str = ""  # of the catalogue, for a field that holds a part
    holds: Any = None  # the class of a piece


def _field(kind: FieldKind, default: Any = MISSING) -> Any:
    metadata = {"kind": kind}
    if default is MISSING:
        return dataclasses.field(metadata=metadata)
    if callable(default) and not isinstance(default, enum.Enum):
        return dataclasses.field(metadata=metadata, default_factory=default)
    return dataclasses.field(metadata=metadata, default=default)


def kind_of(field: dataclasses.Field[Any]) -> FieldKind | None:
    kind = field.metadata.get("kind")
    return kind if isinstance(kind, FieldKind) else None


# -- numbers ----------------------------------------------------------------------------


def finite_number(value: Any, unit: str) -> float:
    """A number or a quantity of this dimension as a finite number in SI units."""
    try:
        number = to_si(value, expected=unit)
    except AxletreeError as error:
        raise ModelError(str(error)) from None
    if not math.isfinite(number):
        raise ModelError(f"{value!r} is not a finite number")
    return number


def _checked_number(value: Any, unit: str, lower: float, upper: float, above: bool) -> float:
    number = finite_number(value, unit)
    shown = f"{number:g} {unit}" if unit != "1" else f"{number:g}"
    if above and number <= lower:
        raise ModelError(f"{shown} is not allowed, it must be greater than {lower:g}")
    if number < lower:
        raise ModelError(f"{shown} is not allowed, it must be at least {lower:g}")
    if number > upper:
        raise ModelError(f"{shown} is not allowed, it must be at most {upper:g}")
    return number


def parameter(
    unit: str,
    description: str,
    *,
    default: Any = MISSING,
    lower: float = -math.inf,
    upper: float = math.inf,
    above: bool = False,
) -> Any:
    """A number that stays a symbol in the equations; ``above`` excludes the lower bound. Plain
    numbers and bounds are in SI units; a text has a unit of its own.

    A parameter whose value is exactly zero is left out of the equations.

    Example:
    >>> from axletree.components.fields import kind_of, parameter
    >>> kind_of(parameter("m", "height of a ripple", lower=0.0)).check("50 cm")
    0.5
    """

    def check(value: Any) -> float:
        return _checked_number(value, unit, lower, upper, above)

    return _field(FieldKind("parameter", description, check, unit, lower, upper, above), default)


def fixed_number(
    unit: str,
    description: str,
    *,
    default: Any = MISSING,
    lower: float = -math.inf,
    upper: float = math.inf,
    above: bool = False,
    whole: bool = False,
) -> Any:
    """A number that the equations are derived with: another value gives other equations."""

    def check(value: Any) -> float | None:
        if value is None and default is None:
            return None
        number = _checked_number(value, unit, lower, upper, above)
        if whole and number != int(number):
            raise ModelError(f"{number:g} is not a whole number")
        return int(number) if whole else number

    return _field(FieldKind("number", description, check, unit, lower, upper, above), default)


def optional_parameter(
    unit: str, description: str, *, lower: float = -math.inf, above: bool = False
) -> Any:
    """A number that may be left out; then it is None, and no symbol stands for it."""

    def check(value: Any) -> float | None:
        return None if value is None else _checked_number(value, unit, lower, math.inf, above)

    return _field(FieldKind("parameter", description, check, unit, lower, above=above), None)


def _sequence(value: Any, lengths: tuple[int, ...], what: str) -> tuple[Any, ...]:
    if isinstance(value, str | Mapping) or not hasattr(value, "__len__"):
        raise ModelError(f"expected {what}, got {value!r}")
    if len(value) not in lengths:
        raise ModelError(f"expected {what}, got {len(value)} numbers: {list(value)!r}")
    return tuple(value)


def vector_parameter(unit: str, description: str, *, default: Any = MISSING) -> Any:
    """Three numbers; those that are not zero stay symbols ``name.field.x`` and so on."""

    def check(value: Any) -> tuple[float, ...]:
        parts = _sequence(value, (3,), f"three numbers [{unit}]")
        return tuple(finite_number(part, unit) for part in parts)

    return _field(FieldKind("vector", description, check, unit, length=3), default)


def matrix_parameter(unit: str, description: str, size: int, *, default: Any = MISSING) -> Any:
    """A square matrix as rows, or its diagonal."""

    def check(value: Any) -> tuple[tuple[float, ...], ...]:
        rows = _sequence(value, (size,), f"{size} diagonal elements or {size} rows")
        if any(hasattr(row, "__len__") and not isinstance(row, str) for row in rows):
            rows = tuple(_sequence(row, (size,), f"a row of {size} numbers") for row in rows)
            return tuple(tuple(finite_number(x, unit) for x in row) for row in rows)
        diagonal = [finite_number(x, unit) for x in rows]
        return tuple(
            tuple(diagonal[i] if i == j else 0.0 for j in range(size)) for i in range(size)
        )

    return _field(FieldKind("matrix", description, check, unit, length=size), default)


def inertia_parameter(description: str, *, default: Any = MISSING) -> Any:
    """Ixx, Iyy, Izz or Ixx, Iyy, Izz, Ixy, Ixz, Iyz: elements of the matrix [kg m^2]."""

    def check(value: Any) -> tuple[float, ...]:
        parts = _sequence(value, (3, 6), "3 or 6 inertias (Ixx, Iyy, Izz, Ixy, Ixz, Iyz)")
        numbers = tuple(finite_number(part, "kg*m^2") for part in parts)
        return numbers if len(numbers) == 6 else (*numbers, 0.0, 0.0, 0.0)

    return _field(FieldKind("inertia", description, check, "kg*m^2", length=6), default)


# -- geometry and structure -------------------------------------------------------------

_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
_AXES |= {f"-{name}": (-x, -y, -z) for name, (x, y, z) in _AXES.items()}


def _checked_axis(value: Any) -> tuple[float, float, float]:
    if isinstance(value, str):
        if value.strip() not in _AXES:
            raise ModelError(
                f"axis {value!r} is not known; expected x, y, z, -x, -y, -z or [x, y, z]"
            )
        return _AXES[value.strip()]
    parts = _sequence(value, (3,), "an axis: x, y, z or three numbers")
    numbers = tuple(finite_number(part, "1") for part in parts)
    if math.hypot(*numbers) < 1e-12:
        raise ModelError(f"axis {list(numbers)} has no length; a zero axis has no direction")
    return unit_vector(numbers)


def axis(description: str, *, default: Any = MISSING) -> Any:
    """A direction: ``x``, ``-y`` or three numbers of any length but zero."""
    return _field(FieldKind("axis", description, _checked_axis, "1", length=3), default)


def choice(options: type[enum.Enum], description: str, *, default: Any = MISSING) -> Any:
    """One of the members of an enumeration, or its value as a word."""
    words = tuple(str(member.value) for member in options)

    def check(value: Any) -> enum.Enum:
        if isinstance(value, options):
            return value
        for member in options:
            if str(member.value) == str(value):
                return member
        raise ModelError(f"{value!r} is not one of {', '.join(words)}")

    return _field(FieldKind("choice", description, check, choices=words), default)


def flag(description: str, *, default: Any = MISSING) -> Any:
    """True or false."""

    def check(value: Any) -> bool:
        if isinstance(value, bool):
            return value
        raise ModelError(f"expected true or false, got {value!r}")

    return _field(FieldKind("flag", description, check), default)


def structure(
    word: str,
    description: str,
    check: Callable[[Any], Any],
    default: Any = MISSING,
    unit: str = "1",
    section: str = "",
    holds: Any = None,
) -> Any:
    """A field of another kind (a frame, a terminal, a table), with its own check."""
    kind = FieldKind(word, description, check, unit, section=section, holds=holds)
    return _field(kind, default)


Rows = tuple[tuple[float, ...], ...]


def grid(unit: str, description: str, *, default: Any = MISSING, lower: float = -np.inf) -> Any:
    """A field for rows of numbers, all of one length: lists of lists, or an array."""

    def check(value: Any) -> Rows | None:
        if value is None and default is None:
            return None
        rows = _grid_rows(value, unit)
        low = min(min(row) for row in rows)
        if low < lower:
            raise ModelError(f"{low:g} is not allowed, it must be at least {lower:g}")
        return rows

    return structure("grid", description, check, default, unit)


def _grid_rows(value: Any, unit: str) -> Rows:
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not _is_list(value) or not all(_is_list(row) and len(row) for row in value) or not value:
        raise ModelError(f"expected rows of numbers [[...], ...], got {_shown(value)}")
    lengths = [len(row) for row in value]
    if len(set(lengths)) > 1:
        k = next(k for k, length in enumerate(lengths) if length != lengths[0])
        raise ModelError(
            f"row {k + 1} has {lengths[k]} numbers, row 1 has {lengths[0]}; "
            "expected rows of one length"
        )
    found = []
    for k, row in enumerate(value, start=1):
        try:
            found.append(tuple(finite_number(number, unit) for number in row))
        except ModelError as error:
            raise ModelError(f"row {k}: {error}") from None
    return tuple(found)


def _is_list(value: Any) -> bool:
    return not isinstance(value, str | Mapping) and hasattr(value, "__len__")


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
