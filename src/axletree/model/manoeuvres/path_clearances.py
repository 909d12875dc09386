"""How near a vehicle and its trailers come to what bounds their way, in findings."""

from __future__ import annotations

import math
from collections.abc import Mapping

from axletree.model.manoeuvres.findings import Finding

CLEARANCE = "clearance"
LEFT = " (left the lane)"


def clearances(
    least: Mapping[str, float], widths: Mapping[str, float], text: str
) -> tuple[Finding, ...]:
    """Those [m] of the whole and, in a train, of each unit, by the names of units.

    A unit that is farther out than it is wide is beside the lane as a whole: it does not tell by
    how much it fails, and neither does the train.
    """
    left = {name: value < -widths[name] for name, value in least.items()}
    known = [value for value in least.values() if not math.isnan(value)]
    whole = _told(CLEARANCE, min(known, default=math.nan), any(left.values()), text)
    if len(least) == 1:
        return (whole,)
    units = (
        _told(f"{name}_{CLEARANCE}", value, left[name], f"least distance of the {name}")
        for name, value in least.items()
    )
    return (whole, *units)


def _told(name: str, value: float, left: bool, text: str) -> Finding:
    return Finding(name, math.nan if left else value, "m", text + LEFT * left)
