"""The contract of slip: from the velocity at which the tread slides to friction coefficients."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from axletree.library.friction.grip import Coefficients, Sliding
from axletree.library.part import Part
from axletree.library.tyres.contract import Parameters


class FrictionSlip(Part, ABC):
    """A relation between sliding and friction: it opposes the sliding velocity."""

    holds_longitudinal: ClassVar[bool] = False  # whether slip along is held at zero
    holds_lateral: ClassVar[bool] = False  # whether side slip is held at zero in place of a force

    @abstractmethod
    def coefficients(self, sliding: Sliding, p: Parameters) -> Coefficients:
        """Forces over the load at a nominal load on a nominal surface; ``p`` has the parameters by
        name.

        Example:
        >>> import axletree as at
        >>> from axletree.library.friction.grip import Sliding
        >>> friction = at.DryFriction(peak_friction=1.0, sliding_friction=0.8)
        >>> brakes = Sliding(longitudinal_speed=5.0, lateral_speed=0.0, rolling_speed=15.0)  # m/s
        >>> friction.coefficients(brakes, friction.numbers).longitudinal
        -0.8
        """


def peak_problems(slip: FrictionSlip, *prefixes: str) -> list[str]:
    """What is wrong with the peak of each curve, whose names of parameters begin alike."""
    found = []
    for prefix in prefixes:
        names = f"{prefix}peak_friction", f"{prefix}sliding_friction"
        peak, sliding = (getattr(slip, name) for name in names)
        if peak < sliding:
            found.append(
                f"{names[0]}, {peak:g}, is the greatest friction and must be at least "
                f"{names[1]}, {sliding:g}"
            )
    return found
