"""Gradient and Hessian of a weighted sum of expressions.

The gradient is found by reverse accumulation: the adjoint of a node is the derivative of the sum
by that node. The Hessian begins with the second derivatives of single operations, times their
adjoints, as edges between operands; then the vertices in between are eliminated, each edge of a
vertex being handed on to its operands (Gower and Mello 2012, "edge pushing", in any order).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final, cast

from axletree.core.errors import ExpressionError
from axletree.expr.calls import CallCurvature, CalledFunction, SparseMatrix, row_product
from axletree.expr.derivatives import (
    POLICIES,
    Policy,
    Rehearsal,
    SlopeGraph,
    Vertex,
    check_variables,
    jacobian,
    partials,
)
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
    symbol,
)
from axletree.expr.node import Node
from axletree.expr.tables import Table, interpolate
from axletree.expr.traversal import dependent_nodes, substitute, topological_order


def gradient(
    expressions: Sequence[Expr], weights: Sequence[Operand], variables: Sequence[Expr]
) -> list[Expr]:
    """The derivative of the weighted sum of the expressions by each variable.

    The weights do not change with the variables.

    Example:
    >>> from axletree.expr import gradient, symbol
    >>> x, y, w = symbol("x"), symbol("y"), symbol("w")
    >>> gradient([x * y, 3.0 * y], [w, 1.0], [x, y])
    [w*y, x*w + 3]
    """
    check_variables(variables)
    adjoints = _Adjoints(expressions, weights, variables)
    for node in reversed(adjoints.order):
        if node.operation == "call":
            adjoints.through_call(node)
        elif node.operation != "output":
            adjoints.through(node)
    return [adjoints.of.get(variable.node, ZERO) for variable in variables]


class _Adjoints:
    """The derivative of a weighted sum by each node that lies between it and the variables."""

    def __init__(
        self, expressions: Sequence[Expr], weights: Sequence[Operand], variables: Sequence[Expr]
    ) -> None:
        if len(weights) != len(expressions):
            raise ExpressionError(
                f"a sum of {len(expressions)} expressions has {len(weights)} weights; expected one "
                "for each"
            )
        self.fixed = {variable.node for variable in variables}
        every = topological_order(expressions)
        self.active = dependent_nodes(every, variables)
        self.order = [n for n in every if n in self.active and n not in self.fixed]
        self.outputs: dict[Node, list[Node]] = {}  # of each call
        for node in self.order:
            if node.operation == "output":
                self.outputs.setdefault(node.operands[0].node, []).append(node)
        self.of: dict[Node, Expr] = {}
        for expression, weight in zip(expressions, weights, strict=True):
            self.add(expression, as_expr(weight))

    def add(self, operand: Expr, adjoint: Expr) -> None:
        """What one user of an operand adds to its adjoint."""
        if operand.node in self.active:
            known = self.of.get(operand.node, ZERO)
            self.of[operand.node] = known + adjoint * operand.coefficient

    def through(self, node: Node) -> None:
        """From a node to its operands."""
        adjoint = self.of.get(node, ZERO)
        if not adjoint.is_zero:
            for operand, partial in zip(node.operands, partials(node), strict=True):
                if operand.node in self.active:
                    self.add(operand, adjoint * partial)

    def through_call(self, node: Node) -> None:
        """From the results of a call to its arguments."""
        weights = self.of_outputs(node)
        if any(not weight.is_zero for weight in weights):
            function, columns = cast(CalledFunction, node.data), self.columns(node)
            found = function.weighted_slopes(node.operands, columns, weights)
            for k, adjoint in found.items():
                self.add(node.operands[k], adjoint)

    def of_outputs(self, node: Node) -> list[Expr]:
        """Of the results of a call, 0 for those that nobody uses."""
        found = [ZERO] * len(cast(CalledFunction, node.data).outputs)
        for output in self.outputs.get(node, ()):
            found[int(str(output.data))] = self.of.get(output, ZERO)
        return found

    def columns(self, node: Node) -> list[int]:
        """The arguments of a call that depend on the variables."""
        return [k for k, e in enumerate(node.operands) if e.node in self.active]


# Second derivatives of single operations.

# Of functions of one argument: from the argument a and the value f; absent ones have none.
_OF_ONE: Final[dict[str, Callable[[Expr, Expr], Expr]]] = {
    "inv": lambda a, f: 2.0 * (f * f) * f,
    "sqrt": lambda a, f: -0.25 * (reciprocal(a) * reciprocal(f)),
    "exp": lambda a, f: f,
    "log": lambda a, f: -(reciprocal(a) * reciprocal(a)),
    "sin": lambda a, f: -f,
    "cos": lambda a, f: -f,
    "tan": lambda a, f: 2.0 * f * (1.0 + f * f),
    "asin": lambda a, f: _inverse_sine_curvature(a),
    "acos": lambda a, f: -_inverse_sine_curvature(a),
    "atan": lambda a, f: -2.0 * a * (reciprocal(1.0 + a * a) * reciprocal(1.0 + a * a)),
    "sinh": lambda a, f: f,
    "cosh": lambda a, f: f,
    "tanh": lambda a, f: -2.0 * f * (1.0 - f * f),
}


def _inverse_sine_curvature(a: Expr) -> Expr:
    root = reciprocal(apply("sqrt", 1.0 - a * a))
    return a * (root * root) * root


def second_partials(node: Node) -> dict[tuple[int, int], Expr]:
    """Second derivatives of the node by its operands (their coefficients included), if not 0.

    By pairs of positions, the first not after the second. Corners, jumps and joints of straight
    lines have none. Not for "call" and "output".
    """
    operation, operands = node.operation, node.operands
    if operation == "mul":
        return {(0, 1): ONE}
    if operation in _OF_ONE:
        return {(0, 0): _OF_ONE[operation](operands[0], Expr(1.0, node))}
    if operation == "pow":
        return _power(node)
    if operation == "atan2":
        y, x = operands
        inverse_square = reciprocal(x * x + y * y)
        over_fourth = inverse_square * inverse_square
        product = 2.0 * (x * y) * over_fourth
        return {(0, 0): -product, (0, 1): (y * y - x * x) * over_fourth, (1, 1): product}
    if operation == "table":
        curvature = cast(Table, node.data).derivative().derivative()
        return {(0, 0): interpolate(curvature, operands[0])}
    return {}


def _power(node: Node) -> dict[tuple[int, int], Expr]:
    base, exponent = node.operands
    of_base = exponent * (exponent - 1.0) * expr_power(base, exponent - 2.0)
    if exponent.is_number:
        return {(0, 0): of_base}
    # As for the slope: 0**y is 0 for every y > 0, where the logarithm of the base is infinite.
    logarithm = expr_where(ordering("lt", ZERO, base), apply("log", base), ZERO)
    # A straight line has none at 0, either, where 0 * 0**-1 is no number.
    is_below, is_above = ordering("lt", exponent, ONE), ordering("lt", ONE, exponent)
    of_base = expr_where(is_below, of_base, expr_where(is_above, of_base, ZERO))
    mixed = expr_power(base, exponent - 1.0) * (1.0 + exponent * logarithm)
    return {
        (0, 0): of_base,
        (0, 1): mixed,
        (1, 1): logarithm * logarithm * Expr(1.0, node),
    }


# The Hessian, by elimination.


def hessian(
    expressions: Sequence[Expr], weights: Sequence[Operand], variables: Sequence[Expr]
) -> dict[tuple[int, int], Expr]:
    """Second derivatives of the weighted sum of the expressions by variables i and j, by (i, j).

    The lower triangle, i >= j, row by row. Entries that are 0 for every value of the symbols, as
    the structure shows it, are left out. The weights do not change with the variables.

    Example:
    >>> from axletree.expr import hessian, symbol
    >>> x, y, w = symbol("x"), symbol("y"), symbol("w")
    >>> hessian([x * x * y], [w], [x, y])
    {(0, 0): 2*w*y, (1, 0): 2*x*w}
    """
    check_variables(variables)
    graph = _curved_graph(expressions, weights, variables)
    graph.eliminate()
    found: dict[tuple[int, int], Expr] = {}
    for i, row in enumerate(variables):
        edges = graph.curved.get(row.node, {})
        found |= {
            (i, j): edges[column.node]
            for j, column in enumerate(variables[: i + 1])
            if column.node in edges
        }
    return found


class _CurvedGraph(SlopeGraph):
    """Slopes from operands to users, and edges of pairs with second derivatives."""

    def __init__(self) -> None:
        super().__init__()
        self.curved: dict[Vertex, dict[Vertex, Expr]] = {}  # symmetric

    def add_pair(self, one: Vertex, other: Vertex, curvature: Expr) -> None:
        """A term of the mixed second derivative by two vertices; twice where they are one."""
        if one == other:
            curvature = 2.0 * curvature
        self.add_curvature(one, other, curvature)

    def add_curvature(self, one: Vertex, other: Vertex, curvature: Expr) -> None:
        edges = self.curved.setdefault(one, {})
        total = edges[other] + curvature if other in edges else curvature
        if total.is_zero:
            if edges.pop(other, None) is not None and one != other:
                del self.curved[other][one]
        else:
            edges[other] = total
            self.curved.setdefault(other, {})[one] = total

    def eliminate(self) -> None:
        for vertex in cheapest_symmetric_order(self):
            self.join(vertex)

    def join(self, vertex: Vertex) -> None:
        """Hand the edges of a vertex on to its operands."""
        sources, targets = self.into.pop(vertex, {}), self.out_of.pop(vertex, {})
        pairs = self.curved.pop(vertex, {})
        for source in sources:
            del self.out_of[source][vertex]
        for target in targets:
            slope = self.into[target].pop(vertex)
            for source, inner in sources.items():
                self.add_edge(source, target, slope * inner)
        own = pairs.pop(vertex, ZERO)
        for partner, curvature in pairs.items():
            del self.curved[partner][vertex]
            for source, inner in sources.items():
                self.add_pair(source, partner, curvature * inner)
        if not own.is_zero:
            operands = list(sources.items())
            for k, (one, slope) in enumerate(operands):
                times = own * slope
                self.add_curvature(one, one, times * slope)
                for other, inner in operands[k + 1 :]:
                    self.add_curvature(one, other, times * inner)


def _curved_graph(
    expressions: Sequence[Expr], weights: Sequence[Operand], variables: Sequence[Expr]
) -> _CurvedGraph:
    """Slopes and second derivatives of all operations between the variables and the sum."""
    graph, adjoints = _CurvedGraph(), _Adjoints(expressions, weights, variables)
    for node in reversed(adjoints.order):
        if node.operation == "call":
            _add_call(graph, adjoints, node)
        elif node.operation != "output":
            adjoints.through(node)
            _add_operation(graph, adjoints, node)
    graph.rank = _ranks(graph, adjoints)
    return graph


def _ranks(graph: _CurvedGraph, adjoints: _Adjoints) -> dict[Vertex, int]:
    """All vertices but the variables, operands before users."""
    order: list[Vertex] = []
    stages: dict[Node, list[Vertex]] = {}
    for vertex in graph.into:
        if isinstance(vertex, tuple):
            stages.setdefault(vertex[0], []).append(vertex)
    for node in adjoints.order:
        order += sorted(stages.get(node, ()), key=lambda vertex: -cast(Any, vertex)[1])
        if node.operation != "call":
            order.append(node)
    return {vertex: k for k, vertex in enumerate(order)}


def _add_operation(graph: _CurvedGraph, adjoints: _Adjoints, node: Node) -> None:
    adjoint, operands = adjoints.of.get(node, ZERO), node.operands
    for operand, partial in zip(operands, partials(node), strict=True):
        if operand.node in adjoints.active:
            graph.add_edge(operand.node, node, partial * operand.coefficient)
    for (j, k), second in second_partials(node).items():
        one, other = operands[j], operands[k]
        if one.node in adjoints.active and other.node in adjoints.active:
            term = adjoint * second * (one.coefficient * other.coefficient)
            if not term.is_zero:
                (graph.add_curvature if j == k else graph.add_pair)(one.node, other.node, term)


def _add_call(graph: _CurvedGraph, adjoints: _Adjoints, node: Node) -> None:
    """Its slopes, its second derivatives, and the adjoints of its arguments."""
    function, columns = cast(CalledFunction, node.data), adjoints.columns(node)
    weights = adjoints.of_outputs(node)
    curvature = function.curvature(node.operands, columns, weights)
    if curvature is None:
        curvature = _curvature_by_slopes(node, columns, weights)
    _add_slopes(graph, adjoints, node, curvature.slopes)
    for k, adjoint in row_product(curvature.slopes, weights).items():
        adjoints.add(node.operands[k], adjoint)
    for (j, k), second in curvature.second.items():
        one, other = node.operands[j], node.operands[k]
        term = as_expr(second) * (one.coefficient * other.coefficient)
        (graph.add_curvature if j == k else graph.add_pair)(one.node, other.node, term)


def _add_slopes(
    graph: _CurvedGraph, adjoints: _Adjoints, node: Node, matrices: Sequence[SparseMatrix]
) -> None:
    """Vertices stand between the factors of a product of matrices."""
    outputs = {int(str(output.data)): output for output in adjoints.outputs.get(node, ())}
    for stage, matrix in enumerate(matrices):
        for (row, column), entry in matrix.items():
            target: Vertex = (node, stage, row) if stage else outputs.get(row)
            if target is None:
                continue
            slope = as_expr(entry)
            if stage + 1 < len(matrices):
                graph.add_edge((node, stage + 1, column), target, slope)
            elif node.operands[column].node in adjoints.active:
                operand = node.operands[column]
                graph.add_edge(operand.node, target, slope * operand.coefficient)


def _curvature_by_slopes(
    node: Node, columns: Sequence[int], weights: Sequence[Expr]
) -> CallCurvature:
    """Where a function has rules for its slopes alone: these are differentiated."""
    function = cast(CalledFunction, node.data)
    inside = {k: symbol(f"argument {k} of {function.name}") for k in columns}
    sums = [symbol(f"weight {i} of {function.name}") for i in range(len(weights))]
    given = dict(zip(inside.values(), (node.operands[k] for k in columns), strict=True))
    given |= dict(zip(sums, weights, strict=True))
    arguments = [inside.get(k, e) for k, e in enumerate(node.operands)]
    slopes = function.slopes(arguments, columns)
    rows = row_product(slopes, sums)
    found = jacobian(list(rows.values()), list(inside.values()))
    entries = {
        (row, columns[k]): e
        for row, (i, k), e in ((list(rows)[i], (i, k), e) for (i, k), e in found.items())
        if row <= columns[k]
    }
    values = substitute(list(entries.values()), given)
    return CallCurvature(
        function.slopes(node.operands, columns), dict(zip(entries, values, strict=True))
    )


# In which order to eliminate: as for Jacobians, a few orders are rehearsed on the structure.


def cheapest_symmetric_order(graph: _CurvedGraph) -> list[Vertex]:
    """The vertices in the best order found."""
    best, least = list(reversed(graph.rank)), math.inf
    for policy in POLICIES:
        rehearsal = _CurvedRehearsal(graph)
        order = rehearsal.run(policy, least)
        if order is not None:
            best, least = order, rehearsal.operations
    return best


class _CurvedRehearsal(Rehearsal):
    """An elimination with pairs, in which slopes are only known to be numbers or not."""

    def __init__(self, graph: _CurvedGraph) -> None:
        edges = {
            target: {source: slope.is_number for source, slope in sources.items()}
            for target, sources in graph.into.items()
        }
        super().__init__(edges, graph.rank)
        self.curved = {vertex: set(pairs) for vertex, pairs in graph.curved.items()}

    def cost(self, policy: Policy, vertex: Vertex) -> int:
        users = len(self.out_of.get(vertex, ())) + len(self.curved.get(vertex, ()))
        return policy.cost(len(self.into.get(vertex, ())), users)

    def eliminate(self, vertex: Vertex) -> list[Vertex]:
        sources, pairs = dict(self.into.get(vertex, {})), self.curved.pop(vertex, set())
        neighbours = super().eliminate(vertex)
        for partner in pairs - {vertex}:
            self.curved[partner].discard(vertex)
            for source, is_number in sources.items():
                self._add(source, partner, is_number)
        if vertex in pairs:
            every = list(sources)
            self.operations += sum(not is_number for is_number in sources.values())
            for k, one in enumerate(every):
                for other in every[k:]:
                    self._add(one, other, sources[other])
        return [*neighbours, *(pairs - {vertex})]

    def _add(self, one: Vertex, other: Vertex, is_number: bool) -> None:
        partners = self.curved.setdefault(one, set())
        self.operations += (not is_number) + (other in partners)
        partners.add(other)
        self.curved.setdefault(other, set()).add(one)
