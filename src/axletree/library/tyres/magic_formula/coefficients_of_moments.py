"""The coefficients of the three moments that all versions of the Magic Formula share."""

from __future__ import annotations

from dataclasses import dataclass

from axletree.library.fields import parameter
from axletree.library.tyres.magic_formula.coefficients import coefficient


@dataclass(frozen=True, kw_only=True)
class Aligning:
    """Mz: pneumatic trail, residual moment and arm of Fx."""

    QBZ1: float = coefficient("slope of the trail at the nominal load")
    QBZ2: float = coefficient("change of slope of the trail with load")
    QBZ3: float = coefficient("change of slope of the trail with load^2")
    QBZ4: float = parameter("1/rad", "change of slope of the trail with inclination", default=0.0)
    QBZ5: float = parameter("1/rad", "the same, with inclination of either sign", default=0.0)
    QBZ9: float = coefficient("slope of the residual moment")
    QBZ10: float = coefficient("slope of the residual moment by the stiffness factor of Fy")
    QCZ1: float = coefficient("shape of the trail")
    QDZ1: float = coefficient("peak of the trail at the nominal load over radius")
    QDZ2: float = coefficient("change of peak of the trail with load")
    QDZ3: float = parameter("1/rad", "change of peak of the trail with inclination", default=0.0)
    QDZ4: float = parameter("1/rad^2", "the same, with inclination^2", default=0.0)
    QDZ6: float = coefficient("residual moment over load and radius")
    QDZ7: float = coefficient("change of residual moment with load")
    QDZ8: float = parameter("1/rad", "residual moment with inclination", default=0.0)
    QDZ9: float = parameter("1/rad", "residual moment with inclination and load", default=0.0)
    QEZ1: float = coefficient("curvature of the trail at the nominal load")
    QEZ2: float = coefficient("change of curvature of the trail with load")
    QEZ3: float = coefficient("change of curvature of the trail with load^2")
    QEZ4: float = coefficient("change of curvature of the trail with the sign of slip angle")
    QEZ5: float = parameter("1/rad", "the same, with inclination", default=0.0)
    QHZ1: float = parameter("rad", "shift of the trail at the nominal load", default=0.0)
    QHZ2: float = parameter("rad", "change of shift of the trail with load", default=0.0)
    QHZ3: float = coefficient("change of shift of the trail with inclination")
    QHZ4: float = coefficient("change of shift of the trail with inclination and load")
    SSZ1: float = coefficient("arm of Fx over radius")
    SSZ2: float = coefficient("change of the arm of Fx with Fy")
    SSZ3: float = parameter("1/rad", "change of the arm of Fx with inclination", default=0.0)
    SSZ4: float = parameter("1/rad", "the same, with inclination and load", default=0.0)


@dataclass(frozen=True, kw_only=True)
class Overturning:
    """Mx."""

    QSX1: float = coefficient("constant part of Mx over load and radius")
    QSX2: float = parameter("1/rad", "loss of Mx with inclination", default=0.0)
    QSX3: float = coefficient("change of Mx with Fy")


@dataclass(frozen=True, kw_only=True)
class RollingResistance:
    """My."""

    QSY1: float = coefficient("rolling resistance")
    QSY2: float = coefficient("change of rolling resistance with Fx")
    QSY3: float = coefficient("change of rolling resistance with speed")
    QSY4: float = coefficient("change of rolling resistance with speed^4")


@dataclass(frozen=True, kw_only=True)
class Radii:
    """The effective rolling radius."""

    VERTICAL_STIFFNESS: float = parameter(
        "N/m", "vertical stiffness at the nominal load", default=2.0e5, lower=0.0, above=True
    )
    BREFF: float = coefficient("slope of the effective radius at low load", 8.4)
    DREFF: float = coefficient("peak of the effective radius", 0.27)
    FREFF: float = coefficient("slope of the effective radius at high load", 0.07)
    Q_RE0: float = coefficient("radius at rest over free radius", 1.0)
    Q_V1: float = coefficient("growth of the radius with spin rate^2")
