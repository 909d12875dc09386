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
from axletree.library.soils.tyre_formula import TyrePoint, tyre_formula
from axletree.library.tyres.contract import TyreLaw

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
        load = p["stiffness"] * maximum(sinkage, 0.0)

        def at(slip: Value, across: Value) -> TyrePoint:
            return formula.at(slip, across, load, sinkage, wheel)

        slip, across = wheel.clipped_slip, wheel.slip_across
        drifts = absolute(across) >= LEAST_SLIP
        aside = where(drifts, across, LEAST_SLIP)
        now, free, straight = at(slip, aside), at(0.0, aside), at(slip, 0.0)
        pull = now.Fx - free.Fx
        thrust = maximum(where(slip < 0.0, -pull, pull), 0.0)
        side = maximum((straight.Fy - now.Fy) / aside, 0.0)
        traction = free.Fx + where(slip < 0.0, -thrust, thrust)
        forces = SoilForces(
            sinkage=sinkage,
            entry_angle=0.0,
            peak_angle=0.0,
            exit_angle=0.0,
            normal_force=load,
            gross_traction=traction,
            compaction_resistance=0.0,
            rolling_moment=-now.My,
            lateral_force=straight.Fy - side * across,
            torque=wheel.radius * traction - now.My,
            aligning_moment=where(drifts, now.Mz, straight.Mz),
            overturning_moment=where(drifts, now.Mx, straight.Mx),
            stored_energy=0.5 * load * maximum(sinkage, 0.0),
        )
        size = maximum(absolute(slip), LEAST_SLIP)
        slope = formula.slope(slip, aside, load, sinkage, wheel)
        secant = where(absolute(slip) > LEAST_SLIP, thrust / size, slope)
        return Grip(
            forces,
            thrust=thrust,
            rolling_thrust=0.0,
            free_moment=maximum(-free.My, 0.0),
            thrust_slope=maximum(minimum(slope, secant), 0.0),
            greatest_thrust=maximum(thrust, _greatest(lambda s: absolute(at(-s, 0.0).Fx))),
            side_stiffness=side,
            greatest_side_force=maximum(
                side * absolute(across), _greatest(lambda s: absolute(at(0.0, s).Fy))
            ),
            forward_push=free.Fx,
            side_push=straight.Fy,
        )


def _greatest(force: Callable[[float], Value]) -> Value:
    return reduce(maximum, (force(slip) for slip in PEAKS))
