"""Expressions in model files: what they mean, and what is said about mistakes."""

from __future__ import annotations

import math
import operator
from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from axletree.core.errors import ExpressionError
from axletree.expr import Expr, absolute, maximum, parse_expression, sin, symbol, where

pin, mass, t = symbol("pin.angle"), symbol("m"), symbol("t")
KNOWN = {"pin.angle": pin, "m": mass}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2", 2.0),
        (" .5e1 ", 5.0),
        ("1.", 1.0),
        ("-2^2", -4.0),
        ("2^-1", 0.5),
        ("2^3^2", 512.0),
        ("2**3", 8.0),
        ("6/3/2", 1.0),
        ("1 - 2 - 3", -4.0),
        ("2*-3", -6.0),
        ("--+3", 3.0),
        ("(1 + 2)*3", 9.0),
        ("1 < 2", 1.0),
        ("2 <= 1", 0.0),
        ("2*pi", 2 * math.pi),
        ("atan2(1, -1)", math.atan2(1, -1)),
        ("t", t),
        ("pin.angle*m", pin * mass),
        ("sin(pin.angle)^2", sin(pin) * sin(pin)),
        ("abs(m) + absolute(m)", 2 * absolute(mass)),
        ("max(m, 2)", maximum(mass, 2)),
        ("where(m > 1, m, pin.angle)", where(mass > 1, mass, pin)),
        ("where(m >= t + 1, 1, 0)", where(t + 1 <= mass, 1, 0)),
    ],
)
def test_meaning(text: str, expected: Expr | float) -> None:
    assert parse_expression(text, KNOWN) == expected


def test_the_mapping_may_name_another_time() -> None:
    assert parse_expression("t", {"t": symbol("time")}) == symbol("time")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pin.angel", r"unknown name 'pin.angel' at column 1 .*did you mean 'pin.angle'\?"),
        ("1 + q", r"unknown name 'q' at column 5 .*known names: m, pi, pin.angle, t"),
        ("sni(2)", r"unknown function 'sni' at column 1 .*did you mean 'sin'\?"),
        ("m(2)", "unknown function 'm'"),
        ("sin", r"expected '\(' after the function 'sin'"),
        ("sin()", r"expected a value, found '\)' at column 5"),
        ("sin(1, 2)", "'sin' takes 1 arguments, found 2"),
        ("", "expected a value, found the end at column 1"),
        ("2 +", "found the end at column 4"),
        ("(1", r"expected '\)', found the end at column 3"),
        ("1)", r"expected an operator, found '\)' at column 2"),
        ("1 2", "expected an operator, found '2' at column 3"),
        ("1 < 2 < 3", "a second comparison at column 7"),
        ("m $ 2", r"unexpected character '\$' at column 3"),
        ("m == 2", "unexpected character '=' at column 3"),
        ("m[0]", r"unexpected character '\['"),
        ("'text'", "unexpected character"),
        ("1/0", "division by zero.* at column 2"),
        ("m/(m - m)", "division by zero"),
        ("2*log(0)", r"log\(0\) is not a finite real number at column 3"),
        ("1e999", "the number 1e999 is too large at column 1"),
        ("1e300*1e300", "at column 6"),
        ("(" * 60 + "1" + ")" * 60, "nested deeper than 50"),
        ("-" * 60 + "1", "nested deeper than 50"),
        ("2" + "^2" * 60, "nested deeper than 50"),
        ("1+" * 6000 + "1", "12001 characters is too long; the limit is 10000"),
        ("__import__", "unknown name '__import__'"),
        ("lambda: 1", "unknown name 'lambda'|unexpected character ':'"),
        ("m.__class__", "unknown name 'm.__class__'"),
        ("\u0661 + 1", "unexpected character"),
    ],
)
def test_mistakes_are_located(text: str, message: str) -> None:
    with pytest.raises(ExpressionError, match=message):
        parse_expression(text, KNOWN)


def test_only_text_is_read() -> None:
    with pytest.raises(ExpressionError, match="expected the text of an expression, got 2"):
        parse_expression(2, KNOWN)  # type: ignore[arg-type]


def test_long_sums_are_no_recursion() -> None:
    total = parse_expression("+".join(["m*t"] * 2000), KNOWN)
    assert total == 2000 * mass * t


Term = tuple[str, Fraction | None]  # the text, and its value unless it divides by zero


def joined(left: Term, sign: str, right: Term) -> Term:
    text = f"({left[0]}) {sign} {right[0] if right[0].isdigit() else f'({right[0]})'}"
    if left[1] is None or right[1] is None or (sign == "/" and right[1] == 0):
        return text, None
    return text, OPERATORS[sign](left[1], right[1])


OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
ARITHMETIC = st.recursive(
    st.integers(0, 9).map(lambda n: (str(n), Fraction(n))),
    lambda inner: (
        st.builds(joined, inner, st.sampled_from(sorted(OPERATORS)), inner)
        | inner.map(lambda term: (f"-({term[0]})", None if term[1] is None else -term[1]))
    ),
    max_leaves=8,
)


@given(ARITHMETIC)
@settings(max_examples=100)
def test_arithmetic_equals_that_of_fractions(term: Term) -> None:
    text, value = term
    # Whether rounding leaves an exact 0 to divide by is not the parser's affair.
    assume(value is not None)
    assert float(parse_expression(text, {})) == pytest.approx(float(value), rel=1e-9, abs=1e-9)


@given(st.text(alphabet="0123456789.eE+-*/^()<>=, abmnpist_$'\"\n", max_size=30))
@settings(max_examples=200)
def test_any_text_gives_an_expression_or_an_expression_error(text: str) -> None:
    try:
        result = parse_expression(text, KNOWN)
    except ExpressionError:
        return
    assert isinstance(result, Expr)
