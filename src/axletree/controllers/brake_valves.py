"""The valves of brake lines: openings that bring a calliper to a pressure within an interval.

An orifice of the area A lets Q = Cd A sqrt(2 |p| / rho) through (Merritt 1967, section 3-4, as
``components.hydraulics.valves``). With the opening u, a calliper of the compliance c fills from a
source of the pressure p0, or empties into it, by c p' = u Cd A sqrt(2 / rho) sqrt(p0 - p): the root
of what is missing falls in a straight line, and after the time h

    sqrt(p0 - p+) = max(sqrt(p0 - p) - u a h, 0),    a = Cd A sqrt(2 / rho) / (2 c).             (1)

Solved for u it says what to command, as the mean opening of a valve that is pulsed. What is left
out is the slack of pads, by which the pressure moves less at some bar.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

from axletree.components.hydraulics.valves import DISCHARGE
from axletree.controllers.contract import limited
from axletree.expr import Expr, Value, as_expr, maximum, sqrt
from axletree.vehicles.brake_lines import BrakeLines

_TINY = 1e-9  # Pa^(1/2), beside which a whole opening is some 1e2


@dataclass(frozen=True)
class BrakeValves:
    """What a controller knows of inlet and outlet valves.

    Example:
    >>> from axletree.controllers.brake_valves import BrakeValves
    >>> from axletree.vehicles.brake_lines import BrakeLines
    >>> print(f"{BrakeValves.of(BrakeLines()).inlet_rate:.0f} Pa^(1/2)/s")
    24000 Pa^(1/2)/s
    """

    inlet_rate: float  # [Pa^(1/2)/s], a of (1)
    outlet_rate: float  # likewise

    @classmethod
    def of(cls, lines: BrakeLines) -> Self:
        """From their description."""
        by_area = DISCHARGE * math.sqrt(2.0 / lines.fluid.density) / (2.0 * lines.compliance)
        return cls(by_area * lines.inlet_area, by_area * lines.outlet_area)

    def openings(
        self, pressure: Value, wanted: Value, master: Value, low: Value, h: Value
    ) -> tuple[Expr, Expr]:
        """Of inlet and outlet, one of which is shut, to come from a pressure to the wanted one.

        Example:
        >>> from axletree.controllers.brake_valves import BrakeValves
        >>> from axletree.expr import evaluate
        >>> valves = BrakeValves(24e3, 24e3)  # Pa^(1/2)/s
        >>> rises = valves.openings(50e5, 60e5, master=100e5, low=2e5, h=0.01)  # Pa, s
        >>> [round(one, 3) for one in evaluate(list(rises), {})]
        [0.984, 0.0]
        """
        inlet = (_root(master - pressure) - _root(master - wanted)) / (self.inlet_rate * h)
        outlet = (_root(pressure - low) - _root(wanted - low)) / (self.outlet_rate * h)
        return as_expr(limited(inlet, 0.0, 1.0)), as_expr(limited(outlet, 0.0, 1.0))


def _root(value: Value) -> Expr:
    return as_expr(sqrt(maximum(value, _TINY * _TINY)))
