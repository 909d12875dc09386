"""The units that model files may use: each is a number times units that stand before it.

Values: BIPM, The International System of Units, 9th edition; NIST Special Publication 811,
appendix B (pound, inch, foot, mile, horsepower of 550 ft lbf/s, standard gravity).
"""

from __future__ import annotations

import math
from fractions import Fraction

BASE_UNITS = ("kg", "m", "s", "A", "K", "rad")
PREFIXES = {"p": -12, "n": -9, "u": -6, "m": -3, "c": -2, "d": -1, "da": 1, "h": 2, "k": 3}
PREFIXES |= {"M": 6, "G": 9, "T": 12}

_PI = Fraction(math.pi)
_POUND = Fraction("0.45359237")
_GRAVITY = Fraction("9.80665")

# Takes a prefix: kN, mH, uF.
PREFIXABLE_UNITS: dict[str, tuple[Fraction, str]] = {
    "g": (Fraction(1, 1000), "kg"),
    "N": (Fraction(1), "kg*m/s^2"),
    "J": (Fraction(1), "N*m"),
    "Nm": (Fraction(1), "N*m"),
    "W": (Fraction(1), "J/s"),
    "Pa": (Fraction(1), "N/m^2"),
    "Hz": (Fraction(1), "1/s"),
    "C": (Fraction(1), "A*s"),
    "V": (Fraction(1), "W/A"),
    "Ohm": (Fraction(1), "V/A"),
    "S": (Fraction(1), "A/V"),
    "F": (Fraction(1), "C/V"),
    "Wb": (Fraction(1), "V*s"),
    "T": (Fraction(1), "Wb/m^2"),
    "H": (Fraction(1), "Wb/A"),
    "bar": (Fraction(10**5), "Pa"),
    "Wh": (Fraction(3600), "J"),
    "l": (Fraction(1, 1000), "m^3"),
    "L": (Fraction(1, 1000), "m^3"),
}

PLAIN_UNITS: dict[str, tuple[Fraction, str]] = {
    "deg": (_PI / 180, "rad"),
    "°": (_PI / 180, "rad"),
    "rev": (2 * _PI, "rad"),
    "rpm": (2 * _PI / 60, "rad/s"),
    "min": (Fraction(60), "s"),
    "h": (Fraction(3600), "s"),
    "t": (Fraction(1000), "kg"),
    "in": (Fraction("0.0254"), "m"),
    "ft": (Fraction("0.3048"), "m"),
    "mi": (Fraction("1609.344"), "m"),
    "mph": (Fraction(1), "mi/h"),
    "lb": (_POUND, "kg"),
    "lbf": (_POUND * _GRAVITY, "N"),
    "psi": (Fraction(1), "lbf/in^2"),
    "hp": (Fraction(550), "ft*lbf/s"),
    "%": (Fraction(1, 100), "1"),
}

STANDARD_GRAVITY: tuple[Fraction, str] = (_GRAVITY, "m/s^2")

# What people call a dimension, and the unit in which it is usually given.
DIMENSION_NAMES = {
    "a plain number": "1",
    "an angle": "rad",
    "a length": "m",
    "an area": "m^2",
    "a volume": "m^3",
    "a mass": "kg",
    "a moment of inertia": "kg*m^2",
    "a time": "s",
    "a frequency": "Hz",
    "a speed": "m/s",
    "an angular speed": "rad/s",
    "an acceleration": "m/s^2",
    "an angular acceleration": "rad/s^2",
    "a force": "N",
    "a torque or an energy": "N*m",
    "a stiffness": "N/m",
    "a rotational stiffness": "N*m/rad",
    "a damping": "N*s/m",
    "a rotational damping": "N*m*s/rad",
    "a pressure": "Pa",
    "a power": "W",
    "a current": "A",
    "a voltage": "V",
    "a resistance": "Ohm",
    "an inductance": "H",
    "a capacitance": "F",
}
