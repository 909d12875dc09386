"""Laws that act at instants of their own: what is commanded holds until the next one.

A system with such laws has a switch for each of them among its inputs, and their numbers among its
parameters. Steppers and what is exported from them evaluate the laws; a law that is switched off
forgets what it has kept.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Sequence
from dataclasses import dataclass

from axletree.expr import Expr
from axletree.expr.quantity import Quantity


class Rule(enum.Enum):
    """What an input has for which several controllers wish.

    Example:
    >>> import axletree as at
    >>> at.Rule("minimum") is at.Rule.MINIMUM, [rule.value for rule in at.Rule]
    (True, ['first', 'minimum', 'maximum', 'sum', 'alone'])
    """

    FIRST = "first"  # the wish of the first in the list that has one
    MINIMUM = "minimum"  # as of shares, which reduce
    MAXIMUM = "maximum"
    SUM = "sum"  # as of torques, which add up
    ALONE = "alone"  # no other may set it

    def of(self, wishes: Sequence[float]) -> float:
        """Of wishes in the order of the list, of which there is one at least.

        Example:
        >>> from axletree.system.sampled_laws import Rule
        >>> [Rule(word).of([0.8, 0.5]) for word in ("first", "minimum", "sum")]
        [0.8, 0.5, 1.3]
        """
        if self is Rule.SUM:
            return math.fsum(wishes)
        if self in (Rule.MINIMUM, Rule.MAXIMUM):
            return min(wishes) if self is Rule.MINIMUM else max(wishes)
        return wishes[0]


@dataclass(frozen=True)
class SampledCommand:
    """What a law wishes an input to have."""

    name: str  # of the input
    expression: Expr
    rule: Rule  # where other laws wish for it, too


@dataclass(frozen=True)
class SampledLaw:
    """A law over the symbols of its system, and over those of its memory."""

    name: str
    interval: float  # [s] between its instants
    switch: Quantity  # an input of the system: from 0.5 on the law acts
    memory: tuple[Quantity, ...]  # with what it begins with as defaults
    later: tuple[Expr, ...]  # the memory of the next instant
    commands: tuple[SampledCommand, ...]

    @property
    def expressions(self) -> tuple[Expr, ...]:
        """All that is computed at an instant: the next memory, then the commands."""
        return (*self.later, *(one.expression for one in self.commands))
