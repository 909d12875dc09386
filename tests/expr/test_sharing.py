"""Passes that save operations: common pairs, and early parts gathered."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from axletree.expr import (
    Expr,
    OperationCount,
    count_operations,
    depends_on,
    evaluate,
    sin,
    symbol,
    topological_order,
    where,
)
from axletree.expr.simplification import regroup, share_pairs

a, b, c, d, x, y = (symbol(name) for name in "abcdxy")
VALUES = {s: 0.3 + 0.21 * k for k, s in enumerate((a, b, c, d, x, y))}


OPERATIONS = {
    "add": lambda p, q: p + q,
    "subtract": lambda p, q: p - 2 * q,
    "multiply": lambda p, q: p * sin(q),
    "scale": lambda p, q: 0.5 * p * q / (1 + q * q),
    "sin": lambda p, q: sin(p),
    "where": lambda p, q: where(x < y, p, 0.0) + q,
}


@st.composite
def sums_and_products(draw: st.DrawFn) -> list[Expr]:
    results = [a, b, c, d, x, y]
    for _ in range(draw(st.integers(2, 25))):
        left, right = (results[draw(st.integers(0, len(results) - 1))] for _ in range(2))
        results.append(OPERATIONS[draw(st.sampled_from(sorted(OPERATIONS)))](left, right))
    return results[-4:]


@given(sums_and_products())
@settings(max_examples=80)
def test_values_stay(expressions: list[Expr]) -> None:
    expected = evaluate(expressions, VALUES)
    for passed in (
        share_pairs(expressions),
        regroup(expressions, [x, y]),
        regroup(share_pairs(regroup(expressions, [x, y])), [x, y]),
    ):
        assert evaluate(passed, VALUES) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_a_common_pair_is_computed_once() -> None:
    sums = [a + c + b, b + (x + a)]
    assert count_operations(share_pairs(sums)) == OperationCount(additions=3)
    products = [a * c * b, b * (x * a), -2 * y * b * a]
    assert count_operations(share_pairs(products)) == OperationCount(multiplications=5)


def test_a_pair_may_stand_with_another_factor() -> None:
    shared = share_pairs([a - b + c, 3 * b + x - 3 * a])
    assert count_operations(shared).additions == 3


def test_early_terms_are_gathered() -> None:
    def late_operations(expressions: list[Expr]) -> int:
        order = topological_order(expressions)
        return sum(
            node.operation in ("add", "mul") and depends_on(Expr(1.0, node), [x, y])
            for node in order
        )

    total, product = a + x + b + y + c, a * x * b * y * c
    assert late_operations([total]) > 2
    assert late_operations(regroup([total], [x, y])) == 2
    assert late_operations(regroup([product], [x, y])) == 2
    assert late_operations(regroup([a * x + b * x + c * x], [x, y])) == 1
