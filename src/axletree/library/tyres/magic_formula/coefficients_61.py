"""The coefficients that Magic Formula 6.1 adds; at their defaults they have no effect."""

from __future__ import annotations

from dataclasses import dataclass

from axletree.library.fields import parameter
from axletree.library.tyres.magic_formula.coefficients import coefficient, factor


@dataclass(frozen=True, kw_only=True)
class Pressure:
    """Inflation pressure p through dpi = (p - NOMPRES)/NOMPRES."""

    NOMPRES: float = parameter(
        "Pa", "nominal inflation pressure", default=2.2e5, lower=0.0, above=True
    )
    INFLPRES: float = parameter(
        "Pa", "inflation pressure; 0 for the nominal one", default=0.0, lower=0.0
    )
    PRESMIN: float = parameter("Pa", "least pressure of the measurements", default=1.0e4)
    PRESMAX: float = parameter("Pa", "greatest pressure of the measurements", default=1.0e6)
    PPX1: float = coefficient("change of slip stiffness with dpi")
    PPX2: float = coefficient("change of slip stiffness with dpi^2")
    PPX3: float = coefficient("change of friction in Fx with dpi")
    PPX4: float = coefficient("change of friction in Fx with dpi^2")
    PPY1: float = coefficient("change of cornering stiffness with dpi")
    PPY2: float = coefficient("change of the load of greatest cornering stiffness with dpi")
    PPY3: float = coefficient("change of friction in Fy with dpi")
    PPY4: float = coefficient("change of friction in Fy with dpi^2")
    PPY5: float = coefficient("change of camber stiffness with dpi")
    PPZ1: float = coefficient("loss of trail with dpi")
    PPZ2: float = coefficient("change of residual moment with dpi")
    PPMX1: float = coefficient("change of Mx by inclination with dpi")


@dataclass(frozen=True, kw_only=True)
class Camber:
    """Large inclinations."""

    LKYC: float = factor("the camber stiffness in Fy")
    LKZC: float = factor("the camber stiffness in Mz")
    RBX3: float = parameter("1/rad^2", "change of slope RBX1 with inclination^2", default=0.0)
    RBY4: float = parameter("1/rad^2", "change of slope RBY1 with inclination^2", default=0.0)
    PEY5: float = parameter("1/rad^2", "change of curvature of Fy with inclination^2", default=0.0)
    PKY4: float = coefficient("curvature of cornering stiffness over load", 2.0)
    PKY5: float = parameter(
        "1/rad^2", "change of the load of greatest cornering stiffness, inclination^2", default=0.0
    )
    PKY6: float = parameter("1/rad", "camber stiffness over load", default=0.0)
    PKY7: float = parameter("1/rad", "change of camber stiffness over load with load", default=0.0)
    QDZ10: float = parameter("1/rad^2", "residual moment with inclination^2", default=0.0)
    QDZ11: float = parameter("1/rad^2", "the same, with load", default=0.0)


@dataclass(frozen=True, kw_only=True)
class MoreMoments:
    """Further terms of Mx and My."""

    QSX4: float = coefficient("change of Mx with load, Fy and inclination together")
    QSX5: float = coefficient("influence of load in QSX4")
    QSX6: float = coefficient("slope of the influence of load in QSX4")
    QSX7: float = coefficient("influence of inclination in QSX4")
    QSX8: float = coefficient("influence of Fy in QSX4")
    QSX9: float = coefficient("slope of the influence of Fy in QSX4")
    QSX10: float = parameter("1/rad", "change of Mx with inclination and load", default=0.0)
    QSX11: float = coefficient("slope of the influence of load in QSX10")
    QSX12: float = parameter("1/rad^2", "loss of Mx with inclination^2", default=0.0)
    QSX13: float = coefficient("arm of Fy over radius in Mx")
    QSX14: float = parameter("1/rad", "change of that arm with inclination", default=0.0)
    QSY5: float = parameter("1/rad^2", "rolling resistance with inclination^2", default=0.0)
    QSY6: float = parameter("1/rad^2", "the same, with load", default=0.0)
    QSY7: float = coefficient("exponent of load in rolling resistance", 1.0)
    QSY8: float = coefficient("exponent of pressure in rolling resistance")


@dataclass(frozen=True, kw_only=True)
class Structure:
    """The carcass: stiffness against forces in the contact patch."""

    LONGITUDINAL_STIFFNESS: float = parameter(
        "N/m", "longitudinal stiffness", default=3.0e5, lower=0.0, above=True
    )
    LATERAL_STIFFNESS: float = parameter(
        "N/m", "lateral stiffness", default=1.0e5, lower=0.0, above=True
    )
    PCFX1: float = coefficient("change of longitudinal stiffness with load")
    PCFX2: float = coefficient("change of longitudinal stiffness with load^2")
    PCFX3: float = coefficient("change of longitudinal stiffness with dpi")
    PCFY1: float = coefficient("change of lateral stiffness with load")
    PCFY2: float = coefficient("change of lateral stiffness with load^2")
    PCFY3: float = coefficient("change of lateral stiffness with dpi")
    Q_V2: float = coefficient("growth of vertical stiffness with spin rate")
    Q_FZ2: float = coefficient("quadratic part of load over deflection")
    Q_FCX: float = coefficient("loss of load with Fx")
    Q_FCY: float = coefficient("loss of load with Fy")
    PFZ1: float = coefficient("change of vertical stiffness with dpi")


@dataclass(frozen=True, kw_only=True)
class TurnSlip:
    """Turn slip and its reduction factors."""

    LMP: float = factor("the parking moment")
    PDXP1: float = coefficient("loss of peak Fx with spin")
    PDXP2: float = coefficient("change of that loss with load")
    PDXP3: float = coefficient("change of that loss with longitudinal slip")
    PKYP1: float = coefficient("loss of cornering stiffness with spin")
    PDYP1: float = coefficient("loss of peak Fy with spin")
    PDYP2: float = coefficient("change of that loss with load")
    PDYP3: float = coefficient("change of that loss with slip angle")
    PDYP4: float = coefficient("loss of peak Fy with the root of spin")
    PHYP1: float = coefficient("shape of the shift of Fy with spin", 1.0)
    PHYP2: float = parameter("rad", "peak of the shift of Fy with spin", default=0.0)
    PHYP3: float = parameter("rad", "change of that peak with load", default=0.0)
    PHYP4: float = coefficient("curvature of the shift of Fy with spin")
    PECP1: float = coefficient("part of the spin of inclination that is lost")
    PECP2: float = coefficient("change of that part with load")
    QDTP1: float = coefficient("loss of trail with spin")
    QCRP1: float = coefficient("moment of turning on the spot")
    QCRP2: float = coefficient("growth of the moment at a slip angle of 90 deg with spin")
    QBRP1: float = coefficient("loss of slope of the residual moment with spin")
    QDRP1: float = parameter("1", "shape of the moment of turn slip", default=1.0, lower=0.0)


@dataclass(frozen=True, kw_only=True)
class Load62:
    """Load over deflection as Magic Formula 6.2 has it."""

    WIDTH: float = parameter("m", "section width", default=0.2, lower=0.0, above=True)
    ASPECT_RATIO: float = coefficient("section height over width", 0.6)
    Q_FCY2: float = coefficient("exponent of deflection in the loss of load with Fy")
    Q_CAM1: float = parameter("1/m", "deflection by inclination, linear in radius", default=0.0)
    Q_CAM2: float = parameter("1/m^2", "deflection by inclination, radius^2", default=0.0)
    Q_CAM3: float = parameter("1/rad", "loss of deflection with inclination", default=0.0)
    Q_FYS1: float = parameter("N/rad", "shift of Fy by inclination in the load", default=0.0)
    Q_FYS2: float = parameter("N/rad", "the same, linear in loaded radius", default=0.0)
    Q_FYS3: float = parameter("N/rad", "the same, loaded radius^2", default=0.0)
