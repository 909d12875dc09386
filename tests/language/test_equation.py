"""Equations: what they say, and how they are printed."""

from __future__ import annotations

import pytest
import sympy
from sympy import cos, sin

from axletree.examples.car_and_trailer.mechanics import Mechanics
from axletree.language import Equation, parameters, rate, variables
from axletree.language.expressions import readable

x, y, r, v, Y_L, Y_R, delta, beta = variables("x y r v Y_L Y_R delta beta")
m_1, m_2, a, b, g, u = parameters("m_1 m_2 a b g u")

CASES = {
    m_1 * r * v + m_2 * r * v: "(m_1 + m_2)*r*v",
    Y_L * cos(delta) + Y_R * cos(delta): "(Y_L + Y_R)*cos(delta)",
    -Y_L * sin(delta) - Y_R * sin(delta) + x: "-(Y_L + Y_R)*sin(delta) + x",
    a * (Y_L + Y_R) * beta - b * Y_L - b * Y_R: "(a*beta - b)*(Y_L + Y_R)",
    m_1 * rate(x, 2) - 2 * m_1 * r * rate(y): "m_1*(-2*r*y' + x'')",
    a * b * (sin(delta) * rate(x) - cos(delta) * rate(y)): "a*b*(sin(delta)*x' - cos(delta)*y')",
    (m_1 + m_2) * (u * r + rate(v)): "(m_1 + m_2)*(u*r + v')",
    g * a * m_1 / (a + b) + g * b * m_1 / (a + b) - m_1 * g + x: "x",
    x + y: "x + y",
    sympy.Integer(0): "0",
    a * b: "a*b",
    x**2 * a + b * x: "a*x**2 + b*x",
}


@pytest.mark.parametrize(("expression", "text"), CASES.items(), ids=list(CASES.values()))
def test_readable_form(expression: sympy.Expr, text: str) -> None:
    assert str(Equation("test", expression, 0)) == f"{text} = 0"
    assert sympy.simplify(readable(expression) - expression) == 0


def test_the_printed_car() -> None:
    """As in Lot and Massaro 2017, eqs. (21a), (21b), but for the order of terms."""
    m = Mechanics()
    along, across, up = m.car.newton()
    assert str(along) == "-(m_c + m_u)*r*v = -F_D - (Y_L1 + Y_R1)*sin(delta) + H_x + X_2"
    assert str(across) == "(m_c + m_u)*(u*r + v') = (Y_L1 + Y_R1)*cos(delta) + H_y + Y_L2 + Y_R2"
    assert not sympy.sympify(up.readable().right).has(sympy.Symbol("g", real=True))
    for equation in (along, across, up):
        shown = equation.readable()
        assert sympy.simplify(shown.left - equation.left) == 0
        assert sympy.simplify(shown.right - equation.right) == 0


def test_latex() -> None:
    equation = Equation("test", m_1 * rate(x, 2), -a * x * sin(delta))
    assert equation.latex() == r"m_{1} \ddot{x} = - a x \sin{\left(\delta \right)}"
    assert equation._repr_latex_() == f"$\\displaystyle {equation.latex()}$"


def test_saying_the_same() -> None:
    equation = Equation("test", m_1 * rate(x, 2), -a * (x + y) * cos(delta) ** 2)
    assert equation.says_the_same_as(-m_1 * rate(x, 2), a * (x + y) * (1 - sin(delta) ** 2))
    assert equation.says_the_same_as(m_1 * rate(x, 2) + a * (x + y) * cos(delta) ** 2)
    assert not equation.says_the_same_as(m_1 * rate(x, 2), -a * x * cos(delta) ** 2)
    assert not equation.says_the_same_as(2 * m_1 * rate(x, 2), -2 * a * (x + y) * cos(delta) ** 2)
    assert equation.residual == equation.left - equation.right
