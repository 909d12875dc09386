"""The effective rolling radius, by three methods. Equation numbers are those of Morency 2007."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.components.fields import parameter
from axletree.components.parts import Part
from axletree.expr import atan
from axletree.expr.functions import Value


class RollingRadius(Part, ABC):
    """A method for the radius at which a free wheel rolls."""

    @abstractmethod
    def radius(self, unloaded: Value, loaded: Value, p: Any) -> Value:
        """R_eff [m] from the unloaded and the loaded radius [m] and parameters by name.

        Example:
        >>> import axletree as at
        >>> rolling = at.SaturatingRadius(nominal_deflection=0.02, B=8.4, D=0.27, F=0.07)
        >>> [round(float(rolling.radius(0.31, R, rolling.numbers)), 4) for R in (0.31, 0.30, 0.28)]
        [0.31, 0.3021, 0.2998]
        """


@dataclass(frozen=True)
class LoadedRadius(RollingRadius):
    """R_eff is the loaded radius.

    Example:
    >>> import axletree as at
    >>> at.LoadedRadius().radius(0.31, 0.29, {})  # m
    0.29
    """

    summary: ClassVar[str] = "the loaded radius"

    def radius(self, unloaded: Value, loaded: Value, p: Any) -> Value:
        return loaded


@dataclass(frozen=True)
class UnloadedRadius(RollingRadius):
    """R_eff is the unloaded radius.

    Example:
    >>> import axletree as at
    >>> at.UnloadedRadius().radius(0.31, 0.29, {})  # m
    0.31
    """

    summary: ClassVar[str] = "the unloaded radius"

    def radius(self, unloaded: Value, loaded: Value, p: Any) -> Value:
        return unloaded


@dataclass(frozen=True)
class SaturatingRadius(RollingRadius):
    """R_eff falls with load and levels off (3.12, 3.13).

    Example:
    >>> import axletree as at
    >>> rolling = at.SaturatingRadius(nominal_deflection=0.02, B=8.4, D=0.27, F=0.07)
    >>> print(f"{float(rolling.radius(0.31, 0.29, rolling.numbers)):.4f} m")
    0.3008 m
    """

    summary: ClassVar[str] = "falls with load and levels off (Adams and Pacejka)"

    nominal_deflection: float = parameter(
        "m", "deflection at the nominal load", lower=0.0, above=True
    )
    B: float = parameter("1", "how fast the radius falls at low load", lower=0.0)
    D: float = parameter("1", "how far it falls", lower=0.0)
    F: float = parameter("1", "how fast it falls at high load", lower=0.0)

    def radius(self, unloaded: Value, loaded: Value, p: Any) -> Value:
        rho, nominal = unloaded - loaded, p["nominal_deflection"]  # (3.12)
        return unloaded - (nominal * p["D"] * atan(p["B"] / nominal * rho) + p["F"] * rho)
