"""The voltage source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.edge import NetworkLaw, NetworkRole
from axletree.library.electrical.two_terminal import TwoTerminal
from axletree.library.signal import Signal, signal


@dataclass(frozen=True, eq=False)
class VoltageSource(TwoTerminal):
    """A voltage that follows a signal, whatever current it takes.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> source = model.add(at.VoltageSource("source", "a", "ground", voltage="12*sin(t)"))  # V
    >>> coil = model.add(at.Inductor("coil", "a", "ground", inductance="50 mH"))
    >>> print(model.formulate().derivatives[0])  # of coil.current, A/s
    12*sin(time)/coil.inductance
    """

    summary: ClassVar[str] = "voltage source"

    voltage: Signal = signal("V", "voltage from the positive to the negative terminal")

    def law(self) -> NetworkLaw:
        return NetworkLaw(
            NetworkRole.ACROSS_SOURCE, value=self.signal("voltage"), equation="v = v(t)"
        )
