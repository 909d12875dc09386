"""What a component's values cost: written out in full, as a sequence, and in shared code.

Written out in full, every operation counts wherever it stands, down to states and inputs
(complete substitution, Morency 2007, section 4.5.3). In a sequence, values that come
before stand in later ones by name (section 4.5.4). Shared code computes each operation
once, whoever needs it. What depends on parameters alone is free: it is computed once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from axletree.code.lowering import lower
from axletree.core.registry import unknown_name
from axletree.expr import Expr, OperationCount, inlined, topological_order
from axletree.expr.node import ONE_NODE, Node
from axletree.expr.quantity import Quantity
from axletree.expr.traversal import dependent_nodes
from axletree.system.system import Definition, System

FREE_OPERATIONS = frozenset({"one", "symbol", "output"})


@dataclass(frozen=True)
class SequenceCount:
    """One value of a component."""

    quantity: Quantity
    left: tuple[str, ...]  # the component's values that stand in it by name
    substituted: OperationCount
    sequence: OperationCount
    shared: OperationCount  # beyond what the values before it have computed


def component_sequence(system: System, component: str) -> tuple[SequenceCount, ...]:
    """The values that a component computes, in their order: intermediate variables, outputs."""
    values = _values(system, component)
    moving = [q.symbol for q in (system.time, *system.states, *system.inputs)]
    expressions = inlined([value.expression for value in values])
    named: dict[Node, str] = {}
    rows = []
    for k, (value, expression) in enumerate(zip(values, expressions, strict=True)):
        found = nodes_reached(expression, named)
        rows.append(
            SequenceCount(
                quantity=value.quantity,
                left=tuple(name for node, name in named.items() if node in found),
                substituted=written_out([expression], moving),
                sequence=written_out([expression], moving, named),
                shared=_shared(system, values[: k + 1]),
            )
        )
        if expression.node.operands and expression.node not in named:
            named[expression.node] = value.quantity.name.removeprefix(f"{component}.")
    before = OperationCount()
    for k, row in enumerate(rows):
        rows[k] = replace(row, shared=_less(row.shared, before))
        before = row.shared
    return tuple(rows)


def equations_size(system: System) -> int:
    """The operations of M, b, Phi, C and dq/dt when they are written out, parameters included."""
    source = system.source
    if source is None:
        return 0
    expressions = [
        *source.dynamics.mass.values(),
        *source.dynamics.forcing,
        *source.coordinate_rates,
        *(state.rate for state in source.internal),
        *(e for c in system.constraints for e in (c.position, *c.jacobian.values())),
    ]
    reactions = (c.reaction for c in system.constraints)
    quantities = (system.time, *system.states, *system.inputs, *reactions, *system.parameters)
    return written_out(inlined(expressions), [q.symbol for q in quantities]).total


def written_out(
    expressions: Iterable[Expr], moving: Collection[Expr], named: Collection[Node] = ()
) -> OperationCount:
    """Operations of the expressions, each where it stands; ``named`` nodes are free unless
    they are the expressions themselves. ``moving`` symbols are not parameters."""
    expressions = list(expressions)
    roots = {e.node for e in expressions}
    order = topological_order(expressions)
    costly = dependent_nodes(order, moving)
    cost: dict[Node, OperationCount] = {}
    for node in order:
        free = node not in costly or (node in named and node not in roots)
        cost[node] = OperationCount() if free else _node_cost(node, cost, costly)
    return sum((cost[e.node] + _factor(e, costly) for e in expressions), OperationCount())


def nodes_reached(expression: Expr, named: Collection[Node]) -> set[Node]:
    """The nodes of an expression, without what is below named ones."""
    found: set[Node] = set()
    stack = [expression.node]
    while stack:
        node = stack.pop()
        if node not in found:
            found.add(node)
            if node not in named or node is expression.node:
                stack += [e.node for e in node.operands]
    return found


def _node_cost(
    node: Node, cost: dict[Node, OperationCount], costly: Collection[Node]
) -> OperationCount:
    operands = node.operands
    total = sum((cost[e.node] + _factor(e, costly) for e in operands), OperationCount())
    if node.operation == "add":
        return total + OperationCount(additions=1)
    if node.operation == "inv":
        return total + OperationCount(divisions=1)
    if node.operation == "mul":
        # A product with a reciprocal is a quotient: the division is counted below.
        is_quotient = any(e.node.operation == "inv" and e.node in costly for e in operands)
        return total + OperationCount(multiplications=int(not is_quotient))
    return total + OperationCount(functions=int(node.operation not in FREE_OPERATIONS))


def _factor(operand: Expr, costly: Collection[Node]) -> OperationCount:
    scaled = abs(operand.coefficient) not in (0.0, 1.0)
    scaled = scaled and operand.node is not ONE_NODE and operand.node in costly
    return OperationCount(multiplications=int(scaled))


def _values(system: System, component: str) -> list[Definition]:
    """Intermediate variables first; an output of the same name says nothing new."""
    found: dict[str, Definition] = {}
    for definition in (*system.intermediates, *system.outputs):
        if definition.quantity.name.startswith(f"{component}."):
            found.setdefault(definition.quantity.name, definition)
    if not found:
        definitions = (*system.intermediates, *system.outputs)
        names = dict.fromkeys(d.quantity.name.partition(".")[0] for d in definitions)
        raise unknown_name("component with values of its own", component, names, system.name)
    return list(found.values())


def _shared(system: System, values: Sequence[Definition]) -> OperationCount:
    alone = replace(system, derivatives=(), projection=None)
    routine = lower(alone, [value.quantity.name for value in values]).outputs_routine
    return routine.operations


def _less(count: OperationCount, before: OperationCount) -> OperationCount:
    return OperationCount(
        count.additions - before.additions,
        count.multiplications - before.multiplications,
        count.divisions - before.divisions,
        count.functions - before.functions,
    )
