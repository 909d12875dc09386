"""The linear bicycle by the formulas of Meijaard et al. 2007, appendix A.

x forward, y right, z down; M q'' + v C1 q' + (g K0 + v^2 K2) q = f with q = (lean to the
right, steer to the right).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin

import numpy as np


@dataclass(frozen=True)
class Part:
    """Of the rear body B or the front frame H; inertias as they stand in the matrix."""

    x: float
    z: float
    m: float
    Ixx: float
    Izz: float
    Ixz: float


@dataclass(frozen=True)
class WheelPart:
    r: float
    m: float
    Ixx: float
    Iyy: float


@dataclass(frozen=True)
class Bicycle:
    """The benchmark by default (table 1)."""

    w: float = 1.02
    c: float = 0.08
    tilt: float = pi / 10.0
    R: WheelPart = WheelPart(0.3, 2.0, 0.0603, 0.12)
    B: Part = Part(0.3, -0.9, 85.0, 9.2, 2.8, 2.4)
    H: Part = Part(0.9, -0.7, 4.0, 0.05892, 0.00708, -0.00756)
    F: WheelPart = WheelPart(0.35, 3.0, 0.1405, 0.28)


@dataclass(frozen=True)
class LinearBicycle:
    M: np.ndarray
    C1: np.ndarray
    K0: np.ndarray
    K2: np.ndarray

    def eigenvalues(self, speed: float, gravity: float = 9.81) -> np.ndarray:
        """[1/s], the fastest growing first."""
        K = gravity * self.K0 + speed**2 * self.K2
        inverse = np.linalg.inv(self.M)
        A = np.block([[np.zeros((2, 2)), np.eye(2)], [-inverse @ K, -speed * inverse @ self.C1]])
        values = np.linalg.eigvals(A)
        return values[np.lexsort((-values.imag, -values.real))]


def linear_bicycle(p: Bicycle) -> LinearBicycle:
    R, B, H, F, w = p.R, p.B, p.H, p.F, p.w
    s, co = sin(p.tilt), cos(p.tilt)
    # The whole bicycle, T.
    mT = R.m + B.m + H.m + F.m
    xT = (B.x * B.m + H.x * H.m + w * F.m) / mT
    zT = (-R.r * R.m + B.z * B.m + H.z * H.m - F.r * F.m) / mT
    Txx = R.Ixx + B.Ixx + H.Ixx + F.Ixx
    Txx += R.m * R.r**2 + B.m * B.z**2 + H.m * H.z**2 + F.m * F.r**2
    Txz = B.Ixz + H.Ixz - B.m * B.x * B.z - H.m * H.x * H.z + F.m * w * F.r
    Tzz = R.Ixx + B.Izz + H.Izz + F.Ixx + B.m * B.x**2 + H.m * H.x**2 + F.m * w**2
    # The front assembly, A, and its inertias about the steering axis.
    mA = H.m + F.m
    xA, zA = (H.x * H.m + w * F.m) / mA, (H.z * H.m - F.r * F.m) / mA
    Axx = H.Ixx + F.Ixx + H.m * (H.z - zA) ** 2 + F.m * (F.r + zA) ** 2
    Axz = H.Ixz - H.m * (H.x - xA) * (H.z - zA) + F.m * (w - xA) * (F.r + zA)
    Azz = H.Izz + F.Ixx + H.m * (H.x - xA) ** 2 + F.m * (w - xA) ** 2
    uA = (xA - w - p.c) * co - zA * s
    All = mA * uA**2 + Axx * s**2 + 2.0 * Axz * s * co + Azz * co**2
    Alx = -mA * uA * zA + Axx * s + Axz * co
    Alz = mA * uA * xA + Axz * s + Azz * co
    mu = p.c / w * co
    SR, SF = R.Iyy / R.r, F.Iyy / F.r
    ST, SA = SR + SF, mA * uA + mu * mT * xT
    C1_12 = mu * ST + SF * co + Txz / w * co - mu * mT * zT
    C1_22 = Alz / w * co + mu * (SA + Tzz / w * co)
    mixed = Alx + mu * Txz
    return LinearBicycle(
        M=np.array([[Txx, mixed], [mixed, All + 2.0 * mu * Alz + mu**2 * Tzz]]),
        C1=np.array([[0.0, C1_12], [-(mu * ST + SF * co), C1_22]]),
        K0=np.array([[mT * zT, -SA], [-SA, -SA * s]]),
        K2=np.array([[0.0, (ST - mT * zT) / w * co], [0.0, (SA + SF * s) / w * co]]),
    )
