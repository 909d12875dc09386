"""Expressions as people write them: gathered, with parameters before what depends on time."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import sympy
from sympy.physics.vector.printing import vsstrrepr

from axletree.language.variables import TIME, Scalar, is_variable, scalar

_Key = tuple[sympy.Expr, ...]


def readable(expression: Scalar) -> sympy.Expr:
    """The same, as a sum of few products.

    Constant factors are summed for each product of what varies: ``m_u*r*v + m_c*r*v`` reads
    ``(m_u + m_c)*r*v``. Products that differ in one variable are gathered, so that
    ``Y_L1*cos(delta) + Y_R1*cos(delta)`` reads ``(Y_L1 + Y_R1)*cos(delta)``; then those that
    share a sum, and those that share a parameter: ``m_t*(x_t'' - r*v)``.

    Example:
    >>> from axletree.language import parameters, readable, variable
    >>> a, b, x = *parameters("a b"), variable("x")
    >>> readable(a * x + b * x)
    (a + b)*x(t)
    """
    constants: dict[sympy.Expr, list[sympy.Expr]] = {}
    for term in sympy.Add.make_args(sympy.expand(scalar(expression, "what is read"))):
        constant, varying = term.as_independent(TIME, as_Add=False)
        constants.setdefault(varying, []).append(constant)
    terms = [_summed(factors) * varying for varying, factors in constants.items()]
    for shared in (_but_one_variable, _sums, _parameters):
        terms = _gathered([term for term in terms if term != 0], shared)
    return sympy.Add(*terms)


def written(expression: Scalar) -> str:
    """The readable form in one line, rates with primes: ``m_c*z''``.

    Example:
    >>> from axletree.language import parameters, rate, variable, written
    >>> m, z = *parameters("m"), variable("z")
    >>> written(rate(z, 2) * m)
    "m*z''"
    """
    return str(vsstrrepr(readable(expression)))


def _summed(constants: list[sympy.Expr]) -> sympy.Expr:
    """Fractions are put together only where that makes the sum shorter."""
    total = sympy.Add(*constants)
    if len(constants) > 1:
        total = min((total, sympy.cancel(total)), key=sympy.count_ops)
    return sympy.factor_terms(total)


def _gathered(
    terms: list[sympy.Expr], shared: Callable[[sympy.Expr], Iterable[_Key]]
) -> list[sympy.Expr]:
    """Terms with a key in common become one: its factors, times the sum of their rests.

    The key that most terms have goes first, and among equals the one that is met first.
    """
    groups: dict[_Key, list[sympy.Expr]] = {}
    for term in terms:
        for key in shared(term):
            groups.setdefault(key, []).append(term)
    left = dict.fromkeys(terms)
    made = []
    for key, members in sorted(groups.items(), key=lambda group: -len(group[1])):
        present = [term for term in members if term in left]
        if len(present) > 1:
            rests = [sympy.Mul(*_without(term, key)) for term in present]
            sign = -1 if all(rest.could_extract_minus_sign() for rest in rests) else 1
            made.append(sympy.Mul(sign, *key, sympy.Add(*(sign * rest for rest in rests))))
            for term in present:
                del left[term]
    return [*made, *left]


def _without(term: sympy.Expr, key: _Key) -> list[sympy.Expr]:
    factors = list(sympy.Mul.make_args(term))
    for factor in key:
        if factor in factors:
            factors.remove(factor)
    return factors


def _but_one_variable(term: sympy.Expr) -> Iterable[_Key]:
    """All factors but one variable, and but a sign, of a term that has some."""
    factors = [f for f in sympy.Mul.make_args(term) if f != -1]
    for k, factor in enumerate(factors):
        others = (*factors[:k], *factors[k + 1 :])
        if is_variable(factor) and any(not other.is_number for other in others):
            yield others


def _sums(term: sympy.Expr) -> Iterable[_Key]:
    return ((factor,) for factor in sympy.Mul.make_args(term) if factor.is_Add)


def _parameters(term: sympy.Expr) -> Iterable[_Key]:
    """All of them, and each by itself."""
    constants, _ = term.as_independent(TIME, as_Add=False)
    found = tuple(f for f in sympy.Mul.make_args(constants) if not f.is_number)
    return dict.fromkeys((found, *((f,) for f in found))) if found else ()
