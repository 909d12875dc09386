"""The coefficients that only Magic Formula 5.2 has."""

from __future__ import annotations

from dataclasses import dataclass

from axletree.library.fields import parameter
from axletree.library.tyres.magic_formula.coefficients import coefficient, factor


@dataclass(frozen=True, kw_only=True)
class CamberScaling:
    """Factors on the inclination itself, one for each force and moment that it enters."""

    LGAX: float = factor("the inclination in Fx")
    LGAY: float = factor("the inclination in Fy")
    LGAZ: float = factor("the inclination in Mz")
    PHY3: float = coefficient("change of horizontal shift of Fy with inclination")


@dataclass(frozen=True, kw_only=True)
class Relaxation:
    """Relaxation lengths as functions of load."""

    LSGKP: float = factor("the longitudinal relaxation length")
    LSGAL: float = factor("the lateral relaxation length")
    PTX1: float = coefficient("longitudinal relaxation length over load at the nominal load")
    PTX2: float = coefficient("change of that length with load")
    PTX3: float = coefficient("exponent of that length with load")
    PTY1: float = coefficient("greatest lateral relaxation length over radius")
    PTY2: float = parameter(
        "1", "load of greatest lateral relaxation length over nominal load", default=1.0, lower=0.0
    )
