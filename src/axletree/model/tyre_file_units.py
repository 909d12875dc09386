"""Units of tyre property files: the words of ``[UNITS]``, and which key is of what dimension.

Coefficients of a formula (``PDX1``, ``QSX2``, ``LMUX``) are plain numbers to the file: they
belong to newtons, metres and radians whatever ``[UNITS]`` says, and are never converted.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from axletree.core.units import parse_unit

SI_UNITS = {"LENGTH": "m", "FORCE": "N", "ANGLE": "rad", "MASS": "kg", "TIME": "s"}
SI_UNITS |= {"PRESSURE": "Pa"}

Dimension = Mapping[str, int]  # exponents by quantity of SI_UNITS

# What a file may call a unit, and what this package calls it.
_WORDS: dict[str, dict[str, str]] = {
    "LENGTH": {
        "meter": "m", "metre": "m", "m": "m", "centimeter": "cm", "centimetre": "cm", "cm": "cm",
        "millimeter": "mm", "millimetre": "mm", "mm": "mm", "kilometer": "km", "km": "km",
        "inch": "in", "in": "in", "foot": "ft", "feet": "ft", "ft": "ft",
    },
    "FORCE": {
        "newton": "N", "n": "N", "kilonewton": "kN", "knewton": "kN", "kn": "kN",
        "pound_force": "lbf", "pound": "lbf", "lbf": "lbf",
    },
    "ANGLE": {"radian": "rad", "rad": "rad", "degree": "deg", "deg": "deg"},
    "MASS": {
        "kg": "kg", "kilogram": "kg", "gram": "g", "g": "g", "tonne": "t",
        "pound_mass": "lb", "lbm": "lb", "lb": "lb",
    },
    "TIME": {
        "second": "s", "sec": "s", "s": "s", "millisecond": "ms", "ms": "ms",
        "minute": "min", "min": "min", "hour": "h", "h": "h",
    },
    "PRESSURE": {
        "pascal": "Pa", "pa": "Pa", "kilopascal": "kPa", "kpascal": "kPa", "kpa": "kPa",
        "megapascal": "MPa", "mpa": "MPa", "bar": "bar", "psi": "psi",
    },
}  # fmt: skip

_LENGTH: Dimension = {"LENGTH": 1}
_FORCE: Dimension = {"FORCE": 1}
_ANGLE: Dimension = {"ANGLE": 1}
_PRESSURE: Dimension = {"PRESSURE": 1}
_MASS: Dimension = {"MASS": 1}
_INERTIA: Dimension = {"MASS": 1, "LENGTH": 2}
_SPEED: Dimension = {"LENGTH": 1, "TIME": -1}
_STIFFNESS: Dimension = {"FORCE": 1, "LENGTH": -1}
_DAMPING: Dimension = {"FORCE": 1, "TIME": 1, "LENGTH": -1}
_FORCE_BY_ANGLE: Dimension = {"FORCE": 1, "ANGLE": -1}

# By section: MASS means a unit in [UNITS] and a number in [INERTIA].
_DIMENSIONS: dict[str, dict[str, Dimension]] = {
    "MODEL": {
        "LONGVL": _SPEED, "VXLOW": _SPEED, "ROAD_INCREMENT": _LENGTH,
        "HMAX_LOCAL": {"TIME": 1}, "TIME_SWITCH_INTEG": {"TIME": 1},
    },
    "DIMENSION": {
        "UNLOADED_RADIUS": _LENGTH, "WIDTH": _LENGTH, "RIM_RADIUS": _LENGTH,
        "RIM_WIDTH": _LENGTH, "BOTTOMING_RADIUS": _LENGTH,
    },
    "OPERATING_CONDITIONS": {
        "INFLPRES": _PRESSURE, "NOMPRES": _PRESSURE, "IP": _PRESSURE, "IP_NOM": _PRESSURE,
    },
    "INERTIA": {
        "MASS": _MASS, "IXX": _INERTIA, "IYY": _INERTIA, "BELT_MASS": _MASS,
        "BELT_IXX": _INERTIA, "BELT_IYY": _INERTIA, "GRAVITY": {"LENGTH": 1, "TIME": -2},
    },
    "VERTICAL": {
        "FNOMIN": _FORCE, "VERTICAL_STIFFNESS": _STIFFNESS, "VERTICAL_DAMPING": _DAMPING,
        "MC_CONTOUR_A": _LENGTH, "MC_CONTOUR_B": _LENGTH,
        "BOTTOM_OFFST": _LENGTH, "BOTTOM_STIFF": _STIFFNESS,
    },
    "STRUCTURAL": {
        "LONGITUDINAL_STIFFNESS": _STIFFNESS, "LATERAL_STIFFNESS": _STIFFNESS,
        "YAW_STIFFNESS": {"FORCE": 1, "LENGTH": 1, "ANGLE": -1},
        "FREQ_LONG": {"TIME": -1}, "FREQ_LAT": {"TIME": -1},
        "FREQ_YAW": {"TIME": -1}, "FREQ_WINDUP": {"TIME": -1},
    },
    "CONTACT_PATCH": {"ELLIPS_MAX_STEP": _LENGTH},
    "PARAMETER": {
        "VERTICAL_STIFFNESS": _STIFFNESS, "VERTICAL_DAMPING": _DAMPING,
        "ROLLING_RESISTANCE": _LENGTH, "CSLIP": _FORCE, "CALPHA": _FORCE_BY_ANGLE,
        "CGAMMA": _FORCE_BY_ANGLE, "RELAX_LENGTH_X": _LENGTH, "RELAX_LENGTH_Y": _LENGTH,
    },
    "ALIGNING_COEFFICIENTS": {"MBELT": _MASS},
    "INFLATION_PRESSURE_RANGE": {"PRESMIN": _PRESSURE, "PRESMAX": _PRESSURE},
    "VERTICAL_FORCE_RANGE": {"FZMIN": _FORCE, "FZMAX": _FORCE},
    "SLIP_ANGLE_RANGE": {"ALPMIN": _ANGLE, "ALPMAX": _ANGLE},
    "INCLINATION_ANGLE_RANGE": {"CAMMIN": _ANGLE, "CAMMAX": _ANGLE},
}  # fmt: skip

_TABLES: dict[str, tuple[Dimension, ...]] = {
    "DEFLECTION_LOAD_CURVE": (_LENGTH, _FORCE),
    "BOTTOMING_CURVE": (_LENGTH, _FORCE),
    "SHAPE": ({}, {}),  # shares of the free radius and of half the width
}


def dimension_of(section: str, key: str) -> Dimension:
    """Exponents of the units of a key; none for a plain number and for an unknown key."""
    return _DIMENSIONS.get(section, {}).get(key, {})


def column_dimensions(section: str) -> tuple[Dimension, ...]:
    """The dimensions of a table's columns; empty for an unknown table."""
    return _TABLES.get(section, ())


def unit_of_word(quantity: str, word: str) -> str | None:
    """``("LENGTH", "millimeter")`` is "mm"; None for a word that is no such unit."""
    plain = word.strip().lower()
    words = _WORDS[quantity]
    return words.get(plain) or words.get(plain.removesuffix("s"))


def known_words(quantity: str) -> str:
    return ", ".join(_WORDS[quantity])


def si_factor(dimension: Dimension, units: Mapping[str, str]) -> Fraction:
    """How many SI units one unit of the file is, for a key of this dimension."""
    factor = Fraction(1)
    for quantity, exponent in dimension.items():
        factor *= parse_unit(units.get(quantity, SI_UNITS[quantity])).factor ** exponent
    return factor
