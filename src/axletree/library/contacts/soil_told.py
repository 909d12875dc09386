"""What a wheel on soft ground tells by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from axletree.core.expr import Expr, absolute, as_expr, asin, atan2, maximum, minimum, sign, where
from axletree.core.expr.expression import ONE, ZERO
from axletree.library.contacts.soil_carrying import ELASTIC, NORMAL, PLASTIC, Carrying
from axletree.library.contacts.soil_push import SoilPush
from axletree.library.contacts.soil_rolling import SoilRolling
from axletree.library.contract import Computed, SetValued
from axletree.library.soils.grip import Grip
from axletree.library.soils.traction_schemes import DRY, LEAST_FORCE, THRUST, VISCOUS

LEAST_POWER = 1e-9  # W, of a divisor
COMPARED = {
    "wheel_numeric": "C_n = c_i b D / W",
    "clay_number": "number of the Waterways Experiment Station for clay",
}
SLOW = 0.05  # m/s, of a wheel that may be held


@dataclass(frozen=True)
class SoilTold:
    """The forces of a step or, for methods without steps of that kind, the smoothed ones."""

    at: SoilRolling
    grip: Grip
    load: Expr | None  # [N], where it is no reaction
    carrying: Carrying
    share: Expr  # [1], of the law's forces
    reactions: Mapping[str, Expr]  # by suffix
    forces: Sequence[SetValued]
    pushed: SoilPush
    compared: Mapping[str, Expr]  # numbers [1] by the cone index

    def outputs(self) -> Iterator[Computed]:
        """Speeds and slip, forces, and where the wheel is in the soil."""
        yield from self._motion()
        yield from self._forces()
        yield from self._place()

    def _reaction(self, suffix: str) -> Expr:
        return self.reactions.get(suffix, ZERO)

    @property
    def _load(self) -> Expr:
        if self.load is not None:
            return self.load
        return self._plastic_load + self._reaction(ELASTIC.suffix)

    @property
    def _plastic_load(self) -> Expr:
        if PLASTIC.suffix not in self.reactions:
            return ZERO
        return self._reaction(PLASTIC.suffix) * self.carrying.plastic_load

    def _motion(self) -> Iterator[Computed]:
        at = self.at
        yield Computed("forward_speed", "m/s", "speed of the wheel's centre, v_x", at.travel)
        yield Computed("rolling_speed", "m/s", "speed of the rim, omega r", at.rolling)
        yield Computed("lateral_speed", "m/s", "speed of the lowest point to the left", at.drift)
        text = "slip, positive when driven; 0 at rest"
        yield Computed("slip", "1", text, at.signed_slip)
        angle = where(at.at_rest, ZERO, atan2(at.drift, absolute(at.travel)))
        yield Computed("slip_angle", "rad", "of the drift to the left", angle)

    def _forces(self) -> Iterator[Computed]:
        thrust = sum((self._reaction(v.suffix) for v in (THRUST, DRY, VISCOUS)), ZERO)
        net = self._reaction("net_resistance")
        net = net + self.carrying.backward * self._plastic_load
        # Near rest that part of the thrust of rolling which goes with the resistance there is.
        taken = net / maximum(as_expr(self.grip.net_resistance), LEAST_FORCE)
        part = maximum(minimum(taken, 1.0), -1.0)
        moves = absolute(self.at.travel) > SLOW
        # A share of 0 is that of a step before the soil began.
        share = where(self._reaction(PLASTIC.suffix) > 0.0, self.share, ONE)
        rolling = self.grip.rolling_thrust * where(moves, sign(self.at.travel) * share, part)
        thrust = thrust + self.pushed.forward
        pull = thrust - net
        turned = self.at.radius * (thrust - self.pushed.forward) - self.pushed.torque
        torque = turned + self._reaction("rolling_moment")
        about = self.carrying.against_rolling * self._plastic_load
        torque = torque + about * self.at.radius
        driven = torque * self.at.turning
        given = where(driven > LEAST_POWER, driven, 1.0)
        pulled = maximum(pull * self.at.travel, 0.0)
        efficiency = where(driven > LEAST_POWER, pulled / given, ZERO)
        text = "gross traction F_t, forward on the wheel"
        yield Computed("traction", "N", text, thrust + rolling)
        yield Computed("resistance", "N", "motion resistance F_c, backward", net + rolling)
        yield Computed("drawbar_pull", "N", "F_t - F_c, forward on the wheel", pull)
        yield Computed("torque", "N*m", "moment of the soil about the axle, backward", torque)
        text = "power of the drawbar pull over that of the torque; 0 unless it drives"
        yield Computed("tractive_efficiency", "1", text, efficiency)
        if "normal_force" not in self.reactions:
            yield Computed("normal_force", "N", NORMAL.description, self._load)
        yield from self._pushes()

    def _pushes(self) -> Iterator[Computed]:
        pushed = self.pushed
        side = self._reaction("side_force") + pushed.left
        found = (
            ("edge_force", "N", "forward at the centre, where soils differ", pushed.ahead),
            ("aligning_moment", "N*m", "about the normal of the ground", pushed.aligning),
            ("overturning_moment", "N*m", "about the forward direction", pushed.overturning),
        )
        if not pushed.left.is_zero:
            text = "side force, and what pushes without drift"
            yield Computed("lateral_force", "N", text, side)
        for suffix, unit, text, value in found:
            if not value.is_zero:
                yield Computed(suffix, unit, text, value)

    def _place(self) -> Iterator[Computed]:
        forces = self.grip.forces
        by_law = not as_expr(forces.sinkage).is_zero
        sinkage = forces.sinkage if by_law else self.at.sinkage
        yield Computed("sinkage", "m", "depth of the wheel's lowest point", sinkage)
        slope = asin(maximum(minimum(self.at.rise, 1.0), -1.0))
        yield Computed("slope", "rad", "slope of the ground ahead, uphill if positive", slope)
        if by_law:
            yield Computed("entry_angle", "rad", "theta_1, ahead", forces.entry_angle)
            yield Computed("exit_angle", "rad", "theta_2, negative behind", forces.exit_angle)
        if not as_expr(self.grip.mobility_number).is_zero:
            text = "number that the ratios go by"
            yield Computed("mobility_number", "1", text, self.grip.mobility_number)
        for suffix, value in self.compared.items():
            yield Computed(suffix, "1", COMPARED[suffix], value)
        work = sum((self._reaction(f.reaction.suffix) * f.velocity for f in self.forces), ZERO)
        if self.load is not None:
            work = work + self.load * self.at.climb
        work = work + self.pushed.power
        yield Computed("power", "W", "power of the soil on the wheel", work)
