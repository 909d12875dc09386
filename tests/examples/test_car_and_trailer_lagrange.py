"""The car with trailer: Lagrange's equations against Newton's, and what they lack when cut early.

Lot and Massaro 2017, sections 3.1, 3.2.
"""

from __future__ import annotations

from functools import cache

import pytest
from agreement import Agrees
from oracles.lot_massaro_equations import N_3, Y_3, printed
from sympy import cos, sin

from axletree.examples.car_and_trailer.mechanics import (
    Y_L1,
    Y_L2,
    Y_R1,
    Y_R2,
    H_x,
    H_y,
    H_z,
    I_txx,
    I_tyy,
    I_tzz,
    Mechanics,
    a_3,
    alpha,
    beta,
    delta,
    h_c,
    h_t,
    j_x,
    j_z,
    m_c,
    m_t,
    m_u,
    mu,
    phi,
    r,
    r_3,
    u,
    v,
    x_t,
    y_t,
    z,
)
from axletree.language import (
    Assembly,
    Body,
    LanguageError,
    rate,
    rotation_x,
    rotation_y,
    translation,
)
from axletree.language.expressions import folded


@cache
def mechanics(linearise_last: bool = False) -> Mechanics:
    return Mechanics(linearise_last)


@cache
def whole() -> Assembly:
    m = mechanics()
    return m.car + m.trailer


@pytest.mark.validation("language")
def test_lagrange_in_the_yaw_of_the_trailer_is_eulers_equation(agrees: Agrees) -> None:
    """(27), printed with alpha' for r', and (24c)."""
    (lagrange,) = mechanics().trailer.lagrange([alpha])
    agrees.as_equations(
        "trailer: Lagrange's equation in its yaw angle",
        lagrange.says_the_same_as(*printed()["24c"]), source="Lot and Massaro 2017, eq. (27)",
        note="printed with the yaw acceleration of the trailer for that of the car.",
    )  # fmt: skip
    assert lagrange.name == "trailer, Lagrange, alpha"


def test_lagrange_in_a_small_angle_is_refused() -> None:
    m = mechanics()
    with pytest.raises(LanguageError, match=r"Lagrange's equation in beta.*linearise_last=True"):
        m.trailer.lagrange([alpha, beta])
    with pytest.raises(LanguageError, match=r"Kane's equation in beta.*Newton's"):
        m.trailer.kane([beta])


def test_what_a_lagrange_equation_lacks_when_it_is_cut_early() -> None:
    """Printed with +j_z (H_x cos(alpha) + H_y sin(alpha))."""
    along = H_x * cos(alpha) + H_y * sin(alpha)
    (early,) = mechanics().trailer.lagrange([beta], terms_may_be_lost=True)
    assert early.says_the_same_as(
        I_tyy * rate(beta, 2) - I_txx * r**2 * beta,
        -j_z * along + j_x * H_z - (a_3 + r_3 * beta) * N_3,
    )
    (late,) = mechanics(linearise_last=True).trailer.lagrange([beta])
    assert folded(late.left - early.left - I_tzz * r**2 * beta) == 0
    lost = beta * (j_x * along + j_z * H_z + h_t * N_3)
    assert folded(late.right - early.right - lost) == 0


def test_an_exact_lagrange_equation_that_is_linearised_last_is_eulers() -> None:
    (late,) = mechanics(linearise_last=True).trailer.lagrange([beta])
    assert late.says_the_same_as(*printed()["24b"])


def test_the_hitch_drops_out_of_the_equations_of_the_whole() -> None:
    m = mechanics()
    sides = m.car.newton(), m.trailer.newton()
    sums = [a.residual + b.residual for a, b in zip(*sides, strict=True)]
    for equation, total in zip(whole().newton(), sums, strict=True):
        assert not equation.residual.has(H_x, H_y, H_z)
        assert folded(equation.residual - total) == 0
    for equation in whole().euler(m.T_0.origin):
        assert not equation.residual.has(H_x, H_y, H_z)


@pytest.mark.validation("language")
def test_newtons_equation_of_the_whole_across(agrees: Agrees) -> None:
    """(29), printed with x_t for x_t' in 2 r x_t'."""
    left = (m_u + m_c + m_t) * (u * r + rate(v)) + m_t * (
        rate(y_t, 2) + rate(r) * x_t + 2 * r * rate(x_t) - r**2 * y_t
    )
    right = (Y_R1 + Y_L1) * cos(delta) + Y_L2 + Y_R2 + Y_3 * cos(alpha)
    agrees.as_equations(
        "car and trailer as a whole: Newton's equation across",
        whole().newton()[1].says_the_same_as(left, right), source="Lot and Massaro 2017, eq. (29)",
        note="printed with x_t where its rate must stand.",
    )  # fmt: skip


@pytest.mark.validation("language")
def test_lagrange_in_the_speeds_of_the_base_is_newton_and_euler_of_the_whole(
    agrees: Agrees,
) -> None:
    """(28a), (28b)."""
    across, turning = whole().lagrange([v, r])
    newton, euler = whole().newton()[1], whole().euler(mechanics().T_0.origin)[2]
    for what, lagrange, other in (("across", across, newton), ("yaw", turning, euler)):
        agrees.as_equations(
            f"car and trailer as a whole: Lagrange's equation, {what}",
            folded(lagrange.residual - other.residual) == 0,
            source="Lot and Massaro 2017, eq. (28)",
        )  # fmt: skip
    for equation, lagrange in zip(whole().kane([v, r]), (across, turning), strict=True):
        assert folded(equation.residual - lagrange.residual) == 0


def test_lagrange_of_a_part_has_the_hitchs_force_on_it() -> None:
    m = mechanics()
    (across,) = m.trailer.lagrange([v])
    assert across.says_the_same_as(*printed()["23y"])
    (along,) = m.trailer.lagrange([x_t])
    assert along.says_the_same_as(*printed()["23x"])
    (across,) = m.car.lagrange([v])
    assert across.says_the_same_as(*printed()["21b"])


def test_the_order_of_small_turns_does_not_matter() -> None:
    m = mechanics()
    turned = m.T_0.moved("C", translation(z=z - h_c), rotation_x(phi), rotation_y(mu))
    assert turned.matrix == m.T_C.matrix
    last = mechanics(linearise_last=True)
    other = last.T_0.moved("C", translation(z=z - h_c), rotation_x(phi), rotation_y(mu))
    assert other.T != last.T_C.T
    chassis = [Body("chassis", f, m_c, last.chassis.inertia) for f in (other, last.T_C)]
    other_way, one_way = (Assembly("chassis", [body]).euler(last.T_0.origin) for body in chassis)
    for a, b in zip(one_way, other_way, strict=True):
        assert folded(a.residual - b.residual) == 0


def test_eulers_equations_about_another_pole() -> None:
    """dK_B/dt + V_B x Q = dK_A/dt + V_A x Q + (A - B) x dQ/dt."""
    m = mechanics()
    A, B = m.T_0.origin, m.T_C.point(h_c, -h_t, j_x)
    about_A, about_B, newton = m.car.euler(A), m.car.euler(B), m.car.newton()
    arm = m.T_0.vector(*((A - B).in_frame(m.T_0)))
    for side in ("left", "right"):
        force = m.T_0.vector(*(getattr(e, side) for e in newton))
        for a, b, shift in zip(about_A, about_B, arm.cross(force), strict=True):
            assert folded(getattr(b, side) - getattr(a, side) - shift) == 0


def test_projection_on_another_frame() -> None:
    m = mechanics()
    x, y, _ = m.trailer.newton()
    along, across, _ = m.trailer.newton(in_frame=m.T_alpha)
    assert folded(along.residual - x.residual * cos(alpha) - y.residual * sin(alpha)) == 0
    assert folded(across.residual + x.residual * sin(alpha) - y.residual * cos(alpha)) == 0
