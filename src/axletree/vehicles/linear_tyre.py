"""What a tyre does at small slip angles: slopes of its law under the load that it stands under."""

from __future__ import annotations

from dataclasses import dataclass

from axletree.core.errors import ExpressionError, ModelError
from axletree.core.expr import Expr, as_expr, directional_derivative, evaluate, symbol
from axletree.library.tyres.contract import Contact, TyreLaw, with_velocities
from axletree.vehicles.unit import Axle

SPEED = 20.0  # m/s, of the slopes, for laws that know of speed
SMALL_ANGLE = 1e-4  # rad, for laws without derivatives
ANGLE = symbol("slip angle")


@dataclass(frozen=True)
class TyreSlopes:
    """Of one tyre that rolls straight and free."""

    cornering_stiffness: float  # [N/rad], -dFy / dalpha
    aligning_stiffness: float  # [N m/rad], dMz / dalpha

    @property
    def trail(self) -> float:
        """Of the side force behind the contact point [m]."""
        return self.aligning_stiffness / self.cornering_stiffness


def tyre_slopes(axle: Axle, load: float) -> TyreSlopes:
    """By exact derivatives of the law at a load [N], slip and inclination 0."""
    law = axle.tyre.law
    if law.holds or law.holds_lateral:
        raise ModelError("tyre: law: it lets the tyre not slip, so that it has no stiffness")
    deflection = load / axle.tyre.stiffness
    contact = Contact(
        load, 0.0, ANGLE, forward_speed=SPEED, radius=axle.wheel.radius, deflection=deflection
    )
    side, aligning = _slopes(law, contact)
    if not side < 0.0:
        raise ModelError(f"tyre: law: its cornering stiffness is {-side:g} N/rad at {load:g} N")
    return TyreSlopes(-side, aligning)


def _slopes(law: TyreLaw, contact: Contact) -> tuple[float, float]:
    """Of Fy and Mz against the slip angle."""
    found = law(with_velocities(contact))
    forces: list[Expr] = [as_expr(found.Fy), as_expr(found.Mz)]
    try:
        side, aligning = evaluate(directional_derivative(forces, {ANGLE: 1.0}), {ANGLE: 0.0})
    except ExpressionError:  # a function of the user's that nobody has differentiated
        left, right = (evaluate(forces, {ANGLE: sign * SMALL_ANGLE}) for sign in (1.0, -1.0))
        side, aligning = ((a - b) / (2.0 * SMALL_ANGLE) for a, b in zip(left, right, strict=True))
    return float(side), float(aligning)
