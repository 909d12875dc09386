"""Where a rigid wheel meets the soil: angles from its lowest point, positive ahead."""

from __future__ import annotations

from dataclasses import dataclass

from axletree.core.expr import absolute, asin, cos, maximum, minimum, sin, sqrt
from axletree.library.soils.contract import Wheel, speed_ratio
from axletree.library.soils.soil import Parameters, Value

# Sinkage over radius. Below the first, forces fall to zero in proportion, for some soils would be
# infinitely stiff at touch-down; above the second, at which the wheel is in to its axle, they grow
# in proportion.
LEAST_DEPTH = 1e-6
GREATEST_DEPTH = 1.0
# Steps to where shear changes its sign; the integration needs it to some 1e-4 of the contact.
CROSSING_STEPS = 2
LEAST_ARC = 1e-6  # of the entry angle
SMALLEST_PLACE = 1e-12  # below it a root would have no slope
# Points are spent evenly where nothing changes its sign; near the entry, where shear builds up
# within a small part of the contact when the wheel is nearly locked, at most this far from it.
LOWEST_SPLIT, HIGHEST_SPLIT = 0.25, 0.98


@dataclass(frozen=True)
class ContactAngles:
    """The contact of a rigid wheel of a given sinkage."""

    entry: Value  # theta_1 [rad]
    peak: Value  # theta_m [rad]
    exit: Value  # theta_2 [rad]
    share: Value  # [1], factor on forces where the sinkage is below or above what angles know

    @property
    def front(self) -> Value:
        """From the greatest pressure to the entry [rad]."""
        return self.entry - self.peak

    @property
    def rear(self) -> Value:
        """From the exit to the greatest pressure [rad]."""
        return self.peak - self.exit


def contact_angles(sinkage: Value, wheel: Wheel, p: Parameters) -> ContactAngles:
    """The angles at a sinkage [m]; p is that of the soil.

    cos(theta_1) = 1 - z/r, theta_m = (c_1 + c_2 |i|) theta_1 (Wong and Reece 1967); behind, the
    soil rises by ``rebound`` times the sinkage.
    """
    ratio = sinkage / wheel.radius
    depth = minimum(maximum(ratio, LEAST_DEPTH), GREATEST_DEPTH)
    half = sqrt(0.5 * depth)
    entry = 2.0 * asin(half)
    # Not the root of the product, which has no slope where there is no rebound.
    behind = 2.0 * asin(sqrt(p["rebound"]) * half)
    place = p["peak_offset"] + p["peak_slope"] * absolute(wheel.clipped_slip)
    return ContactAngles(entry, place * entry, -behind, maximum(ratio, 0.0) / depth)


def crossing(angles: ContactAngles, slip: Value) -> Value:
    """Where the shear of a braked wheel changes its sign, on the scale of ``graded_points``.

    Soil slides forward at the entry and backward behind it. The arc from the entry is a zero of
    s - kappa (sin theta_1 - sin(theta_1 - s)): a root of its series, and Newton's steps.
    """
    theta, kappa = angles.entry, speed_ratio(slip)
    c, s = cos(theta), sin(theta)
    least = LEAST_ARC * theta
    gap = maximum(1.0 + minimum(slip, 0.0) - c, 0.0)  # 1 / kappa - cos(theta_1)
    root = sqrt(maximum(0.25 * s * s - (2.0 / 3.0) * c * gap, 0.01 * s * s))
    arc = maximum(minimum(2.0 * gap / (0.5 * s + root), 2.0 * theta), least)
    for _ in range(CROSSING_STEPS):
        off = arc - kappa * (s - sin(theta - arc))
        slope = minimum(1.0 - kappa * cos(theta - arc), -1e-3)
        arc = maximum(minimum(arc - off / slope, 2.0 * theta), least)
    ahead = minimum(arc / angles.front, 1.0)
    rear = maximum(angles.rear, least)
    behind = minimum(maximum((theta - arc - angles.exit) / rear, 0.0), 1.0)
    place = minimum(ahead, behind)
    scaled = sqrt(sqrt(maximum(place, SMALLEST_PLACE)))
    return maximum(minimum(scaled, HIGHEST_SPLIT), LOWEST_SPLIT)
