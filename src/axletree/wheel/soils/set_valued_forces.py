"""The set-valued forces of a wheel on soft ground: normal force, thrust, resistance, side force.

``SoilGrip`` says how a law's forces are taken apart. Beside them stands what acts whether the wheel
slips or not: pushes and moments of a tyre on hard ground.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from axletree.components.edges import Basis, Variable
from axletree.components.exchange import JointLoad, Load, SetValued, reaction_symbol
from axletree.components.frames import Frame
from axletree.expr import Expr, Value, absolute, as_expr, logical_or, maximum, minimum, where
from axletree.expr.expression import ONE, ZERO
from axletree.expr.vectors import NULL, Vector
from axletree.wheel.soils.contract import SoilGrip
from axletree.wheel.soils.supports import Bearing
from axletree.wheel.soils.traction_schemes import LEAST_FORCE, Thrust, ThrustRow, TractionScheme
from axletree.wheel.soils.wheel_motion import SoilRolling

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

    def of(self, speed: Expr) -> Expr:
        """The sign of a speed, in proportion below the lowest."""
        part: Expr = maximum(minimum(speed / self.lowest_speed, 1.0), -1.0)
        return part


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
        known = Thrust(
            at.sliding,
            at.greatest_speed,
            at.at_rest,
            at.slip,
            where(at.at_rest, grip.greatest_thrust, grip.thrust),
            grip.greatest_thrust,
            grip.thrust_slope,
        )
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

    def _resistance(self, grip: SoilGrip) -> Expr:
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

    def _moment(self, grip: SoilGrip) -> Expr:
        left = self.carrying.left_of(grip.rolling_thrust, self.carrying.against_rolling)
        moment: Expr = grip.free_moment + self.at.radius * left
        return moment

    def side(self) -> SetValued:
        """In proportion to the drift at the end of the step; held at rest."""
        at, soft = self.at, self.smoothed.grip
        bound = self.grip.greatest_side_force * self.share
        return SetValued(
            SIDE,
            velocity=at.drift,
            lower=-bound,
            upper=bound,
            smooth=(soft.forces.lateral_force - soft.side_push) * self.share,
            loads=(self._load(at.patch.y_C, at.forward * at.below),),
            compliance=at.greatest_speed / maximum(self.grip.side_stiffness, LEAST_FORCE),
        )

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

    def share(self, component: str) -> Expr:
        """How much of the law's forces there is, by the load that a held wheel has.

        1 where the wheel sinks or rolls. One that stands deeper than its load alone would sink
        presses less on its rut than the law has at the sinkage.
        """
        plastic, held = as_expr(self.bearing.plastic), self._held
        if plastic.is_zero:
            return ONE
        missing = where(held > _LEAST_LOAD, 1.0 - reaction_symbol(component, PLASTIC), ZERO)
        of_all = plastic / maximum(as_expr(self.bearing.force), LEAST_FORCE)
        share: Expr = maximum(1.0 - of_all * missing, 0.0)
        return share

    @property
    def plastic_load(self) -> Expr:
        """[N], of a share of 1."""
        whole: Expr = maximum(self._held, _LEAST_LOAD)
        return whole

    @property
    def backward(self) -> Expr:
        """Of a plastic load of 1: at the centre, negative in reverse."""
        return self._slant(as_expr(self.grip.net_resistance), self.at.travel)

    @property
    def against_rolling(self) -> Expr:
        """Of a plastic load of 1: about the axle, over r; negative in reverse."""
        thrust = as_expr(self.grip.rolling_thrust)
        taken = minimum(self.grip.slip_moment, 0.0) / self.at.radius  # by slip, of r B
        return self._slant(maximum(thrust + taken, 0.0), self.at.rolling)

    def _slant(self, resistance: Expr, speed: Expr) -> Expr:
        whole = minimum(resistance / maximum(as_expr(self.bearing.force), LEAST_FORCE), STEEPEST)
        slant: Expr = whole * maximum(minimum(speed / self.lowest_speed, 1.0), -1.0)
        return slant

    def left_of(self, resistance: Value, slant: Expr) -> Expr:
        """A resistance [N] without what the plastic load has of it."""
        if as_expr(self.bearing.plastic).is_zero:
            return as_expr(resistance)
        left: Expr = maximum(resistance - absolute(slant) * self._held, 0.0)
        return left

    def rows(self, upward: Load) -> Iterator[SetValued]:
        """The normal force along a unit load, of the sinkage at the end of the step."""
        if as_expr(self.bearing.plastic).is_zero:
            yield self._spring(NORMAL, upward, as_expr(self.bearing.force))
            return
        at, whole = self.at, self.plastic_load
        leaves, torque = at.climb - self._climbs, self.against_rolling * at.radius
        greatest = self._held / whole
        yield SetValued(
            PLASTIC,
            velocity=whole * leaves,
            lower=ZERO,
            upper=greatest,
            smooth=greatest * maximum(minimum(1.0 - leaves / self.lowest_speed, 1.0), 0.0),
            loads=(
                replace(
                    upward,
                    force=(upward.force - at.forward * self.backward) * whole,
                    moment=(upward.moment - at.axis * torque) * whole,
                ),
            ),
            joint_loads=(JointLoad(self.axle, -torque * whole),),
        )
        yield self._spring(ELASTIC, upward, self.bearing.force - self._held)

    @property
    def _held(self) -> Expr:
        """[N], that the soil has for no wheel which rises faster."""
        held: Expr = maximum(self.bearing.plastic - self.bearing.damping * self._climbs, 0.0)
        return held

    @property
    def _climbs(self) -> Expr:
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


def pushing(at: SoilRolling, force: Value, damping: Value) -> Expr:
    """F_n [N] at this instant (Peiret et al., eq. 21): never a pull, and none in the air."""
    pushed: Expr = where(at.sinkage > 0.0, maximum(force - damping * at.climb, 0.0), ZERO)
    return pushed


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
