"""The set-valued forces of a wheel on soft ground, and what they are when smoothed.

See ``Grip`` for how a law's forces are taken apart; numbers of equations are those of Peiret et al.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from axletree.core.expr import Expr, absolute, as_expr, maximum, minimum, where
from axletree.core.expr.expression import ONE, ZERO
from axletree.core.vectors import NULL, Vector
from axletree.library.contacts.soil_carrying import Carrying
from axletree.library.contacts.soil_push import SoilPush
from axletree.library.contacts.soil_rolling import SoilRolling
from axletree.library.contract import JointLoad, Load, SetValued
from axletree.library.edge import Basis, Variable
from axletree.library.frame import Frame
from axletree.library.soils.grip import Grip
from axletree.library.soils.traction_schemes import LEAST_FORCE, Thrust, ThrustRow, TractionScheme

RESISTANCE = Variable("net_resistance", "N", "F_c less the thrust of rolling, backward")
ROLLING = Variable("rolling_moment", "N*m", "moment against rolling, beside that of the thrust")
SIDE = Variable("side_force", "N", "force of the soil on the wheel, to the left")


@dataclass(frozen=True)
class Smoothed:
    """What integrators of ordinary differential equations take: see ``SoilRolling``."""

    grip: Grip
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
    grip: Grip
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

    def _resistance(self, grip: Grip) -> Expr:
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

    def _moment(self, grip: Grip) -> Expr:
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
