"""Expressions in SymPy and CasADi: exact numbers, names, switches, tables, calls."""

from __future__ import annotations

import casadi
import numpy as np
import pytest
import sympy

from axletree import expr as ax
from axletree.core.errors import ExpressionError

x, y = ax.symbol("body.vx"), ax.symbol("y")
sx, sy = sympy.Symbol("body.vx"), sympy.Symbol("y")
LAW = ax.ExternalFunction("law", ("a", "b"), ("u", "v"), lambda a, b: (a + b, a * b), "")
TABLE = ax.Table.smooth([0.0, 1.0, 3.0], [0.0, 2.0, 2.5])


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (2 * x, 2 * sx),
        (0.1 * x - 9.81, sx / 10 - sympy.Rational(981, 100)),
        (x / 3, sx / 3),
        (x**2 / y, sx**2 / sy),
        (ax.sqrt(x), sympy.sqrt(sx)),
        (abs(x), sympy.Abs(sx)),
        (ax.maximum(x, 2), sympy.Max(sx, 2)),
        (ax.where(x < y, x, 1), sympy.Piecewise((sx, sx < sy), (1, True))),
        ((x <= y) * 1.0, sympy.Piecewise((1, sx <= sy), (0, True))),
        (
            ax.where(ax.logical_and(x < y, x > 0), x, y),
            sympy.Piecewise((sx, (sx < sy) & (sx > 0)), (sy, True)),
        ),
        (ax.where(x, 1.0, y), sympy.Piecewise((1, sympy.Ne(sx, 0)), (sy, True))),
        (x**y, sx**sy),
    ],
)
def test_to_sympy(ours: ax.Expr, theirs: sympy.Expr) -> None:
    (converted,) = ax.to_sympy([ours])
    assert converted == theirs
    values = {x: 1.25, y: 2.5}
    back = ax.evaluate(ax.from_sympy([theirs]), values)
    assert back == pytest.approx(ax.evaluate([ours], values))


def test_numbers_that_are_no_small_fractions_stay_floats() -> None:
    (converted,) = ax.to_sympy([ax.number(0.123456789)])
    assert converted.is_Float
    assert float(converted) == 0.123456789


def test_tables_and_calls_come_back_as_themselves() -> None:
    for ours in (ax.interpolate(TABLE, 2 * x), *ax.call(LAW, x, y + 1)):
        (converted,) = ax.to_sympy([ours])
        assert ax.from_sympy([converted]) == [ours]
    assert str(ax.to_sympy([ax.call(LAW, x, y)[1]])[0]) == "law_v(body.vx, y)"


def test_symbols_may_be_mapped() -> None:
    real = sympy.Symbol("v", real=True)
    assert ax.to_sympy([2 * x], {x: real}) == [2 * real]
    time = sympy.Symbol("t")
    angle = sympy.Function("theta")(time)
    speed = angle.diff(time)
    assert ax.from_sympy([sympy.sin(angle) * speed], {angle: x, speed: y}) == [ax.sin(x) * y]


@pytest.mark.parametrize(
    ("theirs", "expected"),
    [
        (sympy.pi / 2, np.pi / 2),
        (sympy.E, np.e),
        (sympy.Rational(1, 3), 1 / 3),
        (sympy.sec(sympy.Integer(1)), 1 / np.cos(1.0)),
        (sympy.cot(sympy.Integer(1)), 1 / np.tan(1.0)),
        (sympy.csc(sympy.Integer(1)), 1 / np.sin(1.0)),
        (sympy.Piecewise((1, sympy.Eq(sx, 2)), (5, sympy.Ne(sx, 3)), (7, True)), 1.0),
        (sympy.Piecewise((1, sympy.Or(sx > 2, sx >= 3)), (5, sympy.Not(sx < 1)), (7, True)), 5.0),
        (sympy.Min(sx, 3, sy), -1.0),
        (sympy.exp(sx) ** 2, np.exp(4.0)),
    ],
)
def test_from_sympy(theirs: sympy.Expr, expected: float) -> None:
    value = ax.evaluate(ax.from_sympy([theirs]), {ax.symbol("body.vx"): 2.0, y: -1.0})
    assert value[0] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("theirs", "message"),
    [
        ("x + 1", "expected SymPy expressions, got 'x . 1' of type str"),
        (sympy.gamma(sx), "gamma"),
        (sympy.I, "not a finite real number"),
        (sympy.oo, "not a finite real number"),
        (sympy.Piecewise((1, sx < 2)), "none of its conditions"),
        (sympy.Function("f")(sx), "map it to an expression"),
    ],
)
def test_what_has_no_counterpart_is_refused(theirs: object, message: str) -> None:
    with pytest.raises(ExpressionError, match=message):
        ax.from_sympy([theirs])


def test_deep_sympy_expressions_are_no_recursion() -> None:
    deep = x
    for _ in range(400):
        deep = ax.sin(deep) * y
    assert ax.from_sympy(ax.to_sympy([deep])) == [deep]


def test_tables_in_casadi() -> None:
    theirs = casadi.SX.sym("x")
    for table in (TABLE, ax.Table.linear([0.0, 1.0], [1.0, 2.0], ax.Beyond.VALUE_HELD)):
        converted = ax.to_casadi([ax.interpolate(table, x)], {x: theirs})[0]
        grid = np.linspace(-1.0, 4.0, 41)
        values = np.array(casadi.Function("f", [theirs], [converted]).map(41)(grid))[0]
        np.testing.assert_allclose(values, table.evaluate(grid), atol=1e-12)


def test_casadi_takes_matrix_symbols_too() -> None:
    theirs = casadi.MX.sym("x")
    converted = ax.to_casadi([2 * ax.sin(x) + 1], {x: theirs})[0]
    assert isinstance(converted, casadi.MX)
    value = casadi.Function("f", [theirs], [converted])(0.5)
    assert float(value) == pytest.approx(2 * np.sin(0.5) + 1)


def test_casadi_refuses_calls_and_unknown_symbols() -> None:
    with pytest.raises(ExpressionError, match="call of 'law' has no CasADi form"):
        ax.to_casadi([ax.call(LAW, x, 1.0)[0]], {x: casadi.SX.sym("x")})
    with pytest.raises(ExpressionError, match="no CasADi symbol was given for 'y'"):
        ax.to_casadi([x + y], {x: casadi.SX.sym("x")})
