"""Car and trailer of Lot and Massaro 2017, table 1, in SI units and in the paper's letters.

What the table leaves out is completed so that the hitch closes with z = mu = beta = 0: f_z = h_c -
h_h and j_z = h_t - h_h; the wheelbase is a_1 + a_2 (the printed 2.67 m contradicts both lengths);
the trailer has no cross moment of inertia and there is no air drag.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Tyre:
    """Lateral force of one tyre, eqs. (31) and (35)."""

    sigma: float  # m, relaxation length
    B: float  # stiffness factor, per rad
    C: float  # shape factor
    D: float  # peak factor, N of lateral force per N of load
    alpha: float  # load dependency factor


@dataclass(frozen=True)
class Parameters:
    """Frame: x forward, y right, z down. Heights h are positive upwards, f_z and j_z downwards."""

    g: float = 9.806  # m/s2
    m_u: float = 300.0  # kg, unsprung masses of the car
    h_u: float = 0.35  # m
    m_c: float = 2400.0  # kg, chassis
    h_c: float = 0.75  # m
    a_1: float = 1.40  # m, front axle before the centre of mass
    a_2: float = 1.50  # m, rear axle behind it
    I_uzz: float = 560.0  # kg m2
    I_cxx: float = 2000.0  # kg m2
    I_cyy: float = 2800.0  # kg m2
    I_czz: float = 3800.0  # kg m2
    I_cxz: float = 0.0  # kg m2
    b_1: float = 0.78  # m, half track
    b_2: float = 0.78  # m
    k_1: float = 60.0e3  # N/m per wheel
    c_1: float = 4.0e3  # N s/m per wheel
    k_2: float = 65.0e3  # N/m per wheel
    c_2: float = 5.0e3  # N s/m per wheel
    m_t: float = 800.0  # kg, trailer
    a_3: float = 0.30  # m, axle behind the trailer's centre of mass
    h_t: float = 0.65  # m
    I_txx: float = 200.0  # kg m2
    I_tyy: float = 250.0  # kg m2
    I_tzz: float = 300.0  # kg m2
    r_3: float = 0.30  # m, rolling radius
    b_3: float = 0.65  # m, half track
    f_x: float = 2.10  # m, hitch behind the car's centre of mass
    f_z: float = 0.35  # m, hitch below it
    j_x: float = 0.80  # m, hitch before the trailer's centre of mass
    j_z: float = 0.25  # m, hitch below it
    F_D: float = 0.0  # N, air drag at the chassis' centre of mass
    front: Tyre = Tyre(0.2, 12.0, 1.6, 0.95, 0.25)
    rear: Tyre = Tyre(0.2, 12.0, 1.6, 0.90, 0.25)
    trailer: Tyre = Tyre(0.2, 12.0, 1.6, 0.95, 0.25)

    @property
    def wheelbase(self) -> float:
        """m."""
        return self.a_1 + self.a_2

    @property
    def car_weight(self) -> float:
        """N."""
        return (self.m_c + self.m_u) * self.g

    @property
    def mass_height(self) -> float:
        """kg m: first moment of the car's mass above the ground, h_c m_c + h_u m_u of (22)."""
        return self.h_c * self.m_c + self.h_u * self.m_u


TABLE_1 = Parameters()


@dataclass(frozen=True)
class ReferenceLoads:
    """N_0 of eq. (31) in N, one for each axle's tyres. Table 1 does not give it."""

    front: float
    rear: float
    trailer: float

    @classmethod
    def same(cls, load: float) -> ReferenceLoads:
        """One value for all tyres."""
        return cls(load, load, load)
