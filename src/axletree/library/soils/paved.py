"""Hard ground under a handling tyre, so that a wheel may leave the road for soft soil."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import ClassVar

from axletree.core.expr import absolute, maximum, minimum, where
from axletree.library.fields import flag, parameter
from axletree.library.part import part, within
from axletree.library.soils.contract import SoilLaw, Wheel
from axletree.library.soils.forces import SoilForces
from axletree.library.soils.grip import Grip
from axletree.library.soils.soil import Parameters, Value
from axletree.library.soils.tyre_formula import TyreFormula, tyre_formula
from axletree.library.tyres.contract import Forces, TyreLaw

LEAST_SLIP = 1e-9  # below it slopes are those without slip
PEAKS = (0.05, 0.1, 0.2, 1.0)  # slips, along and across, among which the greatest force is sought


@dataclass(frozen=True)
class Paved(SoilLaw):
    """The law of a tyre, which gives like a spring where soil would.

    The tyre's force at its slip kappa = i / (1 - i), driven, or i, braked, and slip angle is taken
    apart as those of soils are. Nothing resists travel but the tyre's rolling resistance, a moment
    that is held at rest and of a locked wheel. What the tyre has without slip, by its conicity, its
    ply steer or its camber, does not hold a wheel but pushes it, and fades at rest.

    Forces act at the lowest point of the wheel without deflection, at whose radius it rolls. The
    law is asked as if at 2 m/s below that: its own fading at rest is not needed. Turn slip is 0.

    Example:
    >>> import axletree as at
    >>> from axletree.library.soils.contract import Wheel
    >>> road = at.Paved(at.LinearTyre(slip_stiffness=9e4, cornering_stiffness=7e4), "200 kN/m")
    >>> forces = road(4000.0, Wheel(radius=0.3, width=0.2, slip=-0.01))  # N, m, m, 1
    >>> float(forces.gross_traction), float(forces.sinkage)  # N, m
    (-900.0, 0.02)
    """

    summary: ClassVar[str] = "hard ground under a handling tyre"

    tyre: TyreLaw = part("TYRES", "forces over slip")
    stiffness: float = parameter("N/m", "vertical stiffness of the tyre", lower=0.0, above=True)
    mirrored: bool = flag("whether the law is that of a tyre for the other side", default=False)

    def problems(self) -> list[str]:
        law = self.tyre
        if not isinstance(law, TyreLaw):
            return [f"tyre: expected a TyreLaw, got a {type(law).__name__}"]
        if law.holds or law.holds_lateral or law.holds_longitudinal:
            return [
                f"tyre: {type(law).__name__} holds the wheel in place of forces over slip; "
                "take one such as fiala or magic-formula-6.2"
            ]
        return []

    @property
    def knows_sinkage(self) -> bool:
        return True

    def under_load(self, load: Value, wheel: Wheel, p: Parameters) -> SoilForces:
        return self.grip_under_load(load, wheel, p).forces

    def at_sinkage(self, sinkage: Value, wheel: Wheel, p: Parameters) -> SoilForces:
        return self.grip_at_sinkage(sinkage, wheel, p).forces

    def grip_under_load(self, load: Value, wheel: Wheel, p: Parameters) -> Grip:
        return self._grip(maximum(load, 0.0) / p["stiffness"], wheel, p)

    def grip_at_sinkage(self, sinkage: Value, wheel: Wheel, p: Parameters) -> Grip:
        return self._grip(sinkage, wheel, p)

    def _grip(self, sinkage: Value, wheel: Wheel, p: Parameters) -> Grip:
        formula = tyre_formula(self.tyre, within(p, "tyre"), mirrored=self.mirrored)
        return _TyreOnGround(formula, wheel, p["stiffness"], sinkage).grip()


class _TyreOnGround:
    """A tyre as it slips, as it would without slip, and as it would without drift."""

    def __init__(
        self, formula: TyreFormula, wheel: Wheel, stiffness: Value, sinkage: Value
    ) -> None:
        self.formula, self.wheel, self.stiffness = formula, wheel, stiffness
        self.sinkage, self.load = sinkage, stiffness * maximum(sinkage, 0.0)
        self.slip, self.across = wheel.clipped_slip, wheel.slip_across
        self.drifts = absolute(self.across) >= LEAST_SLIP
        self.aside = where(self.drifts, self.across, LEAST_SLIP)
        self.now, self.free = self.at(self.slip, self.aside), self.at(0.0, self.aside)
        self.straight = self.at(self.slip, 0.0)
        pull = self.now.Fx - self.free.Fx
        self.thrust = maximum(where(self.slip < 0.0, -pull, pull), 0.0)
        self.side = maximum((self.straight.Fy - self.now.Fy) / self.aside, 0.0)

    def at(self, slip: Value, across: Value) -> Forces:
        return self.formula.at(slip, across, self.load, self.sinkage, self.wheel)

    def forces(self) -> SoilForces:
        now, straight = self.now, self.straight
        traction = self.free.Fx + where(self.slip < 0.0, -self.thrust, self.thrust)
        return SoilForces(
            sinkage=self.sinkage,
            entry_angle=0.0,
            peak_angle=0.0,
            exit_angle=0.0,
            normal_force=self.load,
            gross_traction=traction,
            compaction_resistance=0.0,
            rolling_moment=-now.My,
            lateral_force=straight.Fy - self.side * self.across,
            torque=self.wheel.radius * traction - now.My,
            aligning_moment=where(self.drifts, now.Mz, straight.Mz),
            overturning_moment=where(self.drifts, now.Mx, straight.Mx),
            touch_stiffness=self.stiffness,
            stored_energy=0.5 * self.load * maximum(self.sinkage, 0.0),
        )

    def grip(self) -> Grip:
        greatest = _greatest(lambda s: absolute(self.at(-s, 0.0).Fx))
        aside = _greatest(lambda s: absolute(self.at(0.0, s).Fy))
        return Grip(
            self.forces(),
            thrust=self.thrust,
            rolling_thrust=0.0,
            free_moment=maximum(-self.free.My, 0.0),
            thrust_slope=self.thrust_slope(),
            greatest_thrust=maximum(self.thrust, greatest),
            side_stiffness=self.side,
            greatest_side_force=maximum(self.side * absolute(self.across), aside),
            forward_push=self.free.Fx,
            side_push=self.straight.Fy,
        )

    def thrust_slope(self) -> Value:
        """Where thrust grows, and no steeper than the line from zero."""
        size = absolute(self.slip)
        slope = self.formula.slope(self.slip, self.aside, self.load, self.sinkage, self.wheel)
        secant = where(size > LEAST_SLIP, self.thrust / maximum(size, LEAST_SLIP), slope)
        return maximum(minimum(slope, secant), 0.0)


def _greatest(force: Callable[[float], Value]) -> Value:
    return reduce(maximum, (force(slip) for slip in PEAKS))
