"""The contract of differentials: what the half shafts of an axle have to do with one another.

Every one of them gives both half shafts the same torque, and some more to the slower one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from axletree.core.expr import Expr
from axletree.library.part import Part


class AxleDifferential(Part, ABC):
    """Between the two half shafts of a driven axle.

    Example:
    >>> from dataclasses import dataclass
    >>> from axletree.core.expr import absolute
    >>> from axletree.library.differentials.contract import AxleDifferential
    >>> from axletree.library.fields import parameter
    >>> @dataclass(frozen=True)
    ... class TorqueSensing(AxleDifferential):
    ...     bias: float = parameter("1", "torque of the slower wheel over the other's", lower=1.0)
    ...
    ...     def capacity(self, torque, p):
    ...         return 0.5 * absolute(torque) * (p["bias"] - 1.0) / (p["bias"] + 1.0)
    >>> gears = TorqueSensing(bias=3.0)
    >>> float(gears.capacity(800.0, gears.numbers))  # N m: one wheel has 600, the other 200
    200.0
    """

    locked: ClassVar[bool] = False  # whether both half shafts turn as one, a constraint

    @abstractmethod
    def capacity(self, torque: Expr, p: Any) -> Expr:
        """What friction passes at most from the faster half shaft to the slower one [N m], from
        the torque [N m] on the axle; ``p`` has the parameters by name.

        Example:
        >>> from axletree.library.differentials import limited_slip_differential
        >>> plates = limited_slip_differential.LimitedSlipDifferential(coast_locking=0.1)
        >>> [float(plates.capacity(torque, plates.numbers)) for torque in (500.0, -500.0)]
        [0.0, 50.0]
        """
