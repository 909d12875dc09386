"""Units of model files: ``to_si("60 kN/m", expected="N/m")`` is 60000.0; plain numbers are SI.

An angle is dimensionless but named: its exponent is kept beside the others, so that "3 deg" is
no friction coefficient and "50 Hz" no angular speed. Factors are exact fractions, and "0.1 mm"
is the same float as 1e-4.

The table has the values of BIPM, The International System of Units, 9th edition, and of NIST
Special Publication 811, appendix B (pound, inch, foot, mile, horsepower of 550 ft lbf/s, standard
gravity). ``printed_unit`` writes units as people do; files keep the plain ones.
"""

from __future__ import annotations

import difflib
import math
import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from numbers import Real

from axletree.core.errors import AxletreeError
from axletree.core.files import package_table

BASE_UNITS = ("kg", "m", "s", "A", "K", "rad")
PREFIXES = {"p": -12, "n": -9, "u": -6, "m": -3, "c": -2, "d": -1, "da": 1, "h": 2, "k": 3}
PREFIXES |= {"M": 6, "G": 9, "T": 12}

_TABLE = package_table("axletree.core", "units.toml")


def _definitions(section: str) -> dict[str, tuple[Fraction, str]]:
    """Of units by name: how many of which other unit."""
    split = {name: text.split() for name, text in _TABLE[section].items()}
    return {name: (Fraction(factor), unit) for name, (factor, unit) in split.items()}


_PI = Fraction(math.pi)
PREFIXABLE_UNITS = _definitions("prefixable")
PLAIN_UNITS = {
    "deg": (_PI / 180, "rad"),
    "°": (_PI / 180, "rad"),
    "rev": (2 * _PI, "rad"),
    "rpm": (2 * _PI / 60, "rad/s"),
} | _definitions("plain")
DIMENSION_NAMES: dict[str, str] = _TABLE["dimensions"]  # with the unit that is usual

# Sizes in SI units; nothing in nature is outside, and products of five of them are still numbers.
SMALLEST_VALUE, LARGEST_VALUE = 1e-60, 1e60
_LONGEST = 100  # characters; a longer text is no quantity, and is not worth the work of parsing
_NUMBER = re.compile(r"\s*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?)(?![0-9_.,])")
_TOKEN = re.compile(r"\s*(\*\*|[*/^()·°%]|[+-]?[0-9]+|[^\W\d_]+)")
_EXPONENT = re.compile(r"[+-]?[0-9]")
_SPELLINGS = {"\N{MICRO SIGN}": "u", "\N{GREEK SMALL LETTER MU}": "u", "²": "^2", "³": "^3"}
_SPELLINGS |= {"\N{OHM SIGN}": "Ohm", "\N{GREEK CAPITAL LETTER OMEGA}": "Ohm"}


class UnitError(AxletreeError):
    """A text that is no quantity, or a quantity of another dimension than expected."""


class _UnknownName(UnitError):
    """A name that is no unit's, before suggestions are looked for, which are parsed in turn."""


class UnknownUnitError(UnitError):
    """A name that is no unit's, in a text; suggestions make a unit of the dimension, if given."""

    def __init__(self, name: str, text: str, dimension: tuple[int, ...] | None = None) -> None:
        self.name = name
        close = _MEANT.get(name) or difflib.get_close_matches(name, _UNITS, n=len(_UNITS))
        fitting = [one for one in close if _fits(text.replace(name, one, 1), dimension)][:3]
        advice = f"; did you mean {' or '.join(fitting)}?" if fitting else "."
        super().__init__(
            f"unknown unit {name!r} in {text!r}{advice} "
            f"The units are {', '.join(_UNITS)}; the prefixes are {', '.join(PREFIXES)}"
        )


def _fits(text: str, dimension: tuple[int, ...] | None) -> bool:
    try:
        return _parsed(text).dimension == dimension or dimension is None
    except _UnknownName:  # one more is unknown, which is said next
        return dimension is None
    except UnitError:
        return False


@dataclass(frozen=True)
class Unit:
    """How many SI units one of these is, and of what dimension."""

    factor: Fraction
    dimension: tuple[int, ...]  # exponents of BASE_UNITS

    def __mul__(self, other: Unit) -> Unit:
        exponents = tuple(a + b for a, b in zip(self.dimension, other.dimension, strict=True))
        return Unit(self.factor * other.factor, exponents)

    def __truediv__(self, other: Unit) -> Unit:
        return self * other**-1

    def __pow__(self, exponent: int) -> Unit:
        return Unit(self.factor**exponent, tuple(a * exponent for a in self.dimension))

    def scaled(self, factor: Fraction) -> Unit:
        return Unit(factor * self.factor, self.dimension)


def to_si(value: str | float, expected: str) -> float:
    """The value in SI units; ``expected`` is any unit of the dimension that is asked for.

    A number, or a text without a unit, is taken as SI. A bare "g" is the gram, but the standard
    gravity, 9.80665 m/s^2, where an acceleration is expected.
    """
    wanted = parse_unit(expected)
    if not isinstance(value, str):
        return _finite(value, repr(value), expected)
    match = _NUMBER.match(value)
    if match is None or len(value) > _LONGEST:
        raise UnitError(
            f"{_shortened(repr(value))} is no quantity: expected a number, or a number and a unit, "
            f"for example {_example(expected)}"
        )
    text = value[match.end() :].strip()
    try:
        unit = parse_unit(text) if text else Unit(Fraction(1), wanted.dimension)
    except UnknownUnitError as error:
        raise UnknownUnitError(error.name, text, wanted.dimension) from None
    if text == "g" and wanted.dimension == _GRAVITY.dimension:
        unit = _GRAVITY
    if unit.dimension != wanted.dimension:
        raise UnitError(_mismatch(value, unit, expected, wanted))
    return _finite(Fraction(match[1]) * unit.factor, repr(value), expected)


def units_in(unit: str, si_unit: str) -> float:
    """How many of a unit one SI unit of the same dimension is: what values in SI are times.

    Example:
    >>> from axletree.core.units import units_in
    >>> units_in("km/h", "m/s"), units_in("g", "kg"), round(units_in("g", "m/s^2"), 6)
    (3.6, 1000.0, 0.101972)
    """
    wanted, own = parse_unit(unit), parse_unit(si_unit)
    if unit.strip() == "g" and own.dimension == _GRAVITY.dimension:
        wanted = _GRAVITY
    if wanted.dimension != own.dimension:
        raise UnitError(
            f"{unit!r} is a unit of {_describe(wanted)}, but one of {_describe(own)} is expected"
        )
    return float(own.factor / wanted.factor)


def si_unit(unit: str) -> str:
    """The SI unit of the same dimension, by its usual name.

    Example:
    >>> from axletree.core.units import si_unit
    >>> si_unit("deg/s"), si_unit("kN"), si_unit("%"), si_unit("km/h^2")
    ('rad/s', 'N', '1', 'm/s^2')
    """
    dimension = parse_unit(unit).dimension
    for usual in DIMENSION_NAMES.values():
        named = parse_unit(usual)
        if named.dimension == dimension and named.factor == 1:
            return usual
    powers = [(base, n) for base, n in zip(BASE_UNITS, dimension, strict=True) if n]
    return "*".join(base if n == 1 else f"{base}^{n}" for base, n in powers) or "1"


@lru_cache(maxsize=1024)
def parse_unit(text: str) -> Unit:
    """Read a unit such as ``N*m/rad``, ``kg m^2`` or ``1/s``; a space is a product."""
    if len(text) > _LONGEST:
        raise UnitError(
            f"{_shortened(repr(text))} is no unit: it is longer than {_LONGEST} characters"
        )
    try:
        return _parsed(text)
    except _UnknownName as error:
        raise UnknownUnitError(str(error), text) from None


def _parsed(text: str) -> Unit:
    unit, rest = _product(_tokens(text), text)
    if rest:
        raise _unreadable(text, f"{rest[0]!r} is not expected there")
    return unit


def unit_of_rate(unit: str) -> str:
    """m/s of m, m/s^2 of m/s."""
    return f"{unit}^2" if unit.endswith("/s") else f"{unit}/s"


def _tokens(text: str) -> list[str]:
    spelled = text.strip()
    for spelling, plain in _SPELLINGS.items():
        spelled = spelled.replace(spelling, plain)
    tokens, position = [], 0
    while position < len(spelled):
        match = _TOKEN.match(spelled, position)
        if match is None:
            raise _unreadable(text, f"{spelled[position]!r} is not understood")
        tokens.append(match[1])
        position = match.end()
    return tokens


def _product(tokens: list[str], text: str) -> tuple[Unit, list[str]]:
    """Factors from left to right, until the end or a closing bracket; and what is left."""
    unit, rest = _power(tokens, text)
    divided = False
    while rest and rest[0] != ")":
        operator = rest[0] if rest[0] in ("*", "·", "/") else " "
        if operator == " " and divided:
            raise _unreadable(text, "a space after '/' has two meanings; write '*' or brackets")
        factor, rest = _power(rest if operator == " " else rest[1:], text)
        divided = divided or operator == "/"
        unit = unit / factor if operator == "/" else unit * factor
    return unit, rest


def _power(tokens: list[str], text: str) -> tuple[Unit, list[str]]:
    """A name, a "1" or a bracket, with its exponent if there is one; and what is left."""
    if not tokens:
        raise _unreadable(text, "a unit is missing at the end")
    head, rest = tokens[0], tokens[1:]
    if head == "(":
        unit, rest = _product(rest, text)
        if not rest:
            raise _unreadable(text, "a bracket is not closed")
        rest = rest[1:]
    else:
        unit = _named(head, text)
    if not rest or rest[0] not in ("^", "**"):
        return unit, rest
    if len(rest) < 2 or _EXPONENT.fullmatch(rest[1]) is None:
        raise _unreadable(text, "an exponent is a whole number from -9 to 9")
    return unit ** int(rest[1]), rest[2:]


# What people write for products and quotients that have no name of their own.
_MEANT = {"kmh": ["km/h"], "kph": ["km/h"], "mps": ["m/s"], "kgm2": ["kg*m^2"]}


def _named(name: str, text: str) -> Unit:
    if name in _UNITS:
        return _UNITS[name]
    for prefix, exponent in PREFIXES.items():
        stem = name.removeprefix(prefix)
        if stem != name and stem in _PREFIXABLE:
            return _UNITS[stem].scaled(Fraction(10) ** exponent)
    if not name[0].isalpha():
        raise _unreadable(text, f"{name!r} stands where a unit is expected")
    raise _UnknownName(name)


def _finite(number: float | Fraction, found: str, expected: str) -> float:
    if isinstance(number, bool) or not isinstance(number, Real):
        raise UnitError(
            f"{_shortened(found)} is no quantity: expected a number, or a text such as "
            f"{_example(expected)}"
        )
    try:
        value = float(number)
    except OverflowError:
        value = math.inf
    if not math.isfinite(value):
        raise UnitError(
            f"{_shortened(found)} is not a finite number: expected one such as {_example(expected)}"
        )
    if value and not SMALLEST_VALUE <= abs(value) <= LARGEST_VALUE:
        raise UnitError(
            f"{_shortened(found)} is beyond computing: expected 0 or a size from "
            f"{SMALLEST_VALUE:g} to {LARGEST_VALUE:g} in SI units, such as {_example(expected)}"
        )
    return value


def _unreadable(text: str, reason: str) -> UnitError:
    return UnitError(
        f"cannot read the unit {text!r}: {reason}; units are written like N*m/rad or kg m^2"
    )


def _mismatch(value: str, unit: Unit, expected: str, wanted: Unit) -> str:
    message = f"{value!r} is {_describe(unit)}, but {_describe(wanted)} is expected"
    if unit.dimension[:-1] == wanted.dimension[:-1]:
        message += "; the two differ in the angle alone, which has to be named"
    return f"{message}; write for example {_example(expected)}"


def _describe(unit: Unit) -> str:
    for name, example in DIMENSION_NAMES.items():
        if parse_unit(example).dimension == unit.dimension:
            return f"{name} ({example})"
    powers = [(base, n) for base, n in zip(BASE_UNITS, unit.dimension, strict=True) if n]
    return "a quantity in " + "*".join(base if n == 1 else f"{base}^{n}" for base, n in powers)


def _example(expected: str) -> str:
    return "'2.5'" if expected == "1" else f"'2.5 {expected}'"


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "..."


def _base_unit(index: int) -> Unit:
    return Unit(Fraction(1), tuple(int(k == index) for k in range(len(BASE_UNITS))))


_PREFIXABLE = {"m", "s", "A", "K", "rad", *PREFIXABLE_UNITS}
_UNITS = {"1": Unit(Fraction(1), (0,) * len(BASE_UNITS))}
_UNITS |= {name: _base_unit(k) for k, name in enumerate(BASE_UNITS)}
for _name, (_factor, _definition) in {**PREFIXABLE_UNITS, **PLAIN_UNITS}.items():
    _UNITS[_name] = parse_unit(_definition).scaled(_factor)
_GRAVITY = parse_unit("m/s^2").scaled(Fraction("9.80665"))  # the standard one

_RAISED = str.maketrans("0123456789-.", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻·")


def printed_unit(unit: str) -> str:
    """With raised exponents and a dot between factors.

    Example:
    >>> from axletree.core.units import printed_unit
    >>> printed_unit("m/s^2"), printed_unit("N*m"), printed_unit("m/s^1.75")
    ('m/s²', 'N·m', 'm/s¹·⁷⁵')
    """
    raised = re.sub(r"\^(-?\d+(?:\.\d+)?)", lambda found: found[1].translate(_RAISED), unit)
    return raised.replace("*", "·")
