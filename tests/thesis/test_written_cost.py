"""Costs of written expressions against counts by hand."""

from __future__ import annotations

from typing import Any

import pytest
import sympy
from sympy import Abs, Float, Max, cos, sin, sqrt

from axletree.expr import OperationCount
from axletree.thesis.sequences import written_cost

x, y, known, rate = sympy.symbols("x y known rate")
VARIABLES = {x: 1, y: 1, rate: 2}


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (sympy.Integer(3), OperationCount()),
        (known, OperationCount()),
        (x, OperationCount(functions=1)),
        (rate, OperationCount(functions=2)),
        (x + y - known, OperationCount(additions=2, functions=2)),
        (-x * known, OperationCount(additions=1, multiplications=1, functions=1)),
        (known - x * known, OperationCount(additions=1, multiplications=1, functions=1)),
        (2 * x * known, OperationCount(multiplications=2, functions=1)),
        (x**3, OperationCount(multiplications=2, functions=1)),
        (known / x, OperationCount(divisions=1, functions=1)),
        (1 / x, OperationCount(divisions=1, functions=1)),
        (known**2 / cos(x) ** 2, OperationCount(0, 2, 1, 2)),
        (sqrt(known), OperationCount(multiplications=1, functions=2)),
        (x * known ** Float(-1.0), OperationCount(multiplications=2, functions=3)),
        (sin(-x, evaluate=False), OperationCount(additions=1, functions=2)),
        (Abs(known * x, evaluate=False), OperationCount(multiplications=1, functions=2)),
        (Max(known, 0), OperationCount()),
    ],
)
def test_costs_are_those_counted_by_hand(expression: Any, expected: OperationCount) -> None:
    assert written_cost([expression], VARIABLES) == expected


def test_every_occurrence_counts() -> None:
    part = sin(x) * known
    assert written_cost([part + part**2, part], VARIABLES) == OperationCount(1, 5, 0, 6)


def test_a_number_is_spread_over_a_sum_as_in_maple() -> None:
    """0.76 (a - b) is written 0.76 a - 0.76 b."""
    assert written_cost([Float(0.76) * (x - known)], VARIABLES) == OperationCount(1, 2, 0, 1)
