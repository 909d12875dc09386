"""The single pendulum by hand: Morency 2007, eqs. (2.1)-(2.22), in SymPy.

A uniform slender rod on a pin: x points down, y to the right, theta turns the rod from x
towards y; x and y are the coordinates of the centre of mass.
"""

from __future__ import annotations

from typing import Any

import sympy

m, l, g = sympy.symbols("m l g", positive=True)  # noqa: E741 as in the source
x, y, theta = sympy.symbols("x y theta")
vx, vy, omega, Rx, Ry = sympy.symbols("v_x v_y omega R_x R_y")
S, C = sympy.sin(theta), sympy.cos(theta)

SPEEDS = sympy.Matrix([vx, vy, omega])  # (2.4)-(2.6)
M_212 = sympy.diag(m, m, m * l**2 / 12)
Q_212 = sympy.Matrix([m * g, 0, 0])
REACTIONS_212 = sympy.Matrix([-Rx, -Ry, -Rx * l / 2 * S + Ry * l / 2 * C])
PHI_213 = sympy.Matrix([x - l / 2 * C, y - l / 2 * S])
PHI_Q_217 = sympy.Matrix([[1, 0, l / 2 * S], [0, 1, -l / 2 * C]])
GAMMA_215 = -(PHI_Q_217 * SPEEDS).jacobian([x, y, theta]) * SPEEDS
M_222 = m / 3 * l**2
Q_222 = -m * g * l / 2 * S
ACCELERATION_222 = Q_222 / M_222


def gamma_219(alpha: int, beta: int) -> sympy.Matrix:
    """The right-hand side of the constraints with Baumgarte's stabilisation."""
    return GAMMA_215 - 2 * alpha * PHI_Q_217 * SPEEDS - beta**2 * PHI_213


def solved_218(gamma: sympy.Matrix) -> tuple[sympy.Matrix, sympy.Matrix]:
    """Accelerations and multipliers."""
    top = M_212.row_join(PHI_Q_217.T)
    bottom = PHI_Q_217.row_join(sympy.zeros(2, 2))
    solved = top.col_join(bottom).LUsolve(Q_212.col_join(gamma))
    return solved[:3, :], solved[3:, :]


def same(found: Any, expected: Any) -> bool:
    """Equal as functions: sine and cosine as rational functions of tan(theta / 2)."""
    t = sympy.Symbol("t")
    rational = {S: 2 * t / (1 + t**2), C: (1 - t**2) / (1 + t**2)}
    first, second = (sympy.Matrix(a).subs(rational) for a in (found, expected))
    # Elements of the field are kept in lowest terms, so equal ones are identical.
    letters = first.free_symbols | second.free_symbols | {t}
    field = sympy.QQ.frac_field(*sorted(letters, key=str)).field
    pairs = zip(first, second, strict=True)
    return all(field.from_expr(a) == field.from_expr(b) for a, b in pairs)
