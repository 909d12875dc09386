"""What acts on a wheel whether it slips or not: pushes and moments of a tyre on hard ground."""

from __future__ import annotations

from dataclasses import dataclass

from axletree.core.expr import Expr
from axletree.core.vectors import Vector
from axletree.library.contacts.soil_rolling import SoilRolling


@dataclass(frozen=True)
class SoilPush:
    """At the lowest point; known before the step."""

    at: SoilRolling
    forward: Expr  # [N]
    left: Expr  # [N]
    overturning: Expr  # [N m], about the forward direction
    aligning: Expr  # [N m], about the normal
    ahead: Expr  # [N], forward, at the centre

    @property
    def is_nothing(self) -> bool:
        pushes = (self.forward, self.left, self.overturning, self.aligning, self.ahead)
        return all(e.is_zero for e in pushes)

    @property
    def force(self) -> Vector:
        return self.at.forward * (self.forward + self.ahead) + self.at.patch.y_C * self.left

    @property
    def moment(self) -> Vector:
        """[N m], about the wheel's centre."""
        at = self.at
        about = at.forward * (at.below * self.left + self.overturning)
        return about + at.patch.n_C * self.aligning - at.axis * (at.radius * self.forward)

    @property
    def torque(self) -> Expr:
        """[N m], about the axle."""
        return self.at.patch.sin_inclination * self.aligning - self.at.radius * self.forward

    @property
    def power(self) -> Expr:
        """[W]."""
        at = self.at
        moved = self.forward * at.sliding + self.ahead * at.travel + self.left * at.drift
        turned = self.overturning * at.patch.lean_rate + self.aligning * at.patch.bore_rate
        return moved + turned
