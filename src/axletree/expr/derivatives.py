"""Exact derivatives: of each operation, Jacobians by vertex elimination, and along a direction.

``jacobian`` linearises the graph and eliminates its vertices in the cheapest order that is found;
``directional_derivative`` accumulates forward: d/dt of what depends on symbols.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from axletree.core.errors import ExpressionError
from axletree.expr.calls import CalledFunction, SparseMatrix
from axletree.expr.expression import (
    ONE,
    ZERO,
    Expr,
    Operand,
    apply,
    as_expr,
    expr_power,
    expr_where,
    ordering,
    reciprocal,
)
from axletree.expr.node import Node
from axletree.expr.tables import Table, interpolate
from axletree.expr.traversal import dependent_nodes, topological_order

# The derivative of each operation with respect to its operands, exact.
#
# At the switches: |x|' is sign(x), 0 at 0; sign' is 0; min and max give each side half of
# the slope at a tie; comparisons have slope 0. Slopes that a switch turns off are selected
# away, not multiplied by 0, so that an infinite slope on the unused side does no harm.

# Of functions of one argument: from the argument a and the value f.
_OF_ONE: Final[dict[str, Callable[[Expr, Expr], Expr]]] = {
    "inv": lambda a, f: -(f * f),
    "sqrt": lambda a, f: 0.5 * reciprocal(f),
    "exp": lambda a, f: f,
    "log": lambda a, f: reciprocal(a),
    "sin": lambda a, f: apply("cos", a),
    "cos": lambda a, f: -apply("sin", a),
    "tan": lambda a, f: 1.0 + f * f,
    "asin": lambda a, f: reciprocal(apply("sqrt", 1.0 - a * a)),
    "acos": lambda a, f: -reciprocal(apply("sqrt", 1.0 - a * a)),
    "atan": lambda a, f: reciprocal(1.0 + a * a),
    "sinh": lambda a, f: apply("cosh", a),
    "cosh": lambda a, f: apply("sinh", a),
    "tanh": lambda a, f: 1.0 - f * f,
    "abs": lambda a, f: apply("sign", a),
    "sign": lambda a, f: ZERO,
}


def partials(node: Node) -> tuple[Expr, ...]:
    """The derivative of the node with respect to each operand (its coefficient included).

    Not for "call" and "output", whose derivatives are matrices: see ``call_partials``.
    """
    operation, operands = node.operation, node.operands
    if operation in _OF_ONE:
        return (_OF_ONE[operation](operands[0], Expr(1.0, node)),)
    if operation == "add":
        return (ONE, ONE)
    if operation == "mul":
        return (operands[1], operands[0])
    if operation in _OF_MANY:
        return _OF_MANY[operation](node)
    if operation == "table":
        return (interpolate(cast(Table, node.data).derivative(), operands[0]),)
    return (ZERO,) * len(operands)  # comparisons, symbols and numbers


def _power(node: Node) -> tuple[Expr, ...]:
    base, exponent = node.operands
    slope = exponent * expr_power(base, exponent - 1.0)
    if exponent.is_number:
        return (slope, ZERO)
    # 0**y is 0 for every y > 0, where the logarithm of the base is infinite.
    logarithm = expr_where(ordering("lt", ZERO, base), apply("log", base), ZERO)
    return (slope, logarithm * Expr(1.0, node))


def _atan2(node: Node) -> tuple[Expr, ...]:
    y, x = node.operands
    inverse_square = reciprocal(x * x + y * y)
    return (x * inverse_square, -(y * inverse_square))


def _extremum(node: Node) -> tuple[Expr, ...]:
    left, right = node.operands
    left_below, right_below = ordering("lt", left, right), ordering("lt", right, left)
    of_left = expr_where(right_below, ZERO, expr_where(left_below, ONE, 0.5))
    of_right = expr_where(left_below, ZERO, expr_where(right_below, ONE, 0.5))
    if node.operation == "min":
        return (of_left, of_right)
    return (of_right, of_left)


def _where(node: Node) -> tuple[Expr, ...]:
    condition = node.operands[0]
    return (ZERO, expr_where(condition, ONE, ZERO), expr_where(condition, ZERO, ONE))


_OF_MANY: Final[dict[str, Callable[[Node], tuple[Expr, ...]]]] = {
    "pow": _power, "atan2": _atan2, "min": _extremum, "max": _extremum, "where": _where,
}  # fmt: skip


def call_partials(node: Node, active: Collection[Node]) -> list[SparseMatrix]:
    """Matrices whose product is the Jacobian of a call node's outputs.

    Columns of operands that are not among the ``active`` nodes may be missing.
    """
    function = cast(CalledFunction, node.data)
    columns = [k for k, e in enumerate(node.operands) if e.node in active]
    return function.slopes(node.operands, columns)


# Exact Jacobians by vertex elimination.
#
# The linearised graph has the variables, the nodes that depend on them and the expressions
# for vertices; an edge from operand to user carries the local derivative. A vertex is
# eliminated by joining each edge into it with each edge out of it: the product of the two is
# added to the edge between their far ends. When only variables and expressions are left,
# the edges are the Jacobian. The order decides the cost: see ``elimination``.


def jacobian(expressions: Sequence[Expr], variables: Sequence[Expr]) -> dict[tuple[int, int], Expr]:
    """The derivative of expression i with respect to variable j, by (i, j), row by row.

    Entries that are 0 for every value of the symbols, as the structure shows it, are
    left out.

    Example:
    >>> from axletree.expr import jacobian, symbol
    >>> x, y = symbol("x"), symbol("y")
    >>> jacobian([x * y, 3.0 * y], [x, y])
    {(0, 0): y, (0, 1): x, (1, 1): 3}
    """
    check_variables(variables)
    graph = _linearised(expressions, variables)
    graph.eliminate()
    entries: dict[tuple[int, int], Expr] = {}
    for i, expression in enumerate(expressions):
        edges = graph.into.get(("expression", expression.node), {})
        for j, variable in enumerate(variables):
            if variable.node in edges:
                entries[i, j] = edges[variable.node] * expression.coefficient
    return entries


def check_variables(variables: Sequence[Expr]) -> None:
    """Variables are different symbols."""
    for variable in variables:
        if not (isinstance(variable, Expr) and variable.is_symbol):
            raise ExpressionError(
                f"a derivative is taken with respect to symbols, got {variable!r}"
            )
    if len({variable.node for variable in variables}) != len(variables):
        raise ExpressionError("a symbol stands twice among the variables of a Jacobian")


class SlopeGraph:
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


class _LinearGraph(SlopeGraph):
    """What Jacobians are eliminated from."""

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


# In which order to eliminate the vertices of a linearised graph.
#
# The best order is not known without trying all, so a few are rehearsed on the structure
# alone, which takes a fraction of the time of the real elimination, and the one with the
# fewest operations is taken; plain forward and reverse accumulation are among them.
# Markowitz's rule, least in-degree times out-degree first, wins on tyre formulas. On a
# factorised mass matrix it makes fill too early; there it is better to take only the
# vertices with a single edge in or out by that rule, and to sweep through the rest from the
# variables to the expressions.

Vertex = Hashable
Edges = Mapping[Vertex, Mapping[Vertex, bool]]  # target, source: whether the weight is a number


@dataclass(frozen=True)
class Policy:
    """Which vertex goes next: least ``cost(in_degree, out_degree)``, then by position."""

    cost: Callable[[int, int], int]
    direction: int  # 1: among equals nearest to the variables; -1: to the expressions


_COSTS: Final[tuple[Callable[[int, int], int], ...]] = (
    lambda sources, targets: sources * targets,  # Markowitz
    lambda sources, targets: sources * targets if min(sources, targets) <= 1 else 1 << 60,
    lambda sources, targets: 0,  # reverse and forward accumulation
)
POLICIES: Final = tuple(Policy(cost, direction) for cost in _COSTS for direction in (-1, 1))


def cheapest_order(edges: Edges, rank: Mapping[Vertex, int]) -> list[Vertex]:
    """The vertices of ``rank`` (numbered operands first) in the best order found."""
    best, least = list(rank), math.inf
    for policy in POLICIES:
        rehearsal = Rehearsal(edges, rank)
        order = rehearsal.run(policy, least)
        if order is not None:
            best, least = order, rehearsal.operations
    return best


class Rehearsal:
    """An elimination in which weights are only known to be numbers or not."""

    def __init__(self, edges: Edges, rank: Mapping[Vertex, int]) -> None:
        self.rank = rank
        self.into = {target: dict(sources) for target, sources in edges.items()}
        self.out_of: dict[Vertex, dict[Vertex, None]] = {vertex: {} for vertex in rank}
        for target, sources in edges.items():
            for source in sources:
                self.out_of.setdefault(source, {})[target] = None
        self.operations = 0

    def run(self, policy: Policy, least: float) -> list[Vertex] | None:
        """The order of this policy, or None once it takes no fewer operations than ``least``."""
        order: list[Vertex] = []
        costs = {vertex: self.cost(policy, vertex) for vertex in self.rank}
        heap = [(cost, policy.direction * self.rank[v], v) for v, cost in costs.items()]
        heapq.heapify(heap)
        while heap:
            cost, _, vertex = heapq.heappop(heap)
            if costs.get(vertex) != cost:
                continue  # gone, or another entry holds the cost of today
            del costs[vertex]
            order.append(vertex)
            for neighbour in self.eliminate(vertex):
                if neighbour in costs:
                    cost = self.cost(policy, neighbour)
                    if cost != costs[neighbour]:
                        costs[neighbour] = cost
                        place = policy.direction * self.rank[neighbour]
                        heapq.heappush(heap, (cost, place, neighbour))
            if self.operations >= least:
                return None
        return order

    def cost(self, policy: Policy, vertex: Vertex) -> int:
        """Of the vertex as the graph is now."""
        return policy.cost(len(self.into.get(vertex, ())), len(self.out_of[vertex]))

    def eliminate(self, vertex: Vertex) -> list[Vertex]:
        """Join the edges of the vertex and count; its former neighbours."""
        sources, targets = self.into.pop(vertex, {}), self.out_of.pop(vertex)
        for source in sources:
            del self.out_of[source][vertex]
        for target in targets:
            edges = self.into[target]
            outer = edges.pop(vertex)
            for source, inner in sources.items():
                self.operations += not (outer or inner)
                if source in edges:
                    self.operations += 1
                    edges[source] = edges[source] and outer and inner
                else:
                    edges[source] = outer and inner
                    self.out_of[source][target] = None
        return [*sources, *targets]


# Derivatives along a direction, by forward accumulation: d/dt of what depends on symbols.


def directional_derivative(
    expressions: Sequence[Expr], rates: Mapping[Expr, Operand]
) -> list[Expr]:
    """The total derivative of each expression where each symbol changes at its rate.

    Symbols without a rate are constant.
    """
    for key in rates:
        if not (isinstance(key, Expr) and key.is_symbol):
            raise ExpressionError(f"only symbols have rates, got {key!r}")
    order = topological_order(expressions)
    moving = dependent_nodes(order, rates)
    rate: dict[Node, Expr] = {key.node: as_expr(value) for key, value in rates.items()}
    call_rates: dict[Node, list[Expr]] = {}
    for node in order:
        if node in rate or node not in moving:
            continue
        if node.operation == "call":
            call_rates[node] = _call_rates(node, rate)
        elif node.operation == "output":
            rate[node] = call_rates[node.operands[0].node][int(str(node.data))]
        else:
            rate[node] = _rate(node, rate)
    return [rate.get(e.node, ZERO) * e.coefficient for e in expressions]


def _rate(node: Node, rate: Mapping[Node, Expr]) -> Expr:
    pairs = zip(node.operands, partials(node), strict=True)
    moving = ((e, partial) for e, partial in pairs if e.node in rate)
    return sum((partial * (rate[e.node] * e.coefficient) for e, partial in moving), ZERO)


def _call_rates(node: Node, rate: Mapping[Node, Expr]) -> list[Expr]:
    vector = [rate.get(e.node, ZERO) * e.coefficient for e in node.operands]
    for matrix in reversed(call_partials(node, rate)):
        vector = _product(matrix, vector)
    missing = len(getattr(node.data, "outputs", ())) - len(vector)
    return vector + [ZERO] * missing


def _product(matrix: SparseMatrix, vector: Sequence[Expr]) -> list[Expr]:
    """The matrix times the vector; as many rows as the matrix has nonzero ones."""
    result = [ZERO] * (1 + max((row for row, _ in matrix), default=-1))
    for (row, column), entry in matrix.items():
        if column < len(vector):
            result[row] = result[row] + as_expr(entry) * vector[column]
    return result
