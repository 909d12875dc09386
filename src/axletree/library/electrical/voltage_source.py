"""The voltage source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.edge import NetworkLaw, NetworkRole
from axletree.library.electrical.two_terminal import TwoTerminal
from axletree.library.signal import Signal, signal


@dataclass(frozen=True, eq=False)
class VoltageSource(TwoTerminal):
    """A voltage that follows a signal, whatever current it takes."""

    summary: ClassVar[str] = "voltage source"

    voltage: Signal = signal("V", "voltage from the positive to the negative terminal")

    def law(self) -> NetworkLaw:
        return NetworkLaw(
            NetworkRole.ACROSS_SOURCE, value=self.signal("voltage"), equation="v = v(t)"
        )
