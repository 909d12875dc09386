"""Friction coefficients that fall with the load."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import maximum, minimum
from axletree.library.fields import parameter
from axletree.library.friction.load_influences.contract import LoadInfluence
from axletree.library.tyres.contract import Parameters, Value


@dataclass(frozen=True)
class QuadraticLoadInfluence(LoadInfluence):
    """Forces grow as a parabola of the load up to its top, and then no more.

    Andres 2009, eqs. (3.50) and (3.51), after Zimmer and Otter 2009; in (3.51) mu_1N is read as
    mu_2N. With a = 2 mu_N - mu_2N and b = mu_N - mu_2N the factor is a - b Fz / F_N up to the
    load a F_N / (2 b), and then such that factor times load stays.

    Example:
    >>> import axletree as at
    >>> influence = at.QuadraticLoadInfluence(nominal_load=3000.0, double_load_factor=0.75)  # N
    >>> law = at.ComposedFriction(at.DryFriction(), load_influence=influence)
    >>> once, twice = (at.Contact(load, -1.0, 0.0, forward_speed=20.0) for load in (3e3, 6e3))
    >>> print(f"{law(twice).Fx / law(once).Fx:.2f}")  # 2 * 0.75
    1.50
    """

    summary: ClassVar[str] = "friction that falls with the load"

    nominal_load: float = parameter(
        "N", "load of the nominal factor, f_NNominal", default=3000.0, lower=0.0, above=True
    )
    nominal_factor: float = parameter(
        "1", "factor at the nominal load, mu_N", default=1.0, lower=0.0, above=True
    )
    double_load_factor: float = parameter(
        "1", "factor at twice the nominal load, mu_2N", default=0.75, lower=0.0
    )

    def problems(self) -> list[str]:
        if self.double_load_factor < self.nominal_factor:
            return []
        return [
            "double_load_factor must be less than nominal_factor; for friction that does not "
            "depend on the load take linear"
        ]

    def factor(self, normal_load: Value, p: Parameters) -> Value:
        a = 2.0 * p["nominal_factor"] - p["double_load_factor"]
        b = p["nominal_factor"] - p["double_load_factor"]
        x, top = normal_load / p["nominal_load"], 0.5 * a / b  # (3.51)
        return (a - b * minimum(x, top)) * top / maximum(x, top)  # (3.50)
