"""Valves: an orifice with an opening, a check, a relief, a counterbalance and a directional valve.

A sharp edge lets through (Merritt 1967, section 3-4, with Cd = pi / (pi + 2) of von Mises)

    Q = Cd A sqrt(2 |p| / rho) sign(p),                                                     (1)

whose slope has no bound at rest, where the flow is laminar. For sqrt(|p|) sign(p) stands

    p / (p^2 + pl^2)^(1/4),                                                                (2)

which is p / sqrt(pl) far below the laminar pressure pl, and short of the root by 0.25 % at 10 pl.
Valves that are given by a flow at a pressure drop have the same law.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from axletree.components.contract import Component, Instant, NamedOutput, NetworkTerms, Response
from axletree.components.edges import Edge, Variable
from axletree.components.fields import chosen, parameter, positive
from axletree.components.hydraulics.fluids import HydraulicFluid
from axletree.components.hydraulics.ports import (
    MAIN,
    OPEN_TANK,
    BetweenPorts,
    fluid,
    law_edge,
    port,
)
from axletree.components.signals import Constant, Signal, signal
from axletree.expr import ZERO, Expr, absolute, as_expr, maximum, minimum, sqrt, where
from axletree.expr.quantity import Quantity

DISCHARGE = 0.611  # pi / (pi + 2)


def laminar_pressure() -> Any:
    """A field with the pl of (2)."""
    return positive("Pa", "pressure drop below which the flow is laminar", default=1e4)


def _root(drop: Expr, laminar: Expr) -> Expr:
    """(2) [Pa^(1/2)]."""
    return as_expr(drop / sqrt(sqrt(drop * drop + laminar * laminar)))


def _share(value: Expr) -> Expr:
    """From 0 to 1."""
    return as_expr(maximum(minimum(value, 1.0), 0.0))


def _bounded(inputs: tuple[Quantity, ...], lower: float) -> tuple[Quantity, ...]:
    return tuple(replace(one, lower=lower, upper=1.0) for one in inputs)


@dataclass(frozen=True, eq=False)
class Orifice(BetweenPorts):
    """A sharp-edged opening, fixed or moved by a signal: the valve of which others are made.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> supply = model.add(at.PressureSource("supply", "a", pressure="100 bar"))
    >>> valve = model.add(at.Orifice("valve", "a", "ground", area="2 mm^2", opening=0.5))
    >>> flow = model.formulate().outputs_at({})["valve.flow"]
    >>> print(f"{60e3 * flow:.2f} l/min")  # 0.611 * 1e-6 * sqrt(2 * 1e7 / 870)
    5.56 l/min
    """

    summary: ClassVar[str] = "orifice or valve with an opening"

    area: float = positive("m^2", "area of the whole opening")
    opening: Signal = signal(
        "1", "share of the area that is open, from 0 to 1", default=Constant(1)
    )
    discharge_coefficient: float = positive(
        "1", "discharge coefficient", default=DISCHARGE, upper=1
    )
    laminar_pressure: float = laminar_pressure()
    fluid: HydraulicFluid = fluid()

    def inputs(self) -> tuple[Quantity, ...]:
        return _bounded(super().inputs(), 0.0)

    def edges(self) -> tuple[Edge, ...]:
        equation = "Q = Cd A u sqrt(2 |p| / rho) sign(p)"
        return (law_edge(self.name, MAIN, self.inlet, self.outlet, equation),)

    def network_terms(self, now: Instant) -> NetworkTerms:
        area = self.symbol("area") * _share(self.signal("opening"))
        speed = sqrt(2.0 / self.symbol("fluid.density"))
        root = _root(now.across[MAIN], self.symbol("laminar_pressure"))
        flow = self.symbol("discharge_coefficient") * area * speed * root
        return NetworkTerms(throughs={MAIN: as_expr(flow)})

    def respond(self, now: Instant) -> Response:
        return Response(outputs=(*self.signal_outputs(), *self._flow_outputs(now)))


@dataclass(frozen=True, eq=False)
class RatedValve(BetweenPorts):
    """A valve by the flow that it lets through at a pressure drop when it is open."""

    rated_flow: float = positive("m^3/s", "flow of the open valve at its pressure drop")
    rated_drop: float = positive("Pa", "pressure drop of the open valve at its flow")

    def _open_flow(self, drop: Expr) -> Expr:
        root = _root(drop, self.symbol("laminar_pressure"))
        return as_expr(self.symbol("rated_flow") * root / sqrt(self.symbol("rated_drop")))


@dataclass(frozen=True, eq=False)
class CheckValve(RatedValve):
    """Lets oil through from inlet to outlet, above its cracking pressure, and none back.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> supply = model.add(at.PressureSource("supply", "a"))
    >>> rated = {"rated_flow": "10 l/min", "rated_drop": "4 bar"}
    >>> check = model.add(at.CheckValve("check", "a", "ground", **rated))
    >>> system = model.formulate()
    >>> for bar in (2, 4):
    ...     given = {"supply.pressure": bar * 1e5}
    ...     print(f"{60e3 * system.outputs_at({}, inputs=given)['check.flow']:.2f} l/min")
    7.07 l/min
    10.00 l/min
    """

    summary: ClassVar[str] = "check valve"

    cracking_pressure: float = parameter(
        "Pa", "pressure drop at which it begins to open", default=2e4, lower=0.0
    )
    opening_range: float = positive(
        "Pa", "rise of the pressure drop over which it opens", default=5e4
    )
    laminar_pressure: float = laminar_pressure()

    def edges(self) -> tuple[Edge, ...]:
        return (law_edge(self.name, MAIN, self.inlet, self.outlet, "Q = s(p) k sqrt(p)"),)

    def network_terms(self, now: Instant) -> NetworkTerms:
        drop = now.across[MAIN]
        risen = (drop - self.symbol("cracking_pressure")) / self.symbol("opening_range")
        return NetworkTerms(throughs={MAIN: _share(risen) * self._open_flow(drop)})

    def respond(self, now: Instant) -> Response:
        return Response(outputs=self._flow_outputs(now))


@dataclass(frozen=True, eq=False)
class ReliefValve(BetweenPorts):
    """Opens from its cracking pressure on against a spring, wholly by ``opening_range`` above it.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> supply = model.add(at.PressureSource("supply", "a", pressure="210 bar"))
    >>> valve = at.ReliefValve("valve", "a", "ground", "190 bar", "20 bar", "40 l/min")
    >>> outputs = model.extended(valve).formulate().outputs_at({})
    >>> print(f"{60e3 * outputs['valve.flow']:.1f} l/min, {outputs['valve.power'] / 1e3:.0f} kW")
    40.0 l/min, 14 kW
    """

    summary: ClassVar[str] = "relief valve"

    cracking_pressure: float = positive("Pa", "pressure drop at which it begins to open")
    opening_range: float = positive("Pa", "rise of the pressure drop over which it opens")
    rated_flow: float = positive("m^3/s", "flow where it is just wholly open")
    laminar_pressure: float = laminar_pressure()

    def edges(self) -> tuple[Edge, ...]:
        return (law_edge(self.name, MAIN, self.inlet, self.outlet, "Q = s(p) k sqrt(p)"),)

    def network_terms(self, now: Instant) -> NetworkTerms:
        drop, cracks = now.across[MAIN], self.symbol("cracking_pressure")
        risen, whole = drop - cracks, self.symbol("opening_range")
        root = _root(drop, self.symbol("laminar_pressure")) / sqrt(cracks + whole)
        flow = self.symbol("rated_flow") * _share(risen / whole) * root
        return NetworkTerms(throughs={MAIN: as_expr(flow)})

    def respond(self, now: Instant) -> Response:
        return Response(outputs=self._flow_outputs(now))


@dataclass(frozen=True, eq=False)
class CounterbalanceValve(RatedValve):
    """Holds a load: it lets oil out only as far as the load and the pilot open it, and freely in.

    It opens by the pressure at its inlet, where the load is, and ``pilot_ratio`` times that at its
    pilot, the other side of the cylinder: from ``setting`` on, wholly ``opening_range`` above it.
    So a load cannot run away from the oil that lowers it. From outlet to inlet it is a check valve.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> for name, port, bar in (("load", "a", 100), ("pilot", "x", 40)):
    ...     _ = model.add(at.PressureSource(name, port, pressure=f"{bar} bar"))
    >>> rated = {"rated_flow": "40 l/min", "rated_drop": "10 bar", "setting": "200 bar"}
    >>> valve = at.CounterbalanceValve("valve", "a", "ground", pilot="x", pilot_ratio=3, **rated)
    >>> outputs = model.extended(valve).formulate().outputs_at({})
    >>> print(f"{outputs['valve.opening']:.2f}")  # (100 + 3 * 40 - 200) / 40
    0.50
    """

    summary: ClassVar[str] = "counterbalance valve, opened by its load and a pilot"

    setting: float = positive("Pa", "pressure above ambient pressure at which it begins to open")
    pilot: str = port("port of the pilot")
    pilot_ratio: float = positive("1", "weight of the pilot's pressure", default=3.0)
    opening_range: float = positive("Pa", "rise of the pressure over which it opens", default=4e6)
    check_range: float = positive(
        "Pa", "pressure drop from outlet to inlet over which its check valve opens", default=1e5
    )
    laminar_pressure: float = laminar_pressure()

    def problems(self) -> list[str]:
        found = super().problems()
        if OPEN_TANK in (self.inlet, self.pilot):
            found.append("inlet and pilot are ports under pressure, not the open tank 'ground'")
        return found

    def edges(self) -> tuple[Edge, ...]:
        main = law_edge(self.name, MAIN, self.inlet, self.outlet, "Q = s(p, p pilot) k sqrt(p)")
        sensed = (("H2", self.inlet), ("H3", self.pilot))
        felt = (law_edge(self.name, label, node, OPEN_TANK, "Q = 0") for label, node in sensed)
        return (main, *felt)

    def _opening(self, now: Instant) -> Expr:
        pressure = now.across["H2"] + self.symbol("pilot_ratio") * now.across["H3"]
        return _share((pressure - self.symbol("setting")) / self.symbol("opening_range"))

    def network_terms(self, now: Instant) -> NetworkTerms:
        drop = now.across[MAIN]
        back = _share(-drop / self.symbol("check_range"))
        opened = where(drop > 0.0, self._opening(now), as_expr(maximum(self._opening(now), back)))
        flow = as_expr(opened) * self._open_flow(drop)
        return NetworkTerms(throughs={MAIN: flow, "H2": ZERO, "H3": ZERO})

    def respond(self, now: Instant) -> Response:
        text = "share of the valve that load and pilot open"
        opening = NamedOutput("opening", "1", text, self._opening(now))
        return Response(outputs=(*self._flow_outputs(now), opening))


class Centre(enum.Enum):
    """Which ports of a directional valve are joined where its spool is in the middle."""

    CLOSED = "closed"  # none
    TANDEM = "tandem"  # supply and tank: a pump of constant flow runs without pressure
    FLOAT = "float"  # both ports and the tank
    OPEN = "open"  # all four


SPOOL = Variable("spool", "1", "position of the spool")


@dataclass(frozen=True, eq=False)
class DirectionalValve(Component):
    """A proportional valve with four ports: its spool joins supply and tank with the ports A and B.

    Moved to 1 it joins the supply with A and B with the tank, at -1 the supply with B and A with
    the tank, each edge by ``rated_flow`` at ``rated_drop``. In the middle edges are closed as far
    as ``overlap``; there ``centre`` may join others. With a ``time_constant`` its spool follows
    the command with a lag.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> supply = model.add(at.PressureSource("supply", "p", pressure="100 bar"))
    >>> for side in "ab":
    ...     _ = model.add(at.HydraulicVolume(f"side_{side}", side, volume="0.2 l"))
    >>> ports = {"supply": "p", "tank": "ground", "port_a": "a", "port_b": "b"}
    >>> valve = at.DirectionalValve("valve", **ports, rated_flow="40 l/min", rated_drop="5 bar")
    >>> system = model.extended(valve).formulate()
    >>> state = {"side_a.pressure": "50 bar", "side_b.pressure": "50 bar"}
    >>> half = system.outputs_at(state, inputs={"valve.command": 0.5})
    >>> [f"{60e3 * half[name]:.1f} l/min" for name in ("valve.flow_a", "valve.flow_b")]
    ['63.2 l/min', '-63.2 l/min']
    """

    summary: ClassVar[str] = "proportional directional valve with four ports"

    supply: str = port("port of the pump")
    tank: str = port("port of the tank")
    port_a: str = port("one port of what is driven")
    port_b: str = port("the other one")
    rated_flow: float = positive("m^3/s", "flow of an open edge at its pressure drop")
    rated_drop: float = positive("Pa", "pressure drop of an open edge at its flow")
    command: Signal = signal("1", "position that is asked of the spool, from -1 to 1")
    overlap: float = parameter(
        "1", "way of the spool on which it opens nothing", default=0.0, lower=0.0, upper=0.9
    )
    time_constant: float | None = positive("s", "of the lag of its spool", default=None)
    centre: Centre = chosen(Centre.CLOSED, "which ports are joined in the middle")
    centre_range: float = positive(
        "1", "way of the spool over which what is joined in the middle closes", default=0.2, upper=1
    )
    laminar_pressure: float = laminar_pressure()

    def problems(self) -> list[str]:
        names = ("supply", "tank", "port_a", "port_b")
        nodes = [getattr(self, name) for name in names]
        twice = sorted({node for node in nodes if nodes.count(node) > 1})
        return [f"{' and '.join(names)} are four ports; {node} is named twice" for node in twice]

    def inputs(self) -> tuple[Quantity, ...]:
        return _bounded(super().inputs(), -1.0)

    def states(self) -> tuple[Variable, ...]:
        return () if self.time_constant is None else (SPOOL,)

    def _ways(self) -> dict[str, tuple[str, str]]:
        """Tail and head of each edge, by label."""
        p, t, a, b = self.supply, self.tank, self.port_a, self.port_b
        return {"H1": (p, a), "H2": (b, t), "H3": (p, b), "H4": (a, t)} | (
            {"H5": (p, t)} if self.centre in (Centre.TANDEM, Centre.OPEN) else {}
        )

    def edges(self) -> tuple[Edge, ...]:
        equation = "Q = u k sqrt(|p|) sign(p)"
        return tuple(law_edge(self.name, k, *ends, equation) for k, ends in self._ways().items())

    def _spool(self, now: Instant) -> Expr:
        return now.states[0] if now.states else self.signal("command")

    def _openings(self, now: Instant) -> dict[str, Expr]:
        u, lap = self._spool(now), self.symbol("overlap")
        forth, back = (_share((way - lap) / (1.0 - lap)) for way in (u, -u))
        joined = _share(1.0 - as_expr(absolute(u)) / self.symbol("centre_range"))
        found = {"H1": forth, "H2": forth, "H3": back, "H4": back, "H5": joined}
        if self.centre in (Centre.FLOAT, Centre.OPEN):
            found |= {label: as_expr(maximum(found[label], joined)) for label in ("H2", "H4")}
        return found

    def network_terms(self, now: Instant) -> NetworkTerms:
        size, opened = (
            self.symbol("rated_flow") / sqrt(self.symbol("rated_drop")),
            self._openings(now),
        )
        laminar = self.symbol("laminar_pressure")
        throughs = {
            k: as_expr(size * opened[k] * _root(now.across[k], laminar)) for k in self._ways()
        }
        return NetworkTerms(throughs=throughs)

    def respond(self, now: Instant) -> Response:
        q = now.through
        drawn = q["H1"] + q["H3"] + q.get("H5", ZERO)
        taken = sum((now.across[k] * q[k] for k in self._ways()), ZERO)
        outputs = [
            NamedOutput("flow_a", "m^3/s", "volume flow out of port A", q["H1"] - q["H4"]),
            NamedOutput("flow_b", "m^3/s", "volume flow out of port B", q["H3"] - q["H2"]),
            NamedOutput("supply_flow", "m^3/s", "volume flow into the supply port", drawn),
            NamedOutput("power", "W", "power taken up", taken),
        ]
        rates: tuple[Expr, ...] = ()
        if self.time_constant is not None:
            command = as_expr(maximum(minimum(self.signal("command"), 1.0), -1.0))
            rates = ((command - now.states[0]) / self.symbol("time_constant"),)
        return Response(rates=rates, outputs=(*self.signal_outputs(), *outputs))
