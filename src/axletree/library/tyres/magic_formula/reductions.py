"""The factors zeta0 to zeta8 by which turn slip reaches into the other equations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from axletree.library.tyres.magic_formula.shape import Value


@dataclass(frozen=True)
class Reductions:
    """All of them without effect by default (Pacejka 2012, eq. 4.E0)."""

    camber: Value = 1.0  # zeta0: 0 where spin speaks for the inclination
    peak_x: Value = 1.0  # zeta1
    peak_y: Value = 1.0  # zeta2
    stiffness_y: Value = 1.0  # zeta3
    shift_y: Value = 0.0  # zeta4 - 1 without the part of SVyg: SHyphi [rad]
    trail: Value = 1.0  # zeta5
    residual: Value = 1.0  # zeta6
    residual_shape: Value | None = None  # zeta7; None is 1, which needs no function
    turning_moment: Value = 0.0  # zeta8 - 1: Drphi [N m]


WITHOUT_TURN_SLIP: Final = Reductions()
