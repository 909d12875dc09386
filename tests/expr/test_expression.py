"""The canonical form: sharing, folding, order, immutability, the same graph in every process."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

from axletree.core.errors import ExpressionError
from axletree.expr import (
    Expr,
    as_expr,
    cos,
    evaluate,
    exp,
    logical_and,
    maximum,
    minimum,
    node,
    number,
    power,
    sin,
    sqrt,
    symbol,
    topological_order,
    where,
)

x, y, z = symbol("x"), symbol("y"), symbol("z")


def test_signs_and_factors_share_a_node() -> None:
    assert (x - y).node is (y - x).node is (3 * (x - y)).node
    assert (x * y).node is (y * x).node is (-(3 * x) * y).node
    assert (2 * x + 2 * y).node is (x + y).node
    assert sin(-x).node is sin(x).node
    assert cos(-x) == cos(x)
    assert maximum(x, y).node is minimum(-x, -y).node


def test_different_factors_are_different_nodes() -> None:
    # hash(-1.0) equals hash(-2.0): keys must tell them apart all the same.
    assert (x - y).node is not (x - 2 * y).node
    assert (x - y).node.key != (x - 2 * y).node.key
    assert (x - y) * (x - 2 * y) == (x - 2 * y) * (x - y)


def test_nodes_that_nobody_holds_are_dropped_from_the_last_to_the_first() -> None:
    kept = sin(x) * y
    node.sweep_nodes()
    before = len(node.NODES)
    chain = x
    for _ in range(3000):
        chain = cos(chain) + y
    assert len(node.NODES) >= before + 6000
    del chain
    node.sweep_nodes()
    assert len(node.NODES) <= before
    assert (sin(x) * y).node is kept.node


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (0 * x, 0.0),
        (x * 0.0, 0.0),
        (x - x, 0.0),
        (x + 0, x),
        (1 * x, x),
        (x / x, 1.0),
        (x * y / y, x),
        (x + y - y, x),
        ((x + 1) + 2, x + 3),
        (1 / (1 / x), x),
        (x**0, 1.0),
        (x**1, x),
        (x**0.5, sqrt(x)),
        (abs(-exp(x)), exp(x)),
        (where(1.0, x, y), x),
        (where(x < x, y, z), z),
        (where(x <= x, y, z), y),
        (where(x < y, z, z), z),
        (where(x < y, where(x < y, 1, 2), 3), where(x < y, 1, 3)),
        (where(x < y, z, 0) + where(x < y, 0, 5), where(x < y, z, 5)),
        (where(x < y, 3 * z, 0), 3 * where(x < y, z, 0)),
        (where(x < y, 0, -z), -where(x < y, 0, z)),
        (number(2.0) ** 0.5, 2.0**0.5),
        (sin(number(1.0)), float(np.sin(1.0))),
    ],
)
def test_cheaper_equal_forms(expression: Expr, expected: Expr | float) -> None:
    assert expression == as_expr(expected)


def test_integer_powers_are_squarings() -> None:
    assert x**4 == (x * x) * (x * x)
    assert len(topological_order([x**64])) == 7  # x and six squarings
    assert (x**-3) == 1 / (x * x * x)
    assert power(x, 65).node.operation == "pow"


def test_selections_multiply_what_they_select() -> None:
    chosen = where(x < 0, 0, 1) * (1 / x)
    assert chosen.node.operation == "where"
    assert where(x < 0, 1, 0) * y == where(x < 0, y, 0)
    both = where(x < 0, y, 0) * where(y < 0, 0, z)
    assert both == where(y < 0, 0, z) * where(x < 0, y, 0)
    assert evaluate([both], {x: -1.0, y: 2.0, z: 5.0}) == [10.0]
    assert evaluate([both], {x: 1.0, y: 2.0, z: 5.0}) == [0.0]


def test_selections_by_different_conditions_stay_apart() -> None:
    total = where(x < y, z, 0) + where(x < z, 0, 5)
    assert evaluate([total], {x: 1.0, y: 2.0, z: 0.5}) == [5.5]
    assert where(-2 * (x < y), z, 0) == where(x < y, z, 0)
    assert maximum(x, -x) == maximum(-x, x)


def test_a_deep_selection_is_no_recursion() -> None:
    chain = as_expr(1.0)
    for k in range(5000):
        chain = where(symbol(f"c{k}"), chain, 0.0)
    assert (chain * x).node.operation == "where"


def test_coefficients_are_finite_floats_and_never_minus_zero() -> None:
    tiny = 1e-200 * x
    for zero in (-(x - x), tiny * -1e-200, number(-0.0), as_expr(0) * -1.0):
        assert zero.is_number
        assert str(zero.coefficient) == "0.0"
    assert isinstance((x * 2).coefficient, float)
    for build in (
        lambda: 1e200 * x * 1e200,
        lambda: 1e308 * x + 1e308 * x,
        lambda: 1 / (5e-324 * x),
        lambda: number(float("inf")),
        lambda: x * float("nan"),
        lambda: exp(number(1000.0)),
    ):
        with pytest.raises(ExpressionError, match=r"inf|nan|finite"):
            build()


def test_what_has_no_value_is_refused() -> None:
    with pytest.raises(ExpressionError, match="division by zero"):
        _ = x / 0
    with pytest.raises(ExpressionError, match="division by zero"):
        _ = x / (y - y)
    with pytest.raises(ExpressionError, match=r"sqrt\(-1\)"):
        sqrt(number(-1.0))
    with pytest.raises(ExpressionError, match="'1.5' of type str"):
        as_expr("1.5")  # type: ignore[arg-type]
    with pytest.raises(ExpressionError, match="needs a name"):
        symbol("")
    with pytest.raises(TypeError, match="where"):
        bool(x < y)
    with pytest.raises(TypeError, match="not a number"):
        float(x)
    with pytest.raises(TypeError, match="unsupported operand"):
        _ = x + "1"  # type: ignore[operator]


def test_immutable() -> None:
    with pytest.raises(AttributeError, match="immutable"):
        x.coefficient = 2.0
    with pytest.raises(AttributeError, match="immutable"):
        x.node.operands = ()


def test_equal_numbers_have_one_hash() -> None:
    assert {number(2.0): "a"}[2.0] == "a"  # type: ignore[index]
    assert number(2) == 2
    assert x != 1.0


def test_numpy_scalars_and_arrays() -> None:
    assert np.float64(2.0) * x == 2 * x == x * np.float32(2.0)
    assert list(np.array([1.0, 2.0]) * x) == [x, 2 * x]
    assert np.array([x, y]) @ np.array([y, x]) == 2 * x * y


def test_copies_and_pickles_are_the_same_node() -> None:
    e = where(x < y, sin(x) * 3 - y, maximum(x, logical_and(x, y)))
    assert copy.deepcopy(e) is e
    assert pickle.loads(pickle.dumps(e)) == e


def test_graphs_may_be_thousands_deep() -> None:
    e = x
    for _ in range(10_000):
        e = sin(e) + x
    assert len(topological_order([e])) == 20_001
    assert pickle.loads(pickle.dumps(e)) == e
    assert repr(e).count("...") >= 1
    assert len(repr(e)) < 1000


PRINT_ORDER = """
from axletree.expr import *
x, y, z = (symbol(n) for n in ("body.vx", "front_left.slip", "m"))
e = (x - y * z) / (sin(x) + maximum(y, 2 * z)) * interpolate(Table.linear([0, 1], [0, 2]), x)
j = jacobian([e, e * x + y], [x, y, z])
print([(n.operation, n.key) for n in topological_order(j.values())])
"""


def test_the_same_graph_in_every_process() -> None:
    outputs = set()
    for hash_start in ("0", "1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_start}
        run = subprocess.run(
            [sys.executable, "-c", PRINT_ORDER],
            env=environment | {"PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        )
        outputs.add(run.stdout)
    assert len(outputs) == 1
