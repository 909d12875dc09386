"""Contacts of a tread and grips for effects of friction."""

from __future__ import annotations

import math
from typing import Any

from axletree.wheel.contract import Contact
from axletree.wheel.friction_slips import FrictionGrip, Sliding

WEIGHT = 15.0 * 9.81  # N, of the wheel on the test benches of Andres 2009


def contact_of(
    sliding: Any = 0.0, lateral: Any = 0.0, rolling: Any = 0.0, load: Any = WEIGHT, **others: Any
) -> Contact:
    """A contact with these velocities of the tread; slip and forward speed go with them."""
    forward = rolling + sliding
    return Contact(
        normal_load=load,
        longitudinal_slip=math.nan,
        slip_angle=math.nan,
        forward_speed=forward,
        sliding_speed=sliding,
        lateral_speed=lateral,
        rolling_speed=rolling,
        **others,
    )


def grip_of(rolling: Any = 0.0, lateral: Any = 0.0, **others: Any) -> FrictionGrip:
    """A grip that adheres up to 0.3 m/s and slides from 1 m/s, with no force unless given."""
    usual = {"Fx": 0.0, "Fy": 0.0, "adhesion_speed": 0.3, "full_sliding_speed": 1.0, "factor": 1.0}
    return FrictionGrip(sliding=Sliding(0.0, lateral, rolling), **(usual | others))
