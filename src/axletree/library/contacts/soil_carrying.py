"""How soft ground carries a wheel that sinks, stands and rises: its normal force over a step.

Soil is compacted for good. A wheel that sinks is met by F_n of its law at the sinkage, and one that
stands by no more than its load. It rises only where fresh ground comes under it. With v_n the speed
of rising, the normal stresses sigma on its rim take the power

    integral of sigma (v_x sin theta - v_n cos theta) = F_c v_x - F_n v_n

and so they push up and, by tau = F_c / F_n, backward. Such a push does work on v_n - tau v_x, and
is there only for a wheel that rises no faster than it climbs out of its rut: it takes energy and
gives none back. That part B of F_c which a law has about the axle (see ``Grip``) goes with omega r
in the place of v_x. Tyres on hard ground are springs and give back what they took.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from axletree.core.expr import Expr, absolute, as_expr, logical_or, maximum, minimum, where
from axletree.core.expr.expression import ONE, ZERO
from axletree.library.contacts.soil_rolling import SoilRolling
from axletree.library.contract import JointLoad, Load, SetValued
from axletree.library.edge import Variable
from axletree.library.exchange import reaction_symbol
from axletree.library.soils.grip import Grip
from axletree.library.soils.soil import Value
from axletree.library.soils.support import Bearing
from axletree.library.soils.traction_schemes import LEAST_FORCE

NORMAL = Variable("normal_force", "N", "load on the soil, F_n")
# As a share it is 1 from step to step while a wheel rolls, and what goes by it stays as it is.
PLASTIC = Variable("plastic_share", "1", "of what soil has for a wheel that does not leave it")
ELASTIC = Variable("elastic_load", "N", "part of the load that goes by the speed of sinking")
LEAST_LOAD = 1.0  # N, that a share is of
STEEPEST = 1.0  # of the push
GREATEST_LOAD = 1e15  # N, where the soil is touched: no bound


@dataclass(frozen=True)
class Carrying:
    """A wheel at a sinkage, and how the soil there carries it."""

    at: SoilRolling
    bearing: Bearing
    axle: str  # edge of the joint
    grip: Grip
    lowest_speed: Expr  # [m/s], below which the push is less at a slant and, smoothed, fades

    def share(self, component: str) -> Expr:
        """How much of the law's forces there is, by the load that a held wheel has.

        1 where the wheel sinks or rolls. One that stands deeper than its load alone would sink
        presses less on its rut than the law has at the sinkage.
        """
        plastic, held = as_expr(self.bearing.plastic), self._held
        if plastic.is_zero:
            return ONE
        missing = where(held > LEAST_LOAD, 1.0 - reaction_symbol(component, PLASTIC), ZERO)
        of_all = plastic / maximum(as_expr(self.bearing.force), LEAST_FORCE)
        share: Expr = maximum(1.0 - of_all * missing, 0.0)
        return share

    @property
    def plastic_load(self) -> Expr:
        """[N], of a share of 1."""
        whole: Expr = maximum(self._held, LEAST_LOAD)
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
