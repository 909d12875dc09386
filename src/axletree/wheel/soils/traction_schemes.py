"""How thrust on soft ground is solved for: its bounds and its slope over a step.

Numbers of equations are those of Peiret et al., with the corrections that
``docs/theory/soil-equations.md`` lists. The greatest thrust mu F_n is known at the slip of the
beginning of a step; schemes differ in what they make of its change within the step.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from axletree.components.edges import Variable
from axletree.components.parts import Part
from axletree.expr import ZERO, Expr, absolute, maximum, sign, where

THRUST = Variable("thrust", "N", "F_t less the thrust of rolling, forward on the wheel")
DRY = Variable("dry_thrust", "N", "part of that thrust that is dry friction")
VISCOUS = Variable("viscous_thrust", "N", "part of that thrust that grows with sliding")
LEAST_FORCE = 1e-9  # N, of a divisor: in the air there is no thrust


@dataclass(frozen=True)
class Thrust:
    """The thrust at the beginning of a step, all forces as sizes [N]."""

    sliding_speed: Expr  # v_t = v_x - omega r [m/s]
    greatest_speed: Expr  # |v_max| [m/s]
    at_rest: Expr  # condition: the wheel neither moves nor turns
    slip: Expr  # |i|, from 0 to 1; without meaning at rest
    bound: Expr  # mu(|i|) F_n; at rest mu(1) F_n, for slip may then be anything
    greatest: Expr  # mu(1) F_n
    slope: Expr  # F_n dmu/di at the slip


@dataclass(frozen=True)
class ThrustRow:
    """A part of the thrust: see ``SetValued`` for what the fields mean."""

    reaction: Variable
    bound: Expr  # [N], of both signs
    compliance: Expr = ZERO  # [m/(N s)]
    offset: Expr = ZERO  # [m/s]


class TractionScheme(Part, ABC):
    """A choice of rows."""

    @abstractmethod
    def rows(self, thrust: Thrust) -> tuple[ThrustRow, ...]:
        """Their forces add up to the thrust.

        Example:
        >>> import axletree as at
        >>> from axletree.wheel.soils.traction_schemes import Thrust
        >>> stands = Thrust(0.0, 0.0, True, 1.0, 3000.0, 3000.0, 5000.0)  # m/s, m/s, N, N, N
        >>> rows = at.DissipativeTraction().rows(stands)
        >>> {row.reaction.suffix: float(row.bound) for row in rows}  # N, dry friction holds it
        {'dry_thrust': 3000.0, 'viscous_thrust': 0.0}
        """


@dataclass(frozen=True)
class SetValuedTraction(TractionScheme):
    """Thrust between the bounds of the slip at the beginning of the step (23).

    Chatters at small slip: stable only while h F_n mu'(i) / (|v_max| m) < 2, where m is the mass
    that sliding feels, 1 / (1 / mass + r^2 / inertia).

    Example:
    >>> import axletree as at
    >>> from axletree.wheel.soils.traction_schemes import Thrust
    >>> spins = Thrust(-0.2, 2.0, False, 0.1, 1500.0, 3000.0, 5000.0)  # m/s, m/s, N, N, N
    >>> [float(row.bound) for row in at.SetValuedTraction().rows(spins)]  # N
    [1500.0]
    """

    summary: ClassVar[str] = "thrust between the bounds of the slip before the step"

    def rows(self, thrust: Thrust) -> tuple[ThrustRow, ...]:
        return (ThrustRow(THRUST, thrust.bound),)


@dataclass(frozen=True)
class GlobalRegularisation(TractionScheme):
    """Thrust in proportion to the sliding at the end of the step (25), (26) with |v_t|.

    A wheel that rolls without slip has no such proportion: it is held by mu(0) F_n.

    Example:
    >>> import axletree as at
    >>> from axletree.wheel.soils.traction_schemes import Thrust
    >>> spins = Thrust(-0.2, 2.0, False, 0.1, 1500.0, 3000.0, 5000.0)  # m/s, m/s, N, N, N
    >>> (row,) = at.GlobalRegularisation().rows(spins)
    >>> print(f"{1.0 / row.compliance:.0f} N s/m")  # 1500 / 0.2
    7500 N s/m
    """

    summary: ClassVar[str] = "thrust in proportion to the sliding: a secant from zero"

    def rows(self, thrust: Thrust) -> tuple[ThrustRow, ...]:
        size = absolute(thrust.sliding_speed)
        bound = where(size > 0.0, thrust.greatest, thrust.bound)
        return (ThrustRow(THRUST, bound, size / maximum(thrust.bound, LEAST_FORCE)),)


@dataclass(frozen=True)
class LocalRegularisation(TractionScheme):
    """Thrust along the tangent at the slip before the step (27) to (30), within mu(1) F_n.

    The tangent of one direction holds in the other one, too, where it may drive: a wheel that
    comes to rest goes on to and fro, by speeds in proportion to the step.

    Example:
    >>> import axletree as at
    >>> from axletree.wheel.soils.traction_schemes import Thrust
    >>> spins = Thrust(-0.2, 2.0, False, 0.1, 1500.0, 3000.0, 5000.0)  # m/s, m/s, N, N, N
    >>> (row,) = at.LocalRegularisation().rows(spins)
    >>> print(f"{1.0 / row.compliance:.0f} N s/m")  # 5000 / 2
    2500 N s/m
    """

    summary: ClassVar[str] = "thrust along its tangent, which may drive a wheel near rest"

    def rows(self, thrust: Thrust) -> tuple[ThrustRow, ...]:
        compliance = _compliance(thrust)
        force = -sign(thrust.sliding_speed) * thrust.bound
        offset = thrust.sliding_speed + compliance * force
        return (ThrustRow(THRUST, thrust.greatest, compliance, offset),)


@dataclass(frozen=True)
class DissipativeTraction(TractionScheme):
    """The tangent made odd: dry friction F_0 = mu F_n - c_t |v_t|, and beside it a damper c_t.

    The damper takes no more than mu(1) F_n - F_0. Both are against the sliding at the end of the
    step, whatever its direction.

    Example:
    >>> import axletree as at
    >>> from axletree.wheel.soils.traction_schemes import Thrust
    >>> spins = Thrust(-0.2, 2.0, False, 0.1, 1500.0, 3000.0, 5000.0)  # m/s, m/s, N, N, N
    >>> dry, viscous = at.DissipativeTraction().rows(spins)
    >>> float(dry.bound), float(viscous.bound)  # N: 1500 - 5000 * 0.1, and what is left of 3000
    (1000.0, 2000.0)
    """

    summary: ClassVar[str] = "thrust along its tangent as dry and viscous friction: never drives"

    def rows(self, thrust: Thrust) -> tuple[ThrustRow, ...]:
        dry = where(thrust.at_rest, thrust.greatest, thrust.bound - thrust.slope * thrust.slip)
        viscous = maximum(thrust.greatest - dry, 0.0)
        return (ThrustRow(DRY, dry), ThrustRow(VISCOUS, viscous, _compliance(thrust)))


def _compliance(thrust: Thrust) -> Expr:
    """1 / c_t [m/(N s)] of (28); 0 at rest, where the wheel is held."""
    compliance: Expr = thrust.greatest_speed / maximum(thrust.slope, LEAST_FORCE)
    return compliance
