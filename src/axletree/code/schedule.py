"""From results to statements: the order of operations, blocks, groups, local variables.

An operation becomes a local variable when its value is used more than once, crosses from
one block to another, bears a model name, or would make the line too long; every other
one is written inside the statement that uses it. A reciprocal with one user stays with
the product that it turns into a quotient.
"""

from __future__ import annotations

import enum
import math
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar

from axletree.code.latency_order import latency_order
from axletree.code.operation_counts import count_nodes
from axletree.code.program import (
    BLOCK_TITLES,
    Block,
    CallGroup,
    CallsInTurn,
    FunctionGroup,
    OperationGroup,
    Routine,
    Statement,
)
from axletree.expr import Expr, ExpressionFunction, symbols_of, topological_order
from axletree.expr.node import ONE_NODE, Node


class StatementOrder(enum.Enum):
    """When what does not depend on calls is computed."""

    BLOCKS = "before the calls, whatever needs it"
    NEED = "where it is needed first; what no call needs comes after the calls"


LONGEST_OPERAND: Final = 60  # characters of what is written inside another expression, about
_LARGEST_SIZE: Final = 1e300  # sizes of shared graphs grow exponentially; they only rank


def schedule(
    name: str,
    arguments: tuple[str, ...],
    result: str,
    targets: Sequence[Expr],
    leaves: Mapping[Expr, str],
    intermediates: Mapping[Node, str],
    groups: Sequence[CallGroup] | None = None,
    order: StatementOrder = StatementOrder.BLOCKS,
    *,
    side_by_side: bool = True,
    by_latency: bool = False,
) -> Routine:
    """The routine that computes ``targets`` from ``leaves``.

    ``leaves`` holds the text of whatever is not computed here, with a coefficient of its
    own or with 1; ``intermediates`` the identifiers of nodes that have a model name;
    ``groups`` the calls that are made together; without them this is what runs once, or
    inside a loop over lanes, where functions stand alone, as they do unless values are to be
    computed ``side_by_side``. ``by_latency`` puts first what the longest chain waits for, and
    functions into statements of their own.
    """
    if groups is None:
        calls = group_of(call_groups(topological_order(targets), constant=()))
        plan = _planned(targets, leaves, intermediates, calls)
    else:
        calls = group_of(groups)
        plan = _planned(targets, leaves, intermediates, calls, order)
        several = function_groups(plan.nodes, plan.operands, plan.block) if side_by_side else ()
        functions = group_of(several)
        if functions:
            plan = _planned(targets, leaves, intermediates, {**calls, **functions}, order)
    _choose_locals(plan, targets, intermediates, apart=IN_LANES if by_latency else ())
    if by_latency:
        plan.order = latency_order(plan.order, plan.operands, plan.local, targets)
    statements: tuple[list[Statement], ...] = ([], [], [])
    for step in plan.order:
        if isinstance(step, int):
            statements[2].append(Statement(targets[step], index=step))
        elif step in plan.groups:
            group = plan.groups[step]
            if step is group.members[0]:
                statements[plan.block[step]].append(Statement(Expr(1.0, step), group=group))
        elif step in plan.local:
            statements[plan.block[step]].append(Statement(Expr(1.0, step), node=step))
    counts = count_nodes(plan.nodes, plan.block, targets, leaves, plan.local, plan.groups)
    blocks = [
        Block(t, tuple(s), n) for t, s, n in zip(BLOCK_TITLES, statements, counts, strict=True)
    ]
    names = _local_names(plan.local, intermediates)
    return Routine(name, arguments, result, len(targets), tuple(blocks), leaves, names)


def planned_nodes(
    targets: Sequence[Expr], leaves: Mapping[Expr, str], groups: Sequence[CallGroup]
) -> list[Node]:
    """What a routine of these targets computes, operands before their users."""
    return _planned(targets, leaves, {}, group_of(groups)).nodes


def _planned(
    targets: Sequence[Expr],
    leaves: Mapping[Expr, str],
    intermediates: Mapping[Node, str],
    groups: Mapping[Node, OperationGroup],
    order: StatementOrder = StatementOrder.BLOCKS,
) -> RoutinePlan:
    """Order and blocks, groups kept together."""
    plan = RoutinePlan(leaves, groups)
    _order(plan, targets)
    _gather_outputs(plan)
    _assign_blocks(plan, intermediates, order)
    return plan


def _order(plan: RoutinePlan, targets: Sequence[Expr]) -> None:
    """Depth first, the larger operand first; a result is written once it is known."""
    sizes = _sizes(plan, targets)
    done: set[Node] = set()
    for index in sorted(range(len(targets)), key=lambda k: -sizes.get(targets[k].node, 0.0)):
        root = targets[index]
        if not plan.is_leaf(root):
            plan.uses[root.node] += 1
            _visit(plan, root.node, sizes, done)
        plan.order.append(index)


def _visit(plan: RoutinePlan, root: Node, sizes: Mapping[Node, float], done: set[Node]) -> None:
    uses = plan.uses
    stack: list[Node | None] = [root]
    while stack:
        node = stack.pop()
        if node is None:  # the operands of what lies below are done
            plan.order += plan.together(stack.pop())  # type: ignore[arg-type]
        elif node not in done:
            done.update(plan.together(node))
            operands = [e.node for e in plan.operands(node)]
            for operand in operands:
                uses[operand] += 1
            operands.sort(key=sizes.__getitem__)
            stack += (node, None)
            stack += operands


def _sizes(plan: RoutinePlan, targets: Sequence[Expr]) -> dict[Node, float]:
    """Operations below each node, shared ones counted as often as they are reached."""
    sizes: dict[Node, float] = {}
    stack = [e.node for e in targets if not plan.is_leaf(e)]
    while stack:
        node = stack[-1]
        if node in sizes:
            stack.pop()
            continue
        operands = plan.operands(node)
        waiting = [e.node for e in operands if e.node not in sizes]
        if waiting:
            stack += waiting
            continue
        stack.pop()
        sizes[node] = min(1.0 + sum([sizes[e.node] for e in operands]), _LARGEST_SIZE)
    return sizes


def _gather_outputs(plan: RoutinePlan) -> None:
    """The results of a call are taken right after it, whoever uses them first."""
    outputs: dict[Node, list[Node]] = {}
    for node in plan.nodes:
        if node.operation == "output":
            outputs.setdefault(node.operands[0].node, []).append(node)
    order: list[Node | int] = []
    for step in plan.order:
        if isinstance(step, int):
            order.append(step)
            continue
        if step.operation != "output":
            order.append(step)
        if step.operation == "call" and step is plan.together(step)[-1]:
            for call in plan.together(step):
                order += outputs.get(call, [])
    plan.order = order


def _assign_blocks(plan: RoutinePlan, intermediates: Iterable[Node], order: StatementOrder) -> None:
    nodes = plan.nodes
    calls = [node for node in nodes if node.operation == "call"]
    if not calls:
        early = _cone(plan, nodes, intermediates)
        plan.block = {node: 0 if node in early else 2 for node in nodes}
        return
    after: set[Node] = set()
    for node in nodes:
        if node.operation == "call" or any(e.node in after for e in node.operands):
            after.add(node)
    before = _cone(plan, nodes, calls)
    in_order_of_need = order is StatementOrder.NEED
    for node in nodes:
        if node not in after:
            plan.block[node] = 2 if in_order_of_need and node not in before else 0
        else:
            plan.block[node] = 1 if node in before or node.operation == "output" else 2


def _cone(plan: RoutinePlan, nodes: Sequence[Node], roots: Iterable[Node]) -> set[Node]:
    """The roots and everything that they need."""
    cone = set(roots)
    for node in reversed(nodes):
        if node in cone:
            cone.update(e.node for e in plan.operands(node))
    return cone


def _choose_locals(
    plan: RoutinePlan,
    targets: Sequence[Expr],
    intermediates: Mapping[Node, str],
    apart: Collection[str] = (),
) -> None:
    """Operations ``apart`` have statements of their own."""
    crossing = {
        e.node for n in plan.nodes for e in plan.operands(n) if plan.block[e.node] != plan.block[n]
    }
    crossing.update(e.node for e in targets if plan.block.get(e.node, 2) != 2)
    # Both sides of a selection are computed whatever the condition: the cost of a step is fixed.
    for node in plan.nodes:
        if node.operation == "where":
            crossing.update(e.node for e in node.operands[1:] if not plan.is_leaf(e))
    lengths: dict[Node, int] = {}
    for node in plan.nodes:
        known = () if node.operation == "call" else node.operands
        length = 4 + sum(_length(plan, e, lengths) for e in known)
        if (
            plan.uses[node] > 1
            or node in crossing
            or node in intermediates
            or node.operation in ("call", "output")
            or node.operation in apart
            or node in plan.groups
            or (length > LONGEST_OPERAND and node.operation != "inv")
        ):
            plan.local[node] = None
            length = len(intermediates.get(node, "v0000"))
        lengths[node] = length


def _length(plan: RoutinePlan, expression: Expr, lengths: Mapping[Node, int]) -> int:
    """Characters that an operand will take, about."""
    factor = 0 if abs(expression.coefficient) == 1.0 else len(repr(expression.coefficient)) + 1
    if plan.is_leaf(expression):
        return factor + 6
    return factor + lengths[expression.node]


def _local_names(local: Iterable[Node], intermediates: Mapping[Node, str]) -> dict[Node, str]:
    names: dict[Node, str] = {}
    for node in local:
        names[node] = intermediates.get(node) or f"v{len(names)}"
    return names


@dataclass
class RoutinePlan:
    """What is known of the cone of a routine while it is scheduled."""

    leaves: Mapping[Expr, str]
    groups: Mapping[Node, OperationGroup]
    order: list[Node | int] = field(default_factory=list)  # an int is the index of a result
    uses: Counter[Node] = field(default_factory=Counter)
    block: dict[Node, int] = field(default_factory=dict)
    local: dict[Node, None] = field(default_factory=dict)  # an ordered set
    factors: dict[Node, set[float]] = field(default_factory=dict)  # of each node among the leaves
    needed: dict[Node, list[Expr]] = field(default_factory=dict)  # see operands

    def __post_init__(self) -> None:
        for leaf in self.leaves:
            self.factors.setdefault(leaf.node, set()).add(leaf.coefficient)

    def is_leaf(self, expression: Expr) -> bool:
        """Whether a value is at hand; signs are free, so that of c is that of -c."""
        factors = self.factors.get(expression.node, ())
        known = 1.0 in factors or abs(expression.coefficient) in factors
        return known or expression.node is ONE_NODE

    def operands(self, node: Node) -> list[Expr]:
        """What a node needs that is computed here, with that what its group needs."""
        found = self.needed.get(node)
        if found is None:
            every, group = node.operands, self.groups.get(node)
            if group is not None:
                every = tuple(m.operands[k] for k in group.passed for m in group.members)
            found = [e for e in every if not self.is_leaf(e)]
            for member in self.together(node):
                self.needed[member] = found
        return found

    def together(self, node: Node) -> tuple[Node, ...]:
        """What is computed in one go: a node, or a group."""
        group = self.groups.get(node)
        return (node,) if group is None else group.members

    @property
    def nodes(self) -> list[Node]:
        return [step for step in self.order if isinstance(step, Node)]


# Which calls are made together, and which functions are evaluated together.

# Functions that cost much more than a product and that vector libraries have.
IN_LANES: Final = dict.fromkeys((
    "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh",
    "pow", "atan2",
))  # fmt: skip
G = TypeVar("G", bound=OperationGroup)


def call_groups(
    order: Iterable[Node],
    constant: Collection[Node] = (),
    known: Sequence[CallGroup] = (),
    values: Mapping[Expr, float] | None = None,
) -> list[CallGroup]:
    """The calls of a topological order, those of one function and one level together.

    The level of a call is the number of calls that have to be made one after the other
    before it. An external function is called for one at a time. Calls that belong to
    ``known`` groups are left out. Laws that are equal for these ``values`` of parameters share
    their constants.
    """
    grouped = group_of(known)
    level: dict[Node, int] = {}
    members: dict[tuple[int, object], list[Node]] = {}
    for node in order:
        level[node] = max((level[e.node] for e in node.operands), default=0)
        if node.operation == "call" and node not in constant:
            level[node] += 1
            shared = isinstance(node.data, ExpressionFunction)
            if node not in grouped:
                members.setdefault((level[node], node.data if shared else node), []).append(node)
    groups: list[CallGroup] = []
    offset = sum(len(group.prepared) * group.stride for group in known)
    for calls in members.values():
        group = _group(calls, constant, offset)
        if values is not None:
            group = replace(group, ties=equal_laws(group, values))
        groups.append(group)
        offset += len(group.prepared) * group.stride
    return groups


def groups_of_routines(
    routines: Iterable[Sequence[Expr]],
    constant: Collection[Node],
    values: Mapping[Expr, float] | None = None,
) -> list[CallGroup]:
    """The groups of several lists of results; a call belongs to the first list that needs it."""
    groups: list[CallGroup] = []
    for targets in routines:
        groups += call_groups(topological_order(targets), constant, groups, values)
    return groups


def _group(calls: Sequence[Node], constant: Collection[Node], offset: int) -> CallGroup:
    group = CallGroup(tuple(calls), offset=offset)
    if not isinstance(group.function, ExpressionFunction):
        return group

    def is_prepared(k: int) -> bool:
        arguments = (call.operands[k].node for call in calls)
        return all(node in constant or node is ONE_NODE for node in arguments)

    prepared = tuple(k for k in range(len(group.function.inputs)) if is_prepared(k))
    return replace(group, prepared=prepared)


def prepared_arguments(groups: Sequence[CallGroup]) -> list[Expr]:
    """What the calls find in c, in the order in which it stands there."""
    return [e for group in groups for e in group.prepared_values]


def in_turn(groups: Iterable[CallGroup]) -> list[CallGroup]:
    """The same calls one after the other; those of equal laws have one place in c for all."""
    found: list[CallGroup] = []
    offset = 0
    for group in groups:
        one = CallsInTurn(group.members, group.prepared, offset, group.ties)
        found.append(one)
        offset += len(one.prepared_values)
    return found


def equal_laws(
    group: CallGroup, values: Mapping[Expr, float]
) -> tuple[tuple[Expr, Expr], ...] | None:
    """Pairs of parameters whose equality makes the prepared arguments of all lanes equal.

    None where the lanes have different formulas, or parameters that differ. What corresponds
    to one another has the same name but for the component: front_left.law.PCY1, and
    front_right.law.PCY1.
    """
    lanes = [[call.operands[k] for k in group.prepared] for call in group.members]
    named = [{_without_component(e): e for e in symbols_of(lane)} for lane in lanes]
    if len(lanes) < 2 or not group.prepared or not all(map(_are_told_apart, lanes, named)):
        return None
    forms: dict[Node, _Form] = {}
    first, *others = [[_form(e, forms) for e in lane] for lane in lanes]
    if any(other != first for other in others):
        return None
    ties = {
        (named[0][name], e): None
        for lane in named[1:]
        for name, e in lane.items()
        if e != named[0][name]
    }
    return tuple(ties) if all(values[a] == values[b] for a, b in ties) else None


def _without_component(parameter: Expr) -> str:
    return parameter.name.partition(".")[2] or parameter.name


def _are_told_apart(arguments: Sequence[Expr], named: Mapping[str, Expr]) -> bool:
    return len(named) == len(symbols_of(arguments))


_Form = tuple[float, Any]  # a factor, and what it multiplies


def _form(expression: Expr, known: dict[Node, _Form]) -> _Form:
    """What an expression computes, whatever the component and the order of terms and factors."""
    for node in topological_order([expression]):
        if node not in known:
            operands = [_times(e.coefficient, known[e.node]) for e in node.operands]
            known[node] = _operation_form(node, operands)
    return _times(expression.coefficient, known[expression.node])


def _times(factor: float, form: _Form) -> _Form:
    return factor * form[0], form[1]


def _operation_form(node: Node, operands: Sequence[_Form]) -> _Form:
    if node.operation == "symbol":
        return 1.0, ("symbol", _without_component(Expr(1.0, node)))
    if node.operation == "mul":
        factors: Counter[Hashable] = Counter()
        for _, content in operands:
            is_product = isinstance(content, tuple) and content[0] == "mul"
            factors.update(dict(content[1]) if is_product else [content])
        return math.prod(factor for factor, _ in operands), ("mul", frozenset(factors.items()))
    if node.operation == "add":
        terms: dict[Hashable, float] = {}
        for factor, content in operands:
            is_sum = isinstance(content, tuple) and content[0] == "add"
            for term, inner in content[1] if is_sum else [(content, 1.0)]:
                terms[term] = terms.get(term, 0.0) + factor * inner
        scale = terms[min(terms, key=hash)] or 1.0  # signs and factors float out of sums
        return scale, ("add", frozenset((term, f / scale) for term, f in terms.items()))
    if node.operation in ("min", "max"):
        return 1.0, (node.operation, frozenset(operands))
    return 1.0, (node.operation, node.data, tuple(operands))


def group_of(groups: Iterable[G]) -> dict[Node, G]:
    return {member: group for group in groups for member in group.members}


def function_groups(
    order: Iterable[Node],
    operands: Callable[[Node], Iterable[Expr]],
    block: Mapping[Node, int],
) -> list[FunctionGroup]:
    """Functions of one kind, one block and one level, where there are several.

    The level of a node is the number of such functions and of calls that have to be
    evaluated one after the other before it. A call needs the operands of its whole group.
    """
    level: dict[Node, int] = {}
    members: dict[tuple[int, int, str], list[Node]] = {}
    for node in order:
        level[node] = max((level[e.node] for e in operands(node)), default=0)
        if node.operation == "call" or node.operation in IN_LANES:
            level[node] += 1
        if node.operation in IN_LANES:
            members.setdefault((block[node], level[node], node.operation), []).append(node)
    return [FunctionGroup(tuple(nodes)) for nodes in members.values() if len(nodes) > 1]
