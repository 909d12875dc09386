"""A spring beside a damper (Andres 2009, section 3.9.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.core.expr import Expr, maximum, where
from axletree.library.fields import flag, parameter
from axletree.library.tyres.normal_force import NormalForce, Support
from axletree.library.tyres.vertical.half import counted, halved_penetration


@dataclass(frozen=True)
class KelvinForce(NormalForce):
    """A spring and a damper between tread and wheel, from the moment of touch on.

    The damper's force is there at once at touch-down. In Andres 2009 it may also pull, until
    the tread has left the road: with ``pulls``.

    Example:
    >>> import axletree as at
    >>> tread = at.KelvinForce(stiffness="200 kN/m", damping="500 N*s/m")
    >>> float(tread.support(0.02, 0.1, (), tread.numbers).force)  # N at 20 mm and 0.1 m/s
    4050.0
    """

    summary: ClassVar[str] = "a spring and a damper that act while the tread touches"

    stiffness: float = parameter("N/m", "stiffness", default=1e6, lower=0.0, above=True)
    damping: float = parameter("N*s/m", "damping", default=1e4, lower=0.0)
    pulls: bool = flag("whether it holds the tread back as it leaves the road", default=False)
    halved: bool = halved_penetration()

    def support(self, deflection: Expr, rate: Expr, states: Sequence[Expr], p: Any) -> Support:
        depth, speed = counted(self.halved, deflection, rate)
        both = p["stiffness"] * depth + p["damping"] * speed
        return Support(where(depth > 0.0, both if self.pulls else maximum(both, 0.0), 0.0))
