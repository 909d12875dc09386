"""The side of a vehicle that a tyre is for (``TYRESIDE`` of property files)."""

from __future__ import annotations

import enum


class Side(enum.Enum):
    """Left and right as seen by the driver."""

    LEFT = "left"
    RIGHT = "right"
    EITHER = "either"  # not known, or of no account
