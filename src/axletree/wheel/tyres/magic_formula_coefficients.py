"""The coefficients of the Magic Formula: those of each version, their signs, and tyres to look at.

They are rows of ``magic-formula.csv``. Each bears the name that it has in tyre property files, so
that a file, a model, the equations and the generated code speak of the same thing. A coefficient
that is left out has no effect: factors are 1, everything else is 0.

A row tells what its coefficient turns with. One that shifts the slip angle changes its sign with
that of the slip angle, one that brings a side force per inclination with those of both, and so on.
With this, a file in other axes becomes one in ISO axes, and what tells left from right is what a
mirror turns round: conicity and ply steer.

Examples are a passenger car's tyre (column car: Morency 2007, table A.4; what is left out is zero,
and all factors are 1) and the same with terms of versions 6.1 and 6.2 of a usual size (car_6).
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final, TypeVar

from axletree.components.fields import parameter
from axletree.wheel.axis_systems import MIRROR, Signs

_T = TypeVar("_T")

_COMMON: Final = (
    "radii", "rolling resistance", "overturning", "aligning", "lateral", "longitudinal", "scaling",
    "nominal",
)  # fmt: skip
GROUPS_52: Final = (*_COMMON, "relaxation", "camber scaling")
GROUPS_61: Final = (*_COMMON, "pressure", "camber", "more moments", "structure", "turn slip")
GROUPS_62: Final = (*GROUPS_61, "load 6.2")
# Terms that a version lacks and that its equations, which are those of all, have without effect.
ABSENT_52: Final = ("camber", "more moments", "pressure", "structure")
ABSENT_61: Final = ("camber scaling",)

SPELLINGS: Final = {"LFZ0": "LFZO"}  # both occur


def _data_lines(name: str) -> list[str]:
    place = files("axletree").joinpath("data", "tyres", name)
    return place.read_text(encoding="utf-8").splitlines()


@cache
def _table() -> Mapping[str, Mapping[str, str]]:
    """The rows by the names of their coefficients."""
    return {row["name"]: row for row in csv.DictReader(_data_lines("magic-formula.csv"))}


@cache
def keys_elsewhere() -> frozenset[str]:
    """Keys of property files that mean something to others than the formula."""
    lines = _data_lines("magic-formula-elsewhere.txt")
    return frozenset(word for line in lines for word in line.split() if not line.startswith("#"))


def coefficient_fields(groups: tuple[str, ...]) -> Callable[[type[_T]], type[_T]]:
    """Gives a class the coefficients of these groups as fields, in the order of the table."""

    def with_fields(cls: type[_T]) -> type[_T]:
        chosen = {name: row for name, row in _table().items() if row["group"] in groups}
        cls.__annotations__ = dict.fromkeys(chosen, "float")
        for name, row in chosen.items():
            setattr(cls, name, _field(row))
        return dataclass(frozen=True, kw_only=True)(cls)

    return with_fields


def _field(row: Mapping[str, str]) -> Any:
    default: Any = float(row["default"]) if row["default"] else MISSING
    lower, above = 0.0 if row["lower"] else -math.inf, row["lower"] == ">0"
    return parameter(row["unit"], row["description"], default=default, lower=lower, above=above)


def neutral(groups: tuple[str, ...]) -> Mapping[str, float]:
    """The values at which the coefficients of these groups have no effect: their defaults."""
    rows = _table().items()
    return {name: float(row["default"]) for name, row in rows if row["group"] in groups}


def example_tyre(groups: tuple[str, ...], *columns: str) -> Mapping[str, float]:
    """The coefficients of these groups of a tyre to look at, by the first column that has one."""
    found = {}
    for name, row in _table().items():
        given = next(filter(None, (row[column] for column in columns)), "")
        if given and row["group"] in groups:
            found[name] = float(given)
    return found


def converted(coefficients: Mapping[str, Any], signs: Signs) -> dict[str, Any]:
    """The coefficients in axes in which what ``signs`` names counts the other way round.

    Rolling resistance goes by the spin of the wheel and has no sign of its own.
    """
    turns = signs.get("slip_angle", 1.0) < 0.0
    ends = {"ALPMIN": "ALPMAX", "ALPMAX": "ALPMIN"} if turns else {}
    return {
        ends.get(name, name): _turned(value) if name in ends or _sign(name, signs) < 0.0 else value
        for name, value in coefficients.items()
    }


def makes_a_side(coefficient: str) -> bool:
    """Whether left and right differ by this coefficient."""
    return _sign(coefficient, MIRROR) < 0.0


def _turned(value: Any) -> Any:
    """Without a negative zero; what is no number is left to those who check values."""
    return -value if isinstance(value, int | float) and value else value


def _sign(coefficient: str, signs: Signs) -> float:
    row, product = _table().get(coefficient), 1.0
    for quantity in row["turns_with"].split() if row else ():
        product *= signs.get(quantity, 1.0)
    return product
