"""SymPy's forms of an expression, and the end of its patience."""

from __future__ import annotations

import pytest
import sympy
from sympy import cos, sin

from axletree.thesis.stages import Manipulation, Manipulator

x, y = sympy.symbols("x y")


def test_the_examples_of_figure_4_8() -> None:
    """simplify() keeps products, combine() makes sums of angles (Morency 2007)."""
    product = 2 * sin(x) * cos(y)
    with Manipulator(budget=30.0, total=60.0) as work:
        assert work.apply(Manipulation.NONE, product) is product
        assert work.apply(Manipulation.SIMPLIFY, sin(x) ** 2 + cos(x) ** 2) == 1
        combined = work.apply(Manipulation.COMBINE, product)
        assert combined == sin(x + y) + sin(x - y)


@pytest.mark.slow
def test_what_takes_too_long_is_given_up_and_the_next_one_is_done() -> None:
    hard = sum((sin(k * x) + cos(k * y)) ** 3 for k in range(1, 9))
    with Manipulator(budget=1.0, total=10.0) as work:
        assert work.apply(Manipulation.SIMPLIFY, hard) is None
        assert (
            work.apply(Manipulation.COMBINE, sin(x) ** 2) == sympy.Rational(1, 2) - cos(2 * x) / 2
        )


def test_nothing_is_begun_when_the_whole_budget_is_spent() -> None:
    with Manipulator(budget=1.0, total=0.0) as work:
        assert work.apply(Manipulation.SIMPLIFY, sin(x)) is None
