"""Keys of property files that say nothing about steady-state forces."""

from __future__ import annotations

from typing import Final

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
