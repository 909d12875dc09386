"""Ports, the nodes of the hydraulic graph, and what all elements between them have.

The port "ground" is an open tank: pressures are counted from ambient pressure. An edge runs from
its inlet (tail) to its outlet (head). Its across variable is the pressure of the tail less that of
the head, its through variable the flow from tail to head, and their product the power that it takes
up. Flows are volume flows; that oil under pressure is denser is left out of them, which is an error
of p / K, one percent at 150 bar.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.components.contract import Component, Instant, NamedOutput
from axletree.components.edges import HYDRAULIC, Edge, NetworkLaw, NetworkRole, Variable
from axletree.components.fields import checked_name, part, structure
from axletree.components.hydraulics.fluids import HydraulicFluid
from axletree.expr import Expr
from axletree.expr.quantity import Quantity, Role

OPEN_TANK = "ground"
MAIN = "H1"  # the label of a component's first hydraulic edge


def port(description: str, **default: Any) -> Any:
    """A field that names a port; ports of the same name are the same node.

    Example:
    >>> from axletree.components.fields import kind_of
    >>> from axletree.components.hydraulics.ports import port
    >>> kind_of(port("port that oil enters")).check("pump_outlet")
    'pump_outlet'
    """
    return structure("terminal", description, checked_name, **default)


def fluid() -> Any:
    """A field that has the liquid."""
    return part("FLUIDS", "liquid", default=HydraulicFluid())


def gauge_pressure(suffix: str, where: str) -> Variable:
    """A pressure that is a state."""
    return Variable(suffix, "Pa", f"pressure {where} above ambient pressure")


def storage_edge(component: str, label: str, node: str, pressure: Variable) -> Edge:
    """Of a compressible volume at a port, whose capacity its component has."""
    law = NetworkLaw(NetworkRole.ACROSS_STORAGE, state=pressure, equation="Q = C(p) dp/dt")
    return Edge(component, label, HYDRAULIC, node, OPEN_TANK, law)


def law_edge(component: str, label: str, tail: str, head: str, equation: str) -> Edge:
    """Of a flow that its component has as a function of pressures that are states."""
    law = NetworkLaw(NetworkRole.THROUGH_LAW, equation=equation)
    return Edge(component, label, HYDRAULIC, tail, head, law)


def source_edge(component: str, label: str, tail: str, head: str, equation: str) -> Edge:
    """Of a flow that its component gives whatever the pressures are."""
    law = NetworkLaw(NetworkRole.THROUGH_SOURCE, equation=equation)
    return Edge(component, label, HYDRAULIC, tail, head, law)


def resistance_edge(component: str, label: str, tail: str, head: str, resistance: Expr) -> Edge:
    """Of a pressure drop in proportion to the flow."""
    law = NetworkLaw(NetworkRole.DISSIPATION, resistance, equation="p = R Q")
    return Edge(component, label, HYDRAULIC, tail, head, law)


def pressure_drop(value: Expr) -> NamedOutput:
    return NamedOutput(
        "pressure_drop", "Pa", "pressure of the inlet less that of the outlet", value
    )


def through_flow(value: Expr) -> NamedOutput:
    return NamedOutput("flow", "m^3/s", "volume flow from inlet to outlet", value)


def loss(value: Expr) -> NamedOutput:
    return NamedOutput("power", "W", "power taken up", value)


@dataclass(frozen=True, eq=False)
class BetweenPorts(Component):
    """An element with an edge from inlet to outlet."""

    inlet: str = port("port that the flow enters")
    outlet: str = port("port that the flow leaves")

    def problems(self) -> list[str]:
        if self.inlet == self.outlet:
            return [f"inlet and outlet are the same port, {self.inlet}"]
        return []

    def _flow_outputs(self, now: Instant) -> tuple[NamedOutput, ...]:
        """Pressure drop, flow and power of its first edge."""
        drop, flow = now.across[MAIN], now.through[MAIN]
        return (pressure_drop(drop), through_flow(flow), loss(drop * flow))


@dataclass(frozen=True, eq=False)
class AtPort(Component):
    """A volume with a pressure that is a state."""

    port: str = port("port that it is at")

    PRESSURE: ClassVar[Variable] = gauge_pressure("pressure", "in it")

    @property
    def is_stiff(self) -> bool:
        return True

    def followed(self) -> tuple[Quantity, ...]:
        name, unit, text = self.PRESSURE.suffix, self.PRESSURE.unit, self.PRESSURE.description
        return (Quantity(f"{self.name}.{name}", unit, text, Role.STATE),)

    def problems(self) -> list[str]:
        if self.port == OPEN_TANK:
            return ["the port 'ground' is the open tank, whose pressure is given; name another"]
        return []

    def edges(self) -> tuple[Edge, ...]:
        return (storage_edge(self.name, MAIN, self.port, self.PRESSURE),)

    def _inflow(self, now: Instant) -> NamedOutput:
        return NamedOutput("flow", "m^3/s", "volume flow into it", now.through[MAIN])
