"""A normal force that is given, for wheels whose height something else holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.core.expr import Expr
from axletree.library.fields import parameter
from axletree.library.tyres.normal_force import NormalForce, Support


@dataclass(frozen=True)
class GivenLoad(NormalForce):
    """The soil carries this load at any height of the wheel."""

    summary: ClassVar[str] = "a load that is given, whatever the height"

    load: float = parameter("N", "normal force F_n", lower=0.0, above=True)

    def support(self, deflection: Expr, rate: Expr, states: Sequence[Expr], p: Any) -> Support:
        return Support(p["load"])
