"""Data of the Magic Formula: keys and signs of property files, and tyres to look at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from axletree.wheel.axis_systems import MIRROR, Signs

ELSEWHERE: Final = frozenset({
    "FITTYP", "USE_MODE", "USER_SUB_ID", "N_TIRE_STATES", "HMAX_LOCAL", "TIME_SWITCH_INTEG",
    "ROAD_INCREMENT", "ROAD_DIRECTION", "SWITCH_INTEG", "MFSAFE1", "MFSAFE2", "MFSAFE3",
    "MESSAGES", "WIDTH", "ASPECT_RATIO", "RIM_RADIUS", "RIM_WIDTH", "BOTTOMING_RADIUS",
    "BOTTOM_OFFST", "BOTTOM_STIFF", "MASS", "IXX", "IYY", "BELT_MASS", "BELT_IXX", "BELT_IYY",
    "GRAVITY", "MBELT", "QTZ1", "LGYR", "VERTICAL_DAMPING", "DYNAMIC_STIFFNESS",
    "DYNAMIC_DAMPING", "VERTICAL_STIFFNESS", "MC_CONTOUR_A", "MC_CONTOUR_B", "Q_CAM", "Q_FZ1",
    "LCZ", "FZMIN", "LONGITUDINAL_STIFFNESS", "LATERAL_STIFFNESS", "YAW_STIFFNESS", "FREQ_LONG",
    "FREQ_LAT", "FREQ_YAW", "FREQ_WINDUP", "DAMP_LONG", "DAMP_LAT", "DAMP_YAW", "DAMP_WINDUP",
    "DAMP_RESIDUAL", "DAMP_VLOW", "Q_BVX", "Q_BVT", "PCMZ1", "PCFX1", "PCFX2", "PCFX3", "PCFY1",
    "PCFY2", "PCFY3", "Q_RA1", "Q_RA2", "Q_RB1", "Q_RB2", "Q_A1", "Q_A2", "ELLIPS_SHIFT",
    "ELLIPS_LENGTH", "ELLIPS_HEIGHT", "ELLIPS_ORDER", "ELLIPS_MAX_STEP", "ELLIPS_NWIDTH",
    "ELLIPS_NLENGTH", "ENV_C1", "ENV_C2", "LSGKP", "LSGAL", "PTX1", "PTX2", "PTX3", "PTX4",
    "PTY1", "PTY2", "PTY3", "LKG", "LIP",
})  # fmt: skip
# What these do vanishes at the nominal pressure.
OF_PRESSURE: Final = frozenset({
    "INFLPRES", "NOMPRES", "PRESMIN", "PRESMAX", "PPX1", "PPX2", "PPX3", "PPX4", "PPY1", "PPY2",
    "PPY3", "PPY4", "PPY5", "PPZ1", "PPZ2", "PPMX1", "PFZ1", "QPX1", "QPZ1", "QPZ2",
})  # fmt: skip
SPELLINGS: Final = {"LFZ0": "LFZO"}  # both occur

# How coefficients change sign with the axes and in a mirror, and which of them make a side.
#
# A coefficient that shifts the slip angle changes its sign with that of the slip angle, one
# that brings a side force per inclination with those of both, and so on. With this, a file
# in other axes becomes one in ISO axes, and what tells left from right is what a mirror
# turns round: conicity and ply steer.

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


# Tyres to look at: that of a passenger car, without and with the terms of version 6.1.

# Morency 2007, table A.4; the coefficients left out are zero, and all factors are 1.
CAR: Final = {
    "FNOMIN": 4850.0, "UNLOADED_RADIUS": 0.344, "LONGVL": 16.6,
    "PCX1": 1.6411, "PDX1": 1.1739, "PDX2": -0.16395, "PDX3": 5.0,
    "PEX1": 0.46403, "PEX2": 0.25022, "PEX3": 0.067842, "PEX4": -3.7604e-05,
    "PKX1": 22.303, "PKX2": 0.48896, "PKX3": 0.21253,
    "PHX1": 0.0012297, "PHX2": 0.0004318, "PVX1": -8.8098e-06, "PVX2": 1.862e-05,
    "RBX1": 13.276, "RBX2": -13.778, "RCX1": 1.2568,
    "REX1": 0.65225, "REX2": -0.24948, "RHX1": 0.0050722,
    "PCY1": 1.3507, "PDY1": 1.0489, "PDY2": -0.18033, "PDY3": -2.8821,
    "PEY1": -0.0074722, "PEY2": -0.0063208, "PEY3": -9.9935, "PEY4": -760.14,
    "PKY1": -21.92, "PKY2": 2.0012, "PKY3": -0.024778,
    "PHY1": 0.0026747, "PHY2": 8.9094e-05,
    "PVY1": 0.037318, "PVY2": -0.010049, "PVY3": -0.32931, "PVY4": -0.69553,
    "RBY1": 7.1433, "RBY2": 9.1916, "RBY3": -0.027856, "RCY1": 1.0719,
    "REY1": -0.27572, "REY2": 0.32802, "RHY1": 5.7448e-06, "RHY2": -3.1368e-05,
    "RVY1": -0.027825, "RVY2": 0.053604, "RVY3": -0.27568,
    "RVY4": 12.12, "RVY5": 1.9, "RVY6": -10.704,
    "QSY1": 0.01,
    "QBZ1": 10.904, "QBZ2": -1.8412, "QBZ3": -0.52041, "QBZ4": 0.039211, "QBZ5": 0.41511,
    "QBZ9": 8.9846, "QCZ1": 1.2136,
    "QDZ1": 0.093509, "QDZ2": -0.0092183, "QDZ3": -0.057061, "QDZ4": 0.73954,
    "QDZ6": -0.0067783, "QDZ7": 0.0052254, "QDZ8": -0.18175, "QDZ9": 0.029952,
    "QEZ1": -1.5697, "QEZ2": 0.33394, "QEZ4": 0.26711, "QEZ5": -3.594,
    "QHZ1": 0.0047326, "QHZ2": 0.0026687, "QHZ3": 0.11998, "QHZ4": 0.059083,
    "SSZ1": 0.033372, "SSZ2": 0.0043624, "SSZ3": 0.56742, "SSZ4": -0.24116,
}  # fmt: skip

CAR_52: Final = {**CAR, "PHY3": 0.031415}

# The same tyre with terms of pressure, inclination and turn slip of a usual size.
CAR_61: Final = {
    **CAR,
    "NOMPRES": 2.2e5, "PPX1": -0.4, "PPX2": 0.3, "PPX3": -0.1, "PPX4": 0.05,
    "PPY1": 0.4, "PPY2": 0.6, "PPY3": -0.1, "PPY4": 0.08, "PPY5": -0.5,
    "PPZ1": -0.4, "PPZ2": 0.2, "PPMX1": 0.1,
    "RBX3": 10.0, "RBY4": 5.0, "PEY5": 2.0, "PKY4": 1.9, "PKY5": 0.8, "PKY6": -0.9, "PKY7": -0.2,
    "QDZ10": 0.3, "QDZ11": -0.1,
    "QSX1": 0.001, "QSX2": 0.5, "QSX3": 0.04, "QSX4": 0.02, "QSX5": 1.0, "QSX6": 1.2,
    "QSX7": -0.8, "QSX8": 1.1, "QSX9": 0.4, "QSX10": 0.2, "QSX11": 1.5, "QSX12": 0.1,
    "QSX13": 0.01, "QSX14": 0.02,
    "QSY3": 4.0e-4, "QSY4": 1.0e-4, "QSY5": 0.02, "QSY6": 0.01, "QSY7": 0.85, "QSY8": -0.4,
    "PCFX1": 0.2, "PCFX3": 0.2, "PCFY1": -0.2, "PCFY3": 0.5,
    "Q_V1": 5.0e-4, "Q_V2": 0.03, "Q_FZ2": 14.0, "Q_FCX": 0.1, "Q_FCY": 0.2, "PFZ1": 0.7,
    "PDXP1": 0.4, "PDXP2": 0.1, "PDXP3": 0.2, "PKYP1": 1.0,
    "PDYP1": 0.4, "PDYP2": 0.1, "PDYP3": 0.2, "PDYP4": 0.1,
    "PHYP2": 0.15, "PHYP3": 0.01, "PHYP4": -4.0, "PECP1": 0.5, "PECP2": 0.1,
    "QDTP1": 10.0, "QCRP1": 0.2, "QCRP2": 0.1, "QBRP1": 0.1,
}  # fmt: skip

CAR_62: Final = {
    **CAR_61,
    "WIDTH": 0.225, "ASPECT_RATIO": 0.55, "Q_FCY2": -0.4, "Q_CAM1": 80.0, "Q_CAM2": 250.0,
    "Q_CAM3": 0.5, "Q_FYS1": -2.0e4, "Q_FYS2": -6.0e4, "Q_FYS3": 8.8e4,
}  # fmt: skip
