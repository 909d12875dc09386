"""The coefficients that all versions of the Magic Formula have in common.

Each bears the name that it has in tyre property files, so that a file, a model, the
equations and the generated code speak of the same thing. A coefficient that is left out
has no effect: factors are 1, everything else is 0.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from axletree.library.fields import parameter


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
