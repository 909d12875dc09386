"""The tank, sources of pressure and flow, a master cylinder, a pump with a motor of its own."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from axletree.components.contract import Component, Instant, NamedOutput, NetworkTerms, Response
from axletree.components.edges import HYDRAULIC, Edge, NetworkLaw, NetworkRole, Variable
from axletree.components.fields import parameter, positive
from axletree.components.hydraulics.ports import (
    MAIN,
    OPEN_TANK,
    BetweenPorts,
    law_edge,
    port,
    source_edge,
    through_flow,
)
from axletree.components.signals import Constant, Signal, signal
from axletree.expr import ZERO, Expr, as_expr, maximum, minimum


def _given_pressure(name: str, node: str, value: Expr, *, is_constant: bool) -> Edge:
    law = NetworkLaw(
        NetworkRole.ACROSS_SOURCE, value=value, equation="p = p(t)", is_constant=is_constant
    )
    return Edge(name, MAIN, HYDRAULIC, node, OPEN_TANK, law)


def _delivered(now: Instant) -> tuple[NamedOutput, ...]:
    pressure, flow = now.across[MAIN], now.through[MAIN]
    return (
        NamedOutput("flow", "m^3/s", "volume flow that it delivers at its port", -flow),
        NamedOutput("power", "W", "power taken up, negative where it delivers", pressure * flow),
    )


@dataclass(frozen=True, eq=False)
class Tank(Component):
    """Holds a port at one pressure, whatever flows.

    The port "ground" is an open tank already; this is one under pressure, or one that tells what
    flows into it.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> pump = model.add(at.FlowSource("pump", "tank", "line", flow="12 l/min"))
    >>> tank = model.add(at.Tank("tank", "tank", pressure="0.5 bar"))
    >>> leak = model.add(at.LaminarRestriction("leak", "line", "tank", resistance=1e10))
    >>> print(f"{model.formulate().trim()['leak.pressure_drop'] / 1e5:.1f} bar")
    20.0 bar
    """

    summary: ClassVar[str] = "tank: a port at one pressure"

    port: str = port("port that it is at")
    pressure: float = parameter(
        "Pa", "pressure in it above ambient pressure", default=0.0, lower=-1e5
    )

    def problems(self) -> list[str]:
        if self.port == OPEN_TANK:
            return ["the port 'ground' is an open tank already; leave this component out"]
        return []

    def edges(self) -> tuple[Edge, ...]:
        return (_given_pressure(self.name, self.port, self.symbol("pressure"), is_constant=True),)

    def respond(self, now: Instant) -> Response:
        return Response(outputs=_delivered(now))


@dataclass(frozen=True, eq=False)
class PressureSource(Component):
    """A pressure that follows a signal, whatever flow it takes.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> pedal = model.add(at.PressureSource("pedal", "circuit", pressure="80 bar"))
    >>> line = model.add(at.LaminarRestriction("line", "circuit", "wheel", resistance=2e10))
    >>> calliper = model.add(at.HydraulicVolume("calliper", "wheel", volume="10 cm^3"))
    >>> outputs = model.formulate().outputs_at({"calliper.pressure": 0.0})
    >>> print(f"{60e3 * outputs['line.flow']:.0f} l/min")
    24 l/min
    """

    summary: ClassVar[str] = "pressure source"

    port: str = port("port that has the pressure")
    pressure: Signal = signal("Pa", "pressure above ambient pressure")

    def problems(self) -> list[str]:
        return ["the port 'ground' has no pressure but its own"] if self.port == OPEN_TANK else []

    def edges(self) -> tuple[Edge, ...]:
        constant = isinstance(self.pressure, Constant)
        value = self.signal("pressure")
        return (_given_pressure(self.name, self.port, value, is_constant=constant),)

    def respond(self, now: Instant) -> Response:
        return Response(outputs=(*self.signal_outputs(), *_delivered(now)))


@dataclass(frozen=True, eq=False)
class FlowSource(BetweenPorts):
    """A flow that follows a signal, whatever pressure it takes.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> pump = model.add(at.FlowSource("pump", "ground", "a", flow="30 l/min"))
    >>> hose = model.add(at.HydraulicVolume("hose", "a", volume="1 l"))
    >>> valve = at.ReliefValve("valve", "a", "ground", "150 bar", "20 bar", "60 l/min")
    >>> stands = model.extended(valve).formulate().trim(start={"hose.pressure": "160 bar"})
    >>> print(f"{stands['hose.pressure'] / 1e5:.2f} bar")
    160.30 bar
    """

    summary: ClassVar[str] = "flow source"

    flow: Signal = signal("m^3/s", "volume flow from inlet to outlet")

    def edges(self) -> tuple[Edge, ...]:
        return (source_edge(self.name, MAIN, self.inlet, self.outlet, "Q = Q(t)"),)

    def network_terms(self, now: Instant) -> NetworkTerms:
        return NetworkTerms(throughs={MAIN: self.signal("flow")})

    def respond(self, now: Instant) -> Response:
        drop, flow = now.across[MAIN], now.through[MAIN]
        outputs = (
            NamedOutput("pressure_rise", "Pa", "pressure of the outlet less the inlet's", -drop),
            NamedOutput("power", "W", "power taken up, negative where it delivers", drop * flow),
        )
        return Response(outputs=(*self.signal_outputs(), *outputs))


_PEDAL_TRAVEL = Variable("travel", "m", "travel of the pedal, for what both circuits have taken up")


@dataclass(frozen=True, eq=False)
class MasterCylinder(Component):
    """A tandem master cylinder with a booster: two circuits at the pressure of the pedal's force.

    The force F on the pedal pushes with ``pedal_ratio`` F, times ``boost`` up to the ``run_out`` of
    the booster, beyond which it adds nothing more. Both pistons have the same area and float: the
    circuits have the same pressure, each whatever it takes up, and the pedal goes down by that.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> size = {"diameter": "23.8 mm", "pedal_ratio": 3.5, "boost": 5.0, "run_out": "3 kN"}
    >>> master = at.MasterCylinder("master", "one", "two", force="200 N", **size)
    >>> for port in ("one", "two"):
    ...     _ = model.add(at.LaminarRestriction(f"line_{port}", port, f"wheel_{port}", 2e10))
    ...     _ = model.add(at.ElasticVolume(f"wheel_{port}", f"wheel_{port}", "30 mm^3/bar"))
    >>> run = model.extended(master).formulate().simulate("0.2 s", step="1 ms")
    >>> pressed, down = run["wheel_one.pressure", "bar"][-1], run["master.travel", "mm"][-1]
    >>> print(f"{pressed:.1f} bar, {down:.1f} mm")  # (3000 + 500 / 5) N / A
    69.7 bar, 32.9 mm
    """

    summary: ClassVar[str] = "tandem master cylinder with a booster"

    primary: str = port("port of the primary circuit")
    secondary: str = port("port of the secondary circuit")
    diameter: float = positive("m", "diameter of its pistons")
    force: Signal = signal("N", "force on the pedal, not negative")
    pedal_ratio: float = positive("1", "force on the booster over that on the pedal", default=1.0)
    boost: float = positive("1", "force of the booster over what pushes it", default=1.0)
    run_out: float | None = positive(
        "N", "force behind the booster from which on it adds nothing more", default=None
    )

    def problems(self) -> list[str]:
        found = []
        if self.primary == self.secondary:
            found.append(f"primary and secondary are the same port, {self.primary}")
        if OPEN_TANK in (self.primary, self.secondary):
            found.append("the port 'ground' has no pressure but its own")
        if self.boost < 1.0:
            found.append(f"boost {self.boost:g} is below 1: a booster takes nothing off")
        return found

    def states(self) -> tuple[Variable, ...]:
        return (_PEDAL_TRAVEL,)

    def _area(self) -> Expr:
        return 0.25 * math.pi * self.symbol("diameter") * self.symbol("diameter")

    def _pressure(self) -> Expr:
        pushed = self.symbol("pedal_ratio") * as_expr(maximum(self.signal("force"), 0.0))
        boosted = self.symbol("boost") * pushed
        if self.run_out is not None:
            most = self.symbol("run_out")
            boosted = as_expr(minimum(boosted, most + (boosted - most) / self.symbol("boost")))
        return boosted / self._area()

    def edges(self) -> tuple[Edge, ...]:
        law = NetworkLaw(NetworkRole.ACROSS_SOURCE, value=self._pressure(), equation="p = F / A")
        ends = ((MAIN, self.primary), ("H2", self.secondary))
        return tuple(Edge(self.name, k, HYDRAULIC, node, OPEN_TANK, law) for k, node in ends)

    def respond(self, now: Instant) -> Response:
        flows = [-now.through[label] for label in (MAIN, "H2")]
        pressure = now.across[MAIN]
        rate = self.symbol("pedal_ratio") * (flows[0] + flows[1]) / self._area()
        outputs = (
            NamedOutput("pressure", "Pa", "pressure of both circuits", pressure),
            NamedOutput("primary_flow", "m^3/s", "volume flow into the primary circuit", flows[0]),
            NamedOutput("secondary_flow", "m^3/s", "likewise, secondary circuit", flows[1]),
            NamedOutput("power", "W", "power taken up, negative where it delivers",
                        -pressure * (flows[0] + flows[1])),
        )  # fmt: skip
        return Response(rates=(rate,), outputs=(*self.signal_outputs(), *outputs))


@dataclass(frozen=True, eq=False)
class ElectricPump(BetweenPorts):
    """A pump with a motor of its own: it delivers what is asked for, unless it runs dry or stalls.

    Its flow is ``rated_flow`` times the command. It falls to nothing in proportion as the inlet
    falls from ``suction_pressure`` to ambient pressure, so that it never empties what it draws
    from, and as the pressure rises over the last tenth up to ``stall_pressure``.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> sump = model.add(at.Tank("sump", "low", pressure="1 bar"))
    >>> pump = model.add(at.ElectricPump("pump", "low", "high", rated_flow="0.3 l/min"))
    >>> block = model.add(at.HydraulicVolume("block", "high", volume="10 cm^3"))
    >>> system, state = model.formulate(), {"block.pressure": "5 MPa"}
    >>> outputs = system.outputs_at(state, inputs={"pump.command": 1.0})
    >>> print(f"{60e3 * outputs['pump.flow']:.2f} l/min, {outputs['pump.power']:.1f} W")
    0.30 l/min, -24.5 W
    """

    summary: ClassVar[str] = "pump with a motor of its own, switched by a command"

    rated_flow: float = positive("m^3/s", "volume flow with the whole command")
    command: Signal = signal("1", "share of the flow that is asked for, from 0 to 1")
    suction_pressure: float = positive(
        "Pa", "of the inlet above ambient pressure, below which less is drawn", default=2e4
    )
    stall_pressure: float = positive("Pa", "rise at which it delivers nothing", default=2.5e7)

    def edges(self) -> tuple[Edge, ...]:
        main = law_edge(self.name, MAIN, self.inlet, self.outlet, "Q = u Qmax s(p)")
        sensed = law_edge(self.name, "H2", self.inlet, OPEN_TANK, "Q = 0")
        return (main,) if self.inlet == OPEN_TANK else (main, sensed)

    def network_terms(self, now: Instant) -> NetworkTerms:
        def share(value: Expr) -> Expr:
            return as_expr(maximum(minimum(value, 1.0), 0.0))

        stall = self.symbol("stall_pressure")
        flow = self.symbol("rated_flow") * share(self.signal("command"))
        flow = flow * share(10.0 * (stall + now.across[MAIN]) / stall)
        if "H2" not in now.across:
            return NetworkTerms(throughs={MAIN: flow})
        drawn = share(now.across["H2"] / self.symbol("suction_pressure"))
        return NetworkTerms(throughs={MAIN: flow * drawn, "H2": ZERO})

    def respond(self, now: Instant) -> Response:
        drop, flow = now.across[MAIN], now.through[MAIN]
        outputs = (
            through_flow(flow),
            NamedOutput("pressure_rise", "Pa", "pressure of the outlet less the inlet's", -drop),
            NamedOutput("power", "W", "power taken up, negative where it delivers", drop * flow),
        )
        return Response(outputs=(*self.signal_outputs(), *outputs))
