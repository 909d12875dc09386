"""A tyre law over the slip of soils, differentiated."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from axletree.core.errors import ExpressionError
from axletree.core.expr import (
    Expr,
    as_expr,
    atan,
    directional_derivative,
    maximum,
    minimum,
    substitute,
    symbol,
)
from axletree.library.soils.contract import Wheel
from axletree.library.soils.formula import Formula
from axletree.library.soils.soil import Parameters, Value
from axletree.library.tyres.axis_system import MIRROR, with_signs
from axletree.library.tyres.calls import function_name
from axletree.library.tyres.contact_geometry import chord
from axletree.library.tyres.contract import Contact, Forces, TyreLaw

LEAST_TRAVEL = 0.01  # over rolling: a wheel that spins on the spot has a slip kappa of 99
LEAST_SPEED = 2.0  # m/s, below which laws fade
STEP = 1e-5  # of slip, for differences

_STATE = ("slip", "across", "load", "deflection", "radius", "inclination", "speed")


@dataclass(frozen=True)
class TyreFormula:
    """Forces and the slope of Fx, with what is given for the parameters."""

    forces: Formula
    sloped: Formula
    symbols: dict[str, Expr]  # of the state
    given: dict[Expr, Any]  # parameters

    def at(
        self, slip: Value, across: Value, load: Value, deflection: Value, wheel: Wheel
    ) -> Forces:
        """At a slip i and a lateral slip."""
        return Forces(**self.forces.at(self._given(slip, across, load, deflection, wheel)))

    def slope(
        self, slip: Value, across: Value, load: Value, deflection: Value, wheel: Wheel
    ) -> Value:
        """Of Fx against i [N]."""
        return self.sloped.at(self._given(slip, across, load, deflection, wheel))["slope"]

    def _given(
        self, slip: Value, across: Value, load: Value, deflection: Value, wheel: Wheel
    ) -> dict[Expr, Any]:
        values = (slip, across, load, deflection, wheel.radius, wheel.inclination, wheel.speed)
        return self.given | {
            self.symbols[name]: value for name, value in zip(_STATE, values, strict=True)
        }


def tyre_formula(law: TyreLaw, p: Parameters, *, mirrored: bool) -> TyreFormula:
    """Of a law, its parameters by name; those that are 0 stay so."""
    name = f"{function_name(law)}_paved"
    symbols = {own: symbol(f"{name}.state.{own}") for own in _STATE}
    named = {own: symbol(f"{name}.{own}") for own in p if not as_expr(p[own]).is_zero}
    given = {own: p[key] for key, own in named.items()}
    asked = law.forces(with_signs(_contact(**symbols), MIRROR if mirrored else {}), {**p, **named})
    found = with_signs(asked, MIRROR if mirrored else {})
    results = {f.name: as_expr(getattr(found, f.name)) for f in dataclasses.fields(Forces)}
    slope = _slope(results["Fx"], symbols["slip"])
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
        ends = [substitute([force], {slip: slip + step})[0] for step in (-STEP, STEP)]
        return (ends[1] - ends[0]) / (2.0 * STEP)
    return exact


def _contact(
    slip: Value,
    across: Value,
    load: Value,
    deflection: Value,
    radius: Value,
    inclination: Value,
    speed: Value,
) -> Contact:
    """What a tyre law is asked, from the slip of soils.

    The wheel travels forward, and all speeds follow from the greater of travel and rolling.
    """
    travel = maximum(1.0 - maximum(slip, 0.0), LEAST_TRAVEL)
    fast = maximum(speed, LEAST_SPEED)
    return Contact(
        normal_load=load,
        longitudinal_slip=slip / travel,
        slip_angle=atan(across / travel),
        inclination=inclination,
        forward_speed=travel * fast,
        spin_rate=fast / radius,
        sliding_speed=-slip * fast,
        lateral_speed=across * fast,
        rolling_speed=(1.0 + minimum(slip, 0.0)) * fast,
        radius=radius,
        deflection=deflection,
        patch_length=chord(radius, deflection),
    )
