"""The set-valued forces of a wheel on soft ground: normal force, thrust, resistance, side force.

``SoilGrip`` says how a law's forces are taken apart. Beside them stands what acts whether the wheel
slips or not: pushes and moments of a tyre on hard ground.

Traction schemes say how thrust is solved for: its bounds and its slope over a step. Numbers of
equations are those of Peiret et al., with the corrections that ``docs/theory/soil-equations.md``
lists. The greatest thrust mu F_n is known at the slip of the beginning of a step; schemes differ in
what they make of its change within the step.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from axletree.components.contract import (
    JointLoad,
    Load,
    RangeLimit,
    SetValued,
    creep_limit,
    reaction_symbol,
)
from axletree.components.edges import Basis, Variable
from axletree.components.fields import Part
from axletree.components.frames import Frame
from axletree.expr import NULL, ONE, ZERO, Expr, Vector, as_expr
from axletree.expr.functions import Value, absolute, logical_or, maximum, minimum, sign, where
from axletree.wheel.soils.contract import SoilGrip
from axletree.wheel.soils.supports import Bearing
from axletree.wheel.soils.wheel_motion import SoilRolling

THRUST = Variable("thrust", "N", "F_t less the thrust of rolling, forward on the wheel")
DRY = Variable("dry_thrust", "N", "part of that thrust that is dry friction")
VISCOUS = Variable("viscous_thrust", "N", "part of that thrust that grows with sliding")
LEAST_FORCE = 1e-9  # N, of a divisor: in the air there is no thrust
_CREEPS = (
    "it creeps for a second or more, slower than its lowest_speed, where the forces of soil fade "
    "with smooth methods, and a wheel that should stand does not; take method='complementarity', "
    "which holds it"
)


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
        >>> from axletree.wheel.soils.set_valued_forces import Thrust
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
    >>> from axletree.wheel.soils.set_valued_forces import Thrust
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
    >>> from axletree.wheel.soils.set_valued_forces import Thrust
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
    >>> from axletree.wheel.soils.set_valued_forces import Thrust
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
    >>> from axletree.wheel.soils.set_valued_forces import Thrust
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


def _compliance(thrust: Thrust) -> Value:
    """1 / c_t [m/(N s)] of (28); 0 at rest, where the wheel is held."""
    return thrust.greatest_speed / maximum(thrust.slope, LEAST_FORCE)


# The set-valued forces of a wheel on soft ground, and what they are when smoothed.
#
# See ``Grip`` for how a law's forces are taken apart; numbers of equations are those of Peiret et
# al.

RESISTANCE = Variable("net_resistance", "N", "F_c less the thrust of rolling, backward")
ROLLING = Variable("rolling_moment", "N*m", "moment against rolling, beside that of the thrust")
SIDE = Variable("side_force", "N", "force of the soil on the wheel, to the left")


@dataclass(frozen=True)
class Smoothed:
    """What integrators of ordinary differential equations take: see ``SoilRolling``."""

    grip: SoilGrip
    direction: Expr
    lowest_speed: Expr  # [m/s]

    def of(self, speed: Expr) -> Value:
        """The sign of a speed, in proportion below the lowest."""
        return maximum(minimum(speed / self.lowest_speed, 1.0), -1.0)


@dataclass(frozen=True)
class SoilRows:
    """A wheel, its ground, and what the soil has for it."""

    road: Frame
    carrier: Frame
    axle: str  # edge of the joint
    at: SoilRolling
    grip: SoilGrip
    smoothed: Smoothed
    carrying: Carrying
    share: Expr  # [1], of all these forces, by the load

    def along(self, scheme: TractionScheme) -> Iterator[SetValued]:
        """All along the ground and about the axle that there are."""
        grip = self.grip
        yield from self.thrust(scheme)
        if not as_expr(grip.net_resistance).is_zero:
            yield self.resistance()
        yield self.side()
        if not (as_expr(grip.free_moment).is_zero and as_expr(grip.rolling_thrust).is_zero):
            yield self.rolling_moment()

    def thrust(self, scheme: TractionScheme) -> Iterator[SetValued]:
        """F_t - B at the rim (23, 25 to 30), in as many rows as the scheme has."""
        at, grip = self.at, self.grip
        speeds = at.sliding, at.greatest_speed, at.at_rest, at.slip
        bound = where(at.at_rest, grip.greatest_thrust, grip.thrust)
        known = Thrust(*speeds, bound, grip.greatest_thrust, grip.thrust_slope)
        smooth = self.smoothed.grip
        sheared = smooth.forces.gross_traction - smooth.rolling_thrust - smooth.forward_push
        whole = self.smoothed.direction * sheared
        for number, own in enumerate(scheme.rows(known)):
            yield self._thrust_row(own, ZERO if number else whole)

    def _thrust_row(self, own: ThrustRow, smooth: Expr) -> SetValued:
        # About the axle the force turns the wheel back, and the carrier not at all.
        at = self.at
        return SetValued(
            own.reaction,
            velocity=at.sliding,
            lower=-own.bound * self.share,
            upper=own.bound * self.share,
            smooth=smooth * self.share,
            loads=(self._load(at.forward, at.axis * -at.radius),),
            joint_loads=(JointLoad(self.axle, -at.radius),),
            compliance=own.compliance,
            offset=own.offset,
        )

    def resistance(self) -> SetValued:
        """F_c - B at the centre (24)."""
        travel, bound = self.at.travel, self._resistance(self.grip)
        return SetValued(
            RESISTANCE,
            velocity=-travel,
            lower=-bound,
            upper=bound,
            smooth=self._resistance(self.smoothed.grip) * self.smoothed.of(travel),
            loads=(self._load(-self.at.forward),),
        )

    def _resistance(self, grip: SoilGrip) -> Value:
        slant = self.carrying.backward
        return self.carrying.left_of(grip.net_resistance, slant) * self.share

    def rolling_moment(self) -> SetValued:
        """r B and T_rr about the axle; what T_rr is more than without slip moves the bounds.

        Zero stays between them, so that a wheel is never driven: only locked wheels that snow has
        swallowed would be.
        """
        at = self.at
        size, moved = self._moment(self.grip), at.direction * self.grip.slip_moment
        soft = self.smoothed
        smooth = self._moment(soft.grip) * soft.of(at.rolling)
        return SetValued(
            ROLLING,
            velocity=-at.turning,
            lower=minimum(moved - size, 0.0) * self.share,
            upper=maximum(moved + size, 0.0) * self.share,
            smooth=(smooth + soft.direction * soft.grip.slip_moment) * self.share,
            loads=(self._load(NULL, -at.axis),),
            joint_loads=(JointLoad(self.axle, as_expr(-1.0)),),
        )

    def _moment(self, grip: SoilGrip) -> Value:
        left = self.carrying.left_of(grip.rolling_thrust, self.carrying.against_rolling)
        return grip.free_moment + self.at.radius * left

    def side(self) -> SetValued:
        """In proportion to the drift at the end of the step; held at rest."""
        at, soft = self.at, self.smoothed.grip
        bound = self.grip.greatest_side_force * self.share
        sliding = at.greatest_speed / maximum(self.grip.side_stiffness, LEAST_FORCE)
        return SetValued(
            SIDE,
            velocity=at.drift,
            lower=-bound,
            upper=bound,
            smooth=(soft.forces.lateral_force - soft.side_push) * self.share,
            loads=(self._load(at.patch.y_C, at.forward * at.below),),
            compliance=where(at.at_rest, ZERO, sliding),
            smooth_limits=(self._creep(),),
        )

    def _creep(self) -> RangeLimit:
        """Of all forces: they fade below the lowest speed of the wheel (7)."""
        at = self.at
        speed = maximum(maximum(absolute(at.travel), absolute(at.rolling)), absolute(at.drift))
        return creep_limit(speed, self.smoothed.lowest_speed, _CREEPS, holds=at.sinkage)

    @property
    def pushed(self) -> SoilPush:
        """What is no reaction: that of tyres fades at rest, that of edges does not."""
        at, grip, direction = self.at, self.grip, self.smoothed.direction
        fade, soft = absolute(direction), self.smoothed.grip
        edge = at.R_carrier_road @ Vector((soft.edge_x, soft.edge_y, ZERO))
        return SoilPush(
            at,
            direction * grip.forward_push,
            fade * grip.side_push + edge.dot(at.patch.y_C),
            fade * grip.forces.overturning_moment,
            direction * grip.forces.aligning_moment,
            edge.dot(at.forward),
        )

    def push(self) -> Iterator[tuple[Load, JointLoad]]:
        """The same on the carrier and about the axle, if there is any."""
        pushed = self.pushed
        if not pushed.is_nothing:
            yield self._load(pushed.force, pushed.moment), JointLoad(self.axle, pushed.torque)

    def upward(self, force: Expr = ONE) -> Load:
        """A force [N] at the lowest point, along the normal."""
        return self._load(self.at.patch.n_C * force, self.at.forward * (self.at.aside * force))

    def _load(self, force: Vector, moment: Vector = NULL) -> Load:
        return Load(self.road, self.carrier, force, moment, Basis.HEAD)


# How soft ground carries a wheel that sinks, stands and rises: its normal force over a step.
#
# Soil is compacted for good. A wheel that sinks is met by F_n of its law at the sinkage, and one
# that
# stands by no more than its load. It rises only where fresh ground comes under it. With v_n the
# speed
# of rising, the normal stresses sigma on its rim take the power
#
#     integral of sigma (v_x sin theta - v_n cos theta) = F_c v_x - F_n v_n
#
# and so they push up and, by tau = F_c / F_n, backward. Such a push does work on v_n - tau v_x,
# and
# is there only for a wheel that rises no faster than it climbs out of its rut: it takes energy and
# gives none back. That part B of F_c which a law has about the axle (see ``Grip``) goes with
# omega r
# in the place of v_x. Tyres on hard ground are springs and give back what they took.

NORMAL = Variable("normal_force", "N", "load on the soil, F_n")
# As a share it is 1 from step to step while a wheel rolls, and what goes by it stays as it is.
PLASTIC = Variable("plastic_share", "1", "of what soil has for a wheel that does not leave it")
ELASTIC = Variable("elastic_load", "N", "part of the load that goes by the speed of sinking")
_LEAST_LOAD = 1.0  # N, that a share is of
STEEPEST = 1.0  # of the push
GREATEST_LOAD = 1e15  # N, where the soil is touched: no bound


@dataclass(frozen=True)
class Carrying:
    """A wheel at a sinkage, and how the soil there carries it."""

    at: SoilRolling
    bearing: Bearing
    axle: str  # edge of the joint
    grip: SoilGrip
    lowest_speed: Expr  # [m/s], below which the push is less at a slant and, smoothed, fades

    def share(self, component: str) -> Value:
        """How much of the law's forces there is, by the load that a held wheel has.

        1 where the wheel sinks or rolls. One that stands deeper than its load alone would sink
        presses less on its rut than the law has at the sinkage.
        """
        plastic, held = as_expr(self.bearing.plastic), self._held
        if plastic.is_zero:
            return ONE
        missing = where(held > _LEAST_LOAD, 1.0 - reaction_symbol(component, PLASTIC), ZERO)
        of_all = plastic / maximum(as_expr(self.bearing.force), LEAST_FORCE)
        return maximum(1.0 - of_all * missing, 0.0)

    @property
    def plastic_load(self) -> Value:
        """[N], of a share of 1."""
        return maximum(self._held, _LEAST_LOAD)

    @property
    def backward(self) -> Value:
        """Of a plastic load of 1: at the centre, negative in reverse."""
        return self._slant(as_expr(self.grip.net_resistance), self.at.travel)

    @property
    def against_rolling(self) -> Value:
        """Of a plastic load of 1: about the axle, over r; negative in reverse."""
        thrust = as_expr(self.grip.rolling_thrust)
        taken = minimum(self.grip.slip_moment, 0.0) / self.at.radius  # by slip, of r B
        return self._slant(maximum(thrust + taken, 0.0), self.at.rolling)

    def _slant(self, resistance: Expr, speed: Expr) -> Value:
        whole = minimum(resistance / maximum(as_expr(self.bearing.force), LEAST_FORCE), STEEPEST)
        return whole * maximum(minimum(speed / self.lowest_speed, 1.0), -1.0)

    def left_of(self, resistance: Value, slant: Expr) -> Value:
        """A resistance [N] without what the plastic load has of it."""
        if as_expr(self.bearing.plastic).is_zero:
            return as_expr(resistance)
        return maximum(resistance - absolute(slant) * self._held, 0.0)

    def rows(self, upward: Load) -> Iterator[SetValued]:
        """The normal force along a unit load, of the sinkage at the end of the step."""
        if as_expr(self.bearing.plastic).is_zero:
            yield self._spring(NORMAL, upward, as_expr(self.bearing.force))
            return
        at, whole = self.at, self.plastic_load
        leaves, torque = at.climb - self._climbs, self.against_rolling * at.radius
        greatest = self._held / whole
        force, moment = upward.force - at.forward * self.backward, upward.moment - at.axis * torque
        yield SetValued(
            PLASTIC,
            velocity=whole * leaves,
            lower=ZERO,
            upper=greatest,
            smooth=greatest * maximum(minimum(1.0 - leaves / self.lowest_speed, 1.0), 0.0),
            loads=(replace(upward, force=force * whole, moment=moment * whole),),
            joint_loads=(JointLoad(self.axle, -torque * whole),),
        )
        yield self._spring(ELASTIC, upward, self.bearing.force - self._held)

    @property
    def _held(self) -> Value:
        """[N], that the soil has for no wheel which rises faster."""
        return maximum(self.bearing.plastic - self.bearing.damping * self._climbs, 0.0)

    @property
    def _climbs(self) -> Value:
        """[m/s], out of the rut."""
        return self.backward * self.at.travel + self.against_rolling * self.at.rolling

    def _spring(self, reaction: Variable, upward: Load, preload: Expr) -> SetValued:
        """One whose stiffness is known in the air, too, carries from the step that touches."""
        at, stiffness = self.at, as_expr(self.bearing.stiffness)
        sunk = at.sinkage > 0.0
        carries = logical_or(sunk, stiffness > 0.0)
        return SetValued(
            reaction,
            velocity=at.climb,
            lower=ZERO,
            upper=where(carries, as_expr(GREATEST_LOAD), ZERO),
            smooth=pushing(at, preload, self.bearing.damping),
            loads=(upward,),
            stiffness=stiffness,
            damping=where(sunk, as_expr(self.bearing.damping), ZERO),
            preload=preload + stiffness * minimum(at.sinkage, 0.0),
        )


def pushing(at: SoilRolling, force: Value, damping: Value) -> Value:
    """F_n [N] at this instant (Peiret et al., eq. 21): never a pull, and none in the air."""
    return where(at.sinkage > 0.0, maximum(force - damping * at.climb, 0.0), ZERO)


@dataclass(frozen=True)
class SoilPush:
    """At the lowest point; known before the step."""

    at: SoilRolling
    forward: Expr  # [N]
    left: Expr  # [N]
    overturning: Expr  # [N m], about the forward direction
    aligning: Expr  # [N m], about the normal
    ahead: Expr  # [N], forward, at the centre

    @property
    def is_nothing(self) -> bool:
        pushes = (self.forward, self.left, self.overturning, self.aligning, self.ahead)
        return all(e.is_zero for e in pushes)

    @property
    def force(self) -> Vector:
        return self.at.forward * (self.forward + self.ahead) + self.at.patch.y_C * self.left

    @property
    def moment(self) -> Vector:
        """[N m], about the wheel's centre."""
        at = self.at
        about = at.forward * (at.below * self.left + self.overturning)
        return about + at.patch.n_C * self.aligning - at.axis * (at.radius * self.forward)

    @property
    def torque(self) -> Expr:
        """[N m], about the axle."""
        return self.at.patch.sin_inclination * self.aligning - self.at.radius * self.forward

    @property
    def power(self) -> Expr:
        """[W]."""
        at = self.at
        moved = self.forward * at.sliding + self.ahead * at.travel + self.left * at.drift
        turned = self.overturning * at.patch.lean_rate + self.aligning * at.patch.bore_rate
        return moved + turned
