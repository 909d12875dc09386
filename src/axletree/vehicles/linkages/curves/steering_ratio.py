"""What a rack, or a pitman arm, does to the wheels of an axle: ratio, share of Ackermann's angles,
kingpin trail.

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

from axletree.core.errors import ModelError
from axletree.vehicles.linkages.kingpin import kingpin_axis
from axletree.vehicles.linkages.linkage import WheelCarrier
from axletree.vehicles.linkages.positions import LinkageKinematics, Positions
from axletree.vehicles.suspensions import SIDES

_STEER = 2  # the input of positions
_COMPARED = 0.1  # rad, the mean angle at which Ackermann's share is taken
_LEAST = 0.1  # rad/m, of a rack that steers


@dataclass(frozen=True)
class SteeringGeometry:
    """Of a steered axle by its linkage."""

    travel: float  # [m/rad, or 1], of what steers, by the steering wheel's angle to the left
    ratio: float  # of angles at design, steering wheel over mean of the wheels
    ackermann: float
    trail: float  # [m], of the kingpin ahead of the contact point


def steering_geometry(
    kinematics: LinkageKinematics, travel: float, length: float, radius: float
) -> SteeringGeometry:
    """By travel of the rack over the steering wheel's angle [m/rad], or angle of the pitman arm
    over it, the axle's distance ahead of the unsteered ones and the radius of its tyres [m]."""
    at = kinematics.design
    carriers = kinematics.linkage.carriers
    rates = [_steer_rate(carriers[side], at) for side in SIDES]
    mean = 0.5 * sum(rates)
    if abs(mean) < _LEAST:
        raise ModelError(
            f"steering: what steers turns the wheels by {mean:.3g} rad for each metre or radian; "
            "a tie rod turns the upright about its kingpin, so that it has to pass beside it"
        )
    left, right = _angles(kinematics, _COMPARED / mean)
    track = carriers["left"].centre[1] - carriers["right"].centre[1]
    m = math.tan(0.5 * (left + right))
    ideal = [math.atan(length * m / (length - s * 0.5 * track * m)) for s in SIDES.values()]
    apart = ideal[0] - ideal[1]
    share = (left - right) / apart if apart else 0.0
    trail = 0.5 * sum(_trail(kinematics, side, at, radius) for side in SIDES)
    ratio = 1.0 / (travel * abs(mean))
    return SteeringGeometry(math.copysign(travel, mean), ratio, share, trail)


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
    rate = np.cross(at.turn_rate(carrier.link)[0, :, _STEER], s)
    return float((s[0] * rate[1] - s[1] * rate[0]) / (s[0] ** 2 + s[1] ** 2))


def _trail(kinematics: LinkageKinematics, side: str, at: Positions, radius: float) -> float:
    """From the contact point of a disc to where the kingpin meets the road, along the heading."""
    carrier = kinematics.linkage.carriers[side]
    s, centre = np.array(carrier.spin_axis), np.array(carrier.centre)
    up = np.array([0.0, 0.0, 1.0])
    contact = centre - radius * (up - s[2] * s) / math.sqrt(1.0 - s[2] ** 2)
    heading = np.cross(s, up)
    point, along = (vector[0] for vector in kingpin_axis(kinematics, at, side))
    ground = point + along * (contact[2] - point[2]) / along[2]
    return float((ground - contact) @ heading / np.linalg.norm(heading))
