"""The normal force between tyre and road: never negative, zero in the air, unless it is held."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.core.errors import ModelError
from axletree.core.expr import Expr, interpolate, maximum, where
from axletree.core.expr.expression import ZERO
from axletree.library.curve import Curve, curve
from axletree.library.edge import Variable
from axletree.library.fields import parameter
from axletree.library.part import Part


@dataclass(frozen=True)
class Support:
    """The normal force, and the rates of the states it rests on."""

    force: Expr  # Fz [N], as the law sees it
    rates: tuple[Expr, ...] = ()
    is_reaction: bool = False

    @property
    def load(self) -> Expr:
        """What the wheel gets of it as a load [N]: nothing of a reaction, which acts by itself."""
        return ZERO if self.is_reaction else self.force


class NormalForce(Part, ABC):
    """A law of the tyre's deflection."""

    holds: ClassVar[bool] = False  # whether it holds the height in place of a force

    def states(self) -> tuple[Variable, ...]:
        """What changes in the tyre by itself, so that its force lags.

        Example:
        >>> import axletree as at
        >>> [f"{state.suffix} [{state.unit}]" for state in at.GehmannForce().states()]
        ['creep [m]']
        """
        return ()

    @abstractmethod
    def support(self, deflection: Expr, rate: Expr, states: Sequence[Expr], p: Any) -> Support:
        """From the deflection [m], negative in the air, its rate [m/s], states and parameters.

        Example:
        >>> import axletree as at
        >>> from axletree.core.expr import symbol
        >>> spring, depth, rate = at.LinearNormalForce(2e5), symbol("rho"), symbol("v")
        >>> print(spring.support(depth, rate, (), {"stiffness": 2e5, "damping": 500.0}).force)  # N
        max(500*v + 200000*rho, 0)
        """


@dataclass(frozen=True)
class NoDeflection(NormalForce):
    """A tyre without give: the wheel's lowest point is held on the road, a constraint.

    The normal force is its reaction, and negative where the wheel would lift off. A law that
    slips needs it to find its own forces, on which it depends in turn: both are found at once.

    Example:
    >>> import axletree as at
    >>> at.NoDeflection().holds  # the height, in place of a force over it
    True
    """

    summary: ClassVar[str] = "no deflection: the height of the wheel is held"
    holds: ClassVar[bool] = True

    def support(self, deflection: Expr, rate: Expr, states: Sequence[Expr], p: Any) -> Support:
        raise ModelError("without deflection the normal force is a reaction, not a function of it")


@dataclass(frozen=True)
class LinearNormalForce(NormalForce):
    """A spring and a damper that only push (Morency 2007, eq. 3.4).

    Example:
    >>> import axletree as at
    >>> spring = at.LinearNormalForce(stiffness="200 kN/m")
    >>> forces = [spring.support(depth, 0.0, (), spring.numbers).force for depth in (0.02, -0.02)]
    >>> [float(force) for force in forces]  # N, at 20 mm and in the air
    [4000.0, 0.0]
    """

    summary: ClassVar[str] = "a spring and a damper that only push"

    stiffness: float = parameter("N/m", "vertical stiffness", lower=0.0, above=True)
    damping: float = parameter("N*s/m", "vertical damping", default=0.0, lower=0.0)

    def support(self, deflection: Expr, rate: Expr, states: Sequence[Expr], p: Any) -> Support:
        return Support(maximum(p["stiffness"] * deflection + p["damping"] * rate, 0.0))


@dataclass(frozen=True)
class TabulatedNormalForce(NormalForce):
    """A measured force over deflection, and a damper; they only push, and not in the air.

    Example:
    >>> import axletree as at
    >>> measured = at.TabulatedNormalForce(at.Curve((0.0, 0.02, 0.04), (0.0, 4000.0, 9000.0)))
    >>> float(measured.support(0.02, 0.0, (), measured.numbers).force)  # N at 20 mm
    4000.0
    """

    summary: ClassVar[str] = "a measured curve over deflection"

    force_at_deflection: Curve = curve("m", "N", "force over deflection")
    damping: float = parameter("N*s/m", "vertical damping", default=0.0, lower=0.0)

    def support(self, deflection: Expr, rate: Expr, states: Sequence[Expr], p: Any) -> Support:
        elastic = interpolate(self.force_at_deflection.table, maximum(deflection, 0.0))
        pushed = maximum(elastic + p["damping"] * rate, 0.0)
        return Support(where(deflection > 0.0, pushed, 0.0))
