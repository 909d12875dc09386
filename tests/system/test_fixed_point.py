"""Values that are functions of themselves, against roots that are known."""

from __future__ import annotations

import math

import pytest

from axletree.expr import ExternalFunction, call, evaluate, exp, symbol, symbols_of
from axletree.system.forms.contract import fixed_point

X, Y, A = symbol("x"), symbol("y"), symbol("a")


def test_linear_functions_need_one_step() -> None:
    """x = 1 + y / 2, y = a - x / 3."""
    found = fixed_point([X, Y], [1.0 + 0.5 * Y, A - X / 3.0], [A, A], steps=1)
    x, y = evaluate([found[X], found[Y]], {A: 5.0})
    assert x == pytest.approx(3.0, rel=1e-14)
    assert y == pytest.approx(4.0, rel=1e-14)


def test_errors_are_squared() -> None:
    """x = exp(-x) at 0.567143290409783873 (omega constant)."""
    omega, errors = 0.567143290409783873, []
    for steps in range(1, 5):
        (value,) = evaluate([fixed_point([X], [exp(-X)], [A], steps)[X]], {A: 0.3})
        errors.append(abs(value - omega))
    assert errors[0] > 1e-3
    for before, after in zip(errors, errors[1:], strict=False):
        assert after < 0.3 * before**2 + 1e-15
    assert errors[3] < 1e-14


def test_the_symbols_are_gone() -> None:
    found = fixed_point([X, Y], [exp(-Y) + A, 0.1 * X], [A + Y, X], steps=2)
    assert symbols_of(found.values()) == [A]


def test_what_does_not_depend_on_itself_is_taken_as_it_is() -> None:
    (value,) = evaluate([fixed_point([X], [2.0 * A], [A], steps=3)[X]], {A: 4.0})
    assert value == 8.0


def test_functions_without_slopes_are_differenced() -> None:
    half = ExternalFunction(
        "half_cosine", ("x",), ("y",), lambda x: (0.5 * math.cos(x),),
        "static void half_cosine(const double *i, double *o) { o[0] = 0.5 * cos(i[0]); }\n",
    )  # fmt: skip
    (value,) = evaluate([fixed_point([X], [call(half, X)[0]], [A], 4)[X]], {A: 1.0})
    assert value == pytest.approx(0.5 * math.cos(value), abs=1e-13)
