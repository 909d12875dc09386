"""A spring and a damper without a jump and without a pull (Andres 2009, eq. 3.90)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.core.expr import Expr, maximum, minimum
from axletree.library.fields import parameter
from axletree.library.tyres.normal_force import NormalForce, Support
from axletree.library.tyres.vertical.half import counted, halved_penetration


@dataclass(frozen=True)
class ElastoForce(NormalForce):
    """A damper that never pushes more than the spring, and with it never pulls.

    The force is that of eq. (3.90) with its sign turned, for as printed it pulls. It grows from
    nothing at touch-down however fast the tyre lands, and is at most twice that of the spring.

    Example:
    >>> import axletree as at
    >>> tread = at.ElastoForce(stiffness=2e5, damping=1e4)
    >>> float(tread.support(0.01, 5.0, (), tread.numbers).force)  # N: twice that of the spring
    4000.0
    """

    summary: ClassVar[str] = "a spring and a damper that pushes no more than the spring"

    stiffness: float = parameter("N/m", "stiffness", default=1e6, lower=0.0, above=True)
    damping: float = parameter("N*s/m", "damping", default=1e4, lower=0.0)
    halved: bool = halved_penetration()

    def support(self, deflection: Expr, rate: Expr, states: Sequence[Expr], p: Any) -> Support:
        depth, speed = counted(self.halved, deflection, rate)
        elastic = p["stiffness"] * maximum(depth, 0.0)
        return Support(maximum(elastic + minimum(elastic, p["damping"] * speed), 0.0))
