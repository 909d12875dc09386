"""Characteristics of springs and dampers: how hard they pull back, and what they store."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from axletree.core.expr import Expr, interpolate, maximum, minimum, where
from axletree.core.expr.expression import ZERO
from axletree.library.curve import Curve, integral


class Side(enum.Enum):
    """On which side of its free length or angle a spring-damper acts."""

    BOTH = "both"
    ABOVE = "above"  # it can only pull: a rope, a rebound stop
    BELOW = "below"  # it can only push: a bump stop with clearance


@dataclass(frozen=True)
class Pull:
    """What opposes growth of a length or travel [N or N m], and the energy stored [J]."""

    effort: Expr
    energy: Expr


@dataclass(frozen=True)
class LinearCharacteristic:
    """Stiffness, damping and preload; one-sided, it neither sticks nor acts out of touch.

    On its one side a spring-damper that leaves faster than its spring follows lets go: the
    damper cannot turn the push of a bump stop into a pull.
    """

    stiffness: Expr
    damping: Expr
    preload: Expr
    side: Side

    def pull(self, deflection: Expr, rate: Expr) -> Pull:
        """At a deflection from the free length or angle, growing at a rate."""
        elastic = self.stiffness * deflection + self.preload
        effort = elastic + self.damping * rate
        energy = (0.5 * self.stiffness * deflection + self.preload) * deflection
        if self.side is Side.BOTH:
            return Pull(effort, energy)
        if self.side is Side.ABOVE:
            in_touch, effort = deflection > 0.0, maximum(effort, ZERO)
        else:
            in_touch, effort = deflection < 0.0, minimum(effort, ZERO)
        return Pull(where(in_touch, effort, ZERO), where(in_touch, energy, ZERO))


@dataclass(frozen=True)
class TabulatedCharacteristic:
    """A table over the length or travel and one over its rate; both, or one of them."""

    over_travel: Curve | None
    over_rate: Curve | None

    def pull(self, travel: Expr, rate: Expr) -> Pull:
        effort, energy = ZERO, ZERO
        if self.over_travel is not None:
            table = self.over_travel.table
            effort, energy = interpolate(table, travel), interpolate(integral(table), travel)
        if self.over_rate is not None:
            effort = effort + interpolate(self.over_rate.table, rate)
        return Pull(effort, energy)


def linear_problems(stiffness: float, damping: float, preload: float, side: Side) -> list[str]:
    """What keeps numbers, each right by itself, from making a linear spring-damper."""
    found = []
    if not (stiffness or damping or preload):
        found.append("stiffness, damping and preload are all zero; give at least one of them")
    if side is Side.ABOVE and preload < 0.0:
        found.append(f"preload {preload:g} pushes, but with side: above it can only pull")
    if side is Side.BELOW and preload > 0.0:
        found.append(f"preload {preload:g} pulls, but with side: below it can only push")
    return found
