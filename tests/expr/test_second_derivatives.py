"""Second derivatives: switches, tables, calls that stay calls, and what is refused."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest

from axletree.core.errors import ExpressionError
from axletree.expr import (
    Expr,
    ExpressionFunction,
    ExternalFunction,
    Table,
    absolute,
    atan,
    call,
    cos,
    count_operations,
    evaluate,
    exp,
    gradient,
    hessian,
    inlined,
    interpolate,
    jacobian,
    linear_solve,
    maximum,
    outline,
    power,
    sin,
    sqrt,
    symbol,
    topological_order,
    where,
)

x, y, z, w = (symbol(name) for name in "xyzw")
load, slip, stiffness = (symbol(f"law.{name}") for name in ("load", "slip", "stiffness"))
FORMULAS = {
    "force": load * sin(1.3 * atan(stiffness * slip)),
    "moment": exp(-slip * slip) * cos(slip) * load * load,
    "resistance": 0.01 * load,
}


def at_point(expressions: dict[tuple[int, int], Expr], values: dict[Expr, float]) -> np.ndarray:
    size = 1 + max(i for i, _ in expressions)
    matrix = np.zeros((size, size))
    for (i, j), v in zip(expressions, evaluate(list(expressions.values()), values), strict=True):
        matrix[i, j] = matrix[j, i] = v
    return matrix


def by_slopes(
    expressions: list[Expr], weights: list[Expr], variables: list[Expr]
) -> dict[tuple[int, int], Expr]:
    """The other way: the Jacobian of the gradient."""
    found = jacobian(gradient(expressions, weights, variables), variables)
    return {(i, j): entry for (i, j), entry in found.items() if i >= j}


def calls_in(expressions: list[Expr]) -> list[str]:
    nodes = topological_order(expressions)
    return sorted(n.data.name for n in nodes if isinstance(n.data, ExpressionFunction))


@pytest.mark.parametrize(
    ("expression", "point", "expected"),
    [
        (absolute(x) * x, 0.0, 0.0),  # |x|' is 0 at 0, and |x|'' is 0
        (absolute(x) * x, 1.0, 2.0),
        (maximum(x, 0.0) * x, 0.0, 1.0),  # half of the slope at a tie, from both factors
        (where(x < 1.0, x * x, 4.0 * x), 1.0, 0.0),  # the side that holds at the switch
        (where(x < 1.0, x * x, 4.0 * x), 0.5, 2.0),
        (where(x <= 0.0, 0.0, sqrt(x)), 0.0, 0.0),  # no infinite slope from the unused side
        (where(x <= 0.0, 0.0, sqrt(x)), 4.0, -0.25 / 8.0),
        (where(x <= 0.0, 1.0, sin(x) / x), 0.0, 0.0),
        (power(x, 1.5), 4.0, 0.75 / 2.0),
    ],
)
def test_second_derivatives_at_switches(expression: Expr, point: float, expected: float) -> None:
    found = hessian([expression], [1.0], [x]).get((0, 0), 0.0 * x)
    assert evaluate([found], {x: point})[0] == pytest.approx(expected, abs=1e-15)


def test_a_power_of_zero_has_finite_second_derivatives() -> None:
    """0**y is 0 for every y > 0, where the logarithm of the base is infinite."""
    found = at_point(hessian([power(x, y)], [1.0], [x, y]), {x: 0.0, y: 3.0})
    assert found.tolist() == [[0.0, 0.0], [0.0, 0.0]]
    straight = hessian([power(x, y)], [1.0], [x])
    assert evaluate([straight[0, 0]], {x: 0.0, y: 1.0}) == [0.0]
    assert evaluate([straight[0, 0]], {x: 3.0, y: 2.0}) == [2.0]
    assert evaluate([straight[0, 0]], {x: 4.0, y: 0.5}) == [-0.25 / 8.0]


def test_a_spline_has_its_curvature_and_straight_lines_have_none() -> None:
    times = np.linspace(0.0, 2.0, 41)
    table = Table.spline(times, np.sin(times))
    found = hessian([interpolate(table, 2.0 * x)], [1.0], [x])
    assert evaluate([found[0, 0]], {x: 0.4})[0] == pytest.approx(-4.0 * math.sin(0.8), rel=2e-3)
    assert (
        hessian([interpolate(Table.linear([0.0, 1.0, 2.0], [0.0, 1.0, 0.0]), x)], [1.0], [x]) == {}
    )


def law(load_value: Expr, slip_value: Expr) -> list[Expr]:
    given = {load: load_value, slip: slip_value, stiffness: z}
    return list(outline("law", FORMULAS, given, [stiffness]).values())


def test_second_derivatives_of_a_law_are_one_call_for_each_use() -> None:
    """And have the values that they have where the law is written out."""
    rows = [a * b for a, b in zip(law(x * y, sin(x)), law(y * y, x / y), strict=True)]
    weights = [w, symbol("v"), symbol("u")]
    found = hessian(rows, weights, [x, y])
    assert calls_in(list(found.values())) == ["law", "law", "law_curvature", "law_curvature"]
    plain = hessian(inlined(rows), weights, [x, y])
    random = Random(1)
    for _ in range(5):
        values = {e: random.uniform(0.2, 2.0) for e in (x, y, z, *weights)}
        expected = at_point(plain, values)
        np.testing.assert_allclose(at_point(found, values), expected, rtol=1e-12)
        slopes = evaluate(gradient(rows, weights, [x, y]), values)
        again = evaluate(gradient(inlined(rows), weights, [x, y]), values)
        np.testing.assert_allclose(slopes, again, rtol=1e-12)


def test_a_law_is_differentiated_by_what_it_is_prepared_from() -> None:
    """A parameter that reaches a law as a prepared argument is a variable like others."""
    rows, weights = law(x, y), [w, symbol("v"), symbol("u")]
    found = hessian(rows, weights, [x, y, z])
    values = {e: 0.3 + 0.2 * k for k, e in enumerate((x, y, z, *weights))}
    expected = at_point(hessian(inlined(rows), weights, [x, y, z]), values)
    np.testing.assert_allclose(at_point(found, values), expected, rtol=1e-12)


def test_calls_without_a_rule_of_their_own_have_their_slopes_differentiated() -> None:
    """A linear system that is solved by a call: its slopes are a product of matrices."""
    matrix = {(0, 0): 2.0 + x * x, (0, 1): y, (1, 0): y, (1, 1): 3.0 + sin(x)}
    size = 2
    dense = [[matrix[i, j] for j in range(size)] for i in range(size)]
    a, b, c, d = (dense[i][j] for i in range(2) for j in range(2))
    right = [x * y, cos(y)]
    by_hand = [
        (d * right[0] - b * right[1]) / (a * d - b * c),
        (a * right[1] - c * right[0]) / (a * d - b * c),
    ]
    solved = linear_solve(dense, right)
    weights, values = [w, 2.0 * w], {x: 0.4, y: 0.7, w: 1.3}
    expected = at_point(hessian(by_hand, weights, [x, y]), values)
    np.testing.assert_allclose(
        at_point(hessian(list(solved), weights, [x, y]), values), expected, rtol=1e-10
    )


def test_rules_of_external_functions_are_differentiated() -> None:
    def rule(arguments: list[Expr], outputs: list[Expr]) -> list[dict[tuple[int, int], Expr]]:
        return [{(0, 0): outputs[0], (0, 1): 2.0 * arguments[1]}]  # of exp(a) + b^2 - b^2

    growth = ExternalFunction("growth", ("a", "b"), ("e",), lambda a, b: (math.exp(a),), "", rule)
    (value,) = call(growth, x * y, 3.0)
    found = at_point(hessian([value], [w], [x, y]), {x: 0.3, y: 0.5, w: 2.0})
    e = 2.0 * math.exp(0.15)
    np.testing.assert_allclose(found, [[0.25 * e, 1.15 * e], [1.15 * e, 0.09 * e]], rtol=1e-12)


def test_a_function_without_a_rule_is_refused() -> None:
    plain = ExternalFunction("plain", ("a",), ("e",), lambda a: (a,), "")
    with pytest.raises(ExpressionError, match="'plain' has no derivative rule"):
        hessian(list(call(plain, x * x)), [1.0], [x])


def test_each_expression_has_a_weight() -> None:
    with pytest.raises(ExpressionError, match="2 expressions has 1 weights"):
        gradient([x, y], [1.0], [x])
    with pytest.raises(ExpressionError, match="twice"):
        hessian([x], [1.0], [x, x])


def test_elimination_with_pairs_takes_fewer_operations_than_differentiating_twice() -> None:
    rows = [sin(x * y) * exp(z * x), atan(x * z) / (1.0 + y * y), sqrt(x * x + y * y + z * z)]
    weights, variables = [w, symbol("v"), symbol("u")], [x, y, z]
    found = hessian(rows, weights, variables)
    twice = by_slopes(rows, weights, variables)
    assert found.keys() == twice.keys()
    values = {e: 0.3 + 0.2 * k for k, e in enumerate((*variables, *weights))}
    np.testing.assert_allclose(at_point(found, values), at_point(twice, values), rtol=1e-12)
    ours, theirs = (count_operations(list(e.values())).total for e in (found, twice))
    assert ours < theirs
