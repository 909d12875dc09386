"""The limited-slip differential with plates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.core.expr import Expr, maximum
from axletree.library.differentials.contract import AxleDifferential
from axletree.library.fields import parameter


@dataclass(frozen=True)
class LimitedSlipDifferential(AxleDifferential):
    """Plates pass up to ``preload + locking |torque|`` from the faster half shaft to the slower.

    The slower wheel then has twice that more than the faster one. ``locking`` is ``drive_locking``
    or ``coast_locking``, by the direction of the torque on the axle: half of what is called the
    locking value, which compares the torques of both wheels with their sum.

    Example:
    >>> from axletree.library.differentials import limited_slip_differential
    >>> plates = limited_slip_differential.LimitedSlipDifferential("50 N*m", drive_locking=0.2)
    >>> float(plates.capacity(1000.0, plates.numbers))  # N m: 50 + 0.2 * 1000
    250.0
    """

    summary: ClassVar[str] = "plates pass torque from the faster half shaft to the slower"

    preload: float = parameter("N*m", "passed without torque on the axle", default=0.0, lower=0.0)
    drive_locking: float = parameter(
        "1", "passed by torque that drives", default=0.0, lower=0.0, upper=0.5
    )
    coast_locking: float = parameter(
        "1", "passed by torque that brakes", default=0.0, lower=0.0, upper=0.5
    )

    def problems(self) -> list[str]:
        if self.preload or self.drive_locking or self.coast_locking:
            return []
        return [
            "without preload, drive_locking and coast_locking it is open; give one of them, or "
            "the differential as open"
        ]

    def capacity(self, torque: Expr, p: Any) -> Expr:
        by_torque = p["drive_locking"] * maximum(torque, 0.0)
        passed: Expr = p["preload"] + by_torque + p["coast_locking"] * maximum(-torque, 0.0)
        return passed
