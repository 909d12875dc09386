"""Slip angles that tyres are used at."""

from __future__ import annotations

from axletree.library.tyres.contract import Contact, Forces, with_velocities
from axletree.vehicles.unit import Axle

SMALL_ANGLE = 1e-4  # rad, at which a search begins
SECANTS = 6  # steps of it
CLOSE = 1e-9  # of the force, that ends it
STEEPEST = 0.15  # rad, that it does not go beyond
SPEED = 20.0  # m/s, of tyres


def slip_angle(axle: Axle, load: float, shifted: float, force: float) -> float:
    """At which both tyres of an axle give a side force [N], one with a load [N] that is shifted to
    it from the other; at most ``STEEPEST`` [rad]."""

    def missing(angle: float) -> float:
        both = (_forces(axle, load + sign * shifted, -angle).Fy for sign in (1.0, -1.0))
        return float(sum(both)) - force

    before, angle = (0.0, -force), SMALL_ANGLE
    for _ in range(SECANTS):
        lacks = missing(angle)
        if abs(lacks) <= CLOSE * abs(force):
            break  # a slope between places so near is rounding
        slope = (lacks - before[1]) / (angle - before[0])
        if slope <= 0.0:
            return STEEPEST
        before, angle = (angle, lacks), min(angle - lacks / slope, STEEPEST)
        if angle == before[0]:
            break
    return angle


def _forces(axle: Axle, load: float, angle: float) -> Forces:
    state = Contact(load, 0.0, angle, forward_speed=SPEED, radius=axle.wheel.radius)
    return axle.tyre.law(with_velocities(state))
