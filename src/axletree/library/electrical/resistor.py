"""The resistor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.edge import NetworkLaw, NetworkRole
from axletree.library.electrical.two_terminal import TwoTerminal
from axletree.library.fields import parameter


@dataclass(frozen=True, eq=False)
class Resistor(TwoTerminal):
    """Voltage in proportion to current.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> source = model.add(at.VoltageSource("source", "a", "ground", voltage="12 V"))
    >>> lamp = model.add(at.Resistor("lamp", "a", "ground", resistance="6 Ohm"))
    >>> print(f"{model.formulate().steady_state()['lamp.power']:.1f} W")
    24.0 W
    """

    summary: ClassVar[str] = "resistor"

    resistance: float = parameter("Ohm", "resistance", lower=0.0, above=True)

    def law(self) -> NetworkLaw:
        return NetworkLaw(NetworkRole.DISSIPATION, self.symbol("resistance"), equation="v = R i")
