"""The capacitor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.edge import NetworkLaw, NetworkRole, Variable
from axletree.library.electrical.two_terminal import TwoTerminal
from axletree.library.fields import parameter

VOLTAGE = Variable("voltage", "V", "voltage from the positive to the negative terminal")


@dataclass(frozen=True, eq=False)
class Capacitor(TwoTerminal):
    """Current in proportion to the rate of the voltage, which is a state.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> charger = model.add(at.CurrentSource("charger", "ground", "a"))
    >>> store = model.add(at.Capacitor("store", "a", "ground", capacitance="20 uF"))
    >>> print(model.formulate().derivatives[0])  # of store.voltage, V/s
    charger.current/store.capacitance
    """

    summary: ClassVar[str] = "capacitor; its voltage is a state"

    capacitance: float = parameter("F", "capacitance", lower=0.0, above=True)

    def law(self) -> NetworkLaw:
        return NetworkLaw(
            NetworkRole.ACROSS_STORAGE,
            self.symbol("capacitance"),
            state=VOLTAGE,
            equation="i = C dv/dt",
        )
