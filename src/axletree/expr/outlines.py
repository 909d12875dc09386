"""Functions of expressions: a part of the graph that is written once and called often.

Four tyres of one kind are four calls of one function. What such a function needs of the
parameters alone is computed outside, once, and handed to it.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from axletree.expr.calls import CallCurvature, CalledFunction, SparseMatrix
from axletree.expr.derivatives import jacobian
from axletree.expr.evaluation import Evaluator
from axletree.expr.expression import Expr, Operand, symbol
from axletree.expr.node import ONE_NODE, Node
from axletree.expr.second_derivatives import gradient, hessian
from axletree.expr.simplification import condensed
from axletree.expr.traversal import (
    OperationCount,
    count_operations,
    dependent_nodes,
    depends_on,
    rebuild,
    substitute,
    symbols_of,
    topological_order,
)


@dataclass(frozen=True, eq=False)
class ExpressionFunction(CalledFunction):
    """A function that is known by its expressions in the symbols of its arguments."""

    name: str
    arguments: tuple[Expr, ...]
    outputs: tuple[str, ...]
    expressions: tuple[Expr, ...]
    varying: int  # arguments that change; those after them are prepared once
    digest: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        keys = [(e.coefficient, e.node.key) for e in self.expressions]
        content = repr((self.name, self.inputs, self.outputs, keys)).encode()
        object.__setattr__(self, "digest", hashlib.blake2b(content, digest_size=16).hexdigest())

    @property
    def inputs(self) -> tuple[str, ...]:  # type: ignore[override]
        return tuple(argument.name for argument in self.arguments)

    @property
    def operations(self) -> OperationCount:
        return count_operations(self.expressions)

    def evaluate(self, arguments: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(self._evaluated(dict(zip(self.arguments, arguments, strict=True))))

    @functools.cached_property
    def _evaluated(self) -> Evaluator:
        return Evaluator(self.expressions)

    def slopes(self, arguments: Sequence[Expr], active: Collection[int]) -> list[SparseMatrix]:
        """One matrix, whose entries are results of calls of the function's derivative."""
        entries = _slopes(self, tuple(active))
        given = dict(zip(self.arguments, arguments, strict=True))
        named = {f"d{self.outputs[i]}_{k}": entry for (i, k), entry in entries.items()}
        early = self.arguments[self.varying :]
        found = outline(f"{self.name}_slopes", named, given, early)
        return [{key: found[name] for key, name in zip(entries, named, strict=True)}]

    def weighted_slopes(
        self, arguments: Sequence[Expr], active: Collection[int], weights: Sequence[Expr]
    ) -> dict[int, Expr]:
        """Results of one call of the function's gradient, which takes the weights, too."""
        used = tuple(i for i, weight in enumerate(weights) if not weight.is_zero)
        entries = _gradient(self, tuple(active), used)
        named = {f"d_{k}": entry for k, entry in entries.items()}
        found = self._outlined("gradient", named, arguments, weights)
        return {k: found[name] for k, name in zip(entries, named, strict=True)}

    def curvature(
        self, arguments: Sequence[Expr], active: Collection[int], weights: Sequence[Expr]
    ) -> CallCurvature:
        """Results of one call that gives slopes and second derivatives."""
        slopes = _slopes(self, tuple(active))
        used = tuple(i for i, weight in enumerate(weights) if not weight.is_zero)
        second = _second_slopes(self, tuple(active), used)
        named = {f"d{self.outputs[i]}_{k}": entry for (i, k), entry in slopes.items()}
        named |= {f"d2_{j}_{k}": entry for (j, k), entry in second.items()}
        found = list(self._outlined("curvature", named, arguments, weights).values())
        return CallCurvature(
            [dict(zip(slopes, found, strict=False))],
            dict(zip(second, found[len(slopes) :], strict=True)),
        )

    def _outlined(
        self,
        kind: str,
        named: Mapping[str, Expr],
        arguments: Sequence[Expr],
        weights: Sequence[Expr],
    ) -> dict[str, Expr]:
        """Expressions in arguments and weights of the results, by one call."""
        given = dict(zip(self.arguments, arguments, strict=True))
        given |= dict(zip(_weights(self), weights, strict=True))
        return outline(f"{self.name}_{kind}", named, given, self.arguments[self.varying :])

    def inlined(self, arguments: Sequence[Expr]) -> list[Expr]:
        """The results at these arguments, as expressions without a call."""
        return substitute(self.expressions, dict(zip(self.arguments, arguments, strict=True)))


@functools.lru_cache(maxsize=64)
def _slopes(function: ExpressionFunction, active: tuple[int, ...]) -> dict[tuple[int, int], Expr]:
    found = jacobian(function.expressions, [function.arguments[k] for k in active])
    return {(i, active[k]): entry for (i, k), entry in found.items()}


def _weights(function: ExpressionFunction) -> tuple[Expr, ...]:
    """Symbols of the weights of a sum of the results."""
    return tuple(symbol(f"{function.name}.weight_{output}") for output in function.outputs)


@functools.lru_cache(maxsize=64)
def _gradient(
    function: ExpressionFunction, active: tuple[int, ...], used: tuple[int, ...]
) -> dict[int, Expr]:
    weights = _weights(function)
    chosen = [function.expressions[i] for i in used], [weights[i] for i in used]
    found = gradient(*chosen, [function.arguments[k] for k in active])
    return {k: entry for k, entry in zip(active, found, strict=True) if not entry.is_zero}


@functools.lru_cache(maxsize=64)
def _second_slopes(
    function: ExpressionFunction, active: tuple[int, ...], used: tuple[int, ...]
) -> dict[tuple[int, int], Expr]:
    """By pairs of arguments, the first not after the second."""
    weights = _weights(function)
    chosen = [function.expressions[i] for i in used], [weights[i] for i in used]
    found = hessian(*chosen, [function.arguments[k] for k in active])
    return {(active[j], active[i]): entry for (i, j), entry in found.items()}


def outline(
    name: str,
    expressions: Mapping[str, Expr],
    given: Mapping[Expr, Operand],
    early: Iterable[Expr] = (),
) -> dict[str, Expr]:
    """Named expressions in symbols, at what is ``given`` for these symbols, by one call.

    Of the ``early`` symbols, which are known before the others, the function gets what it
    needs as further arguments. Results that need no operation are not part of the call, and
    what holds a call already stays as it is.
    """
    names, values = tuple(expressions), tuple(expressions.values())
    if any(node.operation == "call" for node in topological_order(values)):
        return dict(zip(names, substitute(values, given), strict=True))
    outlined = _outlined(name, names, values, frozenset(early))
    found = dict(
        zip(outlined.direct, substitute(list(outlined.direct.values()), given), strict=True)
    )
    if outlined.function is not None:
        results = outlined.function.at(substitute(outlined.arguments, given))
        found |= dict(zip(outlined.function.outputs, results, strict=True))
    return {key: found[key] for key in names}


@dataclass(frozen=True)
class _Outlined:
    """A function, what it is to be called at, and the results that need no call."""

    function: ExpressionFunction | None
    arguments: tuple[Expr, ...]
    direct: Mapping[str, Expr]


@functools.lru_cache(maxsize=64)
def _outlined(
    name: str, names: tuple[str, ...], values: tuple[Expr, ...], early: frozenset[Expr]
) -> _Outlined:
    late = [e for e in symbols_of(values) if e not in early]
    body = dict(zip(names, condensed(values, late), strict=True))
    working = {key: e for key, e in body.items() if e.node.operands and depends_on(e, late)}
    direct = {key: e for key, e in body.items() if key not in working}
    if not working:
        return _Outlined(None, (), direct)
    slots = _early_parts(list(working.values()), late)
    prepared = {e: symbol(f"{name}.k{k}") for k, e in enumerate(slots)}
    inside = _with_leaves(list(working.values()), prepared, late)
    used = set(symbols_of(inside))
    varying = [e for e in late if e in used]
    arguments = (*varying, *prepared.values())
    function = ExpressionFunction(name, arguments, tuple(working), tuple(inside), len(varying))
    return _Outlined(function, (*varying, *slots), direct)


def _early_parts(expressions: Sequence[Expr], late: Iterable[Expr]) -> list[Expr]:
    """The largest parts without late symbols; a factor stands with what it multiplies."""
    order = topological_order(expressions)
    moving = dependent_nodes(order, late)
    users = (e for node in order if node in moving for e in node.operands)
    parts = {
        Expr(abs(e.coefficient), e.node): None
        for e in users
        if e.node not in moving and e.node is not ONE_NODE
    }
    return list(parts)


def _with_leaves(
    expressions: Sequence[Expr], leaves: Mapping[Expr, Expr], late: Iterable[Expr]
) -> list[Expr]:
    """The expressions with whole early parts, factors included, replaced by symbols."""
    order = topological_order(expressions)
    moving = dependent_nodes(order, late)
    built: dict[Node, Expr] = {}

    def operand(e: Expr) -> Expr:
        leaf = leaves.get(Expr(abs(e.coefficient), e.node))
        if leaf is not None:
            return leaf if e.coefficient > 0.0 else -leaf
        return built[e.node] * e.coefficient

    for node in order:
        if node in moving and node.operands:
            operands = [operand(e) for e in node.operands]
            built[node] = rebuild(node.operation, operands, node.data)
        else:
            built[node] = Expr(1.0, node)
    return [operand(e) for e in expressions]


def inlined(expressions: Sequence[Expr]) -> list[Expr]:
    """The expressions without calls of functions of expressions."""
    built: dict[Node, Expr] = {}
    results: dict[Node, list[Expr]] = {}
    for node in topological_order(expressions):
        operands = [built[e.node] * e.coefficient for e in node.operands if e.node in built]
        function = node.data
        if node.operation == "call" and isinstance(function, ExpressionFunction):
            results[node] = function.inlined(operands)
        elif node.operation == "output" and node.operands[0].node in results:
            built[node] = results[node.operands[0].node][int(cast(str, node.data))]
        else:
            built[node] = rebuild(node.operation, operands, node.data)
    return [built[e.node] * e.coefficient for e in expressions]
