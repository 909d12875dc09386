"""A normal force over sinkage, by a spring and a damper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.core.expr import Expr, maximum, where
from axletree.core.expr.expression import ZERO
from axletree.library.fields import parameter
from axletree.library.tyres.normal_force import NormalForce, Support


@dataclass(frozen=True)
class YieldingGround(NormalForce):
    """F_n = k_n z + c_n dz/dt (Peiret et al., eq. 21) where the wheel has sunk in; never a pull."""

    summary: ClassVar[str] = "a spring and a damper that push where the wheel has sunk in"

    stiffness: float = parameter("N/m", "k_n", lower=0.0, above=True)
    damping: float = parameter("N*s/m", "c_n", default=0.0, lower=0.0)

    def support(self, deflection: Expr, rate: Expr, states: Sequence[Expr], p: Any) -> Support:
        force = maximum(p["stiffness"] * deflection + p["damping"] * rate, 0.0)
        return Support(where(deflection > 0.0, force, ZERO))
