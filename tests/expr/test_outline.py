"""Functions of expressions: calls give what the expressions give."""

from __future__ import annotations

from random import Random

import pytest

from axletree.expr import (
    Expr,
    ExpressionFunction,
    ExternalFunction,
    atan,
    call,
    cos,
    count_operations,
    directional_derivative,
    evaluate,
    exp,
    inlined,
    jacobian,
    outline,
    sin,
    sqrt,
    symbol,
    to_casadi,
    to_sympy,
    topological_order,
)

load, slip, stiffness, shape = (symbol(f"law.{n}") for n in ("load", "slip", "stiffness", "shape"))
x, y, p, q = (symbol(n) for n in ("x", "y", "p", "q"))
FORMULAS = {
    "force": load * sin(shape * atan(stiffness**2 * slip)) * sqrt(stiffness),
    "moment": exp(-slip * slip) * cos(slip) + stiffness * shape,
}


def at(load_value: Expr, slip_value: Expr, *, early: bool = True) -> dict[str, Expr]:
    given = {load: load_value, slip: slip_value, stiffness: p, shape: q}
    return outline("law", FORMULAS, given, [stiffness, shape] if early else [])


def written_out(load_value: Expr, slip_value: Expr) -> dict[str, Expr]:
    return {name: inlined([e])[0] for name, e in at(load_value, slip_value).items()}


def functions_in(expressions: list[Expr]) -> list[ExpressionFunction]:
    calls = [n.data for n in topological_order(expressions) if n.operation == "call"]
    return [data for data in calls if isinstance(data, ExpressionFunction)]


def points(count: int = 5) -> list[dict[Expr, float]]:
    random = Random(3)
    return [{e: random.uniform(0.2, 2.0) for e in (x, y, p, q)} for _ in range(count)]


@pytest.mark.parametrize("early", [True, False])
def test_a_call_gives_what_the_formula_gives(early: bool) -> None:
    found = at(x * y, x - y, early=early)
    for values in points():
        a, b = values[x] * values[y], values[x] - values[y]
        own = {load: a, slip: b, stiffness: values[p], shape: values[q]}
        assert evaluate(list(found.values()), values) == pytest.approx(
            evaluate(list(FORMULAS.values()), own), rel=1e-14
        )


def test_every_call_is_of_one_function() -> None:
    two = [*at(x, y).values(), *at(y * 2.0, sin(x)).values()]
    first, second = functions_in(two)
    assert first == second
    assert first.outputs == ("force", "moment")


def test_what_is_early_is_handed_over() -> None:
    function = functions_in(list(at(x, y).values()))[0]
    assert function.inputs[: function.varying] == ("law.load", "law.slip")
    inside = {n.operation for n in topological_order(function.expressions)}
    assert "sqrt" not in inside, "the root of a parameter is computed once, outside"
    without = functions_in(list(at(x, y, early=False).values()))[0]
    assert function.operations.total < without.operations.total


def test_a_call_costs_what_its_function_costs() -> None:
    (function,) = set(functions_in(list(at(x, y).values())))
    assert function.operations == count_operations(function.expressions)
    assert count_operations(function.at([x] * len(function.inputs))) == function.operations


def test_results_without_operations_are_no_part_of_the_call() -> None:
    found = outline("law", {"slip": -slip, "none": Expr(0.0, slip.node), **FORMULAS},
                    {load: x, slip: y, stiffness: p, shape: q}, [stiffness, shape])  # fmt: skip
    assert found["slip"] == -y
    assert found["none"].is_zero
    assert functions_in(list(found.values()))[0].outputs == ("force", "moment")


def test_slopes_are_those_of_the_formula_written_out() -> None:
    variables = [x, y, p, q]
    calls, plain = at(x * y, sin(x)), written_out(x * y, sin(x))
    assert not functions_in(list(plain.values()))
    found, expected = (jacobian(list(e.values()), variables) for e in (calls, plain))
    assert set(found) == set(expected)
    for values in points():
        assert evaluate(list(found.values()), values) == pytest.approx(
            evaluate([expected[key] for key in found], values), rel=1e-12
        )


def test_slopes_are_calls_of_one_function_too() -> None:
    both = [*at(x, y).values(), *at(y, x).values()]
    entries = jacobian(both, [x, y])
    slopes = {f for f in functions_in(list(entries.values())) if f.name == "law_slopes"}
    assert len(slopes) == 1


def test_second_slopes() -> None:
    first = jacobian([at(x, y)["force"]], [y])[0, 0]
    second = jacobian([first], [y])[0, 0]
    plain = jacobian([jacobian([written_out(x, y)["force"]], [y])[0, 0]], [y])[0, 0]
    for values in points():
        assert evaluate([second], values) == pytest.approx(evaluate([plain], values), rel=1e-11)


def test_rates_are_those_of_the_formula_written_out() -> None:
    rates = {x: y, y: -x * p}
    found = directional_derivative(list(at(x, y).values()), rates)
    plain = directional_derivative(list(written_out(x, y).values()), rates)
    for values in points():
        assert evaluate(found, values) == pytest.approx(evaluate(plain, values), rel=1e-12)


def test_conversions_write_the_function_out() -> None:
    import casadi

    found = list(at(x, y).values())
    sympy_form = to_sympy(found)
    symbols = {e: casadi.SX.sym(e.name) for e in (x, y, p, q)}
    function = casadi.Function("f", list(symbols.values()), to_casadi(found, symbols))
    for values in points():
        expected = evaluate(found, values)
        read = [float(e.subs({s.name: v for s, v in values.items()})) for e in sympy_form]
        assert read == pytest.approx(expected, rel=1e-13)
        assert [float(v) for v in function(*values.values())] == pytest.approx(expected, rel=1e-13)


def test_what_holds_an_external_call_stays_in_the_open() -> None:
    own = ExternalFunction("own", ("a",), ("b",), lambda a: (a,), "", None)
    found = outline("law", {"force": call(own, slip)[0] * 2.0}, {slip: y})
    assert found["force"] == call(own, y)[0] * 2.0
