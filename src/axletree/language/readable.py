"""Expressions as people write them: what depends on time outside, parameters gathered before."""

from __future__ import annotations

import sympy

from axletree.language.variables import TIME, Scalar


def readable(expression: Scalar) -> sympy.Expr:
    """A sum of products, one for each that varies, with the sum of its constant factors.

    ``m_u*r*v + m_c*r*v`` reads ``(m_u + m_c)*r*v``.
    """
    gathered: dict[sympy.Expr, list[sympy.Expr]] = {}
    for term in sympy.Add.make_args(sympy.expand(expression)):
        constant, varying = term.as_independent(TIME, as_Add=False)
        gathered.setdefault(varying, []).append(constant)
    return sympy.Add(
        *(
            sympy.Mul(sympy.factor_terms(sympy.Add(*constants)), varying)
            for varying, constants in gathered.items()
        )
    )
