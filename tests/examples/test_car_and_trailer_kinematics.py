"""The car with trailer: its frames, constraints, tyre loads and speeds, and what is small."""

from __future__ import annotations

from functools import cache

import sympy
from oracles.lot_massaro_equations import loads
from sympy import cos, sin

from axletree.examples.car_and_trailer.mechanics import (
    Mechanics,
    a_1,
    a_2,
    a_3,
    alpha,
    b_1,
    b_2,
    b_3,
    beta,
    delta,
    f_x,
    f_z,
    h_c,
    h_t,
    j_x,
    j_z,
    mu,
    phi,
    r,
    r_3,
    u,
    v,
    x_t,
    y_t,
    z,
    z_t,
)
from axletree.language import rate
from axletree.language.expressions import folded


@cache
def mechanics(linearise_last: bool) -> Mechanics:
    return Mechanics(linearise_last)


def test_matrices_of_the_frames() -> None:
    """Eqs. (9), (13), (14), (15)."""
    m = mechanics(linearise_last=False)
    c, s = cos(alpha), sin(alpha)
    assert m.T_C.matrix == sympy.Matrix(
        [[1, 0, mu, 0], [0, 1, -phi, 0], [-mu, phi, 1, z - h_c], [0, 0, 0, 1]]
    )
    assert m.T_T.matrix == sympy.Matrix(
        [[c, -s, beta * c, x_t], [s, c, beta * s, y_t], [-beta, 0, 1, z_t], [0, 0, 0, 1]]
    )
    assert m.T_alpha.matrix == sympy.Matrix(
        [[c, -s, 0, x_t], [s, c, 0, y_t], [0, 0, 1, 0], [0, 0, 0, 1]]
    )
    assert m.T_delta.matrix[:2, :2] == sympy.Matrix(
        [[cos(delta), -sin(delta)], [sin(delta), cos(delta)]]
    )


def test_what_is_small() -> None:
    """Eq. (12), as a set: the paper has its own order."""
    small = mechanics(linearise_last=False).world.small.all
    assert len(small) == len(set(small)) == 17
    assert set(small) == {
        beta, phi, mu, z, rate(alpha), rate(beta), rate(phi), rate(mu), rate(z), v,
        rate(v), rate(alpha, 2), rate(beta, 2), rate(phi, 2), rate(mu, 2), rate(z, 2), rate(r),
    }  # fmt: skip


def test_constraints() -> None:
    """Eqs. (17), (18); the third of (18) is printed without z_t and the constants."""
    m = mechanics(linearise_last=False)
    (bounce,) = m.bounce.printed
    assert bounce.says_the_same_as(a_3 * beta + h_t + z_t)
    hitch_x, hitch_y, hitch_z = m.hitch.printed
    arm = j_z * beta + j_x
    assert hitch_x.says_the_same_as(x_t + f_x + arm * cos(alpha) - f_z * mu)
    assert hitch_y.says_the_same_as(y_t + arm * sin(alpha) + f_z * phi)
    assert hitch_z.says_the_same_as(z_t + j_z - j_x * beta - z + h_c - f_z - f_x * mu)
    level = {f_z: h_c - sympy.Symbol("h_h"), j_z: h_t - sympy.Symbol("h_h")}
    assert folded(hitch_z.residual.subs(level) - (z_t + h_t - j_x * beta - f_x * mu - z)) == 0


def test_tyre_loads() -> None:
    for tyre, expected in zip(mechanics(linearise_last=False).car_tyres, loads(), strict=True):
        assert sympy.simplify(tyre.N - expected) == 0


def test_speeds_of_contact_points() -> None:
    """Eq. (33); in (33c) dots are lost, beta' stands for beta, and -a_3 (r + alpha') is missing."""
    m = mechanics(linearise_last=False)
    for tyre, sign in zip(m.car_tyres[:2], (-1, 1), strict=True):
        along, across = u + sign * b_1 * r, v + a_1 * r
        V_x, V_y = tyre.velocity
        assert folded(V_x - along * cos(delta) - across * sin(delta)) == 0
        assert folded(V_y + along * sin(delta) - across * cos(delta)) == 0
    for tyre, sign in zip(m.car_tyres[2:], (-1, 1), strict=True):
        assert tyre.velocity == (u + sign * b_2 * r, v - a_2 * r)
    across, along = v + x_t * r + rate(y_t), u + rate(x_t) - y_t * r
    for tyre, sign in zip(m.trailer_tyres, (-1, 1), strict=True):
        V_x, V_y = tyre.velocity
        turning = r + rate(alpha)
        expected_x = across * sin(alpha) + along * cos(alpha) + (h_t - r_3) * rate(beta)
        expected_y = across * cos(alpha) - along * sin(alpha) + (h_t - r_3) * beta * r
        assert folded(V_x - expected_x - sign * b_3 * turning) == 0
        assert folded(V_y - expected_y + a_3 * turning) == 0
