"""A spring beside a damper that has a spring of its own (Andres 2009, section 3.9.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.core.expr import Expr, maximum, where
from axletree.library.edge import Variable
from axletree.library.fields import flag, parameter
from axletree.library.tyres.normal_force import NormalForce, Support
from axletree.library.tyres.vertical.half import counted, halved_penetration

CREEP = Variable("creep", "m", "deflection of the damper that has a spring of its own")


@dataclass(frozen=True)
class GehmannForce(NormalForce):
    """Rubber: a spring c, and beside it a spring c_1 and a damper d_1 one behind the other.

    The damper's deflection x is a state: d_1 dx/dt = c_1 (deflection - x), and the force is
    c deflection + c_1 (deflection - x). A free tread has no force: it creeps back with its own
    deflection c_1 x / (c + c_1), and touches the road when that is below it.

    In Andres 2009 the damper goes on following the gap in the air, and the force may pull until
    the undeformed tread has left the road: with ``pulls``.

    Example:
    >>> import axletree as at
    >>> rubber = at.GehmannForce(stiffness=2e5, series_stiffness=1e5, series_damping=1e3)
    >>> float(rubber.support(0.02, 0.0, (0.0,), rubber.numbers).force)  # N, at once
    6000.0
    >>> float(rubber.support(0.02, 0.0, (0.02,), rubber.numbers).force)  # N, after a while
    4000.0
    """

    summary: ClassVar[str] = "rubber: a spring beside a spring and a damper in series"

    stiffness: float = parameter("N/m", "stiffness c", default=1e6, lower=0.0, above=True)
    series_stiffness: float = parameter(
        "N/m", "stiffness c_1 before the damper", default=1e6, lower=0.0, above=True
    )
    series_damping: float = parameter(
        "N*s/m", "damping d_1 behind that spring", default=1e4, lower=0.0, above=True
    )
    pulls: bool = flag("whether it holds the tread back as it leaves the road", default=False)
    halved: bool = halved_penetration()

    def states(self) -> tuple[Variable, ...]:
        return (CREEP,)

    def support(self, deflection: Expr, rate: Expr, states: Sequence[Expr], p: Any) -> Support:
        depth, _ = counted(self.halved, deflection, rate)
        (creep,) = states
        both = p["stiffness"] + p["series_stiffness"]
        free = p["series_stiffness"] * creep
        if self.pulls:
            tread, force = depth, where(depth > 0.0, both * depth - free, 0.0)
        else:
            tread, force = maximum(depth, free / both), maximum(both * depth - free, 0.0)
        rate_of_creep = (tread - creep) * (p["series_stiffness"] / p["series_damping"])
        return Support(force, (rate_of_creep,))
