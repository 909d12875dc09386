"""The contract of load influence: a factor on every friction coefficient."""

from __future__ import annotations

from abc import ABC, abstractmethod

from axletree.library.part import Part
from axletree.library.tyres.contract import Parameters, Value


class LoadInfluence(Part, ABC):
    """How friction coefficients depend on the load."""

    @abstractmethod
    def factor(self, normal_load: Value, p: Parameters) -> Value:
        """loadInfluence [1], from Fz [N], not negative, parameters by name."""
