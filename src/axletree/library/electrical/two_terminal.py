"""Elements with two terminals, and the directions of all electrical edges.

An edge runs from its positive terminal (tail) to its negative one (head). Its across
variable is the voltage of the tail less that of the head; its through variable is the
current that flows through the element from tail to head. Their product is the power that
the element takes up: positive in a resistor, negative in a source that feeds one.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

from axletree.library.contract import Component, Computed, Instant, Response
from axletree.library.edge import ELECTRICAL, Edge, NetworkLaw
from axletree.library.electrical.terminal import terminal

LABEL = "E1"


@dataclass(frozen=True, eq=False)
class TwoTerminal(Component):
    """One edge from the positive to the negative terminal."""

    name: str
    positive: str = terminal("terminal that the current enters")
    negative: str = terminal("terminal that the current leaves")

    @abstractmethod
    def law(self) -> NetworkLaw:
        """The terminal equation, of the voltage v [V] and the current i [A].

        Example:
        >>> import axletree as at
        >>> coil = at.Inductor("coil", "a", "ground", inductance="5 mH").law()
        >>> coil.equation, coil.state.suffix, coil.state.unit
        ('v = L di/dt', 'current', 'A')
        """

    def problems(self) -> list[str]:
        if self.positive == self.negative:
            return [f"positive and negative are the same terminal, {self.positive}"]
        return []

    def edges(self) -> tuple[Edge, ...]:
        return (Edge(self.name, LABEL, ELECTRICAL, self.positive, self.negative, self.law()),)

    def respond(self, now: Instant) -> Response:
        v, i = now.across[LABEL], now.through[LABEL]
        outputs = (
            Computed("voltage", "V", "voltage from the positive to the negative terminal", v),
            Computed("current", "A", "current from the positive to the negative terminal", i),
            Computed("power", "W", "power taken up", v * i),
        )
        return Response(outputs=tuple(c for c in outputs if c.suffix not in self._taken_names()))

    def _taken_names(self) -> set[str]:
        """What is a state, an input or a parameter already."""
        state = self.law().state
        names = {q.name.rpartition(".")[2] for q in (*self.inputs(), *self.parameters())}
        return names | ({state.suffix} if state else set())
