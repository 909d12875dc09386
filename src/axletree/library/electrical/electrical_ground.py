"""The electrical ground."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.contract import Component, Computed, Instant, Response
from axletree.library.edge import ELECTRICAL, Edge, NetworkLaw, NetworkRole
from axletree.library.electrical.terminal import GROUND_TERMINAL, terminal


@dataclass(frozen=True, eq=False)
class ElectricalGround(Component):
    """Holds a terminal at zero voltage.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> source = model.add(at.VoltageSource("source", "a", "b", voltage=12.0))  # V
    >>> lamp = model.add(at.Resistor("lamp", "a", "b", resistance=6.0))  # Ohm
    >>> earth = model.add(at.ElectricalGround("earth", "b"))
    >>> print(f"{model.formulate().steady_state()['lamp.current']:.1f} A")
    2.0 A
    """

    summary: ClassVar[str] = "connection of a terminal to the ground"

    name: str
    terminal: str = terminal("terminal that is held at zero voltage")

    def problems(self) -> list[str]:
        if self.terminal == GROUND_TERMINAL:
            return ["the terminal 'ground' is the ground already; leave this component out"]
        return []

    def edges(self) -> tuple[Edge, ...]:
        law = NetworkLaw(NetworkRole.ACROSS_SOURCE, equation="v = 0")
        return (Edge(self.name, "E1", ELECTRICAL, self.terminal, GROUND_TERMINAL, law),)

    def respond(self, now: Instant) -> Response:
        current = Computed("current", "A", "current into the ground", now.through["E1"])
        return Response(outputs=(current,))
