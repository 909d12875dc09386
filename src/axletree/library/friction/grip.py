"""What the effects of friction tell one another. ISO W axes: x forward, y left, z up.

Andres 2009 has y up, and wheels that roll towards -e_Long at a positive spin. Formulas from there
are converted once, here in words and in each file in its formula:

    V_Ex = -v_SlipLong    Fx = -f_Long    Mx = -t_Long    gamma = -phi (lean to the right)
    V_Py = v_Lat          Fy = f_Lat      My = t_Lat      Mz = t_N
    Omega R = v_RotLong

With absolute values where these are for one rolling direction, all effects hold for both.
"""

from __future__ import annotations

from dataclasses import dataclass

from axletree.library.tyres.contract import Value


@dataclass(frozen=True)
class Sliding:
    """How the tread moves over the road."""

    longitudinal_speed: Value  # V_Ex [m/s], + forward
    lateral_speed: Value  # V_Py and what camber adds to it [m/s], + to the left
    rolling_speed: Value  # Omega R [m/s], + when rolling forward


@dataclass(frozen=True)
class Coefficients:
    """What a sliding velocity gives: forces over the load, and where the tread adheres."""

    longitudinal: Value  # Fx / Fz [1]
    lateral: Value  # Fy / Fz [1]
    adhesion_speed: Value  # v_Ad [m/s], greater than 0: the sliding speed of greatest friction
    full_sliding_speed: Value  # v_Sl [m/s], greater than v_Ad: from it on, friction is constant


@dataclass(frozen=True)
class Grip:
    """The forces of sliding, and what the moments need of it."""

    sliding: Sliding
    Fx: Value  # [N]
    Fy: Value  # [N]
    adhesion_speed: Value  # v_Ad [m/s]
    full_sliding_speed: Value  # v_Sl [m/s]
    factor: Value  # [1], on every friction coefficient: influence of load and of the surface
