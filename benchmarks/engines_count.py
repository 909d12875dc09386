"""Operation counts of other engines' expressions, by the rules of ``count_operations``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from axletree.expr import OperationCount

FREE_IN_CASADI = ("CONST", "INPUT", "OUTPUT", "PARAMETER", "NEG", "ASSIGN")


def casadi_count(casadi: Any, function: Any) -> OperationCount:
    names = {getattr(casadi, n): n[3:] for n in dir(casadi) if n.startswith("OP_")}
    additions = multiplications = divisions = functions = 0
    for k in range(function.n_instructions()):
        name = names[function.instruction_id(k)]
        if name in ("ADD", "SUB"):
            additions += 1
        elif name in ("MUL", "SQ", "TWICE"):
            multiplications += 1
        elif name in ("DIV", "INV"):
            divisions += 1
        elif name not in FREE_IN_CASADI:
            functions += 1
    return OperationCount(additions, multiplications, divisions, functions)


def tree_count(expressions: list[Any]) -> OperationCount:
    """Operations of SymPy or SymEngine trees, each subtree where it stands."""
    total = OperationCount()
    stack = list(expressions)
    while stack:
        e = stack.pop()
        kind = type(e).__name__
        if kind in ("Mul", "Pow"):
            count, inner = product_count(e.args if kind == "Mul" else [e])
            total += count
            stack += inner
        else:
            if kind == "Add":
                total += OperationCount(additions=len(e.args) - 1)
            elif e.args:
                total += OperationCount(functions=1)
            stack += e.args
    return total


def product_count(factors: Iterable[Any]) -> tuple[OperationCount, list[Any]]:
    """A product of powers, with one division for all that is below the line; its operands."""
    above = below = multiplications = functions = 0
    inner: list[Any] = []
    for factor in factors:
        if str(factor) in ("1", "-1"):
            continue
        base, exponent = factor.args if type(factor).__name__ == "Pow" else (factor, 1)
        size = float(exponent)
        inner.append(base)
        if size.is_integer():
            n = int(abs(size))
            multiplications += n.bit_length() - 1 + n.bit_count() - 1  # by squaring
        else:
            functions += 1
        above, below = above + (size > 0), below + (size < 0)
    multiplications += max(above - 1, 0) + max(below - 1, 0)
    return OperationCount(0, multiplications, int(below > 0), functions), inner
