"""What a rack does to the wheels of an axle: ratio, share of Ackermann's angles, kingpin trail.

Steer angles are to the left, relative to straight ahead: minus the change of toe on the left, plus
that on the right. With L the distance of the axle from the unsteered ones and t its track, wheels
that turn about one point stand at

    tan d = L tan m / (L -+ t/2 tan m) ... (1)

left and right, with m the angle of the middle. The share of Ackermann's angles is the difference of
both steer angles over that of (1), at the same mean.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.core.errors import ModelError
from axletree.vehicles.linkages.linkage import WheelCarrier
from axletree.vehicles.linkages.positions import LinkageKinematics, Positions
from axletree.vehicles.suspensions import SIDES

_RACK = 2  # the input of positions
_COMPARED = 0.1  # rad, the mean angle at which Ackermann's share is taken
_LEAST = 0.1  # rad/m, of a rack that steers


@dataclass(frozen=True)
class RackGeometry:
    """Of a steered axle by its linkage, with its rack moved by so much for each radian."""

    travel: float  # [m/rad], of the rack to the left by the steering wheel's angle to the left
    ratio: float  # of angles at design, steering wheel over mean of the wheels
    ackermann: float
    trail: float  # [m], of the kingpin ahead of the contact point


def rack_geometry(
    kinematics: LinkageKinematics, rack: float, length: float, radius: float
) -> RackGeometry:
    """By rack travel over steering wheel angle [m/rad], the axle's distance ahead of the unsteered
    ones and the radius of its tyres [m]."""
    at = kinematics.design
    carriers = kinematics.linkage.carriers
    rates = [_steer_rate(carriers[side], at) for side in SIDES]
    mean = 0.5 * sum(rates)
    if abs(mean) < _LEAST:
        raise ModelError(
            f"rack: moved along y it turns the wheels by {1e-3 * mean:.3g} rad/mm; tie rods that "
            "end on a rack turn the upright about its kingpin"
        )
    left, right = _angles(kinematics, _COMPARED / mean)
    track = carriers["left"].centre[1] - carriers["right"].centre[1]
    m = math.tan(0.5 * (left + right))
    ideal = [math.atan2(length * m, length - s * 0.5 * track * m) for s in SIDES.values()]
    if length < 0.0:
        ideal = [math.atan(length * m / (length - s * 0.5 * track * m)) for s in SIDES.values()]
    share = (left - right) / (ideal[0] - ideal[1]) if length else 0.0
    trail = 0.5 * sum(_trail(carriers[side], at, radius) for side in SIDES)
    return RackGeometry(math.copysign(rack, mean), 1.0 / (rack * abs(mean)), share, trail)


def _angles(kinematics: LinkageKinematics, travel: float) -> list[float]:
    """Steer angles [rad] of the left and the right wheel at a travel of the rack."""
    at = kinematics.at(np.array([[0.0, 0.0, travel]]))
    found = []
    for side in SIDES:
        carrier = kinematics.linkage.carriers[side]
        now, then = at.direction(carrier.link, carrier.spin_axis)[0], carrier.spin_axis
        found.append(math.atan2(-now[0], now[1]) - math.atan2(-then[0], then[1]))
    return found


def _steer_rate(carrier: WheelCarrier, at: Positions) -> float:
    """Steer angle by rack travel at held wheel travel [rad/m]."""
    s = np.array(carrier.spin_axis)
    rate = np.cross(at.turn_rate(carrier.link)[0, :, _RACK], s)
    return float((s[0] * rate[1] - s[1] * rate[0]) / (s[0] ** 2 + s[1] ** 2))


def _trail(carrier: WheelCarrier, at: Positions, radius: float) -> float:
    """From the contact point of a disc to where the axis that the rack turns the carrier about
    meets the road, along the heading."""
    s, centre = np.array(carrier.spin_axis), np.array(carrier.centre)
    up = np.array([0.0, 0.0, 1.0])
    contact = centre - radius * (up - s[2] * s) / math.sqrt(1.0 - s[2] ** 2)
    heading = np.cross(s, up)
    point, along = _kingpin(carrier, at)
    ground = point + along * (contact[2] - point[2]) / along[2]
    return float((ground - contact) @ heading / np.linalg.norm(heading))


def _kingpin(carrier: WheelCarrier, at: Positions) -> tuple[FloatArray, FloatArray]:
    """A point of it and its direction; without ball joints that of the rotation by the rack."""
    if carrier.kingpin is not None:
        lower, upper = (np.array(point) for point in carrier.kingpin)
        return lower, upper - lower
    w = at.turn_rate(carrier.link)[0, :, _RACK]
    v = at.point_rate(carrier.link, carrier.centre)[0, :, _RACK]
    return np.array(carrier.centre) + np.cross(w, v) / (w @ w), w
