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

ELSEWHERE: Final = frozenset({
    "FITTYP", "USE_MODE", "USER_SUB_ID", "N_TIRE_STATES", "HMAX_LOCAL", "TIME_SWITCH_INTEG",
    "ROAD_INCREMENT", "ROAD_DIRECTION", "SWITCH_INTEG", "MFSAFE1", "MFSAFE2", "MFSAFE3",
    "MESSAGES", "WIDTH", "ASPECT_RATIO", "RIM_RADIUS", "RIM_WIDTH", "BOTTOMING_RADIUS",
    "BOTTOM_OFFST", "BOTTOM_STIFF", "MASS", "IXX", "IYY", "BELT_MASS", "BELT_IXX", "BELT_IYY",
    "GRAVITY", "MBELT", "QTZ1", "LGYR", "VERTICAL_DAMPING", "DYNAMIC_STIFFNESS",
    "DYNAMIC_DAMPING", "VERTICAL_STIFFNESS", "MC_CONTOUR_A", "MC_CONTOUR_B", "Q_CAM", "Q_FZ1",
    "LCZ", "FZMIN", "LONGITUDINAL_STIFFNESS", "LATERAL_STIFFNESS", "YAW_STIFFNESS", "FREQ_LONG",
    "FREQ_LAT", "FREQ_YAW", "FREQ_WINDUP", "DAMP_LONG", "DAMP_LAT", "DAMP_YAW", "DAMP_WINDUP",
    "DAMP_RESIDUAL", "DAMP_VLOW", "Q_BVX", "Q_BVT", "PCMZ1", "PCFX1", "PCFX2", "PCFX3", "PCFY1",
    "PCFY2", "PCFY3", "Q_RA1", "Q_RA2", "Q_RB1", "Q_RB2", "Q_A1", "Q_A2", "ELLIPS_SHIFT",
    "ELLIPS_LENGTH", "ELLIPS_HEIGHT", "ELLIPS_ORDER", "ELLIPS_MAX_STEP", "ELLIPS_NWIDTH",
    "ELLIPS_NLENGTH", "ENV_C1", "ENV_C2", "LSGKP", "LSGAL", "PTX1", "PTX2", "PTX3", "PTX4",
    "PTY1", "PTY2", "PTY3", "LKG", "LIP",
    # What these do vanishes at the nominal pressure.
    "INFLPRES", "NOMPRES", "PRESMIN", "PRESMAX", "PPX1", "PPX2", "PPX3", "PPX4", "PPY1", "PPY2",
    "PPY3", "PPY4", "PPY5", "PPZ1", "PPZ2", "PPMX1", "PFZ1", "QPX1", "QPZ1", "QPZ2",
})  # fmt: skip
SPELLINGS: Final = {"LFZ0": "LFZO"}  # both occur


@cache
def _table() -> Mapping[str, Mapping[str, str]]:
    """The rows by the names of their coefficients."""
    place = files("axletree").joinpath("data", "tyres", "magic-formula.csv")
    rows = csv.DictReader(place.read_text(encoding="utf-8").splitlines())
    return {row["name"]: row for row in rows}


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
