"""The normal force between tyre and road: never negative, zero in the air, unless constrained.

Linear, tabulated, and the vertical dynamics of Andres 2009, section 3.9: Kelvin, elasto and
Gehmann, in which half the penetration may count.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.components.edges import Variable
from axletree.components.fields import Part, flag, parameter, positive, structure
from axletree.components.signals import Curve, curve
from axletree.core.errors import ModelError
from axletree.expr import ZERO, Expr, interpolate, maximum, minimum, symbol, where


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
        >>> from axletree.expr import symbol
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

    summary: ClassVar[str] = "no deflection: the height of the wheel is constrained"
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

    stiffness: float = positive("N/m", "vertical stiffness")
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


def halved_penetration() -> Any:
    """A field: in Andres 2009 eqs. (3.62) and (3.63) are solved together, and the contact point
    comes to lie halfway between the road and the tread that is not deformed."""
    return flag(
        "whether half the deflection counts, as the equations of Andres 2009 have it", default=False
    )


def counted_penetration(halved: bool, deflection: Expr, rate: Expr) -> tuple[Expr, Expr]:
    """What counts of a deflection [m] and its rate [m/s]."""
    return (0.5 * deflection, 0.5 * rate) if halved else (deflection, rate)


@dataclass(frozen=True)
class FollowedLoad(NormalForce):
    """A load that another component finds, whatever the deflection; it only pushes.

    Example:
    >>> from axletree.wheel.normal_forces import FollowedLoad
    >>> FollowedLoad("wheel_loads.front_left").support(0.0, 0.0, (), {}).force
    max(wheel_loads.front_left, 0)
    """

    summary: ClassVar[str] = "a load that another component finds"

    source: str = structure("quantity", "state of another component that is the load [N]", str)

    def support(self, deflection: Expr, rate: Expr, states: Sequence[Expr], p: Any) -> Support:
        return Support(maximum(symbol(self.source), 0.0))


# A spring beside a damper (Andres 2009, section 3.9.2).


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

    stiffness: float = positive("N/m", "stiffness", default=1e6)
    damping: float = parameter("N*s/m", "damping", default=1e4, lower=0.0)
    pulls: bool = flag("whether it holds the tread back as it leaves the road", default=False)
    halved: bool = halved_penetration()

    def support(self, deflection: Expr, rate: Expr, states: Sequence[Expr], p: Any) -> Support:
        depth, speed = counted_penetration(self.halved, deflection, rate)
        both = p["stiffness"] * depth + p["damping"] * speed
        return Support(where(depth > 0.0, both if self.pulls else maximum(both, 0.0), 0.0))


# A spring and a damper without a jump and without a pull (Andres 2009, eq. 3.90).


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

    stiffness: float = positive("N/m", "stiffness", default=1e6)
    damping: float = parameter("N*s/m", "damping", default=1e4, lower=0.0)
    halved: bool = halved_penetration()

    def support(self, deflection: Expr, rate: Expr, states: Sequence[Expr], p: Any) -> Support:
        depth, speed = counted_penetration(self.halved, deflection, rate)
        elastic = p["stiffness"] * maximum(depth, 0.0)
        return Support(maximum(elastic + minimum(elastic, p["damping"] * speed), 0.0))


# A spring beside a damper that has a spring of its own (Andres 2009, section 3.9.3).

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

    stiffness: float = positive("N/m", "stiffness c", default=1e6)
    series_stiffness: float = positive("N/m", "stiffness c_1 before the damper", default=1e6)
    series_damping: float = positive("N*s/m", "damping d_1 behind that spring", default=1e4)
    pulls: bool = flag("whether it holds the tread back as it leaves the road", default=False)
    halved: bool = halved_penetration()

    def states(self) -> tuple[Variable, ...]:
        return (CREEP,)

    def support(self, deflection: Expr, rate: Expr, states: Sequence[Expr], p: Any) -> Support:
        depth, _ = counted_penetration(self.halved, deflection, rate)
        (creep,) = states
        both = p["stiffness"] + p["series_stiffness"]
        free = p["series_stiffness"] * creep
        if self.pulls:
            tread, force = depth, where(depth > 0.0, both * depth - free, 0.0)
        else:
            tread, force = maximum(depth, free / both), maximum(both * depth - free, 0.0)
        rate_of_creep = (tread - creep) * (p["series_stiffness"] / p["series_damping"])
        return Support(force, (rate_of_creep,))
