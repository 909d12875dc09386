"""sin^2 + cos^2 = 1, found where it makes an expanded expression shorter."""

from __future__ import annotations

import sympy


def folded(expression: sympy.Expr) -> sympy.Expr:
    """The expression, expanded, with squares of cosines or of sines gone where that is shorter."""
    found = expanded(expression)
    for angle in sorted(_squared_angles(found), key=str):
        by_sine = _without_squares(found, sympy.cos(angle), sympy.sin(angle))
        by_cosine = _without_squares(found, sympy.sin(angle), sympy.cos(angle))
        found = min((found, by_sine, by_cosine), key=_terms)
    return found


def expanded(expression: sympy.Expr) -> sympy.Expr:
    """Products and powers of sums multiplied out; nothing else, since each rule costs a pass."""
    only = {"power_base": False, "power_exp": False, "log": False, "basic": False}
    return sympy.expand(expression, mul=True, multinomial=True, **only)


def _squared_angles(expression: sympy.Expr) -> set[sympy.Expr]:
    return {
        power.base.args[0]
        for power in expression.atoms(sympy.Pow)
        if isinstance(power.base, sympy.sin | sympy.cos) and _is_square(power)
    }


def _is_square(power: sympy.Pow) -> bool:
    return bool(power.exp.is_Integer and power.exp >= 2)


def _without_squares(expression: sympy.Expr, gone: sympy.Expr, kept: sympy.Expr) -> sympy.Expr:
    powers = [p for p in expression.atoms(sympy.Pow) if p.base == gone and _is_square(p)]
    new = {p: (1 - kept**2) ** (p.exp // 2) * gone ** (p.exp % 2) for p in powers}
    return expanded(expression.xreplace(new))


def _terms(expression: sympy.Expr) -> int:
    return len(sympy.Add.make_args(expression)) if expression != 0 else 0
