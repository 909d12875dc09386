"""Orientations in which three turns one after another do not tell all motions apart."""

from __future__ import annotations

import math
from collections.abc import Sequence

from axletree.library.edge import Variable
from axletree.library.motion.translation import Axis

LEAST = 1e-9  # rad between the first and the last axis


def gimbal_lock(axes: Sequence[Axis], angles: Sequence[Variable], q: Sequence[float]) -> str:
    """A sentence where the first and the last axis are in line; empty elsewhere.

    The axes are coordinate axes, each normal to the one before it.
    """
    if len(axes) != 3:
        return ""
    apart = math.sin(q[1]) if axes[0] == axes[2] else math.cos(q[1])
    if abs(apart) > LEAST:
        return ""
    first, middle, last = (angle.suffix for angle in angles)
    return f"at {middle} = {q[1]:g} rad the angles {first} and {last} turn about the same line"
