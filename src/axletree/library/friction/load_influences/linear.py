"""Forces in proportion to the load."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.friction.load_influences.contract import LoadInfluence
from axletree.library.tyres.contract import Parameters, Value


@dataclass(frozen=True)
class LinearLoadInfluence(LoadInfluence):
    """The load has no influence on friction coefficients (Andres 2009, section 3.5.6.2).

    Example:
    >>> import axletree as at
    >>> law = at.ComposedFriction(at.DryFriction(), load_influence=at.LinearLoadInfluence())
    >>> once, twice = (at.Contact(load, -1.0, 0.0, forward_speed=20.0) for load in (3e3, 6e3))
    >>> print(f"{law(twice).Fx / law(once).Fx:.2f}")
    2.00
    """

    summary: ClassVar[str] = "forces in proportion to the load"

    def factor(self, normal_load: Value, p: Parameters) -> Value:
        return 1.0
