"""Walking the graph and building it anew: order of evaluation, symbols, substitution, costs.

Nothing here recurses: graphs are too deep for that. A node is rebuilt on other operands by the same
rules as the first time; an expression is pickled as a flat list of rows; symbols are replaced by
expressions or numbers. Operation counts say what an expression costs where each node is computed
once.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Final, NamedTuple, cast

from axletree.core.errors import ExpressionError
from axletree.expr.expression import (
    ONE,
    Expr,
    Operand,
    add,
    apply,
    as_expr,
    expr_atan2,
    expr_power,
    expr_where,
    extremum,
    multiply,
    ordering,
    reciprocal,
    special,
    symbol,
)
from axletree.expr.node import ONE_NODE, Node
from axletree.expr.tables import Table, interpolate


def topological_order(expressions: Iterable[Expr]) -> list[Node]:
    """Every node below the expressions once, operands before their users.

    The order follows from the structure of the expressions alone.
    """
    order: list[Node] = []
    done: set[Node] = set()
    for expression in expressions:
        stack: list[Node | None] = [expression.node]
        while stack:
            node = stack.pop()
            if node is None:  # the operands of what lies below are done
                order.append(stack.pop())  # type: ignore[arg-type]
            elif node not in done:
                done.add(node)
                if node.operands:
                    stack += (node, None)
                    stack += [e.node for e in reversed(node.operands) if e.node not in done]
                else:
                    order.append(node)
    return order


def symbols_of(expressions: Iterable[Expr]) -> list[Expr]:
    """The symbols that occur in the expressions, sorted by name."""
    nodes = [node for node in topological_order(expressions) if node.operation == "symbol"]
    return [Expr(1.0, node) for node in sorted(nodes, key=lambda node: str(node.data))]


def dependencies(expressions: Iterable[Expr]) -> list[frozenset[Expr]]:
    """For each expression, the set of symbols it holds."""
    expressions = list(expressions)
    found: dict[Node, frozenset[Expr]] = {}
    for node in topological_order(expressions):
        if node.operation == "symbol":
            found[node] = frozenset({Expr(1.0, node)})
        else:
            parts = {found[e.node] for e in node.operands}
            found[node] = parts.pop() if len(parts) == 1 else frozenset().union(*parts)
    return [found[e.node] for e in expressions]


def depends_on(expression: Expr, symbols: Iterable[Expr]) -> bool:
    """Whether any of the symbols occurs in the expression."""
    wanted = {e.node for e in symbols}
    return any(node in wanted for node in topological_order([expression]))


def dependent_nodes(order: Iterable[Node], symbols: Iterable[Expr]) -> set[Node]:
    """The nodes of a topological order in which any of the symbols occurs."""
    found = {e.node for e in symbols}
    for node in order:
        if any(e.node in found for e in node.operands):
            found.add(node)
    return found


_BUILDERS: Final[dict[str, Callable[..., Expr]]] = {
    "add": add, "mul": multiply, "inv": reciprocal, "pow": expr_power,
    "atan2": expr_atan2, "where": expr_where,
}  # fmt: skip


def rebuild(operation: str, operands: Sequence[Expr], data: Hashable) -> Expr:
    """The operation on these operands."""
    if operation in _BUILDERS:
        return _BUILDERS[operation](*operands)
    if operation in ("min", "max"):
        return extremum(operation, *operands)
    if operation in ("lt", "le"):
        return ordering(operation, *operands)
    if operation == "one":
        return ONE
    if operation == "symbol":
        return symbol(cast(str, data))
    if operation == "table":
        return interpolate(cast(Table, data), operands[0])
    if operation in ("call", "output"):
        return special(operation, tuple(operands), data)
    return apply(operation, operands[0])


class NodeRow(NamedTuple):
    """One node; an operand is a coefficient and the number of an earlier row."""

    operation: str
    data: Hashable
    operands: tuple[tuple[float, int], ...]


def to_rows(expression: Expr) -> tuple[float, list[NodeRow]]:
    """The coefficient, and the nodes with the expression's own node last."""
    index: dict[object, int] = {}
    rows: list[NodeRow] = []
    for node in topological_order([expression]):
        operands = tuple((e.coefficient, index[e.node]) for e in node.operands)
        index[node] = len(rows)
        rows.append(NodeRow(node.operation, node.data, operands))
    return expression.coefficient, rows


def from_rows(flat: tuple[float, list[NodeRow]]) -> Expr:
    """The expression of ``to_rows``; in the same process, the same node."""
    coefficient, rows = flat
    built: list[Expr] = []
    for row in rows:
        operands = [built[k] * c for c, k in row.operands]
        built.append(rebuild(row.operation, operands, row.data))
    return built[-1] * coefficient


def substitute(expressions: Sequence[Expr], replacements: Mapping[Expr, Operand]) -> list[Expr]:
    """The expressions with symbols replaced, all at once: {x: y, y: x} swaps the two."""
    for key in replacements:
        if not (isinstance(key, Expr) and key.is_symbol):
            raise ExpressionError(f"only symbols can be replaced, got {key!r}")
    return replace_parts(expressions, replacements)


def replace_parts(expressions: Sequence[Expr], replacements: Mapping[Expr, Operand]) -> list[Expr]:
    """The expressions with whole parts, each 1 times a node, replaced by what is equal to them."""
    order = topological_order(expressions)
    changed = dependent_nodes(order, replacements)
    new: dict[Node, Expr] = {key.node: as_expr(value) for key, value in replacements.items()}
    for node in order:
        if node in new:
            continue
        if node in changed:
            operands = [new[e.node] * e.coefficient for e in node.operands]
            new[node] = rebuild(node.operation, operands, node.data)
        else:
            new[node] = Expr(1.0, node)
    return [new[e.node] * e.coefficient for e in expressions]


_FREE = frozenset({"one", "symbol", "output"})


@dataclass(frozen=True)
class OperationCount:
    """Additions, multiplications, divisions and functions, as Morency 2007 counts them."""

    additions: int = 0
    multiplications: int = 0
    divisions: int = 0
    functions: int = 0

    def __add__(self, other: OperationCount) -> OperationCount:
        return OperationCount(*map(operator.add, astuple(self), astuple(other)))

    def __rmul__(self, times: int) -> OperationCount:
        return OperationCount(*(times * count for count in astuple(self)))

    def __str__(self) -> str:
        return (
            f"{self.additions} additions, {self.multiplications} multiplications, "
            f"{self.divisions} divisions, {self.functions} functions"
        )

    @property
    def total(self) -> int:
        return sum(astuple(self))


def count_operations(expressions: Iterable[Expr]) -> OperationCount:
    """The operations that compute all the expressions, shared parts once.

    Signs are free. A coefficient other than 1 and -1 is one multiplication for each
    distinct pair of coefficient and node. A reciprocal is one division; a product with a
    reciprocal that nothing else uses is one division in all. Every other function, a
    selection, a comparison, a table and a call of an external function whose inside is not known
    is one function; a call of a function of expressions costs what its expressions cost, and one
    of a linear solver what its loops compute.
    """
    expressions = list(expressions)
    order = topological_order(expressions)
    users, factors = _uses(order, expressions)
    additions = divisions = functions = 0
    multiplications = len(factors)
    calls = OperationCount()
    for node in order:
        if node.operation == "add":
            additions += 1
        elif node.operation == "inv":
            divisions += 1
        elif node.operation == "mul":
            # x * (1/y) is x / y: the division is counted at the reciprocal.
            inverses = (e.node for e in node.operands if e.node.operation == "inv")
            multiplications += all(users[inverse] > 1 for inverse in inverses)
        elif node.operation == "call":
            calls += node.data.operations  # type: ignore[attr-defined]
        elif node.operation not in _FREE:
            functions += 1
    return OperationCount(additions, multiplications, divisions, functions) + calls


def _uses(
    order: list[Node], expressions: list[Expr]
) -> tuple[dict[Node, int], set[tuple[float, Node]]]:
    """How many users each node has, and the (factor, node) products that users need."""
    users: dict[Node, int] = dict.fromkeys(order, 0)
    factors: set[tuple[float, Node]] = set()
    places = [e for node in order for e in node.operands] + list(dict.fromkeys(expressions))
    for e in places:
        users[e.node] += 1
        factor = abs(e.coefficient)
        if e.node is not ONE_NODE and factor != 1.0:
            factors.add((factor, e.node))
    return users, factors
