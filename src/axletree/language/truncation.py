"""Expressions to the first order in what is small: f(0) + f'(0) s (Lot and Massaro 2017, eq. 11).

Each part of an expression gives its value and its slope where all that is small is zero, from
those of its own parts. This is quicker by far than SymPy's derivative of the whole.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

import sympy

from axletree.language.errors import LanguageError
from axletree.language.trigonometry import folded
from axletree.language.variables import Scalar, is_rate, is_variable

_Pair = tuple[sympy.Expr, sympy.Expr]  # the value and the slope
_ZERO = sympy.Integer(0)
_SINGULAR = (sympy.nan, sympy.zoo, sympy.oo)


def truncated(expression: Scalar, small: Collection[sympy.Expr]) -> sympy.Expr:
    """The terms of order 0 and 1 in the small ones, expanded."""
    whole = sympy.sympify(expression)
    value, slope = _FirstOrder(frozenset(small)).of(whole)
    total = folded(value + slope)
    if total.has(*_SINGULAR):
        present = sorted(str(s) for s in whole.atoms(sympy.Function, sympy.Derivative) & set(small))
        raise LanguageError(
            f"{_shortened(whole)} has no value, or no slope, where what is small is zero "
            f"({', '.join(present)}), so it cannot be taken to the first order; declare fewer "
            "variables small"
        )
    return total


@dataclass(frozen=True)
class _FirstOrder:
    small: frozenset[sympy.Expr]
    known: dict[sympy.Expr, _Pair] = field(default_factory=dict)

    def of(self, part: sympy.Expr) -> _Pair:
        found = self.known.get(part)
        if found is None:
            found = self.known[part] = self._found(part)
        return found

    def _found(self, part: sympy.Expr) -> _Pair:
        if part in self.small:
            return _ZERO, part
        if part.is_Atom or is_variable(part) or is_rate(part):
            return part, _ZERO
        if isinstance(part, sympy.Piecewise):
            return self._piecewise(part)
        pairs = [self.of(argument) for argument in part.args]
        if all(value == whole for (value, _), whole in zip(pairs, part.args, strict=True)):
            return part, _ZERO
        if part.is_Add:
            return sympy.Add(*(v for v, _ in pairs)), sympy.Add(*(s for _, s in pairs))
        if part.is_Mul:
            return _product(pairs)
        return (sympy.nan, _ZERO) if _kinked(part, pairs) else _function(part, pairs)

    def _piecewise(self, part: sympy.Piecewise) -> _Pair:
        """By the conditions where all that is small is zero; none may be about to change there."""
        nothing = dict.fromkeys(self.small, _ZERO)
        limits = [side.lhs - side.rhs for _, c in part.args for side in c.atoms(sympy.Rel)]
        if any(gap != 0 and gap.xreplace(nothing) == 0 for gap in limits):
            return sympy.nan, _ZERO
        pairs = [(self.of(e), c.xreplace(nothing)) for e, c in part.args]
        value, slope = (sympy.Piecewise(*((pair[i], c) for pair, c in pairs)) for i in (0, 1))
        return value, slope


def _product(pairs: list[_Pair]) -> _Pair:
    values = [value for value, _ in pairs]
    if any(value.has(*_SINGULAR) for value in values):
        return sympy.nan, _ZERO
    terms = [
        sympy.Mul(*values[:k], slope, *values[k + 1 :])
        for k, (_, slope) in enumerate(pairs)
        if slope != 0
    ]
    return sympy.Mul(*values), sympy.Add(*terms)


def _function(part: sympy.Expr, pairs: list[_Pair]) -> _Pair:
    """By SymPy's slopes by each argument, which must be finite even if the argument's is zero."""
    changed = [value != whole for (value, _), whole in zip(pairs, part.args, strict=True)]
    stand_ins = [
        sympy.Dummy(real=True) if c else x for c, x in zip(changed, part.args, strict=True)
    ]
    values = [value for value, _ in pairs]
    at_zero = {x: value for x, value in zip(stand_ins, values, strict=True) if x != value}
    form = part.func(*stand_ins)
    total = _ZERO
    for x, (_, slope) in zip(stand_ins, pairs, strict=True):
        if x in at_zero:
            by_argument = form.diff(x).xreplace(at_zero)
            total += sympy.nan if by_argument.has(*_SINGULAR) else by_argument * slope
    return part.func(*values), total


def _kinked(part: sympy.Expr, pairs: list[_Pair]) -> bool:
    """Whether the slope jumps where all that is small is zero."""
    values = [value for value, _ in pairs]
    if isinstance(part, sympy.Max | sympy.Min):
        return len(set(values)) < len(values)
    return isinstance(part, sympy.Abs | sympy.sign | sympy.Heaviside) and values[0] == 0


def _shortened(expression: sympy.Expr) -> str:
    text = str(expression)
    return text if len(text) < 80 else f"{text[:76]} ..."
