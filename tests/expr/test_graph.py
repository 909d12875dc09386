"""Order, symbols, dependencies, substitution, text and operation counts."""

from __future__ import annotations

import pytest

from axletree.core.errors import ExpressionError
from axletree.expr import (
    Expr,
    ExternalFunction,
    OperationCount,
    Table,
    as_expr,
    call,
    cos,
    count_operations,
    dependencies,
    depends_on,
    interpolate,
    log,
    maximum,
    number,
    parse_expression,
    sin,
    sqrt,
    substitute,
    symbol,
    symbols_of,
    tan,
    to_text,
    topological_order,
    where,
)

x, y, z = symbol("x"), symbol("y"), symbol("z")
PAIR = ExternalFunction("pair", ("a", "b"), ("sum", "product"), lambda a, b: (a + b, a * b), "")


def test_operands_come_before_their_users_and_once() -> None:
    e = (x + y) * sin(x + y) - (x + y)
    order = topological_order([e, x, e])
    place = {node: k for k, node in enumerate(order)}
    assert len(place) == len(order)
    assert all(place[o.node] < place[node] for node in order for o in node.operands)
    assert order[-1] is e.node


def test_symbols_and_dependencies() -> None:
    assert symbols_of([y * x, z + 1]) == [x, y, z]
    assert symbols_of([z, y, x]) == [x, y, z]
    assert symbols_of([number(1.0)]) == []
    first, second, third = dependencies([x * y, x + x, number(3.0)])
    assert (first, second, third) == ({x, y}, {x}, frozenset())
    assert depends_on(sin(x) + y, [x])
    assert not depends_on(sin(x) + y, [z])


def test_substitution_is_simultaneous_and_folds() -> None:
    swapped = substitute([x - 2 * y, sin(x)], {x: y, y: x})
    assert swapped == [y - 2 * x, sin(y)]
    assert substitute([x * y + z], {x: 0.0}) == [z]
    assert substitute([where(x < y, z, 1.0)], {x: 1.0, y: 2.0}) == [z]
    table = Table.linear([0.0, 1.0], [0.0, 2.0])
    assert substitute([interpolate(table, x)], {x: 0.25}) == [as_expr(0.5)]
    assert substitute([call(PAIR, x, y)[1]], {y: z}) == [call(PAIR, x, z)[1]]
    assert substitute([x], {}) == [x]


def test_only_symbols_are_replaced() -> None:
    with pytest.raises(ExpressionError, match="only symbols can be replaced, got x"):
        substitute([x], {x + y: 1.0})


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (number(2.0), "2"),
        (number(-0.1), "-0.1"),
        (-x, "-x"),
        (2.5 * x, "2.5*x"),
        (2 / x, "2/x"),
        (sin(x) / 3, f"{1 / 3!r}*sin(x)"),
        (1 / (x * x), "1/(x*x)"),
        (x**2.5, "x**2.5"),
        (where(x < 1, 2, 3), "where(x < 1, 2, 3)"),
        (x >= 1, "1 <= x"),
        (call(PAIR, x, 2)[1], "pair(x, 2)[1]"),
    ],
)
def test_text(expression: Expr, text: str) -> None:
    assert to_text(expression) == repr(expression) == text


@pytest.mark.parametrize(
    "expression",
    [
        (x - y) * z,
        x - (y - z),
        x / (y * z),
        -(x + y) / z,
        x - y * z,
        (x / y) * (z / 3),
        2 * (x + y) - z * 3,
        (x - 1) ** 2.5,
        x ** (y - z),
        (-2 * x) ** y,
        1 / (1 / (x + y) + z),
        where((x < y) * z < 2, -x, x - y) * 0.1,
    ],
)
def test_text_reads_back_as_the_same_expression(expression: Expr) -> None:
    assert parse_expression(to_text(expression), {"x": x, "y": y, "z": z}) == expression


def test_long_text_is_abbreviated() -> None:
    e = x
    for _ in range(100):
        e = e * e + y
    assert len(to_text(e)) < 2000
    assert "..." in to_text(e)


def test_count_of_morency_2007_figure_4_9() -> None:
    """4 additions, 3 multiplications, 2 divisions, 2 functions; the unused variable is free."""
    beta = symbol("beta")
    var1 = (cos(x) + cos(x) * sin(y) + cos(x) ** 2 + sin(y)) / (cos(x) * sin(y))
    _unused = log(4 * tan(beta)) / (1 + sin(y) ** 2)
    var3 = var1 * cos(x) / (var1 + cos(x) * sin(y))
    assert count_operations([var3]) == OperationCount(4, 3, 2, 2)


@pytest.mark.parametrize(
    ("expressions", "expected"),
    [
        ([x], (0, 0, 0, 0)),
        ([-x, number(3.0)], (0, 0, 0, 0)),
        ([x - y, y - x], (1, 0, 0, 0)),
        ([3 * x, -3 * x, 3 * x + y], (1, 1, 0, 0)),
        ([x + 3], (1, 0, 0, 0)),
        ([x / y], (0, 0, 1, 0)),
        ([x / y, z / y], (0, 2, 1, 0)),
        ([x / y, 1 / y], (0, 1, 1, 0)),
        ([1 / y], (0, 0, 1, 0)),
        ([x / y / z], (0, 0, 2, 0)),
        ([x**3], (0, 2, 0, 0)),
        ([sqrt(x), maximum(x, y), where(x < y, x, z)], (0, 0, 0, 4)),
        ([*call(PAIR, x, 2 * y)], (0, 1, 0, 1)),
        ([x * y, x * y], (0, 1, 0, 0)),
    ],
)
def test_counts_by_hand(expressions: list[Expr], expected: tuple[int, ...]) -> None:
    assert count_operations(expressions) == OperationCount(*expected)


def test_counts_add_up() -> None:
    total = OperationCount(1, 2, 3, 4) + OperationCount(10, 20, 30, 40)
    assert total == OperationCount(11, 22, 33, 44)
    assert total.total == 110
    assert str(total) == "11 additions, 22 multiplications, 33 divisions, 44 functions"
