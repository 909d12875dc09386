"""Slip with respect to the speed of rolling, as the brush model and TMeasy take it."""

from __future__ import annotations

from axletree.core.expr import absolute, maximum, tan
from axletree.library.tyres.contract import Contact, Value
from axletree.library.tyres.direction import SLOW_TRAVEL, direction

SLOWEST_ROLLING = 1e-9  # rolling speed over forward speed; a slower wheel counts as locked


def theoretical_slip(contact: Contact) -> tuple[Value, Value]:
    """The sliding velocity, reversed, over the speed of rolling |Omega R|, ISO W axes.

    Pacejka 2012, section 3.2.3: sigma_x = S / (1 + S), sigma_y = -tan(alpha) / (1 + S).
    S counts sliding over the forward speed without its sign (Morency 2007, eq. 3.20), so
    that rolling over forward speed is 1 + S forwards and 1 - S in reverse. Between the
    two, at a forward speed of 0, the slip is S itself. A wheel that is about to lock keeps
    the direction of its sliding, at a large finite size.
    """
    S = contact.longitudinal_slip
    rolling = absolute(1.0 + direction(contact.forward_speed, SLOW_TRAVEL) * S)
    speed = maximum(rolling, SLOWEST_ROLLING)
    return S / speed, -tan(contact.slip_angle) / speed
