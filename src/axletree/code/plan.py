"""What is known of a routine while it is scheduled: its cone, in order, and what is at hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from axletree.code.program import Group
from axletree.core.expr import Expr
from axletree.core.expr.expression import ONE_NODE, Node


@dataclass
class Plan:
    """What is known of the cone of a routine while it is scheduled."""

    leaves: Mapping[Expr, str]
    groups: Mapping[Node, Group]
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
