"""The mathematics of formulas: one answer on floats, arrays, expressions and SymPy."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sympy

from axletree import expr as ax
from axletree.core.errors import ExpressionError

CASES: dict[str, tuple[Callable[..., Any], tuple[float, ...]]] = {
    "sin": (ax.sin, (0.7,)),
    "cos": (ax.cos, (0.7,)),
    "tan": (ax.tan, (0.7,)),
    "asin": (ax.asin, (-0.7,)),
    "acos": (ax.acos, (-0.7,)),
    "atan": (ax.atan, (-2.0,)),
    "sinh": (ax.sinh, (0.7,)),
    "cosh": (ax.cosh, (-0.7,)),
    "tanh": (ax.tanh, (0.7,)),
    "exp": (ax.exp, (-1.5,)),
    "log": (ax.log, (2.5,)),
    "sqrt": (ax.sqrt, (2.0,)),
    "absolute": (ax.absolute, (-3.0,)),
    "sign": (ax.sign, (-3.0,)),
    "sign of 0": (ax.sign, (0.0,)),
    "atan2": (ax.atan2, (1.0, -2.0)),
    "power": (ax.power, (2.5, 1.3)),
    "minimum": (ax.minimum, (2.0, -1.0)),
    "maximum": (ax.maximum, (2.0, -1.0)),
    "where true": (lambda a, b: ax.where(a < b, a, b), (1.0, 2.0)),
    "where false": (lambda a, b: ax.where(a >= b, a, b), (1.0, 2.0)),
    "and": (lambda a, b: ax.where(ax.logical_and(a < b, b < 3), a, b), (1.0, 2.0)),
    "or": (lambda a, b: ax.where(ax.logical_or(a > b, b > 3), a, b), (1.0, 2.0)),
    "not": (lambda a, b: ax.where(ax.logical_not(a > b), a, b), (1.0, 2.0)),
}
SYMBOLS = [ax.symbol("a"), ax.symbol("b")]


@pytest.mark.parametrize("name", CASES)
def test_one_answer_on_every_kind(name: str) -> None:
    function, arguments = CASES[name]
    symbols = SYMBOLS[: len(arguments)]
    expected = function(*arguments)
    assert isinstance(expected, float)
    on_arrays = function(*[np.array([v, v]) for v in arguments])
    np.testing.assert_allclose(on_arrays, [expected, expected], rtol=1e-15)
    as_expression = function(*symbols)
    values = dict(zip(symbols, arguments, strict=True))
    assert ax.evaluate([as_expression], values)[0] == pytest.approx(expected, rel=1e-14)
    of_numbers = function(*[ax.number(v) for v in arguments])
    assert float(of_numbers) == expected
    in_sympy = function(*[sympy.Float(v, 30) for v in arguments])
    assert float(in_sympy) == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("name", CASES)
def test_arrays_stay_in_shape_when_evaluated(name: str) -> None:
    function, arguments = CASES[name]
    symbols = SYMBOLS[: len(arguments)]
    grid = {s: np.full((2, 3), v) for s, v in zip(symbols, arguments, strict=True)}
    (result,) = ax.evaluate([function(*symbols)], grid)
    np.testing.assert_allclose(result, np.full((2, 3), function(*arguments)), rtol=1e-14)


def test_kinds_may_be_mixed() -> None:
    a = SYMBOLS[0]
    assert ax.maximum(2.0, a) == ax.maximum(a, 2.0)
    assert ax.atan2(sympy.Symbol("q"), 1.0) == sympy.atan2(sympy.Symbol("q"), 1.0)
    assert ax.where(a < 1, 2.0, 3.0).node.operation == "where"


def test_a_truth_value_of_sympy_may_be_a_number() -> None:
    q = sympy.Symbol("q")
    assert ax.where(q, 1, 2).subs(q, 3) == 1
    assert ax.where(q, 1, 2).subs(q, 0) == 2


@pytest.mark.parametrize(
    "build", [lambda: ax.sqrt(-1.0), lambda: ax.log(0.0), lambda: ax.exp(1e4), lambda: ax.asin(2)]
)
def test_floats_outside_the_domain_are_refused(build: Callable[[], float]) -> None:
    with pytest.raises(ExpressionError, match="not a finite real number"):
        build()


def test_sympy_is_not_loaded_before_it_is_used() -> None:
    code = "import sys, axletree.expr; print('sympy' in sys.modules, 'casadi' in sys.modules)"
    environment = {"PYTHONPATH": ":".join(sys.path)}
    run = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == ["False", "False"]


def test_evaluate_names_what_is_missing() -> None:
    with pytest.raises(ExpressionError, match="'body.vx'; one was given for 'body.vy'"):
        ax.evaluate([ax.symbol("body.vx")], {ax.symbol("body.vy"): 1.0})


def test_evaluate_refuses_nan_and_keeps_poles() -> None:
    a = SYMBOLS[0]
    with pytest.raises(ExpressionError, match="expression 1, log"):
        ax.evaluate([a, ax.log(a)], {a: -1.0})
    with pytest.raises(ExpressionError, match="no real value"):
        ax.evaluate([ax.sqrt(a)], {a: np.array([1.0, -1.0])})
    assert ax.evaluate([1 / a], {a: 0.0}) == [np.inf]
    assert np.isnan(ax.evaluate([a + 1], {a: np.nan})[0])
    guarded = ax.where(a > 0, ax.log(a), 0.0)
    assert ax.evaluate([guarded], {a: -1.0}) == [0.0]
