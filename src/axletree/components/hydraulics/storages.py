"""What stores oil under pressure: a volume, and an accumulator with a charge of gas.

The gas of an accumulator has the volume V0 at the absolute precharge Pc, where the accumulator is
empty, and above it V = V0 (Pc / P)^(1/n), polytropic (Merritt 1967, section 2-6, has its relations;
n = 1 is isothermal). With s = P / Pc it takes up and stores

    C = V0 / (n P) s^(-1/n),                                                               (1)
    E = V0 (Pc (s^(1 - 1/n) - 1) / (n - 1) + p0 (s^(-1/n) - 1)),                             (2)

with Pc ln(s) in the place of the first term where n = 1; the second is the work on the ambient air.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.components.contract import (
    Instant,
    NamedOutput,
    NetworkTerms,
    RangeLimit,
    Response,
)
from axletree.components.fields import fixed_number, parameter, positive
from axletree.components.hydraulics.fluids import (
    LOWEST_PRESSURE,
    STANDARD_ATMOSPHERE,
    HydraulicFluid,
)
from axletree.components.hydraulics.ports import MAIN, AtPort, fluid
from axletree.expr import ZERO, Expr, Value, as_expr, exp, log, maximum, minimum, power, where


@dataclass(frozen=True, eq=False)
class HydraulicVolume(AtPort):
    """Oil in a container that does not give: hoses, blocks, the inside of a valve.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> pump = model.add(at.FlowSource("pump", "ground", "a", flow="6 l/min"))
    >>> pure = at.HydraulicFluid(bulk_modulus="1.5 GPa", air_content=0.0)
    >>> block = model.add(at.HydraulicVolume("block", "a", volume="0.5 l", fluid=pure))
    >>> rate = model.formulate().rhs({"block.pressure": 0.0})["block.pressure"]
    >>> print(f"{rate / 1e5:.0f} bar/s")  # 1.5e9 * 1e-4 / 5e-4
    3000 bar/s
    """

    summary: ClassVar[str] = "volume of oil, whose pressure is a state"

    volume: float = positive("m^3", "volume of the oil in it")
    fluid: HydraulicFluid = fluid()

    def network_terms(self, now: Instant) -> NetworkTerms:
        compressed = self.fluid.compressibility(now.across[MAIN], self.numbers_of("fluid"))
        return NetworkTerms(capacities={MAIN: as_expr(self.symbol("volume") * compressed)})

    def respond(self, now: Instant) -> Response:
        pressure, p = now.across[MAIN], self.numbers_of("fluid")
        stored = self.symbol("volume") * self.fluid.energy_density(pressure, p)
        return Response(
            internal_energy=as_expr(stored),
            outputs=(self._inflow(now),),
            limits=(self.fluid.cavitation(pressure, p),),
        )


@dataclass(frozen=True, eq=False)
class ElasticVolume(AtPort):
    """What gives much more than the oil in it: a brake calliper, a piston on a spring.

    At the pressure p it takes up ``compliance`` p and ``slack_volume`` (1 - exp(-p /
    ``slack_pressure``)), the slack until pads touch.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> slack = {"slack_volume": "0.4 cm^3", "slack_pressure": "2 bar"}
    >>> calliper = model.add(at.ElasticVolume("calliper", "a", "30 mm^3/bar", **slack))
    >>> inlet = model.add(at.Orifice("inlet", "a", "ground", area="0.4 mm^2"))
    >>> outputs = model.formulate().outputs_at({"calliper.pressure": "80 bar"})
    >>> print(f"{1e6 * outputs['calliper.content']:.2f} cm^3")  # 80 * 0.03 + 0.4
    2.80 cm^3
    """

    summary: ClassVar[str] = "elastic volume: a brake calliper, a piston on a spring"

    compliance: float = positive("m^3/Pa", "volume that it takes up by pressure")
    slack_volume: float = parameter(
        "m^3", "volume that it takes up at little pressure", default=0.0, lower=0.0
    )
    slack_pressure: float = positive(
        "Pa", "pressure at which 63 % of the slack is taken up", default=1e5
    )

    def _left(self, pressure: Expr) -> Expr:
        """The share of the slack that is left."""
        return as_expr(exp(-maximum(pressure, 0.0) / self.symbol("slack_pressure")))

    def network_terms(self, now: Instant) -> NetworkTerms:
        soft = self.symbol("slack_volume") / self.symbol("slack_pressure")
        capacity = self.symbol("compliance") + soft * self._left(now.across[MAIN])
        return NetworkTerms(capacities={MAIN: capacity})

    def respond(self, now: Instant) -> Response:
        p, at = now.across[MAIN], self.symbol("slack_pressure")
        slack, c, left = self.symbol("slack_volume"), self.symbol("compliance"), self._left(p)
        above, below = as_expr(maximum(p, 0.0)), as_expr(minimum(p, 0.0))
        stored = 0.5 * c * p * p + slack * at * (1.0 - (1.0 + above / at) * left)
        stored = stored + 0.5 * slack / at * below * below
        content = c * p + slack * (1.0 - left) + slack / at * below
        text = "absolute pressure below zero: no liquid bears it, and what it gives is wrong"
        return Response(
            internal_energy=stored,
            outputs=(
                self._inflow(now),
                NamedOutput("content", "m^3", "oil that it has taken up", content),
            ),
            limits=(RangeLimit(-p - STANDARD_ATMOSPHERE, text),),
        )


OIL_SHARE = 0.02  # of the gas volume: oil in an accumulator that is empty, if no other is given


@dataclass(frozen=True, eq=False)
class Accumulator(AtPort):
    """A charge of gas behind a bladder, a membrane or a piston, and some oil before it.

    Below ``precharge`` it is empty, and gives no more than the oil in it is compressed.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> charge = {"gas_volume": "1 l", "precharge": "60 bar", "exponent": 1.0}
    >>> store = model.add(at.Accumulator("store", "a", **charge))
    >>> valve = model.add(at.LaminarRestriction("valve", "a", "ground", resistance=1e12))
    >>> full = model.formulate().outputs_at({"store.pressure": "121 bar"})
    >>> print(f"{1e3 * full['store.content']:.2f} l")  # 1 - 61.01 / 122.01
    0.50 l
    """

    summary: ClassVar[str] = "gas-charged accumulator"

    gas_volume: float = positive("m^3", "volume of the gas when it is empty")
    precharge: float = positive("Pa", "pressure of the gas above ambient pressure when it is empty")
    exponent: float = fixed_number(
        "1", "polytropic exponent of the gas: 1 isothermal, 1.4 adiabatic", default=1.4, lower=1.0,
        upper=2.0,
    )  # fmt: skip
    oil_volume: float | None = positive(
        "m^3", "oil in it when it is empty; 2 % of the gas volume unless given", default=None
    )
    fluid: HydraulicFluid = fluid()

    def network_terms(self, now: Instant) -> NetworkTerms:
        pressure = now.across[MAIN]
        oil = self._oil() * self.fluid.compressibility(pressure, self.numbers_of("fluid"))
        at, n = self._absolute(pressure), self.exponent
        gas = self.symbol("gas_volume") / (n * at) * power(self._ratio(pressure), -1.0 / n)
        filled = where(self._is_filled(pressure), gas, ZERO)
        return NetworkTerms(capacities={MAIN: as_expr(oil + filled)})

    def respond(self, now: Instant) -> Response:
        pressure, p = now.across[MAIN], self.numbers_of("fluid")
        s, n, volume = self._ratio(pressure), self.exponent, self.symbol("gas_volume")
        charge = self.symbol("precharge") + p["ambient_pressure"]
        taken = 1.0 - power(s, -1.0 / n)
        work = log(s) if n == 1.0 else (power(s, 1.0 - 1.0 / n) - 1.0) / (n - 1.0)
        gas = volume * (charge * work - p["ambient_pressure"] * taken)  # (2)
        oil = self._oil() * self.fluid.energy_density(pressure, p)
        content = NamedOutput("content", "m^3", "oil that the gas gave way to", volume * taken)
        return Response(
            internal_energy=as_expr(oil + gas),
            outputs=(self._inflow(now), content),
            limits=(self.fluid.cavitation(pressure, p),),
        )

    def _oil(self) -> Expr:
        if self.oil_volume is None:
            return OIL_SHARE * self.symbol("gas_volume")
        return self.symbol("oil_volume")

    def _absolute(self, pressure: Expr) -> Value:
        return maximum(pressure + self.symbol("fluid.ambient_pressure"), LOWEST_PRESSURE)

    def _is_filled(self, pressure: Expr) -> Expr:
        return pressure > self.symbol("precharge")

    def _ratio(self, pressure: Expr) -> Expr:
        """s, 1 where it is empty."""
        charge = self.symbol("precharge") + self.symbol("fluid.ambient_pressure")
        return as_expr(maximum(self._absolute(pressure) / charge, 1.0))
