"""The inductor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.edge import NetworkLaw, NetworkRole, Variable
from axletree.library.electrical.two_terminal import TwoTerminal
from axletree.library.fields import parameter

CURRENT = Variable("current", "A", "current from the positive to the negative terminal")


@dataclass(frozen=True, eq=False)
class Inductor(TwoTerminal):
    """Voltage in proportion to the rate of the current, which is a state.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> source = model.add(at.VoltageSource("source", "a", "ground"))
    >>> coil = model.add(at.Inductor("coil", "a", "ground", inductance="50 mH"))
    >>> print(model.formulate().derivatives[0])  # of coil.current, A/s
    source.voltage/coil.inductance
    """

    summary: ClassVar[str] = "inductor; its current is a state"

    inductance: float = parameter("H", "inductance", lower=0.0, above=True)

    def law(self) -> NetworkLaw:
        return NetworkLaw(
            NetworkRole.THROUGH_STORAGE,
            self.symbol("inductance"),
            state=CURRENT,
            equation="v = L di/dt",
        )
