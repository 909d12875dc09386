"""Tyres to look at: that of a passenger car, without and with the terms of version 6.1."""

from __future__ import annotations

from typing import Final

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
