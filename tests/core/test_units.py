"""Units against scipy.constants and SymPy's units, and by properties of the parser."""

from __future__ import annotations

import contextlib
import math
import re
from fractions import Fraction

import numpy as np
import pytest
import scipy.constants as constants
import sympy
import sympy.physics.units as sympy_units
from hypothesis import given
from hypothesis import strategies as st

from axletree.core.units import (
    BASE_UNITS,
    PLAIN_UNITS,
    PREFIXABLE_UNITS,
    PREFIXES,
    Unit,
    UnitError,
    parse_unit,
    to_si,
)

NAMES = (*BASE_UNITS, *PREFIXABLE_UNITS, *PLAIN_UNITS)
SYMPY_NAMES = {"rad": "radian", "l": "liter", "L": "liter", "t": "tonne", "T": "tesla"}
SYMPY_NAMES |= {"g": "gram", "C": "coulomb", "S": "siemens", "F": "farad", "H": "henry"}
SYMPY_NAMES |= {"Ohm": "ohm", "h": "hour", "min": "minute", "lb": "pound", "Hz": "hertz"}
SYMPY_NAMES |= {"in": "inch", "mi": "mile", "Nm": "joule"}


@pytest.mark.parametrize(
    ("text", "expected", "value"),
    [
        ("60 kN/m", "N/m", 60000.0),
        ("60kN/m", "N/m", 60000.0),
        ("3 N*s/m", "N*s/m", 3.0),
        ("-2.5 N m/rad", "N*m/rad", -2.5),
        ("4 kg m^2", "kg*m^2", 4.0),
        ("4 kg m²", "kg*m^2", 4.0),
        ("4 kg·m**2", "kg*m^2", 4.0),
        ("0.1 mm", "m", 1e-4),
        ("7 mH", "H", 7e-3),
        ("4.7 uF", "F", 4.7e-6),
        ("4.7 \N{MICRO SIGN}F", "F", 4.7e-6),
        ("2.2 k\N{GREEK CAPITAL LETTER OMEGA}", "Ohm", 2200.0),
        ("1 N/(m*s)", "N/m/s", 1.0),
        ("8 1/s", "Hz", 8.0),
        ("5 %", "1", 0.05),
        ("250 g", "kg", 0.25),
        ("1.5e3", "N", 1500.0),
        ("+.5", "m", 0.5),
        (3, "m", 3.0),
        (np.float32(0.5), "m", 0.5),
        (np.int64(2), "m", 2.0),
    ],
)
def test_a_quantity_is_read_exactly(text: str | float, expected: str, value: float) -> None:
    assert to_si(text, expected) == value


@pytest.mark.parametrize(
    ("text", "expected", "value"),
    [
        ("1 deg", "rad", constants.degree),
        ("1 rpm", "rad/s", 2 * math.pi / 60),
        ("1 rev/s", "rad/s", 2 * math.pi),
        ("1 km/h", "m/s", constants.kmh),
        ("1 mph", "m/s", constants.mph),
        ("1 g", "m/s^2", constants.g),
        ("1 bar", "Pa", constants.bar),
        ("1 psi", "Pa", constants.psi),
        ("1 lb", "kg", constants.lb),
        ("1 lbf", "N", constants.lbf),
        ("1 in", "m", constants.inch),
        ("1 ft", "m", constants.foot),
        ("1 hp", "W", constants.hp),
        ("1 kWh", "J", 1000 * constants.hour),
    ],
)
def test_factors_agree_with_scipy(text: str, expected: str, value: float) -> None:
    assert to_si(text, expected) == pytest.approx(value, rel=1e-14)


# SymPy does not have these, or does not convert them to a number.
SYMPY_LACKS = {"rev", "rpm", "mph", "hp", "lbf", "Wh", "deg", "°", "%"}


@pytest.mark.parametrize("name", sorted(set(NAMES) - SYMPY_LACKS))
def test_factor_and_dimension_agree_with_sympy(name: str) -> None:
    theirs = sympy_factors(getattr(sympy_units, SYMPY_NAMES.get(name, name)))
    unit = parse_unit(name)
    assert unit.dimension[:-1] == theirs[1:]
    assert float(unit.factor) == pytest.approx(theirs[0], rel=1e-12)


def sympy_factors(unit: sympy.Expr) -> tuple[float | int, ...]:
    """The number and the exponents of kg, m, s, A and K; SymPy takes a radian as 1."""
    bases = [getattr(sympy_units, name) for name in BASE_UNITS[:-1]]
    converted = sympy_units.convert_to(unit, bases).subs(sympy_units.radian, 1)
    converted = sympy_units.convert_to(converted, bases)
    powers = converted.as_powers_dict()
    number = converted.subs(dict.fromkeys(bases, 1))
    return (float(number), *(int(powers[base]) for base in bases))


factors = st.tuples(st.sampled_from(NAMES), st.integers(-3, 3))


@given(st.lists(factors, min_size=1, max_size=5), st.booleans())
def test_a_product_of_powers_multiplies(parts: list[tuple[str, int]], with_spaces: bool) -> None:
    text = (" " if with_spaces else "*").join(f"{name}^{power}" for name, power in parts)
    product = Unit(Fraction(1), (0,) * len(BASE_UNITS))
    for name, power in parts:
        product = product * parse_unit(name) ** power
    assert parse_unit(text) == product


@given(st.sampled_from(NAMES), st.sampled_from(NAMES), st.sampled_from(NAMES))
def test_division_goes_from_left_to_right(a: str, b: str, c: str) -> None:
    assert parse_unit(f"{a}/{b}/{c}") == parse_unit(f"{a}/({b}*{c})")
    assert parse_unit(f"{a}/{b}*{c}") == parse_unit(f"{a} {c}/{b}")
    assert parse_unit(f"({a}/{b})^-2") == parse_unit(f"{b}^2/{a}^2")


@given(st.sampled_from(sorted(PREFIXES)), st.sampled_from([*PREFIXABLE_UNITS, "m", "s", "A"]))
def test_a_prefix_is_a_power_of_ten(prefix: str, name: str) -> None:
    name_with_prefix = prefix + name
    if name_with_prefix not in NAMES:
        expected = parse_unit(name).scaled(Fraction(10) ** PREFIXES[prefix])
        assert parse_unit(name_with_prefix) == expected


@given(st.floats(1e-60, 1e60) | st.floats(-1e60, -1e-60) | st.just(0.0))
def test_plain_numbers_are_unchanged(value: float) -> None:
    assert to_si(value, "kg") == value
    assert to_si(repr(value), "kg") == value
    assert to_si(f"{value!r} kg", "kg") == value


@given(st.sampled_from(NAMES), st.sampled_from(NAMES))
def test_dimensions_are_checked(found: str, expected: str) -> None:
    agree = parse_unit(found).dimension == parse_unit(expected).dimension
    if agree:
        assert to_si(f"2 {found}", expected) == float(2 * parse_unit(found).factor)
    else:
        with pytest.raises(UnitError, match=re.escape(f"write for example '2.5 {expected}'")):
            to_si(f"2 {found}", expected)


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(UnitError):
        assert math.isfinite(to_si(text, "m"))


@pytest.mark.parametrize(
    ("value", "expected", "message"),
    [
        ("3 deg", "m", "'3 deg' is an angle (rad), but a length (m) is expected"),
        ("3 deg", "1", "'3 deg' is an angle (rad), but a plain number (1) is expected"),
        ("50 Hz", "rad/s", "differ in the angle alone, which has to be named"),
        ("5 N*m", "N*m/rad", "but a rotational stiffness (N*m/rad) is expected"),
        ("5 kg^2/m", "m", "'5 kg^2/m' is a quantity in kg^2*m^-1, but a length"),
        ("3 N/m s", "N*s/m", "a space after '/' has two meanings"),
        ("3 Ohn", "Ohm", "unknown unit 'Ohn' in 'Ohn'; did you mean Ohm?"),
        ("3 kin", "m", "unknown unit 'kin'"),
        ("3 m^x", "m", "an exponent is a whole number from -9 to 9"),
        ("3 m^99", "m", "an exponent is a whole number from -9 to 9"),
        ("3 (m", "m", "a bracket is not closed"),
        ("3 m)", "m", "')' is not expected there"),
        ("3 m/", "m", "a unit is missing at the end"),
        ("3 2", "m", "'2' stands where a unit is expected"),
        ("3 m_s", "m", "'_' is not understood"),
        ("m", "m", "'m' is no quantity: expected a number, or a number and a unit"),
        ("0,5 m", "m", "'0,5 m' is no quantity"),
        ("", "m", "'' is no quantity"),
        ("nan", "m", "'nan' is no quantity"),
        ("1e309", "m", "'1e309' is not a finite number"),
        ("1e308 km", "m", "'1e308 km' is not a finite number"),
        ("1e308 N", "N", "'1e308 N' is beyond computing: expected 0 or a size from 1e-60 to 1e+60"),
        ("1e-300 m", "m", "'1e-300 m' is beyond computing"),
        (-1e-320, "s", "-1e-320 is beyond computing"),
        (math.inf, "m", "inf is not a finite number"),
        (10**400, "m", "is not a finite number"),
        (True, "m", "True is no quantity"),
        (None, "N", "None is no quantity: expected a number, or a text such as '2.5 N'"),
        ("1 " + "m" * 200, "m", "is no quantity"),
    ],
)
def test_a_mistake_is_explained(value: str | float, expected: str, message: str) -> None:
    with pytest.raises(UnitError, match=re.escape(message)):
        to_si(value, expected)


def test_a_large_exponent_costs_no_time_or_memory() -> None:
    with pytest.raises(UnitError, match="unknown unit 'e'"):
        to_si("1e-999999999 m", "m")


def test_a_name_that_stays_unknown_with_every_suggestion_is_refused() -> None:
    with pytest.raises(UnitError, match="unknown unit"):
        parse_unit("degsin(t)eg")
