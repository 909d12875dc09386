"""Axis systems of tyre data, and which quantities change sign between them: the one place.

In all of them x is forward, the longitudinal slip is positive when driven, and a positive
inclination is a lean to the right; all forces are those of the road on the tyre.

* ISO 8855 (the W axes of TYDEX, in which this package works): y left, z up; a positive slip
  angle is a drift to the left and comes with a negative Fy.
* SAE J670e: y right, z down; a positive slip angle is a drift to the right and comes with a
  negative Fy. The load is a negative Fz.
* Adapted SAE (Pacejka 2012, appendix 1): the axes of SAE, but a positive slip angle comes
  with a positive Fy, and Fz counts as a load, positive.

Turn slip has one sign in all three: with the inclination (Pacejka 2012, eq. 4.76).

A tyre is for a side of the vehicle, and in a mirror on the other.
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, TypeVar

_T = TypeVar("_T")
Signs = Mapping[str, float]  # by the names of Contact and Forces, and Fz; what is not there is +1

# A mirror between left and right.
MIRROR: Final[Signs] = MappingProxyType(
    {"slip_angle": -1.0, "inclination": -1.0, "turn_slip": -1.0, "lateral_speed": -1.0,
     "bore_rate": -1.0, "Fy": -1.0, "Mx": -1.0, "Mz": -1.0}
)  # fmt: skip


def with_signs(values: _T, signs: Signs) -> _T:
    """A dataclass with those of its fields turned round that the signs name."""
    fields: Any = values
    named = {f.name: getattr(fields, f.name) for f in dataclasses.fields(fields)}
    known = {name: value for name, value in named.items() if name in signs and value is not None}
    turned: _T = dataclasses.replace(fields, **{n: v * signs[n] for n, v in known.items()})
    return turned


class AxisSystem(enum.Enum):
    """In which axes slip, forces and moments are given.

    Example:
    >>> import axletree as at
    >>> at.AxisSystem("sae").signs["Fy"], at.AxisSystem.ISO.signs
    (-1.0, {})
    """

    ISO = "iso"
    SAE = "sae"
    ADAPTED_SAE = "adapted-sae"

    @property
    def signs(self) -> Signs:
        """What changes its sign on the way to ISO axes, and on the way back."""
        return _SIGNS[self]


_TURNED: Final = {"Fy": -1.0, "My": -1.0, "Mz": -1.0}  # half a turn about x
_SIGNS: Final[Mapping[AxisSystem, Signs]] = MappingProxyType(
    {
        AxisSystem.ISO: {},
        AxisSystem.SAE: {**_TURNED, "slip_angle": -1.0, "Fz": -1.0},
        AxisSystem.ADAPTED_SAE: _TURNED,
    }
)


class TyreSide(enum.Enum):
    """Left and right as seen by the driver."""

    LEFT = "left"
    RIGHT = "right"
    EITHER = "either"  # not known, or of no account
