"""Exact Jacobians by vertex elimination.

The linearised graph has the variables, the nodes that depend on them and the expressions
for vertices; an edge from operand to user carries the local derivative. A vertex is
eliminated by joining each edge into it with each edge out of it: the product of the two is
added to the edge between their far ends. When only variables and expressions are left,
the edges are the Jacobian. The order decides the cost: see ``elimination``.
"""

from __future__ import annotations

from collections.abc import Sequence

from axletree.core.errors import ExpressionError
from axletree.core.expr.elimination import Vertex, cheapest_order
from axletree.core.expr.expression import ONE, Expr, Node, Operand, as_expr
from axletree.core.expr.order import dependent_nodes, topological_order
from axletree.core.expr.partials import call_partials, partials


def jacobian(expressions: Sequence[Expr], variables: Sequence[Expr]) -> dict[tuple[int, int], Expr]:
    """The derivative of expression i with respect to variable j, by (i, j), row by row.

    Entries that are 0 for every value of the symbols, as the structure shows it, are
    left out.

    Example:
    >>> from axletree.core.expr import jacobian, symbol
    >>> x, y = symbol("x"), symbol("y")
    >>> jacobian([x * y, 3.0 * y], [x, y])
    {(0, 0): y, (0, 1): x, (1, 1): 3}
    """
    _check(variables)
    graph = _linearised(expressions, variables)
    graph.eliminate()
    entries: dict[tuple[int, int], Expr] = {}
    for i, expression in enumerate(expressions):
        edges = graph.into.get(("expression", expression.node), {})
        for j, variable in enumerate(variables):
            if variable.node in edges:
                entries[i, j] = edges[variable.node] * expression.coefficient
    return entries


def _check(variables: Sequence[Expr]) -> None:
    for variable in variables:
        if not (isinstance(variable, Expr) and variable.is_symbol):
            raise ExpressionError(
                f"a derivative is taken with respect to symbols, got {variable!r}"
            )
    if len({variable.node for variable in variables}) != len(variables):
        raise ExpressionError("a symbol stands twice among the variables of a Jacobian")


class _LinearGraph:
    """Edges with local derivatives, and the vertices between variables and expressions."""

    def __init__(self) -> None:
        self.into: dict[Vertex, dict[Vertex, Expr]] = {}
        self.out_of: dict[Vertex, dict[Vertex, None]] = {}
        self.rank: dict[Vertex, int] = {}  # vertices to eliminate, operands first

    def add_edge(self, source: Vertex, target: Vertex, weight: Expr) -> None:
        edges = self.into.setdefault(target, {})
        total = edges[source] + weight if source in edges else weight
        if total.is_zero:
            if edges.pop(source, None) is not None:
                del self.out_of[source][target]
        else:
            edges[source] = total
            self.out_of.setdefault(source, {})[target] = None

    def add_intermediate(self, vertex: Vertex) -> None:
        self.rank[vertex] = len(self.rank)

    def eliminate(self) -> None:
        structure = {
            target: {source: weight.is_number for source, weight in sources.items()}
            for target, sources in self.into.items()
        }
        for vertex in cheapest_order(structure, self.rank):
            self._join(vertex)

    def _join(self, vertex: Vertex) -> None:
        sources, targets = self.into.pop(vertex, {}), self.out_of.pop(vertex, {})
        for source in sources:
            del self.out_of[source][vertex]
        for target in targets:
            weight = self.into[target].pop(vertex)
            for source, inner in sources.items():
                self.add_edge(source, target, weight * inner)


def _linearised(expressions: Sequence[Expr], variables: Sequence[Expr]) -> _LinearGraph:
    graph = _LinearGraph()
    order = topological_order(expressions)
    fixed = {variable.node for variable in variables}
    active = dependent_nodes(order, variables)
    for node in order:
        if node not in active or node in fixed:
            continue
        if node.operation == "call":
            _add_call(graph, node, active)
        else:
            graph.add_intermediate(node)
        if node.operation == "output":
            result = (node.operands[0].node, int(str(node.data)))
            if result in graph.rank:  # an output may be constant by its function's rule
                graph.add_edge(result, node, ONE)
        elif node.operation != "call":
            for operand, partial in zip(node.operands, partials(node), strict=True):
                if operand.node in active:
                    graph.add_edge(operand.node, node, partial * operand.coefficient)
    for expression in expressions:
        if expression.node in active:
            target = ("expression", expression.node)
            graph.into.setdefault(target, {})[expression.node] = ONE
            graph.out_of.setdefault(expression.node, {})[target] = None
    return graph


def _add_call(graph: _LinearGraph, node: Node, active: set[Node]) -> None:
    """A call whose Jacobian is a product of matrices: vertices stand between the factors."""
    matrices: list[dict[tuple[int, int], Operand]] = [dict(m) for m in call_partials(node, active)]
    sources: dict[int, tuple[Vertex, float]] = {
        k: (e.node, e.coefficient) for k, e in enumerate(node.operands) if e.node in active
    }
    for stage in range(len(matrices) - 1, -1, -1):
        targets: dict[int, tuple[Vertex, float]] = {}
        for (row, column), entry in matrices[stage].items():
            if column not in sources:
                continue
            vertex: Vertex = (node, row) if stage == 0 else (node, row, stage)
            if row not in targets:
                targets[row] = (vertex, 1.0)
                graph.add_intermediate(vertex)
            source, coefficient = sources[column]
            graph.add_edge(source, vertex, as_expr(entry) * coefficient)
        sources = targets
