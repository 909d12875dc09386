"""The contract of load influence: a factor on every friction coefficient."""

from __future__ import annotations

from abc import ABC, abstractmethod

from axletree.library.part import Part
from axletree.library.tyres.contract import Parameters, Value


class LoadInfluence(Part, ABC):
    """How friction coefficients depend on the load."""

    @abstractmethod
    def factor(self, normal_load: Value, p: Parameters) -> Value:
        """loadInfluence [1], from Fz [N], not negative; ``p`` has the parameters by name.

        Example:
        >>> import axletree as at
        >>> influence = at.QuadraticLoadInfluence(nominal_load=3000.0, double_load_factor=0.75)
        >>> [influence.factor(load, influence.numbers) for load in (3000.0, 6000.0)]  # N
        [1.0, 0.75]
        """
