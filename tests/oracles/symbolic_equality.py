"""Whether two symbolic results are the same."""

from __future__ import annotations

import sympy


def same(first: sympy.Expr | sympy.Matrix, second: sympy.Expr | sympy.Matrix) -> bool:
    difference = sympy.Matrix([first]) - sympy.Matrix([second])
    return all(_is_zero(element) for element in difference)


def _is_zero(element: sympy.Expr) -> bool:
    """By the normal form of a polynomial in sines and cosines; by ``simplify`` in other cases."""
    return bool(_without_squares_of_sines(element) == 0 or sympy.simplify(element) == 0)


def _without_squares_of_sines(element: sympy.Expr) -> sympy.Expr:
    def lowered(base: sympy.Expr, n: sympy.Integer) -> sympy.Expr:
        return (1 - sympy.cos(base.args[0]) ** 2) ** (n // 2) * base ** (n % 2)

    expanded = sympy.expand(element)
    powers = {
        power: lowered(power.base, power.exp)
        for power in expanded.atoms(sympy.Pow)
        if isinstance(power.base, sympy.sin) and power.exp.is_Integer and power.exp > 1
    }
    return sympy.expand(expanded.xreplace(powers)) if powers else expanded
