"""Soil pushed aside by the flank of a wheel that drifts.

Hegedus 1960, as Ishigami et al. 2007 ("Terramechanics-based model for steering maneuver of
planetary exploration rovers on loose soil", Journal of Field Robotics 24) use it. The part of
cohesion is Rankine's passive pressure, 2 c h tan(45 deg + phi/2).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi

from axletree.core.expr import cos, tan
from axletree.library.soils.soil import Parameters, Value


@dataclass(frozen=True)
class Bulldozing:
    """The resistance of soil to a blade, per metre of its width."""

    linear: Value  # D_1 c [Pa]
    quadratic: Value  # D_1 D_2 gamma / 2 [N/m^3]

    def resistance(self, depth: Value) -> Value:
        """R_b [N/m] of a blade at a depth [m]: D_1 (c h + D_2 gamma h^2 / 2)."""
        return depth * (self.linear + self.quadratic * depth)

    def on_flank(self, depth: Value, radius: Value, angle: Value) -> Value:
        """The force by angle [N/rad] on the flank of a wheel at an angle [rad].

        R_b (r - h cos(theta)), with the depth h [m] of the rim there.
        """
        return self.resistance(depth) * (radius - depth * cos(angle))


def bulldozing(p: Parameters) -> Bulldozing:
    """The resistance of a soil, whose parameters are p, failing at 45 deg - phi/2."""
    phi = p["friction_angle"]
    failure = 0.25 * pi - 0.5 * phi  # X_c
    cotangent = 1.0 / tan(failure)
    D_1 = cotangent + tan(failure + phi)
    D_2 = cotangent + cotangent * cotangent * tan(phi)
    return Bulldozing(D_1 * p["cohesion"], 0.5 * D_1 * D_2 * p["unit_weight"])
