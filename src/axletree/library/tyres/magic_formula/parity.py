"""How coefficients change sign with the axes and in a mirror, and which of them make a side.

A coefficient that shifts the slip angle changes its sign with that of the slip angle, one
that brings a side force per inclination with those of both, and so on. With this, a file
in other axes becomes one in ISO axes, and what tells left from right is what a mirror
turns round: conicity and ply steer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from axletree.library.tyres.axis_system import MIRROR, Signs

_ALPHA, _GAMMA = "slip_angle", "inclination"
_FY, _MX, _MZ = "Fy", "Mx", "Mz"

# What a coefficient goes with; one that is not here goes with nothing that changes sign.
_BY_KIND: Final[Mapping[tuple[str, ...], tuple[str, ...]]] = {
    (_ALPHA,): ("PHY1", "PHY2", "PEY3", "RHX1", "RBY3", "QHZ1", "QHZ2", "QEZ4"),
    (_ALPHA, _GAMMA): ("PHY3", "PEY4", "QHZ3", "QHZ4", "QEZ5"),
    (_GAMMA,): ("QBZ4", "QDZ3"),
    (_FY,): ("PVY1", "PVY2", "RVY1", "RVY2"),
    (_FY, _GAMMA): ("PVY3", "PVY4", "RVY3", "PKY6", "PKY7", "QSX8"),
    (_FY, _ALPHA): ("PKY1", "QBZ10"),
    (_MZ,): ("QDZ6", "QDZ7", "SSZ1"),
    (_MZ, _GAMMA): ("QDZ8", "QDZ9", "QDZ10", "QDZ11", "SSZ3", "SSZ4"),
    (_MZ, _FY): ("SSZ2",),
    (_MX,): ("QSX1",),
    (_MX, _GAMMA): ("QSX2", "QSX4", "QSX10", "QSX12"),
    (_MX, _FY): ("QSX3", "QSX13", "QSX14"),
}
_KINDS: Final = {name: kind for kind, names in _BY_KIND.items() for name in names}


def converted(coefficients: Mapping[str, Any], signs: Signs) -> dict[str, Any]:
    """The coefficients in axes in which what ``signs`` names counts the other way round.

    Rolling resistance goes by the spin of the wheel and has no sign of its own.
    """
    ends = {"ALPMIN": "ALPMAX", "ALPMAX": "ALPMIN"} if signs.get(_ALPHA, 1.0) < 0.0 else {}
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
    product = 1.0
    for quantity in _KINDS.get(coefficient, ()):
        product *= signs.get(quantity, 1.0)
    return product
