"""Expressions and equations as people write them, and to the first order in what is small.

``readable`` gathers terms, with parameters before what depends on time; ``folded`` finds sin^2
+ cos^2 = 1; ``truncated`` keeps f(0) + f'(0) s (Lot and Massaro 2017, eq. 11); ``Equation`` is
an equation with a name, as it is printed and as it is collected.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache

import sympy
from sympy.concrete.expr_with_limits import ExprWithLimits
from sympy.core.function import AppliedUndef
from sympy.physics.vector.printing import vlatex, vsstrrepr

from axletree.language.variables import TIME, LanguageError, Scalar, is_rate, is_variable, scalar


@dataclass(frozen=True)
class Equation:
    """left = right; the name says where it comes from: "car, Newton, y".

    ``small`` are the displacements that were taken as small when it was formed.

    Example:
    >>> from axletree.language import Equation, parameters, rate, variable
    >>> m, g, z = *parameters("m g"), variable("z")  # kg, m/s^2, m
    >>> fall = Equation("stone, Newton, z", m * rate(z, 2), -m * g)
    >>> print(fall, "|", fall.says_the_same_as(m * rate(z, 2) + m * g))
    m*z'' = -g*m | True
    """

    name: str
    left: sympy.Expr
    right: sympy.Expr
    small: frozenset[sympy.Expr] = field(default=frozenset(), compare=False, repr=False)

    def __post_init__(self) -> None:
        for side in ("left", "right"):
            whose = f"the {side} side of equation {self.name!r}"
            object.__setattr__(self, side, scalar(getattr(self, side), whose))

    @property
    def residual(self) -> sympy.Expr:
        """What is zero: left - right."""
        return self.left - self.right

    def readable(self) -> Equation:
        """The same with its terms gathered, to be printed.

        Example:
        >>> from axletree.language import Equation, parameters, rate, variable
        >>> m, M, z = *parameters("m M"), variable("z")  # kg, kg, m
        >>> print(Equation("both", m * rate(z, 2) + M * rate(z, 2), 0).readable())
        (M + m)*z'' = 0
        """
        return replace(self, left=readable(self.left), right=readable(self.right))

    def says_the_same_as(self, left: Scalar, right: Scalar = 0) -> bool:
        """Whether it equals left = right, or that with its signs turned, term by term.

        Example:
        >>> import sympy
        >>> from axletree.language import Equation, parameters, variables
        >>> L, (x, z, a) = parameters("L")[0], variables("x z a")  # m, m, rad
        >>> rod = Equation("rod", x**2 + z**2, L**2)
        >>> rod.says_the_same_as(L**2 * (sympy.sin(a) ** 2 + sympy.cos(a) ** 2), x**2 + z**2)
        True
        """
        other = sympy.sympify(left) - sympy.sympify(right)
        return any(folded(self.residual - sign * other) == 0 for sign in (1, -1))

    def latex(self) -> str:
        r"""Both sides as LaTeX, rates with dots.

        Example:
        >>> from axletree.language import Equation, parameters, rate, variable
        >>> m, g, z = *parameters("m g"), variable("z")  # kg, m/s^2, m
        >>> print(Equation("stone, Newton, z", m * rate(z, 2), -m * g).latex())
        m \ddot{z} = - g m
        """
        shown = self.readable()
        return f"{vlatex(shown.left)} = {vlatex(shown.right)}"

    def _repr_latex_(self) -> str:
        """What a notebook shows."""
        return f"$\\displaystyle {self.latex()}$"

    def __str__(self) -> str:
        return f"{written(self.left)} = {written(self.right)}"


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
    for term in sympy.Add.make_args(sympy.expand(folded(scalar(expression, "what is read")))):
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


def folded(expression: sympy.Expr) -> sympy.Expr:
    """The expression, expanded, with squares of cosines or of sines gone where that is shorter."""
    is_sum_of_products = expanded_terms(expression) == len(sympy.Add.make_args(expression))
    found = expression if is_sum_of_products else expanded(expression)
    for angle in sorted(_squared_angles(found), key=str):
        by_sine = _without_squares(found, sympy.cos(angle), sympy.sin(angle))
        by_cosine = _without_squares(found, sympy.sin(angle), sympy.cos(angle))
        found = min((found, by_sine, by_cosine), key=_terms)
    return found


def compact(expression: sympy.Expr, most_terms: int) -> sympy.Expr:
    """Folded, unless that would make a sum of more terms than this: then as it is.

    Products of sums that are multiplied out wherever they arise swell with every angle.
    """
    return folded(expression) if expanded_terms(expression) <= most_terms else expression


def vanishes(expression: sympy.Expr, most_terms: int = 2000) -> bool:
    """Whether it is zero whatever its variables are: multiplied out, or by arbitrary values."""
    if expanded_terms(expression) <= most_terms:
        return bool(folded(expression) == 0)
    found = expression
    for kind in (sympy.Derivative, AppliedUndef, sympy.Symbol):
        items = sorted(found.atoms(kind), key=str)
        found = found.xreplace({e: sympy.Rational(k * k + 7, 11) for k, e in enumerate(items, 1)})
    return bool(abs(sympy.N(found, 30)) < 1e-20)


@lru_cache(maxsize=2**16)
def expanded_terms(expression: sympy.Expr) -> int:
    """How many terms the sum has that comes of multiplying out, before any cancel."""
    if expression.is_Add:
        return sum(map(expanded_terms, expression.args))
    if expression.is_Mul:
        return math.prod(map(expanded_terms, expression.args))
    if expression.is_Pow and _is_square(expression):
        return math.prod([expanded_terms(expression.base)] * int(expression.exp))
    return 1


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


def not_linear(expression: sympy.Expr, items: Iterable[sympy.Expr]) -> str | None:
    """An item to another power than 1, or the product of two, that it holds; None if linear."""
    present = sorted((item for item in items if expression.has(item)), key=str)
    stand_ins = {item: sympy.Dummy(real=True) for item in present}
    form = expression.xreplace(stand_ins)
    for k, (first, x) in enumerate(stand_ins.items()):
        slope = form.diff(x)
        for second, y in list(stand_ins.items())[k:]:
            if slope.has(y) and not vanishes(slope.diff(y)):
                return str(first) if first == second else f"{first}*{second}"
    return None


# Expressions to the first order in what is small: f(0) + f'(0) s (Lot and Massaro 2017, eq. 11).
#
# Each part of an expression gives its value and its slope where all that is small is zero, from
# those of its own parts. This is quicker by far than SymPy's derivative of the whole.

_Pair = tuple[sympy.Expr, sympy.Expr]  # the value and the slope
_ZERO = sympy.Integer(0)
_SINGULAR = (sympy.nan, sympy.zoo, sympy.oo)


def truncated(expression: Scalar, small: Collection[sympy.Expr]) -> sympy.Expr:
    """The terms of order 0 and 1 in the small ones, expanded."""
    whole = sympy.sympify(expression)
    value, slope = _FirstOrder(frozenset(small)).of(whole)
    return _regular(folded(value + slope), whole, small)


def squares_kept(expression: Scalar, small: Collection[sympy.Expr]) -> sympy.Expr:
    """The terms of order 0, 1 and 2 in the small ones, expanded: a series in a common size."""
    whole = sympy.sympify(expression)
    size = sympy.Dummy("size", real=True)
    sized = whole.xreplace({s: size * s for s in small})
    slopes = [sized, sized.diff(size), sized.diff(size, 2) / 2]
    return _regular(folded(sympy.Add(*(e.xreplace({size: _ZERO}) for e in slopes))), whole, small)


def _regular(total: sympy.Expr, whole: sympy.Expr, small: Collection[sympy.Expr]) -> sympy.Expr:
    """The total, unless the whole has no series where what is small is zero."""
    if not total.has(*_SINGULAR):
        return total
    text = str(whole)
    text = text if len(text) < 80 else f"{text[:76]} ..."
    kinds = (sympy.Function, sympy.Derivative, sympy.Symbol)
    present = sorted(str(s) for s in whole.atoms(*kinds) & set(small))
    raise LanguageError(
        f"{text} has no value, or no slope, where what is small is zero "
        f"({', '.join(present)}), so it cannot be taken to the first order; declare fewer "
        "variables small"
    )


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
        if isinstance(part, ExprWithLimits):
            return self._over_range(part)
        if isinstance(part, sympy.Derivative | sympy.Subs):
            return self._evaluated(part)
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

    def _evaluated(self, part: sympy.Expr) -> _Pair:
        """Of a derivative or a substitution that waits to be carried out."""
        done = part.doit()
        return self.of(done) if done != part else (sympy.nan, _ZERO)

    def _over_range(self, part: ExprWithLimits) -> _Pair:
        """An integral or a sum, what it runs over being no argument of it (Leibniz's rule)."""
        *outer, limits = part.limits
        inner = part.func(part.function, *outer) if outer else part.function
        if limits[0] == TIME:
            raise LanguageError(
                f"{part} runs over time: it depends on what was or will be, not on what is; make "
                "an integral over time a variable of its own, whose rate is the integrand"
            )
        if len(limits) != 3 or not isinstance(part, sympy.Integral | sympy.Sum):
            return self._evaluated(part)
        index = sympy.Dummy(str(limits[0]), real=True)
        value, slope = self.of(inner.xreplace({limits[0]: index}))
        (first, first_slope), (last, last_slope) = (self.of(limit) for limit in limits[1:])
        total, change = (part.func(e, (index, first, last)).doit() for e in (value, slope))
        if isinstance(part, sympy.Integral):
            change += value.subs(index, last) * last_slope - value.subs(index, first) * first_slope
        elif (first_slope, last_slope) != (0, 0):
            return sympy.nan, _ZERO  # the number of terms does not change by a little
        return total, change


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
