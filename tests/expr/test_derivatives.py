"""Derivatives where they are delicate: switches, ends of domains, calls, and their size."""

from __future__ import annotations

import math

import numpy as np
import pytest

from axletree.core.errors import ExpressionError
from axletree.expr import (
    Beyond,
    Expr,
    ExternalFunction,
    Table,
    absolute,
    call,
    count_operations,
    directional_derivative,
    evaluate,
    exp,
    interpolate,
    jacobian,
    log,
    maximum,
    minimum,
    number,
    sign,
    sin,
    sqrt,
    symbol,
    where,
)

x, y, z = symbol("x"), symbol("y"), symbol("z")


def slope(expression: Expr, by: Expr, values: dict[Expr, float]) -> float:
    """The same by elimination and by forward accumulation."""
    backward = jacobian([expression], [by]).get((0, 0), number(0.0))
    forward = directional_derivative([expression], {by: 1.0})[0]
    one, other = evaluate([backward, forward], values)
    assert one == other
    return float(one)


@pytest.mark.parametrize(
    ("at", "of_abs", "of_max", "of_min"), [(-2.0, -1, 0, 1), (0.0, 0, 0.5, 0.5), (2.0, 1, 1, 0)]
)
def test_switches_have_defined_slopes(
    at: float, of_abs: float, of_max: float, of_min: float
) -> None:
    values = {x: at, y: 0.0}
    assert slope(absolute(x), x, values) == of_abs
    assert slope(maximum(x, y), x, values) == of_max
    assert slope(maximum(y, x), y, values) == 1 - of_max
    assert slope(minimum(x, y), x, values) == of_min
    assert slope(minimum(x, 0.0), x, values) == of_min
    assert slope(sign(x), x, values) == 0.0
    assert slope((x < y) * 1.0, x, values) == 0.0


@pytest.mark.parametrize("at", [-4.0, 0.0, 4.0])
def test_an_infinite_slope_on_the_unused_side_does_no_harm(at: float) -> None:
    values = {x: at}
    used = 0.25 if at > 0 else 0.0
    assert slope(where(x > 0, sqrt(x), 0.0), x, values) == used
    assert slope(where(x <= 0, 0.0, sqrt(x)), x, values) == used
    assert slope(where(x <= 0, 3.0 * x, sqrt(x)), x, values) == (used or 3.0)
    assert slope(where(x > 0, log(x) * x, x * x), x, values) == (
        math.log(4.0) + 1.0 if at > 0 else 2 * at
    )


def test_a_root_guarded_by_max_has_slope_zero_where_it_is_held() -> None:
    assert slope(sqrt(maximum(x, 0.0)), x, {x: -4.0}) == 0.0
    assert slope(sqrt(maximum(x, 0.0)), x, {x: 4.0}) == 0.25


def test_nested_selections() -> None:
    inner = where(y < 0, 1 / x, sqrt(x))
    e = where(x > 0, inner * y, 0.0) * where(y < 5, z, 1.0)
    for values, expected in [
        ({x: 4.0, y: -2.0, z: 3.0}, 6.0 / 16.0),
        ({x: 4.0, y: 2.0, z: 3.0}, 0.25 * 2.0 * 3.0),
        ({x: 0.0, y: 2.0, z: 3.0}, 0.0),
        ({x: 4.0, y: 8.0, z: 3.0}, 2.0),
    ]:
        assert slope(e, x, values) == pytest.approx(expected)


def test_powers_at_zero() -> None:
    assert slope(x**2.5, x, {x: 0.0}) == 0.0
    assert slope(x**y, y, {x: 0.0, y: 2.0}) == 0.0
    assert slope(x**y, x, {x: 3.0, y: 2.0}) == pytest.approx(6.0)
    assert slope(x**y, y, {x: 3.0, y: 2.0}) == pytest.approx(9.0 * math.log(3.0))


def test_tables_have_their_own_slope() -> None:
    held = Table.linear([0.0, 1.0, 3.0], [0.0, 2.0, 2.5], Beyond.VALUE_HELD)
    points = {-1.0: 0.0, 0.5: 2.0, 2.0: 0.25, 4.0: 0.0}
    for at, expected in points.items():
        assert slope(interpolate(held, 2 * x), x, {x: at / 2}) == 2 * expected


def test_only_structural_nonzeros() -> None:
    entries = jacobian([x * y, z + 1, x - x + y, number(2.0)], [x, y, z])
    assert entries == {(0, 0): y, (0, 1): x, (1, 2): number(1.0), (2, 1): number(1.0)}
    assert list(entries) == sorted(entries)


def test_terms_that_cancel_leave_no_entry() -> None:
    shared = sin(x)
    assert jacobian([(shared + y) - (shared + z)], [x]) == {}


def test_variables_are_distinct_symbols() -> None:
    with pytest.raises(ExpressionError, match="symbols, got x"):
        jacobian([x], [x * y])
    with pytest.raises(ExpressionError, match="twice"):
        jacobian([x], [x, x])
    with pytest.raises(ExpressionError, match="only symbols have rates"):
        directional_derivative([x], {2 * x: 1.0})


def test_the_total_derivative_uses_rates_that_are_expressions() -> None:
    (rate,) = directional_derivative([x * x * y], {x: z, y: 3.0})
    assert evaluate([rate], {x: 2.0, y: 5.0, z: 7.0}) == [2 * 2 * 5 * 7 + 4 * 3]


POLAR = ExternalFunction(
    "polar",
    ("r", "phi"),
    ("px", "py"),
    lambda r, phi: (r * math.cos(phi), r * math.sin(phi)),
    "static void polar(const double *i, double *o) { o[0] = i[0] * cos(i[1]); o[1] = 0; }",
    lambda a, out: [
        {(0, 0): out[0] / a[0], (0, 1): -out[1], (1, 0): out[1] / a[0], (1, 1): out[0]}
    ],
)
OPAQUE = ExternalFunction("opaque", ("u",), ("v",), lambda u: (2 * u,), "")


def test_calls_use_their_rule() -> None:
    px, py = call(POLAR, 2 * x, y)
    values = {x: 0.75, y: 0.5}
    entries = jacobian([px, py + x], [x, y])
    c, s = math.cos(0.5), math.sin(0.5)
    expected = [2 * c, -1.5 * s, 2 * s + 1, 1.5 * c]
    assert evaluate(list(entries.values()), values) == pytest.approx(expected)
    (rate,) = directional_derivative([py], {x: 1.0, y: 1.0})
    assert evaluate([rate], values)[0] == pytest.approx(2 * s + 1.5 * c)
    np.testing.assert_allclose(evaluate([px], {x: np.array([0.5, 1.0]), y: 0.0})[0], [1.0, 2.0])


def test_an_output_may_be_constant() -> None:
    half = ExternalFunction(
        "half", ("u",), ("v", "w"), lambda u: (u / 2, 1.0), "", lambda a, out: [{(0, 0): 0.5}]
    )
    v, w = call(half, x)
    assert jacobian([v, w, w * x], [x]) == {(0, 0): number(0.5), (2, 0): w}
    assert directional_derivative([v, w], {x: 1.0}) == [number(0.5), number(0.0)]


def test_a_call_without_a_rule_cannot_be_differentiated() -> None:
    with pytest.raises(ExpressionError, match="'opaque' has no derivative rule"):
        jacobian(list(call(OPAQUE, x)), [x])
    assert jacobian(list(call(OPAQUE, x)), [y]) == {}


def test_calls_are_checked() -> None:
    with pytest.raises(ExpressionError, match="expected 2: r, phi"):
        call(POLAR, x)
    with pytest.raises(ExpressionError, match="C identifier"):
        ExternalFunction("a-b", (), ("v",), lambda: (1.0,), "")
    wrong = ExternalFunction("wrong", (), ("u", "v"), lambda: (1.0,), "")
    with pytest.raises(ExpressionError, match="returned 1 values; expected 2"):
        evaluate(list(call(wrong)), {})


@pytest.mark.parametrize("length", [1000, 5000])
def test_the_jacobian_of_a_chain_costs_a_few_operations_per_link(length: int) -> None:
    e = x
    for _ in range(length):
        e = sin(e) + y
    (by_x, by_y) = jacobian([e], [x, y]).values()
    count = count_operations([by_x, by_y])
    # Each link: one sine, one cosine, the sum itself, a product and a sum for either variable.
    assert count.functions == 2 * length - 1
    assert count.additions + count.multiplications <= 4 * length


def test_elimination_beats_forward_and_reverse_accumulation() -> None:
    """A bow tie: many in, one in the middle, many out; either sweep alone takes 2 n^2 products."""
    n = 10
    inputs = [symbol(f"u{k}") for k in range(n)]
    middle = exp(sum((sin(u) for u in inputs), start=number(0.0)))
    outputs = [sin(middle + k) for k in range(n)]
    count = count_operations(jacobian(outputs, inputs).values())
    assert count.multiplications == n * n + n
