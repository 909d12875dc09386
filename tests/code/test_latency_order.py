"""Statements by latency: chains of functions stand interleaved, and every value is what it was."""

from __future__ import annotations

import numpy as np

from axletree.code.program import Routine
from axletree.code.schedule import IN_LANES, schedule
from axletree.expr import Expr, atan, cos, exp, sin, sqrt, symbol
from axletree.expr.node import ONE_NODE

X, Y, Z = (symbol(name) for name in "xyz")
LEAVES = {X: "x", Y: "y", Z: "z"}
LONG = atan(cos(sin(X) + 0.5) * Y)
SHORT = exp(sin(Z))
TARGETS = (LONG * 2.0, SHORT + sqrt(Y), LONG * SHORT)


def scheduled(*, by_latency: bool) -> Routine:
    return schedule("law", (), "out", TARGETS, LEAVES, {}, by_latency=by_latency)


def functions_of(routine: Routine) -> list[str]:
    """Of statements that are functions, in their order."""
    nodes = (s.node for block in routine.blocks for s in block.statements)
    return [n.operation for n in nodes if n is not None and n.operation in IN_LANES]


def test_chains_of_functions_stand_interleaved() -> None:
    """The longer one leads; depth first, each stands in one piece."""
    assert functions_of(scheduled(by_latency=True)) == ["sin", "sin", "cos", "exp", "atan"]


def test_everything_is_computed_once_and_before_its_use() -> None:
    """Statement by statement, with numbers; and as many operations as depth first."""
    routine = scheduled(by_latency=True)
    point = {X: 0.3, Y: 1.7, Z: -0.4}
    known: dict[object, float] = {e.node: v for e, v in point.items()} | {ONE_NODE: 1.0}
    results = [np.nan] * routine.size

    def value(e: Expr) -> float:
        node = e.node
        if node not in known:  # written inside: of what is known
            assert node not in routine.names
            known[node] = operation(node.operation, [value(o) for o in node.operands])
        return e.coefficient * known[node]

    def operation(kind: str, given: list[float]) -> float:
        if kind == "add":
            return sum(given)
        if kind == "mul":
            return float(np.prod(given))
        return float(getattr(np, {"atan": "arctan"}.get(kind, kind))(given[0]))

    for statement in (s for block in routine.blocks for s in block.statements):
        node = statement.node
        if node is None:
            assert statement.index is not None
            results[statement.index] = value(statement.expression)
        else:
            assert node not in known
            known[node] = operation(node.operation, [value(o) for o in node.operands])
    long, short = np.arctan(np.cos(np.sin(0.3) + 0.5) * 1.7), np.exp(np.sin(-0.4))
    expected = [2.0 * long, short + np.sqrt(1.7), long * short]
    np.testing.assert_allclose(results, expected, rtol=1e-15)
    assert routine.operations == scheduled(by_latency=False).operations
