"""A driver of a vehicle who follows a path."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.fields import parameter
from axletree.library.part import Part, part, piece
from axletree.library.paths.contract import Path
from axletree.library.paths.pace import Pace


@dataclass(frozen=True)
class Driver(Part):
    """Takes the place of the inputs for steering wheel and pedals.

    Example:
    >>> import axletree as at
    >>> from axletree.vehicles.driver import Driver
    >>> Driver(at.StraightPath(), speed="90 km/h").speed  # m/s
    25.0
    """

    summary: ClassVar[str] = "a driver who follows a path and keeps a speed"

    path: Path = part("PATHS", "line to follow")
    speed: float = parameter(
        "m/s", "speed to keep", default=80.0 / 3.6, lower=0.0, above=True
    )  # fmt: skip
    pace: Pace | None = piece(
        Pace, "limits by which speeds along the path are chosen, up to the speed", default=None
    )
    look_ahead: float = parameter(
        "s", "time ahead to the place that is aimed at", default=1.0, lower=0.0, above=True
    )
