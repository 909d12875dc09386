"""What an expression costs where it is written out: every operation where it stands.

The rules are those of Maple's ``codegen:-cost``, as the tables of Morency 2007 show them:

1. n terms are n - 1 additions; a minus before a whole expression is one more;
2. n factors are n - 1 multiplications, and so is an n-th power; a reciprocal is a division
   in place of a multiplication; any other power is two functions, a logarithm and an
   exponential, and one multiplication between them;
3. a function is one function. A variable x(t) is one, too, and its derivative is two.

Additions count subtractions. The maximum that keeps a normal force from pulling is free.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from axletree.core.expr import OperationCount

FREE_FUNCTIONS = ("Max",)


def written_cost(expressions: Iterable[Any], variables: Mapping[Any, int]) -> OperationCount:
    """The operations of SymPy expressions; ``variables`` are symbols with the functions that
    each is counted as. Other symbols are names of values known by then, and free."""
    known: dict[Any, OperationCount] = {symbol: _functions(n) for symbol, n in variables.items()}
    return sum((_alone(e, known) for e in expressions), OperationCount())


def _functions(count: int) -> OperationCount:
    return OperationCount(functions=count)


def _alone(expression: Any, known: dict[Any, OperationCount]) -> OperationCount:
    """Of an expression that is not a term of a sum, which would take up its sign."""
    count = _cost(expression, known)
    if expression.is_Mul and expression.args[0] == -1:
        count += OperationCount(additions=1)
    return count


def _cost(expression: Any, known: dict[Any, OperationCount]) -> OperationCount:
    if expression not in known:
        known[expression] = _operation(expression, known)
    return known[expression]


def _operation(expression: Any, known: dict[Any, OperationCount]) -> OperationCount:
    if not expression.args:
        return OperationCount()
    if expression.is_Add:
        terms = (_cost(term, known) for term in expression.args)
        return sum(terms, OperationCount(additions=len(expression.args) - 1))
    if expression.is_Mul:
        return _product(expression.args, known)
    if expression.is_Pow:
        return _product((expression,), known)
    own = _functions(int(type(expression).__name__ not in FREE_FUNCTIONS))
    return sum((_alone(argument, known) for argument in expression.args), own)


def _product(factors: Iterable[Any], known: dict[Any, OperationCount]) -> OperationCount:
    count = OperationCount()
    above = below = 0
    for factor in factors:
        if factor == -1:
            continue
        base, exponent = (factor.base, factor.exp) if factor.is_Pow else (factor, None)
        count += _alone(base, known)
        if exponent is None:
            above += 1
        elif exponent.is_Integer:
            power = int(exponent)
            count += OperationCount(multiplications=abs(power) - 1)
            above, below = above + (power > 0), below + (power < 0)
        else:
            count += OperationCount(multiplications=1, functions=2)
            above += 1
    return count + OperationCount(multiplications=max(above - 1, 0), divisions=below)
