"""The coefficients of the Magic Formula: common ones, and those of each version.

Each bears the name that it has in tyre property files, so that a file, a model, the equations and
the generated code speak of the same thing. A coefficient that is left out has no effect: factors
are 1, everything else is 0.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from axletree.components.fields import parameter


def factor(description: str) -> Any:
    """A scaling factor: 1 leaves the measured tyre as it is."""
    return parameter("1", f"scaling factor of {description}", default=1.0)


def positive_factor(description: str) -> Any:
    return parameter("1", f"scaling factor of {description}", default=1.0, lower=0.0, above=True)


def coefficient(description: str, default: float = 0.0) -> Any:
    return parameter("1", description, default=default)


def neutral(*groups: type) -> Mapping[str, float]:
    """The values at which the coefficients of these groups have no effect: their defaults."""
    made = [group() for group in groups]
    return {f.name: getattr(group, f.name) for group in made for f in dataclasses.fields(group)}


@dataclass(frozen=True, kw_only=True)
class Nominal:
    """What the other coefficients refer to, and the range of the measurements."""

    FNOMIN: float = parameter("N", "nominal load Fz0", lower=0.0, above=True)
    UNLOADED_RADIUS: float = parameter("m", "free radius R0", lower=0.0, above=True)
    LONGVL: float = parameter("m/s", "reference speed V0", default=16.7, lower=0.0, above=True)
    VXLOW: float = parameter(
        "m/s", "speed below which shifts and trail fade out", default=1.0, lower=0.0, above=True
    )
    KPUMIN: float = coefficient("least longitudinal slip of the measurements", -1.5)
    KPUMAX: float = coefficient("greatest longitudinal slip of the measurements", 1.5)
    ALPMIN: float = parameter("rad", "least slip angle of the measurements", default=-1.5)
    ALPMAX: float = parameter("rad", "greatest slip angle of the measurements", default=1.5)
    CAMMIN: float = parameter("rad", "least inclination of the measurements", default=-0.26)
    CAMMAX: float = parameter("rad", "greatest inclination of the measurements", default=0.26)
    FZMAX: float = parameter("N", "greatest load of the measurements", default=1.0e6, lower=0.0)


@dataclass(frozen=True, kw_only=True)
class Scaling:
    """Factors with which a measured tyre is made another one."""

    LFZO: float = positive_factor("the nominal load")
    LCX: float = positive_factor("the shape of Fx")
    LMUX: float = positive_factor("the peak friction in Fx")
    LEX: float = factor("the curvature of Fx")
    LKX: float = factor("the slip stiffness in Fx")
    LHX: float = factor("the horizontal shift of Fx")
    LVX: float = factor("the vertical shift of Fx")
    LCY: float = positive_factor("the shape of Fy")
    LMUY: float = positive_factor("the peak friction in Fy")
    LEY: float = factor("the curvature of Fy")
    LKY: float = factor("the cornering stiffness")
    LHY: float = factor("the horizontal shift of Fy")
    LVY: float = factor("the vertical shift of Fy")
    LTR: float = factor("the pneumatic trail")
    LRES: float = factor("the residual moment")
    LXAL: float = factor("the influence of slip angle on Fx")
    LYKA: float = factor("the influence of longitudinal slip on Fy")
    LVYKA: float = factor("the side force that longitudinal slip induces")
    LS: float = factor("the arm of Fx about the vertical axis")
    LVMX: float = factor("the constant part of Mx")
    LMX: float = factor("Mx")
    LMY: float = factor("My")


@dataclass(frozen=True, kw_only=True)
class Longitudinal:
    """Fx, alone and with slip angle."""

    PCX1: float = parameter("1", "shape factor of Fx", lower=0.0, above=True)
    PDX1: float = coefficient("friction in Fx at the nominal load")
    PDX2: float = coefficient("change of friction in Fx with load")
    PDX3: float = parameter("1/rad^2", "loss of friction in Fx with inclination^2", default=0.0)
    PEX1: float = coefficient("curvature of Fx at the nominal load")
    PEX2: float = coefficient("change of curvature of Fx with load")
    PEX3: float = coefficient("change of curvature of Fx with load^2")
    PEX4: float = coefficient("difference of curvature of Fx, driven against braked")
    PKX1: float = coefficient("slip stiffness over load at the nominal load")
    PKX2: float = coefficient("change of slip stiffness over load with load")
    PKX3: float = coefficient("exponent of slip stiffness over load with load")
    PHX1: float = coefficient("horizontal shift of Fx at the nominal load")
    PHX2: float = coefficient("change of horizontal shift of Fx with load")
    PVX1: float = coefficient("vertical shift of Fx over load at the nominal load")
    PVX2: float = coefficient("change of vertical shift of Fx over load with load")
    RBX1: float = coefficient("slope of the loss of Fx with slip angle")
    RBX2: float = coefficient("change of that slope with longitudinal slip")
    RCX1: float = coefficient("shape of the loss of Fx with slip angle")
    REX1: float = coefficient("curvature of the loss of Fx with slip angle")
    REX2: float = coefficient("change of that curvature with load")
    RHX1: float = coefficient("shift of the loss of Fx with slip angle")


@dataclass(frozen=True, kw_only=True)
class Lateral:
    """Fy, alone and with longitudinal slip."""

    PCY1: float = parameter("1", "shape factor of Fy", lower=0.0, above=True)
    PDY1: float = coefficient("friction in Fy at the nominal load")
    PDY2: float = coefficient("change of friction in Fy with load")
    PDY3: float = parameter("1/rad^2", "loss of friction in Fy with inclination^2", default=0.0)
    PEY1: float = coefficient("curvature of Fy at the nominal load")
    PEY2: float = coefficient("change of curvature of Fy with load")
    PEY3: float = coefficient("change of curvature of Fy with the sign of slip angle")
    PEY4: float = parameter("1/rad", "the same, with inclination", default=0.0)
    PKY1: float = parameter("1/rad", "greatest cornering stiffness over nominal load")
    PKY2: float = parameter(
        "1", "load of greatest cornering stiffness over nominal load", lower=0.0, above=True
    )
    PKY3: float = parameter("1/rad", "loss of cornering stiffness with inclination", default=0.0)
    PHY1: float = parameter("rad", "horizontal shift of Fy at the nominal load", default=0.0)
    PHY2: float = parameter("rad", "change of horizontal shift of Fy with load", default=0.0)
    PVY1: float = coefficient("vertical shift of Fy over load at the nominal load")
    PVY2: float = coefficient("change of vertical shift of Fy over load with load")
    PVY3: float = parameter("1/rad", "vertical shift of Fy with inclination", default=0.0)
    PVY4: float = parameter("1/rad", "the same, with inclination and load", default=0.0)
    RBY1: float = coefficient("slope of the loss of Fy with longitudinal slip")
    RBY2: float = parameter("1/rad", "change of that slope with slip angle", default=0.0)
    RBY3: float = parameter("rad", "slip angle at which that slope is greatest", default=0.0)
    RCY1: float = coefficient("shape of the loss of Fy with longitudinal slip")
    REY1: float = coefficient("curvature of the loss of Fy with longitudinal slip")
    REY2: float = coefficient("change of that curvature with load")
    RHY1: float = coefficient("shift of the loss of Fy with longitudinal slip")
    RHY2: float = coefficient("change of that shift with load")
    RVY1: float = coefficient("side force that longitudinal slip induces, over friction")
    RVY2: float = coefficient("change of that force with load")
    RVY3: float = parameter("1/rad", "change of that force with inclination", default=0.0)
    RVY4: float = parameter("1/rad", "change of that force with slip angle", default=0.0)
    RVY5: float = coefficient("shape of that force over longitudinal slip")
    RVY6: float = coefficient("slope of that force over longitudinal slip")


@dataclass(frozen=True, kw_only=True)
class AligningCoefficients:
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
class OverturningCoefficients:
    """Mx."""

    QSX1: float = coefficient("constant part of Mx over load and radius")
    QSX2: float = parameter("1/rad", "loss of Mx with inclination", default=0.0)
    QSX3: float = coefficient("change of Mx with Fy")


@dataclass(frozen=True, kw_only=True)
class RollingResistanceCoefficients:
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
