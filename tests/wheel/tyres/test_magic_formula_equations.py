"""Magic Formula 6.1 and 6.2 against the equations of the book, written out in its order."""

from __future__ import annotations

import dataclasses
from math import acos, atan, cos, exp, pi, sin, sqrt, tan
from types import SimpleNamespace
from typing import Any

import pytest

from axletree.wheel.contract import Contact
from axletree.wheel.tyres.magic_formula import MagicFormula61, MagicFormula62
from axletree.wheel.tyres.magic_formula_shape import SlipMeasure

# Fz [N], kappa, alpha [rad], gamma [rad], Vx [m/s], Omega [rad/s], phi_t [1/m], p [Pa]
POINTS = (
    (4850.0, 0.04, 0.05, 0.02, 20.0, 60.0, 0.0, 2.2e5),
    (2500.0, -0.08, -0.1, -0.04, 12.0, 32.0, 0.0, 2.5e5),
    (7000.0, 0.0, 0.02, 0.06, 30.0, 88.0, 0.0, 1.9e5),
    (4850.0, 0.01, 0.03, 0.02, 10.0, 29.0, 0.1, 2.2e5),
    (6000.0, -0.03, -0.06, -0.03, 5.0, 14.0, -0.3, 2.4e5),
)


# What the functions below give for the first point.
NUMBERS = (2908.90107, -3221.82908, -70.0376589, -17.8596196, 82.4720582)


def book_lateral(c: Any, Fz: float, a: float, g: float, dfz: float, dpi: float, z: Any) -> Any:
    """Fy0, By, Cy, Kya, mu_y and SHf: Pacejka 2012, eqs. 4.E19 to 4.E30 and 4.E38."""
    Kya = c.PKY1 * c.FNOMIN * (1 + c.PPY1 * dpi) * (1 - c.PKY3 * abs(g))
    Kya *= sin(c.PKY4 * atan(Fz / c.FNOMIN / ((c.PKY2 + c.PKY5 * g**2) * (1 + c.PPY2 * dpi))))
    Kya *= z[3]
    SVyg = Fz * (c.PVY3 + c.PVY4 * dfz) * g * z[2]
    Kyg0 = Fz * (c.PKY6 + c.PKY7 * dfz) * (1 + c.PPY5 * dpi)
    zeta4 = 1.0 + (z[4] - SVyg / Kya if z[0] == 0.0 else 0.0)
    SHy = c.PHY1 + c.PHY2 * dfz + (Kyg0 * g - SVyg) / Kya * z[0] + zeta4 - 1
    SVy = Fz * (c.PVY1 + c.PVY2 * dfz) * z[2] + SVyg
    ay = a + SHy
    muy = (c.PDY1 + c.PDY2 * dfz) * (1 + c.PPY3 * dpi + c.PPY4 * dpi**2) * (1 - c.PDY3 * g**2)
    Dy = muy * Fz * z[2]
    Ey = (c.PEY1 + c.PEY2 * dfz) * (
        1 + c.PEY5 * g**2 - (c.PEY3 + c.PEY4 * g) * (1.0 if ay >= 0 else -1.0)
    )
    Ey = min(Ey, 1.0)
    By = Kya / (c.PCY1 * Dy)
    Fy0 = Dy * sin(c.PCY1 * atan(By * ay - Ey * (By * ay - atan(By * ay)))) + SVy
    return Fy0, By, c.PCY1, Kya, muy, SHy + SVy / Kya


def weight(C: float, B: float, E: float, x: float, shift: float) -> float:
    def G(s: float) -> float:
        return cos(C * atan(B * s - E * (B * s - atan(B * s))))

    return G(x + shift) / G(shift)


def turn_slip_factors(c: Any, point: tuple[float, ...], dfz: float, dpi: float) -> list[float]:
    """zeta0 to zeta8 (sections 4.3.3); element 4 is SHyphi, 8 is Drphi."""
    Fz, k, a, g, Vx, Omega, phit, _ = point
    R0 = c.UNLOADED_RADIUS
    epsilon = c.PECP1 * (1 + c.PECP2 * dfz)
    phi = phit + (1 - epsilon) * Omega * sin(g) * cos(a) / Vx
    z1 = cos(atan(c.PDXP1 * (1 + c.PDXP2 * dfz) * cos(atan(c.PDXP3 * k)) * R0 * phi))
    Byphi = c.PDYP1 * (1 + c.PDYP2 * dfz) * cos(atan(c.PDYP3 * tan(a)))
    z2 = cos(atan(Byphi * (R0 * abs(phi) + c.PDYP4 * sqrt(R0 * abs(phi)))))
    z3 = cos(atan(c.PKYP1 * R0**2 * phi**2))
    Kya0 = c.PKY1 * c.FNOMIN * (1 + c.PPY1 * dpi) * z3
    Kya0 *= sin(c.PKY4 * atan(Fz / c.FNOMIN / (c.PKY2 * (1 + c.PPY2 * dpi))))
    Kyg0 = Fz * (c.PKY6 + c.PKY7 * dfz) * (1 + c.PPY5 * dpi)
    D = c.PHYP2 + c.PHYP3 * dfz
    x = Kyg0 / (1 - epsilon) / (c.PHYP1 * D * Kya0) * R0 * phi
    SHyphi = D * sin(c.PHYP1 * atan(x - c.PHYP4 * (x - atan(x))))
    muy = book_lateral(c, Fz, a, g, dfz, dpi, [1.0, 1.0, 1.0, 1.0, 0.0])[4]
    Mzinf = c.QCRP1 * muy * R0 * Fz * sqrt(Fz / c.FNOMIN)
    Dd = Mzinf / sin(pi / 2 * c.QDRP1)
    Kz = Fz * R0 * (c.QDZ8 + c.QDZ9 * dfz + (c.QDZ10 + c.QDZ11 * dfz) * abs(g))
    Drphi = Dd * sin(c.QDRP1 * atan(Kz / (c.QDRP1 * Dd * (1 - epsilon)) * R0 * phit))
    Mz90 = Mzinf * 2 / pi * atan(c.QCRP2 * R0 * abs(phit)) * lateral_weight(c, k, a, g, dfz)
    z7 = 2 / pi * acos(Mz90 / abs(Drphi))
    z5, z6 = cos(atan(c.QDTP1 * R0 * phi)), cos(atan(c.QBRP1 * R0 * phi))
    return [0.0, z1, z2, z3, SHyphi, z5, z6, z7, Drphi]


def lateral_weight(c: Any, k: float, a: float, g: float, dfz: float) -> float:
    B = (c.RBY1 + c.RBY4 * g**2) * cos(atan(c.RBY2 * (a - c.RBY3)))
    return weight(c.RCY1, B, min(c.REY1 + c.REY2 * dfz, 1), k, c.RHY1 + c.RHY2 * dfz)


def book_longitudinal(
    c: Any, point: tuple[float, ...], dfz: float, dpi: float, z: list[float]
) -> tuple[float, float]:
    """Fx and Kxk (4.E9 to 4.E18, 4.E50 to 4.E57)."""
    Fz, k, a, g = point[:4]
    Kxk = Fz * (c.PKX1 + c.PKX2 * dfz) * exp(c.PKX3 * dfz) * (1 + c.PPX1 * dpi + c.PPX2 * dpi**2)
    mux = (c.PDX1 + c.PDX2 * dfz) * (1 + c.PPX3 * dpi + c.PPX4 * dpi**2) * (1 - c.PDX3 * g**2)
    Dx = mux * Fz * z[1]
    kx = k + c.PHX1 + c.PHX2 * dfz
    Ex = (c.PEX1 + c.PEX2 * dfz + c.PEX3 * dfz**2) * (1 - c.PEX4 * (1.0 if kx >= 0 else -1.0))
    x = Kxk / (c.PCX1 * Dx) * kx
    Fx = Dx * sin(c.PCX1 * atan(x - Ex * (x - atan(x)))) + Fz * (c.PVX1 + c.PVX2 * dfz) * z[1]
    B = (c.RBX1 + c.RBX3 * g**2) * cos(atan(c.RBX2 * k))
    return Fx * weight(c.RCX1, B, min(c.REX1 + c.REX2 * dfz, 1), a, c.RHX1), Kxk


def by_the_book(c: Any, point: tuple[float, ...]) -> tuple[float, ...]:
    """Fx, Fy, Mx, My, Mz with all scaling factors 1, forwards."""
    Fz, k, a, g, _, _, phit, p = point
    R0, dfz, dpi = c.UNLOADED_RADIUS, Fz / c.FNOMIN - 1, p / c.NOMPRES - 1
    z = [1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0]
    if phit != 0.0:
        z = turn_slip_factors(c, point, dfz, dpi)
    Fx, Kxk = book_longitudinal(c, point, dfz, dpi, z)
    Fy0, By, Cy, Kya, muy, SHf = book_lateral(c, Fz, a, g, dfz, dpi, z)
    G = lateral_weight(c, k, a, g, dfz)
    SVyk = muy * Fz * (c.RVY1 + c.RVY2 * dfz + c.RVY3 * g) * cos(atan(c.RVY4 * a)) * z[2]
    Fy = Fy0 * G + SVyk * sin(c.RVY5 * atan(c.RVY6 * k))
    Fyp = book_lateral(c, Fz, a, 0.0, dfz, dpi, z)[0] * G

    at = a + c.QHZ1 + c.QHZ2 * dfz + (c.QHZ3 + c.QHZ4 * dfz) * g
    ate, are = (atan(sqrt(tan(v) ** 2 + (Kxk / Kya * k) ** 2)) for v in (at, a + SHf))
    Bt = (c.QBZ1 + c.QBZ2 * dfz + c.QBZ3 * dfz**2) * (1 + c.QBZ4 * g + c.QBZ5 * abs(g))
    Dt = Fz * R0 / c.FNOMIN * (c.QDZ1 + c.QDZ2 * dfz) * (1 - c.PPZ1 * dpi)
    Dt *= (1 + c.QDZ3 * g + c.QDZ4 * g**2) * z[5]
    Et = (c.QEZ1 + c.QEZ2 * dfz + c.QEZ3 * dfz**2) * (
        1 + (c.QEZ4 + c.QEZ5 * g) * 2 / pi * atan(Bt * c.QCZ1 * at)
    )
    x = Bt * ate
    t = Dt * cos(c.QCZ1 * atan(x - min(Et, 1) * (x - atan(x)))) * cos(a)
    Dr = (c.QDZ8 + c.QDZ9 * dfz) * (1 + c.PPZ2 * dpi) + (c.QDZ10 + c.QDZ11 * dfz) * abs(g)
    Dr = Fz * R0 * ((c.QDZ6 + c.QDZ7 * dfz) * z[2] + Dr * g * z[0]) * cos(a) + z[8]
    Mzr = Dr * cos(z[7] * atan((c.QBZ9 + c.QBZ10 * By * Cy) * z[6] * are))
    s = R0 * (c.SSZ1 + c.SSZ2 * Fy / c.FNOMIN + (c.SSZ3 + c.SSZ4 * dfz) * g)

    Mz = -t * Fyp + Mzr + s * Fx
    return Fx, Fy, *tilting_moments(c, point, dpi, Fx, Fy), Mz


def tilting_moments(
    c: Any, point: tuple[float, ...], dpi: float, Fx: float, Fy: float
) -> tuple[float, float]:
    """Mx and My (4.E69; Besselink et al. 2010, eq. A48)."""
    Fz, _, _, g, Vx, _, _, p = point
    R0, f, n = c.UNLOADED_RADIUS, Fy / c.FNOMIN, Fz / c.FNOMIN
    Mx = c.QSX1 - c.QSX2 * g * (1 + c.PPMX1 * dpi) + c.QSX3 * f + c.QSX10 * atan(c.QSX11 * n) * g
    Mx += (
        c.QSX4 * cos(c.QSX5 * atan((c.QSX6 * n) ** 2)) * sin(c.QSX7 * g + c.QSX8 * atan(c.QSX9 * f))
    )
    Mx = R0 * (Fz * Mx + Fy * (c.QSX13 + c.QSX14 * abs(g)) - Fz * c.QSX12 * g * abs(g))
    My = c.QSY1 + c.QSY2 * Fx / c.FNOMIN + c.QSY3 * Vx / c.LONGVL + c.QSY4 * (Vx / c.LONGVL) ** 4
    My = (My + (c.QSY5 + c.QSY6 * n) * g**2) * n**c.QSY7 * (p / c.NOMPRES) ** c.QSY8
    return Mx, -R0 * c.FNOMIN * My


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("kind", [MagicFormula61, MagicFormula62])
def test_the_equations_of_the_book(kind: Any, point: tuple[float, ...]) -> None:
    law = kind(**{**kind.example, "turn_slip": point[6] != 0.0, "QBZ10": 0.1, "SSZ2": 0.1})
    found = dataclasses.astuple(law(Contact(*point)))
    assert found == pytest.approx(by_the_book(law, point), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("kind", [MagicFormula61, MagicFormula62])
def test_longitudinal_friction_takes_the_inclination_itself(kind: Any) -> None:
    """Not its sine (4.E13), where combined slip takes sine and tangent."""
    chosen = {"slip_measure": SlipMeasure.TANGENT, "PDX3": 1.2, "RBX3": 400.0}
    law = kind(**{**kind.example, **chosen})
    Fz, k, a, g, Vx, Omega, _, p = (4850.0, -0.08, -0.1, 0.12, 12.0, 32.0, 0.0, 2.5e5)
    c = SimpleNamespace(**{name: getattr(law, name) for name in law.coefficient_names()})
    dfz, dpi = Fz / c.FNOMIN - 1, p / c.NOMPRES - 1
    c.PDX3 *= (g / sin(g)) ** 2  # so that the sine, which the weight is of, becomes the angle
    point = Fz, k, tan(a), sin(g), Vx, Omega, 0.0, p
    expected = book_longitudinal(c, point, dfz, dpi, [1.0] * 9)[0]
    found = law(Contact(Fz, k, a, g, Vx, Omega, 0.0, p)).Fx
    assert found == pytest.approx(expected, rel=1e-12)


def test_numbers_of_one_point() -> None:
    forces = MagicFormula61(**MagicFormula61.example)(Contact(*POINTS[0]))
    assert dataclasses.astuple(forces) == pytest.approx(NUMBERS, rel=3e-9)
