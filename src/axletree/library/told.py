"""What components tell of themselves beside their loads."""

from __future__ import annotations

from dataclasses import dataclass

from axletree.core.expr import Expr


@dataclass(frozen=True)
class Computed:
    """A value that a component computes, under its own short name."""

    suffix: str
    unit: str
    description: str
    expression: Expr


@dataclass(frozen=True)
class Accelerated:
    """A value that is linear in rates of velocities, known once the equations are solved.

    It is the sum of weights times rates; velocities follow from the motion, not from reactions.
    """

    suffix: str
    unit: str
    description: str
    terms: tuple[tuple[Expr, Expr], ...]  # weight, velocity [m/s or rad/s]
