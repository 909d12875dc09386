"""Slip angles that tyres are used at."""

from __future__ import annotations

from dataclasses import dataclass

from axletree.library.tyres.contract import Contact, Forces, with_velocities
from axletree.vehicles.unit import Axle

SMALL_ANGLE = 1e-4  # rad, at which a search begins
SECANTS = 6  # steps of it
CLOSE = 1e-9  # of the force, that ends it
STEEPEST = 0.15  # rad, that it does not go beyond
SPEED = 20.0  # m/s, of tyres


@dataclass(frozen=True)
class Stance:
    """How both wheels of an axle stand [rad]; level by default."""

    lean: float = 0.0  # of both, to the right
    camber: float = 0.0  # of each, its top outward
    toe: float = 0.0  # of each, its front inward


LEVEL = Stance()


@dataclass(frozen=True)
class TyreUse:
    """Both tyres of an axle, one with a load [N] that is shifted to it from the other: to the right
    one, of a turn to the left."""

    axle: Axle
    load: float  # [N], the mean
    shifted: float  # [N]
    stance: Stance = LEVEL

    def slip_angle(self, force: float) -> float:
        """At which they give a side force [N] to the left; at most ``STEEPEST`` [rad]."""
        before, angle = (0.0, self._sum("Fy", 0.0) - force), SMALL_ANGLE
        for _ in range(SECANTS):
            lacks = self._sum("Fy", angle) - force
            if abs(lacks) <= CLOSE * abs(force):
                break  # a slope between places so near is rounding
            slope = (lacks - before[1]) / (angle - before[0])
            if slope <= 0.0:
                return STEEPEST
            before, angle = (angle, lacks), min(angle - lacks / slope, STEEPEST)
            if angle == before[0]:
                break
        return angle

    def aligning_moment(self, slip_angle: float) -> float:
        """Of both at this angle [rad], about z [N m]: to the left if positive."""
        return self._sum("Mz", slip_angle)

    def _sum(self, name: str, angle: float) -> float:
        stance = self.stance
        left = self._forces(self.load - self.shifted, stance.toe - angle, -stance.camber)
        right = self._forces(self.load + self.shifted, -stance.toe - angle, stance.camber)
        return float(getattr(left, name) + getattr(right, name))

    def _forces(self, load: float, angle: float, camber: float) -> Forces:
        axle, lean = self.axle, self.stance.lean + camber
        state = Contact(
            load, 0.0, angle, lean, forward_speed=SPEED, radius=axle.wheel.radius,
            deflection=load / axle.tyre.stiffness,
        )  # fmt: skip
        return axle.tyre.law(with_velocities(state))
