"""Fiala's law, and the cubic that it shares with others.

Equation numbers of the law are those of Morency 2007.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.components.fields import Parameters, Relation, parameter
from axletree.expr import Value, absolute, maximum, minimum, sqrt, tan, where
from axletree.wheel.contract import Contact, Forces, TyreLaw, example_fields
from axletree.wheel.slip import SLOW_SPIN, SMALLEST_SQUARE, direction, heading


@dataclass(frozen=True)
class Fiala(TyreLaw):
    """Six parameters, as in Morency 2007 and in Adams (3.29 to 3.36).

    Slip and slip angle act apart but for the friction coefficient that both reduce;
    inclination has no effect. Read with these corrections: the sliding branch of (3.32)
    has the sign of S, and (3.33) and (3.36) change where H = 0, at
    |tan(alpha)| = 3 mu Fz / C_alpha, which makes all three continuous; the comprehensive
    slip counts up to 1, so that mu stays between its two values, as the text says. The
    rolling resistance passes through zero at rest, where (3.35) jumps. (3.36) is that of a tyre
    that rolls forward; in reverse the moment has the other sign.

    Example:
    >>> import axletree as at
    >>> law = at.Fiala(0.2, 1.5e5, 1.1e5, 0.0, peak_friction=1.0, sliding_friction=0.8)
    >>> slides = law(at.Contact(normal_load=4000.0, longitudinal_slip=0.0, slip_angle=0.5))
    >>> print(f"{slides.Fy:.0f} N")  # -4000 * (1 - 0.2 tan(0.5))
    -3563 N
    """

    summary: ClassVar[str] = "six parameters; slip and slip angle act apart"
    example: ClassVar[Mapping[str, Any]] = example_fields("fiala")
    relations = (Relation("sliding_friction", below=({"peak_friction": 1.0},)),)

    width: float = parameter("m", "width of the tyre, D_2", lower=0.0)
    slip_stiffness: float = parameter("N", "slope of Fx against S at 0, C_S", lower=0.0)
    cornering_stiffness: float = parameter(
        "N/rad", "slope of -Fy against alpha at 0, C_alpha", lower=0.0
    )
    rolling_resistance: float = parameter(
        "m", "distance of the load ahead of the contact point when rolling, C_r", lower=0.0
    )
    peak_friction: float = parameter("1", "friction coefficient at no slip, mu_0", lower=0.0)
    sliding_friction: float = parameter(
        "1", "friction coefficient at a comprehensive slip of 1, mu_1", lower=0.0
    )

    def forces(self, contact: Contact, p: Parameters) -> Forces:
        S, t = contact.longitudinal_slip, tan(contact.slip_angle)
        slip = sqrt(maximum(S * S + t * t, SMALLEST_SQUARE))  # (3.29)
        loss = p["peak_friction"] - p["sliding_friction"]
        mu = p["peak_friction"] - loss * minimum(slip, 1.0)  # (3.30)
        limit = mu * contact.normal_load
        # (3.31) with H = adhesion(n), so that 1 - H^3 is the size of saturated(n).
        n = demand(p["cornering_stiffness"] * t, limit)
        H = adhesion(n)
        aligning = limit * p["width"] * (n / 3.0) * (H * H * H)  # (3.36), 1 - H = |n|/3
        rolling = direction(contact.spin_rate, SLOW_SPIN) * p["rolling_resistance"]
        return Forces(
            Fx=limit * _driving(demand(p["slip_stiffness"] * S, limit)),  # (3.32)
            Fy=-limit * saturated(n),  # (3.33)
            Mx=0.0,  # (3.34)
            My=-rolling * contact.normal_load,  # (3.35)
            Mz=heading(contact) * aligning,
        )


def _driving(n: Value) -> Value:
    """Fx over the friction limit: n up to 1/2, then 1 - 1/(4|n|) with the sign of n."""
    size = maximum(absolute(n), 0.5)
    return n * where(absolute(n) < 0.5, 1.0, (1.0 - 0.25 / size) / size)


# The cubic that a brush of bristles under a parabolic pressure follows until it slides.
#
# Fiala's law, the brush model and Calspan's law share it (Pacejka 2012, section 3.2.1): with
# n the force that the undisturbed bristles would carry, over the friction limit,
#
#     g(n) = n - n|n| / 3 + n^3 / 27   for |n| < 3,   sign(n) beyond.
#
# It meets the limit with value, slope and curvature.

SLIDING = 3.0  # |n| from which every bristle slides
SMALLEST_LIMIT = 1e-9  # N; friction limits below it divide nothing


def demand(force: Value, limit: Value) -> Value:
    """n: a force over the friction limit [N], also where the tyre is in the air."""
    return force / maximum(limit, SMALLEST_LIMIT)


def saturated(n: Value) -> Value:
    """g(n) in [-1, 1]; written as n times a secant, so that the slope at 0 is exact."""
    size = absolute(n)
    adhering = 1.0 - size / 3.0 + size * size / 27.0
    return n * where(size < SLIDING, adhering, 1.0 / maximum(size, SLIDING))


def adhesion(n: Value) -> Value:
    """1 - |n|/3: the part of the contact length that adheres, in [0, 1]."""
    return maximum(1.0 - absolute(n) / SLIDING, 0.0)
