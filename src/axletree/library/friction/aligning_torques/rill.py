"""Self-aligning torque of a trail that falls with the side slip."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import absolute, maximum, minimum
from axletree.library.friction.aligning_torques.contract import AligningTorque
from axletree.library.friction.grip import Grip
from axletree.library.tyres.contract import Contact, Parameters, Value
from axletree.library.tyres.direction import SLOW_TRAVEL, direction


@dataclass(frozen=True)
class RillAligningTorque(AligningTorque):
    """The side force times a trail: a sixth of the patch's length without slip, 0 at v_Ad.

    Andres 2009, eq. (3.55), after Rill 2007: between v_Ad and v_Sl the trail is negative, beyond
    it is 0. Slip is compared by sliding speeds, |v_Lat| / v_Ad being s_Lat / s_Ad. The tread
    enters the patch at the end towards which the wheel rolls, and the trail lies at the other;
    below 0.1 m/s it goes through zero.

    Example:
    >>> import axletree as at
    >>> law = at.ComposedFriction(at.RillFriction(), aligning_torque=at.RillAligningTorque())
    >>> small = law(at.Contact(4000.0, 0.0, 1e-6, forward_speed=20.0, patch_length=0.18))
    >>> print(f"{-small.Mz / small.Fy:.4f} m")  # the trail: a sixth of the patch
    0.0300 m
    """

    summary: ClassVar[str] = "side force times a trail that falls with slip"

    def moment(self, contact: Contact, grip: Grip, p: Parameters) -> Value:
        trail = contact.patch_length / 6.0 * _trail_shape(grip)
        behind = direction(grip.sliding.rolling_speed, SLOW_TRAVEL) * trail
        return -behind * grip.Fy


def _trail_shape(grip: Grip) -> Value:
    """The trail over that without slip."""
    slip = absolute(grip.sliding.lateral_speed) / grip.adhesion_speed
    end = grip.full_sliding_speed / grip.adhesion_speed
    rest = (end - minimum(maximum(slip, 1.0), end)) / (end - 1.0)
    return maximum(1.0 - slip, 0.0) - (maximum(slip, 1.0) - 1.0) * rest * rest
