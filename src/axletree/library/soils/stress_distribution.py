"""Stresses along the rim of a wheel in soil, by angle, to look at."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from axletree.core.expr import cos, maximum, power, sin, where
from axletree.library.soils.contact_angles import contact_angles
from axletree.library.soils.contract import Wheel
from axletree.library.soils.shear import shear_under
from axletree.library.soils.soil import Parameters, Value, modulus


@dataclass(frozen=True)
class RimStresses:
    """Stresses on the rim [Pa]; zero outside the contact."""

    angle: Value  # theta [rad] from the lowest point, positive ahead
    pressure: Value  # sigma, towards the axle
    forward: Value  # tau along the rim, positive when it drives the vehicle
    left: Value  # tau across


def rim_stresses(angle: Value, sinkage: Value, wheel: Wheel, p: Parameters) -> RimStresses:
    """The stresses at angles [rad] of a wheel at a sinkage [m]; p is that of the soil.

    Peiret et al., eqs. (13, 14), with the corrections of ``WongReece``.
    """
    at = contact_angles(sinkage, wheel, p)
    rear = where(at.rear > 0.0, at.rear, 1.0)
    behind = at.entry - (angle - at.exit) * at.front / rear
    place = where(angle < at.peak, behind, angle)
    depth = wheel.radius * maximum(cos(place) - cos(at.entry), 0.0)
    touches = where(angle <= at.entry, 1.0, 0.0) * where(angle >= at.exit, 1.0, 0.0)
    sigma = touches * modulus(wheel.width, p) * power(depth, p["sinkage_exponent"])
    forward, left = shear_under(wheel, at, p).stresses(angle, sin(angle), sigma)
    return RimStresses(angle, sigma, touches * forward, touches * left)


def whole_contact(sinkage: float, wheel: Wheel, p: Parameters, points: int = 401) -> RimStresses:
    """The stresses at evenly spaced angles from the exit to the entry."""
    at = contact_angles(sinkage, wheel, p)
    return rim_stresses(np.linspace(at.exit, at.entry, points), sinkage, wheel, p)
