"""Where springs, pushrods and drop links stand."""

from __future__ import annotations

import enum


class Seat(enum.Enum):
    """A link of a side, or the axle that both sides share."""

    LOWER_ARM = "lower-arm"
    UPPER_ARM = "upper-arm"
    UPRIGHT = "upright"
    ARM = "arm"
    SPRING_LINK = "spring-link"
    ROCKER = "rocker"
    AXLE = "axle"

    def link(self, side: str) -> str:
        """The name of this link."""
        return "axle" if self is Seat.AXLE else f"{side}_{self.value.replace('-', '_')}"
