"""The order of statements by which a processor has several long operations at work at once.

A processor looks ahead by some hundred instructions. Where a chain of functions, each waiting for
the one before it, stands in one piece, nothing else is within sight, and most of it waits; where
chains stand interleaved, they run beside one another. So the statement goes first on whose result
the longest chain waits, as soon as its own operands are there (list scheduling, Graham 1966; by
critical path, Hu 1961). Values do not depend on it: every operation has the same operands.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Sequence
from typing import Final

from axletree.expr import Expr
from axletree.expr.node import Node

# Cycles until a result is there, about, of four numbers side by side on processors of 2018 to 2025;
# they do no more than rank. Functions are those of vector libraries.
_WAITS: Final = {
    **dict.fromkeys(("exp", "log", "sinh", "cosh", "tanh"), 55.0),
    **dict.fromkeys(("sin", "cos"), 60.0),
    **dict.fromkeys(("tan", "asin", "acos", "atan", "pow", "atan2"), 77.0),
    "sqrt": 20.0,
    "inv": 13.0,
}
_USUAL_WAIT: Final = 3.0
_FUNCTION_ISSUE, _USUAL_ISSUE = 12.0, 0.25  # cycles in which their instructions begin
_LONG: Final = 50.0  # waits of functions

_Step = Node | int  # what is computed, or the index of a result that is written


def latency_order(
    order: Sequence[_Step],
    operands: Callable[[Node], Sequence[Expr]],
    local: Collection[Node],
    targets: Sequence[Expr],
) -> list[_Step]:
    """The same steps; those that are written inside the statement of another stand before it."""
    units = _Units(order, operands, local, targets)
    waiting, found = list(units.needs_count), []
    ready_at = [0.0] * len(units.steps)
    coming: list[tuple[float, int]] = [(0.0, k) for k, n in enumerate(waiting) if not n]
    ready: list[tuple[float, int]] = []
    now = 0.0
    while coming or ready:
        if not ready:
            now = max(now, coming[0][0])
        while coming and coming[0][0] <= now:
            _, k = heapq.heappop(coming)
            heapq.heappush(ready, (-units.rest[k], k))
        _, k = heapq.heappop(ready)
        found += units.steps[k]
        end, now = now + units.wait[k], now + units.issue[k]
        for user in units.users[k]:
            waiting[user] -= 1
            ready_at[user] = max(ready_at[user], end)
            if not waiting[user]:
                heapq.heappush(coming, (ready_at[user], user))
    return found


class _Units:
    """Statements: steps, waits and issues in cycles, who uses whom, and the longest chain from the
    beginning of each to the end of the routine."""

    def __init__(
        self,
        order: Sequence[_Step],
        operands: Callable[[Node], Sequence[Expr]],
        local: Collection[Node],
        targets: Sequence[Expr],
    ) -> None:
        ends = [step for step in order if isinstance(step, int) or step in local]
        place = {step: k for k, step in enumerate(ends)}
        self.steps: list[list[_Step]] = []
        needs: list[set[int]] = []
        for end in ends:
            inside, need = _inside(end, operands, local, targets)
            self.steps.append(inside)
            needs.append({place[node] for node in need})
        self.needs_count = [len(one) for one in needs]
        self.users: list[list[int]] = [[] for _ in ends]
        for k, places in enumerate(needs):
            for needed in sorted(places):
                self.users[needed].append(k)
        self.wait = [_longest(unit, operands) for unit in self.steps]
        self.issue = [sum(map(_issue, unit)) for unit in self.steps]
        self.rest = self._rest()

    def _rest(self) -> list[float]:
        rest = [0.0] * len(self.steps)
        for k in reversed(range(len(self.steps))):  # users stand after what they use
            rest[k] = self.wait[k] + max((rest[user] for user in self.users[k]), default=0.0)
        return rest


def _inside(
    end: _Step,
    operands: Callable[[Node], Sequence[Expr]],
    local: Collection[Node],
    targets: Sequence[Expr],
) -> tuple[list[_Step], set[Node]]:
    """The steps of a statement, operands first, and the local variables that it needs."""
    inside: dict[_Step, None] = {}
    needed: set[Node] = set()
    stack = [targets[end].node] if isinstance(end, int) else [e.node for e in operands(end)]
    while stack:
        node = stack.pop()
        if node in local:
            needed.add(node)
        elif node.operands and node not in inside:
            inside[node] = None
            stack += [e.node for e in operands(node)]
    return [*reversed(inside), end], needed


def _longest(unit: Sequence[_Step], operands: Callable[[Node], Sequence[Expr]]) -> float:
    """Of the chains within a statement."""
    ends: dict[Node, float] = {}
    for step in unit:
        if isinstance(step, Node):
            before = max((ends.get(e.node, 0.0) for e in operands(step)), default=0.0)
            ends[step] = before + _WAITS.get(step.operation, _USUAL_WAIT)
    return max(ends.values(), default=0.0)


def _issue(step: _Step) -> float:
    if not isinstance(step, Node):
        return _USUAL_ISSUE
    return _FUNCTION_ISSUE if _WAITS.get(step.operation, 0.0) > _LONG else _USUAL_ISSUE
