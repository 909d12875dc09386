"""The current source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.edge import NetworkLaw, NetworkRole
from axletree.library.electrical.two_terminal import TwoTerminal
from axletree.library.signal import Signal, signal


@dataclass(frozen=True, eq=False)
class CurrentSource(TwoTerminal):
    """A current that follows a signal, whatever voltage it takes.

    A current that is to leave by the positive terminal, as from a charger, is negative.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> source = model.add(at.CurrentSource("source", "ground", "a", current="2 A"))
    >>> lamp = model.add(at.Resistor("lamp", "a", "ground", resistance="6 Ohm"))
    >>> print(f"{model.formulate().steady_state()['lamp.voltage']:.1f} V")
    12.0 V
    """

    summary: ClassVar[str] = "current source"

    current: Signal = signal("A", "current from the positive to the negative terminal")

    def law(self) -> NetworkLaw:
        return NetworkLaw(
            NetworkRole.THROUGH_SOURCE, value=self.signal("current"), equation="i = i(t)"
        )
