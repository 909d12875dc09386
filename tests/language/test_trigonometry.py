"""sin^2 + cos^2 = 1 in expressions that are sums of products."""

from __future__ import annotations

import pytest
import sympy
from sympy import cos, sin

from axletree.language import parameters, variables
from axletree.language.expressions import folded

a, b = variables("a b")
k, m = parameters("k m")

FOLDED = {
    k * sin(a) ** 2 + k * cos(a) ** 2: k,
    m * sin(a) ** 2 * cos(a) + m * cos(a) ** 3: m * cos(a),
    sin(a) ** 4 + 2 * sin(a) ** 2 * cos(a) ** 2 + cos(a) ** 4: 1,
    (k * sin(a) + cos(a)) ** 2 + (k * cos(a) - sin(a)) ** 2: k**2 + 1,
    sin(a) ** 2 + cos(b) ** 2: sin(a) ** 2 + cos(b) ** 2,
    cos(a) ** 3 + sin(a) ** 2 - 1: cos(a) ** 3 - cos(a) ** 2,
    sin(a) ** 3 + cos(a) ** 2 - 1: sin(a) ** 3 - sin(a) ** 2,
}


@pytest.mark.parametrize(("expression", "shorter"), FOLDED.items(), ids=str)
def test_squares_that_add_up(expression: sympy.Expr, shorter: sympy.Expr) -> None:
    assert folded(expression) == shorter
