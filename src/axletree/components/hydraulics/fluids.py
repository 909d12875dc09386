"""The liquid in a hydraulic system: density, viscosity, compression with entrained air, cavitation.

Entrained air of the share a at ambient pressure p0 keeps the share a (p0 / P)^(1/n) of the volume
at the absolute pressure P. With its bulk modulus n P and that of the liquid K the effective bulk
modulus is (Merritt 1967, section 1-4; a container that gives is left out)

    1 / Ke = 1 / K + a / (n P) (p0 / P)^(1/n).                                            (1)

A volume that takes up p dV at the gauge pressure p = P - p0, with dV / V = dp / Ke, stores by its
volume, with r = P / p0,

    e(p) = p^2 / (2 K) + a p0 (r^(1 - 1/n) / (n - 1) + r^(-1/n) - n / (n - 1)).            (2)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.components.contract import RangeLimit
from axletree.components.fields import Parameters, Part, parameter, positive
from axletree.expr import Expr, Value, as_expr, maximum, minimum, power

# Pa; what a pressure is taken for at least. Below it the air gives as it does there.
LOWEST_PRESSURE = 100.0
STANDARD_ATMOSPHERE = 101325.0  # Pa

_CAVITATES = (
    "its absolute pressure falls below the cavitation_pressure of the fluid: a liquid tears there "
    "and gives off vapour and air, of which no law here knows, and the run is not to be trusted "
    "from there on; feed it by a check valve from a tank under pressure, or pull more slowly"
)


@dataclass(frozen=True)
class HydraulicFluid(Part):
    """A liquid with some air in it; by default mineral oil ISO VG 46 at 40 degrees Celsius.

    Example:
    >>> import axletree as at
    >>> oil = at.HydraulicFluid(air_content="1 %")
    >>> [f"{float(1.0 / oil.compressibility(p, oil.numbers)) / 1e9:.2f} GPa" for p in (0.0, 1e7)]
    ['0.01 GPa', '1.44 GPa']
    """

    summary: ClassVar[str] = "liquid with entrained air"

    density: float = positive("kg/m^3", "density", default=870.0)
    viscosity: float = positive("m^2/s", "kinematic viscosity", default=46e-6)
    bulk_modulus: float = positive("Pa", "bulk modulus of the liquid without air", default=1.5e9)
    air_content: float = parameter(
        "1", "share of the volume that is entrained air at ambient pressure", default=0.005,
        lower=0.0, upper=0.2,
    )  # fmt: skip
    air_exponent: float = parameter(
        "1", "polytropic exponent of this air", default=1.4, lower=1.0, above=True
    )
    ambient_pressure: float = positive(
        "Pa",
        "absolute pressure around it, from which pressures are counted",
        default=STANDARD_ATMOSPHERE,
    )
    cavitation_pressure: float = parameter(
        "Pa", "absolute pressure below which a run says that it cavitates", default=1e4, lower=0.0
    )

    def compressibility(self, pressure: Value, p: Parameters) -> Value:
        """1 / Ke [1/Pa] at a gauge pressure [Pa], by (1).

        Example:
        >>> import axletree as at
        >>> pure = at.HydraulicFluid(air_content=0.0, bulk_modulus="1.6 GPa")
        >>> f"{float(pure.compressibility(2e7, pure.numbers)):.3e} 1/Pa"
        '6.250e-10 1/Pa'
        """
        at, n = self._absolute(pressure, p), p["air_exponent"]
        gas = power(p["ambient_pressure"] / at, 1.0 / n) / (n * at)
        return 1.0 / p["bulk_modulus"] + p["air_content"] * gas

    def energy_density(self, pressure: Value, p: Parameters) -> Value:
        """e [J/m^3] at a gauge pressure [Pa], by (2).

        Example:
        >>> import axletree as at
        >>> pure = at.HydraulicFluid(air_content=0.0, bulk_modulus="1.6 GPa")
        >>> f"{float(pure.energy_density(2e7, pure.numbers)):.0f} J/m^3"  # of oil at 200 bar
        '125000 J/m^3'
        """
        n, p0, a = p["air_exponent"], p["ambient_pressure"], p["air_content"]
        r = self._absolute(pressure, p) / p0
        gas = power(r, 1.0 - 1.0 / n) / (n - 1.0) + power(r, -1.0 / n) - n / (n - 1.0)
        # Below the lowest pressure with the compressibility there.
        lowest = LOWEST_PRESSURE - p0
        slope = a / (n * LOWEST_PRESSURE) * power(p0 / LOWEST_PRESSURE, 1.0 / n)
        below = 0.5 * slope * minimum(pressure - lowest, 0.0) * (pressure + lowest)
        return 0.5 * pressure * pressure / p["bulk_modulus"] + a * p0 * gas + below

    def cavitation(self, pressure: Expr, p: Parameters) -> RangeLimit:
        """Where it says that a gauge pressure [Pa] is too low.

        Example:
        >>> import axletree as at
        >>> from axletree.expr import number
        >>> oil = at.HydraulicFluid()
        >>> limits = [oil.cavitation(number(p), oil.numbers) for p in (0.0, -95e3)]  # Pa
        >>> [float(limit.excess) > 0.0 for limit in limits]
        [False, True]
        """
        excess = p["cavitation_pressure"] - (pressure + p["ambient_pressure"])
        return RangeLimit(as_expr(excess), _CAVITATES)

    def _absolute(self, pressure: Value, p: Parameters) -> Value:
        return maximum(pressure + p["ambient_pressure"], LOWEST_PRESSURE)
