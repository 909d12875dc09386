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
        """Forces over the load at a nominal load on a nominal surface, parameters by name."""
