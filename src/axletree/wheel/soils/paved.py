"""Hard ground under a handling tyre, so that a wheel may leave the road for soft soil.

The tyre law is taken over the slip of soils and differentiated.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Any, ClassVar

from axletree.components.fields import Parameters, flag, part, positive, within
from axletree.core.errors import ExpressionError
from axletree.expr import Expr, as_expr, directional_derivative, substitute, symbol
from axletree.expr.functions import Value, absolute, atan, maximum, minimum, where
from axletree.wheel.axis_systems import MIRROR, with_signs
from axletree.wheel.bound_law import function_name
from axletree.wheel.contact_geometry import chord
from axletree.wheel.contract import Contact, Forces, TyreLaw
from axletree.wheel.soils.contract import Formula, SoilForces, SoilGrip, SoilLaw, WheelInSoil

_LEAST_SLIP = 1e-9  # below it slopes are those without slip
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
    >>> from axletree.wheel.soils.contract import WheelInSoil
    >>> road = at.Paved(at.LinearTyre(slip_stiffness=9e4, cornering_stiffness=7e4), "200 kN/m")
    >>> forces = road(4000.0, WheelInSoil(radius=0.3, width=0.2, slip=-0.01))  # N, m, m, 1
    >>> float(forces.gross_traction), float(forces.sinkage)  # N, m
    (-900.0, 0.02)
    """

    summary: ClassVar[str] = "hard ground under a handling tyre"

    tyre: TyreLaw = part("TYRES", "forces over slip")
    stiffness: float = positive("N/m", "vertical stiffness of the tyre")
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

    def under_load(self, load: Value, wheel: WheelInSoil, p: Parameters) -> SoilForces:
        return self.grip_under_load(load, wheel, p).forces

    def at_sinkage(self, sinkage: Value, wheel: WheelInSoil, p: Parameters) -> SoilForces:
        return self.grip_at_sinkage(sinkage, wheel, p).forces

    def grip_under_load(self, load: Value, wheel: WheelInSoil, p: Parameters) -> SoilGrip:
        return self._grip(maximum(load, 0.0) / p["stiffness"], wheel, p)

    def grip_at_sinkage(self, sinkage: Value, wheel: WheelInSoil, p: Parameters) -> SoilGrip:
        return self._grip(sinkage, wheel, p)

    def _grip(self, sinkage: Value, wheel: WheelInSoil, p: Parameters) -> SoilGrip:
        formula = tyre_formula(self.tyre, within(p, "tyre"), mirrored=self.mirrored)
        return _TyreOnGround(formula, wheel, p["stiffness"], sinkage).grip()


class _TyreOnGround:
    """A tyre as it slips, as it would without slip, and as it would without drift."""

    def __init__(
        self, formula: TyreFormula, wheel: WheelInSoil, stiffness: Value, sinkage: Value
    ) -> None:
        self.formula, self.wheel, self.stiffness = formula, wheel, stiffness
        self.sinkage, self.load = sinkage, stiffness * maximum(sinkage, 0.0)
        self.slip, self.across = wheel.clipped_slip, wheel.slip_across
        self.drifts = absolute(self.across) >= _LEAST_SLIP
        self.aside = where(self.drifts, self.across, _LEAST_SLIP)
        self.now, self.free = self.at(self.slip, self.aside), self.at(0.0, self.aside)
        self.straight = self.at(self.slip, 0.0)
        pull = self.now.Fx - self.free.Fx
        self.thrust = maximum(where(self.slip < 0.0, -pull, pull), 0.0)
        self.side = maximum((self.straight.Fy - self.now.Fy) / self.aside, 0.0)

    def state(self, slip: Value, across: Value) -> TyreState:
        wheel = self.wheel
        own = wheel.radius, wheel.inclination, wheel.speed
        return TyreState(slip, across, self.load, self.sinkage, *own)

    def at(self, slip: Value, across: Value) -> Forces:
        return self.formula.at(self.state(slip, across))

    def forces(self) -> SoilForces:
        now, straight = self.now, self.straight
        traction = self.free.Fx + where(self.slip < 0.0, -self.thrust, self.thrust)
        return SoilForces(
            sinkage=self.sinkage,
            normal_force=self.load,
            gross_traction=traction,
            rolling_moment=-now.My,
            lateral_force=straight.Fy - self.side * self.across,
            torque=self.wheel.radius * traction - now.My,
            aligning_moment=where(self.drifts, now.Mz, straight.Mz),
            overturning_moment=where(self.drifts, now.Mx, straight.Mx),
            touch_stiffness=self.stiffness,
            stored_energy=0.5 * self.load * maximum(self.sinkage, 0.0),
        )

    def grip(self) -> SoilGrip:
        greatest = _greatest(lambda s: absolute(self.at(-s, 0.0).Fx))
        aside = _greatest(lambda s: absolute(self.at(0.0, s).Fy))
        return SoilGrip(
            forces=self.forces(),
            thrust=self.thrust,
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
        slope = self.formula.slope(self.state(self.slip, self.aside))
        secant = where(size > _LEAST_SLIP, self.thrust / maximum(size, _LEAST_SLIP), slope)
        return maximum(minimum(slope, secant), 0.0)


def _greatest(force: Callable[[float], Value]) -> Value:
    return reduce(maximum, (force(slip) for slip in PEAKS))


_LEAST_TRAVEL = 0.01  # over rolling: a wheel that spins on the spot has a slip kappa of 99
_LEAST_SPEED = 2.0  # m/s, below which laws fade
_STEP = 1e-5  # of slip, for differences


@dataclass(frozen=True)
class TyreState:
    """What forces depend on; slips are those of soils."""

    slip: Value  # i [1]
    across: Value  # lateral slip [1]
    load: Value  # [N]
    deflection: Value  # [m]
    radius: Value  # [m]
    inclination: Value  # [rad]
    speed: Value  # [m/s]


@dataclass(frozen=True)
class TyreFormula:
    """Forces and the slope of Fx, with what is given for the parameters."""

    forces: Formula
    sloped: Formula
    symbols: TyreState
    given: dict[Expr, Any]  # parameters

    def at(self, state: TyreState) -> Forces:
        return Forces(**self.forces.at(self._given(state)))

    def slope(self, state: TyreState) -> Value:
        """Of Fx against i [N]."""
        return self.sloped.at(self._given(state))["slope"]

    def _given(self, state: TyreState) -> dict[Expr, Any]:
        symbols = vars(self.symbols).items()
        return self.given | {own: getattr(state, name) for name, own in symbols}


def tyre_formula(law: TyreLaw, p: Parameters, *, mirrored: bool) -> TyreFormula:
    """Of a law, its parameters by name; those that are 0 stay so."""
    name = f"{function_name(law)}_paved"
    words = [field.name for field in dataclasses.fields(TyreState)]
    symbols = TyreState(*(symbol(f"{name}.state.{own}") for own in words))
    named = {own: symbol(f"{name}.{own}") for own in p if not as_expr(p[own]).is_zero}
    given = {own: p[key] for key, own in named.items()}
    asked = law.forces(with_signs(_contact(symbols), MIRROR if mirrored else {}), {**p, **named})
    found = with_signs(asked, MIRROR if mirrored else {})
    results = {f.name: as_expr(getattr(found, f.name)) for f in dataclasses.fields(Forces)}
    slope = _slope(results["Fx"], symbols.slip)
    return TyreFormula(
        Formula(name, results, given),
        Formula(f"{name}_slope", {"slope": slope}, given),
        symbols,
        given,
    )


def _slope(force: Expr, slip: Expr) -> Expr:
    """Exact, but for external laws without derivatives: those by differences."""
    try:
        (exact,) = directional_derivative([force], {slip: 1.0})
    except ExpressionError:
        ends = [substitute([force], {slip: slip + step})[0] for step in (-_STEP, _STEP)]
        return (ends[1] - ends[0]) / (2.0 * _STEP)
    return exact


def _contact(at: TyreState) -> Contact:
    """What a tyre law is asked, from the slip of soils.

    The wheel travels forward, and all speeds follow from the greater of travel and rolling.
    """
    travel = maximum(1.0 - maximum(at.slip, 0.0), _LEAST_TRAVEL)
    fast = maximum(at.speed, _LEAST_SPEED)
    return Contact(
        normal_load=at.load,
        longitudinal_slip=at.slip / travel,
        slip_angle=atan(at.across / travel),
        inclination=at.inclination,
        forward_speed=travel * fast,
        spin_rate=fast / at.radius,
        sliding_speed=-at.slip * fast,
        lateral_speed=at.across * fast,
        rolling_speed=(1.0 + minimum(at.slip, 0.0)) * fast,
        radius=at.radius,
        deflection=at.deflection,
        patch_length=chord(at.radius, at.deflection),
    )
