"""Which calls are made together, and which functions are evaluated together."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from axletree.code.program import CallGroup, FunctionGroup, Group
from axletree.core.expr import Expr, ExpressionFunction, topological_order
from axletree.core.expr.expression import ONE_NODE, Node

# Functions that cost much more than a product and that vector libraries have.
IN_LANES: Final = frozenset(
    [
        "exp",
        "log",
        "sin",
        "cos",
        "tan",
        "asin",
        "acos",
        "atan",
        "sinh",
        "cosh",
        "tanh",
        "pow",
        "atan2",
    ]
)
G = TypeVar("G", bound=Group)


def call_groups(
    order: Iterable[Node], constant: Collection[Node] = (), known: Sequence[CallGroup] = ()
) -> list[CallGroup]:
    """The calls of a topological order, those of one function and one level together.

    The level of a call is the number of calls that have to be made one after the other
    before it. An external function is called for one at a time. Calls that belong to
    ``known`` groups are left out.
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
    offset = sum(len(group.prepared) * group.lanes for group in known)
    for calls in members.values():
        group = _group(calls, constant, offset)
        groups.append(group)
        offset += len(group.prepared) * group.lanes
    return groups


def groups_of_routines(
    routines: Iterable[Sequence[Expr]], constant: Collection[Node]
) -> list[CallGroup]:
    """The groups of several lists of results; a call belongs to the first list that needs it."""
    groups: list[CallGroup] = []
    for targets in routines:
        groups += call_groups(topological_order(targets), constant, groups)
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
    return [e for group in groups for k in group.prepared for e in group.across(k)]


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
